"""Where the panes of a table lie in a window of any size: arithmetic alone.

A larger window never shows less: the map's columns follow from the window's columns and its rows from the
window's rows, and what stands beside and below it grows more slowly than the window. As a window shrinks
the chat goes first, then the plan, the tokens, the inset of the whole cave, lines of the log, and what is
told of the place under the cursor. The map, the action points, the supplies and whose turn it is stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from client.present.cells import Box

Steps = Sequence[tuple[int, int]]

LEAST = (60, 15)
"""The columns and rows from which a table can be played."""
SIDE: Steps = ((60, 20), (80, 24), (100, 32), (140, 40), (200, 52))
"""Columns beside the map, by the window's columns."""
BOTTOM: Steps = ((15, 3), (18, 4), (24, 4), (30, 7), (45, 13), (60, 16))
"""Rows for the actions and the log, by the window's rows."""
REPLAY_BOTTOM = 7
"""A replay has no plan and no chat, and needs no more rows than these."""
BESIDE = 120
"""Columns from which the log stands beside the actions."""
ROOMY = 100
"""Columns from which there is room for the tokens."""
INSET = (100, 20)
"""Columns and rows from which the inset of the whole cave is shown."""
ACTIONS = 2, 8
"""The least rows for the actions, and those from which the log below them grows instead."""
LOG = 5, 9
"""Rows of the log up to which the actions below 120 columns do not grow, and those before there is a chat."""
PICTURES_LEAVE, SLOTS_LEAVE, TOKENS_LEAVE, WORDS_LEAVE = 4, 6, 6, 3
"""Rows that the backpack's pictures, its slots, the tokens and the backpack in words leave for what is under
the cursor.
"""
INSPECTOR = 2


class Wishes(NamedTuple):
    """Rows that the panes beside the map need: the teams, their tokens, and the backpack with all slots, in
    words, and in as few words as can be.
    """

    teams: int
    tokens: int
    slots: int
    words: int
    least: int
    pictures: int = 0
    """Rows for the backpack in pictures, where they can be shown."""
    replay: bool = False


def arrange(width: int, height: int, wishes: Wishes) -> dict[str, Box]:
    """The panes that a window of this size shows, by name."""
    side = grown(width, SIDE)
    bottom = grown(height, BOTTOM)
    if wishes.replay:
        bottom = min(bottom, REPLAY_BOTTOM)
    bars = 1 + wishes.replay
    across = max(0, width - side - 1)
    down = max(0, height - 2 - bars - bottom)
    boxes = {
        "header": Box(0, 0, width, 1),
        "map-pane": Box(0, 1, across, down),
        "rule": Box(across, 1, 1, down),
        "supplies": Box(0, 1 + down, width, 1),
        "place": Box(0, height - 2, width, 1),
        "hints": Box(0, height - 1, width, 1),
    }
    if not wishes.replay:
        del boxes["place"]
    boxes |= _beside(Box(across + 1, 1, side, down), wishes, roomy=width >= ROOMY)
    return boxes | _below(Box(0, 2 + down, width, bottom), across, wishes)


def grown(size: int, steps: Steps) -> int:
    """A length that grows evenly from step to step with the size, and never faster than it."""
    (first, length), *_ = steps
    if size <= first:
        return length
    for (start, low), (end, high) in pairwise(steps):
        if size <= end:
            return low + (size - start) * (high - low) // (end - start)
    return steps[-1][1]


def _beside(side: Box, wishes: Wishes, *, roomy: bool) -> dict[str, Box]:
    """Backpack, teams with or without their tokens, and what is under the cursor."""
    teams = min(wishes.teams, side.height)
    spare = side.height - teams
    tokens = wishes.tokens if roomy and spare >= wishes.words + wishes.tokens + TOKENS_LEAVE else 0
    spare -= tokens
    if wishes.pictures and tokens and spare >= wishes.pictures + PICTURES_LEAVE:
        backpack = wishes.pictures
    elif spare >= wishes.slots + SLOTS_LEAVE and (tokens or not roomy):
        backpack = wishes.slots
    elif spare >= wishes.words + WORDS_LEAVE:
        backpack = wishes.words
    else:
        backpack = min(wishes.least, max(1, spare - INSPECTOR))
    rows = {"backpack": backpack, "teams": teams + tokens, "inspector": spare - backpack}
    return _stacked(side, rows)


def _below(bottom: Box, across: int, wishes: Wishes) -> dict[str, Box]:
    """The actions and the log, one above the other or side by side, then with plan and chat below them."""
    top = LOG[1] + max(0, bottom.height - 13) // 2
    what = "controls" if wishes.replay else "actions"
    if bottom.width < BESIDE:
        least, most = (bottom.height - actions for actions in ACTIONS)
        log = max(1, min(least, LOG[0]), most)
        return _stacked(bottom, {what: bottom.height - log, "log": log})
    top = min(bottom.height, top)
    x, y, width, height = bottom
    left = _stacked(Box(x, y, across, height), {what: top, "plan": height - top})
    right = Box(across + 1, y, width - across - 1, height)
    return {
        **left,
        "rule-below": Box(across, y, 1, height),
        **_stacked(right, {"log": top, "chat": height - top}),
    }


def _stacked(box: Box, rows: dict[str, int]) -> dict[str, Box]:
    """Panes of so many rows one below the other; one without any row is not there."""
    found, y = {}, box.y
    for name, height in rows.items():
        if height > 0:
            found[name] = Box(box.x, y, box.width, height)
        y += height
    return found
