"""The points over a game, from its record."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave import codec, games
from cave.games import get_game
from client import games as faces
from client.game_history import points_in, record_points
from client.games.the_cave.face import FACE
from tests.client.played import replay_of, session_of, whole_game
from tests.playthrough import playthrough, record_file

GAME = get_game("the-cave")


def test_the_start_and_every_round_have_a_value() -> None:
    """A round is a turn of each team (rule 2.4); the last value is the result."""
    data = whole_game(("Ann", "Bea", "Cyd"))
    found = points_in(FACE, replay_of(data))
    turns = session_of(data).turns
    assert found.names == ("Ann", "Bea", "Cyd")
    assert {len(values) for values in found.series} == {1 + len(turns) // 3}
    assert [values[0] for values in found.series] == [0, 0, 0]
    result = GAME.standing(replay_of(data).final_state)
    assert [values[-1] for values in found.series] == [line.total for line in result]


def test_values_are_those_at_the_end_of_each_round() -> None:
    data = whole_game()
    found, session = points_in(FACE, replay_of(data)), session_of(data)
    for number in range(1, len(found.series[0]) - 1):
        session.go_to_step(session.turns[2 * number].step)  # the first team's turn of the next round
        assert [line.total for line in session.state.view.standing] == [values[number] for values in found.series]


def test_the_points_of_an_unfinished_game_end_with_its_last_state() -> None:
    lines = whole_game().splitlines(keepends=True)
    found = points_in(FACE, replay_of(b"".join(lines[:30])))
    assert found.end is None
    session = session_of(whole_game())
    session.go_to_step(29)
    assert [values[-1] for values in found.series] == [line.total for line in session.state.view.standing]


def test_lines_without_a_record_have_no_points() -> None:
    assert record_points(FACE, []) is None
    assert record_points(FACE, [{"format": "cave-record"}]) is None


@pytest.mark.parametrize("name", ["caves-of-casadh", "cave-vs-cave"])
def test_if_the_rules_count_rounds_each_has_a_value_at_its_start(name: str) -> None:
    """The first has the points at the start; the last is the result, with secrets."""
    played, face = playthrough(name), faces.get_face(name)
    found = points_in(face, played)
    numbers = [face.round_number(played.game.view(state, None)) for state in states(played)]
    for each in range(found.count_rounds):
        index = next(at for at, number in enumerate(numbers) if number == numbers[0] + each)
        told = [line.total or 0 for line in played.game.standing(states(played)[index])]
        assert [values[each] for values in found.series] == told
    assert found.count_rounds == numbers[-1] - numbers[0] + 1
    assert found.result == tuple(played.game.standing(played.final_state))
    assert [values[-1] for values in found.series] == [line.total or 0 for line in found.result]


@pytest.mark.parametrize("name", ["the-cave", "caves-of-casadh"])
def test_a_round_running_at_the_start_is_round_one(name: str) -> None:
    """A record cut in two in the middle of a round has that round in both parts, with its number in the rules."""
    played, face = playthrough(name), faces.get_face(name)
    middle = next(
        at
        for at in range(len(played.steps) // 2, len(played.steps))
        if face.round_runs(played.game.view(played.steps[at].state, None))
        and face.round_runs(played.game.view(played.steps[at + 1].state, None))
    )
    first = msgspec.structs.replace(played, steps=played.steps[: middle + 1])
    second = msgspec.structs.replace(played, start=played.steps[middle].state, steps=played.steps[middle + 1 :])
    whole, before, after = (points_in(face, each).count_rounds for each in (played, first, second))
    counted = face.round_number(played.game.view(played.start, None)) is not None
    assert after == (whole if counted else whole + 1 - before)


def test_a_record_without_actions_has_one_unchanged_round() -> None:
    for name in games.game_names():
        played = msgspec.structs.replace(playthrough(name), steps=())
        found = points_in(faces.get_face(name), played)
        assert found.count_rounds == 1
        assert all(first == last for first, last in found.series)
        assert found.end is None


def test_points_have_the_games_words_and_the_mark_of_bots() -> None:
    for name in games.game_names():
        played, face = playthrough(name), faces.get_face(name)
        found = points_in(face, played)
        goal = face.aim(played.game.view(played.start, None))
        assert (found.goal, found.goal_words) == (goal or (None, ""))
        assert found.end_words == face.last_rounds_words()
    played = playthrough("the-cave")
    seats = [msgspec.structs.replace(seat, kind="bot") for seat in played.header.seats]
    header = msgspec.structs.replace(played.header, seats=tuple(seats))
    found = points_in(FACE, msgspec.structs.replace(played, header=header))
    assert found.names == tuple(f"{seat.name} (bot)" for seat in seats)


def test_a_record_in_lines_has_the_points_of_the_game() -> None:
    for name in games.game_names():
        lines = [codec.decode(line) for line in record_file(name).read_bytes().splitlines()]
        assert record_points(faces.get_face(name), lines) == points_in(faces.get_face(name), playthrough(name))


def states(played: Any) -> list[Any]:
    """Return the states of a replayed game."""
    return [played.start, *(step.state for step in played.steps)]
