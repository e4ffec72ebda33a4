"""Glyphs and the map's picture: widths, goldens, and what each mark says. No terminal."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from client.games.the_cave.board.glyphs.looks import VOID, Look, Wall, look_at
from client.games.the_cave.board.glyphs.sets import (
    ASCII,
    NAME_CELLS,
    PITCH,
    ROLES,
    SETS,
    TILE_NAMES,
    UNICODE,
    ZOOMS,
)
from client.games.the_cave.board.glyphs.tiles import block, interior, text
from client.games.the_cave.known.picture import (
    EMPTY,
    Border,
    Cell,
    Ghost,
    MapPicture,
    border_between,
    map_picture,
)
from client.present.cells import fit, width
from client.tui.widgets.panel import wrap
from tests.client import section_four
from tests.client.whole import whole_map

GOLDENS = Path(__file__).parent / "goldens"
B_AT = (1, -1)
KINDS = ("plain", "water", "wonder", "squeeze", "descent", "choke", "base")

FRAMES = st.sampled_from(["void", "rock", "ghost"])
BORDERS = st.none() | st.builds(
    Border, st.sampled_from(["passage", "rock", "exit", "roped", "unroped"]), st.integers(0, 16)
)
WALLS = st.builds(Wall, FRAMES, BORDERS)
TEAMS = st.lists(st.integers(0, 4), unique=True, max_size=5).map(tuple)


@st.composite
def cells(draw: st.DrawFn) -> Cell:
    kind = draw(st.sampled_from(KINDS))
    ghost = kind != "base" and draw(st.booleans())
    return Cell(
        kind=kind,
        level=draw(st.integers(1, 3)) if kind == "squeeze" else 0,
        depth=25 * draw(st.integers(0, 36)),
        token=draw(st.integers(0, 4)),
        pawns=draw(TEAMS),
        camps=draw(TEAMS),
        price=draw(st.none() | st.integers(1, 5)),
        near=draw(st.booleans()),
        last=draw(st.booleans()),
        ghost=ghost,
        hint=draw(st.sampled_from(["", "[r]otate", "回す"])),
    )


LOOKS = st.builds(Look, st.none() | cells(), FRAMES, WALLS, WALLS)


@pytest.mark.parametrize("glyphs", SETS.values(), ids=SETS.keys())
@pytest.mark.parametrize("zoom", ZOOMS)
@given(look=LOOKS)
def test_every_row_fills_its_cells_exactly(zoom, glyphs, look):
    columns, rows = PITCH[zoom]
    drawn = block(look, zoom, glyphs)
    assert len(drawn) == rows
    assert [width(text(row)) for row in drawn] == [columns] * rows
    assert {role for row in drawn for _, role in row} <= set(ROLES)


@given(look=LOOKS.filter(lambda look: look.cell is None or not look.cell.hint.startswith("回")))
def test_the_ascii_set_is_ascii(look):
    for zoom in ZOOMS:
        assert all(text(row).isascii() for row in block(look, zoom, ASCII))


def test_every_glyph_is_one_cell_and_known_to_plain_consoles():
    # What WGL4 has beyond code page 437.
    beyond = {"□"}
    for glyphs in (UNICODE, ASCII):
        signs = msgspec.structs.asdict(glyphs)
        signs |= signs.pop("kinds") | msgspec.structs.asdict(signs.pop("frame"))
        for glyph in signs.values():
            assert len(glyph) == width(glyph) == 1
            # The code page keeps ► ▼ ☼ ⌂ ♦ where other encodings have control codes.
            assert glyph in "►▼☼⌂♦" or glyph in beyond or glyph.encode("cp437")


def test_both_sets_tell_all_kinds_apart():
    for glyphs in (UNICODE, ASCII):
        assert set(glyphs.kinds) == set(KINDS)
        signs = [*glyphs.kinds.values(), glyphs.rock, glyphs.ghost, glyphs.token, glyphs.exit]
        assert len(set(signs)) == len(signs)


def test_names_keep_their_budget():
    assert set(TILE_NAMES) == set(KINDS)
    assert all(width(name) <= NAME_CELLS - (kind == "squeeze") for kind, name in TILE_NAMES.items())


@given(st.lists(st.text("aä漢字é́-", min_size=1, max_size=6), min_size=1, max_size=9), st.integers(14, 30))
def test_lines_are_wrapped_by_cells_and_lose_no_word(words: list[str], width: int) -> None:
    """A name of wide letters fills twice as many cells as it has letters."""
    lines = wrap(" ".join(words), width, indent=" ")
    assert all(cell_len(line) <= width for line in lines)
    assert " ".join(line.removeprefix(" ") for line in lines).split() == words


def test_fit_counts_wide_and_combining_characters():
    assert fit("洞窟", 5) == "洞窟 "
    assert fit("洞窟", 3) == "洞 "
    assert width(fit("e\u0301te\u0301", 4)) == 4


@pytest.mark.parametrize(
    "name",
    [
        "Ann \U0001f469\u200d\U0001f680",
        "a\U0001f469\u200d\U0001f469\u200d\U0001f467b",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f44d\U0001f3fd",
        "\u2764\ufe0f x",
        "1\ufe0f\u20e3",
        "\U0001f1eb\U0001f1f7",
        "\u0e01\u0e47",
        "\ud55c\uae00",
    ],
)
def test_names_have_the_width_that_the_screen_gives_them(name: str) -> None:
    """What a pane cuts or fills up is drawn by the library of the screen."""
    assert width(name) == cell_len(name)
    for cells in range(12):
        assert cell_len(fit(name, cells)) <= cells == width(fit(name, cells))


# Goldens: rows diff well, and the large ones are the drawings of the design, letter by letter.


def golden(name: str) -> list[str]:
    return (GOLDENS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("glyph_set", SETS)
@pytest.mark.parametrize("zoom", ZOOMS)
def test_placing_shows_the_ghost_as_it_would_lie(zoom, glyph_set):
    picture = map_picture(section_four.placing(), ghost=section_four.GHOST, last=[(1, 1)])
    lines = whole_map(picture, zoom, SETS[glyph_set])
    assert [line.rstrip() for line in lines] == golden(f"placing-{zoom}-{glyph_set}")


# The picture


def test_prices_are_those_of_the_cheapest_move_and_reach_fills_in_the_rest():
    reach = {(0, -1): 1, (-1, -1): 4}
    picture = map_picture(section_four.view(), section_four.choices(), reach=reach)
    squeeze = picture.cells[(0, -1)]
    assert (squeeze.price, squeeze.near) == (3, True)  # rule 5: 1 + level, whatever reach says
    beyond = picture.cells[(-1, -1)]
    assert (beyond.price, beyond.near) == (4, False)
    assert picture.cells[(-2, -1)].price is None


def test_a_watchers_picture_has_no_prices():
    assert all(cell.price is None for cell in map_picture(section_four.view()).cells.values())


def test_the_picture_tells_everything_on_a_tile():
    cell = map_picture(section_four.view(), last=[(-1, 1)]).cells[(-1, 1)]
    assert cell == Cell(kind="wonder", open="SW", depth=50, token=2, pawns=(0,), camps=(0,), last=True)
    assert map_picture(section_four.view()).cells[(0, 0)].start


def test_borders_say_what_it_takes_to_cross_them():
    picture = map_picture(section_four.view())
    expected = {
        ((-2, -1), (-1, -1)): Border("roped", 1),
        ((-2, 0), (-2, 1)): Border("unroped", 1),
        ((0, 0), (1, 0)): Border("passage"),
        ((-2, 0), (-1, 0)): Border("rock"),
        ((1, -1), (1, -2)): Border("exit"),
        ((1, 0), (2, 0)): Border("passage"),  # rule 4.4: a choke is open to what is open to it
        ((2, 0), (3, 0)): Border("rock"),  # rule 4.4: nothing is discovered from a choke
        ((-3, 2), (-2, 2)): None,
    }
    assert {places: border_between(picture, *places) for places in expected} == expected
    assert picture.bounds == (-2, -1, 2, 2)


def test_the_ghost_brings_its_own_borders_and_no_rock():
    picture = map_picture(section_four.placing(), ghost=section_four.GHOST)
    ghost = picture.cells[(2, -1)]
    # Turned once, the sides E and S are S and W; it is a level below B's tile (rule 4.5).
    assert (ghost.ghost, ghost.solid, ghost.open, ghost.depth) == (True, False, "SW", 25)
    assert border_between(picture, (1, -1), (2, -1)) == Border("unroped", 1)
    assert border_between(picture, (2, -1), (2, -2)) == Border("rock")
    other = map_picture(section_four.placing(), ghost=Ghost((2, -1), rotation=3))
    assert border_between(other, (1, -1), (2, -1)) == Border("rock")


# Single tiles


def inside(cell: Cell, zoom="L", glyphs=UNICODE) -> list[str]:
    drawn = block(Look(cell, "rock", Wall("rock"), Wall("rock")), zoom, glyphs)
    return [text(row)[1:] for row in drawn[1:]]


def test_five_pawns_and_camps_that_do_not_fit_are_counted():
    everyone = (0, 1, 2, 3, 4)
    assert inside(Cell(kind="base", pawns=everyone))[2] == "ABCDE   "
    assert inside(Cell(kind="base", pawns=everyone, camps=(1, 2)))[2] == "ABCDEbc "
    assert inside(Cell(kind="base", pawns=everyone, camps=(1, 2, 3)))[2] == "ABCDEbcd"
    assert inside(Cell(kind="base", pawns=everyone, camps=everyone))[2] == "ABCDE+5 "
    assert inside(Cell(kind="base", pawns=everyone, camps=(1, 2), last=True))[2] == "ABCDEbc«"
    assert inside(Cell(kind="base", pawns=everyone, camps=everyone, last=True))[2] == "ABCDE+5«"
    assert inside(Cell(kind="base", pawns=everyone), "M") == ["⌂+AB"]
    assert inside(Cell(kind="base", pawns=everyone, price=1), "M") == ["⌂1+A"]
    assert inside(Cell(kind="base", pawns=everyone), "S") == ["A"]


def test_a_choke_keeps_its_fill_and_still_tells_depth_and_price():
    assert inside(Cell(kind="choke")) == ["▓▓▓▓▓▓▓▓", "▓ CHOKE▓", "▓▓▓▓▓▓▓▓"]
    deep = Cell(kind="choke", depth=125, price=2, pawns=(1,))
    assert inside(deep) == ["▓ -125 2", "▓ CHOKE▓", "B▓▓▓▓▓▓▓"]
    assert inside(Cell(kind="choke"), "M", ASCII) == ["%%%%"]


@pytest.mark.parametrize("kind", ["plain", "descent", "choke"])
def test_only_the_depth_number_has_a_tint_in_the_bands_of_the_depth_tokens(kind):
    # Points for 25 m, for 50 m, and for 75 m and deeper (rule 7.5); the surface has none.
    for metres, role in (
        (25, "depth-1"),
        (50, "depth-2"),
        (75, "depth-3"),
        (100, "depth-3"),
        (225, "depth-3"),
    ):
        pieces = [piece for row in interior(Cell(kind=kind, depth=metres), "L", UNICODE) for piece in row]
        assert [text.strip() for text, found in pieces if found == role] == [f"-{metres}"]
        assert not any(found.startswith("depth") for _, found in pieces if found != role)
    flat = [role for row in interior(Cell(kind=kind), "L", UNICODE) for _, role in row]
    assert not any(role.startswith("depth-") for role in flat)


def test_many_ropes_keep_their_number():
    north, west = Wall("rock", Border("unroped", 12)), Wall("rock", Border("roped", 12))
    look = Look(Cell(kind="plain"), "rock", north, west)
    rows = [text(row) for row in block(look, "L", UNICODE)]
    assert rows[0] == "▒▒▒!12!▒▒"
    assert [row[:3] for row in rows[2:]] == ["╫0 ", "12 "]


def test_ropes_in_place_and_ropes_missing_differ_without_colour_at_every_zoom():
    for zoom in ZOOMS:
        for glyphs in SETS.values():
            pictures = set()
            for kind in ("passage", "rock", "exit", "roped", "unroped"):
                wall = Wall("rock", Border(kind, 1))
                look = Look(Cell(kind="plain"), "rock", wall, wall)
                pictures.add(tuple(text(row) for row in block(look, zoom, glyphs)))
            assert len(pictures) == 5


def test_nothing_looks_like_nothing():
    assert look_at(EMPTY, (7, 7)) is VOID
    for zoom in ZOOMS:
        assert all(not text(row).strip() for row in block(VOID, zoom, UNICODE))


def test_an_empty_picture_is_one_blank_place():
    assert whole_map(MapPicture({}, {}, (0, 0, 0, 0)), "L", UNICODE) == [" " * 10] * 5
