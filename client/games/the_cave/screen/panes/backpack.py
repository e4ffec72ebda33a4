"""The slots of the backpack and of the camp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.the_cave.forms.slots import BACKPACK, slot_rows
from client.games.the_cave.known import terms
from client.games.the_cave.known.packing import Section
from client.tui.roles import Hue
from client.tui.widgets.panel import Panel, Row, Span, cut_off, wrap

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
