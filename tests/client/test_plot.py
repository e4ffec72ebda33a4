"""The plot of points: every point in its place, rows of one width, letters for the teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.games.the_cave.board.glyphs.sets import TEAM_LETTERS, GlyphSetName
from client.present import dots
from client.present.plot import (
    EAST,
    GOAL,
    MARK,
    NORTH,
    SMALLEST,
    SOUTH,
    WEST,
    Cell,
    _points,
    _step,
    level_of,
    plot,
    scale,
    spread,
)

GOLDENS = Path(__file__).parent / "goldens"
GAME = (
    (0, 13, 23, 30, 26, 33, 39, 38, 40),
    (0, 11, 21, 20, 26, 26, 26, 31, 31),
    (0, 0, 2, 4, 4, 33, 39, 0, 0),
)


def lines(series: object, width: int, height: int, **options: object) -> list[str]:
    return ["".join(text for text, _ in row) for row in plot(series, width, height, **options)]  # type: ignore[arg-type]


def numbered(rows: list[str]) -> dict[int, int]:
    """The numbers on the upright axis by their rows."""
    return {y: int(row.split()[0]) for y, row in enumerate(rows[:-2]) if row.split()[0].isdigit()}


games = st.integers(1, 5).flatmap(
    lambda teams: st.integers(1, 70).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, 400), min_size=count, max_size=count), min_size=teams, max_size=teams
        )
    )
)


quiet = settings(deadline=None, derandomize=True, max_examples=60)


@quiet
@given(
    games, st.integers(SMALLEST[0], 150), st.integers(SMALLEST[1], 40), st.sampled_from(["unicode", "ascii"])
)
def test_every_point_is_drawn_in_range_and_rows_have_one_width(
    series: list[list[int]], width: int, height: int, glyph_set: GlyphSetName
) -> None:
    rows = lines(series, width, height, glyph_set=glyph_set)
    assert len(rows) == height
    assert {len(row) for row in rows} == {width}
    letters = {
        (x, y): glyph for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph in TEAM_LETTERS
    }
    assert letters
    assert set(letters.values()) <= set(TEAM_LETTERS[: len(series)])
    assert max(y for _, y in letters) <= height - 3, "above the axis"
    # In the last column there is a letter at the height of every value.
    right = max(x for x, _ in letters)
    assert right == width - 1 or len(series[0]) == 1
    numbers = numbered(rows)
    assert max(numbers.values()) >= max(map(max, series))
    bottom, above = height - 3, min(numbers)
    value = numbers[above] / (bottom - above)
    once = len(series[0]) == 1  # Then those of one value stand side by side.
    heights = [value * (bottom - y) for x, y in letters if x == right or once]
    for values in series:
        assert any(abs(values[-1] - each) <= value / 2 + 1e-9 for each in heights)
    if glyph_set == "ascii":
        assert all(row.isascii() for row in rows)
    else:
        "".join(rows).encode("cp437")


@quiet
@given(games)
def test_a_line_joins_the_points(series: list[list[int]]) -> None:
    """From the first to the last column there is no column without a stroke or a letter of the team."""
    alone = lines(series[:1], 80, 20)[:-2]
    margin = next(x for x, glyph in enumerate(alone[0]) if glyph in "│┤") + 1
    if len(series[0]) > 1:
        assert all(any(row[x] != " " for row in alone) for x in range(margin, 80))


def test_each_line_has_the_colour_of_its_team_and_one_of_several_that_of_none() -> None:
    rows = plot(((0, 10, 10), (0, 0, 10)), 40, 13)
    upper, lower = ({role for text, role in row if "──" in text} for row in (rows[0], rows[-3]))
    assert (upper, lower) == ({"line-1", "line"}, {"line-2"})
    both = plot(((0, 0, 10), (0, 0, 10)), 40, 12)
    assert {role for row in both for text, role in row if "──" in text} == {"line", "axis"}


def test_the_axis_has_numbers_the_rounds_and_the_mark() -> None:
    rows = lines(GAME, 60, 14, mark=6)
    assert list(numbered(rows).values()) == [40, 20, 0]
    assert rows[-1].split() == [str(number) for number in range(9)]
    assert rows[-2].count(MARK) == 1
    assert rows[-2].index(MARK) == rows[-1].index("6")


@pytest.mark.parametrize("most", [3, 9, 27, 68, 91, 100, 240])
@pytest.mark.parametrize("rows", [9, 13, 18, 30])
def test_the_axis_has_three_to_five_numbers(most: int, rows: int) -> None:
    top, tick, apart = scale(most, rows)
    assert 3 <= top // tick + 1 <= 5
    assert top >= most
    assert apart * top // tick < rows


def test_where_no_axis_has_three_to_five_numbers_the_values_are_drawn_large_all_the_same() -> None:
    assert [scale(most, 4) for most in (3, 8)] == [(5, 5, 3), (10, 10, 3)]
    assert scale(3, 9) == (3, 1, 2), "of distances that draw them alike the smallest"


def test_places_that_are_too_near_are_moved_down_and_up_again_from_the_lowest_one() -> None:
    assert spread([3, 5, 5], [4.0, 1.0, 1.0], 2, 9) == [5, 1, 3]
    assert spread([3, 5, 5], [4.0, 1.0, 1.0], 2, 4) == [4, 0, 2]


@pytest.mark.parametrize(
    ("count", "rounds", "columns"),
    [
        (1, [0], [0]),
        (2, [0, 1], [0, 18]),
        (10, list(range(10)), list(range(0, 19, 2))),
        (11, [0, 2, 4, 6, 8, 10], [0, 3, 7, 10, 14, 18]),
    ],
)
def test_rounds_are_two_columns_apart_at_least_and_the_last_is_there(
    count: int, rounds: list[int], columns: list[int]
) -> None:
    assert _points(count, 19) == (rounds, columns)


def test_a_line_goes_up_or_down_behind_its_point_and_then_on() -> None:
    assert list(_step(2, 5, 5, 5)) == [((3, 5), EAST | WEST), ((4, 5), EAST | WEST)]
    assert list(_step(2, 5, 5, 3)) == [
        ((3, 5), WEST | NORTH), ((3, 4), NORTH | SOUTH), ((3, 3), SOUTH | EAST), ((4, 3), EAST | WEST)
    ]  # fmt: skip
    assert list(_step(2, 3, 4, 4)) == [((3, 3), WEST | SOUTH), ((3, 4), NORTH | EAST)]


def test_below_the_line_of_a_goal_there_is_a_row_for_what_does_not_reach_it() -> None:
    assert [level_of(row, 10) for row in (0, 7, 8, 9)] == [0, 7, 8, 8]


def test_a_goal_is_a_broken_line_at_its_height_even_above_all_points() -> None:
    rows = lines([[0, 20]], 60, 14, goal=50)
    (row,) = (y for y, line in enumerate(rows[:-2]) if GOAL in line)
    numbers = numbered(rows)
    (zero,) = (y for y, value in numbers.items() if value == 0)
    top = min(numbers)
    assert numbers[top] >= 50
    assert abs(zero - row - 50 * (zero - top) / numbers[top]) <= 1


@pytest.mark.parametrize("draw", [plot, dots.lines])
@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.lists(st.integers(0, 400).map(lambda half: half / 2), min_size=2, max_size=12),
    st.integers(1, 200),
    st.integers(dots.SMALLEST[1], 30),
)
def test_a_line_is_on_or_above_that_of_the_goal_where_the_points_reach_it_and_nowhere_else(
    draw: Callable[..., list[list[Cell]]], values: list[float], goal: int, height: int
) -> None:
    """A goal of 50 is not reached with 49.5."""

    def drawn(series: list[list[float]]) -> list[str]:
        rows = draw(series, 60, height, goal=goal)
        return ["".join(text if role.startswith(kinds) else "" for text, role in row) for row in rows]

    kinds: tuple[str, ...] = ("mark",)
    (level,) = (y for y, row in enumerate(drawn([[max(values), 0.0]])) if row.count(GOAL) > 5)
    kinds = ("line-", "seat-")
    highest = next(y for y, row in enumerate(drawn([values])) if row)
    assert (highest <= level) == (max(values) >= goal)


@pytest.mark.parametrize("size", [(SMALLEST[0] - 1, 20), (60, SMALLEST[1] - 1)])
def test_where_there_is_no_room_there_is_no_plot(size: tuple[int, int]) -> None:
    assert plot(GAME, *size) == []
    assert plot((), 60, 20) == []


@pytest.mark.parametrize("glyph_set", ["unicode", "ascii"])
def test_golden(glyph_set: GlyphSetName) -> None:
    """Write a golden anew by deleting it; look at it before it is kept."""
    drawn = "\n".join(lines(GAME, 60, 14, mark=6, glyph_set=glyph_set)) + "\n"
    file = GOLDENS / f"plot-{glyph_set}.txt"
    if not file.exists():
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn


def test_golden_of_roles() -> None:
    """Of each piece its role and its length, with a goal and without, where there is room and where not."""
    drawn = ""
    for rows in (plot(GAME, 60, 14, mark=6, goal=35), plot(GAME[:1], 24, 8), plot([[0, 5], [5, 0]], 20, 6)):
        for row in rows:
            drawn += " ".join(f"{role}:{len(words)}" for words, role in row) + "\n"
            drawn += "".join(words for words, _ in row) + "\n"
    file = GOLDENS / "plot-roles.txt"
    if not file.exists():
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn
