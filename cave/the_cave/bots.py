"""The bots of The Cave except the guide, and the game's part of the search.

The novice and the rookie run one errand after the other: pack enough to eat, explore, take tokens nearby and
return home. They list worthwhile targets, compute the way there and home with their consumables, and take the
first step of the best errand they can afford. The camp stays at the base. The expert plays out the guide's
plans.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import erf, exp, sqrt
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, judge, search
from cave.game import Json
from cave.score import win_shares
from cave.the_cave import actions as act
from cave.the_cave import guide, routes, rules
from cave.the_cave.actions import Action, AnyChoice, Choice, Form
from cave.the_cave.game import THE_CAVE, View
from cave.the_cave.guide import Look
from cave.the_cave.routes import Route
from cave.the_cave.scoring import BONUS_CATEGORIES, MOST_BONUS, count_tokens, points_by_category
from cave.the_cave.state import BASE, TURN_AP, Coord, Items, State, Team
from cave.the_cave.tiles import components, laid_tile, lay_tile, unexplored_exits

EXPLORING = 3.0  # points that an unexplored exit is worth
FAR = 4  # maximum turns to the target of an errand
FANCY = 0.12  # probability of a random move of the novice


class _Errand(Struct, frozen=True):
    route: Route
    score: float


def decide_next_errand(view: View, choices: list[AnyChoice], rng: Random) -> Action:
    """Return the first action of the best next errand."""
    seat = view.viewer
    assert seat is not None
    state = view.cave
    if state.phase == "packing":
        return act.Pack(_best_kit(state, seat, rng))
    if state.phase == "placing":
        return _best_placement(state, choices, rng)
    if state.phase == "starving":
        return guide.forced_move_home(state, seat)
    return _explorer_action(state, seat, choices, rng)


def _candidate_kits(team: Team) -> list[Items]:
    return guide.fresh_kits(team)[:3]


def _best_kit(state: State, seat: int, rng: Random) -> Items:
    def promise(kit: Items) -> float:
        errand = _best_errand(_state_with_kit(state, seat, kit), seat, rng)
        return errand.score if errand else 0.0

    kits = _candidate_kits(state.teams[seat])
    if state.phase == "packing":
        return kits[0]
    if _is_nothing_left(state, seat):
        return kits[1]
    return max(kits, key=promise)


def _state_with_kit(state: State, seat: int, kit: Items) -> State:
    """Return the state as if the team had just packed a kit at the base, before its next turn."""
    return state.with_team(seat, replace(state.teams[seat], at=BASE, backpack=kit), ap=TURN_AP)


def _best_placement(state: State, choices: list[AnyChoice], rng: Random) -> Action:
    assert state.seat is not None
    assert state.drawn is not None
    here = state.board[state.teams[state.seat].at]

    def exits_left(action: act.Place) -> tuple[int, float]:
        assert state.drawn is not None
        tile = laid_tile(state.drawn, action.at, action.rotation, here)
        return lay_tile(state, tile).open_exits, rng.random()

    return max((c.action for c in _plain_choices(choices) if isinstance(c.action, act.Place)), key=exits_left)


def _explorer_action(state: State, seat: int, choices: list[AnyChoice], rng: Random) -> Action:
    team = state.teams[seat]
    offered = {choice.action: choice for choice in _plain_choices(choices)}
    if team.at == BASE and any(isinstance(choice, Form) and choice.kind == "pack" for choice in choices):
        kit = _best_kit(state, seat, rng)
        lacks = team.backpack.consumable < kit.consumable
        if (lacks or _must_repack(state, seat, kit)) and _turns_left(state, seat) > 1:
            return act.Pack(kit)
    for action in (act.Photograph(), act.Dive(), act.Discover()):
        if action in offered and _comes_home(_state_after(state, seat, offered[action]), seat):
            return action
    errand = _best_errand(state, seat, rng)
    route = errand.route if errand else routes.way_home(state, seat)
    if route is None or not route.legs or route.legs[0].turn > 0:
        return act.EndTurn()  # Nothing to do, or the walk continues with the AP of the next turn.
    return act.Move(route.legs[0].to, route.legs[0].by)


def _must_repack(state: State, seat: int, kit: Items) -> bool:
    """Return whether a team at the base can do nothing with its backpack, and something with another kit."""
    if state.teams[seat].backpack == kit or _best_errand(state, seat, Random(0)):
        return False
    return _best_errand(_state_with_kit(state, seat, kit), seat, Random(0)) is not None


def _plain_choices(choices: Iterable[AnyChoice]) -> list[Choice]:
    return [choice for choice in choices if isinstance(choice, Choice)]


def _turns_left(state: State, seat: int) -> int:
    """Return the seat's remaining turns, including the current one; many if the end is not near."""
    if state.turns_left is None:
        return 99
    return guide.turns_left(state, seat)


def _state_after(state: State, seat: int, choice: Choice) -> State:
    """Return the state after a choice; for a discovery, only its price is paid."""
    if isinstance(choice.action, act.Discover):
        return replace(state, ap=state.ap - choice.ap)
    return rules.apply(state, seat, choice.action).state


def _comes_home(state: State, seat: int, *, turns_used: int = 0) -> bool:
    """Return whether the team can get home from here with enough food and in time for the end."""
    home = routes.way_home(state, seat)
    if home is None:
        return False
    if state.settings.stranded_score_nothing and turns_used + home.turns >= _turns_left(state, seat):
        return False
    return home.eats <= state.teams[seat].backpack.consumable or _is_nothing_left(state, seat)


def _is_nothing_left(state: State, seat: int) -> bool:
    """Return whether nothing is left that a team fresh from the base could explore and return from.

    Then it accepts starving, so that the game continues. The result depends on the cave alone, so that a team
    on such a trip does not turn back half-way.
    """
    if state.turns_left is not None:
        return False
    kits = tuple(_candidate_kits(state.teams[seat]))
    ways = frozenset((at, tile.kind, tile.level, tile.depth, tile.open) for at, tile in state.board.items())
    ropes = frozenset(state.ropes.items())
    return not _can_explore(_Cave((ways, ropes, state.settings.choke_cost, kits), state, seat, kits))


class _Cave(Struct, frozen=True, eq=False):
    """The ways through a cave, and the kits to take; equal if the ways are equal."""

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
    for kit in cave.kits:
        fresh = _state_with_kit(cave.state, cave.seat, kit)
        for at, route in routes.quickest_routes(fresh, fresh.teams[cave.seat], TURN_AP, max_turns=FAR).items():
            if unexplored_exits(fresh.board, at):
                there = routes.state_on_arrival(fresh, cave.seat, route)
                home = routes.way_home(there, cave.seat)
                if home is not None and home.eats <= there.teams[cave.seat].backpack.consumable:
                    return True
    return False


def _best_errand(state: State, seat: int, rng: Random) -> _Errand | None:
    team = state.teams[seat]
    reckless = _is_nothing_left(state, seat)
    far = 60 if reckless else FAR
    found: list[_Errand] = []
    for at, route in routes.quickest_routes(state, team, state.ap, max_turns=far).items():
        worth = _worth_of_place(state, team, at, route)
        if worth:
            score = (worth + rng.random() * 0.2) / (route.ap + 1 + 2 * route.turns)
            found.append(_Errand(route, score))
    for errand in sorted(found, key=lambda errand: -errand.score):
        there = routes.state_on_arrival(state, seat, errand.route)
        if reckless or _comes_home(there, seat, turns_used=errand.route.turns):
            return errand
    return None


def _worth_of_place(state: State, team: Team, at: Coord, route: Route) -> float:
    tile = state.board[at]
    last = route.legs[-1]
    worth = float(routes.TRAVERSE_POINTS * last.ropes)
    if tile.token:
        if tile.kind == "wonder" and team.backpack.camera:
            worth += routes.PHOTO_POINTS
        elif tile.kind == "water" and team.backpack.oxygen_tanks:
            worth += routes.WATER_POINTS
        elif tile.kind == "squeeze" and last.by == "foot":
            worth += routes.SQUEEZE_POINTS[tile.level]
    worth += routes.depth_points(routes.depth_token(team, tile, last.ropes))
    if unexplored_exits(state.board, at) and state.turns_left is None:
        worth += EXPLORING
    return worth


def decide_as_novice(view: View, choices: list[AnyChoice], rng: Random) -> Action:
    """Return the action of a beginner that is fun to beat: it packs the same kit for every trip, places tiles
    without thought, and sometimes moves at random.
    """
    state, seat = view.cave, view.viewer
    assert seat is not None
    plain = [choice.action for choice in choices if isinstance(choice, Choice)]
    if state.phase == "placing":
        return rng.choice([action for action in plain if isinstance(action, act.Place)])
    if state.phase == "actions" and state.teams[seat].at != BASE and rng.random() < FANCY:
        whims = [action for action in plain if isinstance(action, act.Discover) or _is_walk(action)]
        if whims:
            return rng.choice(whims)
    action = decide_next_errand(view, choices, rng)
    if not isinstance(action, act.Pack):
        return action
    kit = _candidate_kits(state.teams[seat])[0]
    if state.teams[seat].backpack != kit:
        return act.Pack(kit)
    # It takes another kit only if its own leads nowhere, as it would take its own again, forever.
    ways_out = [each for each in plain if _is_walk(each)]
    return rng.choice(ways_out) if ways_out and not _must_repack(state, seat, action.backpack) else action


def _is_walk(action: Action) -> bool:
    return isinstance(action, act.Move) and action.by != "force"


def _choose_by(
    decided: Callable[[View, list[AnyChoice], Random], Action], view: Json, choices: list[Json], seed: str
) -> Json:
    offered = [THE_CAVE.choice_from_json(choice) for choice in choices]
    return codec.to_json(decided(THE_CAVE.view_from_json(view), offered, Random(seed)))


errands = partial(_choose_by, decide_next_errand)
novice = partial(_choose_by, decide_as_novice)


QUICK = Look(width=5, patient=False, all_kits=False)
EVERY = Look(every=True)
# Fitted to the winners of games of guides: ``python -m tests.bench cave-value``.
AHEAD_HOPED = 0.4  # of the score of a team's best trip, while there are tiles to draw
AHEAD_AT_THE_END = 0.7  # when there are none
STRANDED = -60.0
SURE = 1.2  # scale from a lead to a chance to win: the spread of the points still to come
SPREAD = 3.0
SPREAD_A_TILE = 0.35
BONUS_SPREAD = 0.3
BONUS_SPREAD_A_TILE = 0.12
TILES = sum(map(len, components().stacks))


class CaveAdvice(search.Advice[State, Action, AnyChoice, View]):
    game = THE_CAVE
    most = 5
    turns = 1
    budget = 24
    decided = 0.02

    def plans(self, view: View, choices: Sequence[AnyChoice], rng: Random, most: int) -> list[search.Plan[Action]]:
        """Return the guide's choice and the best plans with other first actions. Until the end is near, a
        team waits, turns home or strolls only if the guide would: otherwise all teams might do so forever.
        """
        assert view.viewer is not None
        state, seat = guide.cave_without_stacks(view), view.viewer
        first, *others = guide.stir_options(state, seat, guide.team_options(state, seat, EVERY), rng)
        if state.phase == "actions" and state.turns_left is None:
            idle = ((act.EndTurn(),), guide.way_home_actions(state, seat))
            others = [option for option in others if option.score > 0 and option.actions not in idle]
        return [option.actions + option.later for option in (first, *others)[:most]]

    def settle(self, state: State, viewer: int, rng: Random) -> State:
        """Return the state with a kit for every team whose pack is hidden (rule 2.3)."""
        if state.phase != "packing":
            return state
        teams = tuple(
            team
            if seat == viewer or seat not in state.packed
            else replace(team, backpack=rng.choice(guide.fresh_kits(team)))
            for seat, team in enumerate(state.teams)
        )
        return replace(state, teams=teams)

    def play(self, state: State, seat: int, rng: Random) -> Action:
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        """Return a fast guide's actions up to a discovery or the turn's end."""
        return guide.team_options(state, seat, QUICK)[0].actions

    def value(self, state: State) -> list[float]:
        if state.phase == "over":
            return win_shares(THE_CAVE.standing(state))
        hoped = [self._hoped_points(state, seat) for seat in range(len(state.teams))]
        tiles = sum(len(stack) for stack in state.stacks)
        spread = SPREAD + SPREAD_A_TILE * tiles
        return [
            1 / (1 + exp(-SURE * (mine - max(hoped[:seat] + hoped[seat + 1 :])) / spread))
            for seat, mine in enumerate(hoped)
        ]

    def _hoped_points(self, state: State, seat: int) -> float:
        has, ahead = self.points_and_assets(state, seat)
        return has + (AHEAD_HOPED if state.tiles_left else AHEAD_AT_THE_END) * ahead

    def points_and_assets(self, state: State, seat: int) -> tuple[float, float]:
        """Return a team's points, including expected bonuses, and the score of its best trip."""
        team = state.teams[seat]
        has = float(sum(points_by_category(team.tokens).values())) + self._hoped_bonuses(state, seat)
        if not self._gets_home_in_time(state, seat):
            return has + STRANDED, 0.0
        return has, guide.best_trip_score(state, seat, QUICK)

    def _gets_home_in_time(self, state: State, seat: int) -> bool:
        """Return whether a team can be home in time; true before the end is triggered (rule 7.1)."""
        if state.turns_left is None or not state.settings.stranded_score_nothing:
            return True
        if state.phase == "over":
            return state.teams[seat].at == BASE
        home = routes.way_home(state, seat)
        return home is not None and home.turns - (seat != state.seat) < guide.turns_left(state, seat)

    def left(self, state: State) -> float:
        """Return the share of the tiles not yet drawn."""
        return sum(map(len, state.stacks)) / TILES

    def expected_final_points(self, state: State, seat: int) -> float:
        """Return a team's expected points; the score at the end."""
        return super().expected_final_points(state, seat) if state.phase == "over" else self._hoped_points(state, seat)

    def events(self, state: State, seat: int) -> Mapping[str, bool]:
        """Return whether a team gets home in time, once the end is triggered."""
        return {} if state.turns_left is None else {"home": self._gets_home_in_time(state, seat)}

    def _hoped_bonuses(self, state: State, seat: int) -> float:
        """Return a team's expected bonuses (rule 7.4)."""
        rows = [count_tokens(team.tokens) for team in state.teams]
        tiles = sum(len(stack) for stack in state.stacks)
        spread = sqrt(2 * (BONUS_SPREAD + BONUS_SPREAD_A_TILE * tiles))
        bonus = 0.0
        for category in BONUS_CATEGORIES:
            best = max(row[category] for other, row in enumerate(rows) if other != seat)
            bonus += MOST_BONUS / 4 * erf((rows[seat][category] - best) / spread)
        return bonus


ADVICE = CaveAdvice()


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the expert's action in its public form: the best of the guide's plans by playouts."""
    return search.decide_by_search(ADVICE, view, choices, search.SEED, ADVICE.budget)


ideas = partial(judge.judge_ideas, ADVICE)
