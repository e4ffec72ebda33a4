"""The painted board: what is written on it can be read, and gems and tools are told apart without colour."""

from __future__ import annotations

from collections.abc import Sequence
from colorsys import rgb_to_hls
from itertools import combinations
from typing import Any

import pytest
from msgspec import structs
from rich.color import Color
from textual.geometry import Region
from textual.widget import Widget

from cave.sir_ocelots_cave.components import TOOLS
from client.games.sir_ocelots_cave import picture
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.hand import Hand
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.screen import looks, signs
from client.games.sir_ocelots_cave.screen.measures import ACROSS, DOWN, PITCHES, Pitch
from client.games.sir_ocelots_cave.screen.painter import Painter
from client.games.sir_ocelots_cave.screen.palette import APART, DARK, GROUNDS, LIGHT, Palette, main
from client.games.sir_ocelots_cave.terms import TOOL_LETTERS
from client.tui.paint.canvas import Cell
from client.tui.paint.colour import CONTRAST, Rgb, contrast, rgb
from client.tui.paint.tiers import COLOURS_256, TRUECOLOR, Tier
from tests.client.pilot import settle
from tests.client.screens import show
from tests.client.sir_ocelots_cave.tables import Moment, collecting, middle, over, played, table

SEATS = ((rgb("E69F00"), rgb("000000")), (rgb("56B4E9"), rgb("000000")))
PALETTES = (DARK, LIGHT, APART)
PICTURE = " ▀▄▌▐▛▜▙▟"


Blocks = dict[Any, Sequence[Sequence[Cell]]]


def painted(
    painter: Painter, board: picture.Board, pitch: Pitch, blocks: Blocks | None = None
) -> list[list[Cell]]:
    """The cells of a board with no room around it. Places that look the same are painted once."""
    wide, high = pitch
    blocks = {} if blocks is None else blocks
    rows = [list(row) for row in painter.around(Region(0, 0, ACROSS * wide, DOWN * high), pitch)]
    for at, look in [*board.squares.items(), *board.rim.items()]:
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
            found.append(picture.board(now, at, Hand("lamp", "A"), frozenset(now.collectable[:1])))
    return found


@pytest.mark.parametrize("lights", PALETTES)
@pytest.mark.parametrize("tier", [TRUECOLOR, COLOURS_256])
@pytest.mark.parametrize("pitch", PITCHES.values())
def test_letters_can_be_read_on_every_ground(pitch: Pitch, tier: Tier, lights: Palette) -> None:
    painter = Painter(tier, "unicode", SEATS, lights)
    worst, blocks = 21.0, Blocks()
    for board in boards():
        rows = painted(painter, board, pitch, blocks)
        written = [cell for row in rows for cell in row if cell.glyph not in PICTURE]
        assert len(written) > 50
        worst = min(worst, *(contrast(cell.ink, cell.ground) for cell in written))
    assert worst >= CONTRAST


@pytest.mark.parametrize("lights", PALETTES)
@pytest.mark.parametrize("tier", [TRUECOLOR, COLOURS_256])
def test_every_gem_stands_out_from_its_square(tier: Tier, lights: Palette) -> None:
    painter = Painter(tier, "unicode", SEATS, lights)
    seen = set()
    for board in boards():
        for at, square in board.squares.items():
            if square.gem is not None and square.companion is None:
                for lit in (True, False):
                    look = structs.replace(square, lit=lit)
                    ground = painter.ground(at, look)
                    ink = tier.shown(painter.gem_inks(look, square.gem, ground)[main(square.gem)])
                    assert contrast(ink, ground) >= 3, (square.gem, lit)
                    shape = painter.block(at, look, PITCHES["L"], cursor=False)
                    assert any(ink in (cell.ink, cell.ground) for row in shape for cell in row)
                seen.add(square.gem)
    assert seen == {*looks.SHAPES}


def hue(colour: Rgb) -> str:
    """A colour by its name: those that are nearly grey have none."""
    turn, _, strength = rgb_to_hls(*(part / 255 for part in colour))
    names = ("red", *["yellow"] * 2, *["green"] * 2, *["aqua"] * 2, "blue", *["violet"] * 2, *["pink"] * 2)
    return names[round(turn * 12) % 12] if strength > 0.25 else "grey"


@pytest.mark.parametrize("lights", PALETTES)
@pytest.mark.parametrize("tier", [TRUECOLOR, COLOURS_256])
@pytest.mark.parametrize("pitch", PITCHES.values())
def test_tools_and_levels_are_told_apart_by_their_colours_too(
    pitch: Pitch, tier: Tier, lights: Palette
) -> None:
    painter = Painter(tier, "unicode", SEATS, lights)
    letters = set()
    for tool in TOOLS:
        look = picture.Rim(tool, None, sees=False, recent=False, four=False)
        block = painter.block((5, 0), look, pitch, cursor=False)
        (ink,) = {cell.ink for row in block for cell in row if cell.glyph == TOOL_LETTERS[tool]}
        letters.add(ink)
    assert len(letters) == 3
    rows = painter.around(Region(0, 0, ACROSS * pitch[0], DOWN * pitch[1]), pitch)
    assert len({hue(cell.ink) for row in rows for cell in row if cell.glyph == "E"}) == 3
    grounds = set()
    for level, at in enumerate(((5, 5), (11, 3), (11, 9)), 1):
        square = picture.Square(level, "opal", None, lit=False, missing="", mark="")
        grounds.add(painter.ground(at, square))
    assert len(grounds) == 3


@pytest.mark.parametrize("lights", PALETTES)
@pytest.mark.parametrize("tier", [TRUECOLOR, COLOURS_256])
@pytest.mark.parametrize(("pitch", "least"), zip(PITCHES.values(), (6, 4, 2), strict=True))
def test_the_cursor_is_seen_whatever_a_place_holds(
    pitch: Pitch, least: int, tier: Tier, lights: Palette
) -> None:
    painter = Painter(tier, "unicode", SEATS, lights)
    places = {place for board in boards() for place in (*board.squares.items(), *board.rim.items())}
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
        assert all(contrast(cell.ink, cell.ground) >= CONTRAST for cell in changed if cell.glyph not in " ▀")


async def test_in_high_contrast_levels_have_grounds_on_which_all_signs_can_be_read() -> None:
    screen = table(played(middle))
    async with show(screen) as (app, pilot):
        app.theme = "cave-high-contrast"
        await settle(pilot)
        for system, grounds in GROUNDS["cave-high-contrast"].items():
            assert len({*grounds}) == 3, system
            for colour in ("words", "dim", "key", *looks.GEM_HUES.values()):
                ink = rgb(app.theme_variables[colour])
                assert min(contrast(ink, ground) for ground in grounds) >= CONTRAST, (system, colour)
        row = screen.board.render_line(screen.board.region_of((11, 9)).y)
        found = {each.style.bgcolor for each in row if each.style is not None}
        assert Color.from_rgb(*GROUNDS["cave-high-contrast"]["truecolor"][2]) in found


async def test_a_gem_has_one_hue_on_the_board_and_beside_it() -> None:
    for theme in ("cave-dark", "cave-light", "cave-colour-blind"):
        screen = table(played(middle))
        async with show(screen) as (app, pilot):
            app.theme = theme
            await settle(pilot)
            found = hues(screen.board)
            beside = hues(screen.query_one("#worth")) | hues(screen.query_one("#players"))
            assert beside == {sign: found[sign] for sign in beside}, theme
            assert len(beside) >= 6


def hues(pane: Widget) -> dict[str, set[str]]:
    """The hues of each gem's sign in a pane."""
    found: dict[str, set[str]] = {}
    for y in range(pane.size.height):
        for segment in pane.render_line(y):
            for sign in {*segment.text} & {*"▲☼*●■♦◘"}:
                assert segment.style is not None
                assert segment.style.color is not None
                found.setdefault(sign, set()).add(hue(Rgb(*segment.style.color.get_truecolor())))
    return found


@pytest.mark.parametrize("pitch", PITCHES.values())
def test_a_painted_board_says_in_letters_what_the_signs_say(pitch: Pitch) -> None:
    painter = Painter(TRUECOLOR, "unicode", SEATS, DARK)
    now = shown(middle)
    board = picture.board(now, (9, 4), Hand("lamp", "A"), frozenset())
    rows = painted(painter, board, pitch)
    for at, square in board.squares.items():
        x, y = at[0] * pitch[0], at[1] * pitch[1]
        text = "".join(cell.glyph for row in rows[y : y + pitch[1]] for cell in row[x : x + pitch[0]])
        if square.companion is not None:
            assert signs.COMPANION_LETTERS[square.companion] in text
        elif square.gem is not None:
            assert looks.MARKS[square.mark].strip() in text
            assert looks.WORTH[square.gem] in text
            # The smallest squares keep their points, and their ground tells that they are in sight.
            assert square.missing in text or pitch[1] == 1


def test_no_two_gems_look_the_same_without_colour() -> None:
    for glyphs in looks.SIGNS.values():
        assert len({*glyphs.values()}) == len(glyphs)
    for shapes in (looks.SHAPES, looks.SMALL):
        for one, other in combinations(shapes.values(), 2):
            assert one != other
    assert all(each.isascii() for each in looks.SIGNS["ascii"].values())


def test_on_the_rows_of_sight_the_missing_tools_stand_beside_each_gem() -> None:
    now = shown(middle)
    board = picture.board(now, (9, 4), None, frozenset())
    cave = now.cave
    lit = {at for at, square in board.squares.items() if square.lit}
    assert len(lit) == 12
    for at in lit:
        assert board.squares[at].missing == "".join(
            letter
            for letter, tool in (("C", "compass"), ("L", "lamp"), ("P", "pickaxe"))
            if board.squares[at].gem is not None and tool in _missing(cave, at)
        )
    assert not any(square.missing for at, square in board.squares.items() if at not in lit)


def _missing(cave: object, at: tuple[int, int]) -> tuple[str, ...]:
    from cave.sir_ocelots_cave.sight import missing

    return missing(cave, at)  # type: ignore[arg-type]


def test_in_signs_empty_squares_in_sight_are_told_from_others() -> None:
    board = picture.board(shown(over), (5, 0), None, frozenset())
    empty = {at: look for at, look in board.squares.items() if look.gem is None and look.companion is None}
    found = {at: signs.square(at, look, "ascii", cursor=False)[1].glyph for at, look in empty.items()}
    assert {found[at] for at, look in empty.items() if look.lit} == {":"}
    assert {found[at] for at, look in empty.items() if not look.lit} == {"."}
