"""Requests to the other players, on the screen and in line mode: a list, confirmations, and consent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec import structs

from client.plain.line_requests import HANDED
from client.plain.table_news import TableNews
from client.present import agreement
from client.table import Proposal, Rejected, Seat, TableState
from client.tui.chooser import ChooserScreen
from tests.client.caves_of_casadh import tables
from tests.client.fake_session import FakeSession
from tests.client.pilot import Pilot, settle
from tests.client.plain_talk import Script, table
from tests.client.screens import show, text

TWO = (Seat("Ann", "person", mine=True), Seat("Rookie", "bot", level="rookie"))
THREE = (*TWO, Seat("Bea", "person"))
LEVELS = [*tables.GAME.bots]


def asks(what: Any, **more: Any) -> Proposal:
    """A request of Bea, on the third seat."""
    return Proposal(4, 2, what, waits_for=(0,), **more)


@asynccontextmanager
async def at_table(seats: tuple[Seat, ...]) -> AsyncIterator[tuple[FakeSession, Pilot[Any]]]:
    mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
    session = FakeSession([seat.name for seat in seats], mine=mine, seed="begun", game=tables.GAME.name)
    session.evolve(seats=seats)
    async with show(tables.table(session)) as (_, pilot):
        yield session, pilot


async def opened(pilot: Pilot[Any], words: str) -> str:
    """Wait for a list with these words; return its text."""
    await pilot.until(lambda: isinstance(pilot.app.screen, ChooserScreen) and words in text(pilot.app.screen))
    return text(pilot.app.screen)


async def test_one_key_switches_bot_pauses_off_and_on() -> None:
    async with at_table(TWO) as (session, pilot):
        await pilot.press("H")
        await pilot.until(lambda: bool(session.proposed))
        assert session.proposed == [(0, "hurry", "", "turn")]
        session.evolve(hurry="turn")
        await pilot.press("H")
        await pilot.until(lambda: len(session.proposed) > 1)
        assert session.proposed[1] == (0, "hurry", "", "")


async def test_resigning_needs_two_confirmations_and_defaults_to_playing_on() -> None:
    async with at_table(TWO) as (session, pilot):
        for answer in ("enter", "Y"):
            await pilot.press("E")
            await opened(pilot, "End early or resign")
            await pilot.press("r")
            assert "The game ends, and Rookie (bot) wins" in await opened(pilot, "Resign for good?")
            await pilot.press("y")
            assert "Only a capital Y chooses: Resign" in text(pilot.app.screen)
            assert session.proposed == []
            await pilot.press(answer)
        await pilot.until(lambda: bool(session.proposed))
        assert session.proposed == [(0, "resign", "", "")]


async def test_a_bot_of_the_chosen_level_plays_to_the_end() -> None:
    async with at_table(THREE) as (session, pilot):
        await pilot.press("E")
        await opened(pilot, "End early or resign")
        await pilot.press("b")
        await opened(pilot, LEVELS[-1])
        await pilot.press("end", "enter")
        await pilot.until(lambda: bool(session.proposed))
        assert session.proposed == [(0, "hand_over", LEVELS[-1], "")]
        session.evolve(seats=(Seat("Ann", "person", mine=True, level="x", handed=True), *THREE[1:]))
        words = "A bot (x) plays to the end for you. E lets you play yourself again."
        await pilot.until(lambda: words in " ".join(text(pilot.app.screen).split()))
        await pilot.press("E")
        await opened(pilot, "Play myself again")
        await pilot.press("m")
        await pilot.until(lambda: len(session.proposed) > 1)
        assert session.proposed[1] == (0, "hand_over", "", "")


@pytest.mark.parametrize(("key", "agree"), [("Y", True), ("N", False)])
async def test_another_players_request_opens_and_needs_a_new_key(key: str, agree: bool) -> None:
    async with at_table(THREE) as (session, pilot):
        session.evolve(proposal=asks("resign", level="rookie"))
        assert "A bot (rookie) would take the seat." in await opened(pilot, "Bea asks to resign.")
        await pilot.press("y", "n", "enter")
        await pilot.until(lambda: "Bea waits for your answer. E lists the question." in text(pilot.app.screen))
        assert session.agreed == [], "those are keys of a game"
        await pilot.press("E", "a")
        await opened(pilot, "Bea asks to resign.")
        await pilot.press(key)
        await pilot.until(lambda: bool(session.agreed))
        assert session.agreed == [(0, 4, agree)]


@pytest.mark.parametrize("key", ["question_mark", "t"])
async def test_a_request_waits_until_help_or_chat_is_closed(key: str) -> None:
    async with at_table(THREE) as (session, pilot):
        table = pilot.app.screen
        await pilot.press(key)
        await pilot.until(lambda: pilot.app.screen is not table)
        session.evolve(proposal=asks("resign", level="rookie"))
        await settle(pilot)
        assert not isinstance(pilot.app.screen, ChooserScreen)
        await pilot.press("escape")
        await opened(pilot, "Bea asks to resign.")


async def test_an_outdated_request_is_replaced_by_the_next_one() -> None:
    async with at_table(THREE) as (session, pilot):
        table = pilot.app.screen
        session.evolve(proposal=asks("resign", level="rookie"))
        await opened(pilot, "Bea asks to resign.")
        session.evolve(proposal=structs.replace(asks("hurry", until="end"), number=5))
        assert "resign" not in await opened(pilot, "Bea asks whether bots")
        session.evolve(proposal=None)
        await pilot.until(lambda: pilot.app.screen is table)
        assert session.agreed == []


@pytest.mark.parametrize("reply_first", [True, False])
async def test_two_requests_are_shown_one_by_one(reply_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(THREE) as (session, pilot):
        replied, agree = asyncio.Event(), session.agree

        async def agreed(*given: Any, **named: Any) -> None:
            await agree(*given, **named)
            await replied.wait()

        monkeypatch.setattr(session, "agree", agreed)
        await pilot.press("E")
        await opened(pilot, "End early or resign")
        session.ask(asks("hurry", until="end"))
        await pilot.press("r")
        await opened(pilot, "Who takes the seat?")
        await pilot.press("enter")
        await opened(pilot, "Resign for good?")
        await pilot.press("Y")
        await opened(pilot, "Bea asks whether bots")
        assert session.proposed == []
        if reply_first:
            replied.set()
        await pilot.press("N")
        await pilot.until(lambda: bool(session.agreed))
        await pilot.pause()
        replied.set()
        await pilot.until(lambda: bool(session.proposed))
        assert session.proposed == [(0, "resign", LEVELS[0], "")]


async def test_line_mode_sends_only_the_newest_request() -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), mine=(0,))
    session.evolve(seats=THREE)
    session.ask(asks("hurry", until="end"))
    script = Script("hurry end", "hurry turn", "decline", live=True)
    await table(session, script).run()
    assert agreement.ASKED_FIRST in script.said
    assert session.proposed == [(0, "hurry", "", "turn")], "the newer wish in place of the other"
    requests = agreement.AgreementReminders(session)
    session.ask(asks("hurry", until="end"))
    with pytest.raises(Rejected):
        await requests.make(Proposal(0, 0, "hurry", until="end"))
    session.ask(None)
    session.evolve(hurry="end")
    assert requests.due_request() is None


async def test_a_withdrawn_request_is_not_reported_as_refused() -> None:
    mine = Proposal(4, 0, "hand_over", level="rookie", waits_for=(2,))
    async with at_table(THREE) as (session, pilot):
        for takes_back in (False, True):
            session.evolve(proposal=mine)
            await pilot.until(lambda: "Waiting for Bea to agree." in text(pilot.app.screen))
            if takes_back:
                await pilot.press("H")
                await pilot.until(lambda: bool(session.proposed))
            session.evolve(proposal=None)
            await settle(pilot)
            assert (agreement.REFUSED in text(pilot.app.screen)) is not takes_back


async def test_a_pending_request_is_shown_until_others_have_agreed() -> None:
    mine = Proposal(4, 0, "hurry", until="end", waits_for=(2,))
    async with at_table(THREE) as (session, pilot):
        session.evolve(proposal=mine)
        await pilot.until(lambda: "Waiting for Bea to agree." in text(pilot.app.screen))
        session.evolve(proposal=None, hurry="end")
        await pilot.until(lambda: agreement.ALL_AGREED in text(pilot.app.screen))
        assert "Waiting for Bea to agree." not in text(pilot.app.screen)


async def test_requests_by_watchers_or_without_bots_are_explained() -> None:
    async with at_table((TWO[0], THREE[2])) as (session, pilot):
        await pilot.press("H")
        await pilot.until(lambda: agreement.NO_BOTS in text(pilot.app.screen))
        session.evolve(seats=(Seat("Ann", "person"), THREE[2]))
        await pilot.press("E")
        await pilot.until(lambda: agreement.NOT_SEATED in text(pilot.app.screen))
        session.evolve(seq=session.state.seq + 1)
        await settle(pilot)
        assert agreement.NOT_SEATED in text(pilot.app.screen), "it can be read while bots go on"
        assert session.proposed == []


def test_resigning_names_the_players_who_must_agree_and_the_winner() -> None:
    ann, bea, cyd = (Seat(name, "person", mine=name == "Ann") for name in ("Ann", "Bea", "Cyd"))
    session = FakeSession(("Ann", "Bea", "Cyd"), game=tables.GAME.name)
    session.evolve(seats=(ann, bea))
    shown = agreement.resigning_words(session.state, 0, "")
    assert shown == "Resign for good? The game ends once Bea agrees, and Bea wins."
    shown = agreement.question_words(session.state, structs.replace(asks("resign"), seat=1))
    assert shown == "Bea asks to resign. That would end the game, and Ann would win. Do you agree?"
    session.evolve(seats=(ann, structs.replace(bea, kind="bot", level="rookie")))
    shown = agreement.question_words(session.state, structs.replace(asks("resign"), seat=1))
    asked = "Bea (bot) sees no way left to win, and offers to resign."
    assert shown == f"{asked} That would end the game, and Ann would win. Do you agree?"
    assert agreement.disagree_words(session.state, structs.replace(asks("resign"), seat=1)) == "Play on"
    session.evolve(seats=(ann, structs.replace(bea, mine=True)))
    shown = agreement.resigning_words(session.state, 0, "")
    assert shown == "Resign for good? The game ends, and Bea wins.", "nobody else is asked"
    session.evolve(seats=(ann, structs.replace(bea, present=False, level="rookie")))
    shown = agreement.resigning_words(session.state, 0, "")
    assert "once" not in shown, "nor who left the game to a bot"
    session.evolve(seats=(ann, bea, cyd))
    shown = agreement.resigning_words(session.state, 0, "rookie")
    assert "A bot (rookie) takes the seat once Bea and Cyd agree, and the others play on." in shown


def test_each_request_has_its_words() -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), game=tables.GAME.name)
    session.evolve(seats=THREE)
    state = session.state
    turn, end = asks("hurry", until="turn"), asks("hurry", until="end")
    assert "without pause until Bea's next turn" in agreement.question_words(state, turn)
    assert "without pause until the end" in agreement.question_words(state, end)
    assert "a bot (rookie) may play to the end" in agreement.question_words(state, asks("hand_over", level="rookie"))
    assert agreement.waiting(state, Proposal(4, 0, "resign", waits_for=(2,))) == "Waiting for Bea to agree."
    session.evolve(seats=(*THREE[:2], structs.replace(THREE[2], present=False)))
    away = agreement.waiting(session.state, Proposal(4, 0, "resign", waits_for=(2,)))
    assert away == "Waiting for Bea, who is away, to agree."


async def test_line_mode_sends_each_kind_of_request() -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), mine=(0,))
    session.evolve(seats=THREE)
    lines = ("hurry end", "hurry soon", "autoplay sage", "autoplay novice", "resign", "2", "resign", "1")
    script = Script(*lines, live=True)
    await table(session, script).run()
    assert session.proposed == [(0, "hurry", "", "end"), (0, "hand_over", "novice", ""), (0, "resign", "expert", "")]
    said = "\n".join(script.said)
    for words in (
        "Bots play without pause to the end.",
        "Type hurry turn, hurry end or hurry off.",
        "There is no bot of the level sage",
        "A bot (novice) plays to the end for you.",
        "Resign for good? A bot (expert) takes the seat once Bea agrees, and the others play on.",
    ):
        assert words in said


async def test_line_mode_reports_no_request_as_done_before_others_agree() -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), mine=(0,))
    session.evolve(seats=THREE)
    session.ask(Proposal(4, 0, "hurry", until="end", waits_for=(2,)))
    script = Script("hurry end", "autoplay novice", live=True)
    await table(session, script).run()
    assert [what for _, what, _, _ in session.proposed] == ["hurry", "hand_over"]
    said = "\n".join(script.said)
    assert agreement.HURRY["end"] not in said
    assert "plays to the end for you" not in said


@pytest.mark.parametrize(("word", "agreed"), [("agree", True), ("decline", False)])
async def test_line_mode_shows_and_answers_another_players_request(word: str, agreed: bool) -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), mine=(0,))
    session.evolve(seats=THREE, proposal=asks("hand_over", level="rookie"))
    script = Script(live=True)
    talk = table(session, script)
    talk.start_listening()
    await talk.tell_news()
    await talk.take(word)
    assert session.agreed[0] == (0, 4, agreed)
    told = "Bea asks whether a bot (rookie) may play to the end in Bea's place. Do you agree?"
    assert f"{told} Type agree or decline." in script.said
    assert script.said[-1] == ("You agree." if agreed else "You do not agree.")
    await talk.tell_news()
    assert script.said[-1] != agreement.REFUSED, "who answered knows it"


def test_line_mode_reports_the_result_of_a_request() -> None:
    session = FakeSession(("Ann", "Rookie", "Bea", "Cyd"), mine=(0,))
    session.evolve(seats=(*THREE, Seat("Cyd", "person")))
    open_, agreed = (
        structs.replace(session.state, proposal=structs.replace(asks("hurry", until="turn"), waits_for=waits))
        for waits in ((0, 3), (3,))
    )
    mine = structs.replace(session.state, proposal=Proposal(5, 0, "hurry", until="turn", waits_for=(2, 3)))
    done = structs.replace(session.state, hurry="turn")

    def told(*states: TableState) -> list[str]:
        news = TableNews(lambda *_: None)
        return [news.news_of_state(state) for state in states][-1]

    assert told(open_, agreed) == []
    assert told(open_, agreed, session.state) == [agreement.REFUSED]
    assert told(open_, session.state) == [], "it was Ann who did not agree"
    assert told(agreed, session.state) == [], "Ann was not asked"
    assert told(mine, session.state) == [agreement.REFUSED]
    theirs = ["Bots play without pause until Bea's next turn."]
    assert told(open_, agreed, done) == told(open_, done) == theirs
    assert told(agreed, done) == []
    assert told(mine, done) == [agreement.HURRY["turn"]]
    longer = structs.replace(open_, hurry="end")
    assert told(longer, structs.replace(done, hurry="end")) == [], "that was so before"


@pytest.mark.parametrize(("mine", "who"), [((0,), "you"), ((0, 2), "Ann")])
async def test_line_mode_shows_a_returning_player_that_a_bot_plays_the_seat(mine: tuple[int, ...], who: str) -> None:
    session = FakeSession(("Ann", "Rookie", "Bea"), mine=mine)
    seats = [structs.replace(seat, mine=number in mine) for number, seat in enumerate(THREE)]
    seats[0] = structs.replace(seats[0], level="novice", handed=True)
    session.evolve(seats=tuple(seats))
    script = Script("who", live=True)
    await table(session, script).run()
    assert script.said[1] == HANDED.format(bot="A bot (novice)", who=who)
    assert "A Ann: you; a bot (novice) plays to the end." in script.said
    assert sum("to the end" in line for line in script.said) == 2
    for over in ({"status": "over"}, {"set_aside": "Ann has resigned.", "resigned": True}):
        session.evolve(**over)
        script = Script(live=True)
        await table(session, script).run()
        assert not any("plays to the end for" in line for line in script.said)
