"""The bots of Sir Ocelot's Cave, the weakest first.

The novice sees only the immediate gain of a placement. The rookie also sees later gains, but overlooks many
placements. The guide rates all of them, and its rival's best reply to the good ones. The expert searches
wider, with a leaf learned from better games; a third ply did not make it stronger. All read only the view,
and average over hidden parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import exp
from random import Random

from msgspec import Struct

from cave import codec, judge, search
from cave.game import Json
from cave.score import win_shares
from cave.sir_ocelots_cave.actions import Action, Advance, Choice, LayTool
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE, View
from cave.sir_ocelots_cave.search import Plies, PlySearch, SearchLeaf, gains_now, load_weights
from cave.sir_ocelots_cave.search_node import gem_worths, gems_to_collect, node_of
from cave.sir_ocelots_cave.state import TURNS, State


class Level(Struct, frozen=True):
    """Search parameters of a bot: the number of moves, and the training round of its leaf, from 0."""

    plies: Plies
    round: int = 0


ROOKIE = Level(Plies(1, glance=100))
GUIDE = Level(Plies(24, (8,)))
EXPERT = Level(Plies(40, (16,)), round=1)


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the novice's action in its public form; ``choices`` belong to the view's seat."""
    cave = _state_of_view(view)
    if cave.phase == "collecting":
        return codec.to_json(gems_to_collect(cave))
    node, rng = node_of(cave), Random(seed)
    found = gains_now(node, gem_worths(cave)[node.seat], may_advance=cave.phase == "advancing")
    most = max(gain for gain, _ in found)
    return codec.to_json(rng.choice([action for gain, action in found if gain == most]))


def _choose_by_search(level: Level, view: Json, choices: list[Json], seed: str) -> Json:
    return codec.to_json(rank_actions(_state_of_view(view), level, Random(seed))[0])


rookie = partial(_choose_by_search, ROOKIE)
guide = partial(_choose_by_search, GUIDE)
"""Guide and expert are deterministic: they ignore the seed."""
expert = partial(_choose_by_search, EXPERT)


def rank_actions(cave: State, level: Level, rng: Random, *, exact: bool = False) -> list[Action]:
    """Return the best actions of the seat to act by this level, the best first."""
    if cave.phase == "collecting":
        return [gems_to_collect(cave)]
    search = PlySearch(SearchLeaf(gem_worths(cave), load_weights()[level.round]), level.plies, rng)
    plans = search.plans_of_node(node_of(cave), may_advance=cave.phase == "advancing", exact=exact)
    return [plan.action for plan in plans]


def _state_of_view(view: Json) -> State:
    shown = SIR_OCELOTS_CAVE.view_from_json(view)
    assert shown.viewer is not None
    assert shown.viewer == shown.cave.seat
    return shown.cave


QUICK = Level(Plies(8, (4,)), round=1)
SPREAD = 3.0  # scale from a lead to a chance to win
SPREAD_A_PIECE = 0.5


class OcelotAdvice(search.Advice[State, Action, Choice, View]):
    game = SIR_OCELOTS_CAVE
    most = 4
    # No race: the expert's search is better than playouts.

    def plans(self, view: View, choices: Sequence[Choice], rng: Random, most: int) -> list[search.Plan[Action]]:
        """Return the expert's best turns, of the tools at one place only the best; after a companion's advance
        the next hint names the planned tool, too.
        """
        ranked = rank_actions(view.cave, EXPERT, rng, exact=True)
        best = {each.at if isinstance(each, LayTool) else each: each for each in reversed(ranked)}
        found = [each for each in ranked if each in best.values()][:most]
        return [self.plan_with(view, each, rng) for each in found]

    def plan_with(self, view: View, action: Action, rng: Random) -> search.Plan[Action]:
        """Return the action; after a companion's advance also the best piece to place then."""
        if not isinstance(action, Advance):
            return (action,)
        after = self.game.apply(view.cave, view.cave.seat or 0, action).state
        return (action, rank_actions(after, EXPERT, rng, exact=True)[0])

    def play(self, state: State, seat: int, rng: Random) -> Action:
        return rank_actions(state, QUICK, rng)[0]

    def value(self, state: State) -> list[float]:
        if state.seat is None:
            return win_shares(SIR_OCELOTS_CAVE.standing(state))
        hoped = [self.expected_final_points(state, seat) for seat in range(len(state.players))]
        pieces = sum(player.pieces_left for player in state.players)
        chance = 1 / (1 + exp((hoped[1] - hoped[0]) / (SPREAD + SPREAD_A_PIECE * pieces)))
        return [chance, 1 - chance]

    def expected_final_points(self, state: State, seat: int) -> float:
        """Return a seat's points plus half of its lead by the leaf."""
        points = super().expected_final_points(state, seat)
        if state.seat is None:
            return points
        promise = SearchLeaf(gem_worths(state), load_weights()[EXPERT.round]).expected_lead(node_of(state)) / 2
        return points + (promise if seat == state.seat else -promise)

    def left(self, state: State) -> float:
        """Return the share of the pieces not yet placed."""
        return sum(player.pieces_left for player in state.players) / TURNS


ideas = partial(judge.judge_ideas, OcelotAdvice())
