"""The points over a game, from its record."""

from __future__ import annotations

from cave.games import get
from client.games.the_cave.face import FACE
from client.replay.points import points, points_of
from tests.client.played import replay_of, session_of, whole_game

GAME = get("the-cave")


def test_there_is_a_value_for_the_start_and_for_every_round() -> None:
    """A round is a turn of each team (rule 2.4); the last value is the result."""
    data = whole_game(("Ann", "Bea", "Cyd"))
    found = points(FACE, replay_of(data))
    turns = session_of(data).turns
    assert found.names == ("Ann", "Bea", "Cyd")
    assert {len(values) for values in found.series} == {1 + len(turns) // 3}
    assert [values[0] for values in found.series] == [0, 0, 0]
    result = GAME.standing(replay_of(data).final)
    assert [values[-1] for values in found.series] == [line.total for line in result]


def test_values_are_those_at_the_end_of_each_round() -> None:
    data = whole_game()
    found, session = points(FACE, replay_of(data)), session_of(data)
    for number in range(1, len(found.series[0]) - 1):
        session.go(session.turns[2 * number].step)  # the first team's turn of the next round
        assert [line.total for line in session.state.view.standing] == [
            values[number] for values in found.series
        ]


def test_the_end_is_marked_in_the_round_in_which_it_is_triggered() -> None:
    """Rule 7.2: that round is played to its end, and three more."""
    found = points(FACE, replay_of(whole_game()))
    assert found.end == len(found.series[0]) - 1 - 3


def test_the_record_of_an_unfinished_game_ends_with_what_there_is() -> None:
    lines = whole_game().splitlines(keepends=True)
    found = points(FACE, replay_of(b"".join(lines[:30])))
    assert found.end is None
    session = session_of(whole_game())
    session.go(29)
    assert [values[-1] for values in found.series] == [line.total for line in session.state.view.standing]


def test_lines_that_are_no_record_give_nothing() -> None:
    assert points_of(FACE, []) is None
    assert points_of(FACE, [{"format": "cave-record"}]) is None
