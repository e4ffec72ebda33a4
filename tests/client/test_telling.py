"""Sentences of line mode for all games: seats, chat, points."""

from __future__ import annotations

import pytest

from cave.games import get_game
from client import games
from client.face import LogEntry
from client.plain import shared_sentences
from client.present import score
from client.table import ChatLine, Seat, TableState
from tests.client.played import replay_of, whole_game
from tests.client.test_screens import over

FACE = games.get_face("the-cave")


def at_table(*seats: Seat, chat: tuple[ChatLine, ...] = (), watchers: int = 0) -> TableState:
    return TableState(table="t", title="t", game=get_game("the-cave"), seats=seats, chat=chat, watchers=watchers)


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        (Seat("Ann", "person", mine=True), "A Ann: you."),
        (Seat("Ann", "person"), "A Ann: elsewhere."),
        (Seat("Ann", "person", False), "A Ann: elsewhere, away."),
        (Seat("Rookie", "bot"), "A Rookie: bot."),
        (Seat("", "open", False), "A open seat: nobody yet."),
        (Seat("", "open", False, team="Ann"), "A Ann: free seat."),
    ],
)
def test_seat_lines(seat: Seat, told: str) -> None:
    assert shared_sentences.seat_lines(at_table(seat)) == [told]


def test_seats_have_letters_and_watchers_are_counted() -> None:
    found = shared_sentences.seat_lines(at_table(Seat("Ann", "person"), Seat("Bea", "person"), watchers=2))
    assert [line[:2] for line in found] == ["A ", "B ", "2 "]
    assert found[-1] == "2 watching."


def test_chat_of_watchers_is_marked_and_listed() -> None:
    chat = (ChatLine("Ann", "hello"), ChatLine("Pat", "dive!", watcher=True))
    assert [shared_sentences.chat_words(line) for line in chat] == ["Ann says: hello", "Pat (watching) says: dive!"]
    assert shared_sentences.watcher_lines(at_table(chat=chat)) == ["Pat (watching) says: dive!"]
    assert shared_sentences.watcher_lines(at_table(chat=chat[:1])) == [shared_sentences.NOBODY_TALKS]


def test_the_final_sheet_names_the_winner_and_each_teams_fate() -> None:
    view = over(3).view
    headline, *rows, total, remark = shared_sentences.score_sheet_lines(FACE, view, over=True)
    assert headline == "Cyd wins with 102 points."
    assert total == "Total: Ann 100; Bea 0, not home; Cyd 102, winner."
    assert "Photo: Ann 10, Bea 0, Cyd 12 and bonus 4." in rows
    assert remark == FACE.remark(view.standing, view.names) != ""


def test_the_sheet_before_the_end_has_the_points_so_far() -> None:
    view = over(3).view
    lines = shared_sentences.score_sheet_lines(FACE, view, over=False)
    assert lines[0] == FACE.sheet_of(view).so_far
    assert lines[-1] == "Total: Ann 100; Bea 0; Cyd 102.", "what becomes of each is not yet said"
    resigned = shared_sentences.score_sheet_lines(FACE, view, over=True, resigned="Ann has resigned.")
    assert resigned[0] == "Ann has resigned."
    assert resigned[-1] == score.POINTS_SO_FAR


def test_the_sheet_counts_the_tokens_of_each_kind() -> None:
    played = replay_of(whole_game())
    view = FACE.game.view(played.final_state, None, played.names)
    assert "Water: Ann 0 (1 token), Bea 0." in shared_sentences.score_sheet_lines(FACE, view, over=True)


@pytest.mark.parametrize(
    ("said", "told"), [("a tile", "A tile."), ("A tile.", "A tile."), ("really?", "Really?"), ("no!", "No!"), ("", ".")]
)
def test_a_sentence_begins_with_a_capital_and_ends_with_a_full_stop(said: str, told: str) -> None:
    assert shared_sentences.as_sentence(said) == told
    assert shared_sentences.as_sentence(said, capital=False)[:1] == (said or ".")[:1]


def test_a_name_at_the_beginning_is_written_as_its_owner_writes_it() -> None:
    assert shared_sentences.log_line_words(LogEntry(0, 0, "ann", "goes north")) == "ann goes north."
    assert shared_sentences.log_line_words(LogEntry(0, None, "", "a tunnel falls in")) == "A tunnel falls in."


def test_a_long_unknown_rule_is_quoted_in_part() -> None:
    (told,) = shared_sentences.rules_lines(FACE.game, "7" * 30, "1.1")
    assert told.startswith(f"There is no rule {'7' * 20}. Type a chapter from 1 to ")
    assert told.endswith(", or a rule such as 1.1.")
