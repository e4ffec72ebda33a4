"""The panes of a replay: its track with the place it stands at, and what one can do."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.replay import Control, Place
from client.tui.widgets.panel import Panel, Row, Span, fit, flow, keyed

SHORTEST_TRACK = 8
TRACKS = {"─": ("━", "█", "─"), "-": ("=", "#", "-")}
"""The track behind, the place, and the track ahead, by the line glyph of the panes."""


class ReplayBar(Panel):
    """Step and turn, a track that a click goes to, and how the replay plays: one row."""

    GROWS = False

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._place: Place | None = None

    def show(self, place: Place) -> None:
        """Set where the replay stands."""
        self._place = place
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; how it plays goes first where the track has no room."""
        at = self._place
        if at is None:
            return [[]]
        left = f" {at.words} "
        right = f" {at.playing} "
        if width - cell_len(left) - cell_len(right) < SHORTEST_TRACK:
            right = f" {at.playing.partition(',')[0]} "
        room = width - cell_len(left) - cell_len(right)
        if room < SHORTEST_TRACK:
            return [[Span(fit(left, width), "strong")]]
        return [[Span(left, "strong"), *self._track(at, room), Span(right, "text")]]

    def _track(self, at: Place, room: int) -> list[Span]:
        behind, here, ahead = TRACKS[self._line]
        stands = at.step * (room - 1) // max(1, at.last)
        spans = []
        for x in range(room):
            step = -(-x * at.last // (room - 1))
            glyph, role = (
                (here, "strong") if x == stands else (behind, "key") if x < stands else (ahead, "dim")
            )
            spans.append(Span(glyph, role, f"go_to:{step}"))
        return spans


class Controls(Panel):
    """All keys of a replay; each is clicked, too. Groups keep to lines of their own where they can."""

    GROWS = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._groups: Sequence[Sequence[Control]] = ()

    def show(self, groups: Sequence[Sequence[Control]]) -> None:
        """Set what can be done."""
        self._groups = groups
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return each group on as many lines as it needs; in short, one after the other, where there is no
        room; and two keys with one word where that is too much.
        """
        rows = [row for group in self._groups for row in _flow(group, width)]
        if len(rows) > height:
            together = [control for group in self._groups for control in group]
            rows = _flow(together, width, short=True)
            if len(rows) > height:
                paired = _flow(together, width, short=True, paired=True)
                rows = paired if len(paired) <= height else rows
        return rows[:height]


def _flow(controls: Sequence[Control], width: int, *, short: bool = False, paired: bool = False) -> list[Row]:
    pieces: list[Row] = []
    left: list[Span] = []
    for control in controls:
        if paired and control.both:
            left = [Span(control.key, "key", control.do), Span(" ")]
            word = control.both
            continue
        label = word if left else control.short if short else control.label
        pieces.append([*left, *keyed(control.key, label, control.do)])
        left = []
    return [[Span(" "), *row] for row in flow(pieces, width - 1, "  ")]
