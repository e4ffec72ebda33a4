"""Every glyph of the map, in one table with its ASCII twin.

All are one cell wide and in WGL4 or CP437, so that the plainest console has them; emoji and other
double-width signs never appear on the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from client.settings.appearance import GlyphSetName

Zoom = Literal["L", "M", "S"]
ZOOMS: tuple[Zoom, ...] = get_args(Zoom)
"""From the largest to the smallest."""

PITCH: Mapping[Zoom, tuple[int, int]] = {"L": (9, 4), "M": (5, 2), "S": (2, 2)}
"""Columns and rows from one tile to the next; the border to the west and north is part of it."""

Role = Literal[
    "blank",
    "rock",
    "plain",
    "water",
    "wonder",
    "squeeze",
    "descent",
    "choke",
    "base",
    "depth",
    "depth-1",
    "depth-2",
    "depth-3",
    "token",
    "price",
    "reach",
    "team-1",
    "team-2",
    "team-3",
    "team-4",
    "team-5",
    "more",
    "last",
    "cursor",
    "ghost",
    "ghost-text",
    "rope",
    "need",
    "exit",
]
ROLES: tuple[Role, ...] = get_args(Role)
"""The kinds of text on the map; a widget has one style for each."""

TEAM_LETTERS = "ABCDE"
"""Pawns by team number; a camp is its team's letter, small."""

NAME_CELLS = 6
TILE_NAMES: Mapping[str, str] = {
    "plain": "",
    "water": "WATER",
    "wonder": "WONDER",
    "squeeze": "SQZ",
    "descent": "DESC",
    "choke": "CHOKE",
    "base": "BASE",
}
"""The names of tiles on the map, within NAME_CELLS cells (a squeeze adds its digit)."""

PLACE_WORD = "PLACE?"


class Frame(msgspec.Struct, frozen=True):
    """A frame of one cell; ``..._marked`` are the parts of its sides that stand out."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str
    across_marked: str
    down_marked: str


class GlyphSet(msgspec.Struct, frozen=True):
    """One look for everything that is drawn.

    ``rope_ns`` stands on a border between a northern and a southern tile, ``rope_we`` on one
    between a western and an eastern tile; ``link_ns`` and ``link_we`` are the passages of the
    smallest zoom, which has no walls. ``pip`` and ``pip_spent`` are for meters of action points.
    """

    kinds: Mapping[str, str]
    rock: str
    ghost: str
    exit: str
    token: str
    rope_ns: str
    rope_we: str
    need: str
    link_ns: str
    link_we: str
    last: str
    more: str
    pip: str
    pip_spent: str
    frame: Frame


UNICODE = GlyphSet(
    kinds={
        "plain": "·",
        "water": "≈",
        "wonder": "☼",
        "squeeze": "►",
        "descent": "▼",
        "choke": "▓",
        "base": "⌂",
    },
    rock="▒",
    ghost="░",
    exit="?",
    token="♦",
    rope_ns="╪",
    rope_we="╫",
    need="!",
    link_ns="│",
    link_we="─",
    last="«",
    more="+",
    pip="■",
    pip_spent="□",
    frame=Frame(*"┌┐└┘─│═║"),
)

ASCII = GlyphSet(
    kinds={
        "plain": ".",
        "water": "~",
        "wonder": "*",
        "squeeze": ">",
        "descent": "v",
        "choke": "%",
        "base": "^",
    },
    rock="#",
    ghost=":",
    exit="?",
    token="$",
    rope_ns="=",
    rope_we="H",
    need="!",
    link_ns="|",
    link_we="-",
    last="<",
    more="+",
    pip="#",
    pip_spent=".",
    frame=Frame(*"++++-|=#"),
)

SETS: Mapping[GlyphSetName, GlyphSet] = {"unicode": UNICODE, "ascii": ASCII}
