"""Passages as pictures: where bands run, what covers what, and that every fact is written on a hex."""

from __future__ import annotations

from itertools import combinations
from math import dist, hypot

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cave.caves_of_casadh.components import components, layout
from client.games.caves_of_casadh.board.bands import Arc, Band, Spoke, bands
from client.games.caves_of_casadh.board.grids import GRIDS, MIDDLES, axial, on_board, spot
from client.games.caves_of_casadh.board.looks import EmptyLook, HexLook, Way
from client.games.caves_of_casadh.board.shape import (
    CASING,
    FLOORS,
    HALF,
    PIT,
    TONES,
    Plan,
    ends_of_slopes,
    in_rows,
    pixels_at,
    points_in_sight,
    shape,
    shape_in_signs,
)
from client.games.caves_of_casadh.board.signs import signs
from client.tui.board.geometry import outline

HEXES = list(components().hexes)


def plan_of(hex_id: str, rotation: int = 0) -> Plan:
    lie = layout(hex_id, rotation)
    return Plan(lie.sides, lie.hex.stack, lie.hex.slopes)


def passage_at(plan: Plan, zoom: str, point: tuple[float, float]) -> int:
    """The passage whose floor is seen at a point, -1 for none."""
    [(x, y)] = pixels_at(GRIDS[zoom], [point])
    code = shape(plan, GRIDS[zoom])[y][x]
    return (code - FLOORS) // TONES if code >= FLOORS else -1


def distance(band: Band, x: float, y: float) -> float:
    """How far a point is from a line."""
    if isinstance(band, Arc):
        return abs(hypot(x - band.middle[0], y - band.middle[1]) - band.radius)
    (x0, y0), (x1, y1) = band
    dx, dy = x1 - x0, y1 - y0
    along = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
    return hypot(x - x0 - along * dx, y - y0 - along * dy)


POINTS = st.tuples(st.floats(-1, 1), st.floats(-1, 1))
SPOKES = st.builds(Spoke, POINTS, POINTS).filter(lambda spoke: dist(*spoke) > 0.01)
BANDS = SPOKES | st.builds(Arc, POINTS, st.floats(0.1, 2))


@given(BANDS, POINTS, st.floats(0.02, 0.6))
def test_the_spans_of_a_band_hold_the_points_near_to_its_line(
    band: Band, point: tuple[float, float], far: float
) -> None:
    x, y = point
    away = distance(band, x, y)
    assume(abs(away - far) > 1e-9)
    spans = [span for span in band.spans([-9.0, y], far) if span[0] == 1]
    assert any(left < x < right for _, left, right in spans) == (away < far)


@pytest.mark.parametrize("zoom", ["L", "M", "S"])
def test_a_hex_of_mirrored_passages_is_the_mirror_image(zoom: str) -> None:
    grid = GRIDS[zoom]
    # Sides from left to right, and from top to bottom.
    for swapped, turned in (
        ({0: 0, 1: 5, 2: 4, 3: 3, 4: 2, 5: 1}, lambda rows: [row[::-1] for row in rows]),
        ({0: 3, 1: 2, 2: 1, 3: 0, 4: 5, 5: 4}, lambda rows: rows[::-1]),
    ):
        for sides in (*combinations(range(6), 2), (0, 1, 3), (0, 2, 4), (1, 3, 4), *((n,) for n in range(6))):
            image = tuple(sorted(swapped[side] for side in sides))
            floors = [
                [[code >= FLOORS for code in row] for row in shape(Plan((each,), (0,)), grid)]
                for each in (sides, image)
            ]
            assert turned(floors[0]) == floors[1], (sides, image)


@pytest.mark.parametrize(("one", "other"), combinations(range(6), 2))
def test_a_passage_between_two_sides_is_a_band_round_the_meeting_of_their_lines(one: int, other: int) -> None:
    (band,) = bands((one, other))
    assert distance(band, *MIDDLES[one]) == pytest.approx(0)
    assert distance(band, *MIDDLES[other]) == pytest.approx(0)
    apart = min((one - other) % 6, (other - one) % 6)
    if apart == 3:
        assert isinstance(band, Spoke)
    else:
        assert isinstance(band, Arc)
        # Half a side round a corner, or one and a half round where the lines of the sides meet.
        assert band.radius == pytest.approx({1: 0.5, 2: 1.5}[apart])


def test_three_sides_meet_in_a_hub_and_a_dead_end_ends_before_the_middle() -> None:
    ends = {(round(band.end[0], 6), round(band.end[1], 6)) for band in bands((0, 1, 3))}  # type: ignore[union-attr]
    assert len(ends) == 1
    (blind,) = bands((3,))
    assert distance(blind, 0, 0) > 0.2


@pytest.mark.parametrize("zoom", ["L", "M", "S"])
@pytest.mark.parametrize("name", HEXES)
def test_each_passage_reaches_all_its_sides_at_every_zoom_and_rotation(name: str, zoom: str) -> None:
    for rotation in range(6):
        plan = plan_of(name, rotation)
        for passage, sides in enumerate(plan.passages):
            for side in sides:
                x, y = MIDDLES[side]
                assert passage_at(plan, zoom, (x * 0.9, y * 0.9)) == passage, (rotation, side)


def test_the_upper_of_two_crossing_passages_runs_through_and_has_dark_at_its_sides() -> None:
    straight = Plan(((0, 3), (1, 4)), (1, 0))
    assert passage_at(straight, "L", (0, 0)) == 0
    assert passage_at(straight._replace(stack=(0, 1)), "L", (0, 0)) == 1
    grid = GRIDS["L"]
    row = shape(straight, grid)[grid.block[1] // 2]
    middle = grid.block[0] // 2
    dark = sum(code == PIT for code in row[middle - 4 : middle + 5])
    assert dark >= 2 * round(HALF[12] * (CASING - 1))


def test_places_on_the_board_and_axial_cells_are_the_same_places() -> None:
    for q in range(-4, 5):
        for r in range(-4, 5):
            assert axial(on_board((q, r))) == (q, r)


FULL = HexLook(
    plan_of("L2-16"), 2, marker=0, water=2, stars=(1,), hazard="grue", token=False, grues=2, dynamite="C",
    items=2, treasures=3, pawns=((0, 1), (4, 1)), own=1, near=2, way=Way(3, 0, "1", "-1HP"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("zoom", "told"),
    [
        ("L", ["A", "E", " 3 ", "1MP", " -1HP", "♦", "T3", "i2", "2", "grue", "GRUE2!", "DYN C", "*", "≈"]),
        ("M", ["A", "E", "3", ":1", "-1", "♦", "T3", "i2", "2", "g", "G2!", "DC", "*"]),
        ("S", ["A", "E", "3", ":1", "!", "♦", "T", "i"]),
        ("O", ["3", "G"]),
    ],
)
def test_every_fact_of_a_hex_is_a_letter_a_digit_or_a_shape(zoom: str, told: list[str]) -> None:
    texts = [sign.text for sign in signs(FULL, GRIDS[zoom])]
    assert [each for each in told if each not in texts] == []


@pytest.mark.parametrize("zoom", GRIDS)
def test_signs_stay_in_their_hex_and_cover_no_other(zoom: str) -> None:
    spans = outline(GRIDS[zoom])
    for look in (FULL, EmptyLook((0, 2), Way(2, 0, "?"))):
        cells = [(sign.x + at, sign.y) for sign in signs(look, GRIDS[zoom]) for at in range(len(sign.text))]
        assert len(cells) == len(set(cells))
        assert all(x in spans[y] for x, y in cells)


def test_in_ascii_all_signs_are_ascii() -> None:
    for zoom in GRIDS:
        assert all(sign.text.isascii() for sign in signs(FULL, GRIDS[zoom], ascii_only=True))


@pytest.mark.parametrize("zoom", ["L", "M", "S"])
@pytest.mark.parametrize("name", HEXES)
def test_in_signs_each_passage_and_slope_has_a_cell_of_its_own(name: str, zoom: str) -> None:
    grid = GRIDS[zoom]
    for rotation in range(6):
        plan = plan_of(name, rotation)
        cells = shape_in_signs(plan, grid)
        for passage in range(len(plan.passages)):
            places = [spot(grid, each) for each in points_in_sight(plan, passage, grid, toned=False)]
            codes = {cells[y * grid.block[0] + x] for x, y in places}
            assert {(code - FLOORS) // TONES for code in codes} == {passage}, (rotation, passage)
        assert len(ends_of_slopes(plan, grid, toned=False)) == len(plan.slopes)


def test_in_signs_a_hex_is_the_same_from_both_sides_and_from_below() -> None:
    """Each cell shows what is in its middle: where two hexes meet, a passage is as wide on both sides."""
    grid = GRIDS["L"]
    width = grid.block[0]
    rows = in_rows(shape_in_signs(Plan(((0, 3), (1, 4), (2, 5)), (0, 1, 2)), grid), width)
    floors = [[code >= FLOORS for code in row] for row in rows]
    assert floors == [row[::-1] for row in reversed(floors)]
