"""The novice of The Cave runs errands, and now and then goes where its fancy takes it."""

from __future__ import annotations

from random import Random
from typing import Any

from cave.the_cave import errands
from cave.the_cave.actions import Action, Discover, Move, Pack, Place
from cave.the_cave.state import Items
from tests.cave.builders import GAME, state, team, tile


class Mood(Random):
    """Chance that throws one number over and over, but picks as it comes."""

    thrown = 0.0

    def random(self) -> float:
        return self.thrown

    def getrandbits(self, k: int, /) -> int:
        return super().getrandbits(k)


class Sober(Mood):
    """No fancy takes whoever has this chance."""

    thrown = 0.99


def decided(now: Any, decide: Any, chance: type[Random]) -> set[Action]:
    """What a level does with many a chance."""
    view, choices = GAME.view(now, 0), [*GAME.choices(now, 0)]
    return {decide(view, choices, chance(seed)) for seed in range(30)}


OUTSIDE = state(tile(0, -1), tile(0, -2), tile(1, -1, sides="W"), ana=team((0, -1), consumable=3))


def test_a_fancy_takes_the_novice_anywhere_but_by_force() -> None:
    anywhere = {Move((0, -2), "foot"), Move((1, -1), "foot"), Move((0, 0), "foot"), Discover()}
    assert decided(OUTSIDE, errands.decide_as_novice, Mood) == anywhere


def test_without_a_fancy_it_runs_errands() -> None:
    errand = decided(OUTSIDE, errands.decide, Sober)
    assert len(errand) == 1
    assert decided(OUTSIDE, errands.decide_as_novice, Sober) == errand


def test_on_the_base_no_fancy_takes_it_and_it_packs_the_kit_of_rule_2_3() -> None:
    now = state(tile(0, -1, sides="NS"), tile(0, -2, "descent", sides="NS", depth=75))
    usual = Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1)
    assert decided(now, errands.decide, Mood).isdisjoint({Pack(usual)})
    for chance in (Mood, Sober):
        assert decided(now, errands.decide_as_novice, chance) == {Pack(usual)}


def test_it_lays_a_tile_as_it_comes_to_hand() -> None:
    """Rule 4.2: any way that is legal."""
    drawn = {"kind": "plain", "open": "NS"}
    now = state(tile(0, -1), ana=team((0, -1), consumable=3), phase="placing", ap=3, drawn=drawn)
    assert decided(now, errands.decide_as_novice, Sober) == {
        Place((0, -2), 0),
        Place((-1, -1), 1),
        Place((1, -1), 1),
    }
