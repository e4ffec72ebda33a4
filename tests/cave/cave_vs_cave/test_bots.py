"""The bots: plans are what the rules make of them, nobody sees what is hidden, and games come to an end."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Take
from cave.cave_vs_cave.judgement import judgement
from cave.cave_vs_cave.planning import Turn
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State
from cave.game import Json
from tests.cave.cave_vs_cave.builders import GAME

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
