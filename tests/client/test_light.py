"""The painter's light, textures, carved squares and tiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.games.the_cave.cave_light import BRIGHTEST, PlaceLight
from client.games.the_cave.palette import LOOKS, NIGHT, PaletteShades
from client.tui.canvas import contrast, luminance
from client.tui.colour_tiers import COLOURS_256, TRUECOLOR


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
