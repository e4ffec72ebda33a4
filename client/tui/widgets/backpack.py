"""The slots of the backpack and of the camp."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.present.table import Luggage, Slot
from client.tui.widgets.panel import Panel, Row, Span, fit


class Backpack(Panel):
    """Eight slots in two columns, and the camp's four below."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._luggage: Luggage | None = None
        self._owner = ""

    def show(self, luggage: Luggage | None, owner: str = "") -> None:
        """Set what is carried (None: not to be known yet) and whose it is where that is not plain."""
        self._luggage, self._owner = luggage, owner
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """A heading and four rows for the backpack, a heading and two for the camp."""
        found = self._luggage
        owner = f" {self._owner}" if self._owner else ""
        if found is None:
            return [self.heading(f"Backpack{owner}", width), [Span("hidden until all packed", "dim")]]
        rows: list[Row] = [self.heading(f"Backpack{owner} {found.used}/{found.of}", width)]
        rows += _grid(found.backpack, width, self._line)
        rows.append(self.heading(found.camp_title, width))
        rows += _grid(found.camp, width, self._line)
        return rows


def _grid(slots: Sequence[Slot], width: int, line: str) -> list[Row]:
    """Slots numbered in two columns; a wide slot is drawn across the slots it takes."""
    half = width // 2
    rows: list[list[Span]] = []
    row: list[Span] = []
    number = column = 0
    for slot in slots:
        number += 1
        if slot.wide > 1:
            bar = "=" if line == "-" else "═"
            across = column == 0
            room = (half * 2 if across else half) - cell_len(f"{number} {slot.text} ")
            bars = bar * max(0, room - 2)
            row += [Span(f"{number} ", "dim"), Span(f"{slot.text} ", "strong"), Span(f"{bars}  ", "dim")]
            if not across:
                rows.append(row)
                row = [Span(f"{number + 1} ", "dim"), Span(bar * (half - 4) + "  ", "dim")]
            number += slot.wide - 1
            column = 2 if across else 1
        else:
            row += [
                Span(f"{number} ", "dim"),
                Span(fit(_label(slot, half - 3 + column), half - 2), _slot_role(slot)),
            ]
            column += 1
        if column >= 2:
            rows.append(row)
            row, column = [], 0
    if row:
        rows.append(row)
    return list(rows)


def _label(slot: Slot, room: int) -> str:
    """The name of a thing, or its short form."""
    text = slot.text or "-"
    return text if cell_len(text) <= room else text.replace("oxygen", "oxyg")


def _slot_role(slot: Slot) -> str:
    return "text" if slot.text else "dim"
