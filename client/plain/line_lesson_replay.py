"""Line mode without a host: a lesson at a table, and a record step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, cast

from client.lesson import LessonSession
from client.plain import shared_sentences
from client.plain.console import Console, parse_number
from client.plain.line_commands import LineCommand, LineCommands
from client.plain.line_table import LineTable
from client.present import advice
from client.replay import ReplaySession
from client.wording import count

NEXT = "Press Enter for the next step."
HOW_TO_LEARN = (
    "Keys in these lines are those of the screen; here type moves, and a number. hint shows the way, undo "
    "takes a step back, quit leaves and keeps your place."
)
MORE, HOW = "Type hint again for more.", "Type moves, and its number."
IN_BRACES = re.compile(r"{(\w+)}")


class LineLesson(LineTable[Any]):
    """The part of a lesson that is the same for all games."""

    _said: tuple[Any, ...] = ()
    _told_how = False

    @property
    def lesson_session(self) -> LessonSession:
        assert isinstance(self.session, LessonSession)
        return self.session

    def commands(self) -> Iterable[LineCommand]:
        """Return the commands of the game; a hint shows the lesson's wanted action."""
        own = (
            LineCommand("hint", "what the lesson wants now", self._show_way, when="always"),
            LineCommand(
                "undo", "take back a step, or go back to the one before", lambda _: self._take_back(1), when="always"
            ),
        )
        return (*own, *(each for each in super().commands() if each.name not in ("hint", "undo")))

    async def tell_news(self) -> None:
        """Print the news, then the text of the lesson."""
        await super().tell_news()
        now = self.state.lesson
        assert now is not None
        said = (now.number, now.lines, now.answer)
        if said == self._said:
            return
        begun, self._said = self._said[:1] == said[:1], said
        how = "" if self._told_how else f" {HOW_TO_LEARN}"
        self._told_how = True
        head = [] if begun else [f"{now.head}.{how}"]
        lines = now.answer or " ".join(now.lines)
        await self.console.write_lines(*head, IN_BRACES.sub(r"\1", lines), *([NEXT] if now.done else []))

    async def take(self, line: str) -> None:
        """Run a line; an empty line begins the next step when this one is done."""
        if line.strip():
            await super().take(line)
        else:
            await self.lesson_session.wait_until_played()
            if self.lesson_session.step_is_finished:
                self._next_step()

    def _next_step(self) -> None:
        self.lesson_session.go_on()
        self._left = self.lesson_session.attempt.continues_into_game

    async def _show_way(self, _rest: str) -> None:
        wanted = self.lesson_session.wanted_action
        if wanted is None:
            self._next_step()
        elif "lesson" in wanted:
            await self.console.write_lines("Type undo.")
        else:
            clue, clues = self.lesson_session.next_clue(), self.lesson_session.attempt.clues
            found = advice.hint_clues(self.face, self.scene, wanted)[-clues:]
            await self.console.write_lines(f"{found[clue]} {MORE if clue < clues - 1 else HOW}")


@cache
def line_lesson_of(lines: type[LineTable[Any]]) -> Callable[..., LineLesson]:
    """Return the line mode of a lesson in the game with this one."""
    return cast("Callable[..., LineLesson]", type(f"{lines.__name__}Lesson", (LineLesson, lines), {}))


HOW_TO_STEP = "Type next for a step, next 10 for ten, play for all; help for more."
NUMBER = "Say a number, such as {word} 10."


class LineReplay:
    """Line mode over a record, with the commands of the game's own line mode (``lines``) that only look."""

    def __init__(self, lines: type[LineTable[Any]], session: ReplaySession, console: Console) -> None:
        self._session = session
        self._console = console
        self._table: LineTable[Any] = lines(session.face, session, console)
        self._left = False
        self._commands = LineCommands(
            (
                self._step_command("next", "the next steps", "[how many]", also=("n",)),
                self._step_command("back", "steps back", "[how many]", also=("b",)),
                self._step_command("step", "go to a step", "number", also=("go",)),
                self._step_command("first", "to the start"),
                self._step_command("last", "to the end, without listing the steps between"),
                self._step_command("play", "list all steps to the end"),
                *(command for command in self._table.vocabulary if command.in_replay),
                LineCommand("quit", "leave the replay", self._quit, also=("exit", "leave")),
                LineCommand("help", "the commands, or one of them", self._help, "[command]", also=("commands",)),
            )
        )

    def _step_command(self, name: str, does: str, more: str = "", also: tuple[str, ...] = ()) -> LineCommand:
        async def step(rest: str) -> None:
            await self._go_step(name, rest)

        return LineCommand(name, does, step, more, also)

    async def run(self) -> None:
        """Run until the user leaves; raises as the console does."""
        await self._console.write_lines(
            f"{self._session.state.title}, {count(self._session.last, 'step')}.", HOW_TO_STEP
        )
        await self._console.write_lines(*self._place_lines())
        while not self._left and (line := await self._console.read_line(lambda: "> ")) is not None:
            await self._take_line(line.casefold())

    async def _take_line(self, line: str) -> None:
        word, _, rest = (line.strip() or "next").partition(" ")
        command = self._commands.find(word)
        if command is None:
            await self._console.write_lines(self._commands.unknown_command_words(word))
        else:
            await command.do(rest.strip())

    async def _quit(self, _rest: str) -> None:
        self._left = True

    async def _help(self, rest: str) -> None:
        await self._console.write_lines(*self._commands.help(rest))

    async def _go_step(self, name: str, rest: str) -> None:
        here, last = self._session.step, self._session.last
        by = parse_number(rest) if rest or name == "step" else 1
        if by is None:
            await self._console.write_lines(NUMBER.format(word=name))
            return
        to = {"next": here + by, "back": here - by, "step": by, "first": 0, "last": last, "play": last}[name]
        before = len(self._session.state.log)
        self._session.go_to_step(to)
        state = self._session.state
        if name in ("next", "play"):
            face, tell = self._session.face, self._table.tell_entry
            await self._console.write_lines(*shared_sentences.history_lines(face, tell, state.log[before:], state.view))
        await self._console.write_lines(*self._place_lines())

    def _place_lines(self) -> list[str]:
        table = self._table
        table.see(self._session.state)
        lines = [f"Step {self._session.step} of {self._session.last}."]
        return lines + (table.score_sheet() if table.scene.over else table.turn()[:1])
