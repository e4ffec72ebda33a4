"""The turns of a finished game: the same for a replay, an analysis and a simulation, in every game."""

from __future__ import annotations

from random import Random

import pytest

from cave import games, record
from cave.game import AnyGame, Idea, Json
from cave.sir_ocelots_cave.state import TURNS
from client import game_history
from client.games import get_face as face_of
from client.lab.analysis import judge_turns as analysed
from client.lab.analysis import judging_tasks, stretches_to_judge
from client.lab.series import Series, play_game
from tests.effort import effort

PLAYED: list[tuple[str, int, Json]] = [
    ("the-cave", 3, {}),
    ("sir-ocelots-cave", 2, {}),
    ("caves-of-casadh", 3, {}),
    ("cave-vs-cave", 1, {}),
    ("cave-vs-cave", 2, {}),
    ("cave-vs-cave", 2, {"edition": "era-1-2"}),
]
MOST = 300


def wandered(game: AnyGame, seats: int, settings: Json, seed: str) -> record.Replay:
    """A game of some hundred random steps."""
    rng, state = Random(seed), game.new(seats, settings, seed)
    sitting = [record.SeatForm(f"P{seat}") for seat in range(seats)]
    lines = [record.header_line(game, settings, sitting, seed=seed, created="")]
    while (ready := game.to_act(state)) and len(lines) <= MOST:
        seat = min(ready)
        action = game.sample(rng.choice(game.choices(state, seat)), rng)
        state = game.apply(state, seat, action).state
        lines.append(record.action_line(seat, game.action_json(action)))
    return record.replay(record.write(lines).splitlines())


def turns_of(played: record.Replay) -> tuple[game_history.Turn, ...]:
    game = played.game
    return game_history.turns_in(face_of(game.name), game.view(played.start, None), game_history.log_in(played))


@pytest.mark.parametrize(("name", "seats", "settings"), PLAYED)
def test_each_turn_contains_exactly_the_actions_of_its_seat(name: str, seats: int, settings: Json) -> None:
    game = games.get_game(name)
    for number in range(effort(2, 20)):
        played = wandered(game, seats, settings, f"turns {number}")
        turns, found = turns_of(played), stretches_to_judge(played)
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        assert found
        for stretch in found:
            turn = turns[stretch.turn]
            assert turn.seat == stretch.seat
            assert turn.step <= stretch.first
            if stretch.turn + 1 < len(turns):
                assert stretch.end <= turns[stretch.turn + 1].step
        # Every step after the start of the first turn is in one of them.
        assert [stretch.first for stretch in found[1:]] == [stretch.end for stretch in found[:-1]]


def test_a_turn_of_cave_vs_cave_begins_before_its_tile_is_taken() -> None:
    """Rule 3.1: in the first rounds two turns each, alternating."""
    turns = turns_of(wandered(games.get_game("cave-vs-cave"), 2, {}, "begins"))
    first = turns[0].seat
    assert [(turn.seat, turn.number) for turn in turns[:4]] == [(first, 1), (1 - first, 2), (first, 3), (1 - first, 4)]
    assert turns[0].step == 0


def test_a_replay_counts_the_turns_as_the_screen_of_sir_ocelot_does() -> None:
    """Rule 6.1: the game has 32 turns, counted over both players."""
    played = wandered(games.get_game("sir-ocelots-cave"), 2, {}, "track")
    turns = turns_of(played)
    for turn in turns:
        assert turn.number == TURNS - played.state_after(turn.step).turns_left + 1
    assert {turn.seat for turn in turns} == {0, 1}


@pytest.mark.parametrize(("name", "seats", "settings"), PLAYED)
def test_a_turn_has_one_number_in_replay_and_analysis(name: str, seats: int, settings: Json) -> None:
    played = wandered(games.get_game(name), seats, settings, "numbers")
    found, nothing = stretches_to_judge(played), Idea(None, 0.0, 0.0)
    results = [(task, None if task.end else nothing) for task in judging_tasks(found)]
    steps = {turn.number: turn.step for turn in turns_of(played)}
    judged = analysed(found, results)
    assert len(judged) > 3
    for turn in judged:
        assert steps[turn.number] <= turn.step < steps.get(turn.number + 1, len(played.steps))


def test_alone_a_simulated_game_has_as_many_turns_as_its_record() -> None:
    series = Series("cave-vs-cave", ("novice",), seed="alone")
    outcome = play_game(series, 0)
    assert outcome.turns == len(turns_of(wandered(games.get_game("cave-vs-cave"), 1, {}, "alone"))) == 19
