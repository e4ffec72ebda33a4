"""A walk toward a place: as far as the AP of this turn go, on the way that the plan shows."""

from __future__ import annotations

import msgspec

from cave.the_cave.actions import Price, Uses
from cave.the_cave.geometry import Coord
from cave.the_cave.routes import Leg
from cave.the_cave.state import State
from client.games.the_cave.known.journey import Way, way
from client.present.wording import count

STARVING = "Starving: the whole turn is one forced move, to a tile beside yours (rule 3.2)."
NO_WAY = "There is no way there with what you carry."
BY_FORCE = "You can get there only by force: go tile by tile."


class Walk(msgspec.Struct, frozen=True):
    """The whole way, and its ``legs`` of this turn."""

    way: Way
    legs: tuple[Leg, ...]

    @property
    def price(self) -> Price:
        """Return what the steps of this turn take."""
        return Price(
            ap=sum(leg.ap for leg in self.legs),
            uses=Uses(sum(leg.ropes for leg in self.legs), sum(leg.by == "oxygen" for leg in self.legs)),
        )

    @property
    def steps(self) -> str:
        """``3 steps``, or ``2 of 5 steps`` where the AP end on the way."""
        whole = len(self.way.route.legs)
        done = f"{len(self.legs)} of " if len(self.legs) < whole else ""
        return done + count(whole, "step")

    @property
    def rest(self) -> str:
        """``2 more turns to go``; nothing where this turn does."""
        turns = self.way.route.turns
        return f"{turns} more turn{'s' * (turns > 1)} to go" if turns else ""

    @property
    def danger(self) -> str:
        """Return what is to be feared of the way home from there."""
        supplies = self.way.supplies
        return supplies.verdict if supplies.short or supplies.late else ""

    @property
    def stopped(self) -> str:
        """Return what there is to say after it where the AP end on the way; nothing after a whole walk."""
        return f"{self.steps}: no AP left, {self.rest}." if self.rest else ""


def walk(cave: State, seat: int, at: Coord) -> Walk | str:
    """Return the way to a tile as far as it goes now, or the reason why none is gone.

    Nothing is forced, and the team has something to eat all the way.
    """
    if cave.phase == "starving":
        return STARVING
    found = way(cave, seat, at)
    if found is None:
        return NO_WAY
    if any(leg.by == "force" for leg in found.route.legs):
        return BY_FORCE
    made = Walk(found, tuple(leg for leg in found.route.legs if not leg.turn))
    if not made.legs:
        return f"{cave.ap} AP is not enough for the next step there: {made.rest}."
    return made
