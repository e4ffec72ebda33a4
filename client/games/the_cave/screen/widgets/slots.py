"""Backpack and camp drawn as slots; a click on a slot tells the screen which one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from cave.the_cave.state import ItemName
from client.games.the_cave import packing, terms


class Slot(Static):
    """One slot: empty, or with a thing in it."""

    DEFAULT_CSS: ClassVar[str] = """
    Slot {
        height: 3;
        width: 1fr;
        border: round $line 50%;
        padding: 0 1;
        color: $text;
        content-align: left middle;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        pointer: pointer;
        &.-filled { border: round $title; text-style: bold; }
        &.-wide { column-span: 2; border: round $key; }
        &.-gone { display: none; }
        &:hover { background: $boost; }
    }
    """
    ALLOW_SELECT: ClassVar[bool] = False

    class Pressed(Message):
        """A slot was clicked; ``item`` is None for an empty one or the one that holds the camp."""

        def __init__(self, part: str, item: ItemName | None) -> None:
            super().__init__()
            self.part = part
            self.item = item

    def __init__(self, part: str, number: int, glyphs: str) -> None:
        super().__init__("", markup=False)
        self._part = part
        self._number = number
        self._words = ""
        self.item: ItemName | None = None
        self._glyphs = glyphs

    def show(self, item: ItemName | None) -> None:
        """Show a thing, or an empty slot."""
        self.item = item
        self._write()
        self.set_class(item is not None, "-filled")

    def say(self, words: str) -> None:
        """Show words in place of number and thing."""
        self._words = words
        self._write()

    def on_resize(self) -> None:
        """A wider slot has room for a longer name."""
        self._write()

    def _write(self) -> None:
        if self._words:
            self.update(self._words)
            return
        number = f"{self._number} "
        if self.item is None:
            word = "-" if self._glyphs == "ascii" else "·"
        else:
            room = self.content_size.width - len(number)
            word = terms.brief(packing.name(self.item, glyphs=self._glyphs), room)
        self.update(Content.assemble((number, "$text-muted not bold"), word))

    def on_click(self, event: Click) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Pressed(self._part, self.item))


class Slots(Widget):
    """The slots of a backpack or a camp, four in a row."""

    DEFAULT_CSS: ClassVar[str] = """
    Slots {
        layout: grid;
        grid-size: 4;
        grid-rows: 3;
        height: auto;
        width: 1fr;
    }
    """

    def __init__(self, part: str, count: int, *, glyphs: str = "unicode", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._part = part
        self._count = count
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """The slots, and the one for a camp carried along."""
        for number in range(1, self._count + 1):
            yield Slot(self._part, number, self._glyphs)
        camp = Slot(self._part, 0, self._glyphs)
        camp.add_class("-wide", "-gone")
        yield camp

    def show(self, things: Sequence[ItemName], size: int, camp: str = "") -> None:
        """Show things in so many slots; ``camp`` is the text of the camp in the last two, if any."""
        *slots, box = self.query(Slot)
        for number, slot in enumerate(slots):
            slot.set_class(number >= size, "-gone")
            slot.show(things[number] if number < len(things) else None)
        box.set_class(not camp, "-gone")
        box.say(camp)
