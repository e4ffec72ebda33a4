"""Pictures of screens as terminals draw them: blocks and braille as shapes, all else letter by letter.

Textual's SVG writes block glyphs with a font, whose blocks leave gaps; terminals draw them themselves.
"""

from __future__ import annotations

import html
import re

from client.tui.paint.canvas import QUARTERS

CELL, LINE = 12.2, 24.4
"""A cell in the picture's own units."""
ASCENT = 18.5
"""From the top of a cell to the line that its text stands on."""
OVERLAP = 0.15
FONT = "DejaVu Sans Mono"
TEXT = re.compile(r'<text class="([^"]+)" x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+"([^>]*)>(.*?)</text>')
MASKS = {glyph: mask for mask, glyph in enumerate(QUARTERS) if mask}
WHOLE = {
    15: ((0, 0, 2, 2),),
    3: ((0, 0, 2, 1),),
    12: ((0, 1, 2, 1),),
    5: ((0, 0, 1, 2),),
    10: ((1, 0, 1, 2),),
}
"""Blocks of two or four quarters are one rectangle: (column, row, columns, rows) in quarters."""
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
BRAILLE = 0x2800
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))


def exact(svg: str) -> str:
    """The picture with every glyph exactly in its cell."""
    svg = svg.replace("Fira Code", FONT).replace("font-size: 20px", "font-size: 20.26px")
    return TEXT.sub(_line, svg)


def _line(found: re.Match[str]) -> str:
    style, left, base, rest, content = found.groups()
    text = html.unescape(content).replace("\u00a0", " ")
    top = float(base) - ASCENT
    drawn = []
    for column, glyph in enumerate(text):
        x = float(left) + CELL * column
        if glyph in MASKS:
            drawn.append(_block(style, MASKS[glyph], x, top))
        elif glyph in SHADES:
            drawn.append(_box(style, x, top, CELL, LINE, f' fill-opacity="{SHADES[glyph]}"'))
        elif BRAILLE <= ord(glyph) < BRAILLE + 256:
            drawn.append(_braille(style, ord(glyph) - BRAILLE, x, top))
        elif glyph != " ":
            drawn.append(f'<text class="{style}" x="{x:.1f}" y="{base}"{rest}>{html.escape(glyph)}</text>')
    return "".join(drawn)


def _block(style: str, mask: int, x: float, top: float) -> str:
    parts = WHOLE.get(mask) or [(bit & 1, bit >> 1, 1, 1) for bit in range(4) if mask >> bit & 1]
    half, high = CELL / 2, LINE / 2
    return "".join(
        _box(style, x + column * half, top + row * high, columns * half + OVERLAP, rows * high + OVERLAP)
        for column, row, columns, rows in parts
    )


def _box(style: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    return (
        f'<rect class="{style}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"{more} '
        'shape-rendering="crispEdges"/>'
    )


def _braille(style: str, mask: int, x: float, top: float) -> str:
    return "".join(
        f'<circle class="{style}" cx="{x + CELL * (0.25 + column / 2):.2f}" '
        f'cy="{top + LINE * (0.125 + row / 4):.2f}" r="2.1"/>'
        for bit, (column, row) in enumerate(DOTS)
        if mask >> bit & 1
    )
