"""The way to a place and back home, from ``cave.the_cave.routes``; waiting teams start next turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

import msgspec
from msgspec.structs import replace

from cave.the_cave.actions import Choice, Move, Price, Uses
from cave.the_cave.routes import Leg, Route, quickest_routes, state_on_arrival, way_home
from cave.the_cave.state import BASE, TURN_AP, Coord, Neighbour, State, neighbours_of
from cave.the_cave.tiles import unexplored_exits
from client.games.the_cave import supplies, terms
from client.wording import begun, count

NO_WAY = "no way there with what you carry"
NOWHERE = f"There is {NO_WAY}."
STARVING = "Starving: the whole turn is one forced move, to a tile beside yours."
BY_FORCE = "You can get there only by force, a step a turn"
NO_WAY_HOME = "there is no way home from there with what you carry"
_DANGERS = {
    "too few consumables": "you have too few consumables to get home from there",
    "starving from the next turn on": "you starve from the next turn on",
    "too late to get home": "it is too late then to get home",
}


class WalkWay(msgspec.Struct, frozen=True):
    """A way to a place, and ``home`` from there; ``later`` counts turns begun after this or the next one."""

    route: Route
    arrived: State
    home: Route | None
    supplies: supplies.Supplies
    later: int

    @property
    def legs(self) -> tuple[Leg, ...]:
        return tuple(leg for leg in self.route.legs if not leg.turn)

    @property
    def price(self) -> Price:
        return _price_of_legs(self.legs)

    @property
    def steps_words(self) -> str:
        """``3 steps``, or ``2 of 5 steps`` if the AP run out on the way."""
        now, whole = len(self.legs), len(self.route.legs)
        return (f"{now} of " if now < whole else "") + count(whole, "step")

    @property
    def rest_of_way_words(self) -> str:
        """``2 more turns to go``; nothing if this turn is enough."""
        turns = self.route.turns
        return f"{count(turns, 'more turn')} to go" if turns else ""

    @property
    def danger_words(self) -> str:
        return self.supplies.verdict_words if self.supplies.supplies_run_short or self.supplies.is_too_late else ""

    @property
    def stopped_words(self) -> str:
        """The message if the AP run out on the way; nothing after a whole walk."""
        return f"{self.steps_words}: no AP left, {self.rest_of_way_words}." if self.rest_of_way_words else ""


def way_and_home(cave: State, seat: int, at: Coord) -> WalkWay | None:
    """Return the cheapest way to a place and back home, with forced moves only if there is no other."""
    team = cave.teams[seat]
    running = cave.seat == seat
    # A turn that starts on the base costs no food (rule 3.1), so it counts as already begun.
    started = running or team.at == BASE
    route = quickest_routes(cave, team, cave.ap if running else TURN_AP if started else 0, goal=at).get(at)
    if route is None:
        return None
    arrived = state_on_arrival(cave, seat, route)
    home = way_home(arrived, seat)
    found = supplies.supplies_of_team(arrived, seat, home)
    left = supplies.turns_left(cave, seat)
    if left is not None:
        found = replace(found, turns_left=left - route.turns)
    return WalkWay(route, arrived, home, found, route.turns - (0 if started else 1))


def plan_unforced_walk(cave: State, seat: int, at: Coord) -> WalkWay | str:
    """Return the way to a tile that can start now without force and starving, or the reason why not."""
    if cave.phase == "starving":
        return STARVING
    found = way_and_home(cave, seat, at)
    if found is None:
        return NOWHERE
    if any(leg.by == "force" for leg in found.route.legs):
        return by_force(cave, seat, found.route.legs[0].to)
    if not found.legs:
        return f"{cave.ap} AP is not enough for the next step there: {found.rest_of_way_words}."
    return found


def by_force(cave: State, seat: int, to: Coord) -> str:
    """Return the message that only force leads to a place, and how to take the first step ``to``."""
    side = terms.SIDE_WORDS[terms.direction_words(cave.teams[seat].at, to)]
    return f"{BY_FORCE}: point at the tile {side} of your team, and press enter there."


def leading_to(cave: State, at: Coord) -> list[Neighbour]:
    """Return the tiles whose unexplored exit leads to a place, and their sides of it."""
    board = cave.board
    return [near for near in neighbours_of(at) if near.at in board and at in unexplored_exits(board, near.at)]


def tile_for(cave: State, seat: int, at: Coord) -> Coord | None:
    """Return the tile to walk to for a place: the place's own, or for an unexplored exit the tile to discover
    it from. Of several, the quickest to reach; None if unreachable.
    """
    if at in cave.board:
        return at
    tiles = [near.at for near in leading_to(cave, at)]
    if len(tiles) < 2:
        return tiles[0] if tiles else None
    here = cave.teams[seat].at

    def effort(tile: Coord) -> tuple[float, int]:
        found = None if tile == here else way_and_home(cave, seat, tile)
        return (found.route.turns, found.route.ap) if found else (0 if tile == here else inf, 0)

    return min(tiles, key=effort)


def walk_cost_words(route: Route, later: int | None = None, *, has: int = 1) -> str:
    """Return ``7 AP, 1 rope, 2 more turns, eats 2``; ``later`` turns follow, by default the route's.

    A team that ``has`` no consumables eats none (rule 3.2).
    """
    parts = [terms.price_words(_price_of_legs(route.legs, route.ap))]
    turns = route.turns if later is None else later
    if turns > 0:
        parts.append(count(turns, "more turn"))
    if route.eats and has:
        parts.append(f"eats {route.eats}")
    return ", ".join(parts) + _force_words(route)


def _force_words(route: Route) -> str:
    return ", by force" if any(leg.by == "force" for leg in route.legs) else ""


def _price_of_legs(legs: tuple[Leg, ...], ap: int | None = None) -> Price:
    ropes, tanks = sum(leg.ropes for leg in legs), sum(leg.by == "oxygen" for leg in legs)
    return Price(sum(leg.ap for leg in legs) if ap is None else ap, Uses(ropes, tanks))


# The plan


class Part(msgspec.Struct, frozen=True):
    """A step, or with ``turn`` the start of a turn."""

    text: str
    turn: bool = False


class WalkPlan(msgspec.Struct, frozen=True):
    """The way to a ``goal``: the price to get ``there``, its ``steps``, the items used from the backpack
    (``takes``), the way ``home`` from there, and a ``verdict`` if getting home is in danger or just possible.
    """

    goal: str
    there: str = ""
    steps: tuple[Part, ...] = ()
    takes: tuple[str, ...] = ()
    path: str = ""  # the sides of its steps: ``now N N E; next turn E``
    home: str = ""
    verdict: str = ""

    @property
    def way_back_words(self) -> str:
        return ": ".join(filter(None, (self.home, self.verdict)))


def plan(cave: State, seat: int, at: Coord) -> WalkPlan | None:
    """Return the plan of a team for a place; on its own tile, or for an unreachable place, the way home. For
    an unexplored exit, the way to the tile from which to discover it. None if nothing can be planned.
    """
    here = cave.teams[seat].at
    wished = tile_for(cave, seat, at)
    goal = BASE if wished is None or wished == here else wished
    if goal == here or cave.phase in ("packing", "over"):
        return None
    title = "home" if goal == BASE else place_words(cave, seat, goal)
    found = way_and_home(cave, seat, goal)
    if found is None:
        return WalkPlan(title, NO_WAY)
    there = walk_cost_words(found.route, found.later, has=cave.teams[seat].backpack.consumable)
    if wished == here and cave.turns_left is not None:  # as in the line of the supplies
        there = supplies.supplies_of_team(cave, seat, found.route).way_home_words.removeprefix("home ")
        there += _force_words(found.route)
    takes = (f"then {found.arrived.ap} AP left", *_tokens_taken_words(cave, seat, found))
    if at not in cave.board and goal == wished:
        takes = (*takes, f"then discover {terms.direction_words(goal, at)}: 1 AP")
    home = "" if found.supplies.at_base else _way_back_words(found.home, found.supplies.consumables)
    steps = (Part(_turn_of_walk_words(cave, seat, 0), turn=True), *_walk_parts(cave, seat, found))
    return WalkPlan(title, there, steps, takes, _path_words(cave, seat, found), home, found.supplies.verdict_words)


def _way_back_words(home: Route | None, has: int) -> str:
    return "no way back from there" if home is None else f"back: {walk_cost_words(home, has=has)}"


def place_words(cave: State, seat: int, at: Coord) -> str:
    """Return ``W, squeeze 2 at -25``."""
    tile = cave.board[at]
    side = terms.direction_words(cave.teams[seat].at, at)
    return f"{side}, {terms.tile_kind_words(tile.kind, tile.level)} at {terms.depth_words(tile.depth)}"


def _turn_of_walk_words(cave: State, seat: int, number: int) -> str:
    """Return ``this turn 3 AP``, ``next turn 5 AP``, ``in 2 turns``; ``number`` counts from the first planned."""
    running = cave.seat == seat
    if running and not number:
        return f"this turn {cave.ap} AP"
    later = number + (not running)
    return f"next turn {TURN_AP} AP" if later == 1 else f"in {later} turns"


def _walk_parts(cave: State, seat: int, found: WalkWay) -> Iterator[Part]:
    waited = found.route.turns - found.later
    at, turn = cave.teams[seat].at, 0
    for leg in found.route.legs:
        if leg.turn - waited > turn:
            turn = leg.turn - waited
            yield Part(_turn_of_walk_words(cave, seat, turn), turn=True)
        tile = cave.board[leg.to]
        by = f" {terms.WAYS[leg.by]}".rstrip()
        ropes = f", {count(leg.ropes, 'rope')}" if leg.ropes else ""
        kind = terms.tile_kind_words(tile.kind, tile.level)
        yield Part(f"{terms.direction_words(at, leg.to)} {kind}{by}: {leg.ap} AP{ropes}")
        at = leg.to


def _path_words(cave: State, seat: int, found: WalkWay) -> str:
    by_turn: dict[int, list[str]] = {}
    before = cave.teams[seat].at
    for leg in found.route.legs:
        by_turn.setdefault(leg.turn, []).append(terms.direction_words(before, leg.to))
        before = leg.to
    when = {0: "now", 1: "next turn"}
    return "; ".join(f"{when.get(turn, f'in {turn} turns')} {' '.join(s)}" for turn, s in by_turn.items())


def _tokens_taken_words(cave: State, seat: int, found: WalkWay) -> Iterator[str]:
    before, after = (each.teams[seat].backpack for each in (cave, found.arrived))
    taken = [
        f"{count(old - new, name)} ({new or 'none'} left)"
        for name, old, new in (
            ("consumable", before.consumable, after.consumable),
            ("rope", before.rope, after.rope),
            ("tank", before.oxygen_tanks, after.oxygen_tanks),
        )
        if old != new
    ]
    if taken:
        yield "takes " + ", ".join(taken)


# The confirmation before a long walk or danger


class Question(msgspec.Struct, frozen=True):
    """A question, the text before it, the answer ``yes``, and ``marks``: the way's places by turn. Without
    ``danger`` the walk only takes several turns.
    """

    ask: str
    yes: str
    told: tuple[str, ...] = ()
    marks: Mapping[Coord, str] = msgspec.field(default_factory=dict)
    danger: bool = True


def before_walk(cave: State, seat: int, at: Coord) -> Question | None:
    """Return the confirmation before a walk; None if it ends in this turn and leads to no danger."""
    goal = tile_for(cave, seat, at)
    found = None if goal is None else plan_unforced_walk(cave, seat, goal)
    if not isinstance(found, WalkWay):
        return None
    turns = found.route.turns
    reasons = [f"this walk takes {count(turns, 'more turn')}"] if turns else []
    danger = _danger_words(found.supplies)
    reasons += filter(None, [danger])
    if not reasons:
        return None
    told = plan(cave, seat, at)
    assert told is not None
    takes = "; ".join((f"{count(len(found.route.legs), 'step')}: {told.there}", *told.takes))
    marks = {leg.to: str(leg.turn + 1) for leg in found.route.legs}
    ask = f"{begun(', and '.join(reasons))}. Go?"
    yes = f"Walk {found.steps_words} now: {terms.price_words(found.price)}"
    return Question(ask, yes, tuple(filter(None, (takes, told.path, told.way_back_words))), marks, bool(danger))


def before_move(cave: State, seat: int, choice: Choice) -> Question | None:
    """Return the confirmation before a step; None unless it makes the way home impossible or too long."""
    move = choice.action
    if not isinstance(move, Move) or move.by == "force" or cave.phase != "actions":
        return None
    leg = Leg(move.to, move.by, choice.price.ap, choice.uses.rope, 0)
    arrived = state_on_arrival(cave, seat, Route(leg.ap, 0, 0, (leg,)))
    here, there = (supplies.supplies_of_team(each, seat, way_home(each, seat)) for each in (cave, arrived))
    if _degree_of_danger(there) <= _degree_of_danger(here):
        return None
    home = way_home(arrived, seat)
    told = (_way_back_words(home, there.consumables),) if home is not None else ()
    yes = f"Go {place_words(cave, seat, move.to)}: {terms.price_words(choice.price)}"
    return Question(f"{begun(_danger_words(there))}. Go?", yes, told)


def _degree_of_danger(found: supplies.Supplies) -> int:
    """Return the severity: 2 without any way home, 1 if the team starves on it or is too late."""
    if found.at_base:
        return 0
    return 2 if found.home_ap is None else int(found.supplies_run_short or found.is_too_late)


def _danger_words(found: supplies.Supplies) -> str:
    return _DANGERS.get(found.verdict_words, NO_WAY_HOME) if _degree_of_danger(found) else ""
