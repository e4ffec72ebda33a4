"""Players at a table, as reported by a possibly malicious host; the log shows who comes and goes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import protocol
from cave.game import BadData
from cave.wire import MAX_CHAT, MAX_NAME
from client.net import messages
from client.table import Seat

HOSTILE = st.text(max_size=3 * MAX_NAME)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_seat_names_are_cleaned_and_shortened(name: str, team: str, level: str) -> None:
    (seat,) = messages.read_seats([protocol.SeatLine(name, "bot", True, level=level, team=team)])
    for words in (seat.name, seat.team, seat.level):
        assert len(words) <= MAX_NAME
        assert words.isprintable()


@given(HOSTILE, st.text(max_size=2 * MAX_CHAT), st.booleans())
def test_chat_messages_are_cleaned_and_shortened(name: str, text: str, watcher: bool) -> None:
    line = messages.read_chat_line(protocol.ChatLine(name, text, watcher))
    assert len(line.name) <= MAX_NAME
    assert len(line.text) <= MAX_CHAT
    assert (line.name + line.text).isprintable()
    assert line.watcher == watcher


@pytest.mark.parametrize(("seat", "waits_for"), [(2, []), (0, [2]), (1, [0, 5])])
def test_a_request_of_or_to_an_unknown_seat_is_refused(seat: int, waits_for: list[int]) -> None:
    with pytest.raises(BadData, match="must be 0 to 1"):
        messages.read_proposal(protocol.ProposalLine(1, seat, "resign", waits_for=waits_for), 2)


ANN = Seat("Ann", "person")


@pytest.mark.parametrize(
    ("before", "after", "notes"),
    [
        (ANN, ANN, []),
        (ANN, Seat("Ann", "person", False), [{"type": "away"}]),
        (Seat("Ann", "person", False), ANN, [{"type": "back"}]),
        (ANN, Seat("", "open", False), [{"type": "left", "name": "Ann"}]),
        (Seat("", "open", False), ANN, [{"type": "sat", "name": "Ann", "former": ""}]),
        (Seat("", "open", False, team="Ann"), Seat("Bea", "person"), [{"type": "sat", "name": "Bea", "former": "Ann"}]),
        (
            ANN,
            Seat("Bea", "person", False),
            [{"type": "left", "name": "Ann"}, {"type": "sat", "name": "Bea", "former": "Ann"}],
        ),
        (
            ANN,
            Seat("", "bot", level="guide"),
            [{"type": "resigned", "level": "guide"}, {"type": "left", "name": "Ann"}],
        ),
        (ANN, Seat("Ann", "person", handed=True, level="x"), [{"type": "handed_over", "level": "x"}]),
        (Seat("Ann", "person", handed=True, level="x"), ANN, [{"type": "plays_again", "level": ""}]),
        (
            ANN,
            Seat("Ann", "person", False, stand_in="bot", level="x"),
            [{"type": "away"}, {"type": "stand_in_bot", "level": "x"}],
        ),
        (
            Seat("Ann", "person", False),
            Seat("Ann", "person", False, stand_in="skip"),
            [{"type": "stand_in_skip", "level": ""}],
        ),
        (Seat("Ann", "person", False, stand_in="bot"), Seat("Ann", "person", False, stand_in="bot"), []),
        (Seat("Ann", "person", False, stand_in="bot"), ANN, [{"type": "back"}]),
    ],
)
def test_the_log_has_arrivals_and_departures(before: Seat, after: Seat, notes: list[Any]) -> None:
    found = messages.comings_and_goings([Seat("Cyd", "person"), before], [Seat("Cyd", "person"), after])
    assert found == [{**note, "seat": 1} for note in notes]
