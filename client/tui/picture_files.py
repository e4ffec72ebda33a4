"""Pictures of a part of the screen as files: SVG, PNG, and text with the colour codes of terminals.

``font.hex`` has the glyphs of PNGs, drawn after DejaVu Sans Mono: a code point, then a byte per row.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import MONOKAI
from textual.geometry import Region
from textual.widget import Widget

from client.tui.canvas import BLACK, QUARTERS, WHITE, Cell, Rgb

WIDE, HIGH = 8, 16  # pixels of a cell
BASELINE, FONT = 12.5, "13.3px DejaVu Sans Mono,ui-monospace,Menlo,Consolas,monospace"
UNKNOWN = (0, 0, 0, *[0x7E] * 10, 0, 0, 0)  # for signs that the font lacks
Grid = Sequence[Sequence[Cell]]


def widget_grid(shown: Widget) -> Grid:
    """Return the cells of a widget and its children. The second half of a wide glyph has none."""
    width, height = shown.outer_size
    rows = [[Cell(" ", WHITE, BLACK)] * width for _ in range(height)]
    for widget in (shown, *shown.walk_children(Widget)):
        x, y = widget.region.offset - shown.region.offset
        for row, strip in zip(rows[y:], widget.render_lines(Region(0, 0, *widget.outer_size)), strict=False):
            cells = [cell for text, style, _ in strip for cell in _text_cells(text, style or Style.null())]
            row[x : x + len(cells)] = cells
    return rows


def _text_cells(text: str, style: Style) -> Iterator[Cell]:
    ink, ground = (
        Rgb(*(colour or Color.default()).get_truecolor(MONOKAI, foreground=foreground))
        for colour, foreground in ((style.color, True), (style.bgcolor, False))
    )
    if style.reverse:
        ink, ground = ground, ink
    for glyph in text:
        yield from (Cell(each, ink, ground, bool(style.bold)) for each in (glyph, "")[: cell_len(glyph)])


def grid_as_ansi(cells: Grid) -> str:
    lines = []
    for row in cells:
        line = ""
        for (ink, ground, bold), run in groupby(row, key=lambda cell: cell[1:]):
            codes = ";".join(map(str, (*[1] * bold, 38, 2, *ink, 48, 2, *ground)))
            line += f"\x1b[0;{codes}m{''.join(cell.glyph for cell in run)}"
        lines.append(f"{line}\x1b[0m\n")
    return "".join(lines)


def grid_as_svg(cells: Grid) -> str:
    """Return a picture whose blocks need no font, so that they leave no gaps."""
    width, height = WIDE * len(cells[0]), HIGH * len(cells)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f"<style>rect{{shape-rendering:crispEdges}}text{{font:{FONT};white-space:pre}}</style>",
    ]
    for y, row in enumerate(cells):
        x = 0
        for (ink, ground, bold), run in groupby(row, key=lambda cell: cell[1:]):
            glyphs = [cell.glyph for cell in run]
            parts.append(_svg_rect(x, y * HIGH, WIDE * len(glyphs), HIGH, ground))
            for at, glyph in enumerate(glyphs):
                left = x + at * WIDE
                if glyph and glyph in QUARTERS:
                    parts += [
                        _svg_rect(
                            left + part % 2 * WIDE // 2, y * HIGH + part // 2 * HIGH // 2, WIDE // 2, HIGH // 2, ink
                        )
                        for part in range(4)
                        if QUARTERS.index(glyph) >> part & 1
                    ]
                elif glyph.strip():
                    weight = ' font-weight="700"' * bold
                    place = f'x="{left}" y="{y * HIGH + BASELINE}" fill="#{bytes(ink).hex()}"'
                    parts.append(f"<text {place}{weight}>{escape(glyph)}</text>")
            x += WIDE * len(glyphs)
    return "\n".join([*parts, "</svg>\n"])


def _svg_rect(x: int, y: int, width: int, height: int, colour: Rgb) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="#{bytes(colour).hex()}"/>'


def grid_as_png(cells: Grid) -> bytes:
    rows = b"".join(
        b"\0" + b"".join(_png_pixels(_glyph_rows(cell.glyph)[y], cell.ink, cell.ground) for cell in row)
        for row in cells
        for y in range(HIGH)
    )
    size = struct.pack(">IIBBBBB", WIDE * len(cells[0]), HIGH * len(cells), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@cache
def _png_font() -> dict[str, bytes]:
    lines = Path(__file__).with_name("font.hex").read_text("ascii").split()
    return {chr(int(code, 16)): bytes.fromhex(dots) for code, _, dots in (line.partition(":") for line in lines)}


@lru_cache(maxsize=1024)
def _glyph_rows(glyph: str) -> Sequence[int]:
    """Return the rows of a glyph; each bit is a pixel, the left one first."""
    if glyph and glyph in QUARTERS:
        mask = QUARTERS.index(glyph)
        halves = [0xF0 * (each & 1) | 0x0F * (each >> 1 & 1) for each in (mask, mask >> 2)]
        return [*[halves[0]] * 8, *[halves[1]] * 8]
    return _png_font().get(glyph, UNKNOWN) if glyph.strip() else [0] * HIGH


@lru_cache(maxsize=1 << 14)
def _png_pixels(dots: int, ink: Rgb, ground: Rgb) -> bytes:
    return b"".join(bytes(ink if dots >> bit & 1 else ground) for bit in range(WIDE - 1, -1, -1))
