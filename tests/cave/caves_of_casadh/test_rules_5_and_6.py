"""Rules 5 and 6: misfortunes, treasures and items."""

from __future__ import annotations

from typing import Any

import pytest

from cave.caves_of_casadh.state import HIDDEN, Treasure
from cave.game import Step
from tests.cave.caves_of_casadh.builders import (
    DEAD,
    DEPLOY,
    END,
    GAME,
    HAUNT,
    LEAVE,
    MEDKIT,
    TREASURE,
    code,
    do,
    event,
    explore,
    inside,
    keep,
    laid,
    lantern_of,
    move,
    offered,
    out,
    place,
    play,
    state,
    take,
    types,
)


def found(card: str, *players: Any, name: str = "L1-01", rotation: int = 0, **more: Any) -> Step[Any, Any]:
    """The step in which the spelunker in seat 0 lays this hex north of Base Camp and draws this card."""
    before = state(*(players or (inside(), inside())), pile=[name], cards=[card], **more)
    return do(play(before, explore(0, -1)), place(rotation))


def test_5_1_kept_misfortunes_stay_with_the_explorer() -> None:
    for card, kind in (("C22", "thirst"), ("C16", "flashlight_out"), ("C17", "twisted_ankle")):
        step = found(card, inside(misfortunes=["C13"]), inside())
        assert step.state.players[0].misfortunes == ("C13", card)
        assert step.state.discards == ()
        assert (event(step, "misfortune").misfortune, event(step, "misfortune").outcome) == (kind, "kept")


@pytest.mark.parametrize(("card", "items"), [("C22", ["canteen"]), ("C16", ["battery"]), ("C16", ["lantern"])])
def test_5_1_immune_explorers_discard_misfortunes(card: str, items: Any) -> None:
    step = found(card, inside(items=items), inside())
    assert step.state.players[0].misfortunes == ()
    assert step.state.discards == (card,)
    assert event(step, "misfortune").outcome == "spared"


def test_5_2_thirst_has_no_effect_in_water() -> None:
    # L1-07 has water in passage 1, its sides 4 and 5; turned by 5 these are 3 and 4.
    wet = found("C22", name="L1-07", rotation=5)
    assert (wet.state.players[0].passage, wet.state.players[0].misfortunes) == (1, ())
    dry = found("C22", name="L1-07", rotation=0)
    assert (dry.state.players[0].passage, dry.state.players[0].misfortunes) == (0, ("C22",))


def test_5_2_rockfall_hurts() -> None:
    assert found("C23").state.players[0].hp == 3
    assert found("C23", inside(hp=1), inside()).state.players[0].state == "dead"


def test_5_2_bad_footing_leaves_no_mp() -> None:
    step = found("C06", inside(items=["medkit"]), inside(), supply=["rope"])
    assert (step.state.seat, step.state.mp, step.state.phase) == (0, 0, "actions")


def test_5_2_panic_takes_the_explorer_back() -> None:
    """To the passage it came from, where a token hurts again; items still go to the new hex."""
    hexes = [laid((0, -1), "L1-03", token=True)]  # side 5 is passage 1
    before = state(inside((0, -1), 1, hp=2), hexes=hexes, pile=["L1-01"], cards=["C26"], supply=["rope"])
    step = do(play(before, explore(-1, -1)), place(0))
    now = step.state
    assert (now.players[0].at, now.players[0].passage, now.players[0].hp) == ((0, -1), 1, 1)
    assert now.map[-1, -1].items == ("rope",)
    assert [each.by for each in step.events if each.type == "entered"] == ["explore", "panic"]
    assert now.mp == 1


def test_5_2_panic_has_no_effect_if_a_grue_is_there() -> None:
    hexes = [laid((0, -1), "L1-06", grues=1)]
    before = state(inside((0, -1), items=["lantern"]), hexes=hexes, pile=["L1-01"], cards=["C26"])
    step = do(play(before, explore(0, -2)), place(0))
    assert step.state.players[0].at == (0, -2)
    assert event(step, "misfortune").outcome == "spared"


def test_5_2_slipped_pack_draws_a_lot_in_the_order_of_the_table() -> None:
    """Helmet, rope, medkit are rope, helmet, medkit in the table: draw 4 of 3 is the second."""
    step = found("C14", inside(items=["helmet", "rope", "medkit"]), inside(), lots=[4])
    assert step.state.players[0].items == ("rope", "medkit")
    assert step.state.map[0, -1].items == ("helmet",)
    assert event(step, "misfortune").item == "helmet"
    nothing = found("C14", lots=[4])
    assert (nothing.state.lots, event(nothing, "misfortune").outcome) == ((4,), "spared")
    one = found("C14", inside(items=["rope"]), inside(), lots=[4])
    assert (one.state.lots, one.state.players[0].items) == ((), ()), "a lot is drawn for one item, too"


def test_5_2_torn_purse_draws_a_lot_in_rising_order() -> None:
    step = found("C24", inside(treasures=[9, 1, 5]), inside(), lots=[2])
    assert step.state.players[0].treasures == (1, 5)
    assert step.state.map[0, -1].treasures == (Treasure(9, 0),)
    assert "9" not in str([GAME.event_json(each) for each in step.events]), "its value is a secret"


def test_5_2_the_dark_stirs() -> None:
    assert found("C18", vengeance=2).state.vengeance == 3


def test_5_3_water_takes_thirst_on_a_move_and_after_a_slide() -> None:
    # L1-11 has water in passage 1 (sides 3 and 5): one comes from the south into it.
    hexes = [laid((0, -1), "L1-11")]
    before = state(inside(misfortunes=["C22", "C07", "C13"]), inside(), hexes=hexes)
    step = do(before, move(0, -1))
    assert step.state.players[0].misfortunes == ("C07",)
    assert step.state.discards == ("C22", "C13")
    removed = event(step, "misfortune_removed")
    assert (removed.misfortune, removed.cards, removed.by) == ("thirst", 2, "water")


def test_5_3_a_canteen_a_battery_and_a_medkit_help_at_once() -> None:
    hexes = [laid((0, -1), "L1-01", items=["battery", "canteen"])]
    held = ["C22", "C07", "C17", "C05"]
    before = state(inside((0, -1), items=["medkit"], hp=1, misfortunes=held), hexes=hexes)
    after = play(before, take("battery", "canteen"))
    assert after.players[0].misfortunes == ("C17",)
    assert after.discards == ("C07", "C22", "C05")
    healed = play(before, MEDKIT)
    assert healed.players[0].misfortunes == ("C22", "C07", "C05")


def test_5_3_leaving_discards_all_misfortunes() -> None:
    after = play(state(inside(misfortunes=["C22", "C17"]), surface=[1]), LEAVE)
    assert (after.players[0].misfortunes, after.discards) == ((), ("C22", "C17"))


def test_6_1_a_treasure_icon_draws_one_for_each_player_in_the_caves() -> None:
    """Three players are in, one is out, one is dead: three are drawn, one is kept, two go to the hex."""
    players = (inside(), inside(), out(), DEAD, inside())
    now = found("C03", *players, bag=[4, 0, 4, 7]).state
    assert (now.phase, now.offer.values, now.bag, now.mp) == ("keeping", (4, 0, 4), (7,), 3)
    assert [choice["action"]["treasure"] for choice in offered(now)] == [0, 4], "each value once"
    assert code(now, keep(7)) == "not_offered"
    kept = play(now, keep(4))
    assert kept.players[0].treasures == (4,)
    assert kept.map[0, -1].treasures == (Treasure(0, 0), Treasure(4, 0))
    assert (kept.phase, kept.offer, kept.mp) == ("actions", None, 3)


def test_6_1_a_short_bag_and_an_empty_one() -> None:
    assert found("C03", bag=[6]).state.offer.values == (6,)
    assert found("C03").state.phase == "actions"


def test_6_1_two_icons_are_two_choices() -> None:
    """C10 has two icons on Level 2."""
    step = found("C10", name="L2-14", rotation=1, bag=[1, 2, 3, 4, 5], supply=["rope"])
    now = step.state
    assert (now.offer.values, now.offer.icons) == ((1, 2), 1)
    then = play(now, keep(2))
    assert (then.offer.values, then.offer.icons, then.phase) == ((3, 4), 0, "keeping")
    last = play(then, keep(3))
    assert (last.phase, last.players[0].treasures) == ("actions", (2, 3))
    assert [each.value for each in last.map[0, -1].treasures] == [1, 4]


def test_6_1_a_dead_explorer_keeps_nothing() -> None:
    """C15 on Level 2: a rockfall, an item and a treasure. Two are left in the caves."""
    players = (inside(hp=1), inside(), inside())
    step = found("C15", *players, name="L2-14", rotation=1, bag=[1, 2, 3], supply=["rope"])
    lies = step.state.map[0, -1]
    assert lies.treasures == (Treasure(1), Treasure(2))
    assert lies.items == ("rope",)
    assert types(step)[-3:] == ["items_placed", "treasures_drawn", "turn_began"]
    assert step.state.seat == 1


def test_6_1_after_panic_the_remaining_treasures_go_to_the_new_hex() -> None:
    now = state(
        inside(),
        inside(),
        hexes=[laid((0, -1), "L1-01")],
        phase="keeping",
        turn={"offer": [3, 8], "by": "explore", "hex": [0, -1]},
    )
    after = play(now, keep(8))
    assert after.players[0].treasures == (8,)
    assert after.map[0, -1].treasures == (Treasure(3, 0),)


def test_6_2_collect_treasure_at_the_marker() -> None:
    hexes = [laid((0, -1), "L1-07", treasures=[{"value": 6, "seen": 1}, {"value": 6}, {"value": 2}])]
    step = do(state(inside((0, -1)), hexes=hexes, mp=2), TREASURE)
    now = step.state
    assert (now.mp, now.phase, now.offer.values, now.offer.by) == (1, "keeping", (6, 6, 2), "collect_treasure")
    assert now.map[0, -1].treasures == ()
    after = play(now, keep(6))
    assert after.map[0, -1].treasures == (Treasure(6, 0), Treasure(2, 0))
    again = play(after, TREASURE, keep(2))
    assert (again.players[0].treasures, again.seat) == ((6, 2), 1), "the MP are spent"
    beside = state(inside((0, -1), 1), hexes=hexes)
    assert code(beside, TREASURE) == "not_at_marker"
    assert code(state(inside((0, -1)), hexes=[laid((0, -1), "L1-07")]), TREASURE) == "no_treasure"


def test_6_3_secrets_of_other_players() -> None:
    now = state(
        inside((0, -1), treasures=[7, 2]),
        inside(treasures=[5]),
        out(treasures=[9, 8]),
        hexes=[laid((0, -1), "L1-01", treasures=[{"value": 3, "seen": 1}, {"value": 0}])],
        pile=["L1-07", "L1-28", "L2-04", "L1-02"],
        phase="keeping",
        turn={"offer": [4, 4], "by": "collect_treasure", "hex": [0, -1]},
        bag=[1],
        discards=["C26"],
        vengeance=2,
        dice=[3],
        lots=[2],
        seed="secret",
    )
    seen = {viewer: GAME.view_json(GAME.view(now, viewer)) for viewer in (None, 0, 1, 2)}
    for viewer, form in seen.items():
        told = form["position"]
        for seat, player in enumerate(told["players"]):
            assert ("treasures" in player) == (seat == viewer)
            assert ("treasure_count" in player) == (seat != viewer)
        assert ("offer" in told["turn"]) == (viewer == 0)
        assert told["map"][1]["treasure_count"] == 2
        assert told["map"][1].get("known") == ([3] if viewer == 1 else None)
        assert told["hexes_left"] == {"pile": 3, "level_2": 1}
        assert (told["bag_left"], told["discards"], told["vengeance"]) == (1, ["C26"], 2)
        assert not {"dice", "lots", "seed", "chance", "hexes", "cards", "supply", "bag"} & told.keys()
        assert [line["total"] for line in form["standing"]] == [
            total if seat == viewer else None for seat, total in enumerate((9, 5, 17))
        ]
        assert not any(line["winner"] for line in form["standing"])
        assert "secret" not in str(form)
    assert seen[None]["hidden"] == [0, 1, 2]
    assert seen[1]["hidden"] == [0, 2]
    assert seen[None]["position"]["turn"]["offer_count"] == 2


def test_6_3_the_pile_once_cave_paintings_is_out() -> None:
    now = state(inside(), pile=["L2-04", "L1-02"])
    assert GAME.view_json(GAME.view(now, 0))["position"]["hexes_left"] == {"pile": 2, "level_2": 0}
    assert GAME.view(now, 0).cave.hexes == (HIDDEN,) * 2


def test_6_3_at_the_end_everything_is_revealed() -> None:
    over = state(
        out(treasures=[5]),
        out(treasures=[6]),
        seat=None,
        mp=0,
        phase="over",
        hexes=[laid((0, -1), "L1-01", treasures=[{"value": 3, "seen": 1}, {"value": 0}])],
    )
    told = GAME.view_json(GAME.view(over, None))
    assert told["hidden"] == []
    assert [player["treasures"] for player in told["position"]["players"]] == [[5], [6]]
    assert told["position"]["map"][1]["treasures"] == [{"value": 3, "seen": 1}, {"value": 0}]
    assert [line["winner"] for line in told["standing"]] == [False, True]


def test_6_4_items_are_drawn_from_the_supply_and_returned_under_it() -> None:
    step = found("C11", supply=["helmet", "rope", "boots"])
    assert step.state.map[0, -1].items == ("helmet", "rope")
    assert step.state.supply == ("boots",)
    assert "items_placed" not in types(found("C11"))
    deeper = found("C02", name="L2-14", rotation=1, supply=["helmet"])
    assert deeper.state.map[0, -1].items == (), "C02 has an item on Level 1 only"
    assert found("C11", supply=["boots"]).state.map[0, -1].items == ("boots",)
    hexes = [laid((0, -1), "L1-01")]
    used = play(state(inside((0, -1), items=["medkit", "dynamite"]), hexes=hexes, supply=["rope"]), DEPLOY, MEDKIT)
    assert used.supply == ("rope", "dynamite", "medkit")


def test_6_5_collect_items_ends_the_turn() -> None:
    hexes = [laid((0, -1), "L1-07", items=["boots", "rope", "rope", "lantern"])]
    here = state(inside((0, -1), items=["boots"]), hexes=hexes)
    (choice,) = offered(here, "collect_items")
    assert choice == {"action": {"type": "collect_items"}, "mp": 1, "limits": {"items": ["rope", "lantern"]}}
    step = do(here, take("lantern", "rope"))
    assert step.state.players[0].items == ("boots", "lantern", "rope")
    assert step.state.map[0, -1].items == ("boots", "rope")
    assert step.state.seat == 1
    assert code(here, take("boots")) == "already_held"
    assert code(here, take("rope", "medkit")) == "not_here"
    assert code(state(inside((0, -1), 1), hexes=hexes), take("rope")) == "not_at_marker"
    spent = state(inside((0, -1)), hexes=hexes, mp=0)
    assert code(spent, take("rope")) == "not_enough_mp"
    only_double = state(inside((0, -1), items=["rope"]), hexes=[laid((0, -1), "L1-07", items=["rope"])])
    assert offered(only_double, "collect_items") == []


def test_6_6_flashlight_out_applies_again_without_the_lantern() -> None:
    players = [out(), inside(items=["lantern"], misfortunes=["C07"])]
    hexes = [laid((0, -1), "L1-06", grues=1)]
    now = state(*players, hexes=hexes, phase="haunting", mp=0, dice=[1, 6])
    with_it = play(now, END)
    assert (with_it.seat, with_it.mp) == (1, 4)
    without = play(now, HAUNT, lantern_of(1))
    assert (without.seat, without.mp) == (1, 2)


def test_6_7_medkit() -> None:
    hurt = state(inside(hp=1, items=["medkit"], misfortunes=["C17"]), mp=0)
    step = do(hurt, MEDKIT)
    assert types(step)[:2] == ["healed", "misfortune_removed"]
    assert step.state.players[0].hp == 4
    assert step.state.players[0].items == ()
    assert play(state(inside(items=["medkit"])), MEDKIT).players[0].hp == 4, "also at full HP"
    assert code(state(inside()), MEDKIT) == "not_held"
