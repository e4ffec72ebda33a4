"""Dotted lines: every point in its place, lines that differ without colour, a letter at each end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from client.present.plot import BRAILLE, DOTS, ENDS, SMALLEST_DOTTED, dotted

GAME = ((0, 13, 23, 30, 26, 33, 39, 38, 40), (0, 11, 21, 20, 26, 26, 26, 31, 31), (0, 0, 2.5, 4, 4, 33, 39, 0, 0))
SIZE = (60, 14)
GOLDEN = Path(__file__).parent / "goldens" / "dots.txt"

Grid = list[list[tuple[str, str]]]


def grid(series: Sequence[Sequence[float]], width: int, height: int, mark: int | None = None) -> Grid:
    """The cells of the plot, each with its role."""
    return [[(glyph, role) for text, role in row for glyph in text] for row in dotted(series, width, height, mark=mark)]


def text(cells: Grid) -> list[str]:
    return ["".join(glyph for glyph, _ in row) for row in cells]


def dots(cells: Grid) -> set[tuple[int, int]]:
    """The places of all dots, from the left and from the top."""
    return {
        (2 * x + right, 4 * y + down)
        for y, row in enumerate(text(cells))
        for x, glyph in enumerate(row)
        if ord(glyph) > BRAILLE
        for down, both in enumerate(DOTS)
        for right, bit in enumerate(both)
        if ord(glyph) - BRAILLE & bit
    }


def numbered(cells: Grid) -> dict[int, int]:
    """The numbers of the points by their rows."""
    heads = ((y, "".join(glyph for glyph, role in row[:6] if role == "axis")) for y, row in enumerate(cells[:-1]))
    return {y: int(head) for y, head in heads if head.strip().isdigit()}


games = st.integers(1, 6).flatmap(
    lambda seats: st.integers(1, 40).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, 800).map(lambda half: half / 2), min_size=count, max_size=count),
            min_size=seats,
            max_size=seats,
        )
    )
)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(games, st.integers(SMALLEST_DOTTED[0], 150), st.integers(SMALLEST_DOTTED[1], 40))
def test_every_point_has_its_dot_at_the_axis(series: list[list[float]], width: int, height: int) -> None:
    """One line at a time, the first, which is solid."""
    values = series[0]
    cells = grid([values], width, height)
    assert [len(row) for row in cells] == [width] * height
    numbers, found = numbered(cells), dots(cells)
    (zero,) = (y for y, value in numbers.items() if value == 0)
    top = min(numbers)
    assert numbers[top] >= max(values)
    left = min(x for x, _ in found)
    columns = width - left // 2 - ENDS
    for number, value in enumerate(values):
        x = left + round(number * (2 * columns - 2) / max(1, len(values) - 1))
        y = 4 * zero + 1.5 - value * 4 * (zero - top) / numbers[top]
        assert min(abs(y - down) for across, down in found if across == x) <= 1, (number, value)


def test_golden() -> None:
    """The text and roles of each row. Delete it to renew it, and check the result."""
    rows = [*dotted(GAME, *SIZE, mark=6, goal=35), *dotted(GAME[:1], 24, 9)]
    told = ["".join(words for words, _ in row) for row in rows]
    roles = [" ".join(f"{role}:{len(words)}" for words, role in row) for row in rows]
    drawn = "\n".join([*told, *roles]) + "\n"
    if not GOLDEN.exists():
        GOLDEN.write_text(drawn, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == drawn
