"""The command palette: the commands of a table's screen, and other results of a query."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, ClassVar

from msgspec import Struct
from textual.command import CommandList, CommandPalette, Hit, Hits, Provider, SearchIcon

from client.tui.closing_screen import ClosingOnce


class Palette(CommandPalette, ClosingOnce[None]):
    """Textual's palette without its picture; the app's style sheet has its frame in ASCII."""

    DEFAULT_CSS: ClassVar[str] = """
    Palette SearchIcon { color: $key; text-style: bold; }
    Palette > Vertical { background: $surface; &:dark { background: $surface; } }
    """

    def __init__(self) -> None:
        super().__init__(placeholder="Type what you want to do")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the action is possible: the list has no pages before it is laid out."""
        return action != "command_list" or bool(self.query_one(CommandList).scrollable_content_region)

    def on_mount(self) -> None:
        """Replace the picture by a sign of one cell."""
        self.query_one(SearchIcon).icon = ">"


FIRST = 2.0  # commands of the game come before the settings (1) and quitting (0) in the palette


class Command(Struct, frozen=True):
    """A line of the palette; ``help`` has the reason if it is impossible now."""

    text: str
    help: str
    do: Callable[[], None]


class TableCommands(Provider):
    @property
    def _controller(self) -> Any:
        """The table's controller: a ``Controller``."""
        return self.screen.controller  # type: ignore[attr-defined]

    async def discover(self) -> Hits:
        for command in self._controller.all_palette_commands():
            yield Hit(FIRST, command.text, command.do, text=command.text, help=command.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in chain(self._controller.all_palette_commands(), self._controller.search_palette(query)):
            # Matches in the help text count half.
            score = matcher.match(command.text) or matcher.match(command.help) / 2
            if score > 0:
                yield Hit(score, matcher.highlight(command.text), command.do, help=command.help)
