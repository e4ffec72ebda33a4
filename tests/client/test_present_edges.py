"""Edge cases of words and plain data: one and none, just enough and one too many."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from rich.cells import cell_len

from cave.game import Because, Idea
from cave.record import Header
from cave.score import Score
from cave.wire import DEFAULT_PORT
from client import wording
from client.face import LogEntry, SheetWords
from client.net.discovery import FoundHost
from client.net.known_hosts import Address
from client.present import advice, agreement, cells, hosts, log, records, score
from client.present.records import NOT_OVER, RecordLine
from client.table import LogLine, Proposal, Seat
from client.tui.board import geometry
from tests.client.fake_session import FakeSession
from tests.client.test_advising import Plain

# Cells


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("界", 2),
        ("a界b", 4),
        ("\ufe0fx", 1),
        ("\u2764", 1),
        ("\u2764\ufe0f", 2),
        ("\U0001f44d\ufe0f", 2),
        ("\U0001f44d\U0001f3fd", 2),
        ("x\U0001f3fd", 3),
        ("\U0001f469\u200d\U0001f4bb", 2),
        ("\U0001f469\u200d\U0001f4bbx", 3),
        ("1\ufe0f\u20e3", 2),
        ("\U0001f1eb\U0001f1f7", 2),
        ("\u0e01\u0e47", 1),
        ("\ud55c\uae00", 4),
    ],
)
def test_a_text_has_the_width_it_has_in_a_terminal(text: str, width: int) -> None:
    assert cells.cell_width(text) == width
    assert text == "x\U0001f3fd" or cell_len(text) == width, "the library of the screen draws it"
    assert cells.fit_text(text, width) == text
    assert cells.fit_text(text, width + 2) == f"{text}  "
    if width:
        assert cells.cell_width(cells.fit_text(text, width - 1)) == width - 1


def test_a_wide_character_that_does_not_fit_is_omitted() -> None:
    assert [cells.fit_text("界界", number) for number in range(5)] == ["", " ", "界", "界 ", "界界"]
    assert [cells.fit_text("abc", number) for number in (0, 2, 3, 4)] == ["", "ab", "abc", "abc "]


# Words


def test_lists_and_numbers_in_a_sentence() -> None:
    assert [wording.joined(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c"
    ]  # fmt: skip
    assert wording.joined(["a", "b"], "or") == "a or b"
    assert [wording.count(number, "hex") for number in (0, 1, 1.5, 2)] == [
        "0 hexes", "1 hex", "1.5 hexes", "2 hexes"
    ]  # fmt: skip
    assert [wording.begun(text) for text in ("", "x", "aB", "Äb")] == ["", "X", "AB", "Äb"]


def test_others_chat_is_shown_unless_several_play_at_one_keyboard() -> None:
    told = {wish: [log.is_shown_unasked(seats, wish) for seats in range(4)] for wish in ("on", "auto", "off")}
    assert told == {"on": [True] * 4, "auto": [True, True, False, False], "off": [False] * 4}


# The log


def spoken(index: int, event: Any, _view: Any) -> LogEntry | None:
    return None if event["type"] == "silent" else LogEntry(index, None, "", event["type"])


LOG = tuple(LogLine(number, {"type": kind}) for number, kind in enumerate(("a", "silent", "b", "c"), start=1))


def test_the_log_has_the_requested_number_of_sentences() -> None:
    for last, told in ((None, "abc"), (0, ""), (1, "c"), (2, "bc"), (3, "abc"), (4, "abc")):
        assert "".join(entry.text for entry in log.entries(spoken, LOG, None, last=last)) == told
    assert [log.count_entries_from(spoken, LOG, start, None) for start in range(5)] == [0, 2, 2, 1, 0]


def test_a_games_event_may_share_its_name_with_a_tables_event() -> None:
    """Events of the table have no number."""
    event = {"type": "back", "seat": 0, "name": "Ann"}
    told = [log.log_entry(spoken, 3, LogLine(seq, event), None) for seq in (0, 5)]
    assert [entry and entry.text for entry in told] == ["is back", "back"]


# Going to places


def test_each_place_has_one_letter_until_letters_run_out() -> None:
    assert geometry.jump_letters([(0, 0), (1, 0), (0, 0)]) == {"a": (0, 0), "s": (1, 0)}
    assert len(geometry.jump_letters(range(99))) == len(set(geometry.JUMP_LETTERS)) == 60


def test_places_are_cycled_in_both_directions() -> None:
    places = [(0, 0), (2, 0), (2, 5)]
    assert [geometry.next_place(places, at) for at in places] == [places[1], places[2], places[0]]
    assert [geometry.next_place(places, at, -1) for at in places] == [places[2], places[0], places[1]]
    assert [geometry.next_place(places, at) for at in ((1, 4), (3, -1), (-1, 1))] == [(2, 5), (2, 0), (0, 0)]


# Hosts, links and records


def test_hosts_with_free_seats_come_first_and_short_addresses_are_short() -> None:
    found = [
        FoundHost(name, Address("192.0.2.1", port), "", standing, free=free)
        for name, port, standing, free in (
            ("a", 4000, "known", 0), ("b", DEFAULT_PORT, "changed", 2), ("c", 4001, "plain", 0),
            ("d", 4002, "new", 1),
        )
    ]  # fmt: skip
    lines = hosts.host_lines(found)
    assert [line.name for line in lines] == ["b", "d", "a", "c"]
    assert [line.place for line in lines] == ["192.0.2.1", "192.0.2.1:4002", "192.0.2.1:4000", "192.0.2.1:4001"]
    assert lines[0].address == f"192.0.2.1:{DEFAULT_PORT}"
    assert [line.alarm for line in lines] == [True, False, False, False]
    assert hosts.host_words(2, lines[1]) == "2 d, no game, 1 free, 0 watching, new to you: 192.0.2.1:4002"


def record(when: str, name: str, **more: Any) -> RecordLine:
    return RecordLine(Path(name), when, "A Game", "Ann 3, Bea 2", "Ann", True, "12", "short", **more)


def test_a_record_is_found_by_all_of_its_words_in_whatever_case() -> None:
    found = record("2026-01-02", "one.jsonl")
    for words in ("", "ANN", "bea game", "12 steps", "short", "ONE.json", "2026-01"):
        assert found.matches_words(words), words
    for words in ("cyd", "ann cyd", "13 steps"):
        assert not found.matches_words(words), words


def test_settings_of_a_record_come_from_its_position_if_any() -> None:
    rules = {"edition": "french"}
    for start, found in ((None, {"a": 1}), ({"settings": rules, "ap": 5}, rules), (rules, rules), ("x", None)):
        head = Header("cave-record", 1, "the-cave", {"a": 1}, (), start=start)
        assert records.settings_words(head) == found


def test_a_record_for_scripts_and_as_a_line_to_choose() -> None:
    over = record("2026-01-02", "one.jsonl")
    assert records.fields(over) == (
        "2026-01-02", "winner Ann", "12 steps", "A Game", "short", "Ann 3, Bea 2", "one.jsonl"
    )  # fmt: skip
    assert records.record_words(3, over) == "3 2026-01-02, A Game, Ann 3, Bea 2, winner Ann, 12 steps, short."
    broken = RecordLine(Path("\x1bx"), "2026-01-02", "", "x", "damaged", False, "", "")
    assert records.fields(broken) == (
        "2026-01-02", "damaged", "- steps", "-", "-", "x", ascii("\x1bx")
    )  # fmt: skip
    assert records.record_words(1, broken) == "1 2026-01-02, x, damaged."
    running = structs.replace(over, over=False, ending=NOT_OVER, steps="1")
    assert records.record_words(1, running).endswith(", not finished, 1 step, short.")


# The score


def points(seat: int, total: float | None, *, winner: bool = False, **more: Any) -> Score:
    more.setdefault("bonus", {})
    return Score(seat=seat, points={"gems": 2}, total=total, winner=winner, **more)


WORDS = SheetWords(
    categories={"gems": "Gems", "rest": "Rest"}, notes={"out": "did not get out"}, no_winner="Nobody wins."
)
NAMES = ("Ann", "Bea", "Cyd")


def test_the_winner_is_named_in_one_sentence() -> None:
    def told(*winners: int, total: float = 2.5) -> str:
        lines = [points(seat, total, winner=seat in winners) for seat in range(3)]
        return score.result_headline(WORDS, lines, NAMES)

    assert told() == "Nobody wins."
    assert told(1) == "Bea wins with 2.5 points."
    assert told(1, total=1) == "Bea wins with 1 point."
    assert told(0, 2, total=3) == "Ann and Cyd share the win with 3 points."
    assert told(0, 1, 2) == "Ann, Bea and Cyd share the win with 2.5 points."


def test_a_sheet_has_a_note_for_each_seat_unless_a_player_resigned() -> None:
    lines = [points(0, 4, winner=True), points(1, None), points(2, 0, note="out", bonus={"gems": 1})]
    made = score.score_sheet(WORDS, lines, NAMES)
    assert (made.notes, made.winners, made.totals) == (("winner", "", "did not get out"), (0,), (4, None, 0))
    assert [(row.name, [cell.points for cell in row.cells]) for row in made.rows] == [
        ("Gems", [2, 2, 2]), ("Rest", [0, None, 0])
    ]  # fmt: skip
    assert [cell.bonus for cell in made.rows[0].cells] == [0, 0, 1]
    resigned = score.score_sheet(WORDS, lines, NAMES, resigned="Bea has resigned.")
    assert (resigned.notes, resigned.winners, resigned.headline) == (("", "", ""), (), "Bea has resigned.")
    assert (resigned.rows, resigned.totals) == (made.rows, made.totals)


def test_points_and_rounds_in_words() -> None:
    assert [score.points_as_shown(number) for number in (None, 0, 2.5, 3.0)] == ["?", "0", "2.5", "3"]
    assert [score.signed_points(number) for number in (0, 1, -2, 0.5)] == ["", "+1", "-2", "+0.5"]
    assert [score.game_summary(rounds, more) for rounds in (1, 2) for more in ("", "all out")] == [
        "1 round", "1 round, all out", "2 rounds", "2 rounds, all out"
    ]  # fmt: skip


# Advice


def test_a_difference_that_is_just_large_enough_counts() -> None:
    face: Any = Plain()
    much = face.game.blunder
    ideas = [Idea({"type": "dig"}, 0.5 + much), Idea({"type": "rest"}, 0.5)]
    assert advice.tutor_warning(face, None, ideas, {"type": "rest"}).startswith("Tutor: rest?")
    for best, apart in ((0.5 + much, much), (0.75, 0.25 / advice.SURE)):
        unsure = [Idea({"type": "dig"}, best), Idea({"type": "rest"}, 0.5, apart=apart)]
        assert advice.tutor_warning(face, None, unsure, {"type": "rest"}) == ""
    as_good = f"Hint: dig: {advice.MOST}. Or, just as good: rest."
    worse = f"Hint: dig: {advice.MOST}. Second choice: rest."
    for less, apart, words in ((0.02, 0.0, worse), (0.005, 0.0, as_good), (0.1, 0.06, as_good), (0.25, 0.125, as_good)):
        ideas = [Idea({"type": "dig"}, 0.5), Idea({"type": "rest"}, 0.5 - less, apart=apart)]
        assert advice.hint_sentence(face, None, ideas) == words
    unknown = [Idea({"type": "dig"}, 0.5), Idea({"type": "rest"})]
    assert advice.hint_sentence(face, None, unknown).endswith("Second choice: rest.")
    face = face_of("it is near")
    face.action_harm = lambda _, action: "then you starve" if action["type"] == "rest" else ""
    assert advice.hint_sentence(face, None, unknown) == "Hint: dig: it is near.", "no harmful second choice"


def face_of(reason: str = "") -> Any:
    return SimpleNamespace(
        game=SimpleNamespace(blunder=0.1, bots={"guide": "plans"}),
        action_words=lambda _, action: action["type"],
        action_reason=lambda *_: reason,
        action_harm=lambda *_: "",
        tutor_accepts=lambda *_: False,
        sure_win=lambda _: None,
        gain_shown=lambda *_: 0,
        opens_shown=lambda *_: False,
        never_second=("give_up",),
        events={"home": "you are home in time"},
        aims={"dive": "it is the way to a dive"},
        sheet=SimpleNamespace(categories={"opal": "Opals"}),
        turns_back=lambda *_: False,
    )


@pytest.mark.parametrize(
    ("because", "words"),
    [
        (
            Because("event", "home", 22.0, 9.0, 24),
            "it is near, and you are home in time in 22 of 24 trial games instead of 9",
        ),
        (
            Because("event", "home", 24.0, 0.0, 24),
            "it is near, and you are home in time in all 24 trial games instead of none",
        ),
        (
            Because("points", "opal", 5.5, 4.0, 24),
            "it is near, and on average it is worth about 1.5 points more for opals by the end",
        ),
        (Because("points", "", 44.0, 41.0, 24), "it is near"),
        (Because("rival", "", -31.0, -34.0, 24), "it is near, and it leaves a rival fewer points"),
        (None, "it is near"),
        (Because("points", "opal", 5.5, None, 24), "it is near"),
    ],
)
def test_a_reason_is_the_larger_gain_in_playouts(because: Because | None, words: str) -> None:
    best = Idea({"type": "dig"}, 0.6, 40.0, because=(because,) if because else ())
    ideas = [best, Idea({"type": "rest"}, 0.4, 37.0)]
    face = face_of("it is near")
    told = advice.hint_sentence(face, None, [best, Idea({"type": "give_up"}, 0.5), ideas[1]])
    assert told == f"Hint: dig: {words}. Second choice: rest."
    told = advice.hint_sentence(face, None, [best, Idea({"type": "rest"}, 0.6)])
    assert told == "Hint: dig: it is near. Or, just as good: rest."
    told = advice.tutor_warning(face, None, ideas, {"type": "rest"})
    assert told == f"Tutor: rest? That costs you much. Better: dig ({words})."


def test_only_an_alternative_that_costs_no_more_is_just_as_good() -> None:
    go, force = ({"type": "move", "to": [0, 0], "by": by} for by in ("foot", "force"))
    dig, rest, stop = {"type": "dig"}, {"type": "rest"}, {"type": "stop"}
    for reason, best, others, second in (
        ("it is near", go, [Idea(force, 0.6), Idea(rest, 0.6)], "Or, just as good: rest."),
        ("it is near", go, [Idea(force, 0.5)], ""),
        ("it brings 2 points", dig, [Idea(rest, 0.6)], "Or, about as good: rest."),
        ("it brings 2 points", dig, [Idea(rest, 0.6, then=(dig,))], "Or, just as good: rest."),
    ):
        told = advice.hint_sentence(face_of(reason), None, [Idea(best, 0.6), *others])
        assert told == f"Hint: {best['type']}: {reason}. {second}".rstrip()
    face = face_of("it brings 2 points")
    face.gain_shown = lambda _, action: 2.0 * (action == dig)
    told = advice.hint_sentence(face, None, [Idea(dig, 0.6), Idea(rest, 0.6)])
    assert told.endswith("Second choice: rest."), "the screen's figures favour the first"
    face = face_of()
    face.action_reason = lambda _, action, __: "home" * (action == rest)
    face.turns_back = lambda _, plan: plan.action == rest
    told = advice.hint_sentence(face, None, [Idea(dig, 0.6), Idea(rest, 0.6)])
    assert told == f"Hint: dig: {advice.MOST}. Second choice: rest (home).", "the other plan turns back"
    told = advice.hint_sentence(face, None, [Idea(rest, 0.6), Idea(dig, 0.6)])
    assert told == "Hint: rest: home.", "no second choice without a reason, if the first has one"
    last, both = advice.LastHint(), [Idea(dig, 0.6), Idea(rest, 0.6)]
    for ideas, first in ((both, dig), ([Idea(rest, 0.6, then=(stop,)), Idea(dig, 0.1)], rest), (both, rest)):
        assert last.next_ideas(face, None, ideas)[0].action == first, "it goes home once it turned back"
    assert [last.includes(each) for each in (rest, rest, stop)] == [True, False, False], "the plan is done or dropped"
    for ideas, first in (([Idea(rest, 0.6, then=(stop,))], rest), ([Idea(stop, 0.6)], stop), (both, rest)):
        assert last.next_ideas(face, None, ideas)[0].action == first, "also after the rest of that plan"
    for tried, unchecked in (((stop, dig, dig), [True, True, False]), ((force,), [True]), ((go,), [False])):
        ideas = [Idea(rest, 0.6, then=(stop, dig)), Idea(force, 0.55, apart=0.1), Idea(go, 0.1)]
        last.next_ideas(face, None, ideas)
        assert [*map(last.includes, tried)] == unchecked, "the tutor need not check plans that are as good"
    face.turns_back, face.never_second = (lambda *_: False), ("rest",)
    ideas = advice.suggested_first(face, None, [Idea(dig, 0.6), Idea(rest, 0.6)])
    assert advice.hint_sentence(face, None, ideas) == "Hint: rest: home.", "digging has no reason"


def test_of_actions_that_are_as_good_a_hint_names_the_one_that_the_shown_figures_favour() -> None:
    dig, rest = Idea({"type": "dig"}, 0.6), Idea({"type": "rest"}, 0.6)
    face = face_of("it is near")
    face.gain_shown = lambda _, action: 3 * (action == rest.action)
    assert advice.suggested_first(face, None, [dig, rest]) == [rest, dig]
    assert advice.suggested_first(face, None, [dig, rest], [dig.action]) == [dig, rest], "the plan of the last hint"
    worse = structs.replace(rest, chance=0.5)
    assert advice.suggested_first(face, None, [dig, worse]) == [dig, worse]


def test_an_equal_plan_is_described_by_its_aim_or_gain() -> None:
    brings = (Because("points", "opal", 5.5, None, 24),)
    way = ({"type": "move"}, {"type": "end_turn"}, {"type": "dive"})
    for then, words in ((way, "it is the way to a dive"), ((), "it brings about 6 points for Opals this turn")):
        idea = Idea({"type": "move"}, 0.5, because=brings, then=then)
        assert advice.idea_reason(face_of(), None, idea) == words


def test_uncertain_values_are_rounded() -> None:
    """The analysis of a game gives figures."""
    dig, rest = Idea({"type": "dig"}, 0.62, error=0.02), Idea({"type": "rest"}, 0.38, error=0.1)
    assert advice.fall_of_chance(dig, rest) == "the chance to win falls from 62% to about 40%"
    assert advice.loss_words(dig, rest) == "22% lost", "the difference of these figures, not 24%"


def test_in_a_solo_game_the_loss_is_in_points() -> None:
    """Cave vs Cave, 9.4: a solo player plays for points, not against anybody."""
    dig, rest = (Idea({"type": "dig"}, 0.44, 49.2, needed=50), Idea({"type": "rest"}, 0.12, 45.1, needed=50))
    assert advice.fall_of_chance(dig, rest) == "it comes to about 45 points instead of 49"
    assert advice.loss_words(dig, rest) == "4 points lost"


def test_a_hint_of_the_only_choice_says_so() -> None:
    told = advice.hint_sentence(face_of(), None, [Idea({"type": "dig"}, 0.5)])
    assert told == f"Hint: dig: {advice.ALL_THERE_IS}."


# Agreements

ANN, BEA = Seat("Ann", "person", mine=True), Seat("Bea", "person")
BOT = Seat("Rookie", "bot", level="rookie")


def state_of(*seats: Seat, **more: Any) -> Any:
    mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
    session = FakeSession([seat.name for seat in seats], mine=mine, seed="begun")
    session.evolve(seats=seats, **more)
    return session.state


def test_a_request_is_answered_by_the_local_seats_it_waits_for() -> None:
    al = structs.replace(ANN, name="Al")
    for proposal, seat in (
        (None, None),
        (Proposal(1, 1, "resign", waits_for=(0, 2)), 0),
        (Proposal(1, 1, "resign", waits_for=(2,)), 2),
        (Proposal(1, 1, "resign", waits_for=(3,)), None),
        (Proposal(1, 0, "resign", waits_for=(2,)), None),
    ):
        state = state_of(ANN, BEA, al, BOT, proposal=proposal)
        asked = agreement.asked_of_me(state)
        assert (asked is not None) == (seat is not None), proposal
        if asked is not None:
            assert agreement.my_answer_seat(state, asked) == seat


def test_a_vanished_request_was_refused_unless_it_took_effect() -> None:
    handed, left = structs.replace(BEA, handed=True), structs.replace(BOT, name="Bea")
    hand, resign = (Proposal(1, 1, what) for what in ("hand_over", "resign"))
    hurry = Proposal(1, 1, "hurry", until="end")
    plain = state_of(ANN, BEA)
    assert all(agreement.was_refused(asked, plain) for asked in (hurry, hand, resign))
    assert agreement.was_refused(hurry, state_of(ANN, BEA, hurry="turn"))
    for asked, done in (
        (hurry, state_of(ANN, BEA, hurry="end")),
        (hand, state_of(ANN, handed)),
        (resign, state_of(ANN, left)),
        (resign, state_of(ANN, BEA, set_aside="Bea has resigned.")),
    ):
        assert not agreement.was_refused(asked, done)


def test_skipping_pauses_is_offered_while_waiting_for_bots() -> None:
    """If bots play all seats, the host lets them play without pause."""
    handed = structs.replace(ANN, handed=True, level="novice")
    for seats, acting, offered in (
        ((ANN, BOT), (1,), True),
        ((ANN, BOT), (0,), False),
        ((ANN, BEA, BOT), (1,), False),
        ((structs.replace(ANN, mine=False), BOT), (1,), False),
        ((handed, BEA, BOT), (2,), True),
        ((handed, BOT), (1,), False),
    ):
        state = structs.replace(state_of(*seats), view=SimpleNamespace(acting=acting))
        assert agreement.only_bots_play(state) is offered, (seats, acting)
    waits = state_of(ANN, BOT, BOT)
    for acting, offered in (((1, 2), True), ((0, 1), False), ((), False)):
        state = structs.replace(waits, view=SimpleNamespace(acting=acting))
        assert agreement.only_bots_play(state) is offered, acting
        assert not agreement.only_bots_play(structs.replace(state, status="over"))
        assert not agreement.only_bots_play(structs.replace(state, set_aside="It was set aside."))
    assert not agreement.only_bots_play(structs.replace(waits, view=None))


def test_an_impossible_request_is_explained() -> None:
    watched = structs.replace(ANN, mine=False)
    assert agreement.why_nothing_can_be_asked(state_of(ANN, BEA)) == ""
    assert agreement.why_nothing_can_be_asked(state_of(ANN, BEA, status="waiting")) == agreement.NOT_PLAYING
    assert (
        agreement.why_nothing_can_be_asked(state_of(ANN, BEA, set_aside="It was set aside.")) == agreement.NOT_PLAYING
    )
    assert agreement.why_nothing_can_be_asked(state_of(watched, BEA)) == agreement.NOT_SEATED
    assert agreement.why_nothing_can_be_asked(state_of(watched, BOT)) == agreement.NOT_SEATED
    assert agreement.why_nothing_can_be_asked(state_of(BOT, BOT)) == agreement.BOTS_ALONE
    assert [agreement.has_bots(state_of(*seats)) for seats in ((ANN, BEA), (ANN, BOT))] == [False, True]


def test_a_free_seat_is_named_as_such() -> None:
    state = state_of(ANN, structs.replace(BEA, name="", kind="open"), BOT)
    assert agreement.waiting(state, Proposal(1, 0, "resign", waits_for=(1,))) == ("Waiting for the free seat to agree.")
    assert agreement.reminder_words(state_of(ANN, BEA), Proposal(1, 1, "resign"), "Q").startswith("Bea waits")
