"""A thing one can put in: its key, its name, how many, and a minus and a plus to click."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from cave.the_cave.state import ItemName
from client.games.the_cave.forms.roles import BACKPACK, of_thing
from client.games.the_cave.known import packing
from client.tui.widgets.tap import KeyHint, Tap


class ItemRow(Horizontal):
    """One line of the bank."""

    DEFAULT_CSS: ClassVar[str] = """
    ItemRow {
        height: 1;
        width: 1fr;
        & > .bar { width: 1; }
        & > .what { width: 1fr; }
        & > .count { width: 4; text-align: center; text-style: bold; }
        & > .step { width: 3; text-align: center; background: $cap; }
        &.-current { background: $boost; text-style: bold; }
        &.-off .what { color: $text-muted; }
    }
    """

    class Pressed(Message):
        """A plus (``by`` 1) or a minus (-1) was clicked."""

        def __init__(self, item: ItemName, by: int) -> None:
            super().__init__()
            self.item = item
            self.by = by

    def __init__(self, item: ItemName, *, glyphs: str = "unicode") -> None:
        super().__init__(id=f"item-{item}")
        self.item: ItemName = item
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """Yield key and name, minus, how many, plus."""
        words = packing.name(self.item, glyphs=self._glyphs)
        colour = BACKPACK[of_thing(packing.NAMES[self.item])].colour
        bar = "|" if self._glyphs == "ascii" else "▌"
        yield Static(Content.styled(bar, f"${colour}"), classes="bar")
        yield KeyHint(f"packing.add_{self.item}", words, "more", id=f"more-{self.item}", classes="what")
        yield Tap("-", "less", classes="step less")
        yield Static("0", classes="count", markup=False)
        yield Tap("+", "more", classes="step more")

    def show(self, count: int, *, able: bool, current: bool) -> None:
        """Show how many there are, whether one more may go in, and whether the keys act here."""
        self.query_one(".count", Static).update(str(count) if count else "-")
        self.update_classes({"-off": not able, "-current": current})

    def on_tap_pressed(self, event: Tap.Pressed) -> None:
        """Say which thing it was."""
        event.stop()
        self.post_message(self.Pressed(self.item, 1 if event.does == "more" else -1))
