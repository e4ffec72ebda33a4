"""Cells of a screen as SVG. Blocks, braille and lines are shapes, which need no font and leave no gaps;
everything else is text, each letter in its cell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.screen import Screen

from client.present.plot import BRAILLE, DOTS
from client.tui.canvas import QUARTERS
from tests.client.pilot import strips

WIDTH, HEIGHT = 10, 20
"""Of a cell."""
FONT = "16.6px DejaVu Sans Mono,ui-monospace,Menlo,Consolas,monospace"
"""The first one renders the PNGs; each has cells of this width."""
BASELINE = 15
SHADES = {"░": 25, "▒": 50, "▓": 75}
"""Half-tones, in per cent of ink."""
BLOCKS = {
    **{"▁▂▃▄▅▆▇"[n - 1]: (0, HEIGHT - HEIGHT * n / 8, WIDTH, HEIGHT * n / 8) for n in range(1, 8)},
    **{"▏▎▍▌▋▊▉"[n - 1]: (0, 0, WIDTH * n / 8, HEIGHT) for n in range(1, 8)},
    "▔": (0, 0, WIDTH, HEIGHT / 8),
    "▕": (WIDTH * 7 / 8, 0, WIDTH / 8, HEIGHT),
    "■": (1, 6, 8, 8),
}
LINES = {"─": "ew", "│": "ns", "┌": "es", "┐": "sw", "└": "en", "┘": "nw"} | {
    **{"├": "ens", "┤": "nsw", "┬": "esw", "┴": "enw", "┼": "ensw"},
    **{"╭": "es", "╮": "sw", "╰": "en", "╯": "nw", "╶": "e", "╴": "w", "╵": "n", "╷": "s"},
}
"""Thin lines, by the sides they reach to."""
HEAVY = {"━": "ew", "┃": "ns", "┏": "es", "┓": "sw", "┗": "en", "┛": "nw"}
ANSI = TerminalTheme((9, 8, 7), (234, 225, 211), [(0, 0, 0)] * 8)

Rect = tuple[float, float, float, float]
"""Left, top, width and height in a cell."""


class Cell(NamedTuple):
    """A displayed cell: its glyph (none in the second half of a wide one), ink, ground and weight."""

    glyph: str
    ink: str
    ground: str
    bold: bool = False


Grid = Sequence[Sequence[Cell]]


def grid(screen: Screen[Any]) -> Grid:
    return [list(_cells(strip)) for strip in strips(screen)]


def _cells(strip: Iterable[Any]) -> Iterator[Cell]:
    for segment in strip:
        style = segment.style or Style()
        ink, ground = _hex(style.color, foreground=True), _hex(style.bgcolor, foreground=False)
        if style.reverse:
            ink, ground = ground, ink
        for glyph in segment.text:
            cell = Cell(glyph, ink, ground, bool(style.bold))
            if width := cell_len(glyph):
                yield from (cell, cell._replace(glyph=""))[:width]


def _hex(colour: Color | None, *, foreground: bool) -> str:
    return (colour or Color.default()).get_truecolor(ANSI, foreground).hex


def rects(glyph: str) -> list[Rect] | None:
    """Return the rectangles of a glyph; None for text."""
    if glyph in BLOCKS:
        return [BLOCKS[glyph]]
    if glyph in QUARTERS:
        mask = QUARTERS.index(glyph)
        if mask in (5, 10, 15):
            return [(0 if mask & 1 else WIDTH / 2, 0, WIDTH if mask == 15 else WIDTH / 2, HEIGHT)]
        return [
            (0 if half & 1 else WIDTH / 2, top, WIDTH if half == 3 else WIDTH / 2, HEIGHT / 2)
            for half, top in ((mask & 3, 0), (mask >> 2, HEIGHT / 2))
            if half
        ]
    if sides := LINES.get(glyph) or HEAVY.get(glyph):
        thick = 1.5 if glyph in LINES else 3.5
        return [_side(side, thick) for side in sides]
    return None


def _side(side: str, thick: float) -> Rect:
    x, y, half = WIDTH / 2, HEIGHT / 2, thick / 2
    return {
        "e": (x - half, y - half, x + half, thick),
        "w": (0, y - half, x + half, thick),
        "n": (x - half, 0, thick, y + half),
        "s": (x - half, y - half, thick, y + half),
    }[side]


def row(cells: Sequence[Cell], ground: str) -> str:
    """Return the elements of a row of cells, over a picture with this ground."""
    parts = []
    grounds: dict[str, list[Rect]] = defaultdict(list)
    shapes: dict[str, list[Rect]] = defaultdict(list)
    dots: dict[str, list[str]] = defaultdict(list)
    shades: list[str] = []
    for column, cell in enumerate(cells):
        x = column * WIDTH
        if cell.ground != ground:
            grounds[cell.ground].append((x, 0, WIDTH, HEIGHT))
        if cell.glyph in SHADES:
            path = _path([(x, 0, WIDTH, HEIGHT)])
            shades.append(f'<path fill="{cell.ink}" opacity=".{SHADES[cell.glyph]}" d="{path}"/>')
        elif cell.glyph and BRAILLE < ord(cell.glyph) < BRAILLE + 256:
            dots[cell.ink] += _dots(x, ord(cell.glyph) - BRAILLE)
        elif cell.glyph and (found := rects(cell.glyph)):
            shapes[cell.ink] += [(x + left, top, width, height) for left, top, width, height in found]
    for painted in (grounds, shapes):
        parts += [f'<path fill="{ink}" d="{_path(each)}"/>' for ink, each in painted.items()]
    parts += shades
    parts += [f'<path class="d" stroke="{ink}" d="{"".join(each)}"/>' for ink, each in dots.items()]
    return "".join([*parts, *_texts(cells)])


def _path(found: Iterable[Rect]) -> str:
    """Return rectangles as a path, which filling closes; adjacent ones in a row are merged."""
    by_rows: dict[tuple[float, float], list[tuple[float, float]]] = defaultdict(list)
    for x, y, width, height in found:
        runs = by_rows[y, height]
        if runs and runs[-1][0] + runs[-1][1] == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + width)
        else:
            runs.append((x, width))
    return "".join(
        f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}" for (y, height), runs in by_rows.items() for x, width in runs
    )


def _dots(x: int, mask: int) -> Iterator[str]:
    """Yield the dots of a braille cell, as strokes of length 0 with round ends."""
    for down, both in enumerate(DOTS):
        for right, bit in enumerate(both):
            if mask & bit:
                yield f"M{x + WIDTH / 4 + right * WIDTH / 2:g} {HEIGHT / 8 + down * HEIGHT / 4:g}h0"


def _texts(cells: Sequence[Cell]) -> Iterator[str]:
    placed = [(column, cell) for column, cell in enumerate(cells) if _is_text(cell)]
    for (ink, bold), found in groupby(placed, key=lambda each: (each[1].ink, each[1].bold)):
        word = list(found)
        places = " ".join(str(column * WIDTH) for column, _ in word)
        weight = ' class="b"' if bold else ""
        letters = escape("".join(cell.glyph for _, cell in word))
        yield f'<text{weight} fill="{ink}" y="{BASELINE}" x="{places}">{letters}</text>'


def _is_text(cell: Cell) -> bool:
    glyph = cell.glyph
    shape = glyph in SHADES or (glyph and (rects(glyph) is not None or BRAILLE <= ord(glyph) < BRAILLE + 256))
    return bool(glyph.strip()) and not shape


STYLE = (
    f"text{{font:{FONT}}}.b{{font-weight:700}}path{{shape-rendering:crispEdges}}"
    ".d{fill:none;stroke-width:3.4;stroke-linecap:round;shape-rendering:auto}"
)


def commonest(grids: Iterable[Grid]) -> str:
    """Return the most frequent ground."""
    return Counter(cell.ground for each in grids for line in each for cell in line).most_common(1)[0][0]


def picture(frames: Sequence[Grid], title: str, about: str, *, more: str = "", kinds: Mapping[int, str] = {}) -> str:
    """The frames over each other as one SVG, each in a group with its number and the classes of ``kinds``.

    Rows that come again are drawn once. ``more`` is added to the style sheet.
    """
    ground = commonest(frames)
    width, height = len(frames[0][0]) * WIDTH, len(frames[0]) * HEIGHT
    rows: dict[str, str] = {}
    groups = []
    for number, frame in enumerate(frames):
        uses = []
        for y, line in enumerate(frame):
            drawn = row(line, ground)
            if drawn:
                name = rows.setdefault(drawn, f"r{len(rows)}")
                uses.append(f'<use href="#{name}" y="{y * HEIGHT}"/>')
        groups.append(f'<g id="f{number}" class="{kinds.get(number, "")}">{"".join(uses)}</g>')
    kept = "\n".join(f'<g id="{name}">{drawn}</g>' for drawn, name in rows.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title about">\n'
        f'<title id="title">{escape(title)}</title>\n'
        f'<desc id="about">{escape(about)}</desc>\n<style>{STYLE}{more}</style>\n<defs>\n{kept}\n</defs>\n'
        f'<rect width="{width}" height="{height}" fill="{ground}"/>\n' + "\n".join(groups) + "\n</svg>\n"
    )
