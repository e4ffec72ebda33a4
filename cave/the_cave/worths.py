"""What tokens, unexplored exits and action points are worth to a team: the weights of the guide.

All are points. A token is worth its own points, a little more as no rival gets it, and what it brings a team
towards a bonus (rule 7.4): the closer the race and the fewer tokens to come, the more.
"""

from __future__ import annotations

from functools import lru_cache
from math import erf, sqrt

from msgspec import Struct

from cave.the_cave.components import components
from cave.the_cave.prices import (
    PHOTO_POINTS,
    SQUEEZE_POINTS,
    TRAVERSE_POINTS,
    WATER_POINTS,
    depth_points,
)
from cave.the_cave.scoring import MOST_BONUS, counts, standing
from cave.the_cave.state import Items, State

AP = 0.4  # what an action point is worth before the end is triggered
AP_AT_THE_END = 0.03
AP_STANDSTILL = 0.02  # when nothing is worth going for otherwise
DENIED = 1.25  # a token is worth so many times its points, as no rival gets it
HALF_BONUS = MOST_BONUS / 2
HOPE = 0.8  # of a tile's worth that an exit promises; also of the next exit after one
DISCOVERING = 1.3  # AP that discovering takes, with the time it takes to enter
PRESSING = 0.05  # for each point of a lead, what a tile less in the stacks is worth
MOST_PRESSING = 1.5


class Worths(Struct, frozen=True):
    """Worth of one more token of each kind, of an AP, and of a tile less in the stacks."""

    traverse: float
    photo: float
    water: float
    squeeze: tuple[float, ...]
    ap: float
    pressing: float
    shares: tuple[float, ...]
    """Of each kind of ``KINDS`` its share in the stack that is drawn from; empty when no tile is left."""

    def exit(self, kit: Items) -> float:
        """Return what an unexplored exit promises to a team with these things, its price taken off."""
        if not self.shares:
            return 0.0
        water, wonder, one, two, three, descent = self.shares
        hoped = one * self.squeeze[1] + two * self.squeeze[2] + three * self.squeeze[3] + 0.3
        if kit.tanks:
            hoped += water * self.water
        if kit.camera:
            hoped += wonder * self.photo
        if kit.rope:
            hoped += descent * (self.traverse + DENIED)
        return HOPE * hoped + self.pressing - DISCOVERING * self.ap


def worths(state: State, seat: int, ap: float | None = None) -> Worths:
    """Return the worths for a seat as things stand; ``ap`` in place of the usual worth of an AP."""
    rows = [counts(team.tokens) for team in state.teams]
    lying = {"traverse": 0.0, "photo": 0.0, "water": 0.0, "squeeze": 0.0}
    for tile in state.board.values():
        if tile.token:
            lying[_CATEGORY[tile.kind]] += 1
    for number, stack in enumerate(state.stacks):
        if stack:
            for category, share in _tokens(number).items():
                lying[category] += share * len(stack)
    extra = {}
    for category, to_come in lying.items():
        mine = rows[seat][category]
        best = max(row[category] for other, row in enumerate(rows) if other != seat)
        spread = sqrt(2 * (0.6 + to_come / 2))
        extra[category] = HALF_BONUS * (erf((mine + 1 - best) / spread) - erf((mine - best) / spread))
    if ap is None:
        ap = AP if state.turns_left is None else AP_AT_THE_END
    return Worths(
        DENIED * TRAVERSE_POINTS + extra["traverse"],
        DENIED * PHOTO_POINTS + extra["photo"],
        DENIED * WATER_POINTS + extra["water"],
        tuple(DENIED * points + extra["squeeze"] for points in SQUEEZE_POINTS),
        ap,
        _pressing(state, seat),
        _shares(state),
    )


def depth_worth(depth: int) -> float:
    """Return the worth of the depth token at this many metres."""
    return float(DENIED * depth_points(depth))


def _pressing(state: State, seat: int) -> float:
    """Return what a tile out of the stacks is worth to a leader, who wants the end."""
    totals = [line.total or 0 for line in standing(state)]
    lead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
    return min(MOST_PRESSING, max(0.0, PRESSING * lead))


_CATEGORY = {"water": "water", "wonder": "photo", "squeeze": "squeeze"}


@lru_cache(maxsize=8)
def _stack_shares(number: int) -> tuple[float, ...]:
    stack = components().stacks[number]
    kinds = [("water", 0), ("wonder", 0), ("squeeze", 1), ("squeeze", 2), ("squeeze", 3), ("descent", 0)]
    return tuple(sum((tile.kind, tile.level) == kind for tile in stack) / len(stack) for kind in kinds)


@lru_cache(maxsize=8)
def _tokens(number: int) -> dict[str, float]:
    """Return how many tokens of each category a tile of a stack brings into the cave, on the average."""
    water, wonder, one, two, three, descent = _stack_shares(number)
    return {"traverse": descent, "photo": wonder, "water": water, "squeeze": one + two + three}


def _shares(state: State) -> tuple[float, ...]:
    for number, stack in enumerate(state.stacks):
        if stack:
            return _stack_shares(number) if state.turns_left is None else ()
    return ()
