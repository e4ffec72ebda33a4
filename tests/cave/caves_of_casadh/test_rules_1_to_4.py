"""Rules 1 to 4: components, setup, turns, moving and exploring."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cave.caves_of_casadh import components as parts
from cave.caves_of_casadh.components import ITEMS, SIDES, STEPS, components, facing, layout, neighbours_of, next_cell
from cave.caves_of_casadh.state import Laid, State
from cave.game import BadData
from tests.cave.caves_of_casadh.builders import (
    DEAD,
    DEPLOY,
    EMPTY,
    END,
    GAME,
    GIVE_UP,
    LEAVE,
    MEDKIT,
    TREASURE,
    code,
    do,
    event,
    explore,
    inside,
    keep,
    kinds,
    laid,
    move,
    offered,
    out,
    place,
    play,
    slide,
    state,
    take,
    types,
)

DATA = tomllib.loads(Path(parts.__file__).with_name("components.toml").read_text("utf-8"))


def test_1_1_two_to_six_players() -> None:
    for seats in range(2, 7):
        assert len(GAME.new(seats, {}, "x").players) == seats
    for seats in (0, 1, 7):
        with pytest.raises(BadData, match="seats: must be 2 to 6"):
            GAME.new(seats, {}, "x")
    assert (DATA["counts"]["players_min"], DATA["counts"]["players_max"]) == (2, 6)


def test_1_2_hexes_and_their_passages() -> None:
    box = components()
    assert tuple(map(len, box.pile)) == (28, 20)
    for each in box.hexes.values():
        assert sorted(side for passage in each.passages for side in passage) == [0, 1, 2, 3, 4, 5]
        passages = range(len(each.passages))
        assert sorted(each.stack) == [*passages]
        assert {*sum(each.slopes, ())} <= {*passages}
        assert {each.marker, each.water} <= {-1, *passages}
        assert {*each.stars} <= {*SIDES}
        for rotation in SIDES:
            lie = layout(each.id, rotation)
            for index, passage in enumerate(each.passages):
                assert lie.sides[index] == tuple(sorted((side + rotation) % 6 for side in passage))
                assert all(lie.owner[side] == index for side in lie.sides[index])
    assert neighbours_of((0, 0)) == STEPS == tuple(map(tuple, DATA["meta"]["axial"]))
    assert all(next_cell(next_cell((2, 3), side), facing(side)) == (2, 3) for side in SIDES)


def test_1_3_hexes_have_their_printed_features() -> None:
    """The table of the component set: features by level."""
    hexes = components().hexes
    for level, wanted in ((1, (6, 6, 7)), (2, (9, 8, 4))):
        own = [each for each in hexes.values() if each.id[:2] == f"L{level}"]
        found = (
            sum(bool(each.slopes) for each in own),
            sum(bool(each.stars) for each in own),
            sum(each.water >= 0 for each in own),
        )
        assert found == wanted
        icons = Counter(each.hazard for each in own)
        assert all(icons[kind.id] == kind.icons[level - 1] for kind in components().hazards.values())


def test_1_4_a_hundred_treasures() -> None:
    state = GAME.new(3, {}, "x")
    assert Counter([*state.bag, *state.surface]) == Counter(list(range(10)) * 10)


def test_1_5_forty_cards() -> None:
    cards = components().cards.values()
    assert sum(card.copies for card in cards) == 40
    moves = Counter()  # type: ignore[var-annotated]
    for card in cards:
        moves[card.move] += card.copies
    assert moves == {1: 12, 2: 16, 3: 9, 4: 3}
    assert sum(card.copies for card in cards if card.misfortune != "none") == 18


def test_1_6_nine_kinds_of_items() -> None:
    items = components().items
    assert tuple(items) == ITEMS
    assert sum(item.count for item in items.values()) == 36 == len(GAME.new(2, {}, "x").supply)


def rolled(now: State, action: Any) -> int:
    return event(do(now, action), "rolled").roll  # type: ignore[no-any-return]


def haunting(**more: Any) -> State:
    """A player on the Surface may try to move a grue; two more are out."""
    return state(out(), inside(), out(), out(), hexes=[laid((0, -1), "L1-06", grues=1)], phase="haunting", mp=0, **more)


def test_1_7_the_die_and_the_chance_behind_it() -> None:
    """The values are computed by hand: the SHA-256 of "abc/0", "abc/1", ... as numbers."""
    numbers = [int(hashlib.sha256(f"abc/{index}".encode()).hexdigest(), 16) for index in range(2)]
    assert [number % 6 + 1 for number in numbers] == [1, 5]
    haunt = {"type": "move_grue"}
    for sides in (4, 6, 8, 10):
        step = do(haunting(seed="abc", settings={"die_sides": sides}), haunt)
        rolls = [each.roll for each in step.events if each.type == "rolled"]
        assert rolls == [1 + number % sides for number in numbers]
        assert step.state.chance == 2
        later = haunting(seed="abc", chance=1, settings={"die_sides": sides})
        assert event_rolls(later)[0] == 1 + numbers[1] % sides
    given = do(haunting(dice=[6, 2], seed="abc"), haunt)
    assert [each.roll for each in given.events if each.type == "rolled"] == [6, 2]
    assert (given.state.dice, given.state.chance) == ((), 0)


def event_rolls(now: State) -> list[int]:
    step = do(now, {"type": "move_grue"})
    return [each.roll for each in step.events if each.type == "rolled"]


def test_2_1_all_explorers_start_at_base_camp() -> None:
    state = GAME.new(6, {}, "x")
    assert {(each.state, each.at, each.hp, each.items) for each in state.players} == {("in", (0, 0), 4, ())}
    assert state.map == {(0, 0): Laid("BASE")}


def test_2_2_the_pile_has_level_2_behind_cave_paintings() -> None:
    depths = set()
    for seed in range(30):
        state = GAME.new(2, {}, str(seed))
        assert sorted(state.hexes) == sorted((*components().pile[0], *components().pile[1]))
        ahead = state.hexes.index("L1-28")
        depths.add(ahead)
        assert all(each[:2] == "L1" for each in state.hexes[: ahead + 1])
        assert len(state.cards) == 40
    assert len(depths) > 10
    assert any(each[:2] == "L1" for each in state.hexes[state.hexes.index("L1-28") + 1 :] if state.hexes[-1] != "L1-28")


def test_2_3_treasures_on_the_surface() -> None:
    for seats in (2, 6):
        assert len(GAME.new(seats, {}, "x").surface) == 2 * seats


def test_2_4_the_first_player_is_drawn_by_lot() -> None:
    states = [GAME.new(3, {}, str(seed)) for seed in range(30)]
    assert {state.seat for state in states} == {0, 1, 2}
    assert all(state.seat == state.first_seat and state.mp == 4 and state.round == 1 for state in states)


@pytest.mark.parametrize(
    ("hp", "misfortunes", "items", "mp"),
    [
        (4, [], [], 4),
        (2, [], [], 2),
        (4, ["C13"], [], 3),
        (4, ["C13", "C05"], [], 2),
        (4, ["C07"], [], 2),
        (4, ["C07"], ["lantern"], 4),
        (4, ["C17", "C25"], [], 2),
        (3, ["C07", "C13"], [], 1),
        (1, ["C07", "C07"], [], 1),
        (4, ["C07", "C17"], ["lantern"], 3),
    ],
)
def test_3_1_move_points(hp: int, misfortunes: Any, items: Any, mp: int) -> None:
    before = state(
        inside(), inside((0, -1), hp=hp, misfortunes=misfortunes, items=items), hexes=[laid((0, -1), "L1-01")]
    )
    after = do(before, END)
    assert (after.state.seat, after.state.mp) == (1, mp)
    assert event(after, "turn_began").mp == mp


def test_3_1_mp_do_not_follow_hp() -> None:
    before = state(inside(hp=1, items=["medkit"]), mp=1)
    assert (play(before, MEDKIT).players[0].hp, play(before, MEDKIT).mp) == (4, 1)


def test_3_2_a_turn_begins_with_dynamite_then_mp_then_flight() -> None:
    hexes = [laid((0, -1), "L1-01", dynamite=[1]), laid((1, -1), "L1-06", grues=1)]
    step = do(state(inside((0, -1)), inside((1, -1), hp=3), hexes=hexes), END)
    assert types(step) == ["died", "collapsed", "turn_began"]
    assert (step.state.seat, step.state.mp, step.state.phase) == (1, 3, "fleeing")


def test_3_2_players_who_cannot_act_are_skipped() -> None:
    step = do(state(inside(), DEAD, out(), inside()), END)
    assert (step.state.seat, step.state.round) == (3, 1)
    step = do(step.state, END)
    assert (step.state.seat, step.state.round) == (0, 2)


def test_3_2_the_round_number_rises_at_the_first_seats_turn() -> None:
    step = do(state(out(), inside(), inside(), seat=2), END)
    assert (step.state.seat, step.state.round) == (1, 2)


def test_3_3_actions_in_any_order_while_mp_last() -> None:
    """Two moves, a treasure, and a free slide between them."""
    hexes = [laid((0, -1), "L1-13", treasures=[{"value": 4}]), laid((0, -2), "L1-01")]
    now = play(state(inside((0, -1), 1), hexes=hexes), slide(0), TREASURE, keep(4))
    assert (now.mp, now.players[0].treasures) == (3, (4,))
    assert play(now, move(0, -2), move(0, -1)).mp == 1
    assert play(now, END).seat == 1


def test_3_4_without_mp_the_turn_ends_by_itself() -> None:
    hexes = [laid((0, -1), "L1-01"), laid((0, -2), "L1-13", 3)]
    before = state(inside((0, -1)), hexes=hexes, mp=1)
    assert play(before, move(0, 0)).seat == 1
    # Beyond the pawn's side of the slide room the slope continues, for free.
    upward = play(before, move(0, -2))
    assert upward.seat == 1
    other = state(inside((0, -1)), hexes=[laid((0, -1), "L1-01"), laid((0, -2), "L1-13", 0)], mp=1)
    after = play(other, move(0, -2))
    assert (after.seat, after.mp, kinds(after)) == (0, 0, {"slide", "give_up", "end_turn"})
    assert play(after, slide(0)).seat == 1


@pytest.mark.parametrize(
    ("items", "lies", "left"),
    [(["medkit"], {}, "use_medkit"), (["dynamite"], {}, "deploy"), ([], {"dynamite": [1]}, "defuse")],
)
def test_3_4_free_actions_are_still_possible(items: Any, lies: Any, left: str) -> None:
    before = state(inside(items=items), hexes=[laid((0, -1), "L1-01", **lies)], mp=1)
    after = play(before, move(0, -1))
    assert (after.seat, after.mp, kinds(after)) == (0, 0, {left, "give_up", "end_turn"})
    # At Base Camp nothing can be laid.
    there = state(inside((0, -1), items=["dynamite"]), hexes=[laid((0, -1), "L1-01")], mp=1)
    assert play(there, move(0, 0)).seat == 1


def test_3_5_giving_up() -> None:
    step = do(state(inside(treasures=[9, 9]), mp=0), GIVE_UP)
    assert types(step) == ["died", "turn_began"]
    assert step.state.players[0].state == "dead"
    assert event(step, "died").by == "gave_up"


def test_3_6_base_camp_takes_misfortunes_at_the_end_of_a_turn() -> None:
    hexes = [laid((0, -1), "L1-01")]
    before = state(inside((0, -1), misfortunes=["C07", "C13", "C17"]), hexes=hexes, discards=["C01"])
    here = play(before, move(0, 0))
    assert here.players[0].misfortunes == ("C07", "C13", "C17"), "not before the turn ends"
    step = do(here, END)
    assert step.state.players[0].misfortunes == ()
    assert step.state.discards == ("C01", "C07", "C13", "C17")
    assert play(before, END).players[0].misfortunes == ("C07", "C13", "C17")


def test_4_1_a_move_needs_the_pawns_passage() -> None:
    """The straight passage of L1-24 (N to S) leads only north and south."""
    hexes = [laid((0, -1), "L1-24"), laid((0, -2), "L1-07", 3), laid((1, -2), "L1-01")]
    now = state(inside((0, -1)), hexes=hexes)
    assert [choice["action"]["to"] for choice in offered(now, "move")] == [[0, -2], [0, 0]]
    assert code(now, move(1, -2)) == "no_passage"
    after = play(now, move(0, -2))
    # L1-07 turned by 3 has its sides 0 to 3 at 3, 4, 5 and 0, turned by 4 its sides 4 and 5 at 2 and 3.
    assert (after.players[0].at, after.players[0].passage, after.mp) == ((0, -2), 0, 3)
    turned = state(inside((0, -1)), hexes=[hexes[0], laid((0, -2), "L1-07", 4)])
    assert play(turned, move(0, -2)).players[0].passage == 1


def found(card: str, name: str = "L1-01", rotation: int = 0, seat: int = 0, **more: Any) -> Any:
    """The step in which a spelunker at Base Camp lays this hex to the north and draws this card."""
    players = more.pop("players", [inside(), inside()])
    before = state(*players, pile=[name], cards=[card], seat=seat, **more)
    return do(play(before, explore(0, -1)), place(rotation))


def test_4_2_explore_turns_up_the_next_hex() -> None:
    step = do(state(inside(), pile=["L1-02", "L1-01"], cards=[EMPTY]), explore(0, -1))
    assert types(step) == ["hex_drawn"]
    now = step.state
    assert (now.phase, now.mp, now.hexes) == ("placing", 4, ("L1-01",))
    assert (now.drawn.hex, now.drawn.to, now.players[0].at) == ("L1-02", (0, -1), (0, 0))
    assert code(state(inside(), pile=["L1-02"], mp=0, hexes=[]), explore(0, -1)) == "not_enough_mp"
    assert code(state(inside()), explore(0, -1)) == "no_hexes"
    assert offered(state(inside()), "explore") == []


def test_4_3_a_hex_is_laid_any_way_round_but_for_stars() -> None:
    now = play(state(inside(), pile=["L1-24"], cards=[EMPTY]), explore(0, -1))
    # Three pairs of neighbours and a straight: all six turns differ.
    assert [choice["action"]["rotation"] for choice in offered(now)] == [0, 1, 2, 3, 4, 5]
    # L1-22 has a star at its side 0; from the south side of the new cell it looks back with rotation 3.
    starred = play(state(inside(), pile=["L1-22"], cards=[EMPTY]), explore(0, -1))
    assert [choice["action"]["rotation"] for choice in offered(starred)] == [3]
    assert code(starred, place(2)) == "star_not_aligned"
    two = play(state(inside(), pile=["L1-17"], cards=[EMPTY]), explore(0, -1))
    assert [choice["action"]["rotation"] for choice in offered(two)] == [2, 3]
    assert play(two, place(2)).map[0, -1] == Laid("L1-17", 2)


def test_4_3_equivalent_rotations_are_one_choice() -> None:
    three = play(state(inside(), pile=["L1-25"], cards=[EMPTY]), explore(0, -1))
    assert [choice["action"]["rotation"] for choice in offered(three)] == [0, 1, 2]
    assert play(three, place(5)).map[0, -1].rotation == 5, "it is kept as it was given"
    open_ = play(state(inside(), pile=["L2-01"], cards=[EMPTY]), explore(0, -1))
    assert [choice["action"]["rotation"] for choice in offered(open_)] == [0]


def test_4_3_the_smallest_legal_of_equivalent_rotations_is_the_choice() -> None:
    """L2-10 has a star at side 0 of a trident, which is the same after two turns: only 3 is legal."""
    now = play(state(inside(), pile=["L2-10"], cards=[EMPTY]), explore(0, -1))
    assert [choice["action"]["rotation"] for choice in offered(now)] == [3]
    assert code(now, place(1)) == "star_not_aligned"


def test_4_4_the_parts_of_a_card_apply_in_order() -> None:
    """Cost, misfortune, items, treasures, hazard: C24 tears the purse, and has an item and a treasure."""
    step = found(
        "C24",
        "L1-02",
        players=[inside(treasures=[8]), inside()],
        lots=[0],
        supply=["rope"],
        bag=[1, 2],
        hexes=[laid((1, -1), "L1-03")],
        dice=[1],
    )
    assert types(step) == ["hex_placed", "entered", "card_drawn", "misfortune", "items_placed", "treasures_drawn"]
    assert step.state.mp == 1
    last = do(step.state, keep(2))
    assert types(last) == ["treasure_kept", "rolled", "tokens_placed", "damaged"]


def test_4_4_a_cost_above_the_mp_takes_all() -> None:
    assert found("C23", mp=2).state.seat == 1
    assert found("C01", mp=2).state.mp == 1


def test_4_4_discards_are_mixed_when_the_cards_are_used_up() -> None:
    """Draws 1 of 3, 1 of 2, 0 of 1: the second, the third, the first of the discards."""
    before = state(inside(), pile=["L1-01"], discards=["C01", "C02", "C09"], lots=[4, 3, 7], supply=[])
    step = do(play(before, explore(0, -1)), place(0))
    # 4 % 3 = 1 takes C02; 3 % 2 = 1 takes C09; 7 % 1 = 0 takes C01.
    assert event(step, "card_drawn").card == "C02"
    assert (step.state.cards, step.state.discards, step.state.lots) == (("C09", "C01"), ("C02",), ())


def test_4_4_without_any_card_there_is_no_cost() -> None:
    step = do(play(state(inside(), pile=["L1-02"]), explore(0, -1)), place(0))
    assert types(step) == ["hex_placed", "entered", "rolled"]
    assert (step.state.mp, step.state.chance) == (4, 1)


def test_4_5_slopes_lead_down_and_with_a_rope_up() -> None:
    room = [laid((0, -1), "L2-16")]  # from passage 2 to 1, and from 1 to 0
    top = state(inside((0, -1), 2), hexes=room, mp=0)
    assert [choice["action"]["passage"] for choice in offered(top, "slide")] == [1]
    assert code(top, slide(0)) == "no_slope"
    assert code(top, slide(2)) == "no_slope"
    assert code(top, slide(9)) == "no_slope"
    down = play(top, slide(1))
    assert (down.mp, down.players[0].passage) == (0, 1)
    assert code(down, slide(2)) == "needs_rope"
    roped = state(inside((0, -1), 1, items=["rope"]), hexes=room, mp=0)
    assert [choice["action"]["passage"] for choice in offered(roped, "slide")] == [2, 0]
    assert play(roped, slide(2)).players[0].passage == 2


def test_leaving_is_listed_only_at_base_camp() -> None:
    hexes = [laid((0, -1), "L1-01", items=["rope"])]
    assert LEAVE["type"] in kinds(state(inside()))
    now = state(inside((0, -1), items=["dynamite"]), hexes=hexes)
    assert kinds(now) == {"move", "collect_items", "deploy", "give_up", "end_turn"}
    assert code(now, take("rope")) == code(now, DEPLOY) == ""
