"""Rock and floors at each level of light and of depth, and the grain that they have.

Colour is light: a material has a colour for each level and depth. Texture is in glyphs: the quarters of a
cell that show the lighter of two shades, by noise that is the same in every run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from client.games.the_cave.board.lit.light import BRIGHTEST
from client.tui.paint.colour import CONTRAST, Rgb, luminance, mix, tint
from client.tui.paint.noise import fours
from client.tui.paint.tiers import TRUECOLOR, Tier, colour_256

Tint = tuple[float, float, float]
ALL = 15
"""All four quarters of a cell: upper left 1, upper right 2, lower left 4, lower right 8."""
DIM_FROM = 3
"""The level below which floors fade faster than rock."""
FADE, GAMMA = 0.98, 2.2
WAVE, GLOW = 0.32, 0.75
"""The share of their own colour in waves and exits; the rest is the floor's."""
HATCHED = 0.3
"""The share of ink in the paper between the strokes of rock."""


class Palette(Struct, frozen=True):
    """The colours of a cave and what light does to them.

    ``floors`` names a colour for each floor. ``lamp`` and ``dark`` are what full light and none do to a
    colour, ``depths`` what each depth does. No floor is brighter than ``brightest`` (luminance), and where
    ``darkest`` is more than 0 none is darker: inks must be readable on it. ``shadow`` is what the ground of
    rock has of its light. ``few`` gives floors a colour of the 256 in the dark and one in light, where the
    nearest would be a grey. ``contrast`` is the least of text.

    With ``wash`` it is a drawing on paper, which is ``void``: everything has so much of its own colour
    without light, and so much in full light.
    """

    void: Rgb
    speck: Rgb
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
    shadow: Tint = (0.66, 0.65, 0.67)
    few: Mapping[str, tuple[int, int]] = {}
    contrast: float = CONTRAST
    wash: tuple[float, float] | None = None


class Shades:
    """The colours of a palette as a terminal can show them, each worked out once."""

    def __init__(self, palette: Palette, tier: Tier = TRUECOLOR) -> None:
        self.palette, self.tier = palette, tier
        self._floors: dict[tuple[str, int, int], Rgb] = {}
        self.void = tier.shown(palette.void)

    def lit(self, colour: Rgb, level: int, depth: int) -> Rgb:
        """Return a material at a level of light and of depth, before what a terminal makes of it."""
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

    def rock(self, level: int, depth: int) -> Rgb:
        """Return rock that the light falls on."""
        return self.tier.shown(self.lit(self.palette.rock, _coarse(level), depth))

    def rock_ground(self, level: int, depth: int) -> Rgb:
        """Return the darker of the two shades of rock."""
        palette = self.palette
        lit = self.lit(palette.rock, _coarse(level) - 2, depth)
        return self.tier.shown(mix(palette.void, lit, HATCHED) if palette.wash else tint(lit, palette.shadow))

    def floor(self, name: str, level: int, depth: int) -> Rgb:
        """Return a floor, never so bright (or so dark, on paper) that words on it cannot be read."""
        key = name, level, depth
        found = self._floors.get(key)
        if found is None:
            found = self._floors[key] = self._floor(name, level, depth)
        return found

    def _floor(self, name: str, level: int, depth: int) -> Rgb:
        palette = self.palette
        if self.tier.colours == "256" and name in palette.few:
            return colour_256(palette.few[name][level >= DIM_FROM])
        colour = self.lit(palette.floors[name], level, depth)
        if level < DIM_FROM and not palette.darkest:
            colour = tint(colour, (0.80 + 0.066 * max(0, level),) * 3)
        if (light := luminance(colour)) > palette.brightest:
            near = (palette.brightest / light) ** (1 / GAMMA)
            colour = tint(colour, (near, near, near))
        while luminance(colour) > palette.brightest:
            colour = tint(colour, (FADE, FADE, FADE))
        while luminance(colour) < palette.darkest:
            colour = mix(colour, Rgb(255, 255, 255), 1 - FADE)
        return self.tier.shown(colour)

    def wave(self, ground: Rgb) -> Rgb:
        """Return the ink of a wave on water."""
        few = self.palette.few
        if self.tier.colours == "256" and "wave" in few:
            return colour_256(few["wave"][ground != colour_256(few["water"][0])])
        return self.tier.shown(mix(ground, self.palette.wave, WAVE))

    def way_out(self, floor: Rgb) -> Rgb:
        """Return the ground of an exit of a floor."""
        if self.tier.colours == "256" and "exit" in self.palette.few:
            return colour_256(self.palette.few["exit"][0])
        return self.tier.shown(mix(floor, self.palette.exit, GLOW))

    def shown(self, colour: Rgb) -> Rgb:
        """Return a colour as the terminal can show it."""
        return self.tier.shown(colour)

    def readable(self, ink: Rgb, ground: Rgb) -> Rgb:
        """Return the ink, so that it can be read on this ground."""
        return self.tier.readable(ink, ground, self.palette.contrast)


def _coarse(level: int) -> int:
    """Return every other level of light, which is enough for rock: so more of it has one pair of colours."""
    return (level + 1) // 2 * 2


@lru_cache(maxsize=512)
def grains(width: int, height: int, variant: int, seed: int, share: float) -> bytes:
    """Return the quarters of each cell of a block that show the lighter shade: about this share of all."""
    lighter = math.ceil(share * 255)  # of 256 numbers
    return masks(_noise(width, height, variant, seed).translate(b"\1" * lighter + bytes(256 - lighter)))


def masks(quarters: bytes) -> bytes:
    """Return four numbers 0 or 1 for each cell as the bits of one."""
    cells = zip(*(quarters[bit::4] for bit in range(4)), strict=True)
    return bytes(one | two << 1 | three << 2 | four << 3 for one, two, three, four in cells)


@lru_cache(maxsize=128)
def _noise(width: int, height: int, variant: int, seed: int) -> bytes:
    return fours(variant * 64, width, height, seed)
