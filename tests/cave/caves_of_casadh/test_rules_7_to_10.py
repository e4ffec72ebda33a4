"""Rules 7 to 10: hazards, dynamite, grues, the end, and house rules."""

from __future__ import annotations

from typing import Any

import pytest

from cave.caves_of_casadh.state import Laid, Settings, State, Treasure
from cave.game import BadData, Json, Step
from tests.cave.caves_of_casadh.builders import (
    DEAD,
    DEPLOY,
    EMPTY,
    END,
    GAME,
    GIVE_UP,
    HAUNT,
    LEAVE,
    code,
    defuse,
    do,
    drive,
    event,
    explore,
    flee,
    grue,
    inside,
    kinds,
    laid,
    lantern_of,
    move,
    offered,
    out,
    place,
    play,
    state,
    types,
)

BATS = [laid((0, -1), "L1-02"), laid((0, -2), "L1-03", token=True)]
"""Two hexes with bats; the second has their token."""


def found(name: str, *players: Any, **more: Any) -> Step[Any, Any]:
    """The step in which seat 0 lays this hex south of Base Camp, with an empty card."""
    before = state(*(players or (inside(), inside())), pile=[name], cards=[EMPTY], **more)
    return do(play(before, explore(0, 1)), place(0))


def test_7_1_the_roll_is_below_the_icons() -> None:
    """With two bats on the map the third is placed: 2 is below 3, and 3 is not."""
    for roll, placed in ((2, True), (3, False)):
        step = found("L1-20", hexes=BATS, dice=[roll])
        rolled = event(step, "rolled")
        assert (rolled.reason, rolled.limit, rolled.success) == ("bats", 3, placed)
        assert [each.token for each in step.state.map.values()] == [False, placed, True, placed]
    assert "rolled" not in types(found("L1-01", hexes=BATS))
    first = found("L1-20", dice=[1])
    assert not event(first, "rolled").success, "one icon never brings a token"


def test_7_1_tokens_are_placed_on_hexes_without_one() -> None:
    step = found("L1-20", hexes=BATS, dice=[1])
    assert event(step, "tokens_placed").at == ((0, -1), (0, 1))


def test_7_1_a_later_icon_waits_for_the_next_roll() -> None:
    assert found("L1-20", hexes=BATS, dice=[6]).state.map[0, 1].token is False


def test_7_2_grues_count_steps_of_vengeance() -> None:
    for vengeance, placed in ((0, False), (1, False), (2, True)):
        step = found("L2-01", hexes=[laid((0, -1), "L1-06")], dice=[3], vengeance=vengeance)
        assert event(step, "rolled").limit == 2 + vengeance
        assert [each.grues for each in step.state.map.values()] == [0, int(placed), int(placed)]


def test_7_2_a_hex_gets_no_second_grue() -> None:
    step = found("L2-01", hexes=[laid((0, -1), "L1-06", grues=2)], dice=[1])
    assert [each.grues for each in step.state.map.values()] == [0, 2, 1]
    assert step.state.phase == "fleeing", "the explorer is on the new hex"
    assert step.state.players[0].hp == 4, "and a grue that comes does no damage"


def test_7_3_damage_when_a_token_is_placed_and_on_entering() -> None:
    players = (inside(), inside((0, -1)), inside((0, -1), items=["helmet"]), inside((0, -2)))
    step = found("L1-20", *players, hexes=BATS, dice=[1])
    assert [each.hp for each in step.state.players] == [3, 3, 4, 4]
    assert [each.seat for each in step.events if each.type == "damaged"] == [0, 1]
    entering = state(inside(hp=2), hexes=[laid((0, -1), "L1-02", token=True)])
    assert play(entering, move(0, -1)).players[0].hp == 1
    helmet = state(inside(hp=2, items=["helmet"]), hexes=[laid((0, -1), "L1-02", token=True)])
    assert play(helmet, move(0, -1)).players[0].hp == 2
    staying = state(inside((0, -1), hp=2), hexes=[laid((0, -1), "L1-02", token=True)])
    assert play(staying, END).players[0].hp == 2


@pytest.mark.parametrize(("name", "item"), [("L1-12", "gas_mask"), ("L1-02", "helmet"), ("L1-21", "boots")])
def test_7_3_each_hazard_has_its_item(name: str, item: str) -> None:
    for items, hp in (([], 3), ([item], 4), ([{"gas_mask": "helmet"}.get(item, "gas_mask")], 3)):
        now = state(inside(items=items), hexes=[laid((0, 1), name, token=True)])
        assert play(now, move(0, 1)).players[0].hp == hp


def test_7_3_several_die_by_seat() -> None:
    players = (inside(), inside((0, -1), hp=1, misfortunes=["C17"]), inside((0, -1), hp=1, misfortunes=["C25"]))
    step = found("L1-20", *players, hexes=BATS, dice=[1])
    assert [each.seat for each in step.events if each.type == "died"] == [1, 2]
    assert step.state.discards == (EMPTY, "C17", "C25")


def test_7_4_dynamite_is_laid() -> None:
    here = state(inside((0, -1), items=["dynamite"]), hexes=[laid((0, -1), "L1-01", dynamite=[1])], mp=0)
    now = play(here, DEPLOY)
    assert now.map[0, -1].dynamite == (1, 0)
    assert (now.supply, now.players[0].items) == (("dynamite",), ())
    assert code(state(inside(items=["dynamite"])), DEPLOY) == "not_allowed_here"
    shut = state(inside((0, -1), items=["dynamite"]), hexes=[laid((0, -1), "COLL")])
    assert code(shut, DEPLOY) == "not_allowed_here"
    assert code(state(inside((0, -1)), hexes=[laid((0, -1), "L1-01")]), DEPLOY) == "not_held"


def test_7_5_dynamite_explodes_at_the_start_of_its_owners_next_turn() -> None:
    hexes = [
        laid((0, -1), "L1-01"),
        laid(
            (0, -2), "L1-02", token=True, grues=1, dynamite=[1, 2], items=["helmet", "rope"], treasures=[{"value": 9}]
        ),
        laid((-1, 0), "L1-03", dynamite=[1]),
    ]
    players = (inside(), inside(), inside((0, -2), items=["boots"], treasures=[8]))
    step = do(state(*players, hexes=hexes, supply=["medkit"]), END)
    assert types(step) == ["collapsed", "died", "collapsed", "turn_began"]
    assert [each.at for each in step.events if each.type == "collapsed"] == [(-1, 0), (0, -2)]
    assert step.state.map[0, -2] == Laid("COLL")
    assert step.state.supply == ("medkit", "rope", "helmet"), "in the order of the table; the dead's are lost"
    assert step.state.players[2].state == "dead"
    assert step.state.bag == ()


def test_7_5_dynamite_of_dead_and_departed_players_explodes_too() -> None:
    hexes = [laid((0, -1), "L1-01", dynamite=[1]), laid((0, 1), "L1-03", dynamite=[2])]
    step = do(state(inside(), DEAD, out(), hexes=hexes), END)
    assert types(step) == ["collapsed", "collapsed", "turn_began"]
    assert (step.state.seat, step.state.round) == (0, 2)


def test_7_5_dynamite_can_kill_its_owner_who_haunts_at_once() -> None:
    hexes = [laid((0, -1), "L1-01", dynamite=[1]), laid((0, 1), "L1-06", grues=1)]
    step = do(state(inside(), inside((0, -1)), out(), hexes=hexes), END)
    assert (step.state.seat, step.state.phase, step.state.mp) == (1, "haunting", 0)
    last = do(
        state(out(), inside((0, -1)), hexes=[hexes[0], laid((0, 1), "L1-06", grues=1)], phase="haunting", mp=0), END
    )
    assert (last.state.phase, last.state.seat) == ("over", None)


def test_7_6_defusing() -> None:
    stick = [laid((0, -1), "L1-07", dynamite=[1, 0])]
    here = state(inside((0, -1), 1, hp=3), hexes=stick, dice=[3], supply=["dynamite", "rope", "dynamite"])
    assert [choice["action"]["owner"] for choice in offered(here, "defuse")] == [0, 1]
    step = do(here, defuse(1))
    assert (event(step, "rolled").limit, event(step, "defused").gained) == (3, True)
    assert step.state.map[0, -1].dynamite == (0,)
    assert step.state.supply == ("dynamite", "rope"), "the lowest is taken"
    assert step.state.players[0].items == ("dynamite",)
    assert code(here, defuse(2)) == "no_dynamite"
    held = state(inside((0, -1), hp=3, items=["dynamite"]), hexes=stick, dice=[1], supply=["dynamite"])
    assert play(held, defuse(0)).supply == ("dynamite",)
    assert not event(do(state(inside((0, -1)), hexes=stick, dice=[1]), defuse(0)), "defused").gained


def test_7_6_a_roll_above_the_hp_causes_an_explosion() -> None:
    stick = [laid((0, -1), "L1-07", dynamite=[1, 0], items=["rope"])]
    players = (inside((0, -1), hp=3), inside((0, -1)), inside())
    step = do(state(*players, hexes=stick, dice=[4]), defuse(1))
    assert types(step) == ["rolled", "died", "died", "collapsed", "turn_began"]
    assert step.state.map[0, -1] == Laid("COLL")
    assert (step.state.seat, step.state.supply) == (2, ("rope",))


def test_7_7_a_collapsed_hex_is_a_dead_end_from_each_side() -> None:
    hexes = [laid((0, -1), "COLL"), laid((0, -2), "L1-01")]
    now = play(state(inside(), hexes=hexes, pile=["L1-02"]), move(0, -1))
    assert now.players[0].passage == 3
    assert [choice["action"]["to"] for choice in offered(now, "move")] == [[0, 0]]
    assert offered(now, "explore") == []


def test_7_7_or_a_collapsed_hex_is_blocked() -> None:
    hexes = [laid((0, -1), "COLL"), laid((0, 1), "L1-01")]
    now = state(inside(), hexes=hexes, settings={"collapsed": "blocked"})
    assert code(now, move(0, -1)) == "blocked"
    assert [choice["action"]["to"] for choice in offered(now, "move")] == [[0, 1]]


def test_8_1_a_hex_with_a_grue_needs_a_lantern() -> None:
    hexes = [laid((0, -1), "L1-06", grues=1)]
    assert code(state(inside(), hexes=hexes), move(0, -1)) == "grue_there"
    assert offered(state(inside(), hexes=hexes), "move") == []
    assert code(state(inside(items=["lantern"]), hexes=hexes), move(0, -1)) == ""


def line(*names: str, grues: tuple[int, ...] = ()) -> list[Json]:
    """A row of hexes to the north of Base Camp, some with a grue."""
    return [laid((0, -at), name, grues=int(at in grues)) for at, name in enumerate(names, 1)]


def test_8_2_flight_by_a_shortest_route() -> None:
    """From the middle of three grues Base Camp is two steps away, and so is the far end."""
    far = state(inside((0, -2)), hexes=line("L1-01", "L1-06", "L2-01", "L1-28", grues=(1, 2, 3)), phase="fleeing")
    assert kinds(far) == {"flee"}
    assert [choice["action"]["to"] for choice in offered(far)] == [[0, -1], [0, -3]]
    assert code(far, flee(1, -2)) == "no_route"
    near = state(inside((0, -2)), hexes=line("L1-01", "L1-06", "L2-01", grues=(2, 3)), phase="fleeing")
    assert [choice["action"]["to"] for choice in offered(near)] == [[0, -1]]
    assert code(near, flee(0, -3)) == "no_route"


def test_8_2_others_flee_when_their_turn_begins() -> None:
    step = do(state(inside(), inside((0, -1), 0), hexes=line("L1-06", grues=(1,))), END)
    assert (step.state.seat, step.state.phase, step.state.mp) == (1, "fleeing", 4)


def test_8_2_a_flight_follows_slopes_and_passages() -> None:
    """L2-16 has a slide from passage 2 to passage 0, which leads home."""
    hexes = line("L2-16", grues=(1,))
    top = state(inside((0, -1), 2), hexes=hexes, phase="fleeing")
    assert [choice["action"]["to"] for choice in offered(top)] == [[0, 0]]
    assert play(top, flee(0, 0)).players[0].at == (0, 0)


def test_8_2_a_rope_leads_up_on_a_flight() -> None:
    """In L2-16 passage 1 goes NE and SW, 2 SE and NW; slopes lead from 2 to 1, and from 1 to 0."""
    hexes = [laid((1, -1), "L2-16", grues=1), laid((2, -1), "L1-01")]
    without = do(state(inside(), inside((1, -1), 1), hexes=hexes), END)
    assert [choice["action"]["to"] for choice in offered(without.state)] == [[0, 0]], "by its own passage"
    roped = do(state(inside(), inside((1, -1), 0, items=["rope"]), hexes=hexes), END)
    assert [choice["action"]["to"] for choice in offered(roped.state)] == [[0, 0], [2, -1]]
    stuck = do(state(inside(), inside((1, -1), 0), hexes=hexes), END)
    assert stuck.state.players[1].state == "dead"


def test_8_2_a_spelunker_without_an_escape_route_dies() -> None:
    """Passage 1 of L1-06 is a dead end at its side 5, where nothing is known."""
    step = do(state(inside(), inside((0, -1), 1, treasures=[3]), hexes=line("L1-06", grues=(1,))), END)
    assert types(step) == ["turn_began", "died", "turn_began"]
    assert event_by(step, "died") == "cut_off"
    assert step.state.seat == 0


def event_by(step: Step[Any, Any], kind: str) -> str:
    return event(step, kind).by  # type: ignore[no-any-return]


def test_8_3_a_flight_costs_mp_and_hp_on_the_way() -> None:
    hexes = line("L1-06", "L2-01", grues=(1, 2))
    now = state(inside((0, -2), hp=3), hexes=hexes, phase="fleeing", mp=1)
    assert [(choice["action"]["to"], choice["mp"]) for choice in offered(now)] == [([0, -1], 1)]
    step = do(now, flee(0, -1))
    assert types(step) == ["entered", "damaged"]
    assert (step.state.players[0].hp, step.state.mp, step.state.phase) == (2, 0, "fleeing")
    assert [(choice["action"]["to"], choice["mp"]) for choice in offered(step.state)] == [([0, 0], 0)]
    home = do(step.state, flee(0, 0))
    assert types(home) == ["entered", "turn_began"], "no damage at the goal; without MP the turn ends"
    assert home.state.players[0].hp == 2


def test_8_3_tokens_on_a_flight_cause_damage_and_can_kill() -> None:
    hexes = [laid((0, -1), "L1-02", token=True, grues=1), laid((0, -2), "L2-01", grues=1)]
    now = state(inside((0, -2), hp=3), hexes=hexes, phase="fleeing")
    assert play(now, flee(0, -1)).players[0].hp == 1
    weak = do(state(inside((0, -2), hp=1), hexes=hexes, phase="fleeing"), flee(0, -1))
    assert types(weak) == ["entered", "damaged", "died", "turn_began"]


LAIRS = [
    laid((0, -1), "L1-06", grues=2),
    laid((0, -2), "L2-01"),
    laid((0, -3), "L2-08", rotation=2),
    laid((0, 1), "L2-04", grues=1),
    laid((1, -1), "L2-16"),
]
"""Hexes with grue icons: two grues to the north, one to the south, three lairs, in one of which Bo stands."""


def test_8_4_a_lantern_bearer_drives_grues_away_one_by_one() -> None:
    bearer = state(inside(items=["lantern"]), inside((1, -1)), hexes=LAIRS)
    now = play(bearer, move(0, -1))
    assert (now.phase, now.mp) == ("driving", 3)
    assert [choice["action"]["to"] for choice in offered(now)] == [[0, -2], [0, -3]]
    for to in ((1, -1), (0, 1), (0, -1), (0, 0)):
        assert code(now, drive(*to)) == "illegal_hex"
    then = play(now, drive(0, -3))
    assert (then.phase, then.map[0, -1].grues, then.map[0, -3].grues) == ("driving", 1, 1)
    last = play(then, drive(0, -2))
    assert (last.phase, last.map[0, -1].grues, last.vengeance) == ("actions", 0, 0)


def test_8_4_a_grue_without_a_lair_is_removed() -> None:
    hexes = [laid((0, -1), "L1-06", grues=3), laid((0, -2), "L2-01")]
    now = play(state(inside(items=["lantern"]), hexes=hexes, vengeance=1), move(0, -1))
    step = do(now, drive(0, -2))
    assert types(step) == ["grue_moved", "grue_gone", "grue_gone"]
    assert (step.state.vengeance, step.state.map[0, -1].grues, step.state.phase) == (3, 0, "actions")


def test_8_4_a_grue_placed_on_a_lantern_bearer_stays() -> None:
    """The roll for the new hex places it; and Bo, with a Lantern on a grue's hex, just plays on."""
    step = found("L2-01", inside(items=["lantern"]), inside(), hexes=[laid((0, -1), "L1-06")], dice=[1])
    assert (step.state.map[0, 1].grues, step.state.phase) == (1, "actions")
    now = do(state(inside(), inside((0, -1), items=["lantern"]), hexes=line("L1-06", grues=(1,))), END)
    assert (now.state.seat, now.state.phase) == (1, "actions")


def test_8_4_entry_damage_is_applied_first() -> None:
    hexes = [laid((0, -1), "L1-02", token=True, grues=1), laid((0, -2), "L2-01")]
    step = do(state(inside(hp=1, items=["lantern"]), hexes=hexes), move(0, -1))
    assert types(step) == ["entered", "damaged", "died", "turn_began"]
    assert step.state.map[0, -1].grues == 1


GRUE = [laid((0, -1), "L1-06", grues=1), laid((0, -2), "L1-01"), laid((0, -3), "L2-01"), laid((1, 0), "L1-24")]


def haunt(*players: Any, dice: Any, **more: Any) -> State:
    return state(*players, hexes=GRUE, phase="haunting", mp=0, dice=dice, **more)


def test_8_5_two_rolls_against_those_on_the_surface() -> None:
    two_out = (out(), inside(items=["lantern"]), out())
    step = do(haunt(*two_out, dice=[2, 2]), HAUNT)
    assert (step.state.phase, step.state.dice) == ("taking_lantern", (2,))
    then = do(step.state, lantern_of(1))
    assert types(then) == ["lantern_taken", "rolled"]
    assert (then.state.phase, then.state.players[1].items, then.state.supply) == ("moving_grue", (), ())
    missed = do(haunt(*two_out, dice=[3, 3]), HAUNT)
    assert types(missed) == ["rolled", "rolled", "turn_began"]
    assert missed.state.seat == 1
    second = do(haunt(*two_out, dice=[3, 2]), HAUNT)
    assert second.state.phase == "moving_grue"


def test_8_5_a_lantern_of_another_player_in_or_out() -> None:
    players = (out(items=["lantern"]), inside(), out(items=["lantern"]))
    now = do(haunt(*players, dice=[1, 6]), HAUNT).state
    assert [choice["action"]["from"] for choice in offered(now)] == [2]
    assert code(now, lantern_of(0)) == code(now, lantern_of(1)) == code(now, lantern_of(9)) == "no_lantern"
    nobody = do(haunt(out(), inside(), dice=[1, 1]), HAUNT)
    assert nobody.state.phase == "moving_grue"


def test_8_5_only_with_a_grue_and_a_player_outside() -> None:
    assert do(state(inside(), DEAD, out(), hexes=GRUE), END).state.phase == "haunting"
    assert do(state(inside(), DEAD, hexes=GRUE), END).state.phase == "actions"
    assert do(state(inside(), DEAD, out()), END).state.phase == "actions"
    assert kinds(haunt(out(), inside(), dice=[])) == {"move_grue", "end_turn"}
    assert play(haunt(out(), inside(), dice=[]), END).seat == 1


def test_8_6_where_a_grue_may_be_moved() -> None:
    """Beside it, or to any grue icon; not to Base Camp and not to a Lantern bearer."""
    players = (out(), inside((0, -2), hp=1), inside((0, -2)), inside((1, 0)))
    now = state(*players, hexes=GRUE, phase="moving_grue", mp=0)
    assert [(choice["action"]["from"], choice["action"]["to"]) for choice in offered(now)] == [
        ([0, -1], [0, -2]),
        ([0, -1], [0, -3]),
    ]
    step = do(now, grue((0, -1), (0, -2)))
    assert types(step) == ["grue_moved", "damaged", "died", "damaged", "turn_began"]
    assert (step.state.map[0, -1].grues, step.state.map[0, -2].grues) == (0, 1)
    assert (step.state.seat, step.state.phase) == (1, "haunting"), "who has just died"
    after = play(step.state, END)
    assert (after.seat, after.phase) == (2, "fleeing")
    assert code(now, grue((0, -2), (0, -3))) == "no_grue"
    for to in ((0, 0), (1, 0), (0, -1), (5, 5)):
        assert code(now, grue((0, -1), to)) == "illegal_hex"
    lit = state(out(), inside((0, -2), items=["lantern"]), hexes=GRUE, phase="moving_grue", mp=0)
    assert code(lit, grue((0, -1), (0, -2))) == "illegal_hex"


def test_8_6_grues_stack_and_a_last_victim_ends_the_game() -> None:
    hexes = [laid((0, -1), "L1-06", grues=1), laid((0, -2), "L2-01", grues=1)]
    now = state(out(treasures=[1]), inside((0, -2), hp=1), hexes=hexes, phase="moving_grue", mp=0)
    step = do(now, grue((0, -1), (0, -2)))
    assert step.state.map[0, -2].grues == 2
    assert (step.state.phase, step.state.seat, step.state.mp) == ("over", None, 0)


def test_9_1_belongings_of_the_dead_are_lost_or_stay_on_the_hex() -> None:
    doomed = inside((0, -1), items=["rope"], treasures=[4, 9], misfortunes=["C17"])
    hexes = [laid((0, -1), "L1-01", items=["boots"], treasures=[{"value": 1}])]
    lost = play(state(doomed, hexes=hexes), GIVE_UP)
    assert lost.map[0, -1] == Laid("L1-01", items=("boots",), treasures=(Treasure(1),))
    left = play(state(doomed, hexes=hexes, settings={"dead_loot": "on_hex"}), GIVE_UP)
    assert left.map[0, -1].items == ("boots", "rope")
    assert left.map[0, -1].treasures == (Treasure(1), Treasure(4, 0), Treasure(9, 0))
    assert lost.discards == left.discards == ("C17",)
    assert [line.note for line in GAME.standing(lost)] == ["dead", ""]


def test_9_2_leaving_takes_the_two_highest() -> None:
    now = state(inside(treasures=[1], items=["rope"], hp=2), inside(), surface=[3, 9, 0, 9, 8])
    step = do(now, LEAVE)
    after = step.state.players[0]
    assert (after.state, after.at, after.treasures, after.hp) == ("out", None, (1, 9, 9), 2)
    assert after.items == ("rope",)
    assert [GAME.facts(step.state, seat)["out"] for seat in (0, 1)] == [True, False]
    assert step.state.surface == (3, 0, 8)
    assert step.state.seat == 1
    assert play(state(inside(), surface=[4]), LEAVE).players[0].treasures == (4,)
    away = state(inside((0, -1)), hexes=[laid((0, -1), "L1-01")])
    assert code(away, LEAVE) == "not_at_base"
    assert code(state(inside(), mp=0), LEAVE) == "not_enough_mp"


def test_9_3_the_end() -> None:
    step = do(state(inside(treasures=[5]), DEAD, surface=[7, 7]), LEAVE)
    assert types(step) == ["left", "game_over"]
    assert event(step, "game_over").treasures == ((5, 7, 7), ())
    over = step.state
    assert GAME.turn_json(over) == {"seat": None, "mp": 0, "phase": "over", "round": 1}
    assert GAME.over(over)
    assert code(over, END, 0) == "game_over"


@pytest.mark.parametrize(
    ("players", "winners", "by"),
    [
        ([out(treasures=[9]), out(treasures=[8, 2])], [1], ""),
        ([out(hp=2, treasures=[9]), out(hp=3, treasures=[9])], [1], "more HP"),
        ([out(treasures=[9], items=["rope"]), out(treasures=[9])], [1], "fewer items"),
        ([out(treasures=[9], items=["rope"]), out(treasures=[9], items=["boots"])], [0, 1], ""),
        ([out(treasures=[9]), out(hp=2, treasures=[9]), DEAD], [0], "more HP"),
        ([out(), DEAD], [0], ""),
        ([DEAD, DEAD], [], ""),
    ],
)
def test_9_4_winners(players: Any, winners: list[int], by: str) -> None:
    over = state(*players, seat=None, mp=0, phase="over")
    lines = GAME.standing(over)
    assert [line.seat for line in lines if line.winner] == winners
    assert [line.by for line in lines] == [by if line.winner else "" for line in lines]


def test_9_4_before_the_end_those_in_the_caves_count() -> None:
    lines = GAME.standing(state(inside(treasures=[9]), out(treasures=[8]), DEAD))
    assert [(line.total, line.points, line.winner) for line in lines] == [
        (9, {"treasure": 9}, True),
        (8, {"treasure": 8}, False),
        (0, {"treasure": 0}, False),
    ]


def test_9_5_the_round_limit() -> None:
    players = (inside(treasures=[5]), inside(), out(treasures=[1]))
    step = do(state(*players, seat=1, settings={"round_limit": 4}, round=4), END)
    assert types(step) == ["died", "died", "game_over"]
    assert {each.by for each in step.events if each.type == "died"} == {"time"}
    assert GAME.turn_json(step.state) == {"seat": None, "mp": 0, "phase": "over", "round": 4}
    before = do(state(*players, seat=1, settings={"round_limit": 4}, round=3), END)
    assert (before.state.round, before.state.phase) == (4, "actions")


def test_10_house_rules() -> None:
    assert GAME.new(2, {}, "x").settings == Settings("2.0.3", 6, "six_stubs", "lost", 0)
    chosen = {"die_sides": 10, "collapsed": "blocked", "dead_loot": "on_hex", "round_limit": 123}
    assert GAME.new(2, chosen, "x").settings == Settings("2.0.3", 10, "blocked", "on_hex", 123)
    assert GAME.settings({}) == {"edition": "2.0.3"}
    assert GAME.settings({**chosen, "edition": "2.0.3"}) == GAME.settings(chosen) == {"edition": "2.0.3", **chosen}
    for wrong in ({"die_sides": 12}, {"collapsed": "open"}, {"round_limit": -1}, {"edition": "1.0"}):
        with pytest.raises(BadData, match="settings"):
            GAME.new(2, wrong, "x")
