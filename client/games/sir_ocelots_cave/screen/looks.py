"""The looks of gems and tools: signs for every terminal, and the shapes of their pictures."""

from __future__ import annotations

from collections.abc import Mapping

from cave.sir_ocelots_cave.components import Gem, Tool
from client.games.sir_ocelots_cave.terms import POINTS
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
"""The sign beside a gem: its points, or an A for an amethyst."""
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
"""Pictures of four by four pixels."""
TOOL_SHAPES: Mapping[Tool, tuple[str, ...]] = {
    "compass": (".rr.", "rwwr", "rwwr", ".rr."),
    "lamp": (".yy.", "yyyy", ".yy.", ".kk."),
    "pickaxe": ("ssss", "s.n.", ".n..", "n..."),
}
STONE = ("..oo..", ".oooo.", "oooooo", "oooooo", ".oooo.", "..oo..")
SMALL_STONE = (".oo.", "oooo", "oooo", ".oo.")
SMALL_MOTH = ("b...b", "bbbbb", ".bbb.", "bb.bb")
MOTH = ("b....b", "bb..bb", "bbbbbb", "bbbbbb", "b.bb.b", "......")

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
