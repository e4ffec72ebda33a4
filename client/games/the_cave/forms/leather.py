"""The leather of backpacks: dark leather by night, undyed leather on paper, and both with 256 colours."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from client.tui.paint.colour import Rgb, rgb
from client.tui.paint.tiers import COLOURS_256, Tier


class Leather(Struct, frozen=True):
    """The colours of a backpack. Names and numbers stand on the lining of its pockets."""

    hide: Rgb
    lid: Rgb
    strap: Rgb
    lining: Rgb
    chosen: Rgb
    """The lining of the pocket that is set off."""
    name: Rgb
    number: Rgb
    inks: Mapping[str, Rgb] = MappingProxyType({})
    """The inks of things here, in place of their own, by the letters of the pictures."""


NIGHT = Leather(
    hide=rgb("77512f"),
    lid=rgb("4f3620"),
    strap=rgb("c99a56"),
    lining=rgb("35241a"),
    chosen=rgb("563e25"),
    name=rgb("f4ecdf"),
    number=rgb("b08a5c"),
)
PAPER = Leather(
    hide=rgb("b07d4a"),
    lid=rgb("8f6236"),
    strap=rgb("6b4524"),
    lining=rgb("ead8b8"),
    chosen=rgb("ffe9a8"),
    name=rgb("2f2115"),
    number=rgb("6b4f2c"),
    inks={
        "G": rgb("a3adba"),
        "g": rgb("6f7784"),
        "y": rgb("b8891c"),
        "Y": rgb("7a5710"),
        "t": rgb("14706a"),
        "r": rgb("94301c"),
    },
)
# The nearest of the 256 colours are olives.
NIGHT_256 = replace(NIGHT, hide=rgb("af875f"), lid=rgb("875f5f"))
PAPER_256 = replace(
    PAPER,
    hide=rgb("af875f"),
    lid=rgb("875f5f"),
    strap=rgb("875f00"),
    lining=rgb("ffd7af"),
    chosen=rgb("ffffaf"),
    inks={**PAPER.inks, "r": rgb("af0000")},
)


def leather(dark: bool, colours: Tier) -> Leather:
    """Return the leather of packs in dark or light themes, on a terminal with these colours."""
    if colours == COLOURS_256:
        return NIGHT_256 if dark else PAPER_256
    return NIGHT if dark else PAPER
