"""A record told step by step, forwards and backwards."""

from __future__ import annotations

from client.games.the_cave.lines import looking, people
from client.games.the_cave.lines.spoken import told
from client.games.the_cave.log import log_line
from client.games.the_cave.scene import Desk, desk
from client.plain import words
from client.plain.console import Console
from client.present import log
from client.replay.session import ReplaySession

HOW = "Type next for a step, next 10 for ten, play for all; help for more."
NUMBER = "Say a number, such as {word} 10."


class PlainReplay:
    """The conversation over a record. ``run`` ends when the person leaves, or the input does."""

    def __init__(self, session: ReplaySession, console: Console) -> None:
        self._session = session
        self._console = console

    async def run(self) -> None:
        """Talk until the person leaves; raises as the console does."""
        await self._console.tell(f"{self._session.state.title}, {self._session.last} steps.", HOW)
        await self._console.tell(*self._where())
        while (line := await self._console.line(lambda: "> ")) is not None:
            if not await self._take(line.casefold()):
                return

    async def _take(self, line: str) -> bool:
        """Do what a line says; False to leave. An empty line is the next step."""
        word, _, rest = (line.strip() or "next").partition(" ")
        command = words.find(word, words.REPLAYING)
        say = self._console.tell
        if command is None:
            await say(words.unknown(word, words.REPLAYING))
        elif command.name == "quit":
            return False
        elif command.name == "help":
            await say(*words.helped(rest, words.REPLAYING))
        elif command.name == "rules":
            await say(*looking.rules(rest))
        elif command.name in looking.LOOKS:
            await say(*looking.LOOKS[command.name](self._desk(), rest.strip()))
        else:
            await self._step(command.name, rest.strip())
        return True

    async def _step(self, name: str, rest: str) -> None:
        here, last = self._session.step, self._session.last
        if (rest or name == "step") and not rest.isdecimal():
            await self._console.tell(NUMBER.format(word=name))
            return
        by = int(rest[:6]) if rest else 1
        to = {"next": here + by, "back": here - by, "step": by, "first": 0, "last": last, "play": last}[name]
        before = len(self._session.state.log)
        self._session.go(to)
        state = self._session.state
        if name in ("next", "play"):
            entries = log.entries(log_line, state.log, state.view)
            await self._console.tell(*(told(entry) for entry in entries if entry.index >= before))
        await self._console.tell(*self._where())

    def _where(self) -> list[str]:
        lines = [f"Step {self._session.step} of {self._session.last}."]
        now = self._desk()
        over = self._session.state.status == "over"
        return lines + (people.sheet(now) if over else people.turn(now)[:1])

    def _desk(self) -> Desk:
        return desk(self._session.state, None)
