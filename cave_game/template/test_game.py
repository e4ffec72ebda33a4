"""Whole games of Lanterns with every number of players, checked against the contract."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import cave_game  # noqa: F401  (adds an installed cave and client to the path)
from cave import codec, games, record
from client import games as faces

GAME = games.get_game("lanterns")
NAMES = ("Ann", "Bea", "Cem", "Dov", "Eli", "Flo")


def played(seats: int) -> Iterator[tuple[Any, list[Any]]]:
    rng, state = Random(seats), GAME.new(seats, {}, "any text")
    yield state, []
    while not GAME.over(state):
        seat = rng.choice(sorted(GAME.to_act(state)))
        step = GAME.apply(state, seat, GAME.sample(rng.choice(GAME.choices(state, seat)), rng))
        state = step.state
        yield state, [*step.events]


@pytest.mark.parametrize("seats", GAME.seats)
def test_positions_and_views_survive_a_round_trip(seats: int) -> None:
    names = NAMES[:seats]
    for state, _ in played(seats):
        position = codec.decode(codec.encode(GAME.position(state, names)))
        assert GAME.from_position(position) == state
        assert GAME.names_in(position) == names
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer, names)
            assert GAME.view_from_json(codec.decode(codec.encode(GAME.view_json(view)))) == view


@pytest.mark.parametrize("seats", GAME.seats)
def test_no_view_reveals_hidden_information(seats: int) -> None:
    """Imagine a state from a view: it has other secrets and the same view."""
    for state, _ in played(seats):
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer)
            assert GAME.view(GAME.imagine(view, "other secrets"), viewer) == view


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_choice_is_legal_and_every_event_has_a_sentence(seats: int) -> None:
    face, rng = faces.get_face(GAME.name), Random(0)
    for state, events in played(seats):
        for seat in GAME.to_act(state):
            for choice in GAME.choices(state, seat):
                GAME.apply(state, seat, GAME.sample(choice, rng))
        for index, event in enumerate(events):
            entry = face.log_line(index, GAME.event_json(GAME.public_event(event)), GAME.view(state, None))
            assert entry is None or entry.text


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("level", GAME.bots)
def test_a_record_of_bots_replays_to_its_end(level: str, seats: int) -> None:
    names, state = NAMES[:seats], GAME.new(seats, {}, "bots")
    seated = [record.SeatForm(name, "bot", level) for name in names]
    lines = [record.header_line(GAME, {}, seated, seed="bots", created="")]
    while not GAME.over(state):
        seat = min(GAME.to_act(state))
        offered = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
        action = GAME.bots[level](GAME.view_json(GAME.view(state, seat)), offered, "any text")
        lines.append(record.action_line(seat, action))
        state = GAME.apply(state, seat, GAME.decode(state, seat, action)).state
    lines.append(record.result_line(GAME, state, names))
    assert record.check_record(record.write(lines).splitlines(keepends=True)).matches
