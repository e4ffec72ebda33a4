"""Rule 5 of The Cave and the worked examples of rule 9: moving, ropes, tokens."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cave.builders import (
    DISCOVER,
    DIVE,
    END_TURN,
    PHOTOGRAPH,
    choices,
    costs,
    discard,
    do,
    exchange,
    move,
    refusal,
    state,
    step,
    team,
    tile,
)

FRENCH = {"edition": "french"}


@pytest.mark.parametrize("kind", ["plain", "wonder", "descent"])
def test_5_plain_tiles_cost_1(kind: str) -> None:
    assert costs(state(tile(0, -1, kind)))["move 0,-1 foot"] == 1


def test_5_the_start_board_and_the_base_cost_1() -> None:
    assert costs(state())["move 0,1 foot"] == 1
    assert costs(state(ana=team((0, 1))))["move 0,0 foot"] == 1


@pytest.mark.parametrize(("settings", "ap"), [({}, 1), (FRENCH, 2), ({"choke_cost": 2}, 2)])
def test_5_a_choke_costs_1_in_english_and_2_in_french(settings: Any, ap: int) -> None:
    game = state(tile(0, -1, "choke"), settings=settings)
    assert costs(game)["move 0,-1 foot"] == ap
    assert do(game, move(0, -1)).ap == 5 - ap


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("token", [True, False])
def test_5_a_squeeze_costs_1_and_its_level_every_time(level: int, token: bool) -> None:
    """Rules 5 and 9; the English rulebook's example of a squeeze 2: 3 AP, token or not."""
    game = state(tile(0, -1, "squeeze", level=level, token=token))
    after = do(game, move(0, -1))
    assert after.ap == 5 - 1 - level
    assert after.teams[0].tokens.squeeze == tuple(int(token and n == level) for n in (1, 2, 3))
    assert not after.board[(0, -1)].token


def test_5_water_by_oxygen_takes_the_token() -> None:
    game = state(tile(0, -1, "water", token=True), ana=team(oxygen=1))
    after = do(game, move(0, -1, "oxygen"))
    assert after.ap == 3
    assert after.teams[0].tokens.water == 1
    assert (after.teams[0].backpack.oxygen, after.teams[0].backpack.half_oxygen) == (0, 1)
    again = do(state(tile(0, -1, "water"), ana=team(half_oxygen=1)), move(0, -1, "oxygen"))
    assert again.teams[0].tokens.water == 0
    assert (again.ap, again.teams[0].backpack.slots_filled) == (3, 0), "it costs the same without a token"


def test_5_water_by_raft_takes_nothing() -> None:
    after = do(state(tile(0, -1, "water", token=True), ana=team(raft=1)), move(0, -1, "raft"))
    assert after.ap == 4
    assert after.teams[0].tokens.water == 0
    assert after.board[(0, -1)].token
    assert after.teams[0].backpack.raft == 1


def test_5_teams_share_tiles() -> None:
    bea = team((0, -1), "Bea", consumable=2)
    assert do(state(tile(0, -1), others=[bea]), move(0, -1)).teams[0].at == (0, -1)


def test_5_connected_needs_both_sides_open() -> None:
    game = state(tile(1, 0, sides="W"), tile(1, 1, sides="E"), ana=team((1, 0)))
    assert refusal(game, move(1, 1)) == "no_passage"
    assert refusal(game, move(0, 1)) == "no_passage", "not across a corner"
    assert refusal(game, move(1, 0)) == "no_passage", "not to where it stands"
    assert refusal(game, move(1, -1, "force")) == "no_passage", "not to an empty place"


def test_5_1_the_english_example_one_level_one_rope() -> None:
    """Rule 9: depth 0 to a 25 m descent, 1 rope: 2 AP, 1 traverse token, depth token 25."""
    done = step(state(tile(0, -1, "descent", depth=25), ana=team(rope=1)), move(0, -1))
    ana = done.state.teams[0]
    assert done.state.ap == 3
    assert (ana.tokens.traverse, ana.tokens.depth, ana.backpack.rope) == (1, (25,), 0)
    assert done.state.ropes == {((0, -1), (0, 0)): 1}
    assert (done.events[0].ap, done.events[0].ropes, done.events[0].points) == (2, 1, 5)


def test_5_1_the_english_example_three_levels_three_ropes() -> None:
    """Rule 9: 75 m, 3 ropes: 4 AP, 3 traverse tokens, one depth token; with 2 ropes refused."""
    deep = tile(0, -1, "descent", depth=75)
    done = do(state(deep, ana=team(rope=3)), move(0, -1))
    assert done.ap == 1
    assert (done.teams[0].tokens.traverse, done.teams[0].tokens.depth) == (3, (75,))
    assert refusal(state(deep, ana=team(rope=2)), move(0, -1)) == "needs_rope"
    assert refusal(state(deep, ana=team(rope=3), ap=3), move(0, -1)) == "not_enough_ap"


def test_5_1_all_levels_at_once_or_not_at_all() -> None:
    """The English rulebook: 50 m with one rope cannot be begun."""
    game = state(tile(0, -1, "descent", depth=50), ana=team(rope=1))
    assert "move 0,-1 foot" not in costs(game)
    assert costs(game)["move 0,-1 force"] == 5


def test_5_2_a_roped_border_serves_every_team_both_ways() -> None:
    deep = tile(0, -1, "descent", depth=50)
    ropes = [{"between": [[0, 0], [0, -1]], "count": 2}]
    for start, to in (((0, 0), (0, -1)), ((0, -1), (0, 0))):
        game = state(deep, ana=team(start, rope=3), ropes=ropes)
        after = do(game, move(*to))
        assert after.ap == 4
        assert after.teams[0].backpack.rope == 3, "no rope is added"
        assert after.teams[0].tokens.traverse == 0
        assert after.teams[0].tokens.depth == (), "rule 5.3: another's rope gives no depth token"


def test_5_2_the_tiles_own_cost_still_applies_beyond_a_rope() -> None:
    ropes = [{"between": [[0, 0], [0, -1]], "count": 1}]
    squeeze = state(tile(0, -1, "squeeze", depth=25, level=2), ropes=ropes)
    assert costs(squeeze)["move 0,-1 foot"] == 3
    water = state(tile(0, -1, "water", depth=25), ana=team(oxygen=1), ropes=ropes)
    assert costs(water)["move 0,-1 oxygen"] == 2
    assert refusal(water, move(0, -1, "raft")) == "needs_raft"


def test_5_1_rope_and_entry_add_up() -> None:
    """A squeeze 2 one level down: 1 + 2 + 1; water two levels down by oxygen: 2 + 2, by raft 1 + 2."""
    squeeze = state(tile(0, -1, "squeeze", depth=25, level=2, token=True), ana=team(rope=1))
    after = do(squeeze, move(0, -1))
    assert after.ap == 1
    assert after.teams[0].tokens.squeeze == (0, 1, 0)
    water = state(tile(0, -1, "water", depth=50, token=True), ana=team(rope=2, oxygen=1, raft=1))
    assert costs(water)["move 0,-1 oxygen"] == 4
    assert costs(water)["move 0,-1 raft"] == 3
    choke = state(tile(0, -1, "choke", depth=25), ana=team(rope=1), settings=FRENCH)
    assert costs(choke)["move 0,-1 foot"] == 3


def test_5_3_climbing_counts_but_depth_0_gives_no_token() -> None:
    up = state(tile(0, -1, depth=75), tile(0, -2, depth=50), ana=team((0, -1), rope=1))
    assert do(up, move(0, -2)).teams[0].tokens.depth == (50,)
    home = state(tile(0, -1, depth=25), ana=team((0, -1), rope=1))
    after = do(home, move(0, 0))
    assert after.teams[0].tokens.depth == ()
    assert after.teams[0].tokens.traverse == 1


def test_5_3_only_one_token_of_each_depth_and_none_for_levels_passed() -> None:
    game = state(tile(0, -1, "descent", depth=75), ana=team(rope=3, tokens={"depth": [75], "traverse": 3}))
    after = do(game, move(0, -1))
    assert after.teams[0].tokens.depth == (75,)
    assert after.teams[0].tokens.traverse == 6
    offered = next(form for form in choices(game) if form["action"] == move(0, -1))
    assert (offered["brings"], offered["points"]) == ({"traverse": 3}, 6)


def test_5_3_the_choice_has_its_price_and_gain() -> None:
    """Price, costs and gain."""
    game = state(tile(0, -1, "water", depth=50, token=True), ana=team(rope=2, oxygen=1, raft=1))
    forms = {form["action"].get("by"): form for form in choices(game)}
    assert forms["oxygen"] == {
        "action": move(0, -1, "oxygen"),
        "ap": 4,
        "uses": {"rope": 2, "tank": 1},
        "brings": {"traverse": 2, "water": 1, "depth": 50},
        "points": 2 * 2 + 3 + 4,
    }
    assert forms["raft"]["needs"] == "raft"
    assert forms["raft"]["brings"] == {"traverse": 2, "depth": 50}


@pytest.mark.parametrize(
    ("carried", "left"),
    [
        ({"oxygen": 2}, {"oxygen": 1, "half_oxygen": 1}),
        ({"oxygen": 1, "half_oxygen": 1}, {"oxygen": 1, "half_oxygen": 0}),
        ({"half_oxygen": 2}, {"oxygen": 0, "half_oxygen": 1}),
    ],
)
def test_5_4_half_used_oxygen_is_spent_first(carried: Any, left: Any) -> None:
    after = do(state(tile(0, -1, "water"), ana=team(**carried)), move(0, -1, "oxygen"))
    pack = after.teams[0].backpack
    assert {"oxygen": pack.oxygen, "half_oxygen": pack.half_oxygen} == left


def test_5_5_raft_with_the_last_ap_and_a_dive_later() -> None:
    """Rule 9's last example."""
    game = state(tile(0, -1, "water", token=True), ana=team(raft=1, oxygen=1, consumable=1), ap=1)
    there = do(game, move(0, -1, "raft"))
    assert (there.ap, there.board[(0, -1)].token) == (0, True)
    assert refusal(there, DIVE) == "not_enough_ap"
    later = do(there, END_TURN, END_TURN)
    dived = do(later, DIVE)
    assert dived.ap == 4
    assert dived.teams[0].tokens.water == 1
    assert dived.teams[0].backpack.half_oxygen == 1
    assert not dived.board[(0, -1)].token
    assert refusal(dived, DIVE) == "no_token"


def test_5_5_and_5_6_a_dive_and_a_photograph_are_offered_where_they_can_be_paid() -> None:
    """Neither replaces the other."""
    for kind, action in (("water", "dive"), ("wonder", "photograph")):
        game = state(tile(0, -1, kind, token=True), ana=team((0, -1), oxygen=1, camera=1), ap=1)
        assert [each for each in costs(game).items() if each[0] in ("dive", "photograph")] == [(action, 1)]
        for less in (
            state(tile(0, -1, kind, token=True), ana=team((0, -1)), ap=1),
            state(tile(0, -1, kind, token=True), ana=team((0, -1), oxygen=1, camera=1), ap=0),
            state(tile(0, -1, kind), ana=team((0, -1), oxygen=1, camera=1), ap=1),
        ):
            assert action not in costs(less)


def test_5_6_a_photograph_is_never_automatic_and_the_camera_stays() -> None:
    game = state(tile(0, -1, "wonder", token=True), ana=team(camera=1))
    there = do(game, move(0, -1))
    assert (there.ap, there.teams[0].tokens.photo) == (4, 0)
    done = do(there, PHOTOGRAPH)
    assert (done.ap, done.teams[0].tokens.photo, done.teams[0].backpack.camera) == (3, 1, 1)
    assert refusal(done, PHOTOGRAPH) == "no_token"
    blind = state(tile(0, -1, "wonder", token=True), ana=team((0, -1)))
    assert refusal(blind, PHOTOGRAPH) == "needs_camera"


def test_5_6_a_camera_in_the_camp_is_not_in_the_backpack() -> None:
    camp = {"state": "pitched", "at": [0, -1], "items": {"camera": 1}}
    game = state(tile(0, -1, "wonder", token=True), ana=team((0, -1), camp=camp))
    assert refusal(game, PHOTOGRAPH) == "needs_camera"
    assert do(game, exchange(to_backpack={"camera": 1}), PHOTOGRAPH).teams[0].tokens.photo == 1


@pytest.mark.parametrize("kind", ["water", "squeeze", "wonder", "plain", "choke"])
def test_5_7_a_forced_move_enters_anything_and_takes_nothing(kind: str) -> None:
    """Rules 5.7 and 9: water without oxygen or raft only by the forced move, without its token."""
    more: Any = {"level": 3} if kind == "squeeze" else {}
    if kind in ("water", "squeeze", "wonder"):
        more["token"] = True
    game = state(tile(0, -1, kind, depth=75, **more), ana=team(consumable=1))
    there = {name for name in costs(game) if "0,-1" in name}
    assert there == {"move 0,-1 force"}
    done = step(game, move(0, -1, "force"))
    after = done.state
    assert after.teams[0].at == (0, -1)
    assert after.board == game.board
    assert after.ropes == {}
    assert after.teams[0].tokens == game.teams[0].tokens
    assert (after.seat, after.ap) == (1, 5), "the turn ends at once"
    assert done.events[0].ap == 5


def test_5_7_only_before_any_ap_is_spent_but_after_free_actions() -> None:
    game = state(tile(0, -1), ana=team(consumable=2), ap=5)
    assert refusal(do(game, move(0, 1)), move(0, 0, "force")) == "not_enough_ap"
    assert do(game, discard(consumable=1), move(0, -1, "force")).seat == 1
    camp = {"state": "pitched", "at": [0, -1], "items": {"rope": 1}}
    camped = state(tile(0, -1), ana=team((0, -1), camp=camp, consumable=2))
    moved = do(camped, exchange({"consumable": 1}, {"rope": 1}), move(0, 0, "force"))
    assert (moved.seat, moved.teams[0].at, moved.teams[0].backpack.rope) == (1, (0, 0), 1)
    discovered = state(tile(0, -1), ana=team((0, -1)), ap=4)
    assert refusal(discovered, move(0, 0, "force")) == "not_enough_ap"
    assert "discover" in costs(discovered)
    assert refusal(discovered, DISCOVER | {"at": [0, 0]}) == "bad_action"
