"""The bots: plans are what the rules make of them, nobody sees what is hidden, and games come to an end."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Take
from cave.cave_vs_cave.advice import VersusAdvice
from cave.cave_vs_cave.goods import GOLD
from cave.cave_vs_cave.judgement import judgement
from cave.cave_vs_cave.planning import Turn
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.setup import stages
from cave.cave_vs_cave.state import State
from cave.game import Json
from tests.cave.cave_vs_cave.builders import GAME, drafting, position
from tests.cave.cave_vs_cave.builders import player as cave_of
from tests.cave.cave_vs_cave.test_conformance import dweller, twins
from tests.cave.cave_vs_cave.test_rules_4_and_5 import FULL
from tests.effort import effort

TABLES = ((2, "era-1"), (2, "era-1-2"), (2, "era-2"), (1, "era-1"), (1, "era-1-2"))


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """The action of a bot of this level, from what the host sends."""
    assert state.seat is not None
    view = GAME.view_json(GAME.view(state, state.seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, state.seat)]
    return GAME.bots[level](json.loads(json.dumps(view)), json.loads(json.dumps(choices)), seed)


@lru_cache
def novices(seats: int, edition: str) -> tuple[State, ...]:
    """The states of a game of novices."""
    now = GAME.new(seats, {"edition": edition}, f"novices of {edition}")
    found = [now]
    while now.seat is not None:
        action = asked(now, "novice", str(len(found)))
        now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, action)).state
        found.append(now)
    return tuple(found)


@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_a_game_of_novices_ends(seats: int, edition: str) -> None:
    assert novices(seats, edition)[-1].phase == "over"
    assert len(novices(seats, edition)) < 400


@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_planned_turns_are_legal_and_come_to_what_was_planned(seats: int, edition: str) -> None:
    """Goods and caves are those of the rules, blue rooms, bonuses and exchanges included."""
    checked = 0
    for state in novices(seats, edition)[::9]:
        seat = state.seat
        if seat is None or state.phase not in ("take", "actions"):
            continue
        mind = judgement(state, seat)
        tiles = [each.action for each in GAME.choices(state, seat) if isinstance(each.action, Take)]
        if state.phase == "take":
            turns = [Turn(state, seat, take.tile, mind) for take in tiles]
            starts = [turn.begin((take,)) for turn, take in zip(turns, tiles, strict=True)]
        else:
            turns = [Turn(state, seat, state.tile, mind)]
            starts = [turns[0].now()]
        for turn, start in zip(turns, starts, strict=True):
            for node in turn.ends([start], 2):
                now = state
                for action in node.actions:
                    now = apply(now, seat, action).state
                own, planned = now.players[seat], node.shape.player
                assert own.goods == node.goods, node.actions
                assert own == replace(planned, goods=own.goods, covered=own.covered), node.actions
                assert own.covered.keys() == planned.covered.keys(), node.actions
                checked += 1
    assert checked > 50


@pytest.mark.parametrize("level", GAME.bots)
@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_what_is_hidden_changes_nothing(level: str, seats: int, edition: str) -> None:
    """Rule 2.3: rooms, piles, tiles and Era II are dealt anew, and the action stays."""
    states = novices(seats, edition)
    for number in (0, len(states) // 3) if level == "expert" else range(0, len(states) - 1, effort(46, 23)):
        now = states[number]
        first = asked(now, level)
        assert asked(now, level) == first
        others = [*twins(now, now.seat, Random(number))]
        assert any(other != now for other in others)
        assert asked(others[0], level) == first


@pytest.mark.parametrize(
    "levels", [("rookie", "guide"), *effort(0, 1) * [("guide", "novice"), ("novice", "rookie")]]
)
@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_whoever_goes_on_from_a_game_at_random_ends_it(
    levels: tuple[str, str], seats: int, edition: str
) -> None:
    """Also from where no bot would have come to. Who is alone is played by both in turn."""
    rng, now = Random(edition), GAME.new(seats, {"edition": edition}, "at random")
    for _ in range(40):
        assert now.seat is not None
        now = GAME.apply(now, now.seat, dweller(GAME, now, now.seat, rng)).state
    for number in range(400):
        if now.seat is None:
            break
        action = asked(now, levels[now.seat if seats > 1 else number % 2], str(number))
        now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, action)).state
    assert now.phase == "over"


def test_the_expert_plays_on_to_the_end() -> None:
    now = novices(2, "era-1")[-30]
    for number in range(60):
        if now.seat is None:
            break
        action = asked(now, "expert" if now.seat == 0 else "guide", str(number))
        now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, action)).state
    assert now.phase == "over"


@pytest.mark.parametrize(("strong", "weak"), [("rookie", "novice"), ("guide", "rookie")])
def test_levels_are_in_order(strong: str, weak: str) -> None:
    """A game or two with each seat, all points together."""
    lead = 0.0
    for seed in ("one", "two")[: effort(1, 2)]:
        for seat in (0, 1):
            now, number = GAME.new(2, {}, seed), 0
            while now.seat is not None:
                level = strong if now.seat == seat else weak
                action = asked(now, level, f"{seed} {number}")
                now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, action)).state
                number += 1
            totals = [line.total or 0 for line in GAME.standing(now)]
            lead += totals[seat] - totals[1 - seat]
    assert lead > 0


def last_turn(tile: str, **goods: int) -> State:
    """The very last turn of a game, with a tile in hand."""
    others = [each for each in (*stages(1, False)[0], *stages(1, False)[1], "expansion") if each != tile]
    form = position(
        cave_of(goods, {(3, 1): "tunnel"}),
        cave_of(),
        tile=tile,
        number=8,
        before=others[:7],
        display=("shelf", "spinning_wheel", "food_corner"),
    )
    return GAME.from_position({**form, "first": 1})


def played_on(now: State, level: str) -> State:
    """The state after the rest of a turn, as a bot of this level plays it."""
    for _ in range(8):
        if now.seat is None:
            break
        now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, asked(now, level))).state
    return now


@pytest.mark.parametrize("level", ["rookie", "guide", "expert"])
def test_in_the_last_turn_goods_become_a_room(level: str) -> None:
    """Rule 3.5: three emmer become the food that is missing; goods are worth nothing afterwards."""
    now = played_on(last_turn("furnishing", wood=1, emmer=3), level)
    assert now.phase == "over"
    assert "spinning_wheel" in now.players[0].rooms.values()


@pytest.mark.parametrize("level", ["rookie", "guide", "expert"])
def test_nobody_gives_gold_away_in_the_last_turn(level: str) -> None:
    """Rule 6.2: a room of 4 points is not worth five gold exchanged for food."""
    now = played_on(last_turn("housework", wood=1, gold=6), level)
    # One gold buys the furnishing, and one wood the room of four points.
    assert now.players[0].goods[GOLD] == 5
    assert "spinning_wheel" in now.players[0].rooms.values()


def test_plans_end_with_the_turn_or_where_a_room_is_dug_up() -> None:
    advice = VersusAdvice()
    for state in novices(2, "era-1")[::31]:
        if state.seat is None:
            continue
        view = GAME.view(state, state.seat)
        plans = advice.plans(view, GAME.choices(state, state.seat), Random(0), advice.most)
        assert 1 <= len(plans) <= advice.most
        assert len({repr(plan) for plan in plans}) == len(plans)
        for plan in plans:
            now = state
            for action in plan[:-1]:
                now = apply(now, state.seat, action).state
                assert now.display == state.display or len(now.display) < len(state.display)
            assert plan[-1].type in ("end_turn", "excavate", "use_room")


@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_what_the_advice_remembers_changes_nothing(seats: int, edition: str) -> None:
    """Also where somebody comes back to an earlier state, or to one of another world."""
    remembers = VersusAdvice()
    states = novices(seats, edition)[:-1:7]
    for now in (*states, *reversed(states)):
        assert now.seat is not None
        for each in (now, *twins(now, now.seat, Random(0))):
            assert remembers.follow(each, now.seat, Random(0)) == VersusAdvice().follow(
                each, now.seat, Random(0)
            )


def draft_of(*shown: str) -> State:
    return drafting(cave_of(), cave_of(), display=shown, pile=("bakehouse", "stall"))


@pytest.mark.parametrize("level", ["rookie", "guide", "expert"])
def test_many_points_are_drafted_first_where_they_need_no_wall(level: str) -> None:
    """Rule 8.2: at (4, 2) three walls are printed."""
    drafted = asked(draft_of("shelf", "secret_chamber", "state_room", "dungeon"), level)
    assert drafted == {"type": "draft", "room": "state_room", "at": [4, 2]}


@pytest.mark.parametrize("level", ["rookie", "guide", "expert"])
def test_a_space_with_food_under_it_is_covered(level: str) -> None:
    """Rule 8.5: whoever digs it up again has the food, and else nobody."""
    now = drafting(cave_of(), cave_of(), pile=("bakehouse", "stall"), turn={"phase": "cover"})
    assert tuple(asked(now, level)["at"]) in ((1, 1), (3, 1))


@pytest.mark.parametrize("level", ["rookie", "guide", "expert"])
def test_the_space_where_the_best_room_fits_is_not_covered(level: str) -> None:
    """Rule 8.5: what stays free can be furnished in Era II at once."""
    free = ((0, 0), (4, 2))
    full = {at: room for at, room in FULL.items() if at not in free}
    now = drafting(
        cave_of({}, full),
        cave_of(),
        display=("state_room",),
        pile=("bakehouse", "dungeon"),
        turn={"phase": "cover"},
    )
    assert asked(now, level)["at"] == [0, 0]


@pytest.mark.parametrize("alone", [False, True])
def test_chances_rise_with_gold(alone: bool) -> None:
    state = novices(1 if alone else 2, "era-1")[20]
    rich = replace(
        state.players[0],
        goods=tuple(many + 5 * (good == GOLD) for good, many in enumerate(state.players[0].goods)),
    )
    richer = replace(state, players=(rich, *state.players[1:]))
    before, after = (VersusAdvice().value(each) for each in (state, richer))
    assert all(0 < chance < 1 for chance in (*before, *after))
    assert after[0] > before[0]
    if not alone:
        assert sum(after) == pytest.approx(1)
        assert after[1] < before[1]
