"""The colours of Cave vs Cave: those of goods and rooms, in each theme and colour tier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from client.games.cave_vs_cave.picture import STRENGTH
from client.tui import colour_tiers
from client.tui.canvas import BLACK, WHITE, Rgb, parse_inks, parse_rgb
from client.tui.colour_tiers import SIXTEEN, ColourTier

COLOURS = parse_inks(
    "w bd7a45 s b9bfc9 e a9cc4e l 8fb0ff f ff8c5a g ffe04a k 1c120a c fff4dc r d2504a n 43c27a "
    "a 77707c d 8f5a2a b 4fb4ea"
)
"""The inks of pictures of rooms, by their letters in ``rooms.txt``."""
GOOD_LETTERS = "wselfg"
GOODS = (*map(COLOURS.__getitem__, GOOD_LETTERS), *map(parse_rgb, ("d9c3a0", "c8d0d8", "9db1c4", "c9a2a2")))
"""The inks of goods."""


class Palette(NamedTuple):
    """Grounds and inks by role, and the light of rooms: at the edge, and the increase towards the middle."""

    void: Rgb
    grounds: Mapping[str, Rgb]
    inks: Mapping[str, Rgb]
    rooms: Mapping[str, Rgb]
    light: tuple[float, float] = (0.55, 0.55)
    edges: Mapping[str, Rgb] = {}  # of rooms, where their light would have wrong colours
    goods: Sequence[Rgb] = GOODS
    contrast: float = 4.5


DARK = Palette(
    void=parse_rgb("0a090c"),
    grounds=parse_inks(
        "orange 4d2008 blue 0f2c47 effect 1a120c points ffc861 chip 0f4a46 hidden 131115 "
        "dig 131115 empty 44351f fits 1f3a1c rock 3d3932 built c07a3e open 3a2c19 label ffc861"
    ),
    inks=parse_inks(
        "orange ffffff blue ffffff effect e6d8c0 points 000000 chip 8ffbe6 edge 2f8f86 "
        "hidden 2c2b33 rock 7d7466 built 5f3318 dim 8f8577 bonus e6d8c0 faint 8f8577 note b9ac97 empty 8f8577 "
        "fits 93d38a way 63d8c4 label 000000 cursor fff0c4 text eae1d3 key ffc861 gain 93d38a"
    ),
    rooms=parse_inks("orange 6b3410 blue 123f63"),
)
LIGHT = Palette(
    void=parse_rgb("f5f0e6"),
    grounds=parse_inks(
        "orange c98a4f blue 7fb2da effect fbf4e4 points 6b3400 chip 8fdccb hidden c9b896 "
        "dig c9b896 empty f8efd8 fits cfe8c0 rock 9a8a70 built b8622e open e3cf9f label 6b3400"
    ),
    inks=parse_inks(
        "orange 1c0f04 blue 06233c effect 2a231b points ffffff chip 00443c edge 1f8f80 "
        "hidden a89472 rock 6d5c46 built 6b2600 dim 493d2c bonus 2a231b faint 5a4d3a note 493d2c empty 5a4d3a "
        "fits 14532d way 005e52 label ffffff cursor ae4500 text 2a231b key 6b3400 gain 14532d"
    ),
    rooms=parse_inks("orange 8a4a1c blue 1f5a88"),
    light=(0.75, 0.45),
)
STARK = DARK._replace(
    void=parse_rgb("000000"),
    grounds={
        **DARK.grounds,
        **parse_inks(
            "orange 5f2800 blue 00305f effect 000000 hidden 000000 dig 000000 empty 333333 "
            "open 2a2a2a rock 5a5a5a built ff8700"
        ),
    },
    inks={
        **DARK.inks,
        **parse_inks(
            "effect ffffff hidden 303030 rock bcbcbc built 000000 dim d0d0d0 bonus ffffff faint d0d0d0 "
            "note ffffff empty d0d0d0 fits 00ff00 way 00ffff cursor ffff00 text ffffff key ffff00 "
            "gain 00ff00 edge 00afaf"
        ),
    },
    contrast=7.0,
)
_256 = colour_tiers.colour_256
DARK_256 = DARK._replace(
    grounds={
        **DARK.grounds,
        **{"orange": _256(52), "blue": _256(17), "rock": _256(238), "empty": _256(237), "open": _256(236)},
        **dict.fromkeys(("hidden", "dig"), _256(233)),
    },
    inks={**DARK.inks, "rock": _256(137)},
    rooms={"orange": _256(94), "blue": _256(24)},
    edges={"orange": _256(52), "blue": _256(17)},
)
"""Of 256 colours the nearest grounds for names of rooms would be greys, or too bright."""
_BROWN, _CYAN, _PALE, _GREY, _LIME, _YELLOW, _AQUA = (SIXTEEN[number] for number in (3, 6, 7, 8, 10, 11, 14))
DARK_16 = DARK._replace(
    void=BLACK,
    grounds={
        **dict.fromkeys(DARK.grounds, BLACK),
        **{"points": _YELLOW, "label": _YELLOW, "chip": _LIME},
        **{"rock": _GREY, "built": _BROWN},
    },
    inks={
        **dict.fromkeys(DARK.inks, _PALE),
        **dict.fromkeys(("points", "chip", "label", "built"), BLACK),
        **{"hidden": _GREY, "edge": _CYAN, "way": _CYAN, "fits": _LIME, "gain": _LIME},
        **{"orange": _YELLOW, "blue": _AQUA, "key": _YELLOW, "cursor": WHITE},
    },
    rooms={"orange": BLACK, "blue": BLACK},
    goods=(_BROWN, _PALE, _LIME, _AQUA, SIXTEEN[9], _YELLOW, *[_PALE] * 4),
    contrast=3.5,  # of brown on black
)


def dark_palette(tier: ColourTier) -> Palette:
    return {"256": DARK_256, "16": DARK_16}.get(tier.colours, DARK)


def palette_for(tier: ColourTier, theme: str, *, dark: bool) -> Palette:
    return STARK if theme == "cave-high-contrast" else dark_palette(tier) if dark else LIGHT


assert set(DARK.grounds) >= {*STRENGTH[1:]}
