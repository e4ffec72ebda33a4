"""The commands of every game in line mode: when each of them works, and its answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cave.games import get_game
from cave.the_cave.actions import EndTurn, Pack
from cave.the_cave.state import Items
from client.launch.opening import NOT_SAVED
from client.plain import shared_sentences, table_news
from client.plain.line_table import LOG_LINES, LineTable
from client.present import hosts
from client.present.log import NOTHING, NOTHING_SINCE, ONLY_PLAYERS
from client.settings.schema import Settings
from client.table import LogLine
from client.wording import NO_LINK
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, after, table, talk
from tests.client.test_cli import PATIENCE

GAME = get_game("the-cave")
KIT = Items(consumable=4, rope=1)


def playing(mine: tuple[int, ...] = (0,), turn: int = 0) -> FakeSession:
    """Ann and Bea have packed, and it is the turn of this seat."""
    state = GAME.new(2, {}, "begun")
    for seat in (0, 1):
        state = GAME.apply(state, seat, Pack(KIT)).state
    while state.seat != turn:
        state = GAME.apply(state, state.seat, EndTurn()).state
    return FakeSession(("Ann", "Bea"), mine=mine, start=state)


async def said_by(lines: LineTable[Any]) -> list[str]:
    """Run line mode to its end."""
    async with asyncio.timeout(PATIENCE):
        await lines.run()
    script: Any = lines.console
    return list(script.said)


async def test_commands_ignore_case_and_spaces_and_empty_lines_are_none() -> None:
    said = await talk(playing(), "", "  TURN  ", "Log  3 ", "   ", "LOG X", "quit")
    assert after(said, "") == []
    assert after(said, "  TURN  ")[0].startswith("Your turn, A Ann.")
    assert after(said, "Log  3 ") == [NOTHING]
    assert after(said, "LOG X") == [shared_sentences.HOW_MANY_LINES]


async def test_the_log_prints_the_requested_number_of_lines() -> None:
    session = playing()
    session.evolve(log=(LogLine(1, {"type": "turn_ended", "seat": 1, "ap": 0}),) * 30)
    said = await talk(session, "log", "log 3", "log 99999999", "quit")
    told = {typed: len(after(said, typed)) for typed in ("log", "log 3", "log 99999999")}
    assert told == {"log": LOG_LINES, "log 3": 3, "log 99999999": 30}


async def test_news_are_the_events_after_the_last_turn() -> None:
    session = playing()
    session.play(0, EndTurn())
    said = await talk(session, "log", "since", "quit")
    assert said[said.index("since") + 1] == NOTHING_SINCE
    session.play(1, EndTurn())
    said = await talk(session, "log", "since", "quit")
    log, since = after(said, "log"), after(said, "since")
    assert 0 < len(since) < len(log)
    assert since == log[-len(since) :]


async def test_watchers_are_not_prompted() -> None:
    session = playing(mine=())
    said = await talk(session, "since", "quit")
    assert after(said, "since") == [shared_sentences.WATCHING]
    session.evolve(watchers_chat=False)
    assert after(await talk(session, "chat hello", "quit"), "chat hello") == [ONLY_PLAYERS]


# Numbers


async def test_a_number_before_any_list_prints_the_list() -> None:
    lines = table(playing(), Script(live=True))
    await lines.choose_number(1)
    assert lines.console.said == [shared_sentences.NO_NUMBERS]  # type: ignore[attr-defined]
    waiting = table(playing(turn=1), Script(live=True))
    await waiting.choose_number(1)
    assert waiting.console.said == [shared_sentences.NOT_YOURS]  # type: ignore[attr-defined]


async def test_the_last_number_of_a_list_is_valid() -> None:
    lines = table(playing(), Script(live=True))
    lines.list_options()
    last = len(lines.numbers)
    for number in (0, last + 1):
        await lines.choose_number(number)
    assert lines.console.said == [f"The list goes from 1 to {last}."] * 2  # type: ignore[attr-defined]
    await lines.choose_number(last)
    assert len(lines.console.said) == 3  # type: ignore[attr-defined]
    assert "The list goes" not in lines.console.said[2]  # type: ignore[attr-defined]


async def test_an_unprinted_option_is_shown_before_it_is_done() -> None:
    session = playing()
    lines = table(session, Script(live=True))
    lines.list_options()
    lines.told.clear()
    words = lines.numbers[0].text
    await lines.choose_number(1)
    assert lines.console.said == [shared_sentences.NOT_TOLD.format(number=1, words=words)]  # type: ignore[attr-defined]
    assert not session.acted
    await lines.choose_number(1)
    assert len(session.acted) == 1, "typed again it is done"


async def test_a_number_of_a_finished_turn_is_refused() -> None:
    session = playing()
    lines = table(session, Script(live=True))
    lines.list_options()
    session.play(0, EndTurn())
    lines.see(session.state)
    await lines.choose_number(1)
    session.play(1, EndTurn())
    lines.see(session.state)
    await lines.choose_number(len(lines.numbers))
    said = lines.console.said  # type: ignore[attr-defined]
    assert said[0] == shared_sentences.NOT_YOURS
    assert len(said) == 2 or len(session.acted) == 1


async def test_a_long_list_can_be_filtered_by_words() -> None:
    said = await talk(playing(), "moves", "moves north", "quit")
    every, some = after(said, "moves"), after(said, "moves north")
    assert some == [line for line in every if "north" in line]
    assert 0 < len(some) < len(every)


# Why nothing is possible


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"link": "lost"}, NO_LINK),
        ({"link": "closed", "closed": "ended"}, hosts.closed_words("ended", table_news.LEAVE)),
        ({"set_aside": "It was set aside."}, "It was set aside."),
        ({"status": "over"}, shared_sentences.OVER),
        ({"status": "over", "link": "closed"}, shared_sentences.OVER),
    ],
)
async def test_players_who_cannot_continue_learn_why(change: dict[str, Any], why: str) -> None:
    session = playing()
    session.evolve(**change)
    lines = table(session, Script("undo", live=True))
    assert lines.why_not_now() == why
    await lines.take("undo")
    await lines.take("1")
    assert lines.console.said == [why, why]  # type: ignore[attr-defined]


async def test_undo_is_done_when_the_whole_table_is_restored() -> None:
    session = playing()

    async def undo(_seat: int, _steps: int = 1) -> None:
        """The host accepts; the new state comes later."""

    session.undo = undo  # type: ignore[method-assign]
    lines = table(session, Script(live=True))
    lines.start_listening()
    before = session.state.seq
    undoing = asyncio.create_task(lines.undo(2))
    for seq, seen in ((before + 1, before + 1), (before + 2, before + 1)):
        await asyncio.sleep(0)
        session.evolve(seq=seq, seen={0: seen})
        await asyncio.sleep(0)
        assert not undoing.done()
    session.evolve(seen={0: before + 2})
    async with asyncio.timeout(PATIENCE):
        assert await undoing


async def test_undo_takes_back_one_step_and_reset_all() -> None:
    session = playing()
    undone: list[int] = []

    async def undo(seat: int, steps: int = 1) -> None:
        undone.append(steps)

    session.undo = undo  # type: ignore[method-assign]
    session.evolve(undoable={0: 3}, link="closed")
    lines = table(session, Script(live=True))
    step, turn = lines.vocabulary.find("undo"), lines.vocabulary.find("reset")
    await step.do("")
    await turn.do("")
    assert undone == [1, 3]
    session.evolve(undoable={})
    await step.do("")
    assert undone == [1, 3]
    assert lines.console.said[-1] == lines.nothing_to_undo  # type: ignore[attr-defined]


# The end


@pytest.mark.parametrize("saved", [True, False])
async def test_saving_is_explained(saved: bool) -> None:
    session = playing()
    said = await talk(session, "save", "quit", saved=saved)
    assert after(said, "save") == [shared_sentences.SAVED if saved else NOT_SAVED]
    session.evolve(status="over")
    said = await talk(session, "save", "quit", saved=saved)
    assert after(said, "save") == [shared_sentences.RECORDED if saved else NOT_SAVED]


@pytest.mark.parametrize(
    ("live", "mine", "change", "more", "told"),
    [
        (False, (0,), {}, {"address": "here:1"}, [shared_sentences.KEPT]),
        (False, (0,), {"log": (LogLine(1, {"type": "turn_ended", "seat": 0, "ap": 0}),)}, {}, None),
        (False, (0,), {}, {"address": "here:1", "saved": False}, [NOT_SAVED]),
        (True, (0,), {}, {"address": "here:1"}, []),
        (False, (), {}, {"address": "here:1"}, []),
        (False, (0,), {"status": "over"}, {"address": "here:1"}, []),
        (False, (0,), {"status": "waiting"}, {"address": "here:1"}, []),
        (False, (0,), {"set_aside": "Ann resigns.", "resigned": True}, {"address": "here:1"}, []),
    ],
    ids=[*("played with others", "touched", "not saved", "a person", "a watcher", "over", "waiting"), "resigned"],
)
async def test_a_program_leaving_a_game_reads_that_it_is_saved(
    live: bool, mine: tuple[int, ...], change: dict[str, Any], more: dict[str, Any], told: list[str] | None
) -> None:
    session = playing(mine)
    session.evolve(**change)
    script = Script("quit", live=live)
    said = await said_by(table(session, script, **more))
    kept = [line for line in said if line in (shared_sentences.KEPT, NOT_SAVED)]
    assert kept == ([shared_sentences.KEPT] if session.state.touched else []) if told is None else kept == told


async def test_a_rematch_is_open_to_players_and_invited_watchers() -> None:
    said = await talk(playing(), "rematch", "quit")
    assert after(said, "rematch") == [shared_sentences.NOT_OVER]
    watched = playing(mine=())
    watched.evolve(status="over")
    lines = table(watched, Script("rematch", "quit", live=True))
    assert after(await said_by(lines), "rematch") == [shared_sentences.NO_REMATCH]
    assert not lines.rematch
    watched.evolve(rematch_by=1)
    lines = table(watched, Script("rematch", "turn", live=True))
    assert not any(line.endswith("turn") for line in await said_by(lines)), "the table is left"
    assert lines.rematch


async def test_the_first_write_error_is_raised() -> None:
    class Full(Script):
        """A console that cannot write."""

        async def write_lines(self, *lines: str) -> None:
            raise OSError("the output cannot be written: no space left on device.")

    with pytest.raises(OSError, match="no space left") as caught:
        await table(playing(), Full("quit", live=True)).run()
    assert not isinstance(caught.value, BaseExceptionGroup)


# The beginning


async def test_the_first_lines_depend_on_the_turn() -> None:
    due = (await talk(playing(), "quit"))[:2]
    assert due[0] == "The Cave. Type help for the commands."
    assert sum(line.startswith("Your turn") for line in await talk(playing(), "quit")) == 1
    waits = await talk(playing(turn=1), "quit")
    assert waits[1].startswith("Waiting for B Bea.")
    watches = await talk(playing(mine=(), turn=1), "quit")
    assert watches[1] == shared_sentences.WATCHING
    assert watches[2].startswith("Turn of B Bea.")


@pytest.mark.parametrize(
    ("live", "settings", "tutors"),
    [
        (True, Settings(tutor="always"), True),
        (False, Settings(tutor="always"), False),
        (True, Settings(tutor="never"), False),
        (True, None, False),
    ],
)
async def test_the_tutor_is_for_people_who_ask(live: bool, settings: Settings | None, tutors: bool) -> None:
    lines = table(playing(), Script(live=live), settings=settings)
    assert lines.advising.tutors is tutors
