"""Sentences about a lost link and lost seats."""

from __future__ import annotations

from msgspec import structs

from client.present import hosts
from client.table import Seat
from client.tui.sentences import TAKE_ALL_BACK, TAKE_BACK, host_away_banner_words
from tests.client.fake_session import FakeSession


def test_a_seat_is_called_by_its_name_its_team_or_its_number_from_one() -> None:
    session = FakeSession(("Ann", "Bea"), mine=())
    session.evolve(seats=(Seat("Ann", "person"), Seat("", "open", team="Bea"), Seat("", "open")))
    assert hosts.seats_taken_words(session.state, [0, 1]) == "Another terminal plays for Ann and Bea now."
    assert hosts.seats_taken_words(session.state, [0, 1, 2]) == "Another terminal plays for Ann, Bea and seat 3 now."
    assert hosts.seats_freed_words(session.state, [2]) == "The host's owner has freed the seat of seat 3."


def test_a_closed_table_shows_the_reason_and_the_next_step() -> None:
    for why in ("shelved", "died", "left"):
        assert "leave (q)" in hosts.closed_words(why, "leave (q)")
        assert hosts.closed_words(why, "leave (q)").endswith("cave resume")
    assert "crashed" in hosts.closed_words("died", "leave")
    assert "crashed" not in hosts.closed_words("left", "leave")


def test_a_refusing_host_is_not_reported_as_gone() -> None:
    assert "No host answers" in hosts.missing_words("nowhere", "leave (q)")
    assert "key does not match" in hosts.missing_words("unproven", "leave (q)")
    assert hosts.missing_words("refused", "leave (q)") == (
        "The host does not let you in. Ask its owner: this continues when it does, or leave (q)."
    )


def test_watchers_and_players_learn_how_to_return() -> None:
    for mine, command in (((), "cave watch ADDRESS"), ((0,), "cave join ADDRESS")):
        session = FakeSession(mine=mine)
        session.evolve(link="lost", missing="nowhere")
        assert host_away_banner_words(session.state, str).endswith(command)


def test_a_terminal_that_took_a_seat_over_may_be_away_by_now() -> None:
    session = FakeSession(("Ann", "Bea"), mine=())
    session.evolve(seats=(Seat("Ann", "person"), Seat("Bea", "person")), taken=(0,))
    assert host_away_banner_words(session.state, str) == f"Another terminal plays for Ann now. {TAKE_BACK}"
    session.evolve(seats=[structs.replace(seat, present=False) for seat in session.state.seats], taken=(0, 1))
    assert host_away_banner_words(session.state, str) == (
        f"Another terminal took the place of Ann and Bea, and is away. {TAKE_ALL_BACK}"
    )
