"""Colours, a grid of cells to paint on, its rows as strips of the screen, and reproducible noise.

Glyphs make the texture, colours the light: rock, the edge of a floor and the dark are quarter blocks in one
pair of colours, and a run of one pair is written as one piece, with any glyphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, Protocol

from rich.color import Color, ColorType
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style

CONTRAST = 4.5  # least contrast of text and its ground (WCAG 2.1, 1.4.3)
STEPS = 20


class Rgb(NamedTuple):
    """A colour in truecolor, each part 0 to 255."""

    red: int
    green: int
    blue: int


BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


def parse_rgb(text: str) -> Rgb:
    """Return the colour of six hexadecimal digits, with or without ``#``."""
    text = text.removeprefix("#")
    return Rgb(int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16))


def parse_inks(text: str) -> dict[str, Rgb]:
    """Return colours by name.

    >>> parse_inks("red ff0000 blue 0000ff")["blue"]
    Rgb(red=0, green=0, blue=255)
    """
    words = text.split()
    return {name: parse_rgb(colour) for name, colour in zip(words[::2], words[1::2], strict=True)}


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Return the first colour with a share (0 to 1) of the other."""
    share = min(1.0, max(0.0, share))
    (red, green, blue), (to_red, to_green, to_blue) = one, other
    return Rgb(
        round(red + (to_red - red) * share),
        round(green + (to_green - green) * share),
        round(blue + (to_blue - blue) * share),
    )


def tint(colour: Rgb, factors: tuple[float, float, float]) -> Rgb:
    (red, green, blue), (by_red, by_green, by_blue) = colour, factors
    return Rgb(min(255, round(red * by_red)), min(255, round(green * by_green)), min(255, round(blue * by_blue)))


def linear_light(colour: Rgb) -> tuple[float, float, float]:
    """Return the light of red, green and blue, each 0 to 1 (sRGB)."""
    red, green, blue = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return red, green, blue


@lru_cache(maxsize=1 << 14)
def luminance(colour: Rgb) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.1)."""
    red, green, blue = linear_light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.1)."""
    dark, light = luminance(one), luminance(other)
    return (light + 0.05) / (dark + 0.05) if light > dark else (dark + 0.05) / (light + 0.05)


@lru_cache(maxsize=1 << 14)
def readable_ink(ink: Rgb, ground: Rgb, least: float = CONTRAST) -> Rgb:
    """Return the ink, moved towards white or black just enough to be readable on this ground."""
    if contrast(ink, ground) >= least:
        return ink
    end = max(WHITE, BLACK, key=lambda each: contrast(each, ground))
    for step in range(1, STEPS):
        found = mix(ink, end, step / STEPS)
        if contrast(found, ground) >= least:
            return found
    return end


def _hash_of_place(x: int, y: int, seed: int) -> int:
    mixed = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    return mixed ^ (mixed >> 16)


def noise(x: int, y: int, seed: int = 0) -> float:
    """Return a number from 0 to 1, the same for the same arguments.

    >>> noise(3, 4) == noise(3, 4)
    True
    """
    return (_hash_of_place(x, y, seed) & 0xFFFF) / 0xFFFF


def fours(left: int, width: int, height: int, seed: int = 0) -> bytes:
    """Return four numbers from 0 to 255 for each place of a block, row by row.

    >>> list(fours(0, 1, 1, 7))
    [117, 218, 171, 179]
    """
    places = ((left + x, y) for y in range(height) for x in range(width))
    return b"".join(_hash_of_place(x, y, seed).to_bytes(4, "little") for x, y in places)


def smooth(x: float, y: float, seed: int = 0) -> float:
    """Return noise interpolated between whole places."""
    left, top = int(x // 1), int(y // 1)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    upper = noise(left, top, seed) * (1 - u) + noise(left + 1, top, seed) * u
    lower = noise(left, top + 1, seed) * (1 - u) + noise(left + 1, top + 1, seed) * u
    return upper * (1 - v) + lower * v


def fractal(x: float, y: float, seed: int = 0, octaves: int = 4) -> float:
    """Return smooth noise with detail: each octave is twice as fine and half as strong."""
    weights = [0.5**octave for octave in range(octaves)]
    found = sum(weight * smooth(x * 2**octave, y * 2**octave, seed + octave) for octave, weight in enumerate(weights))
    return found / sum(weights)


def fractal_row(width: int, step: float, y: float, seed: int = 0, octaves: int = 4) -> list[float]:
    """Return the fractal noise of a row of places, ``step`` apart: the same numbers, but much faster.

    >>> from math import isclose
    >>> isclose(fractal_row(3, 0.4, 1.5)[2], fractal(2 * 0.4, 1.5))
    True
    """
    found = [0.0] * width
    for octave in range(octaves):
        weight, scale = 0.5**octave, 2**octave
        top = int(y * scale // 1)
        v = y * scale - top
        v = v * v * (3 - 2 * v)
        lattice = [
            noise(left, top, seed + octave) * (1 - v) + noise(left, top + 1, seed + octave) * v
            for left in range(int((width - 1) * step * scale) + 2)
        ]
        for place in range(width):
            x = place * step * scale
            left = int(x)
            u = x - left
            u = u * u * (3 - 2 * u)
            found[place] += weight * (lattice[left] * (1 - u) + lattice[left + 1] * u)
    whole = sum(0.5**octave for octave in range(octaves))
    return [each / whole for each in found]


TRUECOLOR = ColorType.TRUECOLOR
QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by mask: 1 upper left, 2 upper right, 4 lower left, 8 lower right


class Styled(Protocol):
    """Returns the style of an ink on a ground."""

    def __call__(self, ink: Rgb, ground: Rgb, bold: bool = False) -> Style: ...


class Cell(NamedTuple):
    """A glyph, its ink, its ground, and whether it is bold."""

    glyph: str
    ink: Rgb
    ground: Rgb
    bold: bool = False


# Created in large numbers: a third faster than by field names.
new_cell: Callable[[tuple[str, Rgb, Rgb, bool]], Cell] = partial(tuple.__new__, Cell)
new_segment: Callable[[tuple[str, Style | None, None]], Segment] = partial(tuple.__new__, Segment)


class Canvas:
    """A grid of cells. Painting outside it is ignored."""

    def __init__(self, width: int, height: int, ground: Rgb) -> None:
        self.width, self.height = width, height
        self.rows: list[list[Cell]] = [[Cell(" ", ground, ground)] * width for _ in range(height)]

    def put(self, x: int, y: int, glyph: str, ink: Rgb, ground: Rgb | None = None, bold: bool = False) -> None:
        """Paint one cell; without a ground it keeps its own."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][x] = Cell(glyph, ink, self.rows[y][x].ground if ground is None else ground, bold)

    def text(self, x: int, y: int, text: str, ink: Rgb, ground: Rgb | None = None, bold: bool = False) -> int:
        """Write glyphs of one cell each; return the column after them."""
        for glyph in text:
            self.put(x, y, glyph, ink, ground, bold)
            x += 1
        return x

    def fill(self, x: int, y: int, width: int, height: int, ground: Rgb) -> None:
        left, right = max(0, x), min(self.width, x + width)
        if left < right:
            line = [Cell(" ", ground, ground)] * (right - left)
            for row in self.rows[max(0, y) : max(0, y + height)]:
                row[left:right] = line


def cell_segments(cells: Iterable[Cell], styled: Styled | None = None) -> list[Segment]:
    """Return the cells in as few pieces as show the same: a blank takes the ink beside it.

    ``styled`` makes the style of a pair of colours, by default in truecolor.

    >>> from client.tui.canvas import BLACK, WHITE
    >>> [piece.text for piece in cell_segments([Cell("▚", WHITE, BLACK), Cell(" ", BLACK, BLACK)])]
    ['▚ ']
    """
    styled = styled or style_of_inks
    found: list[Segment] = []
    text, blank = "", False
    last_ink: Rgb | None = None
    last_ground: Rgb | None = None
    last_bold = False
    for glyph, ink, ground, bold in cells:
        # Within a run the colours are mostly the same objects: comparing identities is fast.
        if ground is last_ground or ground == last_ground:
            if glyph == " " or (not blank and (ink is last_ink or ink == last_ink) and bold == last_bold):
                text += glyph
                continue
            if blank:  # blanks have no ink
                text, blank, last_ink, last_bold = text + glyph, False, ink, bold
                continue
        if last_ink is not None and last_ground is not None:
            found.append(new_segment((text, styled(last_ink, last_ground, last_bold), None)))
        text, blank, last_ink, last_ground, last_bold = glyph, glyph == " ", ink, ground, bold
    if last_ink is not None and last_ground is not None:
        found.append(new_segment((text, styled(last_ink, last_ground, last_bold), None)))
    return found


@lru_cache(maxsize=1 << 14)
def style_of_inks(ink: Rgb, ground: Rgb, bold: bool = False) -> Style:
    return style_of(_textual_colour(ink), _textual_colour(ground), bold)


def style_of(ink: Color, ground: Color, bold: bool) -> Style:
    if bold:
        return Style(color=ink, bgcolor=ground, bold=True)
    return Style.from_color(ink, ground)  # a quarter of the time of the other


@lru_cache(maxsize=1 << 12)
def _textual_colour(colour: Rgb) -> Color:
    # The result of ``Color.from_rgb``, in a third of the time.
    return Color(f"#{bytes(colour).hex()}", TRUECOLOR, None, ColorTriplet(*colour))


Image = Sequence[Sequence[Rgb]]  # rows of pixels, an even number of them


def pixel_cells(image: Image) -> Iterator[list[Cell]]:
    """Yield the rows of cells that show an image.

    >>> from client.tui.canvas import BLACK, WHITE
    >>> [cell.glyph for cell in next(pixel_cells([[WHITE, BLACK], [BLACK, BLACK]]))]
    ['▀', ' ']
    """
    for upper, lower in zip(image[::2], image[1::2], strict=True):
        yield [
            Cell(" ", one, one) if one == other else Cell("▀", one, other)
            for one, other in zip(upper, lower, strict=True)
        ]


def drawn_pixels(rows: Sequence[str], inks: Mapping[str, Rgb], ground: Rgb) -> Image:
    """Return a picture written as a letter per pixel; letters without an ink are the ground."""
    return [[inks.get(letter, ground) for letter in row] for row in rows]


def cut(row: Iterable[Segment], start: int, stop: int) -> list[Segment]:
    """Return the cells of a row from ``start`` to before ``stop``.

    >>> [piece.text for piece in cut([Segment("abc"), Segment("de"), Segment("fg")], 1, 6)]
    ['bc', 'de', 'f']
    """
    found: list[Segment] = []
    end = 0
    for segment in row:
        text = segment.text
        begin, end = end, end + len(text)
        if begin >= stop:
            break
        if begin >= start and end <= stop:
            found.append(segment)
        elif end > start:
            found.append(new_segment((text[max(0, start - begin) : stop - begin], segment.style, None)))
    return found
