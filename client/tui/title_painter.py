"""The picture behind the menu: a cave of three layers of stone, a lake, and one lamp.

It is drawn from noise, so each window size has its own picture, always the same. Light has steps: a single
light has no false hues, and long runs of a colour cost few bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import exp, sin
from typing import NamedTuple

from client.tui.canvas import Rgb, drawn_pixels, fractal, fractal_row, mix, noise, parse_rgb, smooth, tint

LETTERS = {
    "C": (" ### ", "#   #", "#    ", "#    ", "#    ", "#   #", " ### "),
    "A": (" ### ", "#   #", "#   #", "#####", "#   #", "#   #", "#   #"),
    "V": ("#   #", "#   #", "#   #", "#   #", " # # ", " # # ", "  #  "),
    "E": ("#####", "#    ", "#    ", "#### ", "#    ", "#    ", "#####"),
}
NAME = "CAVE"
HIGH = 7
"""Pixels of a letter at scale 1, and one less than the distance between letters."""
PLATE, ENTRIES = 28, 16  # columns of the menu's entries, and rows with those below
CAVER = (
    "..hh...",
    ".hhhhl.",
    ".ffff..",
    "bbffb..",
    "bbbbbb.",
    "bbbbb..",
    ".bbbb..",
    ".bbbb..",
    ".d..d..",
    ".d..d..",
    "dd..dd.",
)
SMALL_CAVER = ("..h...", ".hhhl.", ".fff..", "bbbb..", ".bbb..", ".d.d..")
CRYSTALS = (
    # Relative to the lamp, as a share of the width; the height in parts of 90; the slant; the ink
    (0.190, 8, -1, "8fe8ff"),
    (0.215, 11, 0, "c9a8ff"),
    (0.240, 6, 1, "8fe8ff"),
    (-0.230, 7, -1, "ffc2e6"),
    (-0.252, 5, 0, "8fe8ff"),
)
STEPS = 30  # of light, from none to the lamp itself
FAINT = 14  # steps of the air far from the lamp
GRAINS = 6
MOVING = 0.2  # the share of moving waves
FAR = 1024  # entries of a table by distance
FARTHEST = 1.9  # the squared distance of the last of them


class Paints(NamedTuple):
    night: Rgb
    deep: Rgb
    glow: Rgb
    hot: Rgb
    stone: Rgb  # far away; near things are mixed with ``shade``
    shade: Rgb
    water: Rgb
    low: Rgb  # the upper edge of the letters, farthest from the lamp
    high: Rgb
    outline: Rgb
    rough: float  # how much lighter the lightest grain of stone is than the darkest


LAMPLIGHT = Paints(
    night=parse_rgb("07060a"),
    deep=parse_rgb("1a1230"),
    glow=parse_rgb("d9853b"),
    hot=parse_rgb("ffe2a0"),
    stone=parse_rgb("5a4a44"),
    shade=parse_rgb("0b090d"),
    water=parse_rgb("0d2a44"),
    low=parse_rgb("a05a2a"),
    high=parse_rgb("fff0c8"),
    outline=parse_rgb("0a0608"),
    rough=0.8,
)
DAYLIGHT = Paints(
    night=parse_rgb("d9ccb4"),
    deep=parse_rgb("e6dcc6"),
    glow=parse_rgb("f7e3b4"),
    hot=parse_rgb("fffaf0"),
    stone=parse_rgb("bda98c"),
    shade=parse_rgb("8d7860"),
    water=parse_rgb("9db8bd"),
    low=parse_rgb("8a4a1c"),
    high=parse_rgb("4a2a12"),
    outline=parse_rgb("f8f2e4"),
    rough=0.34,
)
LIGHTS = {"lamp": LAMPLIGHT, "day": DAYLIGHT}  # for dark themes and for light ones


class Layer(NamedTuple):
    """Stone in front of the light: its depth from the roof and height from the ground, by column."""

    roof: list[float]
    ground: list[float]
    near: float


class TitlePainter:
    """Data shared by all rows of a picture."""

    def __init__(self, width: int, height: int, paints: Paints) -> None:
        self.width, self.height = width, height
        self.paints = paints
        self.lamp = round(width * 0.68), round(height * 0.60)
        self.shore = int(height * 0.80)
        self.layers = [self._stone_layer(number) for number in range(3)]
        # By the squared distance from the lamp, so that pixels need no square root.
        far = [FARTHEST * number / FAR for number in range(FAR + 1)]
        self.light = [round(exp(-((square**0.5 * 3.1) ** 1.25)) * STEPS) for square in far]
        self.faint = [round(min(1.0, exp(-(square**0.5) * 1.6) * 1.5) * FAINT) for square in far]
        self.aside = [((x - self.lamp[0]) / width * 1.7) ** 2 for x in range(width)]
        # few colours for many pixels
        self.air = lru_cache(maxsize=None)(self._air_colour)
        self.stone = lru_cache(maxsize=None)(self._stone_colour)
        self.wet = lru_cache(maxsize=None)(self._water_colour)
        self.things = self._drawn_things()
        self.name = self._drawn_name()
        self._above: list[list[Rgb]] = []  # the rows above the lake

    def rows(self) -> Iterator[list[Rgb]]:
        """Yield the rows from the top, without the name: the lake mirrors the rows above it."""
        self._above.clear()
        for y in range(self.shore):
            self._above.append(self._row_with_name(self.things, self._row_above_shore(y), y))
            yield self._above[-1]
        yield from self.lake_rows()

    def with_name(self, row: list[Rgb], y: int) -> list[Rgb]:
        """Return this row with the letters of the name, which is above the lake."""
        return self._row_with_name(self.name, [*row], y) if y in self.name else row

    def lake_rows(self, step: int = 0) -> Iterator[list[Rgb]]:
        """Yield the rows below the shore, after those above are painted; waves move from step to step."""
        for y in range(self.shore, self.height):
            yield self._row_with_name(self.things, self._lake_row(y, step), y)

    @staticmethod
    def _row_with_name(pixels: Mapping[int, Mapping[int, Rgb]], row: list[Rgb], y: int) -> list[Rgb]:
        for x, colour in pixels.get(y, {}).items():
            row[x] = colour
        return row

    def _stone_layer(self, number: int) -> Layer:
        size, seed, near = ((0.20, 3, 0.30), (0.30, 17, 0.58), (0.40, 29, 0.93))[number]
        roof, ground = [], []
        for x in range(self.width):
            u, at = (x - self.lamp[0]) / self.width, x / self.width
            closing = max(0.0, abs(u) - (0.20 + number * 0.17) * 0.55) * (1.5 - number * 0.25)
            hangs = profile(at * 7 + number * 3.3, seed, 0.55) * size - 0.10 + closing * 1.25
            rises = profile(at * 6 + 40 + number, seed + 5, 0.42) * size * 0.72 - number * 0.07 + closing * 1.2
            roof.append(hangs * self.height)
            ground.append((1 - rises) * self.height)
        return Layer(roof, ground, near)

    def _distances_of_row(self, y: int) -> list[int]:
        """Return the indexes of a row's pixels in the tables by distance."""
        over = ((y - self.lamp[1]) / self.height * 1.25) ** 2
        return [min(FAR, int((aside + over) * FAR / FARTHEST)) for aside in self.aside]

    def _row_above_shore(self, y: int) -> list[Rgb]:
        row = []
        grains = fractal_row(self.width, 0.16, y * 0.22, 60, 2)
        for x, far in enumerate(self._distances_of_row(y)):
            light = self.light[far]
            for number in (2, 1, 0):  # the nearest stone hides the others
                layer = self.layers[number]
                edge = max(layer.roof[x] - y, y - layer.ground[x])
                if edge > 0:
                    grain = round(grains[x] * GRAINS)
                    row.append(self.stone(number, grain, light & ~1, min(6, int(edge))))
                    break
            else:
                row.append(self.air(light, self.faint[far]))
        return row

    def _lake_row(self, y: int, step: int) -> list[Rgb]:
        row = []
        straight = 2 * self.shore - y - 1
        for x, far in enumerate(self._distances_of_row(straight)):
            mirrored = straight + round(1.2 * sin(y * 1.7 + x * 0.22))
            light = self.light[far]
            moves = bool(step) and noise(x // 3, y, 91) < MOVING
            flecked = light > 2 and noise(x // 3, y, 77 + step * moves) < 0.10
            colour = self._above[min(self.shore - 1, max(0, mirrored))][x]
            row.append(self.wet(colour, light // 3 if flecked else -1))
        return row

    def _water_colour(self, colour: Rgb, fleck: int) -> Rgb:
        wet = tint(mix(colour, self.paints.water, 0.45), (0.78, 0.86, 1.0))
        return wet if fleck < 0 else mix(wet, self.paints.hot, 0.03 * fleck + 0.05)

    def _air_colour(self, light: int, faint: int) -> Rgb:
        paints, shine = self.paints, light / STEPS
        air = mix(mix(paints.night, paints.deep, faint / FAINT), paints.glow, shine * 0.92)
        return mix(air, paints.hot, max(0.0, shine - 0.45) ** 1.5 * 2.1)

    def _stone_colour(self, number: int, grain: int, light: int, edge: int) -> Rgb:
        paints, shine, near = self.paints, light / STEPS, self.layers[number].near
        stone = tint(mix(paints.stone, paints.shade, near), (1.02 + (grain / GRAINS - 0.5) * paints.rough,) * 3)
        rim = round(exp(-edge / 2.2) * shine * (1.25 - near * 0.75) * 8) / 8
        return mix(mix(stone, paints.glow, shine * (0.62 - near * 0.5)), paints.hot, min(0.85, rim))

    def _drawn_things(self) -> dict[int, dict[int, Rgb]]:
        found: dict[int, dict[int, Rgb]] = {}

        def put(x: int, y: int, colour: Rgb) -> None:
            if 0 <= x < self.width and 0 <= y < self.height:
                found.setdefault(y, {})[x] = colour

        for at, size, lean, ink in CRYSTALS:
            left, high = round(self.lamp[0] + at * self.width), max(3, round(size * self.height / 90))
            for up in range(high):
                for side in (-1, 0, 1):
                    if not side or up <= high - 3:
                        shade = mix(parse_rgb(ink), self.paints.shade, 0.12 + 0.28 * (side + 1) - 0.02 * up)
                        put(left + side + up * lean // 4, self.shore - 1 - up, shade)
        caver = CAVER if self.height > 60 else SMALL_CAVER
        inks = {letter: parse_rgb(ink) for letter, ink in zip("hfbdl", FIGURE, strict=True)}
        for row, line in enumerate(drawn_pixels(caver, inks, self.paints.night)):
            for column, colour in enumerate(line):
                if caver[row][column] != ".":
                    put(self.lamp[0] - 5 + column, self.shore - len(caver) + row, colour)
        return found

    def _drawn_name(self) -> dict[int, dict[int, Rgb]]:
        found: dict[int, dict[int, Rgb]] = {}
        scale = name_scale(self.width, self.height // 2)
        if not scale:
            return found
        wide, rows = scale * (6 * len(NAME) - 1), self.height // 2
        top = name_top(rows) * 2
        # Beside the menu's entries if they reach as high.
        beside = PLATE if top + HIGH * scale > 2 * (rows - ENTRIES) else 0
        left = min((self.width + beside - wide) // 2, self.width - wide - 2)
        pixels = [
            (left + 6 * number * scale + x, top + y, y / (HIGH * scale))
            for number, letter in enumerate(NAME)
            for y in range(HIGH * scale)
            for x in range(5 * scale)
            if LETTERS[letter][y // scale][x // scale] == "#"
        ]
        for x, y, _ in pixels:
            for right, down in ((1, 1), (-1, 0), (1, 0), (0, 1), (0, 2), (1, 2), (-1, 1)):
                found.setdefault(y + down, {})[x + right] = self.paints.outline
        for x, y, share in pixels:
            grain = (smooth(x * 0.35, y * 0.35, 5) - 0.5) * 0.28
            lit = round(min(1.0, max(0.0, share + grain)) * 9) / 9
            found[y][x] = mix(self.paints.low, self.paints.high, lit)
        return found


FIGURE = ("c23b2a", "4a2c1a", "1c1420", "0e0a12", "fffbe0")  # helmet, face, body, legs and lamp


def profile(at: float, seed: int, spikes: float) -> float:
    """Return the depth of the stone at a place: gentle vaults with stalactites."""
    cell = at * 3.1
    tip = abs(cell - int(cell) - 0.5) * 2
    spike: float = max(0.0, 1 - tip * 2.2) ** 1.6 * (0.35 + noise(int(cell), seed, 9))
    return fractal(at, 0.3, seed, 4) * 0.8 + spike * spikes


def name_top(height: int) -> int:
    """Return the row of the name, in a window of this height."""
    return round(height * 0.08)


def name_scale(width: int, height: int) -> int:
    """Return the scale of the name's letters: 0 if they do not fit."""
    rows = height - 13 - name_top(height)
    return next((n for n in (4, 3, 2, 1) if n * 23 + 4 <= width * 0.75 and (n * HIGH + 3) // 2 <= rows), 0)
