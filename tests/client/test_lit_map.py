"""The map of The Cave as lit rock: its text is readable, and motion redraws only the changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise, product
from typing import Any

import pytest
from msgspec.structs import replace
from rich.color import ColorSystem
from textual.app import ComposeResult

from client.games.the_cave.cave_light import Moment
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.lit_painter import LitPainter
from client.games.the_cave.map_signs import SETS, ZOOMS
from client.games.the_cave.picture import Border, BorderKind, Cell, MapPicture, map_picture
from client.tui import colour_tiers
from client.tui.canvas import BLACK, CONTRAST, QUARTERS, contrast, parse_rgb
from client.tui.themes import OWN, OWN_BY_NAME, ThemedApp
from tests.client import section_four
from tests.client.pilot import give_colours, run, settle
from tests.client.whole import whole_map
from tests.effort import effort

THEMES = [theme.name for theme in OWN]
TIERS = {"truecolor": colour_tiers.TRUECOLOR, "256": colour_tiers.COLOURS_256, "16": colour_tiers.COLOURS_16}
TEXTURE = set(QUARTERS + "~" + colour_tiers.TONES)
"""Signs without meaning: rock, floors, waves."""


def painter(theme: str = "cave-dark", tier: str = "truecolor", glyphs: colour_tiers.Glyphs = "fine") -> LitPainter:
    variables = OWN_BY_NAME[theme].variables
    teams = tuple(
        (parse_rgb(variables[f"seat-{number}"]), parse_rgb(variables[f"seat-{number}-letter"]))
        for number in range(1, 6)
    )
    return LitPainter(theme, teams, TIERS.get(tier, colour_tiers.NO_COLOURS), glyphs, dark=OWN_BY_NAME[theme].dark)


def lit_map(picture: MapPicture, zoom: Any, by: LitPainter | None = None) -> list[str]:
    by = by or painter()
    by.show(picture)
    left, top, right, bottom = picture.bounds
    lines: list[str] = []
    for y in range(top, bottom + 2):
        blocks = [by.painted_cells(by.look_of_place((x, y)), zoom) for x in range(left, right + 2)]
        lines += ["".join(cell.glyph for row in rows for cell in row) for rows in zip(*blocks, strict=True)]
    return lines


# Numbers of different meaning never touch

SOME_TILES = effort(5, 1)
"""Every n-th tile is checked; no property of tiles repeats with every fifth."""
LONE = re.compile(r"[-+]?\d+")
TOKENS = "♦$"


def tiles() -> Iterator[Cell]:
    """Tiles with every kind of number and surroundings."""
    for kind, token, depth, price, pawns, camps, last in product(
        ("plain", "squeeze", "choke", "base"),
        (0, 4),
        (0, 25, 125),
        (None, 5),
        ((), (0,), (0, 1, 2, 3, 4)),
        ((), (0, 1, 2, 3, 4)),
        (False, True),
    ):
        if kind == "base" and (depth or token):
            continue
        yield Cell(
            kind=kind,  # type: ignore[arg-type]
            level=2 if kind == "squeeze" else 0,
            depth=depth,
            token=token,
            pawns=pawns,
            camps=camps,
            price=price,
            near=bool(price),
            last=last,
        )


def pairs(kind: BorderKind, ropes: int, zoom: str) -> Iterator[MapPicture]:
    """A tile, and one to the east that has everything, with a border between them and one above.

    By default each zoom and border has some of the tiles, and each tile has some of them.
    """
    full = Cell(kind="squeeze", level=2, depth=125, token=3, pawns=(0, 1), camps=(1,), price=5, near=True)
    border = Border(kind, ropes)
    first = ZOOMS.index(zoom) + (kind == "roped") + 2 * (ropes > 1)
    for one in islice(tiles(), first % SOME_TILES, None, SOME_TILES):
        for left, right in ((one, full), (full, one)):
            yield MapPicture(
                {(0, 0): left, (1, 0): right},
                {((0, 0), (1, 0)): border, ((0, -1), (0, 0)): border, ((1, -1), (1, 0)): border},
                (0, 0, 1, 0),
                acting=0,
            )


def wrong_numbers(line: str, ropes: int) -> list[str]:
    """Return parts of a line that look like another number, or like a missing one."""
    # Vertically, the digits of a number are below each other.
    told = {"5", "2", "3", "4", "0", "-25", "-125", str(ropes), *str(ropes)}
    told |= {f"+{rest}" for rest in range(2, 11)}
    found = list(LONE.finditer(line))
    wrong = [each[0] for each in found if each[0] not in told]
    wrong += [one[0] + other[0] for one, other in pairwise(found) if one.end() == other.start()]
    wrong += re.findall(f"[{TOKENS}][125-9]", line)  # no token is worth this
    return wrong


@pytest.mark.parametrize(("kind", "ropes"), [("roped", 1), ("unroped", 1), ("roped", 77), ("unroped", 77)])
@pytest.mark.parametrize("zoom", ZOOMS)
def test_numbers_are_separated_on_the_lit_map(zoom: Any, kind: BorderKind, ropes: int) -> None:
    by = painter()
    for picture in pairs(kind, ropes, zoom):
        for line in lit_map(picture, zoom, by):
            assert wrong_numbers(line, ropes) == [], line


@pytest.mark.parametrize(("kind", "ropes"), [("roped", 1), ("unroped", 1), ("roped", 77), ("unroped", 77)])
@pytest.mark.parametrize("glyphs", SETS)
@pytest.mark.parametrize("zoom", ZOOMS)
def test_numbers_are_separated_on_the_line_map(zoom: Any, glyphs: Any, kind: BorderKind, ropes: int) -> None:
    for picture in pairs(kind, ropes, zoom):
        for line in whole_map(picture, zoom, SETS[glyphs]):
            assert wrong_numbers(line, ropes) == [], line


# Text


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tier", TIERS)
def test_every_letter_and_sign_is_readable(theme: str, tier: str) -> None:
    """At all levels of light and depths, on all kinds, with all borders."""
    by = painter(theme, tier)
    kinds = ("plain", "water", "wonder", "squeeze", "descent", "choke", "base")
    borders = (Border("roped", 1), Border("unroped", 1), Border("exit"), Border("passage"))
    for kind, depth, level, near in product(kinds, (0, 25, 50, 75), range(8), (False, True)):
        border = borders[(level + depth // 25) % 4]
        cell = Cell(
            kind=kind,  # type: ignore[arg-type]
            level=2 if kind == "squeeze" else 0,
            depth=depth,
            token=2,
            pawns=(level % 5,),
            camps=((level + 1) % 5,),
            price=4,
            near=near,
            last=level == 3,
        )
        picture = MapPicture({(0, 0): cell}, {((0, -1), (0, 0)): border, ((-1, 0), (0, 0)): border}, (0, 0, 0, 0))
        by.show(picture)
        look = by.look_of_place((0, 0))
        look = replace(look, square=replace(look.square, light=level, lights=(level,) * 4))
        for zoom in ZOOMS:
            for row in by.painted_cells(look, zoom):
                for sign in row:
                    if sign.glyph not in TEXTURE:
                        assert contrast(sign.ink, sign.ground) >= CONTRAST, (zoom, sign)


def signs(lines: list[str]) -> str:
    return "".join(glyph for line in lines for glyph in line if glyph not in TEXTURE)


def test_ropes_placed_and_ropes_needed_differ_without_colours_at_every_zoom() -> None:
    for zoom in ZOOMS:
        drawn = set()
        for kind in ("roped", "unroped", "exit", "passage", "rock"):
            border = Border(kind, 1 if "roped" in kind else 0)  # type: ignore[arg-type]
            cells = {(0, 0): Cell(kind="plain"), (1, 0): Cell(kind="plain")}
            drawn.add("\n".join(lit_map(MapPicture(cells, {((0, 0), (1, 0)): border}, (0, 0, 1, 0)), zoom)))
        assert len(drawn) >= 4


@pytest.mark.parametrize(("glyphs", "expected"), [("fine", "▓ ·"), ("ascii", "# .")])
def test_walls_stand_out_without_colours(glyphs: Any, expected: str) -> None:
    """Floors have dots, so that words on them are in no box; the dots are not bold, unlike a tunnel's sign."""
    by = painter(tier="none", glyphs=glyphs)
    by.show(MapPicture({(0, 0): Cell(kind="plain")}, {}, (0, 0, 0, 0)))
    shown = [each for row in by.rows(by.look_of_place((0, 0)), "L") for each in row]
    assert {*"".join(text for text, *_ in shown)} == {*expected}
    assert not any(style and style.bold for _, style, _ in shown)


def test_without_colours_no_rock_is_between_two_words() -> None:
    by = painter(tier="none")
    by.show(MapPicture({(0, 0): Cell(kind="squeeze", level=2)}, {}, (0, 0, 0, 0)))
    rows = by.rows(by.look_of_place((0, 0)), "L")
    assert "SQZ 2" in "".join(text for text, *_ in rows[1])


@pytest.mark.parametrize("glyphs", ["fine", "ascii"])
def test_in_16_colours_unlit_places_have_walls_and_squeezes_are_narrow(glyphs: Any) -> None:
    by, wall = painter(tier="16", glyphs=glyphs), colour_tiers.SIXTEEN[8]
    floors = {}
    for kind in ("plain", "squeeze"):
        picture = MapPicture({(0, 0): Cell(kind=kind)}, {((-1, 0), (0, 0)): Border("exit")}, (0, 0, 0, 0))
        by.show(picture, Moment(lamps={}))
        north, *rows = by.painted_cells(by.look_of_place((0, 0)), "L")
        assert {cell.ground for cell in north} == {wall}
        floors[kind] = sum(cell.glyph in colour_tiers.TONES and cell.ground == BLACK for row in rows for cell in row)
    assert 0 < floors["squeeze"] < floors["plain"] / 2


@pytest.mark.parametrize("kind", ["water", "squeeze", "plain"])
@pytest.mark.parametrize("west", ["passage", "exit"])
def test_a_blank_separates_the_signs_of_neighbouring_tiles(kind: Any, west: Any) -> None:
    """A price touched the exit on the next border, and that exit the kind of its tile."""
    cell = Cell(kind=kind, level=2 * (kind == "squeeze"), price=3)
    borders = {((0, 0), (1, 0)): Border(west)}
    line = lit_map(MapPicture({(0, 0): cell, (1, 0): cell}, borders, (0, 0, 1, 0)), "M")[1]
    assert {line[6], line[8] if west == "exit" else line[7]} <= TEXTURE


@pytest.mark.parametrize("theme", THEMES)
def test_unlit_stone_has_one_tone_and_unlit_floors_stand_out(theme: str) -> None:
    """Walls, rock and floors shared one texture, so that the ways could not be seen."""
    by = painter(theme)
    by.show(MapPicture({(0, 0): Cell(kind="plain"), (1, 1): Cell(kind="plain")}, {}, (0, 0, 1, 1)), Moment(lamps={}))
    inside, beside = (by.painted_cells(by.look_of_place(at), "L") for at in ((0, 0), (1, 0)))
    (stone,) = {colour for cell in (*inside[0], *beside[3]) for colour in cell[1:3]}
    floors = {colour for row in inside[1:] for cell in row for colour in cell[1:3]} - {stone}
    assert floors
    assert min(contrast(floor, stone) for floor in floors) >= by.shades.palette.apart


@pytest.mark.parametrize(("tier", "glyphs", "edges"), [("none", "fine", "┏━┓┃┃┗━┛"), ("16", "ascii", "+-+||+-+")])
@pytest.mark.parametrize("zoom", ZOOMS)
def test_without_colours_and_in_ascii_the_cursor_is_a_whole_frame(
    zoom: Any, tier: str, glyphs: Any, edges: str
) -> None:
    by, way = painter(tier=tier, glyphs=glyphs), Border("passage")
    places = ((0, 0), (1, 0), (0, 1), (1, 1))
    by.show(MapPicture(dict.fromkeys(places, Cell(kind="plain")), {((0, 0), (1, 0)): way}, (0, 0, 1, 1)))
    here, right, below, aslant = (
        [
            "".join(text for text, *_ in row)
            for row in by.block_with_cursor(by.rows(by.look_of_place(at), zoom), zoom, *at)
        ]
        for at in places
    )
    across = len(here[0]) - 1
    assert here[0] + right[0][0] == edges[0] + edges[1] * across + edges[2]
    assert {row[0] + beside[0] for row, beside in zip(here[1:], right[1:], strict=True)} == {edges[3:5]}
    assert below[0] + aslant[0][0] == edges[5] + edges[6] * across + edges[7]


def test_without_colours_the_cursor_marks_the_tile_in_hand() -> None:
    """Its border looks like any wall there."""
    for tier, hidden in (("16", True), ("none", False)):
        by = painter(tier=tier)
        by.show(MapPicture({(0, 0): Cell(kind="plain", ghost=True)}, {}, (0, 0, 0, 0)))
        assert by.hides_cursor(by.look_of_place((0, 0))) == hidden


def test_with_few_colours_depth_is_told_where_it_changes() -> None:
    deep = Cell(kind="plain", depth=25)
    cells = {(0, 0): deep, (1, 0): replace(deep, is_step=True)}
    tiers = [painter(tier=tier) for tier in ("truecolor", "16")]
    shown = ["".join(lit_map(MapPicture(cells, {}, (0, 0, 1, 0)), "L", by)) for by in tiers]
    assert [text.count("-25m") for text in shown] == [2, 1]


@pytest.mark.parametrize("glyphs", ["fine", "ascii"])
def test_in_16_colours_words_and_lamps_keep_the_whole_floor(glyphs: Any) -> None:
    """Words punched black holes into floors, and the tile of the team looked like a wall."""
    by = painter(tier="16", glyphs=glyphs)
    by.show(map_picture(view := section_four.view()))
    assert view.cave.seat is not None
    look = by.look_of_place(view.cave.teams[view.cave.seat].at)
    inside = [cell for row in by.painted_cells(look, "L")[1:] for cell in row[1:]]
    assert (
        len({cell.ground for cell in inside if not (cell.bold and cell.ink == BLACK) and cell.glyph not in "▐▌"}) == 1
    )


def test_light_follows_the_team_whose_turn_it_is() -> None:
    view = section_four.view()
    by = painter()
    by.show(map_picture(view))
    at = view.cave.teams[view.cave.seat].at
    assert by.look_of_place(at).square.light == 7
    assert min(by.look_of_place(place).square.light for place in view.cave.board) < 4


# The widget


class LitApp(ThemedApp[None]):
    def __init__(self, picture: MapPicture, colours: ColorSystem = ColorSystem.TRUECOLOR, **options: Any) -> None:
        super().__init__()
        give_colours(self, colours)
        self.map = CaveMap(picture, light=True, fine=True, **options)

    def compose(self) -> ComposeResult:
        yield self.map


def section_four_app(**options: Any) -> LitApp:
    return LitApp(map_picture(section_four.view(), section_four.choices()), cursor=(1, -1), **options)


def pane(cave_map: CaveMap) -> list[str]:
    return [cave_map.render_line(y).text for y in range(cave_map.size.height)]


@pytest.mark.parametrize(
    ("change", "lit"),
    [
        ({}, True),
        ({"colours": ColorSystem.EIGHT_BIT}, True),
        ({"colours": ColorSystem.STANDARD}, False),
        ({"glyph_set": "ascii"}, False),
        ({"theme": "ansi-dark"}, True),
        ({"theme": "cave-colour-blind"}, True),
        ({"theme": "cave-light"}, True),
        ({"theme": "solarized-light"}, True),
        ({"theme": "ansi-light"}, False),
    ],
)
async def test_the_unlit_map_is_drawn_in_signs(change: dict[str, Any], lit: bool) -> None:
    theme = change.pop("theme", "cave-dark")
    app = section_four_app(**change)
    app.theme = theme
    async with run(app, size=(80, 24)):
        text = "".join(pane(app.map))
        assert bool(set(text) & set("▚▞▛▜▙▟")) == lit
        assert lit or ("░░░" in text) == (change.get("glyph_set") != "ascii")


@pytest.mark.parametrize("side", [(0, -1), (1, 0), (0, 1), (-1, 0)])
@pytest.mark.parametrize("border", [Border("exit"), Border("roped", 1), Border("unroped", 1)])
@pytest.mark.parametrize("zoom", ZOOMS)
async def test_exits_and_ropes_show_under_a_cursor(zoom: Any, border: Border, side: tuple[int, int]) -> None:
    sides: Any = tuple(sorted(((0, 0), side)))
    cells = {(0, 0): Cell(kind="plain"), (0, 5): Cell(kind="plain")}
    app = LitApp(MapPicture(cells, {sides: border}, (0, 0, 0, 5)), zoom=zoom, cursor=(0, 0))
    async with run(app, size=(80, 45)) as pilot:
        under = sorted(signs(pane(app.map)))
        app.map.cursor = (0, 5)
        await settle(pilot)
        assert under == sorted(signs(pane(app.map)))
