"""The list of everything by name, in signs that every terminal has."""

from __future__ import annotations

from typing import ClassVar

from textual.command import CommandList, CommandPalette, SearchIcon

from client.tui.closing_once import ClosingOnce


class Palette(CommandPalette, ClosingOnce[None]):
    """The library's, without its picture; the app's style sheet has its frame in ASCII."""

    DEFAULT_CSS: ClassVar[str] = "Palette SearchIcon { color: $key; text-style: bold; }"

    def __init__(self) -> None:
        super().__init__(placeholder="Type what you want to do")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the action is possible: the list has no pages before it is laid out."""
        return action != "command_list" or bool(self.query_one(CommandList).scrollable_content_region)

    def on_mount(self) -> None:
        """Put a sign of one cell in place of the picture."""
        self.query_one(SearchIcon).icon = ">"
