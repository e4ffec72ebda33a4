"""What a kit is good for: a line for each kind of thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.the_cave.forms.roles import BACKPACK
from client.games.the_cave.known.packing import Line
from client.tui.roles import Hue
from client.tui.widgets.panel import Panel, Row, Span


class Allowed(Panel):
    """Bars in the colours of the things, how many there are, and what they allow."""

    ROLES: ClassVar[Mapping[str, Hue]] = BACKPACK
    DEFAULT_CSS = "Allowed { background: transparent; }"

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._found: Sequence[Line] = ()
        self._brief = False

    def show(self, found: Sequence[Line], *, brief: bool) -> None:
        """Set what it says, in few words or in many."""
        self._found, self._brief = found, brief
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return a line each."""
        bar = "|" if self._line == "-" else "▌"
        if self._brief:
            return [[Span(bar, line.thing), Span(line.brief or line.text)] for line in self._found]
        return [
            [
                Span(f"{bar} ", line.thing),
                Span(f"{line.head:<12}", "dim"),
                Span(f"{line.number:>3} ", "strong"),
                Span(line.text),
            ]
            for line in self._found
        ]
