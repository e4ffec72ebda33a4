"""The painter's colours, noise and canvas."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.games.the_cave.cave_light import BRIGHTEST, PlaceLight
from client.games.the_cave.palette import LOOKS, NIGHT, PaletteShades
from client.tui.canvas import (
    BLACK,
    CONTRAST,
    WHITE,
    Cell,
    Rgb,
    cell_segments,
    contrast,
    drawn_pixels,
    luminance,
    mix,
    parse_rgb,
    pixel_cells,
    readable_ink,
)
from client.tui.colour_tiers import COLOURS_256, FULL_TONE, SIXTEEN, TRUECOLOR, in_few

part = st.integers(0, 255)
colours = st.builds(Rgb, part, part, part)


@given(colours, colours)
def test_an_ink_is_readable_on_any_ground(ink: Rgb, ground: Rgb) -> None:
    assert contrast(readable_ink(ink, ground), ground) >= CONTRAST


@given(st.lists(st.builds(Cell, st.sampled_from(" ▚x"), colours, colours, st.booleans()), max_size=12))
def test_pieces_hold_every_glyph_on_its_ground(cells: list[Cell]) -> None:
    glyphs = [(glyph, piece.style) for piece in cell_segments(cells) for glyph in piece.text]
    assert [glyph for glyph, _ in glyphs] == [cell.glyph for cell in cells]
    for cell, (_, style) in zip(cells, glyphs, strict=True):
        assert tuple(style.bgcolor.triplet or ()) == cell.ground
        if cell.glyph != " ":
            assert tuple(style.color.triplet or ()) == cell.ink
            assert bool(style.bold) is cell.bold


MODULES = (
    "client.tui.canvas",
    "client.tui.colour_tiers",
    "client.tui.chooser",
    "client.games.the_cave.cave_light",
    "client.games.the_cave.lit_painter",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried, f"{name} has no example"
    assert not failed


# Light and floors of The Cave


def powers(sources: Mapping[int, float]) -> Callable[[int], float]:
    return lambda place: sources.get(place, 0.0)


def corridor(rock: int = 99) -> PlaceLight[int]:
    """Places in a row, with rock before one of them."""

    def ways(at: int) -> Iterator[tuple[int, float]]:
        for to in (at - 1, at + 1):
            if max(at, to) != rock:
                yield to, 1.0

    return PlaceLight(ways)


@given(st.dictionaries(st.integers(-4, 4), st.floats(0.1, 1.0), max_size=5), st.integers(-4, 4))
def test_more_light_makes_nothing_darker_nor_too_bright(sources: Mapping[int, float], at: int) -> None:
    light = corridor()
    light.shine(powers(sources))
    before = [light.level(place) for place in range(-5, 6)]
    light.shine(powers({**sources, at: 1.0}))
    after = [light.level(place) for place in range(-5, 6)]
    assert all(old <= new <= BRIGHTEST for old, new in zip(before, after, strict=True))


@given(
    st.dictionaries(st.integers(-4, 4), st.floats(0.1, 1.0), max_size=3),
    st.dictionaries(st.integers(-4, 4), st.floats(0.1, 1.0), max_size=3),
)
def test_every_place_with_changed_brightness_is_returned(
    before: Mapping[int, float], after: Mapping[int, float]
) -> None:
    light = corridor()
    light.shine(powers(before))
    old = {place: light.level(place) for place in range(-8, 9)}
    told = light.shine(powers(after))
    assert {place for place, level in old.items() if light.level(place) != level} <= told


# Squares


def test_in_256_colours_a_lit_tunnel_is_browner_than_a_wonder() -> None:
    shades = PaletteShades(NIGHT, COLOURS_256)
    tunnel, wonder = (
        mix(shades.lit_floor(name, BRIGHTEST, 0), shades.half_tone(name, BRIGHTEST) or BLACK, share)
        for name, share in (("plain", 0.5), ("wonder", 0.0))
    )
    assert shades.floor_glyph("plain", BRIGHTEST) == FULL_TONE, "half of its ink"
    assert not shades.floor_glyph("wonder", BRIGHTEST), "the whole tile has one colour"
    assert tunnel.blue - wonder.blue > 40


@pytest.mark.parametrize("palette", [NIGHT, *(palette for palette, _ in LOOKS.values())])
def test_every_floor_shows_in_its_rock_and_lets_words_be_read(palette: object) -> None:
    shades, few = (PaletteShades(palette, tier) for tier in (TRUECOLOR, COLOURS_256))  # type: ignore[arg-type]
    for floor in shades.palette.floors:
        for level in range(-2, BRIGHTEST + 2):
            for depth in range(4):
                lit = shades.lit_floor(floor, level, depth)
                assert luminance(lit) <= shades.palette.brightest
                for each in (shades, few):
                    apart = contrast(each.lit_floor(floor, level, depth), each.rock_ground(level, depth))
                    assert apart >= each.palette.apart


@pytest.mark.parametrize("brown", ["b8a98d", "c9b896", "e3cf9f", "d8c8a6"])
def test_in_256_colours_brown_paper_is_not_olive(brown: str) -> None:
    red, green, _ = COLOURS_256.shown(parse_rgb(brown))
    assert red > green


# Half-block pixels


def test_two_pixels_share_a_cell_and_equal_ones_are_a_space() -> None:
    red = Rgb(200, 0, 0)
    image = drawn_pixels(("r.", "rr"), {"r": red}, BLACK)
    assert list(pixel_cells(image)) == [[Cell(" ", red, red), Cell("▀", BLACK, red)]]


@pytest.mark.parametrize(
    ("glyphs", "coloured", "drawn"),
    [("fine", True, "▀▄█▀ "), ("fine", False, "▀▄█▀ "), ("ascii", True, "++#* "), ("ascii", False, "++#* ")],
)
def test_pixels_in_few_colours(glyphs: str, coloured: bool, drawn: str) -> None:
    grey, ground = Rgb(100, 100, 100), BLACK
    pairs = (WHITE, ground), (ground, WHITE), (WHITE, WHITE), (WHITE, grey), (ground, ground)
    (cells,) = pixel_cells([list(row) for row in zip(*pairs, strict=True)])
    found = [in_few(cell, ground, glyphs, coloured=coloured) for cell in cells]
    assert "".join(glyph for glyph, _ in found) == drawn
    assert found[0][1].color == found[1][1].color


@pytest.mark.parametrize("under", [each for each in SIXTEEN if each != BLACK])
@pytest.mark.parametrize("ink", [Rgb(95, 0, 0), Rgb(246, 211, 101), Rgb(240, 240, 240)])
def test_letters_in_few_colours_are_readable(ink: Rgb, under: Rgb) -> None:
    _, style = in_few(Cell("+", ink, under, bold=True), BLACK, "fine", coloured=True)
    shown = [SIXTEEN[each.number] for each in (style.color, style.bgcolor)]
    assert contrast(*shown) >= CONTRAST
