"""Where the panes lie in a window of each size."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from client.games.cave_vs_cave.screen.drawing import rows_each, size
from client.present.cells import Box

LEAST = (79, 20)
"""The columns and rows from which a table can be played."""
CAVE = size(1, 4)[0]
BOTH = CAVE + size(2, 4)[0]
CONTROLS = 2
FEW_ROOMS = 5
"""The rows that rooms on show get at least: the heading, some rooms, and how many more there are."""
HEADING = AIR = 1
GOODS = {1: 4, 2: 6}
"""The rows of the goods in each era, their heading included."""
FEW_LINES = 3
"""The rows of the log that there are below cave and goods where there is room for them."""
MESSAGE = 2
"""The rows above the keys that a message may take: no goods lie there. Those of a replay are short."""
LOG_FROM = 24
"""The rows of a window with one for the log below all else; with more there is room below the cave."""
LOW_CAVE = size(1, 4)[1] + 1
"""The rows of a cave in which there is room for what a room does."""
GOODS_INSIDE = size(2, 5)[1] + 1
"""The rows of a cave of Era II from which there is room for the goods beside its spaces."""


class Wanted(NamedTuple):
    """The rows of what can be done, for the columns of its pane, and of the rooms on show."""

    tiles: Callable[[int], int]
    rooms: int


def arrange(
    width: int,
    height: int,
    wanted: Wanted,
    *,
    era: int,
    alone: bool,
    goods: bool = True,
    replay: bool = False,
) -> dict[str, Box]:
    """Return the panes by name. ``era`` and ``alone`` say which caves there are; a draft has no ``goods``.

    The goods lie above the rooms on show: a message covers the last lines, and may be about goods. Where
    tiles and rooms do not fit below each other, the former get more. In Era II the goods then lie below the
    cave, or there is no pane of them: they stand in the cave, beside its spaces. Where there is room, each
    cave of Era I has its goods below it, and the log lies below the rooms on show.
    """
    rows = _rows(height, replay=replay)
    if height == LOG_FROM and not replay:
        boxes = arrange(width, height - 1, wanted, era=era, alone=alone, goods=goods)
        hints, listed = boxes["hints"], boxes["tiles"]
        if listed.height > wanted.tiles(listed.width):
            return {"log": Box(0, hints.y, width, 1)} | boxes | {"hints": hints._replace(y=hints.y + 1)}
    second = not alone and era == 1 and width >= 2 * CAVE + 44
    if era == 1 and (spacious := _spacious(width, rows, wanted, second=second, goods=goods, replay=replay)):
        return spacious | _bars(width, height, replay=replay)
    across = BOTH if era == 2 and width >= BOTH + 44 else CAVE
    rival = CAVE if second else 0
    side, right = width - across - rival, across
    down = _cave(rows, era)
    high = GOODS[era] if goods else 0
    tiles = wanted.tiles(side)
    scarce = tiles + HEADING + wanted.rooms + high > rows
    below = scarce and era == 2 and rows - high >= LOW_CAVE
    inside = scarce and era == 2 and not below and down >= GOODS_INSIDE
    if below:
        down = _cave(max(LOW_CAVE, rows - high - FEW_LINES), era)
    under = 1 + down + (high if below else 0)
    figures = 0 if below or inside else high
    rest = rows - figures
    tiles = min(tiles + (not scarce), rest - min(wanted.rooms, FEW_ROOMS))
    boxes = {
        "cave": Box(0, 1, across, down),
        "log": Box(0, under, across, rows + 1 - under),
        "tiles": Box(right, 1, side, tiles),
        "goods": Box(0, 1 + down, across, high) if below else Box(right, 1 + tiles, side, figures),
        "display": Box(right, 1 + tiles + figures, side, rest - tiles),
        "rival": Box(width - rival, 1, rival, rows),
    }
    return _shown(boxes) | _bars(width, height, replay=replay)


def _spacious(
    width: int, rows: int, wanted: Wanted, *, second: bool, goods: bool, replay: bool
) -> dict[str, Box]:
    """Return the panes with the goods below the caves and the log below the rooms on show; nothing where
    there is no room for that.
    """
    rival = CAVE if second else 0
    side, right = width - CAVE - rival, width - rival
    down, high = _cave(rows, 1), GOODS[1] * goods
    tiles = wanted.tiles(side) + HEADING + AIR
    spare = rows - tiles - wanted.rooms
    if down + high + MESSAGE - replay > rows or spare < HEADING + FEW_LINES:
        return {}
    # What a room does may take several rows, so the rooms get some of what is left over.
    log = max(HEADING + FEW_LINES, 2 * spare // 3)
    rooms = wanted.rooms + spare - log
    boxes = {
        "cave": Box(0, 1, CAVE, down),
        "goods": Box(0, 1 + down, CAVE, high),
        "tiles": Box(CAVE, 1, side, tiles),
        "display": Box(CAVE, 1 + tiles, side, rooms),
        "log": Box(CAVE, 1 + tiles + rooms, side, log),
        "rival": Box(right, 1, rival, down),
        "rival-goods": Box(right, 1 + down, rival, high),
    }
    return _shown(boxes)


def _rows(height: int, *, replay: bool) -> int:
    """Return how many rows there are between the header and what lies at the bottom."""
    return height - 2 - (1 + CONTROLS if replay else 0)


def _bars(width: int, height: int, *, replay: bool) -> dict[str, Box]:
    """Return the header, and what lies at the bottom: the keys, in a replay those of its time above them."""
    boxes = {"header": Box(0, 0, width, 1), "hints": Box(0, height - 1, width, 1)}
    if replay:
        boxes["place"] = Box(0, height - 2, width, 1)
        boxes["controls"] = Box(0, height - 2 - CONTROLS, width, CONTROLS)
    return boxes


def _shown(boxes: dict[str, Box]) -> dict[str, Box]:
    """Leave out the panes that there is no room for."""
    return {name: box for name, box in boxes.items() if box.height > 0 and box.width > 0}


def _cave(rows: int, era: int) -> int:
    """Return how many of these rows a cave fills: its heading, and the higher one of its boards."""
    return min(rows, max(size(board, rows_each(rows - 1, board))[1] for board in range(1, era + 1)) + 1)
