"""The plot of points: every point in its place, rows of equal width, letters for the teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.games.the_cave.map_signs import TEAM_LETTERS, GlyphSetName
from client.present import plot
from client.present.plot import GOAL, SMALLEST, SMALLEST_DOTTED, Cell, axis_scale, dotted, goal_row, stepped

GOLDENS = Path(__file__).parent / "goldens"
GAME = ((0, 13, 23, 30, 26, 33, 39, 38, 40), (0, 11, 21, 20, 26, 26, 26, 31, 31), (0, 0, 2, 4, 4, 33, 39, 0, 0))


def lines(series: object, width: int, height: int, **options: object) -> list[str]:
    return ["".join(text for text, _ in row) for row in stepped(series, width, height, **options)]  # type: ignore[arg-type]


def numbered(rows: list[str]) -> dict[int, int]:
    """Return the numbers on the vertical axis by their rows."""
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
@given(games, st.integers(SMALLEST[0], 150), st.integers(SMALLEST[1], 40), st.sampled_from(["unicode", "ascii"]))
def test_every_point_is_drawn_in_range_and_rows_have_one_width(
    series: list[list[int]], width: int, height: int, glyph_set: GlyphSetName
) -> None:
    rows = lines(series, width, height, glyph_set=glyph_set)
    assert len(rows) == height
    assert {len(row) for row in rows} == {width}
    letters = {(x, y): glyph for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph in TEAM_LETTERS}
    assert letters
    assert set(letters.values()) <= set(TEAM_LETTERS[: len(series)])
    assert max(y for _, y in letters) <= height - 3, "above the axis"
    # The last column has a letter at the height of every value.
    right = max(x for x, _ in letters)
    assert right == width - 1 or len(series[0]) == 1
    numbers = numbered(rows)
    assert max(numbers.values()) >= max(map(max, series))
    bottom, above = height - 3, min(numbers)
    value = numbers[above] / (bottom - above)
    once = len(series[0]) == 1  # then equal values are side by side
    heights = [value * (bottom - y) for x, y in letters if x == right or once]
    for values in series:
        assert any(abs(values[-1] - each) <= value / 2 + 1e-9 for each in heights)
    if glyph_set == "ascii":
        assert all(row.isascii() for row in rows)
    else:
        "".join(rows).encode("cp437")


@pytest.mark.parametrize("draw", [stepped, dotted])
@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.lists(st.integers(0, 400).map(lambda half: half / 2), min_size=2, max_size=12),
    st.integers(1, 200),
    st.integers(SMALLEST_DOTTED[1], 30),
)
def test_a_line_touches_the_goal_line_only_where_the_points_reach_it(
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
def test_without_room_there_is_no_plot(size: tuple[int, int]) -> None:
    assert stepped(GAME, *size) == []
    assert stepped((), 60, 20) == []


@pytest.mark.parametrize("glyph_set", ["unicode", "ascii"])
def test_golden(glyph_set: GlyphSetName) -> None:
    """Delete a golden to renew it, and check the result."""
    drawn = "\n".join(lines(GAME, 60, 14, mark=6, glyph_set=glyph_set)) + "\n"
    file = GOLDENS / f"plot-{glyph_set}.txt"
    if not file.exists():
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn


def test_golden_of_roles() -> None:
    """Role and length of each piece, with and without a goal, in wide and narrow plots."""
    drawn = ""
    for rows in (stepped(GAME, 60, 14, mark=6, goal=35), stepped(GAME[:1], 24, 8), stepped([[0, 5], [5, 0]], 20, 6)):
        for row in rows:
            drawn += " ".join(f"{role}:{len(words)}" for words, role in row) + "\n"
            drawn += "".join(words for words, _ in row) + "\n"
    file = GOLDENS / "plot-roles.txt"
    if not file.exists():
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn


def test_there_is_a_row_below_the_goal_line() -> None:
    assert [goal_row(row, 10) for row in (0, 7, 8, 9)] == [0, 7, 8, 8]


@pytest.mark.parametrize("most", [3, 9, 27, 68, 91, 100, 240])
@pytest.mark.parametrize("rows", [9, 13, 18, 30])
def test_the_axis_has_three_to_five_numbers(most: int, rows: int) -> None:
    top, tick, apart = axis_scale(most, rows)
    assert 3 <= top // tick + 1 <= 5
    assert top >= most
    assert apart * top // tick < rows


def test_an_area_has_the_height_of_its_values_and_unsure_parts_half_toned() -> None:
    rows = plot.filled_plot([0, 100, 50], [0, 0, 25], 44, 11, mark=0, glyphs="ascii")
    text = ["".join(part for part, _ in row) for row in rows]
    assert len(text) == 11
    assert {len(line) for line in text} == {44}
    assert [line[:4] for line in (text[0], text[4], text[9])] == ["100 ", " 50 ", "  0 "]
    columns = ["".join(line[x] for line in text[:10]) for x in range(4, 44)]
    assert columns[0] == "|" * 10
    assert columns[19].count("#") == 10
    assert columns[10].count("#") in (5, 6)
    assert columns[-1] in ("...::::###", "..:::::###", "...:::::##")
    assert plot.filled_plot([50], [0], 19, 11, mark=0, glyphs="ascii") == []


def test_lines_that_share_cells_keep_their_own_dots() -> None:
    first, second = (0, 10, 20, 30, 40), (0, 12, 18, 31, 40)

    def cells(*series: tuple[int, ...]) -> dict[tuple[int, int], tuple[str, str]]:
        found = {}
        for y, row in enumerate(dotted(series, 30, 9, whole=True)):
            glyphs = [(glyph, role) for text, role in row for glyph in text]
            found |= {(x, y): cell for x, cell in enumerate(glyphs) if cell[1].startswith("line")}
        return found

    alone = {"line-1": cells(first, first), "line-2": cells(second, second)}
    both = cells(first, second)
    assert {role for _, role in both.values()} == {*alone}
    assert [at for at, (glyph, role) in both.items() if alone[role].get(at, ("", ""))[0] != glyph] == []
