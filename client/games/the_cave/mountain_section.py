"""A section through the mountain: the levels of the cave one below the other, with ropes, lakes and teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from cave.the_cave.state import LEVEL
from client.games.the_cave.lit_painter import LitPainter
from client.games.the_cave.map_signs import SETS, TEAM_LETTERS, TEAM_ROLES, Cells, Role
from client.games.the_cave.palette import BRIGHTEST
from client.games.the_cave.picture import EMPTY, MapPicture
from client.games.the_cave.sign_painter import BLANK, OVERVIEW, SignPencil
from client.settings.appearance import GlyphSetName
from client.tui.canvas import Cell, Rgb, cell_segments, mix, noise, parse_inks
from client.tui.text_roles import PANELS, Hue
from client.tui.widgets.panel import Panel, Row, Span
from client.wording import count

LABELS = 6  # columns for the depths
HIGHEST = 4  # rows of a level, if they fit
SKY = {True: parse_inks("sky 18263f hill 33551f"), False: parse_inks("sky cfe0ee hill 9db877")}
"""Above the ground, in the dark and on paper."""
MATTERS = ("plain", "descent", "squeeze", "choke", "wonder", "water", "base")
"""Of several tiles behind each other, the last of these is shown."""


class Section(Panel):
    """The cave from the side; drawn in signs if the map is."""

    ROLES: ClassVar[Mapping[str, Hue]] = {**PANELS, **OVERVIEW}
    GROWS = False
    _picture: MapPicture = EMPTY
    _painter: LitPainter | None = None

    def __init__(self, *, line: str, glyph_set: GlyphSetName, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._glyphs = SETS[glyph_set]

    def draw(self, picture: MapPicture, painter: LitPainter | None) -> None:
        self._picture, self._painter = picture, painter
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        if not self._picture.cells or height < HIGHEST:
            return []
        levels = 1 + max(cell.depth for cell in self._picture.cells.values()) // LEVEL
        high = max(1, min(HIGHEST, (height - 2) // levels))
        cells = self._rock(width, min(height - 1, 1 + levels * high), high)
        self._draw(cells, high, width)
        rows: list[Row] = [self.heading_row("Section", width, count(levels, "level"))]
        if (painter := self._painter) is None:
            return [*rows, *([Span(text, role) for text, role in row] for row in cells)]
        lit = (cell_segments(row, painter.style) for row in cells)
        return [*rows, *([Span(text, look=style) for text, style, _ in row] for row in lit)]

    def _rock(self, width: int, height: int, high: int) -> Cells:
        painter = self._painter
        if painter is None:
            return [[BLANK] * width for _ in range(height)]
        shades = painter.shades
        sky = {name: shades.shown(colour) for name, colour in SKY[not shades.palette.darkest].items()}
        rows: Cells = [[Cell("▄" if noise(x // 3, 1) > 0.4 else " ", sky["hill"], sky["sky"]) for x in range(width)]]
        for y in range(height - 1):
            level = min(y // high, len(shades.palette.depths) - 1)
            lit = [_stone(painter, BRIGHTEST - 4 + int(2 * noise(x // 2, y)), level) for x in range(width)]
            rows.append([Cell(" ", each, each) for each in lit])
        for row in rows:
            row[:LABELS] = [Cell(" ", shades.void, shades.void)] * LABELS
        return rows

    def _draw(self, rows: Cells, high: int, width: int) -> None:
        cells, (left, _, right, _) = self._picture.cells, self._picture.bounds
        painter, glyphs = self._painter, self._glyphs
        pen = SignPencil() if painter is None else painter.pen
        step = max(1, (width - LABELS) // (right - left + 3))  # a column at each end is for exits
        start = LABELS + max(0, width - LABELS - step * (right - left + 1)) // 2

        def column(x: int) -> int:
            return max(0, min(start + (x - left) * step, width - step))

        def floor(level: int) -> int:
            return min(1 + level * high, len(rows) - 1)

        for level in range(1 + max(cell.depth for cell in cells.values()) // LEVEL):
            pen.write(rows, 0, floor(level), f"{'-' * bool(level)}{level * LEVEL} m", "depth-1")
        for (x, _), cell in sorted(cells.items(), key=lambda each: MATTERS.index(each[1].kind)):
            at, y = column(x), floor(cell.depth // LEVEL)
            if painter is not None:
                depth = min(cell.depth // LEVEL, len(painter.shades.palette.depths) - 1)
                ground = painter.shades.lit_floor(cell.kind, BRIGHTEST - 1, depth)
                rows[y][at : at + step] = [Cell(" ", ground, ground)] * step
            pen.write(rows, at + step // 2, y, glyphs.kinds[cell.kind], cell.kind)
        tiles = {(cell.depth // LEVEL, x) for (x, _), cell in cells.items()}
        for (one, other), border in self._picture.borders.items():
            ends = sorted(cells[at].depth // LEVEL for at in (one, other) if at in cells)
            known = one if one in cells else other
            if border.kind == "exit":
                out = other if known == one else one
                side = column(out[0]) + step // 2
                if (ends[0], out[0]) not in tiles and LABELS <= side < width:
                    pen.write(rows, side, floor(ends[0]), glyphs.exit, "exit")
            elif border.ropes and len(ends) == 2:
                below = max(one, other, key=lambda at: cells[at].depth)
                role: Role = "need" if border.kind == "unroped" else "rope"
                sign = glyphs.need if role == "need" else glyphs.rope_ns
                for y in range(floor(ends[0]) + 1, floor(ends[1])):
                    pen.write(rows, column(below[0]) + step // 2, y, sign, role)
        stand: dict[int, int] = {}
        for (x, _), cell in sorted(cells.items()):
            for team in cell.pawns:
                y = floor(cell.depth // LEVEL)
                at = max(column(x) + step // 2, stand.get(y, 0))
                stand[y] = at + 1
                pen.chip(rows, min(at, width - 1), y, TEAM_LETTERS[team], TEAM_ROLES[team])


def _stone(painter: LitPainter, light: int, level: int) -> Rgb:
    shades = painter.shades
    return shades.shown(mix(shades.void, shades.lit_material(shades.palette.floors["choke"], light, level), 0.75))
