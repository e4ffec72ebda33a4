"""The painted board: its texts are readable, and gems and tools differ without colour."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from msgspec import structs
from textual.geometry import Region

from cave.sir_ocelots_cave.components import GEMS, LEVEL, Gem
from client.games.sir_ocelots_cave import gem_signs, picture
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.board_painter import BoardPainter
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.palette import APART, ASCII, DARK, FEW, GREY, LIGHT, STARK, Palette, main_gem_ink
from client.games.sir_ocelots_cave.picture import ACROSS, DOWN, PITCHES, Pitch, Square
from client.games.sir_ocelots_cave.previews import HandPreview
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.tui.canvas import BLACK, CONTRAST, QUARTERS, Cell, contrast, luminance, parse_rgb
from client.tui.colour_tiers import COLOURS_16, COLOURS_256, NO_COLOURS, TRUECOLOR, ColourTier
from tests import snapshots
from tests.client.scenes import SCENES
from tests.client.sir_ocelots_cave.tables import Moment, collecting, middle, over, played

SEATS = ((parse_rgb("E69F00"), parse_rgb("000000")), (parse_rgb("56B4E9"), parse_rgb("000000")))
TIERS, PALETTES = (TRUECOLOR, COLOURS_256), (DARK, LIGHT, APART, STARK)
PAINTERS = pytest.mark.parametrize(
    "painter",
    [BoardPainter(tier, "unicode", SEATS, lights) for tier in TIERS for lights in PALETTES]
    + [BoardPainter(COLOURS_16, "unicode", SEATS, FEW)],
)

Blocks = dict[Any, Sequence[Sequence[Cell]]]


def painted(
    painter: BoardPainter, board: picture.Board, pitch: Pitch, blocks: Blocks | None = None
) -> list[list[Cell]]:
    """Return the cells of a board without margins. Places that look the same are painted once."""
    wide, high = pitch
    blocks = {} if blocks is None else blocks
    rows = [list(row) for row in painter.around(Region(0, 0, ACROSS * wide, DOWN * high), pitch)]
    for at, look in board.places.items():
        x, y = at[0] * wide, at[1] * high
        key = at, look, at == board.cursor
        if key not in blocks:
            blocks[key] = painter.block(at, look, pitch, cursor=at == board.cursor)
        for row, cells in zip(rows[y : y + high], blocks[key], strict=True):
            row[x : x + wide] = cells
    return rows


def shown(moment: Moment) -> OcelotScene:
    return FACE.scene(played(moment).state, None)


def boards() -> list[picture.Board]:
    found = []
    for moment in (middle, collecting, over):
        now = shown(moment)
        for at in ((9, 4), (5, 0), (11, 6), (5, 5), (11, 3), (11, 9)):
            found.append(picture.board(now, at, HandPreview("lamp", "A"), frozenset(now.collectable[:1])))
    return found


@PAINTERS
@pytest.mark.parametrize("pitch", PITCHES.values())
def test_letters_can_be_read_on_every_ground(pitch: Pitch, painter: BoardPainter) -> None:
    worst, blocks = 21.0, Blocks()
    for board in boards():
        rows = painted(painter, board, pitch, blocks)
        written = [cell for row in rows for cell in row if cell.glyph not in QUARTERS]
        if painter.tier.has_few:
            assert all(cell.ink != cell.ground for row in rows for cell in row if cell.glyph != " ")
        assert len(written) > 50
        worst = min(worst, *(contrast(cell.ink, cell.ground) for cell in written))
    assert worst >= CONTRAST


@PAINTERS
def test_every_gem_contrasts_with_its_square(painter: BoardPainter) -> None:
    seen = set()
    for board in boards():
        for at, square in board.places.items():
            if isinstance(square, Square) and square.gem is not None and square.companion is None:
                for lit in (True, False):
                    look = structs.replace(square, lit=lit)
                    ground = painter.ground_of_square(at, look)
                    ink = painter.tier.shown(painter.gem_inks(look, square.gem, ground)[main_gem_ink(square.gem)])
                    assert contrast(ink, ground) >= 3, (square.gem, lit)
                    for zoom in ("L",) if painter.tier.has_few else ("L", "M"):  # small ones would touch on black
                        shape = painter.block(at, look, PITCHES[zoom], cursor=False)
                        assert any(ink in (cell.ink, cell.ground) for row in shape for cell in row)
                seen.add(square.gem)
    assert seen == {*gem_signs.SHAPES}


@PAINTERS
@pytest.mark.parametrize(("pitch", "least"), zip(PITCHES.values(), (6, 4, 2), strict=True))
def test_the_cursor_is_visible_on_every_place(pitch: Pitch, least: int, painter: BoardPainter) -> None:
    places = {place for board in boards() for place in board.places.items()}
    for at, look in places:
        without = painter.block(at, look, pitch, cursor=False)
        found = painter.block(at, look, pitch, cursor=True)
        changed = [
            new
            for row, before in zip(found, without, strict=True)
            for new, old in zip(row, before, strict=True)
            if new != old
        ]
        assert len(changed) >= least, (at, look)
        assert all(contrast(cell.ink, cell.ground) >= CONTRAST for cell in changed if cell.glyph not in " ▀▄")


@pytest.mark.parametrize(("tier", "palette"), [(COLOURS_256, DARK), (COLOURS_16, FEW)], ids=["256", "16"])
def test_with_few_colours_a_collected_gem_keeps_its_inks_in_a_frame(tier: ColourTier, palette: Palette) -> None:
    painter = BoardPainter(tier, "unicode", SEATS, palette)
    pictures = []
    for mark in ("", "gain"):
        look = Square(1, "opal", None, True, "", mark)
        rows = painter.block((5, 5), look, PITCHES["L"], cursor=False)
        pictures.append([row[1:-1] for row in rows])
    assert pictures[0] == pictures[1]
    [value] = [cell for row in rows for cell in row if cell.glyph == "3"]
    assert luminance(value.ink) < 0.1 < luminance(value.ground), "it is on the frame"


@pytest.mark.parametrize("pitch", PITCHES.values())
def test_in_ascii_only_companions_and_the_cursor_have_a_ground(pitch: Pitch) -> None:
    painter = BoardPainter(COLOURS_16, "ascii", SEATS, ASCII)
    for board in boards():
        for at, look in board.places.items():
            if at != board.cursor and not (isinstance(look, Square) and look.companion is not None):
                cells = [cell for row in painter.block(at, look, pitch, cursor=False) for cell in row]
                assert {cell.ground for cell in cells} == {BLACK}, (at, look)
                assert all(cell.ink != BLACK for cell in cells if cell.glyph != " "), (at, look)


@pytest.mark.parametrize("gem", GEMS)
def test_in_256_colours_gems_that_stand_back_keep_their_hues(gem: Gem) -> None:
    """Mixed with a grey ground, the nearest colours of most gems were greys or brown."""
    painter = BoardPainter(COLOURS_256, "unicode", SEATS, DARK)
    near, far = (painter.gem_inks(Square(1, gem, None, lit, "", ""), gem, DARK.flat_plain) for lit in (True, False))
    for letter, ink in near.items():
        was, now = COLOURS_256.shown(ink), COLOURS_256.shown(far[letter])
        assert luminance(now) <= luminance(was)
        assert (max(now) - min(now) > 20) >= (max(was) - min(was) > 60), letter


@pytest.mark.parametrize("gem", GEMS)
def test_without_colours_values_are_apart_from_pictures(gem: Gem) -> None:
    look = Square(1, gem, None, False, "", "")
    rows = BoardPainter(NO_COLOURS, "unicode", SEATS, GREY).block((5, 5), look, PITCHES["L"], cursor=False)
    assert [(row[-1].glyph, row[-2].glyph) for row in rows][-1] == (gem_signs.WORTH[gem], " ")
    assert {cell.ground for row in (rows[0], rows[-1]) for cell in row[-2:]} == {GREY.night}


async def test_without_colours_squares_in_sight_are_bold() -> None:
    async with (
        snapshots.stage(colours=False) as pilot,
        snapshots.shown(pilot, SCENES["ocelot"], "fine", (140, 45)) as screen,
    ):
        board = screen.query_one(BoardPane)
        places = {at: look for at, look in board.picture.places.items() if isinstance(look, Square) and look.gem}
        for at, look in places.items():
            styles = [part.style for row in board.draw(at, is_cut=False) for part in row if part.text.strip()]
            assert all(bool(each and each.bold) >= look.lit and not (each and each.reverse) for each in styles), at
        assert {look.lit for look in places.values()} == {True, False}


def test_in_16_colours_low_squares_have_signs_apart_from_each_other() -> None:
    look = Square(1, "emerald", None, False, "", "")
    rows = BoardPainter(COLOURS_16, "unicode", SEATS, FEW).block((5, 5), look, PITCHES["M"], cursor=False)
    assert ["".join(cell.glyph for cell in row)[1:] for row in rows] == ["    ", "■5  "]


def test_no_two_gems_look_the_same_without_colour() -> None:
    for glyphs in gem_signs.SIGNS.values():
        assert len({*glyphs.values()}) == len(glyphs)
    for shapes in (gem_signs.SHAPES, gem_signs.SMALL, gem_signs.PLAIN_SHAPES):
        for one, other in combinations(shapes.values(), 2):
            assert one != other
    assert all(each.isascii() for each in gem_signs.SIGNS["ascii"].values())


def test_the_grid_of_each_cave_is_closed() -> None:
    corners = {gem_signs.corner((x + right, y + 1), "unicode").glyph for x, y in LEVEL for right in (0, 1)}
    assert corners == {*"└┘┼"}, "below squares"
