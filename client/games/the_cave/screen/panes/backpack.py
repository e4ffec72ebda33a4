"""The slots of the backpack and of the camp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.the_cave.forms import pictures
from client.games.the_cave.forms.leather import leather
from client.games.the_cave.forms.roles import BACKPACK, of_thing
from client.games.the_cave.forms.slots import Pictured
from client.games.the_cave.known import terms
from client.games.the_cave.known.supplies import Luggage, Slot
from client.tui.paint.colour import rgb
from client.tui.roles import Hue
from client.tui.themes import shows_pictures, tier
from client.tui.widgets.panel import Row, Span, cut_off, fit, length, wrap

UNKNOWN = "hidden until all packed"


class Backpack(Pictured):
    """Eight slots in two columns, and the camp's four below; where there is less room, in words."""

    ROLES: ClassVar[Mapping[str, Hue]] = BACKPACK

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._luggage: Luggage | None = None
        self._owner = ""
        self._seat: int | None = None
        self._kept: tuple[list[Row], ...] = ()
        self._kept_for: tuple[object, ...] = ()

    def show(self, luggage: Luggage | None, owner: str = "", seat: int | None = None) -> None:
        """Set what is carried (None: not to be known yet), by whom where that is not plain, and the seat."""
        self._luggage, self._owner, self._seat = luggage, owner, seat
        self._kept_for = ()
        self.refill()

    def wishes(self, width: int) -> tuple[int, int, int, int]:
        """Return the rows that it needs with all slots, in words, in as few words as can be, and in pictures
        (0: no pictures can be shown here).
        """
        pictures, slots, words, least = map(len, self._ways(width))
        return slots, words, least, pictures

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return it in pictures, with all slots or in words, as there is room; words on the camp go first."""
        for rows in self._ways(width):
            if rows and len(rows) <= height:
                return rows
        return cut_off(rows, width, height)

    def _ways(self, width: int) -> tuple[list[Row], ...]:
        """Return the rows of each way to tell it, the largest first. They are asked for wherever it matters
        which panes there is room for, and kept until something else is shown, or it is shown in another way.
        """
        shown_as = width, self.app.theme, shows_pictures(self.app)
        if shown_as != self._kept_for:
            self._kept_for = shown_as
            self._kept = tuple(
                told(width) for told in (self._pictures, self._slots, self._words, self._least)
            )
        return self._kept

    def _pictures(self, width: int) -> list[Row]:
        """Return a heading and eight pockets, and below them the camp."""
        found = self._luggage
        if found is None or self._line == "-" or width < pictures.WIDTH or not shows_pictures(self.app):
            return []
        ground = rgb(self.app.theme_variables["surface"])
        hide = leather(self.app.current_theme.dark, tier(self.app))
        canvas = pictures.pockets(found.backpack, ground, leather=hide, team=self.team(self._seat))
        left = Span(" " * ((width - canvas.width) // 2))
        pockets = [[left, *self._pieces(canvas, y, 0, canvas.width)] for y in range(canvas.height)]
        return [self._title(width), *pockets, *self._tent(found, width)]

    def _tent(self, found: Luggage, width: int) -> list[Row]:
        """Show what the camp holds below its heading, which stands where all do, and beside that a tent."""
        team = self.team(self._seat)
        if team is None:
            return self._camp(found, width)
        tent = pictures.tent(rgb(self.app.theme_variables["surface"]), team)
        note = found.camp_title.removeprefix("Camp ")
        room = width - tent.width - 1
        rows = [self.heading("Camp", room, note), *_grid(found.camp, room, self._line)]
        if len(rows[0]) < 2:  # No room for the note beside the heading.
            rows[1:1] = _in_words(note, room) if not found.camp else []
        rows += [[]] * (tent.height - len(rows))
        return [
            [*row, Span(" " * (room - length(row))), *self._pieces(tent, y, 0, tent.width)]
            for y, row in enumerate(rows)
        ]

    def _camp(self, found: Luggage, width: int) -> list[Row]:
        """Return a heading, and what the camp holds."""
        note = found.camp_title.removeprefix("Camp ")
        return [self.heading("Camp", width, note), *_grid(found.camp, width, self._line)]

    def _slots(self, width: int) -> list[Row]:
        """Return a heading and four rows for the backpack, a heading and two for the camp."""
        found = self._luggage
        if found is None:
            return self._words(width)
        rows = [self._title(width), *_grid(found.backpack, width, self._line)]
        return [*rows, *self._camp(found, width)]

    def _words(self, width: int) -> list[Row]:
        """Return a heading and what is in the backpack, and the same for the camp."""
        found = self._luggage
        if found is None:
            return [self._title(width), [Span(f" {UNKNOWN}", "dim")]]
        rows = [self._title(width), *_in_words(_told(found.backpack), width)]
        rows.append(self.heading("Camp", width, found.camp_title.removeprefix("Camp ")))
        return [*rows, *(_in_words(_told(found.camp), width) if found.camp else [])]

    def _least(self, width: int) -> list[Row]:
        """Return only what is in the backpack."""
        found = self._luggage
        if found is None:
            return _in_words(f"Backpack: {UNKNOWN}", width)
        return _in_words(f"{found.used}/{found.of}: {_told(found.backpack)}", width)

    def _title(self, width: int) -> Row:
        found = self._luggage
        owner = f" {self._owner}" if self._owner else ""
        used = f"{found.used} of {found.of}" if found is not None else ""
        return self.heading(f"Backpack{owner}", width, used.strip())


def _in_words(text: str, width: int) -> list[Row]:
    return [[Span(f" {line}")] for line in wrap(text, width - 1)]


def _told(slots: Sequence[Slot]) -> str:
    """Say what is in the slots: ``2 consumables, rope, oxygen 1/2``."""
    counted = Counter(slot.text for slot in slots if slot.text)
    things = (text if number == 1 else f"{number} {_plural(text)}" for text, number in counted.items())
    return ", ".join(things) or "empty"


def _plural(text: str) -> str:
    """Return a thing's name in the plural; tanks are told by how full they are."""
    return f"{text}s" if text.isalpha() else text


def _grid(slots: Sequence[Slot], width: int, line: str) -> list[Row]:
    """Return slots in two columns, each with a bar of the colour of what is in it; a wide one is as wide
    as two.
    """
    bar, empty = ("|", "-") if line == "-" else ("▌", "·")
    half = (width - 1) // 2
    rows: list[list[Span]] = []
    used = 0
    for slot in slots:
        for part in range(slot.wide):
            if used % 2 == 0:
                rows.append([Span(" ")])
            else:
                rows[-1].append(Span(" ", "text"))
            text = terms.brief(slot.text, half - 3) if slot.text else empty
            text = fit(f" {text if part == 0 else ''}", half - 2)
            rows[-1] += [Span(bar, of_thing(slot.text)), Span(text, "slot" if slot.text else "none")]
            used += 1
    return list(rows)
