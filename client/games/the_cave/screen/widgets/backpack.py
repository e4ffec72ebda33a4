"""The slots of the backpack and of the camp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave import terms
from client.games.the_cave.supplies import Luggage, Slot
from client.tui.widgets.panel import Panel, Row, Span, cut_off, fit, wrap

UNKNOWN = "hidden until all packed"


class Backpack(Panel):
    """Eight slots in two columns, and the camp's four below; where there is less room, in words."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._luggage: Luggage | None = None
        self._owner = ""

    def show(self, luggage: Luggage | None, owner: str = "") -> None:
        """Set what is carried (None: not to be known yet) and whose it is where that is not plain."""
        self._luggage, self._owner = luggage, owner
        self.refill()

    def wishes(self, width: int) -> tuple[int, int, int]:
        """The rows that it needs with all slots, in words, and in as few words as can be."""
        return len(self._slots(width)), len(self._words(width)), len(self._least(width))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """With all slots where there is room, else in words; of these the camp goes first."""
        for told in (self._slots, self._words, self._least):
            rows = told(width)
            if len(rows) <= height:
                return rows
        return cut_off(rows, width, height)

    def _slots(self, width: int) -> list[Row]:
        """A heading and four rows for the backpack, a heading and two for the camp."""
        found = self._luggage
        if found is None:
            return self._words(width)
        rows = [self._title(width), *_grid(found.backpack, width, self._line)]
        return [*rows, self.heading(found.camp_title, width), *_grid(found.camp, width, self._line)]

    def _words(self, width: int) -> list[Row]:
        """A heading and what is in the backpack, and the same for the camp."""
        found = self._luggage
        if found is None:
            return [self._title(width), [Span(UNKNOWN, "dim")]]
        title = found.camp_title
        rows = [self._title(width), *_in_words(_told(found.backpack), width)]
        rows.append(self.heading(title if _fits(title, width) else title.removeprefix("Camp "), width))
        return [*rows, *(_in_words(_told(found.camp), width) if found.camp else [])]

    def _least(self, width: int) -> list[Row]:
        """Only what is in the backpack."""
        found = self._luggage
        if found is None:
            return _in_words(f"Backpack: {UNKNOWN}", width)
        return _in_words(f"{found.used}/{found.of}: {_told(found.backpack)}", width)

    def _title(self, width: int) -> Row:
        found = self._luggage
        owner = f" {self._owner}" if self._owner else ""
        used = f" {found.used}/{found.of}" if found is not None else ""
        title = f"Backpack{owner}{used}"
        return self.heading(title if _fits(title, width) else f"Backpack{used}", width)


def _fits(title: str, width: int) -> bool:
    """Whether a heading holds it."""
    return cell_len(title) + 3 <= width


def _in_words(text: str, width: int) -> list[Row]:
    return [[Span(line)] for line in wrap(text, width)]


def _told(slots: Sequence[Slot]) -> str:
    """What is in the slots: ``2 consumables, rope, oxygen 1/2``."""
    counted = Counter(slot.text for slot in slots if slot.text)
    things = (text if number == 1 else f"{number} {_plural(text)}" for text, number in counted.items())
    return ", ".join(things) or "empty"


def _plural(text: str) -> str:
    """Tanks are told by how full they are, not by a word that has a plural."""
    return f"{text}s" if text.isalpha() else text


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
                Span(fit(terms.brief(slot.text or "-", half - 3), half - 2), _slot_role(slot)),
            ]
            column += 1
        if column >= 2:
            rows.append(row)
            row, column = [], 0
    if row:
        rows.append(row)
    return list(rows)


def _slot_role(slot: Slot) -> str:
    return "text" if slot.text else "dim"
