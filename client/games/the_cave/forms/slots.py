"""Rows of slots with what is in them: the same on the pane of the table and on the forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.games.the_cave.known import terms
from client.games.the_cave.known.packing import Slot
from client.tui.roles import PANELS, Hue
from client.tui.widgets.panel import Row, Span, fit

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
        text = terms.brief(slot.text, cells - 2) or ("-" if line == "-" else "·")
        role = "chosen" if number == chosen else "slot" if slot.text else "none"
        press = f"{do} {number}" if do else ""
        rows[-1] += [
            Span(bar(line), of_thing(slot.text), press),
            Span(fit(f" {text}", cells - 1), role, press),
            Span(" "),
        ]
        used += slot.wide
    return list(rows)
