"""What the JSON of positions and views of Lanterns must look like."""

from __future__ import annotations

import msgspec

from cave.codec import Count, JsonForm, Points, Whole
from cave.game import Json
from cave.score import plain

from .rules import Gem, Lantern, Player


class PlayerForm(JsonForm, frozen=True):
    """One seat, as in the state."""

    name: str
    hand: tuple[Lantern, ...]
    lit: Lantern | None = None
    burnt: tuple[Lantern, ...] = ()
    points: Points = 0

    def read(self) -> Player:
        """Return the value."""
        return Player(self.hand, self.lit, self.burnt, plain(self.points))


class PositionForm(JsonForm, frozen=True):
    """A position, whole or as far as a viewer may know it."""

    format: str
    version: Whole
    game: str
    players: tuple[PlayerForm, ...]
    gems: tuple[Gem, ...]
    settings: Json = msgspec.field(default_factory=dict)


class ViewForm(JsonForm, frozen=True):
    """A view. What is hidden and how the points stand follows from the position."""

    viewer: Count | None
    position: Json
    hidden: tuple[Count, ...]
    standing: Json
