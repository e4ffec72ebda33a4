"""The colours of the lit cave, one set for each kind of theme."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from client.games.the_cave.board.glyphs.sets import Zoom
from client.games.the_cave.board.lit.shape import Pitch, Room
from client.games.the_cave.board.lit.texture import Palette
from client.tui.paint.colour import BLACK, WHITE, Rgb, rgb

PITCHES: Mapping[Zoom, Pitch] = {"L": (11, 5), "M": (7, 3), "S": (4, 2)}
"""Columns and rows from one tile to the next."""

ROOMS: Mapping[str, Room] = {
    "plain": Room(0.50, 0.42),
    "water": Room(0.86, 0.50, "waves"),
    "wonder": Room(0.98, 0.50, "gems"),
    "squeeze": Room(0.16, 0.17),
    "descent": Room(0.90, 0.45, "pit"),
    "choke": Room(0.80, 0.50, "rubble"),
    "base": Room(1.00, 0.60),
}
"""How each kind of tile is carved."""


class Inks(Struct, frozen=True):
    """The inks of signs and words on the cave; ``way_out`` is an exit in the small picture of all of it."""

    kinds: Mapping[str, Rgb]
    text: Rgb
    dim: Rgb
    price: Rgb
    on_price: Rgb
    exit: Rgb
    way_out: Rgb
    rope: Rgb
    need: Rgb
    cursor: Rgb


NIGHT = Palette(
    void=rgb("0a090c"),
    speck=rgb("16131a"),
    rock=rgb("a39684"),
    floors={
        "plain": rgb("5c4630"),
        "water": rgb("10507f"),
        "wonder": rgb("6a5222"),
        "squeeze": rgb("60401f"),
        "descent": rgb("54424f"),
        "choke": rgb("4a443c"),
        "base": rgb("355f33"),
    },
    exit=rgb("0f4a46"),
    wave=rgb("4fb4ea"),
    pit=rgb("04030a"),
    pit_edge=rgb("2c1d50"),
    gems=(rgb("ffe9a0"), rgb("9fe8ff"), rgb("ffb3e6")),
    ghost=rgb("fff0c4"),
    lamp=(1.16, 1.00, 0.80),
    dark=(0.34, 0.36, 0.48),
    # Ochre, slate, indigo, violet: warm is near, cold is deep.
    few={"water": (17, 24), "wave": (25, 31), "wonder": (234, 94), "base": (22, 22), "exit": (23, 23)},
    depths=((1.00, 1.00, 1.00), (0.80, 0.90, 1.18), (0.74, 0.76, 1.36), (0.86, 0.66, 1.42)),
)
NIGHT_INKS = Inks(
    kinds={
        "plain": rgb("c9b99f"),
        "water": rgb("8fd8ff"),
        "wonder": rgb("ffe27a"),
        "squeeze": rgb("ffb86b"),
        "descent": rgb("d9bcff"),
        "choke": rgb("d0c8bd"),
        "base": rgb("9df0a8"),
    },
    text=rgb("f4ecdf"),
    dim=rgb("b9ac97"),
    price=rgb("ffc861"),
    on_price=BLACK,
    exit=rgb("8ffbe6"),
    way_out=rgb("00afaf"),
    rope=rgb("f2d49a"),
    need=rgb("ff9a78"),
    cursor=rgb("fff0c4"),
)

# No green that could be taken for a red, nor red for a brown: blue, yellow, light and dark.
APART = replace(
    NIGHT,
    floors={**NIGHT.floors, "base": rgb("46545e"), "descent": rgb("4c4260")},
    exit=rgb("123a5c"),
    gems=(rgb("ffe27a"), rgb("9ad4ff"), WHITE),
    few={"water": (17, 24), "wave": (25, 31), "wonder": (234, 94), "exit": (25, 25)},
    ghost=WHITE,
)
APART_INKS = replace(
    NIGHT_INKS,
    kinds={**NIGHT_INKS.kinds, "base": WHITE, "descent": rgb("c9b8ff")},
    price=rgb("ffd24a"),
    exit=rgb("9ad4ff"),
    way_out=rgb("2a6fb8"),
    rope=rgb("ffe27a"),
    need=rgb("ffc24a"),
    cursor=WHITE,
)

# Floors nearly black, rock pale, inks at the corners of the colour cube.
BOLD = replace(
    NIGHT,
    void=BLACK,
    speck=rgb("121212"),
    rock=rgb("b8b2a8"),
    brightest=0.045,
    contrast=7.0,
    few={"water": (17, 17), "wave": (25, 25), "base": (22, 22), "exit": (23, 23)},
    ghost=rgb("ffff00"),
)
BOLD_INKS = Inks(
    kinds={
        "plain": WHITE,
        "water": rgb("00ffff"),
        "wonder": rgb("ffff00"),
        "squeeze": rgb("ffaf00"),
        "descent": rgb("ffafff"),
        "choke": WHITE,
        "base": rgb("00ff00"),
    },
    text=WHITE,
    dim=WHITE,
    price=rgb("ffff00"),
    on_price=BLACK,
    exit=rgb("00ffff"),
    way_out=rgb("00afaf"),
    rope=rgb("ffffaf"),
    need=rgb("ffafaf"),
    cursor=rgb("ffff00"),
)

# A survey drawn by hand: walls in ink, and colour washed over paper, stronger the nearer the lamps are.
PAPER = Palette(
    void=rgb("f5f0e6"),
    speck=rgb("ece5d6"),
    rock=rgb("3a2c1e"),
    floors={
        "plain": rgb("f0d9a8"),
        "water": rgb("8fc9ee"),
        "wonder": rgb("ffdc6e"),
        "squeeze": rgb("eebf8a"),
        "descent": rgb("d3bdec"),
        "choke": rgb("cfc6b8"),
        "base": rgb("a9dc9a"),
    },
    exit=rgb("8fdccb"),
    wave=rgb("00588f"),
    pit=rgb("3d2d59"),
    pit_edge=rgb("8d74b8"),
    gems=(rgb("c47f00"), rgb("1f7fc0"), rgb("c23a8a")),
    ghost=rgb("b34700"),
    lamp=(1.0, 1.0, 1.0),
    dark=(1.0, 1.0, 1.0),
    depths=((1.00, 1.00, 1.00), (0.90, 0.95, 1.05), (0.84, 0.88, 1.08), (0.90, 0.80, 1.08)),
    brightest=1.0,
    darkest=0.40,
    few={
        "plain": (223, 223),
        "water": (195, 153),
        "wonder": (222, 222),
        "squeeze": (223, 216),
        "descent": (189, 183),
        "choke": (253, 250),
        "base": (194, 151),
        "wave": (110, 67),
        "exit": (116, 116),
    },
    wash=(0.35, 1.0),
)
PAPER_INKS = Inks(
    kinds={
        "plain": rgb("4a3f31"),
        "water": rgb("00497a"),
        "wonder": rgb("604a00"),
        "squeeze": rgb("7a3c00"),
        "descent": rgb("5b2a8a"),
        "choke": rgb("4a453f"),
        "base": rgb("005527"),
    },
    text=rgb("2a231b"),
    dim=rgb("493d2c"),
    price=rgb("5c2c00"),
    on_price=rgb("fff6e0"),
    exit=rgb("00544a"),
    way_out=rgb("0f8a78"),
    rope=rgb("5c4316"),
    need=rgb("a3210d"),
    cursor=rgb("d2380a"),
)

LOOKS: Mapping[str, tuple[Palette, Inks]] = {
    "cave-colour-blind": (APART, APART_INKS),
    "cave-high-contrast": (BOLD, BOLD_INKS),
}
"""By theme; all other dark themes show the cave by night as it is, and all light ones on paper."""


def look_of(theme: str, *, dark: bool) -> tuple[Palette, Inks]:
    """Return the colours of the cave in a theme, dark or light."""
    return LOOKS.get(theme) or ((NIGHT, NIGHT_INKS) if dark else (PAPER, PAPER_INKS))
