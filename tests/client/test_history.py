"""The turns of a finished game."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from client import game_history, replay
from client.game_history import Turn
from client.games.the_cave.face import FACE
from client.replay import SPEEDS, Playback, ReplaySession
from client.table import LogLine
from tests.client.game_app import position
from tests.client.played import session_of, whole_game


@pytest.fixture
def session() -> ReplaySession:
    return session_of(whole_game())


def test_every_turn_begins_at_the_step_where_its_team_has_all_its_points(session: ReplaySession) -> None:
    """A turn begins with 5 AP (rule 3), and the teams take turns."""
    seats = [turn.seat for turn in session.turns]
    assert len(seats) > 8
    assert all(seat != after for seat, after in pairwise(seats))
    for turn in session.turns:
        session.go_to_step(turn.step)
        cave = session.state.view.cave
        assert (cave.seat, cave.ap) == (turn.seat, 5)
    assert [turn.number for turn in session.turns] == list(range(1, len(session.turns) + 1))


def test_the_points_of_the_turns_are_the_points_of_the_tokens(session: ReplaySession) -> None:
    sheets = session.state_at_end.view.standing
    for seat, sheet in enumerate(sheets):
        found = sum(turn.points for turn in session.turns if turn.seat == seat)
        if not sheet.note:
            assert found == sum(sheet.points.values())
    assert any(turn.points for turn in session.turns)


def test_a_game_that_begins_in_the_middle_of_a_turn() -> None:
    began = {"type": "turn_began", "seat": 1}
    took = {"type": "took", "seat": 0, "points": 3}
    found = game_history.turns_in(FACE, FACE.game.view(position(), None), [LogLine(1, took), LogLine(4, began)])
    assert found == (Turn(0, 1, 0, 3, 1), Turn(1, 2, 4, 0, 2))


def test_stepping_a_whole_turn_forward_and_back(session: ReplaySession) -> None:
    starts = [turn.step for turn in session.turns]
    session.go_turn(1)
    assert session.step == starts[0]
    session.go_turn(1)
    assert session.step == starts[1]
    session.go_to_step(starts[1] + 1)
    session.go_turn(-1)
    assert session.step == starts[1], "in the middle of a turn its start is one turn back"
    session.go_turn(-1)
    assert session.step == starts[0]
    session.go_turn(-1)
    assert session.step == 0
    session.go_to_step(starts[0] + 1)
    session.go_turn(0)
    assert session.step == starts[0], "no turn on is the start of its own"
    session.go_to_step(starts[0] + 1)
    session.go_turn(-1)
    assert session.step == starts[0] > 0
    session.go_turn(-1)
    session.go_turn(len(starts))
    assert session.step == starts[-1]
    session.go_turn(1)
    assert session.step == session.last


def test_a_place_has_its_words(session: ReplaySession) -> None:
    last = session.last
    assert replay.replay_place(session, Playback()).words == f"step 0 of {last}, packing"
    session.go_to_step(session.turns[0].step)
    assert ", turn 1, " in replay.replay_place(session, Playback()).words
    turn = session.turns[3]
    session.go_to_step(turn.step)
    name = ("A Ann", "B Bea")[turn.seat]
    assert replay.replay_place(session, Playback()).words == f"step {turn.step} of {last}, turn 4, {name}"
    session.go_to_step(last)
    assert replay.replay_place(session, Playback()).words == f"step {last} of {last}, the end"


def test_speeds_have_words_and_ends() -> None:
    assert set(replay.SPEED_WORDS) == set(SPEEDS)
    assert Playback().with_speed_changed(99).speed == max(SPEEDS)
    assert Playback().with_speed_changed(-99).speed == min(SPEEDS) == 0.5
    assert replay.playing_words(Playback()) == "paused, 1 step a second"
    assert (
        replay.playing_words(Playback(playing=True).with_speed_changed(1).playback_reversed())
        == "plays backwards, 2 steps a second"
    )


@pytest.mark.parametrize(
    ("playback", "labels"),
    [
        (Playback(), {"space": ("play", "play"), "b": ("backwards", "back")}),
        (Playback(playing=True, way=-1), {"space": ("stop", "stop"), "b": ("forwards", "for")}),
    ],
)
def test_key_labels_follow_the_state(playback: Playback, labels: dict[str, tuple[str, str]]) -> None:
    told = {each.key: (each.label, each.short) for group in replay.replay_controls(playback) for each in group}
    assert {key: told[key] for key in labels} == labels


def test_points_of_another_seat_are_not_those_of_the_turn() -> None:
    events = [
        {"type": "turn_began", "seat": 0},
        {"type": "fell", "seat": 1, "points": 3},
        {"type": "found", "seat": 0, "points": 2},
        {"type": "rained", "points": 1},
    ]
    face: Any = SimpleNamespace(
        running_turn=lambda _: None,
        round_runs=lambda _: False,
        ends_turn=lambda _: False,
        turn_shown=lambda number, _: number,
        turn=lambda event: event["seat"] if event["type"] == "turn_began" else None,
    )
    log = [LogLine(step, event) for step, event in enumerate(events, 1)]
    (turn,) = game_history.turns_in(face, None, log)
    assert (turn.seat, turn.number, turn.step, turn.points) == (0, 1, 1, 3)
