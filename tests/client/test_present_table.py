"""Header, luggage, supplies, countdown and standings as plain data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave.the_cave import actions as act
from cave.the_cave.routes import way_home
from cave.the_cave.state import Items
from client.games.the_cave import facts, supplies
from client.games.the_cave.face import FACE
from client.games.the_cave.facts import luggage
from client.table import TableState
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, packed, position


def state_of(start: Any, mine: tuple[int, ...] = (0,), **more: Any) -> TableState:
    return FakeSession(start=start, mine=mine, **more).state


def food(start: Any, seat: int = 0) -> supplies.Supplies:
    return supplies.supplies(start, seat, way_home(start, seat))


def test_who_is_waited_for_by_a_player_and_by_a_watcher() -> None:
    assert FACE.scene(state_of(position(), mine=(1,)), None).waits_for == "Waiting for A Ann."
    assert FACE.scene(state_of(position(), mine=()), None).waits_for == "Turn of A Ann."


def test_while_packing_it_is_waited_for_those_who_have_not_packed() -> None:
    start = GAME.new(2, {}, "s")
    start = GAME.apply(start, 1, act.Pack(Items(1))).state
    assert FACE.scene(state_of(start), None).waits_for == "Packing: Ann."


def test_modes() -> None:
    assert FACE.scene(state_of(position()), None).mode == "acting"
    assert FACE.scene(state_of(position(), (1,)), None).mode == "waiting"
    assert FACE.scene(state_of(position(), ()), None).mode == "watching"
    assert FACE.scene(state_of(GAME.new(2, {}, "s")), None).mode == "packing"
    starving = position(turn={"seat": 0, "ap": 5, "phase": "starving"})
    assert FACE.scene(state_of(starving), None).mode == "starving"


def test_luggage_counts_the_slots_of_which_a_packed_camp_takes_two() -> None:
    """Rule 2.3."""
    backpack, camp = luggage(packed(kit=Items(2, 1)).teams[0], 0)
    assert (backpack.text, backpack.note) == ("2 consumables, 1 rope", "3 of 8 slots")
    assert (camp.text, camp.note) == ("", "at the base")
    start = GAME.new(2, {}, "s")
    start = GAME.apply(start, 0, act.Pack(Items(2, 1, 1, 0, 1, 1), Items(1, 1))).state
    backpack, camp = luggage(start.teams[0], 0)
    assert backpack.note == "8 of 8 slots"
    assert backpack.facts[-1] == "the camp"
    assert (camp.note, camp.text) == ("2 of 4, packed", "1 consumable, 1 rope")


def test_consumables_against_the_way_home() -> None:
    found = food(position())
    assert found.text == "3 consumables, home 1 AP"
    assert not found.short
    tired = food(position(turn={"seat": 0, "ap": 0, "phase": "actions"}))
    assert tired.text == "3 consumables, home 1 AP, 1 more turn"
    assert food(position(), 1).text == "2 consumables, at the base"


def test_too_few_consumables_are_said() -> None:
    teams_ = [
        {"name": "Ann", "at": [2, 0], "backpack": {"consumable": 1, "oxygen": 1}},
        {"name": "Bea", "at": [0, 0]},
    ]
    found = food(position(teams=teams_, turn={"seat": 0, "ap": 0, "phase": "actions"}))
    assert not found.short
    found = msgspec.structs.replace(found, eats=2)
    assert found.short
    assert found.verdict == "too few consumables"


@pytest.mark.parametrize(
    ("phase", "ap", "words"),
    [
        ("starving", 5, "home in 2 forced moves: starving"),
        ("actions", 0, "home in 2 forced moves: starving from the next turn on"),
        ("actions", 1, "home 6 AP, 1 more turn: starving from the next turn on"),
    ],
)
def test_who_has_nothing_to_eat_is_told_of_starving(phase: str, ap: int, words: str) -> None:
    """Rule 3.2: with nothing to eat the whole turn is one forced move."""
    teams_ = [{"name": "Ann", "at": [2, 0], "backpack": {}}, {"name": "Bea", "at": [0, 0]}]
    found = food(position(teams=teams_, turn={"seat": 0, "ap": ap, "phase": phase}))
    assert found.text == f"no consumables, {words}"


def test_countdown_is_loud_and_says_when_it_is_too_late() -> None:
    start = position(turns_left=1, stacks=[[], [], [], []], turn={"seat": 0, "ap": 0, "phase": "actions"})
    found = food(start)
    assert found.text == (
        "LAST ROUNDS: 1 turn left, home in 2 turns (1 AP): too late to get home; 3 consumables"
    )
    assert found.late
    assert found.verdict == "too late to get home"


def test_standing_rows_tell_points_and_bonus_apart() -> None:
    start = position(
        teams=[
            {"name": "Ann", "at": [1, 0], "tokens": {"traverse": 2, "water": 1}},
            {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 2}, "tokens": {"traverse": 1}},
        ]
    )
    state = state_of(start)
    ann, bea = facts.team_rows(state, state.view)
    assert (ann.points, ann.bonus) == (7, 16)  # 2 x 2 + 3; twice the most (rules 7.4, 7.5)
    assert (bea.points, bea.bonus) == (2, 4)
    assert ann.turn
    assert ann.mine
    assert ann.leads
    assert ann.hungry
    assert (ann.way_home, bea.way_home) == ("home in this turn", "at the base")
    assert not bea.hungry
    tokens = {row.name: row.cells for row in facts.token_rows(state.view)}
    assert tokens["traverse"] == ((2, 8), (1, 4))
    assert tokens["water"] == ((1, 8), (0, 0))


def test_packs_of_others_are_not_told_while_packing() -> None:
    state = state_of(GAME.new(2, {}, "s"), (0,))
    rows = facts.team_rows(state, state.views[0])
    assert [row.consumables for row in rows] == [0, None]
