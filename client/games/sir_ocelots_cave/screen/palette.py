"""The colours of the board for each theme: its grounds, and the inks of gems and tools.

Pale gems shine in the dark and are lost on paper, and red and green are one to many eyes: so there is a table
for dark themes, one for light ones, and one for those who do not see all colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cave.sir_ocelots_cave.components import CELESTITES
from client.settings.appearance import OWN_THEMES
from client.tui.paint.colour import Rgb, rgb
from client.tui.paint.tiers import colour_256

Inks = Mapping[str, Rgb]
Grounds = tuple[Rgb, Rgb, Rgb]
"""Those of the levels, from the first."""
SEEN = 3.0
"""The least contrast of a picture and its ground (WCAG 2.1, 1.4.11)."""


class Palette(NamedTuple):
    """The colours of the board."""

    dark: bool
    night: Rgb
    speck: Rgb
    levels: Grounds
    names: Grounds
    """The names of the levels."""
    flat: Grounds
    """The levels where there are 256 colours: shades of theirs would be greys."""
    flat_empty: Rgb
    flat_lit: Rgb
    ray: Rgb
    """The colour that is mixed into squares in sight."""
    stone: Rgb
    laid: Rgb
    held: Rgb
    text: Rgb
    dim: Rgb
    mark: Rgb
    cursor: Rgb
    shadow: Rgb
    """The colour that is mixed into empty squares."""
    gems: Mapping[str, Inks]
    """The inks of the pictures, by the letters of their shapes."""
    signs: Inks
    """The one ink of a gem or a tool: on the board in signs, and in all that is said beside it."""
    tools: Inks
    """The inks of the pictures of tools."""


def _inks(text: str) -> Inks:
    """Return inks by name or letter, as ``name colour`` one after the other."""
    words = text.split()
    return {name: rgb(colour) for name, colour in zip(words[::2], words[1::2], strict=True)}


DARK = Palette(
    dark=True,
    night=rgb("0a090c"),
    speck=rgb("1a161c"),
    levels=(rgb("122542"), rgb("143a27"), rgb("471a22")),
    names=(rgb("5f8fd6"), rgb("43b27a"), rgb("e0606f")),
    flat=(colour_256(17), colour_256(22), colour_256(52)),
    flat_empty=colour_256(234),
    flat_lit=colour_256(58),
    ray=rgb("f2c35a"),
    stone=rgb("26221f"),
    laid=rgb("4d453d"),
    held=rgb("7a5a20"),
    text=rgb("f4ecdf"),
    dim=rgb("b9ac97"),
    mark=rgb("ffc861"),
    cursor=rgb("fff0c4"),
    shadow=rgb("0a090c"),
    gems={
        "rock_crystal": _inks("a eef6ff b a9c4de"),
        **dict.fromkeys(CELESTITES, _inks("a cfe6ff b 8db9ea")),
        "opal": _inks("a ffd0ea b b7f0ea c e8d7ff"),
        "emerald": _inks("a 35c26f b 14874a c 9af0ba"),
        "red_beryl": _inks("a ff8d86 b b3202c c ee4450"),
        "geode": _inks("g 77695c v 4a2f70 V b48cff"),
    },
    signs=_inks(
        "rock_crystal eef6ff celestite_sun 9fcbff celestite_crescent 9fcbff celestite_star 9fcbff "
        "opal ffd0ea emerald 35c26f red_beryl ff8d86 geode c9a8ff amethyst c9a8ff "
        "compass ff8f70 lamp ffd257 pickaxe dfe7f0"
    ),
    tools=_inks("y ffd257 k 6b6258 s dfe7f0 n b07b45 r ff8f70 w fff4e6"),
)
LIGHT = Palette(
    dark=False,
    night=rgb("f5f0e6"),
    speck=rgb("e6dece"),
    levels=(rgb("cfdcf0"), rgb("cfe6d4"), rgb("f2d3d2")),
    names=(rgb("1f4f96"), rgb("1b6438"), rgb("9c2330")),
    flat=(colour_256(189), colour_256(194), colour_256(224)),
    flat_empty=colour_256(254),
    flat_lit=colour_256(222),
    ray=rgb("e0a21c"),
    stone=rgb("e4d9c6"),
    laid=rgb("d2c3a8"),
    held=rgb("e8b24a"),
    text=rgb("2a231b"),
    dim=rgb("493d2c"),
    mark=rgb("852b00"),
    cursor=rgb("b34700"),
    shadow=rgb("f5f0e6"),
    gems={
        "rock_crystal": _inks("a 64778f b 3c4c62"),
        **dict.fromkeys(CELESTITES, _inks("a 1f69b5 b 0d4480")),
        "opal": _inks("a c0458a b 23837c c 7a62c4"),
        "emerald": _inks("a 138a4c b 075c2e c 3aa76a"),
        "red_beryl": _inks("a d43a44 b 861420 c b3222e"),
        "geode": _inks("g 6b5d50 v 3f2466 V 9068d6"),
    },
    signs=_inks(
        "rock_crystal 44556b celestite_sun 0f549c celestite_crescent 0f549c celestite_star 0f549c "
        "opal a0286c emerald 056031 red_beryl a81f2a geode 6a35b0 amethyst 6a35b0 "
        "compass 8c1d00 lamp 5f5a00 pickaxe 1f3f74"
    ),
    tools=_inks("y 9a6e00 k 3f3830 s 4a5a70 n 7a4a1c r b8401c w fff4e6"),
)
# Bluish green and orange: no eye takes one for the other.
APART = DARK._replace(
    gems={
        **DARK.gems,
        "emerald": _inks("a 1fb592 b 00785f c 8fe8cf"),
        "red_beryl": _inks("a ffb866 b a85400 c f08a24"),
    },
    signs={**DARK.signs, **_inks("emerald 1fb592 red_beryl ffb866")},
)
BY_THEME: Mapping[str, Palette] = {"cave-colour-blind": APART}
assert {*BY_THEME} <= {*OWN_THEMES}

GROUNDS: Mapping[str, Mapping[str, Grounds]] = {
    "cave-high-contrast": {
        "truecolor": (rgb("00005f"), rgb("003c1e"), rgb("5f0000")),
        "256": (colour_256(17), colour_256(235), colour_256(52)),
    }
}
"""The grounds of squares in signs, for themes in which all signs can be read on them."""


def palette(theme: str, *, dark: bool) -> Palette:
    """Return the colours of the board in a theme."""
    return BY_THEME.get(theme) or (DARK if dark else LIGHT)


def main(gem: str) -> str:
    """Return the letter of the ink by which the picture of a gem is found."""
    return "V" if gem == "geode" else "a"
