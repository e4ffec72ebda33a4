"""Glyphs and the map's picture: widths, goldens, and what each mark says. No terminal."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from client.games.the_cave.board.glyphs.looks import Look, Wall
from client.games.the_cave.board.glyphs.sets import (
    ASCII,
    PITCH,
    ROLES,
    SETS,
    UNICODE,
    ZOOMS,
)
from client.games.the_cave.board.glyphs.tiles import block, text
from client.games.the_cave.known.picture import (
    Border,
    Cell,
    Ghost,
    border_between,
    map_picture,
)
from client.present.cells import fit, width
from client.tui.widgets.panel import wrap
from tests.client import section_four

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


# The picture


def test_prices_are_those_of_the_cheapest_move_and_reach_fills_in_the_rest():
    reach = {(0, -1): 1, (-1, -1): 4}
    picture = map_picture(section_four.view(), section_four.choices(), reach=reach)
    squeeze = picture.cells[(0, -1)]
    assert (squeeze.price, squeeze.near) == (3, True)  # rule 5: 1 + level, whatever reach says
    beyond = picture.cells[(-1, -1)]
    assert (beyond.price, beyond.near) == (4, False)
    assert picture.cells[(-2, -1)].price is None


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


def test_ropes_in_place_and_ropes_missing_differ_without_colour_at_every_zoom():
    for zoom in ZOOMS:
        for glyphs in SETS.values():
            pictures = set()
            for kind in ("passage", "rock", "exit", "roped", "unroped"):
                wall = Wall("rock", Border(kind, 1))
                look = Look(Cell(kind="plain"), "rock", wall, wall)
                pictures.add(tuple(text(row) for row in block(look, zoom, glyphs)))
            assert len(pictures) == 5
