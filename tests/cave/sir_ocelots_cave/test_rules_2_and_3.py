"""The setup (rule 2) and the turn (rule 3)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave.sir_ocelots_cave.components import LEVEL, SQUARES, components
from tests.cave.sir_ocelots_cave.builders import GAME, code, collect, do, limits, state, tool, types

THREE = {(5, 0): "compass", (0, 5): "lamp"}
"""Two of the three tools that see 5,5; 10,5 and 5,10 are free."""


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=6))
def test_2_1_the_gems_of_each_level_lie_on_its_squares(seed: str) -> None:
    new = GAME.new(2, {}, seed)
    board = new.gems_on_board()
    assert {*board} == {*SQUARES}
    for level in components().levels:
        here = Counter(gem for at, gem in board.items() if LEVEL[at] == level.level)
        assert here == {gem: count for gem, count in level.gems.items() if count}
    assert not new.tools
    assert all(player.tools == (5, 5, 5) and player.companion is None for player in new.players)


def test_2_1_the_gems_are_dealt_by_chance() -> None:
    dealt = Counter(GAME.new(2, {}, str(seed)).gem_at((5, 5)) for seed in range(200))
    assert dealt.keys() == {gem for gem, count in components().levels[0].gems.items() if count}
    assert dealt["opal"] == max(dealt.values())


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=6))
def test_2_2_the_bags_hold_all_amethysts_in_an_order_of_the_seed(seed: str) -> None:
    new = GAME.new(2, {}, seed)
    for bag, level in zip(new.bags, components().levels, strict=True):
        assert Counter(bag) == Counter(level.amethysts)
    assert new == GAME.new(2, {}, seed)


def test_2_2_the_order_of_the_bags_is_by_chance() -> None:
    assert {GAME.new(2, {}, str(seed)).bags[2][0] for seed in range(60)} == {8, 10, "left_2_3"}


def test_2_3_the_first_player_is_drawn_or_agreed_on() -> None:
    drawn = Counter(GAME.new(2, {}, str(seed)).seat for seed in range(100))
    assert min(drawn[0], drawn[1]) > 25
    for seat in (0, 1):
        agreed = {GAME.new(2, {"first": f"seat_{seat}"}, str(seed)).first_seat for seed in range(20)}
        assert agreed == {seat}


def test_3_1_a_turn_is_one_piece_and_turns_alternate() -> None:
    start = GAME.new(2, {"first": "seat_1"}, "turn")
    step = do(start, tool("lamp", (5, 0)))
    assert types(step) == ["tool_placed", "turn_ended", "turn_began"]
    assert GAME.turn_json(step.state) == {"seat": 0, "phase": "advancing", "turns_left": 31}
    assert code(step.state, tool("lamp", (5, 10)), seat=1) == "not_your_turn"
    assert code(start, collect()) == "wrong_phase"


def test_3_2_a_companion_advances_by_one_level_and_a_piece_follows() -> None:
    before = state(companions=((5, 5), (5, 6)), gems={(11, 2): "rock_crystal", (11, 3): "opal"})
    ways = [choice.to for choice in GAME.choices(before, 0) if choice.type == "advance"]
    assert {*ways} == {at for at in SQUARES if LEVEL[at] == 2} - {(11, 3)}
    step = do(before, {"type": "advance", "to": [11, 2]})
    assert types(step) == ["advanced"]
    assert GAME.event_json(step.events[0]) == {
        "type": "advanced",
        "seat": 0,
        "start": [5, 5],
        "to": [11, 2],
        "takes": "rock_crystal",
    }
    after = step.state
    assert (after.phase, after.seat, after.turns_left) == ("placing", 0, before.turns_left)
    assert after.players[0].count_collected("rock_crystal") == 1
    assert after.gem_at((11, 2)) is None
    assert code(after, {"type": "advance", "to": [11, 9]}) == "wrong_phase"
    assert code(after, collect()) == "wrong_phase"
    assert not code(after, tool("compass", (5, 0)))


def test_3_2_a_companion_never_goes_back_nor_past_level_3() -> None:
    for stands, refused in (
        ((5, 5), {(5, 4): "wrong_level", (11, 9): "wrong_level"}),
        ((11, 3), {(5, 4): "wrong_level", (11, 4): "wrong_level", (11, 9): ""}),
        ((11, 9), {(11, 8): "deepest_level", (11, 3): "deepest_level"}),
    ):
        before = state(companions=(stands, (1, 5)))
        found = {at: code(before, {"type": "advance", "to": list(at)}) for at in refused}
        assert found == refused


@pytest.mark.parametrize("tools", [{}, {(0, 5): "lamp", (10, 5): "compass"}], ids=["nothing", "a gem"])
def test_3_2_a_companion_placed_now_advances_in_a_later_turn(tools: dict[tuple[int, int], str]) -> None:
    """Whether or not it sees something to collect in this turn."""
    before = state(tools=tools, gems={(5, 5): "opal"})
    placed = do(before, {"type": "companion", "at": [5, 3]}).state
    advance = {"type": "advance", "to": [11, 3]}
    assert code(placed, advance, seat=0) == ("wrong_phase" if tools else "not_your_turn")
    passed = do(placed, collect()).state if tools else placed
    later = do(passed, tool("pickaxe", (4, 9))).state
    later = do(later, collect()).state if later.phase == "collecting" else later
    assert not code(later, advance, seat=0)


def test_3_2_an_advancing_companion_takes_only_a_rock_crystal() -> None:
    gems = {(10, 2): "opal", (11, 2): "rock_crystal", (12, 2): "geode"}
    before = state(companions=((5, 5), (11, 4)), gems=gems)
    found = [code(before, {"type": "advance", "to": [x, 2]}) for x in (10, 11, 12)]
    assert found == ["gem_there", "", "gem_there"]
    assert code(before, {"type": "advance", "to": [11, 4]}) == "occupied"
    assert code(before, {"type": "advance", "to": [5, 0]}) == "no_square"
    apart = state(companions=(None, None))
    assert code(apart, {"type": "advance", "to": [11, 4]}) == "companion_not_placed"


def test_3_3_a_tool_is_placed_on_a_free_rim_space_with_either_side_up() -> None:
    before = state(tools={(5, 0): "compass", (0, 5): "lamp"})
    assert code(before, tool("lamp", (5, 0))) == "occupied"
    assert code(before, tool("lamp", (5, 1))) == "no_space"
    assert code(before, tool("lamp", (0, 0))) == "no_space"
    assert code(before, tool("lamp", (9, 4), "C")) == "bad_action"
    for kind, sides in components().tools.items():
        for side in sides:
            after = do(before, tool(side, (9, 4), kind)).state
            assert (after.tools[9, 4].kind, after.tools[9, 4].side) == (kind, side)
            assert sum(after.players[0].tools) == sum(before.players[0].tools) - 1
    laid = {(choice.kind, choice.side, choice.at) for choice in GAME.choices(before, 0) if choice.type == "tool"}
    assert len(laid) == 6 * 38
    assert not any(at in before.tools for _, _, at in laid)


def test_3_3_only_the_upper_side_of_a_tool_counts() -> None:
    """A piece with a compass and a lamp, where only a lamp is missing."""
    before = state(tools={(5, 0): "compass", (0, 5): "pickaxe"}, gems={(5, 5): "opal"})
    assert do(before, tool("compass", (10, 5), "A")).state.seat == 1
    assert limits(do(before, tool("lamp", (10, 5), "A")).state) == [(5, 5)]


def test_3_3_a_tool_stays_to_the_end() -> None:
    before = state(tools=THREE, gems={(5, 5): "opal"})
    after = do(do(before, tool("pickaxe", (10, 5))).state, collect((5, 5))).state
    assert {*after.tools} == {(5, 0), (0, 5), (10, 5)}


def test_3_4_a_companion_enters_on_level_1_and_takes_a_gem_of_value_1() -> None:
    gems = {(5, 4): "celestite_sun", (5, 5): "opal", (5, 6): "rock_crystal", (5, 7): "geode", (11, 2): "rock_crystal"}
    before = state(companions=(None, None), gems=gems)
    found = {at: code(before, {"type": "companion", "at": list(at)}) for at in (*gems, (5, 3), (5, 0))}
    assert found == {
        (5, 4): "",
        (5, 5): "gem_there",
        (5, 6): "",
        (5, 7): "gem_there",
        (11, 2): "wrong_level",
        (5, 3): "",
        (5, 0): "no_square",
    }
    step = do(before, {"type": "companion", "at": [5, 4]})
    assert types(step) == ["companion_placed", "turn_ended", "turn_began"]
    assert GAME.event_json(step.events[0])["takes"] == "celestite_sun"
    assert step.state.players[0].count_collected("celestite_sun") == 1


def test_3_4_companions_never_share_a_square_and_each_enters_once() -> None:
    before = state(companions=((5, 5), None), seat=1, tools={})
    assert code(before, {"type": "companion", "at": [5, 5]}) == "occupied"
    after = do(before, {"type": "companion", "at": [5, 4]}).state
    assert code(after, {"type": "companion", "at": [5, 3]}) == "companion_placed"


def test_3_4_at_the_start_fifteen_squares_are_open_to_a_companion() -> None:
    for seed in range(5):
        start = GAME.new(2, {}, str(seed))
        kinds = Counter(choice.type for choice in GAME.choices(start, start.seat))
        assert kinds == {"companion": 15, "tool": 240}


def test_3_5_any_subset_of_the_collectable_gems_can_be_taken() -> None:
    gems = {(5, 5): "opal", (5, 4): "emerald", (4, 5): "red_beryl"}
    tools = {**THREE, (1, 4): "lamp", (4, 1): "compass"}
    before = do(state(tools=tools, gems=gems), tool("pickaxe", (10, 5))).state
    assert before.phase == "collecting"
    assert limits(before) == [(4, 5), (5, 5)]
    for part in ([], [(5, 5)], [(4, 5)], [(5, 5), (4, 5)]):
        step = do(before, collect(*part))
        assert {*step.state.gems_on_board()} == {*gems} - {*part}
        assert types(step)[-2:] == ["turn_ended", "turn_began"]
        assert GAME.event_json(step.events[0])["gems"] == [
            {"at": list(at), "kind": gems[at]} for at in sorted(part, key=lambda at: (at[1], at[0]))
        ]
    assert code(before, collect((5, 4))) == "not_seen"
    assert code(before, collect((5, 5), (6, 6))) == "no_gem"
    assert code(before, collect((5, 4), (0, 0))) == "no_gem"
    assert code(before, collect((5, 5), (5, 5))) == "bad_action"


def test_3_5_gems_left_over_can_be_collected_by_the_other_player() -> None:
    before = do(state(tools=THREE, gems={(5, 5): "opal"}), tool("pickaxe", (10, 5))).state
    left = do(before, collect()).state
    after = do(left, tool("compass", (8, 9))).state
    assert (after.seat, after.phase, limits(after)) == (1, "collecting", [(5, 5)])
    assert (
        do(after, collect((5, 5))).state.players[1].count_collected("opal")
        == left.players[1].count_collected("opal") + 1
    )


def test_3_6_with_nothing_to_collect_the_turn_ends_by_itself() -> None:
    before = state(tools=THREE, gems={(5, 5): "opal"})
    assert do(before, tool("lamp", (10, 5))).state.seat == 1
    step = do(before, tool("pickaxe", (10, 5)))
    assert types(step) == ["tool_placed"]
    assert (step.state.seat, step.state.phase) == (0, "collecting")
    assert step.state.turns_left == before.turns_left
    assert code(step.state, tool("lamp", (8, 9))) == "wrong_phase"
    assert do(step.state, collect()).state.turns_left == before.turns_left - 1


@pytest.mark.parametrize("phase", ["advancing", "placing"])
def test_3_2_and_3_4_gems_newly_seen_by_a_companion_can_be_collected_at_once(phase: str) -> None:
    """Whether it enters the cave or advances."""
    gems = {(5, 5): "opal", (11, 3): "emerald"}
    if phase == "advancing":
        before = state(tools={(0, 5): "lamp", (10, 5): "compass"}, gems=gems)
        after = do(before, {"type": "companion", "at": [5, 3]}).state
        assert limits(after) == [(5, 5)]
    else:
        before = state(tools={(8, 3): "lamp", (14, 3): "compass"}, gems=gems, companions=((5, 3), (6, 3)))
        after = do(before, {"type": "advance", "to": [11, 1]}).state
        after = do(after, tool("lamp", (4, 9))).state
        assert limits(after) == [(11, 3)]
