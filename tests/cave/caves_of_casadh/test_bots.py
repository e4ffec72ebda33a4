"""The bots: they see no more than their view, give the same action for it, plan soundly, and end."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cave.caves_of_casadh import fortune, guide
from cave.caves_of_casadh.actions import Leave
from cave.caves_of_casadh.advice import ADVICE
from cave.caves_of_casadh.atlas import Atlas
from cave.caves_of_casadh.fortune import Luck, Rival
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.guide import Look
from cave.caves_of_casadh.outlook import Outlook
from cave.caves_of_casadh.prospects import homeward, reach
from cave.caves_of_casadh.state import State
from cave.game import Json
from tests.bench.ladder import play
from tests.cave.caves_of_casadh.builders import DEAD, inside, laid, out, position
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, wanderer
from tests.effort import THOROUGH, effort

EVERY = Look(every=True)


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """The action of a bot of this level, from what the host sends."""
    assert state.seat is not None
    view = GAME.view_json(GAME.view(state, state.seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, state.seat)]
    return GAME.bots[level](json.loads(json.dumps(view)), json.loads(json.dumps(choices)), seed)


def guided(seed: str, steps: int, seats: int = 3, settings: Json = None) -> State:
    """A game after some steps of guides; the last that somebody has to act in, if it ended before."""
    now = GAME.new(seats, settings or {}, seed)
    for _ in range(steps):
        assert now.seat is not None
        step = GAME.apply(now, now.seat, guide.decide(GAME.view(now, now.seat).cave, now.seat)).state
        if step.seat is None:
            break
        now = step
    return now


def wandered(seed: int, steps: int, settings: str) -> State:
    """A game after some steps of somebody who does anything."""
    seats, chosen = SETTINGS[settings]
    rng, now = Random(seed), GAME.new(seats, chosen, str(seed))
    for _ in range(steps):
        assert now.seat is not None
        step = GAME.apply(now, now.seat, wanderer(GAME, now, now.seat, rng)).state
        if step.seat is None:
            break
        now = step
    return now


@pytest.mark.parametrize("level", GAME.bots)
@pytest.mark.parametrize("steps", [0, 41, 110])
def test_the_same_view_and_seed_give_the_same_action(level: str, steps: int) -> None:
    now = guided("same", steps)
    assert asked(now, level) == asked(now, level)


@pytest.mark.parametrize("level", GAME.bots)
def test_what_is_hidden_changes_nothing(level: str) -> None:
    """Rule 6.3: piles, bag, and treasures of others are dealt anew, and the action stays."""
    for steps in (30, 62, 95):
        now = guided(f"hidden {steps}", steps)
        assert now.seat is not None
        first = asked(now, level)
        others = [GAME.imagine(GAME.view(now, now.seat), str(number)) for number in range(2)]
        assert all(other.players != now.players or other.bag != now.bag for other in others)
        assert all(asked(other, level) == first for other in others)


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_guide_that_is_shown_all_looks_at_no_more(settings: str) -> None:
    """In playouts the state knows all; what the guide does there must not follow from what is hidden."""
    for seed in range(effort(3, 30)):
        now = wandered(seed, 25 + 20 * seed, settings)
        assert now.seat is not None
        view = GAME.view(now, now.seat)
        found = guide.plans(view.cave, now.seat, EVERY)
        for number in range(3):
            assert guide.plans(GAME.imagine(view, str(number)), now.seat, EVERY) == found


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_the_guide_offers_is_legal(settings: str) -> None:
    for seed in range(effort(4, 40)):
        now = wandered(100 + seed, 20 + 15 * seed, settings)
        assert now.seat is not None
        found = guide.plans(now, now.seat, EVERY)
        assert len({plan[0] for plan in found}) == len(found) >= 1
        assert found[0] == guide.plans(now, now.seat, Look())[0], "the best is the first"
        for plan in found:
            GAME.apply(now, now.seat, plan[0])


def test_a_hint_is_what_the_expert_does() -> None:
    for steps in range(0, 60, 6):
        now = guided("hint", steps)
        assert now.seat is not None
        view = GAME.view_json(GAME.view(now, now.seat))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(now, now.seat)]
        assert GAME.advise(view, choices)[0].action == asked(now, "expert")


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_atlas_has_the_ways_that_the_prospects_have(settings: str) -> None:
    """Where nothing hurts, its ways are the shortest; where something does, they are no shorter."""
    for seed in range(effort(4, 40)):
        now = wandered(200 + seed, 30 + 25 * seed, settings)
        for seat, player in enumerate(now.players):
            if player.state != "in":
                continue
            atlas, ways, home = Atlas(now, seat), reach(now, seat), homeward(now, player.items)
            assert atlas.reach.keys() == ways.keys()
            assert atlas.home.keys() == home.keys()
            harmless = not any(laid.token for laid in now.map.values())
            for spot, leg in atlas.reach.items():
                assert leg.mp >= ways[spot].mp
                assert leg.mp == ways[spot].mp or not harmless
                assert sum(a[0] != b[0] for a, b in _steps(atlas, spot)) == leg.mp
            assert all(leg.mp >= home[spot] for spot, leg in atlas.home.items())
            assert all(leg.mp == home[spot] for spot, leg in atlas.home.items() if harmless)


def _steps(atlas: Atlas, spot: Any) -> list[tuple[Any, Any]]:
    path = [atlas.here, *atlas.path(spot)]
    return list(pairwise(path))


# Chances

RIVALS = (Rival(50, 13, 0.1), Rival(62.5, 3, 0.0))
LUCK = Luck(damage=0.2, icons=(0.5, 0.4, 0.1), worth=6, ends=0.03)


def test_more_treasure_and_more_strength_are_never_worse() -> None:
    rows = fortune.table(RIVALS, LUCK)
    for row in rows:
        assert list(row) == sorted(row)
        assert 0 <= row[0] <= row[-1] <= 1
    for weak, strong in pairwise(rows):
        assert all(a <= b for a, b in zip(weak, strong, strict=True))
    assert set(rows[0]) == {0.0}


def test_who_goes_on_where_nothing_is_left_has_no_more_than_who_stops() -> None:
    rows = fortune.table(RIVALS, Luck(damage=0.2, icons=(0.5, 0.4, 0.1), worth=6, ends=1.0))
    for strength in range(1, fortune.STRONGEST + 1):
        for points in (0, 30, 60, 90):
            stop = fortune.WAY_HOME[strength] * fortune.beats(RIVALS, points)
            assert rows[strength][points] == pytest.approx(stop)


def test_against_nobody_any_treasure_wins() -> None:
    assert fortune.beats((), 0) == 1
    now = GAME.from_position(position(inside(treasures=[3]), DEAD, pile=["L1-03"]))
    assert Outlook(now, 0).leaving(3, 4) > 0.98


def test_placing_the_hex_in_hand_changes_nothing_of_what_is_to_come() -> None:
    now, placed = GAME.new(3, {}, "hand"), 0
    while now.seat is not None and placed < effort(6, 40):
        step = GAME.apply(now, now.seat, guide.decide(now, now.seat)).state
        if now.phase == "placing":
            before, after = Outlook(now, now.seat), Outlook(step, now.seat)
            assert (before.deep, before.damage) == (after.deep, after.damage)
            placed += 1
        now = step
    assert placed


def chance_of(points: int, rival: Json, surface: tuple[int, ...] = ()) -> float:
    """The chance to win with these points against one rival, when one goes home now."""
    now = GAME.from_position(position(inside(), rival, pile=["L1-03", "L1-01"], surface=[*surface]))
    return Outlook(now, 0).leaving(points, 9)


def test_a_rival_with_a_medkit_is_harder_to_outlive() -> None:
    assert chance_of(40, inside(hp=1)) > chance_of(40, inside(hp=1, items=["medkit"]))


def test_a_rival_in_the_caves_will_have_more_than_it_has() -> None:
    rich = [9, 9, 9, 8, 8, 8, 7, 7, 7, 6, 6, 6]
    for points in (60, 70, 80):
        assert chance_of(points, inside(treasures=rich)) < chance_of(points, out(treasures=rich))


def test_what_is_left_on_the_surface_goes_to_the_next_who_leaves() -> None:
    """Rule 9.2: who leaves first takes the two highest, and a rival two of what is left."""
    assert chance_of(50, inside(), (9, 9, 0, 0)) > chance_of(50, inside(), (9, 9, 9, 9))


def test_the_chances_of_all_seats_make_up_one() -> None:
    for steps in (0, 40, 120, 200):
        now = guided("value", steps, seats=4)
        values = ADVICE.value(now)
        assert sum(values) == pytest.approx(1)
        assert all(
            (value > 0) == (player.state != "dead") for value, player in zip(values, now.players, strict=True)
        )


def test_a_turn_of_who_is_alone_in_the_caves_is_one_turn() -> None:
    """Rule 3.2: the others are out, and the same seat acts again in the next round."""
    now = GAME.from_position(position(inside(), out(), pile=["L1-03"]))
    after = GAME.apply(now, 0, GAME.idle(now, 0)).state
    assert GAME.to_act(after) == GAME.to_act(now)
    assert ADVICE.turn(after) != ADVICE.turn(now)


# What a guide knows

PLANNERS = ("guide", "expert")


@pytest.mark.parametrize("level", PLANNERS)
def test_when_all_rivals_are_dead_it_leaves(level: str) -> None:
    """Rule 9.4: whoever gets out wins then, with however little."""
    now = GAME.from_position(position(inside(treasures=[1]), DEAD, pile=["L1-03", "L1-01"]))
    assert asked(now, level) == {"type": "leave"}


@pytest.mark.parametrize("level", PLANNERS)
def test_it_explores_at_first(level: str) -> None:
    assert asked(GAME.new(2, {}, "first"), level)["type"] == "explore"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_goes_home_before_the_round_limit(level: str) -> None:
    """Rule 9.5: who is still in the caves when the last round is over dies."""
    hexes = [laid((0, -1), "L1-01"), laid((0, -2), "L1-28", treasures=[{"value": 9}])]
    now = position(
        inside((0, -1), treasures=[9]), hexes=hexes, pile=["L1-03"], round=15, settings={"round_limit": 15}
    )
    assert asked(GAME.from_position({**now, "turn": {**now["turn"], "mp": 2}}), level)["to"] == [0, 0]
    assert asked(GAME.from_position({**now, "round": 9}), level)["type"] != "leave"


@pytest.mark.parametrize("level", PLANNERS)
def test_it_uses_a_medkit_and_walks_off_dynamite(level: str) -> None:
    assert asked(GAME.from_position(position(inside(hp=1, items=["medkit"]))), level) == {
        "type": "use_medkit"
    }
    stick = [laid((0, -1), "L1-01", dynamite=[1])]
    near = position(inside((0, -1)), hexes=stick, mp=1)
    assert asked(GAME.from_position(near), level) == {"type": "move", "to": [0, 0]}


def test_the_guide_sends_a_grue_to_who_dies_of_it() -> None:
    """Rule 8.6: all there take 1 damage."""
    hexes = [laid((0, -1), "L1-06", grues=1), laid((0, -2), "L1-01"), laid((1, -1), "L1-03")]
    players = (out(), inside((0, -2), treasures=[5, 5]), inside((1, -1), hp=1, treasures=[5, 5]))
    now = GAME.from_position(position(*players, hexes=hexes, phase="moving_grue", mp=0))
    assert asked(now, "guide") == {"type": "place_grue", "from": [0, -1], "to": [1, -1]}


# Games


@pytest.mark.parametrize("settings", SETTINGS)
def test_games_of_mixed_levels_end(settings: str) -> None:
    seats, chosen = SETTINGS[settings]
    levels = tuple(("guide", "rookie", "novice")[(seat + seats) % 3] for seat in range(seats))
    assert play(GAME.name, levels, 0, chosen, f"mixed {settings}").finished


@pytest.mark.parametrize("seats", [2, 3])
def test_a_short_game_of_experts_ends(seats: int) -> None:
    levels = ("expert", "guide", "expert")[:seats]
    assert play(GAME.name, levels, 0, {"round_limit": 3}, "experts").finished


def test_guides_among_themselves_do_not_stand_still() -> None:
    for number in range(effort(1, 100)):
        end = guided(f"still {number}", 5000, seats=2 + number % 5)
        assert end.round <= guide.TOO_LATE + 1
        step = GAME.apply(end, min(end.to_act), guide.decide(end, min(end.to_act))).state
        assert GAME.over(step)


def test_the_levels_are_in_order() -> None:
    """Half of what the ladder shows for the guide is enough here, so that luck does not fail it."""
    for weaker, stronger in (("frozen-novice", "frozen-rookie"), ("frozen-rookie", "guide")):
        shares = [
            play(GAME.name, (stronger, weaker)[:: 1 - 2 * seat], seat, {}, f"order {number}").share
            for number in range(effort(4, 60))
            for seat in range(2)
        ]
        assert sum(shares) > len(shares) / 2, (weaker, stronger)


@pytest.mark.skipif(not THOROUGH, reason="takes minutes")
def test_a_game_of_experts_ends() -> None:
    assert play(GAME.name, ("expert", "guide", "expert"), 0, {}, "experts").finished


def test_who_is_home_with_much_more_than_its_rival_leaves() -> None:
    now = GAME.from_position(position(inside(treasures=[9] * 10), inside(hp=1), pile=["L1-03"]))
    assert guide.decide(now, 0) == Leave()


@pytest.mark.parametrize("level", PLANNERS)
def test_beside_dynamite_it_goes_where_nothing_hurts_or_else_defuses_it(level: str) -> None:
    hexes = [laid((0, -1), "L1-24", dynamite=[1]), laid((0, -2), "L1-02", token=True)]
    here = inside((0, -1))
    away = GAME.from_position(position(here, inside(), hexes=hexes, pile=["L1-03"]))
    assert asked(away, level) == {"type": "move", "to": [0, 0]}
    stuck = GAME.from_position(position(here, inside(), hexes=hexes, pile=["L1-03"], mp=0))
    assert asked(stuck, level) == {"type": "defuse", "owner": 1}


@pytest.mark.parametrize(("hp", "defuses"), [(1, False), (3, False), (4, True)])
def test_a_novice_defuses_dynamite_where_it_is_likely_to_succeed(hp: int, defuses: bool) -> None:
    """Rule 7.5: a roll of no more than the HP."""
    hexes = [laid((0, -1), "L1-24", dynamite=[1])]
    now = GAME.from_position(position(inside((0, -1), hp=hp), inside(), hexes=hexes, pile=["L1-03"]))
    found = {asked(now, "novice", str(seed))["type"] for seed in range(20)}
    assert ("defuse" in found) == defuses
    assert not defuses or found == {"defuse"}


def test_a_novice_lays_dynamite_now_and_then() -> None:
    hexes = [laid((0, -1), "L1-24")]
    now = GAME.from_position(position(inside((0, -1), items=["dynamite"]), hexes=hexes, pile=["L1-03"]))
    laid_it = sum(asked(now, "novice", str(seed))["type"] == "deploy" for seed in range(100))
    assert 0 < laid_it < 30


def test_guides_are_home_before_the_round_limit() -> None:
    """Rule 9.5: who is still in the caves then is dead."""
    died = Counter[str]()
    for seed in range(12):
        now = GAME.new(3, {"round_limit": 15}, str(seed))
        while now.seat is not None:
            step = GAME.apply(now, now.seat, guide.decide(GAME.view(now, now.seat).cave, now.seat))
            died.update(event.by for event in step.events if event.type == "died")
            now = step.state
    assert died["time"] <= 3
    assert died.total() <= 8
