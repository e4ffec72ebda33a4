"""The slots of the backpack and of the camp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.the_cave.known import terms
from client.games.the_cave.known.packing import Section, Slot
from client.tui.roles import PANELS, Hue
from client.tui.widgets.panel import Panel, Row, Span, cut_off, fit, wrap

LEAST = (60, 15)
"""The columns and rows from which a table and its forms can be played."""
BACKPACK: Mapping[str, Hue] = {
    **PANELS,
    "consumable": Hue("map-squeeze"),
    "rope": Hue("map-wonder"),
    "oxygen": Hue("map-exit"),
    "camera": Hue("map-water"),
    "raft": Hue("map-need"),
    "CAMP": Hue("map-base"),
}
"""Each thing has a colour beside its name."""
THINGS = ("consumable", "rope", "oxygen", "camera", "raft", "CAMP")


def of_thing(text: str) -> str:
    """Return the role of a thing by its name; full and half oxygen share a role."""
    return next((name for name in THINGS if name in text), "none")


def bar(line: str) -> str:
    """Return the sign that has the colour of a thing."""
    return "|" if line == "-" else "▌"


def slot_rows(
    slots: Sequence[Slot],
    width: int,
    line: str,
    *,
    across: int = 2,
    do: str = "",
    chosen: int | None = None,
) -> list[Row]:
    """Return rows of slots, each with a bar in the colour of its thing.

    A click on a slot does ``do`` with the number of the slot; the ``chosen`` slot is highlighted.
    """
    each = (width - 1) // across
    rows: list[list[Span]] = []
    used = 0
    for number, slot in enumerate(slots):
        if used % across == 0:
            rows.append([Span(" ")])
        cells = min(slot.wide, across - used % across) * each - 1
        gap = int(len(slot.text) != cells - 1)  # A name that just fits takes the column between two slots.
        text = terms.brief(slot.text, cells - 1 - gap) or ("-" if line == "-" else "·")
        role = "chosen" if number == chosen else "slot" if slot.text else "none"
        press = f"{do} {number}" if do else ""
        rows[-1] += [
            Span(bar(line), of_thing(slot.text), press),
            Span(fit(f" {text}", cells - gap), role, press),
            Span(" " * gap),
        ]
        used += slot.wide
    return list(rows)


UNKNOWN = Section("Backpack", ("hidden until all packed",))


class Backpack(Panel):
    """Eight slots in two columns, and the camp's four below; where there is less room, in words."""

    ROLES: ClassVar[Mapping[str, Hue]] = BACKPACK

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._sections: Sequence[Section] = (UNKNOWN,)
        self._owner = ""

    def show(self, luggage: Sequence[Section] | None, owner: str = "") -> None:
        """Set what is carried (None: not to be known yet), and by whom where that is not plain."""
        self._sections, self._owner = luggage or (UNKNOWN,), owner
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return all slots, or in words what is in them; the camp goes first."""
        for in_words in (False, True):
            rows = [row for each in self._sections for row in self._told(each, width, in_words=in_words)]
            if len(rows) <= height:
                return rows
        first = self._sections[0]
        return cut_off(
            _words(terms.brief(f"{first.note or first.title}: {first.text}", width), width), width, height
        )

    def _told(self, section: Section, width: int, *, in_words: bool) -> list[Row]:
        owner = f" {self._owner}" if section is self._sections[0] and self._owner else ""
        heading = self.heading(section.title + owner, width, section.note)
        if in_words or not section.slots:
            return [heading, *(_words(terms.brief(section.text, width), width) if section.facts else [])]
        return [heading, *slot_rows(section.slots, width, self._line)]


def _words(text: str, width: int) -> list[Row]:
    return [[Span(f" {line}")] for line in wrap(text, width - 1)]
