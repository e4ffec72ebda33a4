"""The points over a game, round by round."""

from __future__ import annotations

from typing import Any

from cave import record
from cave.caves_of_casadh.actions import EndTurn, GiveUp
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from client.game_history import points_in
from client.games.caves_of_casadh.face import FACE
from tests.game_kit import in_lines


def test_rounds_are_counted_after_the_first_player_is_dead() -> None:
    """Rule 3.2: the turn of a dead player passes automatically, but counts."""
    state, names = GAME.new(2, {}, "rounds"), ("Ann", "Bea")
    people = [record.SeatForm(name) for name in names]
    lines: list[Any] = [record.header_line(GAME, {}, people, seed="rounds", created="2026-01-02T03:04:05Z")]
    for action in (GiveUp(), EndTurn(), EndTurn(), EndTurn(), GiveUp()):
        lines.append(record.action_line(state.seat, GAME.action_json(action)))
        state = GAME.apply(state, state.seat, action).state
    found = points_in(FACE, record.replay(in_lines([*lines, record.result_line(GAME, state, names)])))
    assert found.count_rounds == state.round == 4
