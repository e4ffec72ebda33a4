"""The bots: plans follow the rules, nobody sees hidden rooms, and games end."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Take
from cave.cave_vs_cave.bots import THOROUGH, turn_options
from cave.cave_vs_cave.judgement import judge_turn_end
from cave.cave_vs_cave.planning import TurnPlanning
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State
from cave.game import Json
from tests.cave.cave_vs_cave.builders import GAME, do, furnish, player
from tests.cave.cave_vs_cave.builders import state as turn_of
from tests.cave.cave_vs_cave.test_rules_4_and_5 import FULL
from tests.cave.conformance import sent

TABLES = ((2, "era-1"), (2, "era-1-2"), (2, "era-2"), (1, "era-1"), (1, "era-1-2"))


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """Return the action of a bot of this level, from the host's data."""
    return GAME.bots[level](*sent(GAME, state, state.seat), seed)


@lru_cache
def novices(seats: int, edition: str) -> tuple[State, ...]:
    now = GAME.new(seats, {"edition": edition}, f"novices of {edition}")
    found = [now]
    while now.seat is not None:
        action = asked(now, "novice", str(len(found)))
        now = GAME.apply(now, now.seat, GAME.decode(now, now.seat, action)).state
        found.append(now)
    return tuple(found)


def test_options_come_best_first_also_those_that_are_not_looked_into() -> None:
    taking = [state for state in novices(2, "era-1") if state.phase == "take"]
    for state in taking[::6]:
        values = [each.value for each in turn_options(state, state.seat or 0, THOROUGH, Random(1))]
        assert len(values) > 10
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(("seats", "edition"), TABLES)
def test_planned_turns_are_legal_and_yield_the_planned_result(seats: int, edition: str) -> None:
    """Goods and caves are those of the rules, blue rooms, bonuses and exchanges included."""
    checked = 0
    for state in novices(seats, edition)[::9]:
        seat = state.seat
        if seat is None or state.phase not in ("take", "actions"):
            continue
        mind = judge_turn_end(state, seat)
        tiles = [each.action for each in GAME.choices(state, seat) if isinstance(each.action, Take)]
        if state.phase == "take":
            turns = [TurnPlanning(state, seat, take.tile, mind) for take in tiles]
            starts = [turn.begin((take,)) for turn, take in zip(turns, tiles, strict=True)]
        else:
            turns = [TurnPlanning(state, seat, state.tile, mind)]
            starts = [turns[0].node_now()]
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


@pytest.mark.parametrize("seed", ["a", "b"])
@pytest.mark.parametrize(
    ("sides", "room", "walls"),
    [("2-3", "weaving_room", 2), ("2-3", "digging_cave", 3), ("3-4", "digging_cave", 3), ("3-4", "secret_chamber", 4)],
)
def test_the_rookie_takes_the_side_on_which_a_room_fits(sides: str, room: str, walls: int, seed: str) -> None:
    """Rule 4.9."""
    rooms = {at: each for at, each in FULL.items() if at != (1, 0)}
    now = turn_of(
        player({"wood": 9, "stone": 5, "food": 9, "gold": 1}, rooms),
        player(),
        tile="housework",
        display=("prospecting_site", room),
        settings={"cavern": sides},
    )
    now = do(now, furnish("prospecting_site", (1, 0), food=2))
    assert now.phase == "cavern"
    assert asked(now, "rookie", seed) == {"type": "take_cavern", "walls": walls}
