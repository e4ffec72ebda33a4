"""Edge cases of line mode: first lines, meaning of numbers, length of news."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from client.face import LogEntry
from client.plain import shared_sentences, table_news
from client.plain.table_news import TableNews, waiting_for
from client.present import agreement, hosts
from client.table import ChatLine, LogLine, Proposal, Seat
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, after, table, talk
from tests.client.test_plain_commands import playing

ANN, BEA = Seat("Ann", "person", mine=True), Seat("Bea", "person")
FREE = Seat("", "open", present=False)


@pytest.mark.parametrize(
    ("mine", "address", "told"),
    [
        ((0,), "host:1", ["The others type: ", "join host:1"]),
        ((), "host:1", [shared_sentences.WATCHING, "To play instead, quit and type: ", "join host:1"]),
        ((0,), "", []),
        ((), "", [shared_sentences.WATCHING]),
    ],
)
async def test_a_waiting_player_reads_how_others_join(mine: tuple[int, ...], address: str, told: list[str]) -> None:
    session = FakeSession(("Ann", "Bea"), mine=mine)
    seats = tuple(structs.replace(seat, mine=number in mine) for number, seat in enumerate((ANN, FREE)))
    session.evolve(status="waiting", view=None, views={}, choices={}, seats=seats, address=address)
    said = "\n".join(await talk(session, "turn", "quit"))
    assert said.startswith("The Cave. Type help for the commands.")
    for words in told:
        assert words in said
    assert ("join" in said) == bool(address)
    assert (shared_sentences.WATCHING in said) == (not mine)
    assert shared_sentences.WAITING in said
    assert "code" not in said
    session.evolve(code=True)
    said = "\n".join(await talk(session, "quit"))
    assert ("need the code, too." in said) == bool(address)


@pytest.mark.parametrize(("mine", "how"), [((0,), "cave join"), ((), "cave watch")])
async def test_after_losing_the_host_players_learn_how_to_return(mine: tuple[int, ...], how: str) -> None:
    session = FakeSession(("Ann", "Bea"), mine=mine, seed="begun")
    session.evolve(link="lost", missing="nowhere")
    assert f"{how} ADDRESS" in "\n".join(await talk(session, "quit"))


async def test_a_number_must_be_on_the_list_and_stand_alone() -> None:
    session = FakeSession(("Ann", "Bea"), mine=(0,), seed="begun")
    said = await talk(session, "0", "1000000", "1 2", "quit")
    assert after(said, "1 2") == [shared_sentences.ONE_NUMBER]
    for typed in ("0", "1000000"):
        (told,) = after(said, typed)
        assert told.startswith("The list goes from 1 to ")


def test_the_number_of_missing_players_is_spelled_out() -> None:
    def told(*seats: Seat) -> list[str]:
        mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
        session = FakeSession([seat.name for seat in seats], mine=mine)
        session.evolve(status="waiting", seats=seats)
        return waiting_for(session.state)

    watched = structs.replace(ANN, mine=False)
    assert told(ANN, FREE) == ["Waiting for 1 more player."]
    assert told(ANN, FREE, FREE) == ["Waiting for 2 more players."]
    assert told(watched, FREE) == ["The game begins when 1 more player sits down."]
    assert told(watched, FREE, FREE) == ["The game begins when 2 more players sit down."]
    assert told(ANN, BEA) == []


@pytest.mark.parametrize(("mine", "turn"), [((0,), 1), ((), 1), ((0,), 0)])
async def test_the_start_of_a_game_is_announced_once(mine: tuple[int, ...], turn: int) -> None:
    session = playing(mine=mine, turn=turn)
    begun = session.state
    seats = (structs.replace(ANN, mine=bool(mine)), FREE)
    session.evolve(status="waiting", view=None, views={}, choices={}, log=(), seats=seats)
    script = Script(live=True)
    lines = table(session, script)
    await lines.tell_news()
    assert len(script.said) == 1, "for whom it waits"
    if mine:
        session.show(structs.replace(begun, log=(), views={}, choices={}))
        await lines.tell_news()
        assert script.said[1:] == [shared_sentences.BEGINS], "whether it is one's own turn is not known yet"
    session.show(structs.replace(begun, log=()))
    await lines.tell_news()
    who = ["Your turn, A Ann."] if turn == 0 else ["Waiting for B Bea."] if mine else ["Turn of B Bea."]
    assert script.said[1] == shared_sentences.BEGINS
    assert [line[: len(who[0])] for line in script.said[2:3]] == who
    assert (mine == (0,) and turn == 0) or len(script.said) == 3
    await lines.tell_news()
    assert script.said.count(shared_sentences.BEGINS) == 1
    assert sum(who[0] in line for line in script.said) == 1


async def test_joining_a_running_game_does_not_announce_its_start() -> None:
    script = Script(live=True)
    await table(playing(turn=1), script).tell_news()
    assert script.said == []


def state_of(*seats: Seat, **more: Any) -> Any:
    mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
    session = FakeSession([seat.name for seat in seats], mine=mine, seed="begun")
    session.evolve(seats=seats, log=(), **more)
    return session.state


def quiet(*_: Any) -> None: ...


def test_a_request_is_printed_once_and_its_answer_when_it_arrives() -> None:
    theirs, mine = Proposal(1, 1, "resign", waits_for=(0,)), Proposal(2, 0, "resign", waits_for=(1,))
    told = TableNews(quiet)
    plain = state_of(ANN, BEA)
    told.news_of_state(plain)
    assert len(told.news_of_state(structs.replace(plain, proposal=theirs))) == 1
    assert told.news_of_state(structs.replace(plain, proposal=theirs)) == []
    assert len(told.news_of_state(structs.replace(plain, proposal=structs.replace(theirs, number=3)))) == 1
    assert told.news_of_state(plain) == [], "the other player has changed their mind"
    waiting = agreement.waiting(plain, mine)
    assert told.news_of_state(structs.replace(plain, proposal=mine)) == [waiting]
    assert told.news_of_state(structs.replace(plain, proposal=mine)) == []
    assert told.news_of_state(plain) == [agreement.REFUSED]
    told.news_of_state(structs.replace(plain, proposal=mine))
    assert told.news_of_state(structs.replace(plain, set_aside="Ann has resigned.", resigned=True)) == []


def test_a_lost_link_and_the_hosts_return_are_each_reported_once() -> None:
    told = TableNews(quiet)
    plain = state_of(ANN, BEA)
    lost = structs.replace(plain, link="lost")
    assert [told.news_of_state(state) for state in (plain, lost, lost)] == [[], [hosts.LINK_IS_LOST], []]
    missing = structs.replace(lost, missing="nowhere")
    assert told.news_of_state(missing) == [hosts.missing_words("nowhere", table_news.LEAVE)]
    assert told.news_of_state(missing) == []
    assert told.news_of_state(structs.replace(lost, missing="refused")) == [
        hosts.missing_words("refused", table_news.LEAVE)
    ]
    assert told.news_of_state(structs.replace(plain, link="syncing")) == []
    assert told.news_of_state(plain) == [table_news.FOUND]
    closed = structs.replace(plain, link="closed", closed="ended")
    assert told.news_of_state(closed) == [hosts.closed_words("ended", table_news.LEAVE)]
    fresh = TableNews(quiet)
    fresh.skip_news(structs.replace(plain, link="syncing"))
    assert fresh.news_of_state(plain) == []
    fresh.skip_news(lost)
    assert fresh.news_of_state(lost) == []
    assert fresh.news_of_state(plain) == [table_news.FOUND]


def test_each_lost_seat_is_reported_once_with_the_remedy() -> None:
    told = TableNews(quiet)
    plain = state_of(ANN, BEA)
    taken = structs.replace(plain, taken=(0,))
    assert told.news_of_state(taken) == [f"{hosts.seats_taken_words(plain, [0])} {table_news.TAKE_BACK}"]
    assert told.news_of_state(structs.replace(taken, freed=(1,))) == [
        f"{hosts.seats_freed_words(plain, [1])} {table_news.SIT_AGAIN}"
    ]
    assert told.news_of_state(structs.replace(taken, freed=(1,))) == []
    for number in (2, 7):
        assert told.news_of_state(structs.replace(plain, taken=(number,))) == [], "there is no such seat"


class Told:
    """The news of a table with this log: a number, and the type of an event."""

    def __init__(self) -> None:
        self.news = TableNews(lambda at, event, _: LogEntry(at, 0, "", event["type"]), lambda line: line.text)
        self.plain = state_of(ANN, BEA)

    def __call__(self, seq: int, *lines: tuple[int, str], **more: Any) -> list[str]:
        log = tuple(LogLine(number, {"type": kind, "seat": 0}) for number, kind in lines)
        return self.news.news_of_state(structs.replace(self.plain, seq=seq, log=log, **more))


def test_an_undo_is_reported_without_repeating_earlier_events() -> None:
    at = Told()
    first, second, third = (1, "a"), (2, "b"), (3, "c")
    assert at(1, first) == ["a"]
    assert at(1, first) == []
    assert at(3, first, second, third) == ["b", "c"]
    assert at(4, first, second) == [table_news.TAKEN_BACK]
    assert at(4, first, second) == []
    assert at(5, first, second, (5, "d")) == ["d"]
    # After a long absence the log begins later.
    assert at(50, (49, "x"), (50, "y")) == ["x", "y"]
    assert at(50) == [], "a log that is cut takes nothing back"


def test_an_own_note_is_printed_once_wherever_it_is_in_the_log() -> None:
    at = Told()
    first, second, note = (1, "a"), (2, "b"), (0, "note")
    assert at(2, first, second, note) == ["a", "b", "note"]
    assert at(2, first, second, note) == []
    assert at(2, first, second, note, (0, "more"), (0, "yet more")) == ["more", "yet more"]
    assert at(2, first, second, note, (0, "more"), (0, "yet more")) == []
    assert at(2, first, second) == [], "notes go when the table is asked for anew"
    assert at(2, first, second, note) == ["note"]
    assert at(3, first, second, note, (3, "c")) == ["c"]
    assert at(3, first, second, note, (3, "c"), (0, "last")) == ["last"]


def test_arrivals_and_departures_are_reported_once_after_a_new_log() -> None:
    told = TableNews(quiet)
    plain = state_of(ANN, BEA, Seat("Cyd", "person"))
    away = tuple(structs.replace(seat, present=False) for seat in plain.seats)
    notes = tuple(LogLine(0, {"type": "away", "seat": seat}) for seat in range(3))
    assert told.news_of_state(structs.replace(plain, link="lost")) == [hosts.LINK_IS_LOST]
    stalled = structs.replace(plain, seats=away, log=notes, link="syncing")
    assert told.news_of_state(stalled) == [], "who comes and goes while the host is being found"
    back = (*notes, LogLine(0, {"type": "taken_back", "seat": 0}), LogLine(0, {"type": "back", "seat": 1}))
    some = structs.replace(plain, seats=(*plain.seats[:2], away[2]), log=back)
    assert told.news_of_state(some) == ["Ann plays here again.", table_news.FOUND, "Cyd is away."]
    assert told.news_of_state(some) == []
    # A snapshot has no line about Cyd.
    assert told.news_of_state(plain) == ["Cyd is back."]
    assert told.news_of_state(plain) == []
    assert told.news_of_state(structs.replace(plain, seats=away, log=notes)) == [
        f"{each} is away." for each in ("Ann", "Bea", "Cyd")
    ]
    bea = structs.replace(plain, seats=(*plain.seats[:2], away[2]), log=(LogLine(0, {"type": "back", "seat": 1}),))
    assert told.news_of_state(bea) == ["Bea is back."], "the news of Bea came after the snapshot"
    assert told.news_of_state(plain) == ["Cyd is back."]
    left = structs.replace(plain, seats=(*plain.seats[:2], Seat("", "open", present=False, team="Cyd")))
    assert told.news_of_state(left) == ["Cyd has left: the seat is free."]
    assert told.news_of_state(left) == []


def test_events_are_printed_once_their_step_is_complete_or_the_link_lost() -> None:
    at = Told()
    assert at(1, (1, "a"), seen={0: 0}) == []
    assert at(1, (1, "a"), seen={0: 1}) == ["a"]
    assert at(2, (1, "a"), (2, "b"), seen={0: 1}, link="lost") == ["b", hosts.LINK_IS_LOST]


def test_a_late_player_reads_events_from_then_on() -> None:
    at = Told()
    log = (LogLine(1, {"type": "a", "seat": 0}),)
    at.news.skip_news(structs.replace(at.plain, seq=1, log=log))
    assert at(2, (1, "a"), (2, "b")) == ["b"]


@pytest.mark.parametrize(
    ("seats", "seen", "own"),
    [((ANN, BEA), {0: 1}, True), ((ANN, BEA), {0: 0}, False), ((ANN, structs.replace(BEA, mine=True)), {0: 1}, False)],
    ids=["alone", "before the own view is there", "two at one screen"],
)
def test_an_event_is_described_from_the_readers_view(seats: tuple[Seat, ...], seen: dict[int, int], own: bool) -> None:
    shown: list[Any] = []
    state = state_of(*seats, views={0: "mine"}, view="all", seen=seen, link="lost")
    log = (LogLine(1, {"type": "a", "seat": 0}),)
    TableNews(lambda _at, _event, view: shown.append(view)).news_of_state(structs.replace(state, seq=1, log=log))
    assert shown == ["mine" if own else "all"]


def test_the_watchers_chat_is_announced_once_with_its_command() -> None:
    told = TableNews(quiet)
    plain = state_of(ANN, BEA)
    heard = (ChatLine("Eve", "hi", True),)
    assert told.news_of_state(structs.replace(plain, chat=heard)) == [table_news.WATCHERS_TALK]
    assert told.news_of_state(structs.replace(plain, chat=(*heard, ChatLine("Eve", "again", True)))) == []
    said = told.news_of_state(structs.replace(plain, chat=(*heard, ChatLine("Bea", "hello"))))
    assert said == ["Bea says: hello"]
