"""The colours of the board by theme and tier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cave.sir_ocelots_cave.components import CELESTITES
from client.games.sir_ocelots_cave.gem_signs import SHAPES
from client.settings.appearance import OWN_THEMES
from client.tui.canvas import BLACK, WHITE, Rgb, parse_inks, parse_rgb
from client.tui.colour_tiers import SIXTEEN, Colours, colour_256, one_step_256

Inks = Mapping[str, Rgb]
Grounds = tuple[Rgb, Rgb, Rgb]  # of the levels, from the first


class Palette(NamedTuple):
    dark: bool
    night: Rgb
    rock: Rgb
    levels: Grounds
    names: Grounds  # the names of the levels
    flat: Grounds  # the levels in 256 colours: their shades would be grey
    edges: Grounds  # the left edges of squares there
    flat_plain: Rgb  # squares with pictures
    flat_lit: Rgb
    flat_warm: Rgb
    ray: Rgb  # the colour mixed into squares in sight
    warm: Rgb  # the colour mixed into squares that lack one tool
    won: Rgb  # the ground of collected gems
    taken: Rgb  # the same under letters, and the ink on it
    on_taken: Rgb
    stone: Rgb
    laid: Rgb
    held: Rgb
    text: Rgb
    dim: Rgb
    mark: Rgb
    cursor: Rgb
    shadow: Rgb  # the colour mixed into empty squares
    gems: Mapping[str, Inks]  # the inks of the pictures, by the letters of their shapes
    signs: Inks  # the one ink of a gem or tool: on the board in signs, and in texts beside it
    tools: Inks


"""Gems that their outlines distinguish."""

DARK = Palette(
    dark=True,
    night=parse_rgb("0a090c"),
    rock=parse_rgb("2b272e"),
    levels=(parse_rgb("122542"), parse_rgb("143a27"), parse_rgb("471a22")),
    names=(parse_rgb("5f8fd6"), parse_rgb("43b27a"), parse_rgb("e0606f")),
    flat=(colour_256(17), colour_256(22), colour_256(52)),
    edges=(colour_256(19), colour_256(22), colour_256(88)),
    flat_plain=colour_256(235),
    flat_lit=colour_256(240),
    flat_warm=colour_256(94),
    ray=parse_rgb("f2c35a"),
    warm=parse_rgb("50380f"),
    won=parse_rgb("14663a"),
    taken=parse_rgb("8ff0a8"),
    on_taken=BLACK,
    stone=parse_rgb("26221f"),
    laid=parse_rgb("4d453d"),
    held=parse_rgb("7a5a20"),
    text=parse_rgb("f4ecdf"),
    dim=parse_rgb("b9ac97"),
    mark=parse_rgb("ffc861"),
    cursor=parse_rgb("fff0c4"),
    shadow=parse_rgb("0a090c"),
    gems={
        "rock_crystal": parse_inks("a eef6ff b a9c4de"),
        **dict.fromkeys(CELESTITES, parse_inks("a cfe6ff b 8db9ea")),
        "opal": parse_inks("a ffd0ea b b7f0ea c e8d7ff"),
        "emerald": parse_inks("a 35c26f b 14874a c 9af0ba"),
        "red_beryl": parse_inks("a ff8d86 b b3202c c ee4450"),
        "geode": parse_inks("g 77695c v 4a2f70 V b48cff"),
    },
    signs=parse_inks(
        "rock_crystal eef6ff celestite_sun 9fcbff celestite_crescent 9fcbff celestite_star 9fcbff "
        "opal ffd0ea emerald 35c26f red_beryl ff8d86 geode c9a8ff amethyst c9a8ff "
        "compass ff8f70 lamp ffd257 pickaxe dfe7f0"
    ),
    tools=parse_inks("y ffd257 k 6b6258 s dfe7f0 n b07b45 r ff8f70 w fff4e6"),
)
LIGHT = Palette(
    dark=False,
    night=parse_rgb("f5f0e6"),
    rock=parse_rgb("c9b791"),
    levels=(parse_rgb("bdd0f2"), parse_rgb("b6e0c0"), parse_rgb("f2c0bd")),
    names=(parse_rgb("1f4f96"), parse_rgb("1b6438"), parse_rgb("9c2330")),
    flat=(colour_256(189), colour_256(194), colour_256(224)),
    edges=(colour_256(111), colour_256(114), colour_256(174)),
    flat_plain=colour_256(254),
    flat_lit=colour_256(222),
    flat_warm=colour_256(223),
    ray=parse_rgb("e0a21c"),
    warm=parse_rgb("f3d9a4"),
    won=parse_rgb("8fd6a6"),
    taken=parse_rgb("8fd6a6"),
    on_taken=BLACK,
    stone=parse_rgb("dccfb6"),
    laid=parse_rgb("d2c3a8"),
    held=parse_rgb("e8b24a"),
    text=parse_rgb("2a231b"),
    dim=parse_rgb("493d2c"),
    mark=parse_rgb("852b00"),
    cursor=parse_rgb("ae4500"),
    shadow=parse_rgb("f5f0e6"),
    gems={
        "rock_crystal": parse_inks("a 64778f b 3c4c62"),
        **dict.fromkeys(CELESTITES, parse_inks("a 1f69b5 b 0d4480")),
        "opal": parse_inks("a c0458a b 23837c c 7a62c4"),
        "emerald": parse_inks("a 138a4c b 075c2e c 3aa76a"),
        "red_beryl": parse_inks("a d43a44 b 861420 c b3222e"),
        "geode": parse_inks("g 6b5d50 v 3f2466 V 9068d6"),
    },
    signs=parse_inks(
        "rock_crystal 44556b celestite_sun 0f549c celestite_crescent 0f549c celestite_star 0f549c "
        "opal a0286c emerald 056031 red_beryl a81f2a geode 6a35b0 amethyst 6a35b0 "
        "compass 8c1d00 lamp 5f5a00 pickaxe 1f3f74"
    ),
    tools=parse_inks("y 9a6e00 k 3f3830 s 4a5a70 n 7a4a1c r b8401c w fff4e6"),
)
# Bluish green and orange: distinguishable with any colour vision.
APART = DARK._replace(
    gems={
        **DARK.gems,
        "emerald": parse_inks("a 1fb592 b 00785f c 8fe8cf"),
        "red_beryl": parse_inks("a ffb866 b a85400 c f08a24"),
    },
    signs={**DARK.signs, **parse_inks("emerald 1fb592 red_beryl ffb866")},
)
STARK = DARK._replace(
    night=parse_rgb("000000"),
    rock=parse_rgb("363636"),
    levels=(parse_rgb("000038"), parse_rgb("003018"), parse_rgb("400000")),
    names=(parse_rgb("8c8cff"), parse_rgb("00ff80"), parse_rgb("ff8080")),
    ray=parse_rgb("b0a000"),
    warm=parse_rgb("5a4400"),
    won=parse_rgb("007a30"),
    taken=parse_rgb("00ff66"),
    stone=parse_rgb("3c3c3c"),
    laid=parse_rgb("5c5c5c"),
    held=parse_rgb("8a6a00"),
    text=parse_rgb("ffffff"),
    dim=parse_rgb("d0d0d0"),
    mark=parse_rgb("ffff00"),
    cursor=parse_rgb("ffffff"),
    shadow=parse_rgb("000000"),
    gems={**DARK.gems, **dict.fromkeys(CELESTITES, parse_inks("a e0ffff b 8ce8ff"))},
    signs={
        **DARK.signs,
        **dict.fromkeys(CELESTITES, parse_rgb("c0ffff")),
        **parse_inks("emerald 5fffaf geode e4ccff amethyst e4ccff"),
    },
)


FEW = DARK._replace(
    night=BLACK,
    rock=BLACK,
    names=(SIXTEEN[14], SIXTEEN[10], SIXTEEN[9]),
    flat=(BLACK,) * 3,
    edges=(SIXTEEN[6], SIXTEEN[2], SIXTEEN[1]),
    flat_plain=BLACK,
    flat_lit=SIXTEEN[8],
    flat_warm=SIXTEEN[3],
    ray=SIXTEEN[11],
    taken=SIXTEEN[10],
    stone=SIXTEEN[8],
    laid=SIXTEEN[8],
    held=SIXTEEN[3],
    text=WHITE,
    dim=SIXTEEN[7],
    mark=SIXTEEN[11],
    cursor=WHITE,
    gems={
        **DARK.gems,
        **dict.fromkeys(CELESTITES, parse_inks("a 55ffff b 00aaaa")),
        "opal": parse_inks("a ffffff b 55ffff c ff55ff"),
        "emerald": parse_inks("a 00aa00 b 00aa00 c 55ff55"),
        "red_beryl": parse_inks("a ff5555 b aa0000 c ff5555"),
        "geode": parse_inks("g 555555 v aa00aa V ff55ff"),
    },
    signs=parse_inks(
        "rock_crystal aaaaaa celestite_sun 55ffff celestite_crescent 55ffff celestite_star 55ffff "
        "opal ffffff emerald 55ff55 red_beryl ff5555 geode ff55ff amethyst ff55ff "
        "compass ff5555 lamp ffff55 pickaxe ffffff"
    ),
)
# In ASCII only pieces and the cursor have a ground.
ASCII = FEW._replace(
    edges=(SIXTEEN[8],) * 3,
    flat_lit=BLACK,
    flat_warm=BLACK,
    taken=BLACK,
    stone=BLACK,
    laid=BLACK,
    held=BLACK,
    on_taken=SIXTEEN[10],
    gems={**FEW.gems, "rock_crystal": {"a": WHITE}, "opal": {"a": SIXTEEN[7]}},
    signs={**FEW.signs, "rock_crystal": WHITE, "opal": SIXTEEN[7]},
)
_WHITE_AND_BLACK = {letter: (BLACK, WHITE)[letter in "acgVrsny"] for letter in "abcgvVrwsnyk"}
# Gems without colours are white drawings on black; shades of grey would blur their shapes.
GREY = ASCII._replace(
    ray=SIXTEEN[8], gems=dict.fromkeys(SHAPES, parse_inks("a ffffff V ffffff")), tools=_WHITE_AND_BLACK
)
BY_THEME: Mapping[str, Palette] = {"cave-colour-blind": APART, "cave-high-contrast": STARK}
assert {*BY_THEME} <= {*OWN_THEMES}


def gem_palette(theme: str, *, dark: bool, colours: Colours = "truecolor", glyphs: str = "fine") -> Palette:
    if colours in ("16", "none"):
        return GREY if colours == "none" else ASCII if glyphs == "ascii" else FEW
    found = BY_THEME.get(theme) or (DARK if dark else LIGHT)
    if colours != "256" or not dark:
        return found
    signs = {**found.signs, "emerald": one_step_256(found.signs["emerald"], darker=False)}
    return found._replace(taken=colour_256(28), on_taken=WHITE, signs=signs)


def main_gem_ink(gem: str) -> str:
    """Return the letter of the main ink of a gem's picture."""
    return "V" if gem == "geode" else "a"
