"""Cells in which two rows visibly differ."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style

from client.games.caves_of_casadh.board import GAP, differing_cells

WIDTH = 12
STYLES = st.sampled_from(
    [None, *map(Style.parse, ("red on blue", "green on blue", "red on black", "reverse", "underline"))]
)


@st.composite
def rows(draw: st.DrawFn) -> list[Segment]:
    """A row of this width in pieces."""
    text = draw(st.text("ab ", min_size=WIDTH, max_size=WIDTH))
    cuts = sorted(draw(st.sets(st.integers(1, WIDTH - 1), max_size=4)))
    return [Segment(text[start:stop], draw(STYLES)) for start, stop in pairwise([0, *cuts, WIDTH])]


def cells(row: list[Segment]) -> list[tuple[str, Style | None]]:
    return [(glyph, style) for text, style, _ in row for glyph in text]


def looks_alike(one: tuple[str, Style | None], other: tuple[str, Style | None]) -> bool:
    """Blanks show no ink, but an underline, and the ink when reversed."""
    (glyph, style), (other_glyph, other_style) = one, other
    if one == other:
        return True
    if glyph != other_glyph or glyph != " " or style is None or other_style is None:
        return False
    lined = any(each.reverse or each.underline for each in (style, other_style))
    return not lined and style.bgcolor == other_style.bgcolor


@given(rows(), rows())
def test_the_runs_have_all_cells_that_differ(old: list[Segment], new: list[Segment]) -> None:
    runs = differing_cells(old, new)
    wanted = {x for x, pair in enumerate(zip(cells(old), cells(new), strict=True)) if not looks_alike(*pair)}
    covered = {x for run in runs for x in run}
    assert wanted <= covered
    # Each run begins and ends with a differing cell, and no two could be joined.
    assert all({run[0], run[-1]} <= wanted for run in runs)
    assert all(later.start - earlier.stop >= GAP for earlier, later in pairwise(runs))
