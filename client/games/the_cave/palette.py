"""The colours of the lit cave: rock, floors and inks by theme, at each level of light and depth."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from client.games.the_cave.carved_shapes import Room
from client.tui.canvas import BLACK, CONTRAST, WHITE, Rgb, contrast, luminance, mix, parse_rgb, tint
from client.tui.colour_tiers import FULL_TONE, HALF_TONE, SIXTEEN, TRUECOLOR, ColourTier

Tint = tuple[float, float, float]
LEVELS = 8  # steps of light, from 0 (none) to ``BRIGHTEST``
BRIGHTEST = LEVELS - 1
DIM_FROM = 3  # the level below which terminals with few colours show the dark
FADE, GAMMA = 0.98, 2.2
WAVE, GLOW = 0.32, 0.75  # the share of their own colour in waves and exits; the rest is the floor's
HATCHED = 0.42  # the share of ink in the paper between the strokes of rock


Teams = tuple[tuple[Rgb, Rgb], ...]  # the ground and the letter of each team


class Palette(Struct, frozen=True):
    """The colours of a cave and the effects of light on them.

    ``floors`` names a colour for each floor. ``lamp`` and ``dark`` are the effects of full and no light on a
    colour, ``depths`` the effect of each depth. Floors have at most the luminance ``brightest``, and at least
    ``darkest`` if that is more than 0, so that inks are readable. ``shadow`` is the share of light on the
    ground of rock, ``apart`` the least contrast of a floor with it, ``texture`` the strength of its strokes.
    ``few`` has two numbers of the terminal's colours where the nearest would be wrong: in the dark and in light
    (one: only in the dark); a third is mixed into the dark in half-tone, a fourth into the light. ``contrast``
    is the minimum for text.

    ``wash`` is for drawings on paper (``void``): the shares of its own colour that everything has without
    light and in full light. ``dim_tone`` is the glyph of few colours' half-tones in low light.
    """

    void: Rgb
    rock: Rgb
    floors: Mapping[str, Rgb]
    exit: Rgb
    wave: Rgb
    pit: Rgb
    pit_edge: Rgb
    gems: tuple[Rgb, ...]
    ghost: Rgb
    lamp: Tint
    dark: Tint
    depths: tuple[Tint, ...]
    brightest: float = 0.105
    darkest: float = 0.0
    shadow: Tint = (0.36, 0.35, 0.37)
    apart: float = 1.8
    texture: float = 1.0
    few: Mapping[str, tuple[int, ...]] = {}
    contrast: float = CONTRAST
    wash: tuple[float, float] | None = None
    dim_tone: str = HALF_TONE


class PaletteShades:
    """The colours of a palette as the terminal can show them, cached."""

    def __init__(self, palette: Palette, tier: ColourTier = TRUECOLOR) -> None:
        self.palette, self.tier = palette, tier
        self._floors: dict[tuple[str, int, int], Rgb] = {}
        self.void = tier.shown(palette.void)
        self.rock_in_the_dark = self.rock_ground(0, 0)

    def lit_material(self, colour: Rgb, level: int, depth: int) -> Rgb:
        """Return a material at a level of light and depth, before conversion for the terminal."""
        palette = self.palette
        share = max(0, min(BRIGHTEST, level)) / BRIGHTEST
        if palette.wash is not None:
            least, most = palette.wash
            return mix(palette.void, tint(colour, palette.depths[depth]), least + (most - least) * share)
        red, green, blue = (
            (dark + (lamp - dark) * share) * deep
            for dark, lamp, deep in zip(palette.dark, palette.lamp, palette.depths[depth], strict=True)
        )
        return tint(colour, (red, green, blue))

    def _few(self, name: str, *, near: bool) -> Rgb | None:
        """Return a colour chosen by hand for a terminal with few."""
        found = self.palette.few.get(name) if self.tier.colours != "truecolor" else None
        return self.tier.colour(found[near]) if found is not None and near < len(found) else None

    def lit_rock(self, level: int, depth: int) -> Rgb:
        if (few := self._few("rock", near=level >= DIM_FROM)) is not None:
            return few
        return self.tier.shown(self.lit_material(self.palette.rock, _coarse_light_level(level), depth))

    def mass(self, level: int) -> Rgb:
        """Return the rock of a place in the terminal's own colours."""
        return self._few("mass", near=level >= DIM_FROM) or self.void

    def rock_ground(self, level: int, depth: int) -> Rgb:
        palette = self.palette
        if (few := self._few("ground", near=level >= DIM_FROM)) is not None:
            return few
        if palette.wash:
            return self.tier.shown(mix(palette.void, tint(palette.rock, palette.depths[depth]), HATCHED))
        return self.tier.shown(
            tint(self.lit_material(palette.rock, _coarse_light_level(level) - 2, depth), palette.shadow)
        )

    def lit_floor(self, name: str, level: int, depth: int) -> Rgb:
        """Return a floor, limited in brightness (or darkness, on paper) so that words on it are readable."""
        key = name, level, depth
        found = self._floors.get(key)
        if found is None:
            found = self._floors[key] = self._lit_floor_colour(name, level, depth)
        return found

    def _lit_floor_colour(self, name: str, level: int, depth: int) -> Rgb:
        palette = self.palette
        if (few := self._few(name, near=level >= DIM_FROM)) is not None:
            return few
        colour = self.lit_material(palette.floors[name], level, depth)
        if (light := luminance(colour)) > palette.brightest:
            near = (palette.brightest / light) ** (1 / GAMMA)
            colour = tint(colour, (near, near, near))
        while luminance(colour) > palette.brightest:
            colour = tint(colour, (FADE, FADE, FADE))
        while luminance(colour) < palette.darkest:
            colour = mix(colour, WHITE, 1 - FADE)
        ground, lit, share = self.rock_ground(level, depth), self.tier.shown(colour), 1.0
        while contrast(lit, ground) < palette.apart:
            share *= FADE
            brighter = mix(colour, WHITE, 1 - share) if palette.darkest else tint(colour, (1 / share,) * 3)
            lit = self.tier.shown(brighter)
        return lit

    def half_tone(self, name: str, level: int) -> Rgb | None:
        """Return the ink of a floor's half-tone at a level of light."""
        found = self.palette.few.get(name, ()) if self.tier.colours != "truecolor" else ()
        at = 2 + (level >= DIM_FROM)
        return self.tier.colour(found[at]) if len(found) > at else None

    def floor_glyph(self, name: str, level: int) -> str:
        """Return the glyph of a floor that its ground does not show."""
        if self.half_tone(name, level) is None:
            return ""
        lit, dim = (FULL_TONE, HALF_TONE) if self.tier.colours == "256" else (HALF_TONE, self.palette.dim_tone)
        return lit if level >= DIM_FROM else dim

    def wave_colour(self, ground: Rgb) -> Rgb:
        if (few := self._few("wave", near=ground != self._few("water", near=False))) is not None:
            return few
        return self.tier.shown(mix(ground, self.palette.wave, WAVE))

    def way_out(self, floor: Rgb) -> Rgb:
        if (few := self._few("exit", near=False)) is not None:
            return few
        return self.tier.shown(mix(floor, self.palette.exit, GLOW))

    def shown(self, colour: Rgb) -> Rgb:
        return self.tier.shown(colour)

    def readable_ink(self, ink: Rgb, ground: Rgb) -> Rgb:
        return self.tier.readable_ink(ink, ground, self.palette.contrast)


def _coarse_light_level(level: int) -> int:
    """Return every other level of light: enough for rock, and more of it has the same colours."""
    return (level + 1) // 2 * 2


ROOMS: Mapping[str, Room] = {
    "plain": Room(0.50, 0.42),
    "water": Room(0.86, 0.50, "waves"),
    "wonder": Room(0.98, 0.50, "gems"),
    "squeeze": Room(0.16, 0.17),
    "descent": Room(0.90, 0.45, "pit"),
    "choke": Room(0.80, 0.50, "rubble"),
    "base": Room(1.00, 0.60),
}
FILLED = {
    name: Room(2.0, 2.0, "grain" if name == "descent" else room.cover, name == "squeeze")
    for name, room in ROOMS.items()
}
"""For few colours, in which rough edges look like broken walls."""


class Inks(Struct, frozen=True):
    """The inks of signs and words on the cave; ``way_out`` is an exit in the small picture of the cave."""

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
    void=parse_rgb("0a090c"),
    rock=parse_rgb("a39684"),
    floors={
        "plain": parse_rgb("5c4630"),
        "water": parse_rgb("10507f"),
        "wonder": parse_rgb("6a5222"),
        "squeeze": parse_rgb("60401f"),
        "descent": parse_rgb("54424f"),
        "choke": parse_rgb("4a443c"),
        "base": parse_rgb("355f33"),
    },
    exit=parse_rgb("0f4a46"),
    wave=parse_rgb("4fb4ea"),
    pit=parse_rgb("04030a"),
    pit_edge=parse_rgb("2c1d50"),
    gems=(parse_rgb("ffe9a0"), parse_rgb("9fe8ff"), parse_rgb("ffb3e6")),
    ghost=parse_rgb("fff0c4"),
    lamp=(1.16, 1.00, 0.80),
    dark=(0.34, 0.36, 0.48),
    # Ochre, slate, indigo, violet: warm near the surface, cold in the depth.
    few={
        **{"water": (24, 25), "wave": (31, 32), "wonder": (238, 94, 136), "base": (22, 22, 59, 59)},
        **{"plain": (238, 94, 130, 95), "squeeze": (59, 94, 130, 95), "descent": (60, 96), "choke": (59, 59)},
        **{"exit": (23, 23), "rock": (236, 137), "ground": (232, 234)},
    },
    depths=((1.00, 1.00, 1.00), (0.80, 0.90, 1.18), (0.74, 0.76, 1.36), (0.86, 0.66, 1.42)),
)
NIGHT_INKS = Inks(
    kinds={
        "plain": parse_rgb("c9b99f"),
        "water": parse_rgb("8fd8ff"),
        "wonder": parse_rgb("ffe27a"),
        "squeeze": parse_rgb("ffb86b"),
        "descent": parse_rgb("d9bcff"),
        "choke": parse_rgb("d0c8bd"),
        "base": parse_rgb("9df0a8"),
    },
    text=parse_rgb("f4ecdf"),
    dim=parse_rgb("b9ac97"),
    price=parse_rgb("ffc861"),
    on_price=BLACK,
    exit=parse_rgb("8ffbe6"),
    way_out=parse_rgb("00afaf"),
    rope=parse_rgb("f2d49a"),
    need=parse_rgb("ff9a78"),
    cursor=parse_rgb("fff0c4"),
)

# No green that looks like red, nor red like brown: blue, yellow, light and dark.
APART = replace(
    NIGHT,
    floors={**NIGHT.floors, "base": parse_rgb("46545e"), "descent": parse_rgb("4c4260")},
    exit=parse_rgb("123a5c"),
    gems=(parse_rgb("ffe27a"), parse_rgb("9ad4ff"), WHITE),
    few={**NIGHT.few, "base": (239, 239), "exit": (25, 25)},
    ghost=WHITE,
)
APART_INKS = replace(
    NIGHT_INKS,
    kinds={**NIGHT_INKS.kinds, "base": WHITE, "descent": parse_rgb("c9b8ff")},
    price=parse_rgb("ffd24a"),
    exit=parse_rgb("9ad4ff"),
    way_out=parse_rgb("2a6fb8"),
    rope=parse_rgb("ffe27a"),
    need=parse_rgb("ffc24a"),
    cursor=WHITE,
)

# Rock black, walls pale, floors dark under words, inks at the corners of the colour cube.
BOLD = replace(
    NIGHT,
    void=BLACK,
    rock=parse_rgb("b8b2a8"),
    floors={**NIGHT.floors, "descent": parse_rgb("51388a"), "choke": parse_rgb("4a4a4a")},
    dark=(0.41, 0.38, 0.34),
    brightest=0.13,
    shadow=(0.0, 0.0, 0.0),
    apart=3.0,
    texture=0.0,
    contrast=7.0,
    few={"water": (25, 25), "wave": (32, 32), "base": (28, 28), "exit": (23, 23)},
    ghost=parse_rgb("ffff00"),
)
BOLD_INKS = Inks(
    kinds={
        "plain": WHITE,
        "water": parse_rgb("00ffff"),
        "wonder": parse_rgb("ffff00"),
        "squeeze": parse_rgb("ffaf00"),
        "descent": parse_rgb("ffafff"),
        "choke": WHITE,
        "base": parse_rgb("00ff00"),
    },
    text=WHITE,
    dim=WHITE,
    price=parse_rgb("ffff00"),
    on_price=BLACK,
    exit=parse_rgb("00ffff"),
    way_out=parse_rgb("00afaf"),
    rope=parse_rgb("ffffaf"),
    need=parse_rgb("ffafaf"),
    cursor=parse_rgb("ffff00"),
)

# A survey drawn by hand: walls in ink, and colour washed over paper, stronger near lamps.
PAPER = Palette(
    void=parse_rgb("f5f0e6"),
    rock=parse_rgb("3a2c1e"),
    floors={
        "plain": parse_rgb("eccf94"),
        "water": parse_rgb("7fc0ec"),
        "wonder": parse_rgb("ffdc6e"),
        "squeeze": parse_rgb("eebf8a"),
        "descent": parse_rgb("d3bdec"),
        "choke": parse_rgb("cfc6b8"),
        "base": parse_rgb("a9dc9a"),
    },
    exit=parse_rgb("8fdccb"),
    wave=parse_rgb("00588f"),
    pit=parse_rgb("3d2d59"),
    pit_edge=parse_rgb("8d74b8"),
    gems=(parse_rgb("c47f00"), parse_rgb("1f7fc0"), parse_rgb("c23a8a")),
    ghost=parse_rgb("ae4500"),
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
        "ground": (245, 245),
    },
    wash=(0.5, 1.0),
)
PAPER_INKS = Inks(
    kinds={
        "plain": parse_rgb("4a3f31"),
        "water": parse_rgb("00497a"),
        "wonder": parse_rgb("604a00"),
        "squeeze": parse_rgb("7a3c00"),
        "descent": parse_rgb("5b2a8a"),
        "choke": parse_rgb("4a453f"),
        "base": parse_rgb("005527"),
    },
    text=parse_rgb("2a231b"),
    dim=parse_rgb("493d2c"),
    price=parse_rgb("5c2c00"),
    on_price=parse_rgb("fff6e0"),
    exit=parse_rgb("00544a"),
    way_out=parse_rgb("0f8a78"),
    rope=parse_rgb("5c4316"),
    need=parse_rgb("a3210d"),
    cursor=parse_rgb("d2380a"),
)

# The terminal's own colours: whole floors, in half-tone on grey, as no ink is readable on its yellow everywhere.
FEW = replace(
    NIGHT,
    void=BLACK,
    pit=BLACK,
    pit_edge=SIXTEEN[5],
    dim_tone=FULL_TONE,
    gems=(SIXTEEN[11], SIXTEEN[14], SIXTEEN[13]),
    few={
        **dict.fromkeys(("plain", "wonder", "squeeze"), (0, 8, 3, 3)),
        **{"descent": (0, 8, 5, 5), "choke": (0, 8), "base": (0, 8, 2, 2), "water": (4, 4)},
        **{"wave": (6, 14), "exit": (6, 6), "rock": (8, 7), "ground": (8, 7), "mass": (0, 8)},
    },
)
# Floors of dots: whole cells of the terminal's yellow and green would be slabs.
DOTTED = replace(
    FEW,
    dim_tone=HALF_TONE,
    few={
        **FEW.few,
        **dict.fromkeys(("plain", "wonder", "squeeze"), (0, 0, 8, 3)),
        **{"descent": (0, 0, 5, 13), "choke": (0, 0), "base": (0, 0, 2, 10)},
    },
)
FEW_INKS = replace(
    NIGHT_INKS, kinds=dict(zip(NIGHT_INKS.kinds, map(SIXTEEN.__getitem__, (7, 14, 11, 11, 13, 7, 10)), strict=True))
)

LOOKS: Mapping[str, tuple[Palette, Inks]] = {
    "cave-colour-blind": (APART, APART_INKS),
    "cave-high-contrast": (BOLD, BOLD_INKS),
}
"""By theme; other dark themes use the cave by night, and other light ones paper."""


def look_of(theme: str, *, dark: bool, few: bool = False, glyphs: str = "") -> tuple[Palette, Inks]:
    if few:
        return DOTTED if glyphs == "ascii" else FEW, FEW_INKS
    return LOOKS.get(theme) or ((NIGHT, NIGHT_INKS) if dark else (PAPER, PAPER_INKS))
