"""The bots: plans are what the rules make of them, nobody sees what is hidden, and games come to an end."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Take
from cave.cave_vs_cave.judgement import judgement
from cave.cave_vs_cave.planning import Turn
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State
from cave.game import Json
from tests.cave.cave_vs_cave.builders import GAME
from tests.cave.cave_vs_cave.test_conformance import dweller, twins
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
