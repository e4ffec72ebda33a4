"""What gems and tools look like: signs for every terminal, pictures where there are colours for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cave.sir_ocelots_cave.components import Gem, Tool
from client.games.sir_ocelots_cave.terms import POINTS
from client.tui.paint.colour import Rgb, rgb
from client.tui.roles import PANELS, SEATS, Hue

# Each gem has a sign of its own, so that colour is never needed to tell them apart.
SIGNS: Mapping[str, Mapping[Gem, str]] = {
    "unicode": {
        "rock_crystal": "▲",
        "celestite_sun": "☼",
        "celestite_crescent": "(",
        "celestite_star": "*",
        "opal": "●",
        "emerald": "■",
        "red_beryl": "♦",
        "geode": "◘",
    },
    "ascii": {
        "rock_crystal": "^",
        "celestite_sun": "o",
        "celestite_crescent": "(",
        "celestite_star": "*",
        "opal": "@",
        "emerald": "#",
        "red_beryl": "$",
        "geode": "&",
    },
}
WORTH: Mapping[str, str] = {gem: str(POINTS.get(gem, "A")) for gem in SIGNS["ascii"]}
"""What stands beside a gem: its points, or an A for an amethyst."""
FREE = {"unicode": "·", "ascii": "."}
MARKS = {"": " ", "short": "!", "gain": "+", "take": "+", "leave": "-"}

SHAPES: Mapping[str, tuple[str, ...]] = {
    "rock_crystal": ("..aa..", ".aab..", ".aabb.", ".aabb.", ".aabb.", "..bb.."),
    "celestite_sun": ("a.aa.a", ".aaaa.", "aaaaab", "aaaabb", ".abbb.", "a.bb.b"),
    "celestite_crescent": ("..aaa.", ".aaa..", ".aa...", ".aa...", ".abb..", "..bbb."),
    "celestite_star": ("..aa..", "..aa..", "aaaabb", ".aabb.", ".a..b.", "a....b"),
    "opal": (".aabb.", "aabbcc", "abbcca", "bbccaa", "bccaab", ".caab."),
    "emerald": (".cccc.", "caaaab", "cabbab", "cabbab", "caaaab", ".bbbb."),
    "red_beryl": ("..ac..", ".aacb.", "aaccbb", "aaccbb", ".acbb.", "..cb.."),
    "geode": (".gggg.", "ggvvgg", "gvVVvg", "gvVVvg", "ggvvgg", ".gggg."),
}
"""Pictures of six by six pixels."""
SMALL: Mapping[Gem, tuple[str, ...]] = {
    "rock_crystal": (".aa.", ".aab", ".aab", ".bb."),
    "celestite_sun": ("a..a", ".aa.", ".bb.", "b..b"),
    "celestite_crescent": (".aa.", "aa..", "ab..", ".bb."),
    "celestite_star": (".a..", "aaab", ".ab.", "a..b"),
    "opal": (".ab.", "abbc", "bcca", ".ca."),
    "emerald": ("cccc", "caab", "caab", "bbbb"),
    "red_beryl": (".ac.", "aacb", "accb", ".cb."),
    "geode": (".gg.", "gvVg", "gVvg", ".gg."),
}
"""The same in four by four pixels."""
INKS: Mapping[str, Mapping[str, Rgb]] = {
    gem: {letter: rgb(colour) for letter, colour in inks.items()}
    for gem, inks in {
        "rock_crystal": {"a": "eef6ff", "b": "a9c4de"},
        "celestite_sun": {"a": "cfe6ff", "b": "8db9ea"},
        "celestite_crescent": {"a": "cfe6ff", "b": "8db9ea"},
        "celestite_star": {"a": "cfe6ff", "b": "8db9ea"},
        "opal": {"a": "ffd0ea", "b": "b7f0ea", "c": "e8d7ff"},
        "emerald": {"a": "35c26f", "b": "14874a", "c": "9af0ba"},
        "red_beryl": {"a": "ff8d86", "b": "b3202c", "c": "ee4450"},
        "geode": {"g": "77695c", "v": "4a2f70", "V": "b48cff"},
    }.items()
}
MAIN: Mapping[str, Rgb] = {
    "rock_crystal": rgb("eef6ff"),
    "celestite_sun": rgb("cfe6ff"),
    "celestite_crescent": rgb("cfe6ff"),
    "celestite_star": rgb("cfe6ff"),
    "opal": rgb("ffd0ea"),
    "emerald": rgb("35c26f"),
    "red_beryl": rgb("ff8d86"),
    "geode": rgb("c9a8ff"),
}
"""The ink of a gem's sign."""
TOOL_INKS: Mapping[str, Rgb] = {"compass": rgb("ff8f70"), "lamp": rgb("ffd257"), "pickaxe": rgb("dfe7f0")}
TOOL_SHAPES: Mapping[Tool, tuple[str, ...]] = {
    "compass": (".rr.", "rwwr", "rwwr", ".rr."),
    "lamp": (".yy.", "yyyy", ".yy.", ".kk."),
    "pickaxe": ("ssss", "s.n.", ".n..", "n..."),
}
TOOL_PIXELS: Mapping[str, Rgb] = {
    letter: rgb(colour)
    for letter, colour in {
        "y": "ffd257",
        "k": "6b6258",
        "s": "dfe7f0",
        "n": "b07b45",
        "r": "ff8f70",
        "w": "fff4e6",
    }.items()
}
STONE = ("..oo..", ".oooo.", "oooooo", "oooooo", ".oooo.", "..oo..")
SMALL_STONE = (".oo.", "oooo", "oooo", ".oo.")
MOTH = ("b....b", "bb..bb", "bbbbbb", "bbbbbb", "b.bb.b", "......")


class Lights(NamedTuple):
    """The colours of the board, one set for dark themes and one for light ones."""

    night: Rgb
    speck: Rgb
    levels: tuple[Rgb, Rgb, Rgb]
    ray: Rgb
    """What squares in sight are mixed with."""
    stone: Rgb
    laid: Rgb
    held: Rgb
    text: Rgb
    dim: Rgb
    mark: Rgb
    cursor: Rgb
    shadow: Rgb
    """What an empty square is mixed with."""


DARK = Lights(
    night=rgb("0a090c"),
    speck=rgb("1a161c"),
    levels=(rgb("122542"), rgb("143a27"), rgb("471a22")),
    ray=rgb("f2c35a"),
    stone=rgb("26221f"),
    laid=rgb("4d453d"),
    held=rgb("7a5a20"),
    text=rgb("f4ecdf"),
    dim=rgb("b9ac97"),
    mark=rgb("ffc861"),
    cursor=rgb("fff0c4"),
    shadow=rgb("0a090c"),
)
LIGHT = Lights(
    night=rgb("f5f0e6"),
    speck=rgb("e6dece"),
    levels=(rgb("cfdcf0"), rgb("cfe6d4"), rgb("f2d3d2")),
    ray=rgb("e0a21c"),
    stone=rgb("ded3bf"),
    laid=rgb("8a7c68"),
    held=rgb("e8b24a"),
    text=rgb("2a231b"),
    dim=rgb("493d2c"),
    mark=rgb("852b00"),
    cursor=rgb("b34700"),
    shadow=rgb("f5f0e6"),
)

GEM_HUES: Mapping[str, str] = {
    "rock_crystal": "words",
    "celestite_sun": "map-water",
    "celestite_crescent": "map-water",
    "celestite_star": "map-water",
    "opal": "map-wonder",
    "emerald": "map-base",
    "red_beryl": "map-need",
    "geode": "map-descent",
    "compass": "map-need",
    "lamp": "map-wonder",
    "pickaxe": "words",
}
"""Colours of the theme for gems and tools, where the board is drawn in signs."""
ROLES: Mapping[str, Hue] = {
    **PANELS,
    **{name: Hue(colour, bold=name in ("compass", "lamp", "pickaxe")) for name, colour in GEM_HUES.items()},
    **{f"lit {name}": Hue(colour, "cap", bold=True) for name, colour in GEM_HUES.items()},
    "lit": Hue("words", "cap"),
    "mark": Hue("key", bold=True),
    "lit mark": Hue("key", "cap", bold=True),
    "cursor": Hue("map-cursor", bold=True, reverse=True),
    "amethyst": Hue("map-descent"),
    **SEATS,
}
"""The roles of this game's panes."""
