"""Help: the rules in brief, the map's legend, the keys."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from client.present import help as words
from client.tui.widgets.tap import Hint, Tap


class HelpScreen(Screen[None]):
    """A page to read; any of the closing keys goes back."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,f1", "close", "Back"),
    ]

    def __init__(self, *, glyphs: str = "unicode", topic: str = "game") -> None:
        super().__init__()
        self._glyphs = glyphs
        self._topic = topic

    def compose(self) -> ComposeResult:
        """The page and the way back."""
        with VerticalScroll(id="sheet"):
            yield Static(words.pages(self._topic, self._glyphs), markup=False)
        with Horizontal(id="hints"):
            yield Hint("up", "Up", "up")
            yield Hint("down", "Down", "down")
            yield Hint("esc", "Back", "close")

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        sheet = self.query_one("#sheet", VerticalScroll)
        match event.does:
            case "up":
                sheet.scroll_page_up(animate=False)
            case "down":
                sheet.scroll_page_down(animate=False)
            case _:
                self.action_close()
