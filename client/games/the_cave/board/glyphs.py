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

PITCHES: Mapping[Zoom, tuple[int, int]] = {"L": (11, 5), "M": (7, 3), "S": (4, 2)}
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
    "rope",
    "need",
    "exit",
]
ROLES: tuple[Role, ...] = get_args(Role)
"""The kinds of text on the map; a widget has one style for each."""

TEAM_LETTERS = "ABCDE"
"""Pawns by team number; a camp is its team's letter, small."""

TILE_NAMES: Mapping[str, str] = {
    "plain": "",
    "water": "WATER",
    "wonder": "WONDER",
    "squeeze": "SQZ",
    "descent": "DESC",
    "choke": "CHOKE",
    "base": "BASE",
}
"""The names of tiles on the map; a squeeze adds its digit."""


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
    between a western and an eastern tile. ``pip`` and ``pip_spent`` are for meters of action points.
    """

    kinds: Mapping[str, str]
    rock: str
    ghost: str
    exit: str
    token: str
    rope_ns: str
    rope_we: str
    need: str
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
    last="<",
    more="+",
    pip="#",
    pip_spent=".",
    frame=Frame(*"++++-|=#"),
)

SETS: Mapping[GlyphSetName, GlyphSet] = {"unicode": UNICODE, "ascii": ASCII}
