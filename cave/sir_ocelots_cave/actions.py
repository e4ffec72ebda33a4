"""Actions of a player. An action has no price, so it is its own choice. Rule 8 has the public forms."""

from __future__ import annotations

from cave.codec import Tagged
from cave.game import Form
from cave.sir_ocelots_cave.components import Kind, Tool

Place = tuple[int, int]
"""A place as it is asked for: any two whole numbers; whether there is such a place the rules say."""


class Advance(Tagged, frozen=True):
    """The companion goes to a square of the next level (rule 3.2)."""

    to: Place


class LayTool(Tagged, frozen=True, tag="tool"):
    """A tool goes on a rim space, with that side up (rule 3.3)."""

    kind: Kind
    side: Tool
    at: Place


class PlaceCompanion(Tagged, frozen=True, tag="companion"):
    """The companion comes into the cave, on level 1 (rule 3.4)."""

    at: Place


class Collect(Tagged, frozen=True):
    """Take these gems, or none (rule 3.5). It ends the turn."""

    gems: tuple[Place, ...]


class Collecting(Form, frozen=True, tag="collect"):
    """The choice of a ``Collect``: any part of these gems, in reading order."""

    gems: tuple[Place, ...]


ACTIONS = (Advance, LayTool, PlaceCompanion, Collect)
Action = Advance | LayTool | PlaceCompanion | Collect
Choice = Advance | LayTool | PlaceCompanion | Collecting
