"""The rookie of The Cave: packs enough to eat, explores, takes tokens nearby and comes home.

It plans one errand: it lists useful goals, computes the way there and back home with its consumables, and
takes the first step of the best affordable errand. It leaves its camp at the base.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cave import codec
from cave.game import Json
from cave.the_cave import routes as prices
from cave.the_cave import rules
from cave.the_cave.actions import (
    Action,
    AnyChoice,
    Choice,
    Discover,
    Dive,
    EndTurn,
    Form,
    Move,
    Pack,
    Photograph,
    Place,
)
from cave.the_cave.game import THE_CAVE, View
from cave.the_cave.packing import most_to_pack
from cave.the_cave.state import BACKPACK_SLOTS, BASE, CAMP_FILLS, TURN_AP, Coord, Items, State, Team
from cave.the_cave.tiles import laid_tile, lay_tile, unexplored_exits
from tests.bench.frozen.the_cave import routes
from tests.bench.frozen.the_cave.routes import Route

EXPLORING = 3.0  # the worth of an unexplored exit in points
FAR = 4  # turns within which it searches for errands
KITS = (
    Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1),  # rule 2.3
    Items(consumable=6, rope=1, raft=1),
    Items(consumable=4, rope=3, raft=1),
)


class _Errand(Struct, frozen=True):
    """A goal, the way there, and its worth."""

    route: Route
    score: float


def choose(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the rookie's action in its public form; ``choices`` are those of the view's seat."""
    shown = THE_CAVE.view_from_json(view)
    offered = [THE_CAVE.choice_from_json(choice) for choice in choices]
    return codec.to_json(decide(shown, offered, Random(seed)))


def decide(view: View, choices: list[AnyChoice], rng: Random) -> Action:
    """Return the rookie's action."""
    seat = view.viewer
    assert seat is not None
    state = view.cave
    if state.phase == "packing":
        return Pack(_best_kit(state, seat, rng))
    if state.phase == "placing":
        return _placement(state, choices, rng)
    if state.phase == "starving":
        return _stagger(state, seat, choices, rng)
    return _act(state, seat, choices, rng)


def _kits(team: Team) -> list[Items]:
    """Return the kits it may pack: without a camera or raft that is elsewhere or lost, and with as many
    consumables as fit.
    """
    most = most_to_pack(team, with_camp=False)
    room = BACKPACK_SLOTS - (CAMP_FILLS if team.camp.state == "packed" else 0)
    kits = []
    for kit in KITS:
        left = replace(kit, consumable=0, camera=min(kit.camera, most.camera), raft=min(kit.raft, most.raft))
        kits.append(replace(left, consumable=room - left.slots_filled))
    return kits


def _best_kit(state: State, seat: int, rng: Random) -> Items:
    """Return the kit for the best errand from the base."""

    def promise(kit: Items) -> float:
        errand = _best_errand(_with_kit(state, seat, kit), seat, rng)
        return errand.score if errand else 0.0

    kits = _kits(state.teams[seat])
    if state.phase == "packing":
        return kits[0]
    if _reckless(state, seat):
        return kits[1]
    return max(kits, key=promise)


def _with_kit(state: State, seat: int, kit: Items) -> State:
    """Return the state as if the team had just packed a kit at the base, with its next turn ahead."""
    team = replace(state.teams[seat], at=BASE, backpack=kit)
    teams = (*state.teams[:seat], team, *state.teams[seat + 1 :])
    return replace(state, teams=teams, ap=TURN_AP, phase="actions", seat=seat)


def _placement(state: State, choices: list[AnyChoice], rng: Random) -> Action:
    """Return the placement that leaves the most to explore."""
    assert state.seat is not None
    assert state.drawn is not None
    here = state.board[state.teams[state.seat].at]

    def exits_left(action: Place) -> tuple[int, float]:
        assert state.drawn is not None
        return lay_tile(state, laid_tile(state.drawn, action.at, action.rotation, here)).open_exits, rng.random()

    return max((c.action for c in _plain(choices) if isinstance(c.action, Place)), key=exits_left)


def _stagger(state: State, seat: int, choices: list[AnyChoice], rng: Random) -> Action:
    """Return a forced move home, by the shortest way."""
    route = routes.way_home(state, seat)
    if route is not None and route.legs:
        return Move(route.legs[0].to, "force")
    return rng.choice([choice.action for choice in _plain(choices)])


def _act(state: State, seat: int, choices: list[AnyChoice], rng: Random) -> Action:
    team = state.teams[seat]
    offered = {choice.action: choice for choice in _plain(choices)}
    if team.at == BASE and any(isinstance(choice, Form) and choice.kind == "pack" for choice in choices):
        kit = _best_kit(state, seat, rng)
        if team.backpack.consumable < kit.consumable and _turns_left(state, seat) > 1:
            return Pack(kit)
    for action in (Photograph(), Dive(), Discover()):
        if action in offered and _comes_home(_after(state, seat, offered[action]), seat):
            return action
    errand = _best_errand(state, seat, rng)
    route = errand.route if errand else routes.way_home(state, seat)
    if route is None or not route.legs or route.legs[0].turn > 0:
        return EndTurn()  # nothing to do, or the way continues in the next turn
    return Move(route.legs[0].to, route.legs[0].by)


def _plain(choices: Iterable[AnyChoice]) -> list[Choice]:
    return [choice for choice in choices if isinstance(choice, Choice)]


def _turns_left(state: State, seat: int) -> int:
    """Return the turns left for the seat, with the current one; many before the end is near."""
    if state.turns_left is None:
        return 99
    seats = len(state.teams)
    assert state.seat is not None
    until_mine = (seat - state.seat) % seats
    return max(0, (state.turns_left - until_mine + seats - 1) // seats)


def _after(state: State, seat: int, choice: Choice) -> State:
    """Return the state after a choice; of a discovered tile only the price is known."""
    if isinstance(choice.action, Discover):
        return replace(state, ap=state.ap - choice.ap)
    return rules.apply(state, seat, choice.action).state


def _comes_home(state: State, seat: int, *, turns_used: int = 0) -> bool:
    """Return whether the team gets home from here fed, and in time for the end."""
    home = routes.way_home(state, seat)
    if home is None:
        return False
    if state.settings.stranded_score_nothing and turns_used + home.turns >= _turns_left(state, seat):
        return False
    return home.eats <= state.teams[seat].backpack.consumable or _reckless(state, seat)


def _reckless(state: State, seat: int) -> bool:
    """Return whether a fed team could explore nothing more from the base and return.

    Then it goes hungry so that the game ends. It depends only on the cave, so that a team on such a trip does
    not change its mind half-way.
    """
    if state.turns_left is not None:
        return False
    kits = tuple(_kits(state.teams[seat]))
    ways = frozenset((at, tile.kind, tile.level, tile.depth, tile.open) for at, tile in state.board.items())
    ropes = frozenset(state.ropes.items())
    return not _can_explore(_Cave((ways, ropes, state.settings.choke_cost, kits), state, seat, kits))


class _Cave(Struct, frozen=True, eq=False):
    """The ways through a cave, and the kits to go with; two of the same ways are equal."""

    ways: Hashable
    state: State
    seat: int
    kits: tuple[Items, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cave) and self.ways == other.ways

    def __hash__(self) -> int:
        return hash(self.ways)


@lru_cache(maxsize=64)
def _can_explore(cave: _Cave) -> bool:
    """Return whether a team from the base could explore something and get home fed."""
    for kit in cave.kits:
        fresh = _with_kit(cave.state, cave.seat, kit)
        for at, route in routes.routes(fresh, fresh.teams[cave.seat], TURN_AP, max_turns=FAR).items():
            if unexplored_exits(fresh.board, at):
                there = routes.arrive(fresh, cave.seat, route)
                home = routes.way_home(there, cave.seat)
                if home is not None and home.eats <= there.teams[cave.seat].backpack.consumable:
                    return True
    return False


def _best_errand(state: State, seat: int, rng: Random) -> _Errand | None:
    """Return the errand with the most points for its AP, among those with a way home."""
    team = state.teams[seat]
    reckless = _reckless(state, seat)
    far = 60 if reckless else FAR
    found: list[_Errand] = []
    for at, route in routes.routes(state, team, state.ap, max_turns=far).items():
        worth = _worth(state, team, at, route)
        if worth:
            score = (worth + rng.random() * 0.2) / (route.ap + 1 + 2 * route.turns)
            found.append(_Errand(route, score))
    for errand in sorted(found, key=lambda errand: -errand.score):
        there = routes.arrive(state, seat, errand.route)
        if reckless or _comes_home(there, seat, turns_used=errand.route.turns):
            return errand
    return None


def _worth(state: State, team: Team, at: Coord, route: Route) -> float:
    """Return the expected points at a place and on the way."""
    tile = state.board[at]
    last = route.legs[-1]
    worth = float(prices.TRAVERSE_POINTS * last.ropes)
    if tile.token:
        if tile.kind == "wonder" and team.backpack.camera:
            worth += prices.PHOTO_POINTS
        elif tile.kind == "water" and team.backpack.oxygen_tanks:
            worth += prices.WATER_POINTS
        elif tile.kind == "squeeze" and last.by == "foot":
            worth += prices.SQUEEZE_POINTS[tile.level]
    worth += prices.depth_points(prices.depth_token(team, tile, last.ropes))
    if unexplored_exits(state.board, at) and state.turns_left is None:
        worth += EXPLORING
    return worth
