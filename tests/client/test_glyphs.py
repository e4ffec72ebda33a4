"""Glyphs and the map's picture: widths, goldens, and the meaning of each mark. No terminal."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from client.games.the_cave.cave_light import Look, look_at
from client.games.the_cave.map_signs import ASCII, PITCHES, ROLES, SETS, UNICODE, ZOOMS, GlyphSet, Zoom
from client.games.the_cave.picture import Border, Cell, MapPicture
from client.games.the_cave.sign_painter import cells as cells_of
from client.present.cells import cell_width
from client.tui.widgets.panel import wrap
from tests.effort import effort

KINDS = ("plain", "water", "wonder", "squeeze", "descent", "choke", "base")

BORDERS = st.none() | st.builds(
    Border, st.sampled_from(["passage", "rock", "exit", "roped", "unroped"]), st.integers(0, 16)
)
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
    )


@st.composite
def looks(draw: st.DrawFn) -> Look:
    """A place among others, with borders of every kind."""
    places = draw(st.dictionaries(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), cells(), max_size=9))
    sides = (((0, -1), (0, 0)), ((-1, 0), (0, 0)))
    borders = {side: border for side in sides if (border := draw(BORDERS)) is not None}
    return look_at(MapPicture(places, borders, (-1, -1, 1, 1)), lambda _: 0, (0, 0))


def text(look: Look, zoom: Zoom, glyphs: GlyphSet) -> list[str]:
    return ["".join(sign for sign, _ in row) for row in cells_of(look, zoom, glyphs)]


@pytest.mark.parametrize("glyphs", SETS.values(), ids=SETS.keys())
@pytest.mark.parametrize("zoom", ZOOMS)
@settings(max_examples=effort(30, 500))
@given(look=looks())
def test_every_row_fills_its_cells_exactly(zoom, glyphs, look):
    columns, rows = PITCHES[zoom]
    drawn = cells_of(look, zoom, glyphs)
    assert [len(row) for row in drawn] == [columns] * rows
    assert {len(sign) for row in drawn for sign, _ in row} == {1}
    assert {role for row in drawn for _, role in row} <= set(ROLES)


@given(look=looks())
def test_the_ascii_set_is_ascii(look):
    for zoom in ZOOMS:
        assert all(row.isascii() for row in text(look, zoom, ASCII))


def test_every_glyph_is_one_cell_and_known_to_plain_consoles():
    for glyphs in (UNICODE, ASCII):
        signs = msgspec.structs.asdict(glyphs)
        signs |= signs.pop("kinds") | msgspec.structs.asdict(signs.pop("frame"))
        for glyph in signs.values():
            assert len(glyph) == cell_width(glyph) == 1
            # The code page has ► ▼ ☼ ⌂ ♦ where other encodings have control codes.
            assert glyph in "►▼☼⌂♦" or glyph.encode("cp437")


@given(st.lists(st.text("aä漢字é́-", min_size=1, max_size=6), min_size=1, max_size=9), st.integers(14, 30))
def test_lines_are_wrapped_by_cells_and_lose_no_word(words: list[str], width: int) -> None:
    """A name of wide letters fills twice as many cells as it has letters."""
    lines = wrap(" ".join(words), width, indent=" ")
    assert all(cell_len(line) <= width for line in lines)
    assert " ".join(line.removeprefix(" ") for line in lines).split() == words
