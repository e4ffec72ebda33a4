"""Prospects of a spelunker: ways, the way home, odds, rotations."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from cave.caves_of_casadh.scoring import (
    Journey,
    damage_at,
    hazard_odds,
    mp_home_by_passage,
    reachable_passages,
    reachable_ways,
    way_home,
)
from cave.caves_of_casadh.state import cell_of
from tests.cave.caves_of_casadh.builders import GAME, do, explore, inside, laid, offered, out, play, state
from tests.cave.caves_of_casadh.test_conformance import wanderer
from tests.effort import effort


def test_the_way_home() -> None:
    hexes = [
        laid((0, -1), "L1-02", token=True),
        laid((0, -2), "L1-01"),
        laid((1, -2), "L1-28"),
        laid((1, -1), "L2-14", 0),
    ]
    now = state(inside((0, -2)), hexes=hexes)
    assert way_home(now, 0) == Journey(((0, -1), (0, 0)), 2, 1)
    assert way_home(now, 1) == Journey((), 0, 0), "Bo is there"
    healthy = state(inside((1, -2)), hexes=hexes)
    # Three MP past the bats, or two through L2-14, whose passage 0 leads N, SE and SW.
    assert way_home(healthy, 0) == Journey(((1, -1), (0, 0)), 2, 0)


def test_there_may_be_no_way_home() -> None:
    # Passage 1 of L1-14 leads S, SW and NW; the slope leads down to it from passage 0, at N, NE and SE.
    hexes = [laid((0, 1), "L1-14", 0)]
    below = state(inside((0, 1), 1), hexes=hexes)
    assert way_home(below, 0) is None
    assert way_home(state(inside((0, 1), 1, items=["rope"]), hexes=hexes), 0) == Journey(((0, 0),), 1, 0)
    barred = state(inside((0, -2)), hexes=[laid((0, -1), "L1-06", grues=1), laid((0, -2), "L1-01")])
    assert way_home(barred, 0) is None
    assert way_home(state(out(), inside(), seat=1), 0) is None


def test_odds_of_the_next_icon() -> None:
    hexes = [laid((0, -1), "L1-02"), laid((0, -2), "L1-03"), laid((0, 1), "L1-06")]
    now = state(inside(), hexes=hexes, vengeance=2)
    assert hazard_odds(now, "bats") == Fraction(2, 6)
    assert hazard_odds(now, "methane") == 0
    assert hazard_odds(now, "grue") == Fraction(3, 6)
    assert hazard_odds(state(inside(), hexes=hexes, vengeance=20), "grue") == 1
    assert hazard_odds(state(inside(), hexes=hexes, settings={"die_sides": 10}), "bats") == Fraction(1, 5)


@pytest.mark.parametrize("roll", range(1, 7))
def test_the_odds_are_those_of_the_roll(roll: int) -> None:
    """With two bat icons and a third one, exactly two of the six rolls place bats."""
    hexes = [laid((0, -1), "L1-02"), laid((0, -2), "L1-03")]
    now = state(inside(), hexes=hexes, pile=["L1-20"], dice=[roll])
    laid_ = play(now, explore(0, 1), {"type": "place", "rotation": 0})
    assert laid_.map[0, -1].token == (roll <= 6 * hazard_odds(now, "bats"))


def legal_steps(now: Any) -> set[Any]:
    return {tuple(each["action"]["to"]) for kind in ("move", "explore") for each in offered(now, kind)}


@pytest.mark.parametrize("seed", range(effort(4, 40)))
def test_prospects_agree_with_the_rules(seed: int) -> None:
    """In whole games: each way is possible, with its damage; the way home is that of ``homeward``."""
    rng, now = Random(seed), GAME.new(2 + seed % 5, {}, str(seed))
    while not GAME.over(now) and now.round < 40:
        seat = now.seat
        if now.phase == "actions" and rng.random() < 0.2:
            player = now.players[seat]
            found = reachable_ways(now, seat)
            assert {way.to for way in found if not way.slides} == legal_steps(now)
            for way in found:
                slid = play(now, *({"type": "slide", "passage": each} for each in way.slides))
                step = do(slid, {"type": way.kind, "to": list(way.to)})
                if way.kind == "move":
                    hurt = [each for each in step.events if each.type == "damaged" and each.seat == seat]
                    assert min(1, len(hurt)) == way.damage == damage_at(now, way.to, player.items)
            home = way_home(now, seat)
            spot = (cell_of(now, seat), player.passage)
            assert (home and home.mp) == mp_home_by_passage(now, player.items).get(spot)
            assert all(way.mp == len(way.hexes) for way in reachable_passages(now, seat).values())
        now = GAME.apply(now, seat, wanderer(GAME, now, seat, rng)).state


def test_prospects_can_be_computed_from_a_view() -> None:
    rng, now = Random(3), GAME.new(4, {}, "view")
    for _ in range(200):
        seat = now.seat
        if seat is None:
            break
        seen = GAME.view_from_json(GAME.view_json(GAME.view(now, seat))).cave
        assert reachable_ways(seen, seat) == reachable_ways(now, seat)
        if now.players[seat].state == "in":
            assert way_home(seen, seat) == way_home(now, seat)
        now = GAME.apply(now, seat, wanderer(GAME, now, seat, rng)).state
