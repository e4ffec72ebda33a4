"""Movements on the lit map: frames between two states of the cave. They tell nothing: the
letters are those of the newer state from the first frame on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from cave.the_cave.state import Coord
from client.games.the_cave.board.light import Lamplight, sources
from client.games.the_cave.board.palette import Shades
from client.games.the_cave.known.picture import Bounds, MapPicture
from client.tui.motion import Level
from client.tui.paint.canvas import Cell
from client.tui.paint.colour import mix

FRAMES = 3
"""Of a change; after them all is as ever."""
LIT = (0.0, 0.5)
"""The share of its light that a new tile has in the first frames."""
WALKED = (1 / 3, 2 / 3)
"""How far a light has come from where it was in the first frames."""
FLOWING = 2
"""Tiles whose water or gems move in one step: some forty cells."""
BRIGHT = 4
"""The level of light from which water and gems are seen to move."""
PHASES = 3
"""Steps after which they are where they were."""


class Moment(Struct, frozen=True):
    """How the map differs for a moment from what it shows at rest.

    ``dimmed`` is the share of its light that a place has, ``lamps`` are the lights in place of the usual
    ones, at ``sparks`` a token was taken, and ``flow`` tells how far the water or the gems of a place have
    moved.
    """

    dimmed: Mapping[Coord, float] = {}
    lamps: Mapping[Coord, float] | None = None
    sparks: frozenset[Coord] = frozenset()
    flow: Mapping[Coord, int] = {}


AT_REST = Moment()


def frames(before: MapPicture, after: MapPicture, level: Level) -> list[Moment]:
    """Return the moments between two pictures: a tile laid, a walk, a token taken; none for anything
    larger.
    """
    if level == "off":
        return []
    laid, taken = [], []
    for at, cell in after.cells.items():
        old = before.cells.get(at)
        if old is cell or not cell.solid:
            continue
        if old is None or not old.solid:
            laid.append(at)
        elif old.token and not cell.token:
            taken.append(at)
    lamps, goal = dict(sources(before)), dict(sources(after))
    moved = goal.keys() - lamps.keys()
    if max(len(laid), len(taken), len(moved)) > 1:
        return []
    walks = level == "full" and lamps != goal
    if not (laid or taken or walks):
        return []
    return [
        Moment(
            dict.fromkeys(laid, LIT[number]) if number < len(LIT) else {},
            _between(lamps, goal, WALKED[number]) if walks and number < len(WALKED) else None,
            frozenset(taken if number % 2 == 0 else ()),
        )
        for number in range(FRAMES)
    ]


def _between(before: Mapping[Coord, float], after: Mapping[Coord, float], share: float) -> dict[Coord, float]:
    powers = {
        at: before.get(at, 0.0) * (1 - share) + after.get(at, 0.0) * share
        for at in before.keys() | after.keys()
    }
    return {at: power for at, power in powers.items() if power}


def flow(picture: MapPicture, light: Lamplight, in_sight: Bounds, step: int) -> dict[Coord, int]:
    """Return how far water and gems have moved at a step: each time those of the next few lit tiles go on."""
    moving = list(_moving(picture, light, in_sight))
    if not moving:
        return {}
    turns = -(-len(moving) // FLOWING)
    return {
        at: phase
        for number, at in enumerate(moving)
        if (phase := (step + turns - 1 - number // FLOWING) // turns % PHASES)
    }


def _moving(picture: MapPicture, light: Lamplight, in_sight: Bounds) -> Iterator[Coord]:
    left, top, right, bottom = in_sight
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            cell = picture.cells.get((x, y))
            if cell is None or cell.ghost:
                continue
            moves = cell.kind == "water" or (cell.kind == "wonder" and cell.token)
            if moves and light.level((x, y)) >= BRIGHT:
                yield x, y


# Water that drifts and gems that sparkle: the cells of a block, moved on by some steps

WAVE = "~"
GEM_INK = 0.75
"""The share of its own colour in the ink of a gem; the rest is its ground."""


def shift(rows: list[list[Cell]], kind: str, steps: int, shades: Shades) -> None:
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
