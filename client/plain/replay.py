"""A record in line mode, step by step, forwards and backwards."""

from __future__ import annotations

from typing import Any

from client.plain import telling
from client.plain.commands import Command, Commands
from client.plain.console import Console, number_typed
from client.plain.table import LineTable
from client.replay import ReplaySession

HOW = "Type next for a step, next 10 for ten, play for all; help for more."
NUMBER = "Say a number, such as {word} 10."


class PlainReplay:
    """The conversation over a record, with the looking commands of the game's own line mode, ``lines``."""

    def __init__(self, lines: type[LineTable[Any]], session: ReplaySession, console: Console) -> None:
        self._session = session
        self._console = console
        self._table: LineTable[Any] = lines(session.face, session, console)
        self._left = False
        self._commands = Commands(
            (
                self._stepping("next", "the next steps", "[how many]", also=("n",)),
                self._stepping("back", "steps back", "[how many]", also=("b",)),
                self._stepping("step", "go to a step", "number", also=("go",)),
                self._stepping("first", "to the start"),
                self._stepping("last", "to the end, without listing the steps between"),
                self._stepping("play", "list all steps to the end"),
                *(command for command in self._table.vocabulary if command.in_replay),
                Command("quit", "leave the replay", self._quit, also=("exit", "leave")),
                Command("help", "the commands, or one of them", self._help, "[command]", also=("commands",)),
            )
        )

    def _stepping(self, name: str, does: str, more: str = "", also: tuple[str, ...] = ()) -> Command:
        async def step(rest: str) -> None:
            await self._step(name, rest)

        return Command(name, does, step, more, also)

    async def run(self) -> None:
        """Talk until the person leaves; raises as the console does."""
        await self._console.tell(f"{self._session.state.title}, {self._session.last} steps.", HOW)
        await self._console.tell(*self._where())
        while not self._left and (line := await self._console.line(lambda: "> ")) is not None:
            await self._take(line.casefold())

    async def _take(self, line: str) -> None:
        word, _, rest = (line.strip() or "next").partition(" ")
        command = self._commands.find(word)
        if command is None:
            await self._console.tell(self._commands.unknown(word))
        else:
            await command.do(rest.strip())

    async def _quit(self, _rest: str) -> None:
        self._left = True

    async def _help(self, rest: str) -> None:
        await self._console.tell(*self._commands.help(rest))

    async def _step(self, name: str, rest: str) -> None:
        here, last = self._session.step, self._session.last
        by = number_typed(rest) if rest or name == "step" else 1
        if by is None:
            await self._console.tell(NUMBER.format(word=name))
            return
        to = {"next": here + by, "back": here - by, "step": by, "first": 0, "last": last, "play": last}[name]
        before = len(self._session.state.log)
        self._session.go(to)
        state = self._session.state
        if name in ("next", "play"):
            face, tell = self._session.face, self._table.tell_entry
            await self._console.tell(*telling.history(face, tell, state.log[before:], state.view))
        await self._console.tell(*self._where())

    def _where(self) -> list[str]:
        table = self._table
        table.see(self._session.state)
        lines = [f"Step {self._session.step} of {self._session.last}."]
        return lines + (table.sheet() if table.scene.over else table.turn()[:1])
