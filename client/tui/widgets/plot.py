"""The points over a game as a plot, with a line that says what is shown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.face import LETTERS
from client.present.plot import MARK, plot
from client.replay.points import Points
from client.settings.appearance import GlyphSetName
from client.tui.widgets.panel import Panel, Row, Span, seat_role

TITLE = "Points by round"
WAIT = "The points over the game are being worked out ..."
NONE = "The points over the game are not known."
MARK_WORDS = "the end is near"
ROLES = {"axis": "dim", "line": "text", "mark": "warn"}


class Plot(Panel):
    """A plot that fills its pane; ``show`` gives it what to plot."""

    GROWS = False

    def __init__(self, glyph_set: GlyphSetName, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, line="-" if glyph_set == "ascii" else "─")
        self._glyph_set = glyph_set
        self._points: Points | None = None
        self._words = WAIT

    def show(self, points: Points | None) -> None:
        """Set what is plotted; None where it cannot be known."""
        self._points, self._words = points, NONE
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Who is who, and the plot."""
        found = self._points
        if found is None:
            return [[Span(f" {self._words}", "dim")]]
        drawn = plot(found.series, width - 1, height - 1, mark=found.end, glyph_set=self._glyph_set)
        head: list[Span] = [Span(f" {TITLE}  ", "title")]
        for seat, name in enumerate(found.names):
            head += [Span(LETTERS[seat], seat_role(seat)), Span(f" {name}  ", "text")]
        if found.end is not None:
            note = f"{MARK} {MARK_WORDS}"
            used = sum(cell_len(span.text) for span in head)
            if used + len(note) <= width:
                head.append(Span(note, "warn"))
        lines = [[Span(" "), *(Span(text, ROLES.get(role, role)) for text, role in row)] for row in drawn]
        return [head, *lines]
