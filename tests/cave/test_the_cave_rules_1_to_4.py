"""Rules 1 to 4 of The Cave (RULES.md): setting up, the turn, discovering."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import BadData
from cave.the_cave.tiles import unexplored_exits
from tests.cave.builders import (
    DISCOVER,
    END_TURN,
    GAME,
    PHOTOGRAPH,
    PITCH,
    choices,
    costs,
    discard,
    do,
    exchange,
    move,
    pack,
    place,
    refusal,
    state,
    step,
    team,
    tile,
)

NAMES = ["Ana", "Bea", "Cem", "Dov", "Eve"]


def types(events: tuple[Any, ...]) -> list[str]:
    return [event.type for event in events]


@pytest.mark.parametrize(("seats", "each"), [(2, 11), (3, 13), (4, 15), (5, 17)])
def test_1_tiles_that_stay_in_each_stack(seats: int, each: int) -> None:
    stacks = GAME.new(seats, {}, "x").stacks
    assert [len(stack) for stack in stacks] == [each] * 4


@pytest.mark.parametrize(("seats", "exits"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_1_exits_of_the_start_boards(seats: int, exits: int) -> None:
    assert GAME.new(seats, {}, "x").open_exits == exits


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_1_a_game_is_for_two_to_five(seats: int) -> None:
    with pytest.raises(BadData) as caught:
        GAME.new(seats, {}, "x")
    assert caught.value.field == "seats"


def test_2_1_all_teams_start_on_the_base_at_depth_0() -> None:
    start = GAME.new(len(NAMES), {}, "x")
    assert {one.at for one in start.teams} == {(0, 0)}
    assert {space.depth for space in start.board.values()} == {0}
    assert all(space.start for space in start.board.values())


def test_2_2_stacks_are_used_in_order() -> None:
    """Rules 2.2, 4.2: stack I first, then II, then III, then IV."""
    kinds = [{"kind": kind, "open": "NESW"} for kind in ("water", "wonder", "descent", "plain")]
    game = state(tile(0, -1), ana=team((0, -1)), stacks=[[kinds[0]], [kinds[1]], [kinds[2]], [kinds[3]]])
    drawn = []
    for at in ((0, -2), (1, -1), (-1, -1)):
        game = do(game, DISCOVER)
        drawn.append(game.drawn.kind if game.drawn else None)
        game = do(game, place(*at, 0))
    assert drawn == ["water", "wonder", "descent"]
    assert [len(stack) for stack in game.stacks] == [0, 0, 0, 1]


def test_2_3_all_pack_at_once_for_nothing_and_then_the_first_player_has_5_ap() -> None:
    start = GAME.new(3, {}, "x")
    assert GAME.to_act(start) == {0, 1, 2}
    kit = pack(consumable=4, rope=1, oxygen=1, camera=1, raft=1)
    one = step(start, kit, seat=2).state
    assert GAME.to_act(one) == {0, 1}
    assert refusal(one, kit, seat=2) == "not_your_turn"
    two = step(one, pack(), seat=0).state
    last = step(two, pack({"rope": 4}, consumable=6), seat=1)
    assert types(last.events) == ["packed", "began", "turn_began"]
    assert GAME.is_barrier(last.events[1]), "the packs of all are open now: no way back"
    begun = last.state
    assert (begun.seat, begun.ap, begun.phase) == (start.first_seat, 5, "actions")
    assert begun.teams[0].backpack.slots_filled == 0
    assert (begun.teams[1].camp.state, begun.teams[1].camp.items.rope) == ("packed", 4)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (pack(consumable=8), None),
        (pack(consumable=9), "no_room"),
        (pack({}, consumable=6), None),
        (pack({}, consumable=7), "no_room"),
        (pack({"rope": 4}, consumable=6), None),
        (pack({"rope": 5}), "no_room"),
        (pack({"camera": 1}, camera=1), "bad_action"),
        (pack(half_oxygen=1), "not_carried"),
        (DISCOVER, "wrong_phase"),
        (END_TURN, "wrong_phase"),
    ],
)
def test_2_3_backpack_of_8_and_camp_of_4_in_2_slots(action: Any, code: str | None) -> None:
    start = GAME.new(2, {}, "x")
    if code is None:
        assert step(start, action, seat=0).state.packed == {0}
    else:
        assert refusal(start, action, seat=0) == code


def test_2_4_the_first_player_is_drawn_from_the_seed() -> None:
    firsts = {GAME.new(3, {}, str(seed)).first_seat for seed in range(30)}
    assert firsts == {0, 1, 2}


def test_3_1_upkeep_eats_one_away_from_the_base_only() -> None:
    game = state(tile(0, -1), others=[team((0, -1), "Bea", consumable=2), team((0, 0), "Cem", consumable=2)])
    ended = step(game, END_TURN)
    assert types(ended.events) == ["turn_ended", "turn_began", "ate"]
    assert ended.state.teams[1].backpack.consumable == 1
    assert (ended.state.seat, ended.state.ap) == (1, 5)
    again = do(ended.state, END_TURN)
    assert again.teams[2].backpack.consumable == 2


@pytest.mark.parametrize(
    ("settings", "phase", "left"),
    [
        ({}, "actions", 1),
        ({"edition": "french"}, "starving", 2),
        ({"camp_feeds": False}, "starving", 2),
        ({"edition": "french", "camp_feeds": True}, "actions", 1),
    ],
)
def test_3_1_the_own_camp_feeds_in_the_english_edition(settings: Any, phase: str, left: int) -> None:
    camp = {"state": "pitched", "at": [0, -1], "items": {"consumable": 2}}
    ended = step(state(tile(0, -1), others=[team((0, -1), "Bea", camp=camp, rope=1)], settings=settings), END_TURN)
    assert ended.state.phase == phase
    assert ended.state.teams[1].camp.items.consumable == left
    ate = [event.source for event in ended.events if event.type == "ate"]
    assert ate == ([] if phase == "starving" else ["camp"])


def test_3_1_the_backpack_is_eaten_from_before_the_camp() -> None:
    camp = {"state": "pitched", "at": [0, -1], "items": {"consumable": 2}}
    game = do(state(tile(0, -1), others=[team((0, -1), "Bea", camp=camp, consumable=1)]), END_TURN)
    assert game.teams[1].backpack.consumable == 0
    assert game.teams[1].camp.items.consumable == 2


@pytest.mark.parametrize(
    "camp",
    [
        {"state": "packed", "items": {"consumable": 4}},
        {"state": "pitched", "at": [0, 0], "items": {"consumable": 4}},
        {"state": "pitched", "at": [0, -1], "items": {"rope": 1}},
    ],
)
def test_3_2_consumables_elsewhere_do_not_help(camp: Any) -> None:
    """A closed camp, a camp on another tile and a camp without consumables (rules 3.1, 6.3)."""
    game = do(state(tile(0, -1), others=[team((0, -1), "Bea", camp=camp)]), END_TURN)
    assert game.phase == "starving"


def test_3_2_a_starving_team_has_only_its_forced_move() -> None:
    """Rules 3.2, 6.10: no exchange, no discard, no end of turn."""
    camp = {"state": "pitched", "at": [0, -2], "items": {"rope": 1}}
    bea = team((0, -2), "Bea", camp=camp, rope=1)
    ended = step(state(tile(0, -1), tile(0, -2, depth=50), others=[bea]), END_TURN)
    assert [event.type for event in ended.events] == ["turn_ended", "turn_began", "starved"]
    game = ended.state
    assert game.phase == "starving"
    assert costs(game, 1) == {"move 0,-1 force": 5}
    for action in (END_TURN, DISCOVER, discard(rope=1), exchange({"rope": 1}), move(0, -1), pack()):
        assert refusal(game, action) == "starving"
    moved = step(game, move(0, -1, "force"))
    assert moved.state.teams[1].at == (0, -1)
    assert moved.state.seat == 0
    assert moved.state.ropes == {}
    again = do(moved.state, END_TURN)
    assert again.phase == "starving", "it repeats each turn"
    home = do(again, move(0, 0, "force"), END_TURN)
    assert (home.seat, home.phase) == (1, "actions"), "until a turn starts on the home base"


def test_3_2_without_a_neighbour_ending_the_turn_is_the_one_choice() -> None:
    lonely = tile(5, 5, sides="N")
    game = state(lonely, ana=team((5, 5)), phase="starving")
    assert costs(game) == {"end_turn": 0}
    assert refusal(game, move(5, 4, "force")) == "no_passage"
    assert do(game, END_TURN).seat == 1


def test_3_3_unused_action_points_are_lost() -> None:
    game = state(tile(0, -1))
    ended = step(do(game, move(0, -1)), END_TURN)
    assert ended.events[0].ap == 4
    assert ended.state.ap == 5


def test_3_3_a_turn_does_not_end_by_itself() -> None:
    """Only by end_turn or a forced move."""
    game = state(tile(0, -1), ap=1)
    spent = do(game, move(0, -1))
    assert (spent.seat, spent.ap) == (0, 0)


def test_4_1_tiles_without_discoveries() -> None:
    """Never from the base or a choke; the start board's other spaces are fine."""
    exits = state(tile(0, -1, "choke"), tile(1, 0, sides="EW", start=True), tile(-1, 0, sides="E"))
    assert refusal(exits, DISCOVER) == "no_exit"
    assert refusal(do(exits, move(0, -1)), DISCOVER) == "no_exit"
    assert refusal(do(exits, move(-1, 0)), DISCOVER) == "no_exit"
    assert do(exits, move(1, 0), DISCOVER).phase == "placing"


def test_4_2_every_side_must_match_and_rotations_are_listed_once() -> None:
    """Rule 4.2: rotations of the same tile are one choice, all are accepted."""
    corridor = {"kind": "plain", "open": "NS"}
    game = state(tile(0, -1, sides="NS"), ana=team((0, -1)), stacks=[[corridor, SPARE_TILE], [], [], []])
    drawn = step(game, DISCOVER)
    assert types(drawn.events) == ["drew"]
    assert GAME.is_barrier(drawn.events[0]), "rule 4.7"
    assert drawn.state.ap == 4
    assert [form["action"] for form in choices(drawn.state)] == [place(0, -2, 0)]
    for rotation in (0, 2):
        assert do(drawn.state, place(0, -2, rotation)).board[(0, -2)].open == "NS"
    for rotation in (1, 3):
        assert refusal(drawn.state, place(0, -2, rotation)) == "illegal_placement"
    assert refusal(drawn.state, place(1, -1, 0)) == "illegal_placement"


SPARE_TILE = {"kind": "plain", "open": "NESW"}


def test_4_2_only_at_exits_of_the_own_tile() -> None:
    game = state(tile(0, -1), tile(1, 0), ana=team((0, -1)), phase="placing", ap=4, drawn=SPARE_TILE)
    assert {tuple(form["action"]["at"]) for form in choices(game)} == {(0, -2), (-1, -1), (1, -1)}
    assert refusal(game, place(2, 0, 0)) == "illegal_placement"


def test_4_2_next_to_the_base_a_closed_side_is_required() -> None:
    base = tile(0, 0, "base", "NEW", start=True)
    # The place (0, 1): the base's south side above it is closed, the team's tile west of it is open.
    game = state(
        base,
        tile(0, 1, sides="S"),
        tile(-1, 2, sides="E"),
        ana=team((-1, 2)),
        stacks=[[{"kind": "plain", "open": "NW"}, SPARE_TILE], [], [], []],
    )
    drawn = do(game, DISCOVER)
    # (0, 2) faces the open south of (0, 1) and the open east of (-1, 2): exactly north and west.
    assert [form["action"] for form in choices(drawn)] == [place(0, 2, 0)]


def test_4_2_chokes_beside_it_are_ignored() -> None:
    closed = {"kind": "plain", "open": "S"}
    game = state(
        tile(0, -1, sides="NS"), tile(1, -2, "choke"), ana=team((0, -1)), stacks=[[closed, SPARE_TILE], [], [], []]
    )
    drawn = do(game, DISCOVER)
    assert [form["action"] for form in choices(drawn)] == [place(0, -2, 0)]
    open_too = do(
        state(
            tile(0, -1, sides="NS"),
            tile(1, -2, "choke"),
            ana=team((0, -1)),
            stacks=[[{"kind": "plain", "open": "ES"}, SPARE_TILE], [], [], []],
        ),
        DISCOVER,
    )
    assert [form["action"] for form in choices(open_too)] == [place(0, -2, 0), place(0, -2, 1)]


def nothing_fits() -> Any:
    """Ana's exits: (0, -2) between open sides, (1, -1) between open sides; a dead end fits nowhere."""
    return state(
        tile(0, -1, sides="NES", depth=25),
        tile(-1, -2, sides="E"),
        tile(1, -2, sides="S"),
        tile(0, -3, sides="S"),
        tile(2, -1, sides="W"),
        tile(3, 3, sides="N"),
        ana=team((0, -1)),
        stacks=[[{"kind": "plain", "open": "N"}, SPARE_TILE], [], [], []],
    )


def test_4_3_nothing_fits_and_a_choke_is_due() -> None:
    drawn = step(nothing_fits(), DISCOVER)
    assert types(drawn.events) == ["drew", "nothing_fits"]
    game = drawn.state
    assert GAME.position(game)["turn"] == {"seat": 0, "ap": 4, "phase": "placing", "drawn": {"kind": "choke"}}
    assert [form["action"] for form in choices(game)] == [place(0, -2), place(1, -1)]
    assert [form["ap"] for form in choices(game)] == [0, 0]
    assert do(game, place(0, -2, 0)) == do(game, place(0, -2))
    assert refusal(game, place(0, -2, 1)) == "bad_action"
    assert (3, 2) in unexplored_exits(game.board, (3, 3))
    assert refusal(game, place(3, 2)) == "illegal_placement", "an exit of another tile"
    after = do(game, place(1, -1))
    assert after.ap == 4, "the AP is spent either way, and only once"
    choke = after.board[(1, -1)]
    assert (choke.kind, choke.open, choke.depth, choke.token) == ("choke", "NESW", 25, False)
    assert sum(map(len, after.stacks)) == 1, "the tile has left the game"


def test_4_4_from_a_choke_into_every_open_neighbour() -> None:
    game = state(
        tile(0, -1, "choke"), tile(0, -2, sides="S"), tile(1, -1, sides="W"), tile(-1, -1, sides="N"), ana=team((0, -1))
    )
    assert {name for name in costs(game) if "foot" in name} == {"move 0,-2 foot", "move 1,-1 foot", "move 0,0 foot"}


@pytest.mark.parametrize(
    ("kind", "depth", "token"),
    [
        ({"kind": "descent", "open": "NESW"}, 75, False),
        ({"kind": "plain", "open": "NESW"}, 50, False),
        ({"kind": "water", "open": "NESW"}, 50, True),
        ({"kind": "wonder", "open": "NESW"}, 50, True),
        ({"kind": "squeeze", "open": "NESW", "level": 3}, 50, True),
    ],
)
def test_4_5_and_4_6_depth_and_token_of_a_placed_tile(kind: Any, depth: int, token: bool) -> None:
    game = state(tile(0, -1, depth=50), ana=team((0, -1)), stacks=[[kind, SPARE_TILE], [], [], []])
    placed = step(do(game, DISCOVER), place(0, -2, 0))
    laid = placed.state.board[(0, -2)]
    assert (laid.depth, laid.token, laid.level) == (depth, token, kind.get("level", 0))
    assert placed.events[0].depth == depth


def test_4_5_depth_is_that_of_the_tile_it_was_discovered_from() -> None:
    """Also when it touches a deeper tile (examples 1 and 3 of the English rulebook)."""
    game = state(tile(0, -1), tile(1, -2, depth=100), ana=team((0, -1)), stacks=[[SPARE_TILE, SPARE_TILE], [], [], []])
    placed = do(game, DISCOVER, place(0, -2, 0))
    assert placed.board[(0, -2)].depth == 0


def test_4_7_only_a_tile_turned_up_is_a_barrier() -> None:
    """Everything else can be undone; undo is tested in tests/server/test_table.py."""
    wonder = tile(0, -1, "wonder", token=True)
    game = state(wonder, ana=team((0, -1), camp={"state": "packed"}, camera=1, rope=1))
    events = []
    for action in (PHOTOGRAPH, PITCH, exchange({"rope": 1}), discard(camera=1), DISCOVER):
        done = step(game, action)
        events += done.events
        game = done.state
    assert [event.type for event in events if GAME.is_barrier(event)] == ["drew"]
    placed = step(game, choices(game)[0]["action"])
    assert placed.events
    assert not any(map(GAME.is_barrier, placed.events))


def test_4_while_placing_no_other_action_is_legal() -> None:
    game = state(tile(0, -1), ana=team((0, -1), camera=1), phase="placing", ap=3, drawn=SPARE_TILE)
    for action in (END_TURN, DISCOVER, move(0, 0), PHOTOGRAPH, discard(camera=1), pack()):
        assert refusal(game, action) == "wrong_phase"
    assert refusal(state(), place(0, -1, 0)) == "wrong_phase"


def test_4_discovering_costs_1_and_needs_tiles() -> None:
    assert refusal(state(tile(0, -1), ana=team((0, -1)), ap=0), DISCOVER) == "not_enough_ap"
    empty = state(tile(0, -1), ana=team((0, -1)), ap=0, stacks=[[], [], [], []])
    assert refusal(empty, DISCOVER) == "no_tiles"
