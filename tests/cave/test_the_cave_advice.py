"""What bots of The Cave reckon with, where the rules say what comes out: kits, and who is stranded."""

from __future__ import annotations

from typing import Any

import pytest

from cave.the_cave import kits
from cave.the_cave.advice import ADVICE, STRANDED
from cave.the_cave.packing import can_fill_camp, pack_form
from cave.the_cave.state import NOTHING, Items
from tests.cave.builders import state, team, tile

PITCHED = {"state": "pitched", "at": [0, 0], "items": {"consumable": 2, "rope": 1}}
AWAY = {"state": "pitched", "at": [0, 1], "items": {"consumable": 2, "rope": 1}}


@pytest.mark.parametrize(
    "kit", [Items(consumable=4), Items(consumable=1, oxygen=2, camera=1), Items(consumable=9), Items(raft=1)]
)
def test_other_kits_fill_the_backpack_and_take_nothing_out_of_nowhere(kit: Items) -> None:
    """Rule 2.3: ropes fill the slots of the backpack that are left."""
    player = state().teams[0]
    found = kits.other_food(player, kit)
    for each in found:
        assert each.slots == kits.room(player)
        assert min(each.counts()) >= 0
    most = max(kits.FOOD)
    assert (len(found) < len(kits.FOOD)) == (kit.slots - kit.consumable - kit.rope + most > kits.room(player))


@pytest.mark.parametrize(("camp", "held"), [(PITCHED, Items(consumable=2, rope=1)), (AWAY, NOTHING)])
def test_the_form_of_a_pack_tells_what_the_camp_holds_that_is_filled_again(camp: Any, held: Items) -> None:
    """Rule 6.2: a camp pitched on the base is filled again with the backpack."""
    player = state(ana=team(camp=camp)).teams[0]
    limits = pack_form(player, free=False).limits
    assert limits.camp_held == held
    assert can_fill_camp(player) == bool(limits.camp_slots) == (held != NOTHING)


@pytest.mark.parametrize(
    ("at", "turns", "stranded"),
    [((0, 0), 1, False), ((0, -1), 1, False), ((0, -6), 1, True), ((0, -6), 3, False)],
)
def test_who_cannot_be_home_in_time_has_nothing_ahead(
    at: tuple[int, int], turns: int, stranded: bool
) -> None:
    """Rule 7.3: who is not home at the end scores nothing."""
    passage = [tile(0, -far, sides="NS") for far in range(1, 7)]
    now = state(*passage, ana=team(at, consumable=6), turns_left=turns, stacks=[[], [], [], []])
    has, ahead = ADVICE.parts(now, 0)
    assert (has < STRANDED / 2) == stranded
    assert ahead == 0.0 or not stranded
