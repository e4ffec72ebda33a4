"""A grid of cells to paint on, and its rows as strips of the screen.

Texture is in the glyphs, light in the colours: rock, the edge of a floor and the dark are quarter blocks over
one pair of colours, and a run of one pair is one piece for the writer, whatever its glyphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, Protocol

from rich.color import Color, ColorType
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from client.tui.paint.colour import Rgb

TRUECOLOR = ColorType.TRUECOLOR
QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by mask: 1 upper left, 2 upper right, 4 lower left, 8 lower right


class Styled(Protocol):
    """A function that makes the style of an ink on a ground."""

    def __call__(self, ink: Rgb, ground: Rgb, bold: bool = False) -> Style: ...


class Cell(NamedTuple):
    """One cell: a glyph, its ink, its ground, and whether it is bold."""

    glyph: str
    ink: Rgb
    ground: Rgb
    bold: bool = False


# Making many of them without asking for their fields by name takes two thirds of the time.
new_cell: Callable[[tuple[str, Rgb, Rgb, bool]], Cell] = partial(tuple.__new__, Cell)
new_segment: Callable[[tuple[str, Style | None, None]], Segment] = partial(tuple.__new__, Segment)


class Canvas:
    """A grid of cells. What lies outside it is not painted."""

    def __init__(self, width: int, height: int, ground: Rgb) -> None:
        self.width, self.height = width, height
        self.rows: list[list[Cell]] = [[Cell(" ", ground, ground)] * width for _ in range(height)]

    def put(
        self, x: int, y: int, glyph: str, ink: Rgb, ground: Rgb | None = None, bold: bool = False
    ) -> None:
        """Paint one cell; without a ground it keeps its own."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][x] = Cell(glyph, ink, self.rows[y][x].ground if ground is None else ground, bold)

    def text(self, x: int, y: int, text: str, ink: Rgb, ground: Rgb | None = None, bold: bool = False) -> int:
        """Write glyphs of one cell each; returns the column after them."""
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

    def strip(self, y: int) -> Strip:
        return Strip(segments(self.rows[y]), self.width)


def segments(cells: Iterable[Cell], styled: Styled | None = None) -> list[Segment]:
    """Return the cells in as few pieces as show the same: a blank takes the ink beside it.

    ``styled`` makes the style of a pair of colours, by default in truecolor.

    >>> from client.tui.paint.colour import BLACK, WHITE
    >>> [piece.text for piece in segments([Cell("▚", WHITE, BLACK), Cell(" ", BLACK, BLACK)])]
    ['▚ ']
    """
    styled = styled or pair
    found: list[Segment] = []
    text, blank = "", False
    last_ink: Rgb | None = None
    last_ground: Rgb | None = None
    last_bold = False
    for glyph, ink, ground, bold in cells:
        # Within a run the colours are mostly the same objects, which is seen at once.
        if ground is last_ground or ground == last_ground:
            if glyph == " " or (not blank and (ink is last_ink or ink == last_ink) and bold == last_bold):
                text += glyph
                continue
            if blank:  # blanks have no ink of their own
                text, blank, last_ink, last_bold = text + glyph, False, ink, bold
                continue
        if last_ink is not None and last_ground is not None:
            found.append(new_segment((text, styled(last_ink, last_ground, last_bold), None)))
        text, blank, last_ink, last_ground, last_bold = glyph, glyph == " ", ink, ground, bold
    if last_ink is not None and last_ground is not None:
        found.append(new_segment((text, styled(last_ink, last_ground, last_bold), None)))
    return found


@lru_cache(maxsize=1 << 14)
def pair(ink: Rgb, ground: Rgb, bold: bool = False) -> Style:
    return style_of(_colour(ink), _colour(ground), bold)


def style_of(ink: Color, ground: Color, bold: bool) -> Style:
    if bold:
        return Style(color=ink, bgcolor=ground, bold=True)
    return Style.from_color(ink, ground)  # a quarter of the time of the other


@lru_cache(maxsize=1 << 12)
def _colour(colour: Rgb) -> Color:
    # What ``Color.from_rgb`` makes, in a third of the time.
    return Color(f"#{bytes(colour).hex()}", TRUECOLOR, None, ColorTriplet(*colour))


Image = Sequence[Sequence[Rgb]]  # rows of pixels, an even number of them


def pixel_cells(image: Image) -> Iterator[list[Cell]]:
    """Return the rows of cells that show an image.

    >>> from client.tui.paint.colour import BLACK, WHITE
    >>> [cell.glyph for cell in next(pixel_cells([[WHITE, BLACK], [BLACK, BLACK]]))]
    ['▀', ' ']
    """
    for upper, lower in zip(image[::2], image[1::2], strict=True):
        yield [
            Cell(" ", one, one) if one == other else Cell("▀", one, other)
            for one, other in zip(upper, lower, strict=True)
        ]


def drawn_pixels(rows: Sequence[str], inks: Mapping[str, Rgb], ground: Rgb) -> Image:
    """Return a picture written down with a letter for each pixel; a letter without an ink is the ground."""
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
