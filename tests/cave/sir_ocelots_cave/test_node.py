"""The node of a search against the rules: the same moves and points over whole games (rules 3 to 6)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave.sir_ocelots_cave.actions import Action, Advance, Collect, Collecting, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.bots import Plies, PlySearch, SearchLeaf, gains_now, lay_action, load_weights
from cave.sir_ocelots_cave.components import RIM, SQUARES, TOOLS
from cave.sir_ocelots_cave.scoring import gem_worths
from cave.sir_ocelots_cave.search import SearchNode, node_of, survey_gems, total_value
from cave.sir_ocelots_cave.state import State, collectable_gems, seen_enough, with_tool
from tests.cave.sir_ocelots_cave.builders import GAME
from tests.cave.sir_ocelots_cave.test_conformance import SETTINGS
from tests.effort import effort

games = settings(max_examples=effort(6, 60), deadline=None, derandomize=True)
any_game = given(seed=st.integers(0, 10**6), chosen=st.sampled_from(sorted(SETTINGS)))

Steps = list[tuple[Action, SearchNode]]


def steps(node: SearchNode, *, may_advance: bool) -> Steps:
    """Every action of the seat, and the node after it."""
    found: Steps = [(lay_action(node, each), node.node_after_laying(each)) for each in node.tool_placements()]
    found += [(PlaceCompanion(SQUARES[at]), node.node_after_entering(at)) for at in node.companion_entrances()]
    return found + [
        (Advance(SQUARES[at]), node.node_after_advancing(at)) for at in node.companion_advances() if may_advance
    ]


def bold(rng: Random, found: Steps, share: float) -> tuple[Action, SearchNode]:
    """A random one of them, preferring the companion's."""
    ways = [step for step in found if not isinstance(step[0], LayTool)]
    return rng.choice(ways if ways and rng.random() < share else found)


def by_rules(state: State, action: Action) -> State:
    """The state after the action, with everything collected."""
    seat = state.seat
    now = GAME.apply(state, seat, action).state
    if now.phase == "collecting":
        (limits,) = GAME.choices(now, seat)
        now = GAME.apply(now, seat, Collect(limits.gems)).state
    return now


def same_places(state: State, node: SearchNode) -> None:
    assert node.sight == state.sight
    assert node.gems == state.with_gems
    assert node.tools == tuple(player.tools for player in state.players)
    assert [RIM[rim] not in state.tools for rim in range(len(RIM))] == [
        bool(node.free >> rim & 1) for rim in range(len(RIM))
    ]
    assert [None if at < 0 else SQUARES[at] for at in node.companions] == [player.companion for player in state.players]
    for seat in (0, 1):
        assert node.collectable_gems(seat) == collectable_gems(state, seat)


@games
@any_game
def test_a_whole_game_of_nodes_is_the_game_of_the_rules(seed: int, chosen: str) -> None:
    rng = Random(seed)
    state = GAME.new(2, SETTINGS[chosen], str(seed))
    node = node_of(state)
    while state.seat is not None:
        offered = GAME.choices(state, state.seat)
        may_advance = state.phase == "advancing"
        found = steps(node, may_advance=may_advance)
        actions = [action for action, _ in found]
        assert {each for each in actions if not isinstance(each, LayTool)} == {
            each for each in offered if isinstance(each, (Advance, PlaceCompanion))
        }
        assert {(each.side, each.at) for each in actions if isinstance(each, LayTool)} == {
            (each.side, each.at) for each in offered if isinstance(each, LayTool)
        }
        assert {*actions} <= {*offered}
        action, node = bold(rng, found, 0.2)
        state = by_rules(state, action)
        same_places(state, node)
        assert node.pieces == state.turns_left
    assert not node.pieces


def surveyed(node: SearchNode, state: State, rng: Random) -> None:
    """For both seats, a survey equals the placements tried one by one (rules 4.1 to 4.4)."""
    value = gem_worths(state)
    for seat in (0, 1):
        found = survey_gems(node, seat, value[seat])
        ready = node.collectable_gems(seat)
        assert found.ready == pytest.approx(total_value(ready, value[seat]))
        for placement in rng.sample(node.tool_placements(), min(12, len(node.tool_placements()))):
            rim, side = divmod(placement, len(TOOLS))
            if side not in node.layable_sides(seat):
                continue
            sight = with_tool(node.sight, RIM[rim], TOOLS[side])
            stands = node.companions[seat]
            companion = None if stands < 0 else SQUARES[stands]
            more = seen_enough(state.settings, sight, companion) & node.gems & ~ready
            assert found.more.get(placement, 0) == pytest.approx(total_value(more, value[seat]))


@games
@any_game
def test_a_survey_counts_the_gain_of_each_placement(seed: int, chosen: str) -> None:
    rng = Random(seed)
    state = GAME.new(2, SETTINGS[chosen], str(seed))
    node = node_of(state)
    while node.pieces:
        surveyed(node, state, rng)
        _, node = bold(rng, steps(node, may_advance=rng.random() < 0.3), 0.3)


@games
@any_game
def test_a_survey_counts_gems_that_were_not_collected(seed: int, chosen: str) -> None:
    """Rule 3.5: either player can collect the rest later, if it is collectable then."""
    rng = Random(seed)
    state = GAME.new(2, SETTINGS[chosen], str(seed))
    left = 0
    while state.seat is not None:
        if state.phase != "collecting":
            node = node_of(state)
            same_places(state, node)
            surveyed(node, state, rng)
            left += bool(node.collectable_gems(0) or node.collectable_gems(1))
        offered = GAME.choices(state, state.seat)
        ways = [each for each in offered if isinstance(each, (Advance, PlaceCompanion))]
        choice = rng.choice(ways if ways and rng.random() < 0.3 else offered)
        done = Collect(()) if isinstance(choice, Collecting) else GAME.sample(choice, rng)
        state = GAME.apply(state, state.seat, done).state
    assert left


@games
@any_game
def test_the_last_piece_is_judged_by_its_points_alone(seed: int, chosen: str) -> None:
    """Rule 6.1: no turn follows, so replies and later gains do not count."""
    rng, state = Random(seed), GAME.new(2, SETTINGS[chosen], str(seed))
    while (node := node_of(state)).pieces > 1:
        state = by_rules(state, bold(rng, steps(node, may_advance=state.phase == "advancing"), 0.3)[0])
    may, value = state.phase == "advancing", gem_worths(state)
    plans = PlySearch(SearchLeaf(value, load_weights()[0]), Plies(999, (2, 2)), rng).plans_of_node(
        node, may_advance=may, exact=True
    )
    brings = {action: gain for gain, action in gains_now(node, value[node.seat], may_advance=False)}
    for plan in plans:
        if plan.action in brings:
            assert plan.value == pytest.approx(brings[plan.action])
    assert {*brings} <= {plan.action for plan in plans}
