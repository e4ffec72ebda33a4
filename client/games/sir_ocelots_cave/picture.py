"""The board as it is to be shown: plain data for each place, whatever draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.board import BIT, LEVEL, RAYS, SEERS, SQUARES, Squares
from cave.sir_ocelots_cave.components import Gem, Tool
from client.games.sir_ocelots_cave import words
from client.games.sir_ocelots_cave.hand import Hand
from client.games.sir_ocelots_cave.previews import sight_from, with_hand
from client.games.sir_ocelots_cave.scene import OcelotScene

Mark = Literal["", "short", "gain", "take", "leave"]
"""How a gem is marked: one tool short, collected by the tool in hand, taken, or left out."""


class Square(msgspec.Struct, frozen=True):
    """A square. ``missing`` are the letters of the tools that do not see its gem, where it is ``lit``: on the
    rows of sight of the cursor.
    """

    level: int
    gem: Gem | None
    companion: int | None
    lit: bool
    missing: str
    mark: Mark


class Rim(msgspec.Struct, frozen=True):
    """A rim space. ``sees`` is whether it looks at the cursor's square, ``recent`` whether its tool was laid
    since one's last turn, ``four`` marks the space that looks everywhere.
    """

    tool: Tool | None
    held: Tool | None
    sees: bool
    recent: bool
    four: bool


class Board(msgspec.Struct, frozen=True):
    """All places, and the cursor."""

    squares: Mapping[Place, Square] = {}
    rim: Mapping[Place, Rim] = {}
    cursor: Place = (-1, -1)


def board(scene: OcelotScene, cursor: Place, hand: Hand | None, left_out: frozenset[Place]) -> Board:
    """Return the board with the cursor there, that tool in hand, and those gems left out of what is
    collected.
    """
    cave, seat = scene.cave, scene.seat
    collecting = scene.mode == "collecting"
    lit = _lit(scene, cursor)
    held = hand.tool if hand is not None and scene.mode != "over" and not collecting else None
    gained = 0
    if held is not None and cursor in RAYS and cursor not in cave.tools:
        gained = with_hand(cave, seat, cursor, held) & cave.with_gems
    gems = cave.board()
    stands = {player.companion: number for number, player in enumerate(cave.players) if player.companion}

    def mark(at: Place) -> Mark:
        if collecting and at in scene.collectable:
            return "leave" if at in left_out else "take"
        if BIT[at] & gained:
            return "gain"
        return "short" if BIT[at] & scene.short else ""

    squares = {
        at: Square(
            LEVEL[at],
            gems.get(at),
            stands.get(at),
            bool(BIT[at] & lit),
            words.lacking(cave, at) if BIT[at] & lit else "",
            mark(at),
        )
        for at in SQUARES
    }
    seers = {*SEERS[cursor].values()} if cursor in SEERS else set()
    rim = {
        at: Rim(
            cave.tools[at].side if at in cave.tools else None,
            held if at == cursor and at not in cave.tools else None,
            at in seers,
            at in scene.recent,
            len(rays) == len("NESW"),
        )
        for at, rays in RAYS.items()
    }
    return Board(squares, rim, cursor)


def _lit(scene: OcelotScene, cursor: Place) -> Squares:
    """Return what is seen from the cursor, by a tool there or by the companion where it could come."""
    if cursor in RAYS:
        return sight_from(scene.cave, cursor)
    stands = (player.companion for player in scene.cave.players)
    if cursor in scene.ways or cursor in stands:
        return sight_from(scene.cave, cursor)
    return BIT.get(cursor, 0)
