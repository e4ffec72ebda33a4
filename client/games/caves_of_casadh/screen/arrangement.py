"""Where the panes lie in a window of each size."""

from __future__ import annotations

from client.present.cells import Box

LEAST = (79, 20)
"""The columns and rows from which a table can be played."""
HEAD, KEYS = 1, 1
WIDE = 130
"""Columns from which the log stands beside the list of what can be done."""
CONTROLS = 2
"""Rows of the keys of a replay, on a window that is not wide."""


def arrange(width: int, height: int, *, replay: bool = False) -> dict[str, Box]:
    """Return the panes by name: what can be done below the map, all else beside it."""
    side = 22 if width < 100 else 28 if width < WIDE else 36
    across, rows = width - side, height - HEAD - KEYS - replay
    tasks = 5 if height < 28 else 7 if height < 40 else 9
    log = 1 if height < 28 else 4
    boxes = {
        "header": Box(0, 0, width, HEAD),
        "side": Box(across, HEAD, side, rows),
        "hints": Box(0, height - KEYS, width, KEYS),
    }
    if width >= WIDE:
        down = rows - tasks
        half = across * 3 // 5
        boxes["tasks"] = Box(0, HEAD + down, half, tasks)
        boxes["log"] = Box(half, HEAD + down, across - half, tasks)
    else:
        down = rows - tasks - log
        boxes["tasks"] = Box(0, HEAD + down, across, tasks)
        boxes["log"] = Box(0, HEAD + down + tasks, across, log)
    boxes["map"] = Box(0, HEAD, across, down)
    if replay:
        boxes["place"] = Box(0, height - KEYS - 1, width, 1)
        found = boxes["tasks"]
        boxes["controls"] = found._replace(height=CONTROLS)
        boxes["tasks"] = found._replace(y=found.y + CONTROLS, height=found.height - CONTROLS)
    return {name: box for name, box in boxes.items() if box.height > 0}
