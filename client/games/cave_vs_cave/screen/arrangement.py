"""Where the panes lie in a window of each size."""

from __future__ import annotations

from client.games.cave_vs_cave.screen.drawing import size
from client.present.cells import Box

LEAST = (79, 20)
"""The columns and rows from which a table can be played."""
CAVE = size(1, 4)[0]
BOTH = CAVE + size(2, 4)[0]
CONTROLS = 2


def arrange(width: int, height: int, *, era: int, alone: bool, replay: bool = False) -> dict[str, Box]:
    """Return the panes by name, for an era, and for whether one plays alone."""
    last = height - 1 - replay
    rows = last - 1
    second = not alone and era == 1 and width >= 2 * CAVE + 44
    across = BOTH if era == 2 and width >= BOTH + 44 else CAVE
    rival = CAVE if second else 0
    side, right = width - across - rival, across
    high = max(3, min(7, (rows - 2) // 5))
    down = min(rows - 1, 5 * high + 2)
    goods = 6 if era == 2 else 4
    points = 7 if rows >= 34 else 0
    rest = rows - goods - points
    tiles = min(18, rest * 3 // 5)
    boxes = {
        "header": Box(0, 0, width, 1),
        "cave": Box(0, 1, across, down),
        "log": Box(0, 1 + down, across, rows - down),
        "tiles": Box(right, 1, side, tiles),
        "display": Box(right, 1 + tiles, side, rest - tiles),
        "points": Box(right, 1 + rest, side, points),
        "goods": Box(right, 1 + rest + points, side, goods),
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
            top = 1 + rest + points
            boxes["controls"] = Box(right, top - CONTROLS - points, side, CONTROLS)
    return {name: box for name, box in boxes.items() if box.height > 0 and box.width > 0}
