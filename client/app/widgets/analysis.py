"""An analysis as a pane: the chances to win turn by turn, the chosen turn, the largest mistakes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events

from client.face import Face
from client.lab import analysis
from client.lab.analysis import ActionWords, Analysis, Other, Turn, mistake_words
from client.tui.widgets.panel import Row, Span, fit, wrap
from client.tui.widgets.plot import SeatLines
from client.wording import told_apart

TITLE = "Chance to win"
LARGEST = 5
"""Mistakes that are listed."""
LEAST_PLOT = 6
DETAILS = 5
"""Rows for the turn that is looked at."""
WAIT = "The first turns are being judged ..."
CERTAIN = "No mistake is certain."
CERTAIN_YET = "No mistake is certain so far."


class AnalysisPane(SeatLines):
    """Shows an analysis; ``look`` chooses the turn. A click on a mistake or in the graph posts its turn."""

    DEFAULT_CSS = "AnalysisPane { height: 1fr; }"

    def __init__(self, analysed: Analysis, face: Face, glyphs: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs, id=id)
        self._analysis = analysed
        self._face = face
        self._action_words = ActionWords(face, analysed.played)
        header = analysed.played.header
        self._names = tuple(told_apart(seat.name, seat.kind) for seat in header.seats)
        self._graph = range(0)
        self.turns: list[Turn] = []
        """Those that have been judged."""

    @property
    def chosen(self) -> int:
        """The turn that is looked at, from 0."""
        return self._analysis.chosen

    def judge(self) -> None:
        """Show what has been judged since."""
        self.turns = self._analysis.turns()
        self.refill()

    def look(self, turn: int) -> None:
        """Choose the turn; beyond the ends the nearest one."""
        self._analysis.chosen = max(0, min(turn, len(self.turns) - 1))
        self.refill()

    @property
    def largest(self) -> list[tuple[Turn, Other]]:
        """The largest mistakes, the largest first."""
        return analysis.mistakes(self.turns)[:LARGEST]

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the graph, the turn, the mistakes."""
        if not self.turns:
            return [[Span(f" {WAIT}", "dim")]] if self._analysis.total else []
        below = [*self._turn(width), [], *self._mistakes(width)]
        head = self.head(f"{TITLE.upper()}, %", self._names)
        chances = analysis.chances(self.turns, len(self._names))
        series = [[100 * chance for chance in line] for line in chances]
        room = max(LEAST_PLOT, height - len(below) - 1)
        lines, _ = self.lines(series, width - 1, room, self.chosen + 1)
        self._graph = range(1, 1 + len(lines))
        rows = [head, *self.painted(lines), *below]
        return rows[:height] if height else rows

    def _turn(self, width: int) -> list[Row]:
        turn = self.turns[self.chosen]
        head = f"Turn {turn.number}, {self._names[turn.seat]}, from step {turn.step}"
        chance = (
            f"chance to win {100 * (turn.before.chance or 0):.0f}% to {100 * (turn.after.chance or 0):.0f}%"
        )
        points = f"points {turn.before.points or 0:.1f} to {turn.after.points or 0:.1f}"
        luck = f", luck {100 * turn.luck:+.0f}%" if turn.luck else ""
        rows: list[Row] = [
            self.heading(head, width, role="title"),
            [Span(fit(f" {points}, {chance}{luck}", width), "text")],
        ]
        for other in turn.mistakes:
            said = mistake_words(other, self._action_words, self._face)
            rows += [[Span(f" {line}", "warn")] for line in wrap(said, width - 2)]
        if not turn.mistakes:
            rows.append([Span(" No mistake is certain in this turn.", "dim")])
        rows = rows[:DETAILS]
        return [*rows, *([[]] * (DETAILS - len(rows)))]

    def _mistakes(self, width: int) -> list[Row]:
        largest = self.largest
        if not largest:
            certain = CERTAIN_YET if self._analysis.done < self._analysis.total else CERTAIN
            return [self.heading("Largest mistakes", width), [Span(f" {certain}", "dim")]]
        rows: list[Row] = [self.heading("Largest mistakes", width)]
        for number, (turn, other) in enumerate(largest, start=1):
            lost = f"turn {turn.number}, {self._names[turn.seat]}, {100 * other.lost:.0f}% lost: "
            better = f"better {self._action_words(other.step, other.better.action)}"
            said = f"{lost}played {self._action_words(other.step, other.done.action)}, {better}"
            if cell_len(said) > width - 4:
                said = lost + better  # What was played stands in the turn itself.
            do = f"turn:{self.turns.index(turn)}"
            key = Span(f" {number} ", "key", do)
            rows.append([key, Span(fit(said, width - 4), "text", do)])
        return rows

    def on_click(self, event: events.Click) -> None:
        """Choose the turn at which the graph was clicked."""
        width = self.content_size.width
        if event.y in self._graph and self.turns and width > 12:
            left = 6  # The numbers at the side.
            at = (event.x - left) * len(self.turns) // max(1, width - left - 1)
            self.post_message(self.Chosen(f"turn:{max(0, at)}"))
