"""The colours and glyphs of a terminal: quarter blocks, halves only, or ASCII; all colours, 256, 16, or none.

With 256 colours the library takes the nearest by steps of the colour cube, which makes olive of browns and
dark red of greys. Here dark colours go to the greys and to the few dark colours that look like themselves, by
the differences that the eye sees (CIE Lab).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter

from client.tui.canvas import (
    BLACK,
    CONTRAST,
    QUARTERS,
    WHITE,
    Cell,
    Rgb,
    Styled,
    cell_segments,
    contrast,
    linear_light,
    parse_rgb,
    readable_ink,
    style_of,
    style_of_inks,
)

Colours = Literal["truecolor", "256", "16", "none"]

HALVES = {0: " ", 3: "▀", 12: "▄", 5: "▌", 10: "▐", 15: "█"}
"""The blocks of WGL4, which all consoles have."""
CHEQUER, HALF_TONE, FULL_TONE = "▚", "░", "▒"
TONES = HALF_TONE + FULL_TONE
SOFT = {CHEQUER: "▒", "▞": "▒"}  # two diagonal quarters are not a half: they become a half-tone


def _half_block(mask: int) -> str:
    nearest = min(HALVES, key=lambda half: ((half ^ mask).bit_count(), half))
    return HALVES[nearest]


COARSE = str.maketrans({quarter: _half_block(mask) for mask, quarter in enumerate(QUARTERS)} | SOFT)
"""Quarter blocks, each as the nearest block that every console has."""
ASCII = str.maketrans(dict.fromkeys(QUARTERS, " ") | {"…": "~", HALF_TONE: ":", FULL_TONE: ":", "·": ":"})


def text_in_glyphs(text: str, glyphs: str) -> str:
    """Return the text in the glyphs of a terminal; in ASCII blocks show only their ground.

    >>> text_in_glyphs("▗▄▖", "unicode"), text_in_glyphs("▗▄▖", "fine"), text_in_glyphs("▗▄▖", "ascii")
    (' ▄ ', '▗▄▖', '   ')
    """
    return text if glyphs == "fine" else text.translate(COARSE if glyphs == "unicode" else ASCII)


def cells_as_segments(cells: Sequence[Cell], glyphs: str, pair: Styled) -> list[Segment]:
    """Return cells as segments in the glyphs of a terminal. In ASCII a block's main colour fills its cell,
    without colours a shade.
    """
    if pair is pair_without_colours:
        return cell_segments([shade_of(cell, glyphs) for cell in cells], pair)
    found = cell_segments([_solid_cell(cell) for cell in cells] if glyphs == "ascii" else cells, pair)
    if glyphs == "fine":
        return found
    return [Segment(text_in_glyphs(text, glyphs), style) for text, style, _ in found]


@lru_cache(maxsize=1 << 13)
def _solid_cell(cell: Cell) -> Cell:
    mask = QUARTERS.find(cell.glyph)
    most = cell.ink if mask.bit_count() > 1 else cell.ground
    return Cell(" ", most, most) if mask > 0 else cell


# 256 colours

STEPS = (0, 95, 135, 175, 215, 255)  # the components of the colours of the cube, 16 to 231
ALL = range(16, 256)
GREYS = (*range(232, 256), 16, 231)
DARK = (*range(232, 256), 16, 17, 18, 22, 23, 24, 25, 53, 54, 60, 67, 68, 74, 94, 130, 137, 139, 173, 180)
"""Only dark colours whose neighbours look alike."""
NOT_KHAKI = [number for number in ALL if number not in (101, 143, 144, 186, 187)]  # brown paper would be olive
MAROON = 52  # the darkest of warm inks on paper; as a ground it would be a red hole in brown rock
LIGHT, STRONG = 62, 45  # the lightness (of 100) and strength of a colour from which all but khaki may be used
PALE, WEAK = 66, 16  # the lightness from which a weaker colour is grey: paper, not khaki


def colour_256(number: int) -> Rgb:
    """Return one of the 256 colours by its number, from 16 on; the user sets those below."""
    if number >= 232:
        return Rgb(*[8 + 10 * (number - 232)] * 3)
    number -= 16
    return Rgb(STEPS[number // 36], STEPS[number // 6 % 6], STEPS[number % 6])


class _Lab(NamedTuple):
    lightness: float
    green_red: float
    blue_yellow: float


@lru_cache(maxsize=1 << 12)
def _lab(colour: Rgb) -> _Lab:
    red, green, blue = linear_light(colour)
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return _Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


@cache
def _lab_of_256() -> dict[int, _Lab]:
    return {number: _lab(colour_256(number)) for number in ALL}


@cache
def _bright_of_256() -> Sequence[int]:
    return [number for number, (lightness, *_) in _lab_of_256().items() if lightness >= LIGHT]


def _closest_256(colour: Rgb) -> Sequence[int]:
    lightness, *colours = _lab(colour)
    strength = math.hypot(*colours)
    if lightness >= PALE and strength < WEAK:
        return GREYS
    return NOT_KHAKI if lightness >= LIGHT or strength >= STRONG else DARK


NUMBERS = {colour_256(number): number for number in reversed(ALL)}


@lru_cache(maxsize=1 << 13)
def nearest_256(colour: Rgb) -> Rgb:
    """Return the most similar of the 256 colours; a difference in lightness counts double."""
    if colour in NUMBERS:
        return colour
    return colour_256(_nearest(colour, _closest_256(colour)))


def one_step_256(colour: Rgb, *, darker: bool) -> Rgb:
    """Return the next darker or lighter of the 256 colours with the same hue; a mixture could become grey."""
    number = NUMBERS[nearest_256(colour)]
    if number >= GREYS[0]:
        return colour_256(number - 3 if darker else number + 3) if 235 <= number <= 252 else colour
    steps = [(number - 16) // size % 6 for size in (36, 6, 1)]
    if darker:
        return Rgb(*(STEPS[max(0, step - 1)] for step in steps)) if max(steps) > 1 else colour
    return Rgb(*(STEPS[min(5, step + 1)] for step in steps))


def _nearest(colour: Rgb, numbers: Iterable[int]) -> int:
    here, table = _lab(colour), _lab_of_256()
    return min(numbers, key=lambda number: _difference(table[number], here))


def _difference(one: _Lab, other: _Lab) -> float:
    light, *colours = (mine - yours for mine, yours in zip(one, other, strict=True))
    return 2.2 * light**2 + sum(part**2 for part in colours)


@lru_cache(maxsize=1 << 13)
def readable_256(ink: Rgb, ground: Rgb, least: float = CONTRAST) -> Rgb:
    """Return the most similar of the 256 colours that is readable on this ground: it keeps its hue."""
    found = nearest_256(ink)
    if contrast(found, ground) >= least:
        return found
    numbers = {*_closest_256(ink), *_bright_of_256(), MAROON}
    able = [number for number in sorted(numbers) if contrast(colour_256(number), ground) >= least]
    return colour_256(_nearest(ink, able)) if able else max(WHITE, BLACK, key=lambda end: contrast(end, ground))


@lru_cache(maxsize=1 << 13)
def pair_256(ink: Rgb, ground: Rgb, bold: bool = False) -> Style:
    return style_of(by_number(ink), by_number(ground), bold)


@lru_cache(maxsize=1 << 8)
def by_number(colour: Rgb) -> Color:
    """Return the nearest of the 256, by its number."""
    return Color.from_ansi(NUMBERS[nearest_256(colour)])


def in_256(ink: Color | None, ground: Color | None) -> tuple[Color | None, Color | None]:
    """Return ink and ground among the 256 by the table of pictures; readable pairs stay readable."""
    under = ground.triplet if ground is not None else None
    if under is not None:
        ground = by_number(Rgb(*under))
    if ink is not None and ink.triplet is not None:
        own = Rgb(*ink.triplet)
        if under is not None and contrast(own, Rgb(*under)) >= CONTRAST:
            own = readable_256(own, nearest_256(Rgb(*under)))
        ink = by_number(own)
    return ink, ground


@lru_cache(maxsize=1 << 12)
def style_in_256(style: Style) -> Style:
    ink, ground = in_256(style.color, style.bgcolor)
    return style + Style(color=ink, bgcolor=ground)


class In256(LineFilter):
    """Maps the colours of widgets to the 256."""

    def apply(self, segments: list[Segment], _background: object) -> list[Segment]:
        return [Segment(text, style and style_in_256(style), control) for text, style, control in segments]


# 16 colours, and none

SIXTEEN = [Rgb(*(170 * (number >> bit & 1) + 85 * (number >> 3) for bit in range(3))) for number in range(16)]
SIXTEEN[3] = parse_rgb("aa5500")
"""Those of VGA, whose yellow is brown."""
NUMBERS_16 = {colour: number for number, colour in enumerate(SIXTEEN)}
SHADES = {"ascii": " .:+*#", "unicode": " ░▒▓█"}  # the darkest first
CLEAR = 18  # the difference in lightness from which without colours only the lighter pixel of a cell is drawn
GREY = {SIXTEEN[8]: 1, SIXTEEN[3]: 2, SIXTEEN[7]: 3, WHITE: 3}
"""The shades of stone without colours; all others are blank."""


@lru_cache(maxsize=1 << 10)
def nearest_16(colour: Rgb) -> Color:
    """Return the terminal's own colour that looks most like a colour; never blue, which is lost on black."""
    return Color.from_ansi(NUMBERS_16[_nearest_but_blue(colour)])


def _nearest_but_blue(colour: Rgb) -> Rgb:
    return _nearest_of((each for each in SIXTEEN if each != SIXTEEN[4]), colour)


def _nearest_of(colours: Iterable[Rgb], colour: Rgb) -> Rgb:
    return min(colours, key=lambda each: _difference(_lab(each), _lab(colour)))


@lru_cache(maxsize=1 << 10)
def in_few(cell: Cell, ground: Rgb, glyphs: str, *, coloured: bool) -> tuple[str, Style]:
    """Return a cell in the terminal's own colours, or without colours in shades of grey. Pixels of the
    ``ground`` are left out.
    """
    glyph, ink, under, bold = cell
    if glyph not in " ▀" and ink != under:
        if glyphs != "ascii" or glyph not in QUARTERS:
            if not coloured:
                return glyph, pair_without_colours(ink, under, bold)
            back = None if under == ground else nearest_16(under)
            if back is not None and glyph not in QUARTERS:
                ink = readable_16(ink, _nearest_but_blue(under))
            # Many terminals show bold black as grey.
            return glyph, Style(color=nearest_16(ink), bgcolor=back, bold=bold and ink != BLACK)
        under = ink
    upper, lower = (ink, under) if glyph == "▀" else (under, under)
    drawn = [colour for colour in (upper, lower) if colour != ground]
    if not drawn:
        return " ", Style.null()
    half = " " if len(drawn) > 1 else "▄" if upper == ground else "▀"
    style = Style(color=nearest_16(drawn[0]))
    if glyphs != "ascii" and coloured:
        if upper == lower:
            return "█", style
        return (half, style) if half != " " else ("▀", style + Style(bgcolor=nearest_16(lower)))
    if glyphs != "ascii" and half != " ":
        return half, style
    shades = SHADES["ascii" if glyphs == "ascii" else "unicode"]
    lights = [_lab(colour).lightness for colour in (upper, lower)]
    if glyphs != "ascii" and abs(lights[0] - lights[1]) > CLEAR:
        return "▀" if lights[0] > lights[1] else "▄", style
    light = sum(lights) / 2
    return shades[min(len(shades) - 1, max(1, int(light / 100 * len(shades))))], style


@lru_cache(maxsize=1 << 12)
def among_16(colour: Rgb) -> Rgb:
    return _nearest_of(SIXTEEN, colour)


@lru_cache(maxsize=1 << 10)
def readable_16(ink: Rgb, ground: Rgb, least: float = CONTRAST) -> Rgb:
    """Return the most similar of the 16 colours that is readable on this ground."""
    return _nearest_of((each for each in SIXTEEN if contrast(each, ground) >= least), ink)


@lru_cache(maxsize=1 << 10)
def pair_16(ink: Rgb, ground: Rgb, bold: bool = False) -> Style:
    """Return a style in the terminal's own colours; black is the terminal's own ground."""
    back = None if ground == BLACK else Color.from_ansi(NUMBERS_16[among_16(ground)])
    return Style(color=Color.from_ansi(NUMBERS_16[among_16(ink)]), bgcolor=back, bold=bold and ink != BLACK)


@lru_cache(maxsize=1 << 10)
def pair_without_colours(ink: Rgb, ground: Rgb, bold: bool = False) -> Style:
    return Style(reverse=ink == BLACK != ground, bold=bold, dim=ink == SIXTEEN[8])


@lru_cache(maxsize=1 << 13)
def shade_of(cell: Cell, glyphs: str) -> Cell:
    """Return a block as a shade of grey, and other cells as they are."""
    glyph, _, ground, _ = solid = _solid_cell(cell)
    if glyph not in QUARTERS:
        return cell._replace(glyph=text_in_glyphs(glyph, glyphs), ground=BLACK if ground in GREY else ground)
    shades = "  ##" if glyphs == "ascii" else SHADES["unicode"]  # a dot is a sign
    return Cell(shades[GREY.get(solid.ground, 0)], WHITE, BLACK)


class ColourTier(Struct, frozen=True):
    """The colours of a terminal: displayable colours, readable inks, and pairs as styles."""

    colours: Colours

    @property
    def has_few(self) -> bool:
        """Whether the terminal's own palette is used, at most."""
        return self.colours in ("16", "none")

    def shown(self, colour: Rgb) -> Rgb:
        return _SHOWN[self.colours](colour)

    def colour(self, number: int) -> Rgb:
        """Return one of the colours of the terminal by its number."""
        return colour_256(number) if self.colours == "256" else SIXTEEN[number]

    def readable_ink(self, ink: Rgb, ground: Rgb, least: float = CONTRAST) -> Rgb:
        """Return the ink, adjusted to be readable on the ground as displayed."""
        return _READABLE[self.colours](ink, ground, least)

    @property
    def style_maker(self) -> Styled:
        """The function that returns the style of an ink on a ground."""
        return _STYLED[self.colours]


_SHOWN: Mapping[Colours, Callable[[Rgb], Rgb]] = {
    "truecolor": lambda colour: colour,
    "256": nearest_256,
    "16": among_16,
    "none": among_16,
}
_READABLE = {"truecolor": readable_ink, "256": readable_256, "16": readable_16, "none": readable_16}
_STYLED: Mapping[Colours, Styled] = {
    "truecolor": style_of_inks,
    "256": pair_256,
    "16": pair_16,
    "none": pair_without_colours,
}
TRUECOLOR, COLOURS_256, COLOURS_16, NO_COLOURS = (ColourTier(each) for each in get_args(Colours))
