"""Where the panes lie in a window of each size."""

from __future__ import annotations

from client.games.cave_vs_cave.screen.drawing import rows_each, size
from client.present.cells import Box

LEAST = (79, 20)
"""The columns and rows from which a table can be played."""
CAVE = size(1, 4)[0]
BOTH = CAVE + size(2, 4)[0]
CONTROLS = 2
FEW_ROOMS = 6
"""The rows that rooms on show get at least: the heading, some rooms, and what the one looked at does."""


def arrange(
    width: int, height: int, *, era: int, alone: bool, tiles: int, rooms: int, replay: bool = False
) -> dict[str, Box]:
    """Return the panes by name.

    ``era`` and ``alone`` say which caves there are; ``tiles`` and ``rooms`` are the rows that what can be
    done and the rooms on show would fill: where not all of them fit, the former get more.
    """
    last = height - 1 - replay
    rows = last - 1
    second = not alone and era == 1 and width >= 2 * CAVE + 44
    across = BOTH if era == 2 and width >= BOTH + 44 else CAVE
    rival = CAVE if second else 0
    side, right = width - across - rival, across
    down = min(rows, size(1, rows_each(rows - 1, 1))[1] + 1)
    goods = 6 if era == 2 else 4
    rest = rows - goods
    tiles = min(tiles, rest - min(rooms, FEW_ROOMS))
    boxes = {
        "header": Box(0, 0, width, 1),
        "cave": Box(0, 1, across, down),
        "log": Box(0, 1 + down, across, rows - down),
        "tiles": Box(right, 1, side, tiles),
        "display": Box(right, 1 + tiles, side, rest - tiles),
        "goods": Box(right, 1 + rest, side, goods),
        "rival": Box(width - rival, 1, rival, rows),
        "hints": Box(0, height - 1, width, 1),
    }
    if replay:
        boxes["place"] = Box(0, height - 2, width, 1)
        log = boxes["log"]
        if log.height > CONTROLS:
            boxes["log"] = log._replace(height=log.height - CONTROLS)
            boxes["controls"] = Box(0, last - CONTROLS, across, CONTROLS)
        else:
            boxes["display"] = boxes["display"]._replace(height=boxes["display"].height - CONTROLS)
            boxes["controls"] = Box(right, 1 + rest - CONTROLS, side, CONTROLS)
    return {name: box for name, box in boxes.items() if box.height > 0 and box.width > 0}
