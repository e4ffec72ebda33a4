"""The question before a team sets out on a walk of several turns, or to where it cannot get home from."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from cave.the_cave.actions import Choice, Move
from cave.the_cave.geometry import Coord
from cave.the_cave.routes import Leg, Route, arrive, way_home
from cave.the_cave.state import State
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import place_words
from client.games.the_cave.known.journey import cost, tile_for
from client.games.the_cave.known.plan import plan
from client.games.the_cave.known.supplies import Supplies, supplies
from client.games.the_cave.known.walking import Walk, walk
from client.present.wording import begun, count

NO_WAY_HOME = "there is no way home from there with what you carry"
_DANGERS = {
    "too few consumables": "you have too few consumables to get home from there",
    "starving from the next turn on": "you starve from the next turn on",
    "too late to get home": "it is too late then to get home",
}


class Question(msgspec.Struct, frozen=True):
    """``ask`` says what is to be feared and asks, ``told`` are the way and what it takes, turn by turn.

    ``yes`` is the answer that goes; ``marks`` are the places of the way with the number of their turn.
    """

    ask: str
    yes: str
    told: tuple[str, ...] = ()
    marks: Mapping[Coord, str] = msgspec.field(default_factory=dict)


def before_walk(cave: State, seat: int, at: Coord) -> Question | None:
    """Return the question before a walk; None where it ends in this turn and leads to no danger."""
    goal = tile_for(cave, seat, at)
    found = None if goal is None else walk(cave, seat, goal)
    if goal is None or not isinstance(found, Walk):
        return None
    turns = found.way.route.turns
    danger = _danger(found.way.supplies)
    if not turns and not danger:
        return None
    reasons = [f"this walk takes {count(turns, 'more turn')}"] if turns else []
    reasons += [danger] if danger else []
    walked = terms.price(found.price)
    marks = {leg.to: str(leg.turn + 1) for leg in found.way.route.legs}
    ask = f"{begun(', and '.join(reasons))}. Go?"
    return Question(ask, f"Walk {found.steps} now: {walked}", _told(cave, seat, at, found), marks)


def before_move(cave: State, seat: int, choice: Choice) -> Question | None:
    """Return the question before one step; None unless the way home gets lost or too long by it."""
    move = choice.action
    if not isinstance(move, Move) or move.by == "force" or cave.phase != "actions":
        return None
    leg = Leg(move.to, move.by, choice.price.ap, choice.uses.rope, 0)
    arrived = arrive(cave, seat, Route(leg.ap, 0, 0, (leg,)))
    here, there = _supplies(cave, seat), _supplies(arrived, seat)
    if _degree(there) <= _degree(here):
        return None
    ask = f"{begun(_danger(there))}. Go?"
    home = way_home(arrived, seat)
    told = (f"home from there: {cost(home, has=there.consumables)}",) if home is not None else ()
    return Question(ask, f"Go {place_words(cave, seat, move.to)}: {terms.price(choice.price)}", told)


def _supplies(cave: State, seat: int) -> Supplies:
    return supplies(cave, seat, way_home(cave, seat))


def _degree(found: Supplies) -> int:
    """Return how bad it is: 2 without any way home, 1 where the team starves on it or comes too late."""
    if found.at_base:
        return 0
    return 2 if found.home_ap is None else int(found.short or found.late)


def _danger(found: Supplies) -> str:
    """Say what is to be feared of the way home, as a part of a sentence."""
    if not _degree(found):
        return ""
    return _DANGERS.get(found.verdict, NO_WAY_HOME)


def _told(cave: State, seat: int, at: Coord, found: Walk) -> tuple[str, ...]:
    """Tell what the walk takes, its steps turn by turn, and the way home from there."""
    told = plan(cave, seat, at)
    takes = "; ".join(part.text for part in told.brief[1:])
    turns: dict[int, list[str]] = {}
    before = cave.teams[seat].at
    for leg in found.way.route.legs:
        turns.setdefault(leg.turn, []).append(terms.toward(before, leg.to))
        before = leg.to
    steps = "; ".join(f"{_turn(number)} {' '.join(sides)}" for number, sides in turns.items())
    back = [f"{told.back}: {told.verdict}" if told.verdict else told.back] if told.back else []
    return (takes, steps, *back)


def _turn(number: int) -> str:
    return "now" if not number else "next turn" if number == 1 else f"in {number} turns"
