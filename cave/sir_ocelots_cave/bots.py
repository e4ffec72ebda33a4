"""The bots of Sir Ocelot's Cave, the weakest first, and their search of a few plies.

The novice sees only the immediate gain of a placement. The rookie also sees later gains, but overlooks many
placements. The guide rates all of them, and its rival's best reply to the good ones. The expert searches
wider, with a leaf learned from better games; a third ply did not make it stronger. All read only the view,
and average over hidden parts.

In the search each seat lays a piece and takes all it can; a leaf evaluates the last node. Every value is the
lead of the seat that must place. The budget is a number of placements at each ply, not a time, so that the
same view and seed give the same plans. A leaf estimates the points still to come from features of a node; the
weights are learned (``tests/bench/ocelot_weights.py``) and stored in ``weights.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from heapq import nlargest
from math import exp, fsum
from operator import mul
from pathlib import Path
from random import Random

from msgspec import Struct

from cave import codec, judge, search
from cave.codec import JsonForm
from cave.game import Json
from cave.score import win_shares
from cave.sir_ocelots_cave.actions import Action, Advance, Choice, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import BIT, KINDS, RIM, SQUARES, TOOLS, squares_in_order
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE, View
from cave.sir_ocelots_cave.scoring import Worth, gem_worths
from cave.sir_ocelots_cave.search import (
    LEVEL_OF,
    LINES_OF,
    Placement,
    SearchNode,
    Square,
    node_of,
    survey_gems,
    total_value,
)
from cave.sir_ocelots_cave.state import TURNS, State, collectable_gems

WAYS = 3
"""Squares of the next level to search."""
AFTER_WAY = 8
"""Placements to search after each of them."""
_LOW = -1e9


class Plies(Struct, frozen=True):
    """Number of placements to search: own ones at the root, then replies, ply by ply."""

    root: int
    replies: tuple[int, ...] = ()
    glance: int | None = None
    """Number of moves to look at, chosen at random; None for all."""


class Plan(Struct, frozen=True):
    """An action, and the expected lead after it."""

    action: Action
    value: float


def lay_action(node: SearchNode, placement: Placement) -> LayTool:
    """Return the action of a placement, with the kind that the seat has more of."""
    rim, side = divmod(placement, len(TOOLS))
    return LayTool(KINDS[node.tool_of_side(node.seat, side)], TOOLS[side], RIM[rim])


def _node_steps(node: SearchNode) -> list[tuple[Action, SearchNode]]:
    steps: list[tuple[Action, SearchNode]] = [
        (lay_action(node, each), node.node_after_laying(each)) for each in node.tool_placements()
    ]
    return steps + [(PlaceCompanion(SQUARES[at]), node.node_after_entering(at)) for at in node.companion_entrances()]


def gains_now(node: SearchNode, worth: Sequence[float], *, may_advance: bool) -> list[tuple[float, Action]]:
    """Return every action of the seat with its gain in this turn."""
    found = [(total_value(node.gems & ~child.gems, worth), action) for action, child in _node_steps(node)]
    if may_advance:
        moved = [(at, node.node_after_advancing(at)) for at in node.companion_advances()]
        found += [
            (total_value(node.gems & ~child.gems | child.collectable_gems(node.seat), worth), Advance(SQUARES[at]))
            for at, child in moved
        ]
    return found


class PlySearch:
    """A search with its leaf and its budget; call ``plans_of_node``."""

    def __init__(self, leaf: SearchLeaf, plies: Plies, rng: Random) -> None:
        self._leaf, self._plies, self._rng = leaf, plies, rng

    def plans_of_node(self, node: SearchNode, *, may_advance: bool, exact: bool = False) -> list[Plan]:
        """Return the best actions of the seat, the best first, as many as the budget has at the root.

        Unless ``exact``, only the best value is exact; the others are upper bounds.
        """
        steps = _node_steps(node)
        glance = self._plies.glance
        if glance is not None and glance < len(steps):
            steps = self._rng.sample(steps, glance)
        found = [(self._order_of_child(node, child), action, child) for action, child in steps]
        if may_advance:
            for at in self._companion_ways(node):
                moved = node.node_after_advancing(at)
                gain = self._worth_taken(node, moved)
                found += [
                    (gain + self._order_of_child(moved, child), Advance(SQUARES[at]), child)
                    for child in self._best_answers(moved, AFTER_WAY)
                ]
        found = sorted(found, key=lambda each: -each[0])[: self._plies.root]
        if self._plies.replies:
            found = self._value_after_reply(found, exact=exact)
        best: dict[Action, float] = {}
        for value, action, _ in found:
            best[action] = max(value, best.get(action, _LOW))
        return sorted((Plan(*each) for each in best.items()), key=lambda plan: -plan.value)

    def _value_after_reply(
        self, found: Iterable[tuple[float, Action, SearchNode]], *, exact: bool
    ) -> list[tuple[float, Action, SearchNode]]:
        """Return the actions with their values after the other seat's reply."""
        alpha, after = _LOW, []
        for first, action, child in found:
            gain = first + self._leaf.expected_lead(child)
            value = gain - self._value_of_best_reply(child, self._plies.replies, _LOW, -_LOW if exact else gain - alpha)
            alpha = max(alpha, value)
            after.append((value, action, child))
        return after

    def _value_of_best_reply(self, node: SearchNode, widths: tuple[int, ...], alpha: float, beta: float) -> float:
        """Return the seat's lead with its best reply (alpha-beta search)."""
        if not node.pieces:
            return 0.0
        width, deeper = widths[0], widths[1:]
        best = _LOW
        for child in self._best_answers(node, width):
            if deeper:
                gain = self._worth_taken(node, child)
                value = gain - self._value_of_best_reply(child, deeper, gain - beta, gain - alpha)
            else:
                value = self._order_of_child(node, child)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _best_answers(self, node: SearchNode, width: int) -> list[SearchNode]:
        """Return the nodes after the placements with the largest immediate gain, after the companion's best
        entrance, and after a placement without effect.
        """
        worth = self._leaf.worth[node.seat]
        more = survey_gems(node, node.seat, worth).more
        found = [node.node_after_laying(each) for each in nlargest(width, more, key=lambda each: (more[each], each))]
        if entrances := node.companion_entrances():
            found.append(
                node.node_after_entering(max(entrances, key=lambda at: total_value(LINES_OF[at] & node.gems, worth)))
            )
        found.append(node.node_after_passing())
        return found

    def _companion_ways(self, node: SearchNode) -> Sequence[Square]:
        return nlargest(
            WAYS,
            node.companion_advances(),
            key=lambda at: (self._leaf.expected_lead(node.node_after_advancing(at)), -at),
        )

    def _order_of_child(self, node: SearchNode, child: SearchNode) -> float:
        return self._worth_taken(node, child) - self._leaf.expected_lead(child)

    def _worth_taken(self, before: SearchNode, after: SearchNode) -> float:
        taken = before.gems & ~after.gems
        return total_value(taken, self._leaf.worth[before.seat]) if taken else 0.0


WEIGHTS = Path(__file__).with_name("weights.json")
FEATURES = (
    "points ready",
    "best placement, mine",
    "best placement, theirs",
    "gems one tool short, mine",
    "gems one tool short, theirs",
    "rest of the companion's lines, mine",
    "rest of the companion's lines, theirs",
    "seen by one kind of tool",
    "seen by no tool",
    "companion not placed, mine",
    "companion not placed, theirs",
    "companion's level less 1, mine",
    "companion's level less 1, theirs",
    "how much my best placement is above theirs",
    "one",
)
"""The features of a node. *Mine* belongs to the seat that is to place. Each is used twice: plain, and times
the pieces left / 32.
"""


def leaf_features(node: SearchNode, worth: Worth) -> tuple[float, ...]:
    seat = node.seat
    mine, more, short, lines = survey_gems(node, seat, worth[seat])
    theirs, others, their_short, their_lines = survey_gems(node, 1 - seat, worth[1 - seat])
    best = max(more.values()) if more else 0.0
    other = theirs + (max(others.values()) if others else 0.0)
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = node.sight
    c, l, p = nc | ec | sc | wc, nl | el | sl | wl, np | ep | sp | wp  # noqa: E741
    one, none = node.gems & (c ^ l ^ p) & ~(c & l & p), node.gems & ~(c | l | p)
    ones, threes, fives, sevens = node.classes
    at, across = node.companions[seat], node.companions[1 - seat]
    above = mine + best - other
    return (
        mine,
        best,
        other,
        short,
        their_short,
        lines,
        their_lines,
        (one & ones).bit_count()
        + 3 * (one & threes).bit_count()
        + 5 * (one & fives).bit_count()
        + 7 * (one & sevens).bit_count(),
        (none & ones).bit_count()
        + 3 * (none & threes).bit_count()
        + 5 * (none & fives).bit_count()
        + 7 * (none & sevens).bit_count(),
        at < 0,
        across < 0,
        LEVEL_OF[at] - 1 if at >= 0 else 0,
        LEVEL_OF[across] - 1 if across >= 0 else 0,
        above if above > 0 else 0.0,
        1.0,
    )


class _RoundForm(JsonForm, frozen=True):
    plain: dict[str, float]
    times_pieces_left: dict[str, float]


class _WeightsForm(JsonForm, frozen=True):
    about: str
    seed: str
    games: int
    rounds: list[_RoundForm]


Weights = tuple[tuple[float, float], ...]
"""For each of ``FEATURES`` its weight, and its weight times pieces left / 32."""


@cache
def load_weights() -> tuple[Weights, ...]:
    form = codec.parse(codec.decode(WEIGHTS.read_bytes()), _WeightsForm)
    return tuple(tuple((each.plain[name], each.times_pieces_left[name]) for name in FEATURES) for each in form.rounds)


class SearchLeaf:
    """The learned leaf for a search: the worth of gems, and the weights for each number of pieces."""

    def __init__(self, worth: Worth, weights: Weights) -> None:
        self.worth = worth
        self._blends = tuple(
            tuple(plain + times * left / TURNS for plain, times in weights) for left in range(TURNS + 1)
        )

    def expected_lead(self, node: SearchNode) -> float:
        """Return the expected points still to come of the seat that is to place, minus the other's."""
        left = node.pieces
        return fsum(map(mul, leaf_features(node, self.worth), self._blends[left])) if left else 0.0


def gems_to_collect(cave: State) -> Collect:
    """Return what to collect: everything, but in the last turn only gems of positive worth."""
    assert cave.seat is not None
    gems = squares_in_order(collectable_gems(cave, cave.seat))
    if any(player.has_pieces for player in cave.players):
        return Collect(gems)
    value = gem_worths(cave)[cave.seat]
    return Collect(tuple(at for at in gems if value[BIT[at].bit_length() - 1] > 0))


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
