"""The command palette at a table: what the screen can do, and what a query finds beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct
from textual.command import Hit, Hits, Provider

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST = 2.0
"""What the game has comes before the settings (1) and the way out (0) in the palette."""


class Command(Struct, frozen=True):
    """A line of the palette; one that is not possible now says why in ``help``."""

    text: str
    help: str
    do: Callable[[], None]


@runtime_checkable
class HasCommands(Protocol):
    """A screen that has commands."""

    def commands(self) -> Iterable[Command]:
        """Everything there is before a letter is typed."""
        ...

    def searched(self, query: str) -> Iterable[Command]:
        """What there is beside it for a query."""
        ...


class TableCommands(Provider):
    """What can be done on the screen of a table, live or not."""

    def _commands(self) -> Iterator[Command]:
        screen = self.screen
        if isinstance(screen, HasCommands):
            yield from screen.commands()

    def _searched(self, query: str) -> Iterator[Command]:
        screen = self.screen
        if isinstance(screen, HasCommands):
            yield from screen.searched(query)

    async def discover(self) -> Hits:
        """Everything, before a letter is typed."""
        for command in self._commands():
            yield Hit(FIRST, command.text, command.do, text=command.text, help=command.help)

    async def search(self, query: str) -> Hits:
        """What matches."""
        matcher = self.matcher(query)
        for command in chain(self._commands(), self._searched(query)):
            score = matcher.match(command.text)
            if score > 0:
                yield Hit(score, matcher.highlight(command.text), command.do, help=command.help)
