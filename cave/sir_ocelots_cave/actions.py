"""Actions of a player. An action has no price, so it is its own choice. Rule 8 has the public forms."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from cave.sir_ocelots_cave.components import Kind, Tool

Place = tuple[int, int]
"""A place as it is asked for: any two whole numbers; whether there is such a place the rules say."""


class Advance(Struct, frozen=True):
    """The companion goes to a square of the next level (rule 3.2)."""

    type: ClassVar[str] = "advance"
    to: Place


class LayTool(Struct, frozen=True):
    """A tool goes on a rim space, with that side up (rule 3.3)."""

    type: ClassVar[str] = "tool"
    kind: Kind
    side: Tool
    at: Place


class PlaceCompanion(Struct, frozen=True):
    """The companion comes into the cave, on level 1 (rule 3.4)."""

    type: ClassVar[str] = "companion"
    at: Place


class Collect(Struct, frozen=True):
    """Take these gems, or none (rule 3.5). It ends the turn."""

    type: ClassVar[str] = "collect"
    gems: tuple[Place, ...]


class Collecting(Struct, frozen=True):
    """The choice of a ``Collect``: any part of these gems, in reading order."""

    gems: tuple[Place, ...]


Action = Advance | LayTool | PlaceCompanion | Collect
Choice = Advance | LayTool | PlaceCompanion | Collecting
