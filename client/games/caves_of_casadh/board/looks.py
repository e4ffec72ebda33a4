"""A place of the map as it is to be shown: plain data, whatever draws it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from cave.codec import Place
from client.games.caves_of_casadh.board.shape import Plan


class Way(msgspec.Struct, frozen=True):
    """A way out that leads here: its number, the side it comes in by, its price, and its danger in short."""

    number: int
    side: int
    price: str
    danger: str = ""


class HexLook(msgspec.Struct, frozen=True):
    """A hex that is known. ``own`` is the passage of the shown pawn, if it is here.

    ``near`` tells how well it is lit, ``dynamite`` has the letter of each owner, ``pawns`` has the seat and
    the passage of each.
    """

    plan: Plan
    level: int
    special: str = ""
    marker: int = -1
    water: int = -1
    stars: tuple[int, ...] = ()
    hazard: str = ""
    token: bool = False
    grues: int = 0
    dynamite: str = ""
    items: int = 0
    treasures: int = 0
    pawns: tuple[tuple[int, int], ...] = ()
    own: int = -1
    near: int = 0
    way: Way | None = None
    ghost: bool = False


class EmptyLook(msgspec.Struct, frozen=True):
    """A place without a hex; ``sides`` are those at which passages of known hexes end."""

    sides: tuple[int, ...] = ()
    way: Way | None = None


Look = HexLook | EmptyLook
NOTHING = EmptyLook()


class Picture(msgspec.Struct, frozen=True):
    """All places that have something to show, by their places on the board, and the bounds of the hexes."""

    places: Mapping[Place, Look] = {}
    bounds: tuple[int, int, int, int] = (0, 0, 0, 0)
