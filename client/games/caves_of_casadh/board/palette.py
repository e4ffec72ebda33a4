"""The colours of the painted map: rock by its level, floors, and the inks of signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from client.tui.paint.colour import Rgb, rgb

Factors = tuple[float, float, float]


class Palette(NamedTuple):
    """The colours of the map in a theme."""

    void: Rgb
    speck: Rgb
    pit: Rgb
    """The casing of passages."""
    seam: Rgb
    rocks: tuple[Rgb, Rgb, Rgb]
    """Those of Base Camp, Level 1 and Level 2."""
    rubble: Rgb
    """The rock of a collapsed hex."""
    floors: Mapping[str, Rgb]
    """The floors of passages: any, the one with the marker, water, and the one that the shown pawn is in."""
    exit: Rgb
    """What passages throw into the dark where nothing is explored."""
    ghost: Rgb
    cursor: Rgb
    night: Rgb
    """The ground of signs."""
    alarm: Rgb
    """The ground of tokens."""
    inks: Mapping[str, Rgb]


LIGHTS: tuple[Factors, ...] = ((0.58, 0.62, 0.74), (0.80, 0.80, 0.84), (1.08, 1.02, 0.94))
"""The light on a hex: far away, near, and within a step."""


def _inks(text: str) -> Mapping[str, Rgb]:
    words = text.split()
    return {name: rgb(colour) for name, colour in zip(words[::2], words[1::2], strict=True)}


DARK = Palette(
    void=rgb("0a090c"),
    speck=rgb("1a161c"),
    pit=rgb("0d0b0f"),
    seam=rgb("060509"),
    rocks=(rgb("3e4a3a"), rgb("4a4038"), rgb("3d3456")),
    rubble=rgb("2c2a2e"),
    floors={
        "plain": rgb("8a7350"),
        "marked": rgb("a98a5e"),
        "water": rgb("2f86c4"),
        "own": rgb("f0b84e"),
        "own water": rgb("7fd0ff"),
    },
    exit=rgb("2c8f84"),
    ghost=rgb("fff0c4"),
    cursor=rgb("fff0c4"),
    night=rgb("141013"),
    alarm=rgb("5a1418"),
    inks=_inks(
        "level e9b8ff hazard e0a868 token ffd9d2 item 8fc4ff treasure ffd76a marker ffd76a star ffc861 "
        "slope 8df0a2 water a8e2ff base 9df0a8 price ffc861 danger ff9a78 unknown 8ffbe6 dim b9ac97"
    ),
)
# Blue against yellow: neither is lost where red and green look the same.
APART = DARK._replace(
    rocks=(rgb("46545e"), rgb("4a4038"), rgb("343a5e")),
    exit=rgb("2f6fa8"),
    alarm=rgb("4a3600"),
    inks={**DARK.inks, **_inks("token ffe27a danger ffc24a slope ffffff base ffffff unknown 9ad4ff")},
)
BY_THEME: Mapping[str, Palette] = {"cave-colour-blind": APART}


def palette(theme: str) -> Palette:
    """Return the colours of the map in a theme."""
    return BY_THEME.get(theme, DARK)
