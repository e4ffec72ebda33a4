"""Passages as pictures: where bands run, what covers what, and that a hex shows every fact."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from rich.style import Style

from cave.caves_of_casadh.components import components, layout
from client.games.caves_of_casadh.hex_painter import HexPainter, palette
from client.games.caves_of_casadh.hex_signs import UPPER_LEFT, HexSignWriter, label_cell, rows_of_hex, signs
from client.games.caves_of_casadh.passages import (
    CASING,
    FLOORS,
    GRIDS,
    HALF,
    MIDDLES,
    PIT,
    TONES,
    PassagePlan,
    axial_cell,
    cell_of_point,
    ends_of_slopes,
    hex_pixels_as_codes,
    in_rows,
    on_board,
    pixels_at,
    points_in_sight,
    shape_in_signs,
)
from client.games.caves_of_casadh.picture import EmptyLook, HexLook, Way
from client.tui.board.geometry import hex_outline
from client.tui.board.view import text_of
from client.tui.colour_tiers import NO_COLOURS

HEXES = list(components().hexes)


def plan_of(hex_id: str, rotation: int = 0) -> PassagePlan:
    lie = layout(hex_id, rotation)
    return PassagePlan(lie.sides, lie.hex.stack, lie.hex.slopes)


def passage_at(plan: PassagePlan, zoom: str, point: tuple[float, float]) -> int:
    """The passage whose floor is seen at a point, -1 for none."""
    [(x, y)] = pixels_at(GRIDS[zoom], [point])
    code = hex_pixels_as_codes(plan, GRIDS[zoom])[y][x]
    return (code - FLOORS) // TONES if code >= FLOORS else -1


@pytest.mark.parametrize("sides", [(0, 2), (1, 4), (2, 5), (1, 5), (0, 1, 3)])
def test_in_signs_each_row_of_a_passage_overlaps_the_next(sides: tuple[int, ...]) -> None:
    for grid in [GRIDS[zoom] for zoom in ("XL", "L", "M")]:
        cells = shape_in_signs(PassagePlan((sides,), (0,)), grid)
        rows = [{x for x, code in enumerate(row) if code >= FLOORS} for row in in_rows(cells, grid.block[0])]
        found = [row for row in rows if row]
        assert all(one & other for one, other in pairwise(found)), grid


GREY = HexPainter(NO_COLOURS, palette("", dark=True, colours="none"), ())
ASCII = HexPainter(NO_COLOURS, palette("", dark=True, colours="16", whole=True), (), whole=True)
SIGNS = HexSignWriter("unicode", lambda role: Style(bold=role.startswith("cursor")))


@pytest.mark.parametrize(("drawer", "flat"), [(GREY, "_"), (SIGNS, "▄")])
def test_without_colours_the_cursor_is_one_line_around_its_hex(drawer: HexPainter | HexSignWriter, flat: str) -> None:
    """Each edge is drawn once: half of them by the neighbours."""
    grid = GRIDS["M"]
    for cursor, beside, edges in ((True, (), f"/\\{flat}"), (False, (UPPER_LEFT,), "/"), (False, (), "")):
        rows = drawer.block((0, 0), EmptyLook(()), grid, range(grid.block[0]), cursor=cursor, beside=beside)
        assert {glyph for row in rows for text, style, _ in row if style.bold for glyph in text} == {*edges}


def test_borders_close_without_colours_and_open_for_passages_in_ascii_until_the_cursor_closes_them() -> None:
    grid = GRIDS["M"]
    straight = HexLook(PassagePlan(((0, 3),), (0,)), 1)
    for drawer, floor, is_open in ((GREY, "█", False), (ASCII, ":", True)):
        for cursor in (False, True):
            *_, inside, last = drawer.block((0, 0), straight, grid, range(grid.block[0]), cursor=cursor)
            below = text_of(last)
            assert below[1] == below[-1] == "_", below
            assert floor in text_of(inside)
            assert (floor in below) == (is_open and not cursor), below


def test_in_ascii_a_cell_shows_which_half_of_it_is_floor() -> None:
    grid = GRIDS["M"]
    bend = HexLook(PassagePlan(((1, 3),), (0,)), 1, own=0)
    rows = ASCII.block((0, 0), bend, grid, range(grid.block[0]), cursor=False)
    assert {*".'#"} <= {glyph for row in rows for glyph in text_of(row)}


@pytest.mark.parametrize("zoom", ["XL", "L", "M", "S"])
@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
def test_in_signs_each_edge_is_open_in_its_middle_and_drawn_at_its_corners(zoom: str, glyphs: str) -> None:
    grid, writer = GRIDS[zoom], HexSignWriter(glyphs, lambda _: Style())
    block = writer.block((0, 0), EmptyLook(()), grid, range(grid.block[0]), cursor=True)
    rows = [text_of(row) for row in block]
    below, half = rows[-1], grid.height // 2
    assert below[len(below) // 2] == " " != below[1] == below[-1]
    for side in (rows[:half], rows[half:]):
        assert side[half // 2][0] == " " != side[0][0] == side[-1][0]


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
    straight = PassagePlan(((0, 3), (1, 4)), (1, 0))
    assert passage_at(straight, "L", (0, 0)) == 0
    assert passage_at(straight._replace(stack=(0, 1)), "L", (0, 0)) == 1
    grid = GRIDS["L"]
    row = hex_pixels_as_codes(straight, grid)[grid.block[1] // 2]
    middle = grid.block[0] // 2
    dark = sum(code == PIT for code in row[middle - 4 : middle + 5])
    assert dark >= 2 * round(HALF[12] * (CASING - 1))


def test_places_on_the_board_and_axial_cells_are_the_same_places() -> None:
    for q in range(-4, 5):
        for r in range(-4, 5):
            assert axial_cell(on_board((q, r))) == (q, r)


FULL = HexLook(
    plan_of("L2-16"), 2, marker=0, water=2, stars=(1,), hazard="grue", token=False, grues=2, dynamite="C",
    items=2, treasures=3, pawns=((0, 1), (4, 1)), own=1, near=2, way=Way(3, 0, "1 MP", "-1 HP"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("zoom", "told"),
    [
        ("L", ["A", "E", " 3 ", "1 MP", " -1 HP", "♦", "T3", "i2", "L2", "grue", "GRUE2!", "DYN C", "*", "≈"]),
        ("M", ["A", "E", "3", "!", "♦", "T3", "i2", "L2", "g", "G2!", "DC", "*"]),
        ("S", ["A", "E", "3", "!", "♦", "T3", "i2"]),
        ("O", ["3", "G"]),
    ],
)
def test_every_fact_of_a_hex_is_a_letter_a_digit_or_a_shape(zoom: str, told: list[str]) -> None:
    texts = [sign.text for sign in signs(FULL, GRIDS[zoom])]
    assert [each for each in told if each not in texts] == []


@pytest.mark.parametrize(
    ("danger", "told"), [("-1 HP", "!"), ("grue", "!"), ("no way home", "x"), ("-1 HP, no way home", "!x"), ("", "")]
)
def test_a_way_that_hurts_and_one_without_a_way_home_have_different_signs(danger: str, told: str) -> None:
    _, beside, *_ = signs(EmptyLook((0,), Way(2, 0, "", danger)), GRIDS["M"], ascii_only=True)
    assert beside.text == told


def test_in_signs_no_hatching_touches_a_letter() -> None:
    writer = HexSignWriter("unicode", lambda _: Style.null())
    for grid in (GRIDS["L"], GRIDS["M"]):
        rows = map(text_of, writer.block((0, 0), FULL, grid, range(grid.block[0]), cursor=False))
        assert not [row for row in rows if re.search(r"[▒█≈][A-Z0-9♦!]|[A-Z0-9♦!][▒█≈]", row)]


@pytest.mark.parametrize("zoom", GRIDS)
def test_signs_and_labels_stay_in_their_hex_and_cover_no_other(zoom: str) -> None:
    spans = hex_outline(GRIDS[zoom])
    labels = len({sign.role for sign in signs(FULL, GRIDS[zoom])} & {"marker", "treasure", "item"})
    for look in (FULL, EmptyLook((0, 2), Way(2, 0, ""))):
        cells = [(sign.x + at, sign.y) for sign in signs(look, GRIDS[zoom]) for at in range(len(sign.text))]
        x, y = label_cell(look, GRIDS[zoom])
        cells.append((x + spans[y].start, y))
        assert len(cells) == len(set(cells))
        assert all(x in spans[y] for x, y in cells)
    # At the edge of the map no part of a label stays.
    for start in range(GRIDS[zoom].block[0]):
        rows = rows_of_hex(signs(FULL, GRIDS[zoom]), GRIDS[zoom], range(start, GRIDS[zoom].block[0]))
        assert len({sign.role for row in rows for sign in row} & {"marker", "treasure", "item"}) in (0, labels)


@pytest.mark.parametrize(("side", "line"), [(0, "|"), (1, "/"), (2, "\\")])
def test_in_ascii_a_passage_is_drawn_in_lines_of_its_direction(side: int, line: str) -> None:
    writer, look = HexSignWriter("ascii", lambda _: Style()), HexLook(PassagePlan(((side, side + 3),), (0,)), 1)
    for grid in (GRIDS["L"], GRIDS["M"], GRIDS["S"]):
        rows = map(text_of, writer.block((0, 0), look, grid, range(grid.block[0]), cursor=False))
        assert {*"".join(rows)} - {*" .L1"} == {line}


@pytest.mark.parametrize(("kind", "expected"), [("own", ("█", True)), ("stars", ("█", False)), ("water", ("≈", False))])
def test_without_colours_the_own_passage_is_bold_and_water_has_waves(kind: str, expected: tuple[str, bool]) -> None:
    grid = GRIDS["M"]
    look = HexLook(PassagePlan(((0, 3),), (0,)), 1, **{kind: () if kind == "stars" else 0})
    rows = GREY.block((0, 0), look, grid, range(grid.block[0]), cursor=False)
    middle = [(glyph, bool(style.bold)) for text, style, _ in rows[grid.height // 2 + 1] for glyph in text]
    assert expected in middle


@pytest.mark.parametrize("zoom", ["L", "M", "S"])
@pytest.mark.parametrize("name", HEXES)
def test_in_signs_each_passage_and_slope_has_a_cell_of_its_own(name: str, zoom: str) -> None:
    grid = GRIDS[zoom]
    for rotation in range(6):
        plan = plan_of(name, rotation)
        cells = shape_in_signs(plan, grid)
        for passage in range(len(plan.passages)):
            places = [cell_of_point(grid, each) for each in points_in_sight(plan, passage, grid, toned=False)]
            codes = {cells[y * grid.block[0] + x] for x, y in places}
            assert {(code - FLOORS) // TONES for code in codes} == {passage}, (rotation, passage)
        assert len(ends_of_slopes(plan, grid, toned=False)) == len(plan.slopes)
