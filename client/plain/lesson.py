"""A lesson in line mode: the conversation at a table, with the lines of the lesson and an easy way on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, cast

from cave.lesson import SEAT
from client.lesson import LessonSession
from client.plain.commands import Command
from client.plain.table import LineTable

NEXT = "Press Enter for the next step."
HOW = (
    "Keys in these lines are those of the screen; here type moves, and a number. hint shows the way, undo "
    "takes a step back, quit leaves and keeps your place."
)
AGAIN = "The way: {words}. Type hint again to do it."
IN_BRACES = re.compile(r"{(\w+)}")


class LessonTalk(LineTable[Any]):
    """The part of a lesson that no game has."""

    _said: tuple[Any, ...] = ()
    _shown: tuple[Any, ...] | None = None
    _told_how = False

    @property
    def lesson(self) -> LessonSession:
        """The lesson."""
        assert isinstance(self.session, LessonSession)
        return self.session

    def commands(self) -> Iterable[Command]:
        """Return the commands of the game; a hint shows the lesson's wanted action."""
        own = (
            Command("hint", "what the lesson wants now; again does it", self._show_way, when="always"),
            Command(
                "undo",
                "take back a step, or go back to the one before",
                lambda _: self._take_back(1),
                when="always",
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
        how = "" if self._told_how else f" {HOW}"
        self._told_how = True
        head = [] if begun else [f"Step {now.number} of {now.of}.{how}"]
        lines = now.answer or " ".join(now.lines)
        await self.console.tell(*head, IN_BRACES.sub(r"\1", lines), *([NEXT] if now.done else []))

    async def take(self, line: str) -> None:
        """Run a line; an empty line starts the next step when this one is done."""
        if line.strip():
            await super().take(line)
        else:
            await self.lesson.played()
            if self.lesson.finished:
                self._next()

    def _next(self) -> None:
        self.lesson.go_on()
        self._left = self.lesson.attempt.plays_on

    async def _show_way(self, _rest: str) -> None:
        wanted = self.lesson.wanted
        shown = (self.lesson.attempt.number, wanted)
        if wanted is None:
            self._next()
        elif "lesson" in wanted:
            await self.console.tell("Type undo.")
        elif self._shown == shown:
            await self.request(self.lesson.act(SEAT, wanted))
        else:
            self._shown = shown
            await self.console.tell(AGAIN.format(words=self.face.action_words(self.scene, wanted)))


@cache
def lesson_of(lines: type[LineTable[Any]]) -> Callable[..., LessonTalk]:
    """Return the line mode of a lesson in the game with this one."""
    return cast("Callable[..., LessonTalk]", type(f"{lines.__name__}Lesson", (LessonTalk, lines), {}))
