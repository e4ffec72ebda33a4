"""What bots of The Cave reckon with, where the rules say what comes out: kits, and who is stranded."""

from __future__ import annotations

from typing import Any

import pytest

from cave.the_cave.actions import Move, Pack
from cave.the_cave.advice import ADVICE, EVERY, STRANDED
from cave.the_cave.guide import options
from cave.the_cave.packing import can_fill_camp, pack_form
from cave.the_cave.state import NOTHING, Items
from cave.the_cave.trips import Label, Trail, Trip
from tests.cave.builders import state, team, tile

PITCHED = {"state": "pitched", "at": [0, 0], "items": {"consumable": 2, "rope": 1}}
AWAY = {"state": "pitched", "at": [0, 1], "items": {"consumable": 2, "rope": 1}}


@pytest.mark.parametrize(("camp", "held"), [(PITCHED, Items(consumable=2, rope=1)), (AWAY, NOTHING)])
def test_the_form_of_a_pack_tells_what_the_camp_holds_that_is_filled_again(camp: Any, held: Items) -> None:
    """Rule 6.2: a camp pitched on the base is filled again with the backpack."""
    player = state(ana=team(camp=camp)).teams[0]
    limits = pack_form(player, free=False).limits
    assert limits.camp_held == held
    # Pitched or packed, it takes no more of the backpack than it does.
    assert limits.camp_fills == 0
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
    has, ahead = ADVICE.assets(now, 0)
    assert (has < STRANDED / 2) == stranded
    assert ahead == 0.0 or not stranded


def north(far: int, time: int) -> Trip:
    """A trip straight to the north that turns home there and then."""
    trail = None
    for y in range(1, far + 1):
        trail = Trail(Move((0, -y), "foot"), 0, trail, (Move((0, -1), "foot"), 0))
    return Trip(0.0, time, (0, -far), Label(0.0, far, 0, 0, 0, 0, trail))


HOME = Move((0, 0), "foot")
OUT, BACK = north(3, 0).label.trail, Trail(HOME, 0, None, (HOME, 0))


def test_who_finds_nothing_with_a_full_backpack_packs_another_one_and_does_not_wait_for_ever() -> None:
    """Rule 2.3: the dive next to the base needs oxygen, and the exits are further than four meals last."""
    far = [tile(0, y, sides="NS") for y in (*range(-15, -1), *range(2, 16))]
    base = tile(0, 0, "base", "NS", start=True)
    now = state(base, tile(0, -1, "water", "NS"), *far, ana=team(consumable=4, rope=4))
    (first, *_) = options(now, 0, EVERY)
    assert first.score > 0
    assert isinstance(first.actions[0], Pack)
