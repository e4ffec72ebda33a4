"""Where the panes of a table lie in a window of any size: arithmetic alone.

A larger window never shows less: the map's columns follow from the window's columns and its rows from the
window's rows, and what stands beside and below it grows more slowly than the window. As a window shrinks
the chat goes first, then the plan, the inset of the whole cave, and lines of the log. The map, the action
points, the supplies and whose turn it is stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from client.present.cells import Box

Steps = Sequence[tuple[int, int]]

SIDE: Steps = ((60, 20), (80, 24), (100, 32), (140, 40), (200, 52))
"""Columns beside the map, by the window's columns."""
BOTTOM: Steps = ((15, 3), (18, 4), (24, 4), (30, 7), (45, 13), (60, 16))
BOTTOM_BESIDE: Steps = (*BOTTOM[:-2], (45, 12), BOTTOM[-1])
"""Rows for the actions and the log, by the window's rows, and where these stand side by side."""
REPLAY_BOTTOM = 7
"""A replay has no plan and no chat, and needs no more rows than these."""
BESIDE = 120
"""Columns from which the log stands beside the actions."""
ROOMY = 100
"""Columns from which the pane beside the map reaches down to the keys."""
ACTIONS = 2, 8
"""The least rows for the actions, and those from which the log below them grows instead."""
LOG = 5, 8
"""Rows of the log up to which the actions below 120 columns do not grow, and those before there is a chat."""


def arrange(width: int, height: int, *, replay: bool = False, chat: bool = False) -> dict[str, Box]:
    """Return the panes that a window of this size shows, by name."""
    side = grown(width, SIDE)
    beside, roomy = width >= BESIDE, width >= ROOMY
    bottom = grown(height, BOTTOM_BESIDE if beside else BOTTOM)
    if replay:
        bottom = min(bottom, REPLAY_BOTTOM)
    bars = 1 + replay
    across = max(0, width - side - 1)
    down = max(0, height - 2 - bars - bottom)
    # The controls of a replay need the whole width.
    reaches = beside or (roomy and not replay)
    under = across if reaches else width
    tall = down + 1 + bottom if reaches else down
    boxes = {
        "header": Box(0, 0, width, 1),
        "map-pane": Box(0, 1, across, down),
        "rule": Box(across, 1, 1, tall),
        "supplies": Box(0, 1 + down, under, 1),
        "place": Box(0, height - 2, width, 1),
        "hints": Box(0, height - 1, width, 1),
    }
    if not replay:
        del boxes["place"]
    log = min(bottom, _log(bottom)) if beside else 0
    x = across + 1
    boxes["side"] = Box(x, 1, side, tall - bottom if beside else tall)
    if beside:
        talk = {"log": log, "chat": bottom - log} if chat else {"log": bottom}
        boxes |= _stacked(Box(x, 2 + down, side, bottom), talk)
    return boxes | _below(Box(0, 2 + down, under, bottom), log, replay=replay)


def grown(size: int, steps: Steps) -> int:
    """Return a length that grows evenly from step to step with the size, and never faster than it."""
    (first, length), *_ = steps
    if size <= first:
        return length
    for (start, low), (end, high) in pairwise(steps):
        if size <= end:
            return low + (size - start) * (high - low) // (end - start)
    return steps[-1][1]


def _log(bottom: int) -> int:
    """Return rows of a log that has a chat below it."""
    return LOG[1] + max(0, bottom - 12) // 2


def _below(bottom: Box, beside: int, *, replay: bool) -> dict[str, Box]:
    """Return the actions with the log below them, or with the plan where the log has rows of its own
    beside them.
    """
    what = "controls" if replay else "actions"
    if beside:
        return _stacked(bottom, {what: beside, "plan": bottom.height - beside})
    least, most = (bottom.height - actions for actions in ACTIONS)
    log = max(1, min(least, LOG[0]), most)
    return _stacked(bottom, {what: bottom.height - log, "log": log})


def _stacked(box: Box, rows: dict[str, int]) -> dict[str, Box]:
    """Return panes of this many rows one below the other; one without any row is not there."""
    found, y = {}, box.y
    for name, height in rows.items():
        if height > 0:
            found[name] = Box(box.x, y, box.width, height)
        y += height
    return found
