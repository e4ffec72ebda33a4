"""Water that drifts and gems that sparkle: the cells of a block, moved on by some steps."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from client.games.the_cave.board.lit.texture import Shades
from client.tui.paint.canvas import Cell
from client.tui.paint.colour import mix

WAVE = "~"
GEM_INK = 0.75
"""The share of its own colour in the ink of a gem; the rest is its ground."""


def flow(rows: list[list[Cell]], kind: str, steps: int, shades: Shades) -> None:
    """Move the waves of a block to the right, or let its gems change their colours."""
    move = _drift if kind == "water" else _sparkle
    for row in rows[1:]:
        move(row, steps, shades)


def _drift(row: list[Cell], steps: int, shades: Shades) -> None:
    """Let waves stay on the water between two banks: what goes out on the right comes in on the left."""
    wet = [(x, cell) for x, cell in enumerate(row) if x and cell.glyph in (WAVE, " ")]
    for _, run in groupby(enumerate(wet), key=lambda each: each[1][0] - each[0]):
        cells = list(map(itemgetter(1), run))
        glyphs = [cell.glyph for _, cell in cells]
        if WAVE not in glyphs:
            continue
        for number, (x, (_, _, ground, _)) in enumerate(cells):
            glyph = glyphs[(number - steps) % len(glyphs)]
            ink = shades.wave(ground) if glyph == WAVE else ground
            row[x] = Cell(glyph, ink, ground)


def _sparkle(row: list[Cell], steps: int, shades: Shades) -> None:
    for x, cell in enumerate(row):
        inks = [shades.shown(mix(cell.ground, gem, GEM_INK)) for gem in shades.palette.gems]
        if cell.glyph != " " and cell.ink in inks:
            row[x] = cell._replace(ink=inks[(inks.index(cell.ink) + steps) % len(inks)])
