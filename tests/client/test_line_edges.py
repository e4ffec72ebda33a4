"""What line mode and replays do with an answer that is none, and with whoever has left."""

from __future__ import annotations

import os
import pty
import threading

import pytest

from client.games.the_cave.face import FACE
from client.plain.console import AHEAD, Terminal
from client.plain.lists import Option
from client.plain.replay import PlainReplay
from client.plain.sentences import HOST_GONE
from client.present.log import count_from
from client.replay.session import ReplaySession
from client.table import LogLine, Rejected, TableState
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, table
from tests.playthrough import playthrough


@pytest.mark.parametrize("word", ["quit", "exit", "leave", "qu"])
async def test_a_replay_is_left_by_each_of_the_words_that_leave_a_table(word: str) -> None:
    script = Script(word, "next")
    await PlainReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    assert script.said[-1] == f"> {word}", "and the next line is left for whoever asks next"


async def test_the_words_of_a_replay_lead_to_the_step_that_they_name() -> None:
    session = ReplaySession(playthrough("the-cave"), FACE)
    words = {
        "next 3": 3,
        "back": 2,
        "step 7": 7,
        "first": 0,
        "last": session.last,
        "back 2": session.last - 2,
    }
    script = Script(*words)
    await PlainReplay(FACE.lines(), session, script).run()
    said = [line for line in script.said if line.startswith("Step ")]
    assert said == [f"Step {step} of {session.last}." for step in (0, *words.values())]
    last = script.said.index("> last")
    at_the_end = script.said[last : script.said.index("> back 2")]
    assert any(line.startswith("Total: ") for line in at_the_end), "the end comes with the score sheet"


@pytest.mark.parametrize("typed", ["step", "step x", "next x", "back ²"])
async def test_where_a_replay_needs_a_number_it_says_so(typed: str) -> None:
    script = Script(typed)
    await PlainReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    word = typed.partition(" ")[0]
    assert script.said[-1] == f"Say a number, such as {word} 10."


async def test_the_words_that_step_through_a_replay_have_short_forms() -> None:
    script = Script("help")
    await PlainReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    told = script.said[script.said.index("> help") + 1 :]
    assert told[:4] == [
        "next [how many]: the next steps. Also: n.",
        "back [how many]: steps back. Also: b.",
        "step number: go to a step. Also: go.",
        "first: to the start.",
    ]
    also = {line.partition(":")[0]: line.partition("Also: ")[2] for line in told}
    assert (also["quit"], also["help [command]"]) == ("exit, leave.", "commands.")


async def test_a_step_of_a_replay_is_told_with_one_line_about_the_game() -> None:
    script = Script("next")
    session = ReplaySession(playthrough("the-cave"), FACE)
    await PlainReplay(FACE.lines(), session, script).run()
    at = script.said.index(f"Step 0 of {session.last}.")
    assert script.said[at + 2] == "> next"


@pytest.mark.parametrize(
    ("typed", "index", "next_line"),
    [
        ("2", 1, None),
        ("1", 0, None),
        ("3", None, "3"),
        ("0", None, "0"),
        ("²", None, "²"),
        ("moves", None, "moves"),
        ("", None, None),
    ],
)
async def test_what_is_no_number_of_the_list_is_taken_up_next(
    typed: str, index: int | None, next_line: str | None
) -> None:
    script = Script(typed)
    talk = table(FakeSession(), script)
    assert await talk.choose(["by raft", "by oxygen"]) == index
    assert await script.line(str) == next_line


async def test_a_number_that_was_not_told_says_what_it_is_before_it_does_anything() -> None:
    """A long list tells the kinds first, and how many there are of each."""
    script, done = Script(), []
    talk = table(FakeSession(), script)

    async def note() -> None:
        done.append(1)

    kinds = [Option(f"walk to {n},0", note, "walk") for n in range(20)]
    kinds += [Option(f"swim to {n},0", note, "swim") for n in range(20)]
    assert talk.numbered(kinds) == ["walk: 20, type moves walk", "swim: 20, type moves swim"]
    await talk.choose_number(7)
    assert (done, script.said[-1]) == ([], "7 is walk to 6,0. To do that, type 7 again.")
    await talk.choose_number(7)
    assert done == [1]
    talk.tell_numbers("swim")
    talk.numbered(kinds)
    await talk.choose_number(25)
    assert done == [1, 1], "the list has not changed, so what was told of it holds"


@pytest.mark.parametrize(
    ("typed", "yes", "next_line"),
    [
        ("1", True, None),
        ("YES", True, None),
        ("n", False, None),
        ("", False, None),
        ("score", False, "score"),
    ],
)
async def test_what_is_no_answer_means_no_and_is_taken_up_next(
    typed: str, yes: bool, next_line: str | None
) -> None:
    script = Script(typed)
    assert await table(FakeSession(), script).ask("Really?") is yes
    assert await script.line(str) == next_line


def test_who_has_left_a_replay_is_told_of_no_step() -> None:
    session = ReplaySession(playthrough("the-cave"), FACE)
    heard: list[TableState] = []
    session.listen(heard.append)
    session.go(1)
    assert len(heard) == 1
    session.unlisten(heard.append)
    session.unlisten(heard.append)
    session.go(2)
    assert len(heard) == 1


async def test_a_line_may_have_more_keys_than_are_read_ahead() -> None:
    ours, theirs = pty.openpty()
    console = Terminal(theirs, theirs, live=True)
    reading = [thread for thread in threading.enumerate() if thread.name == "console"]
    assert all(thread.daemon for thread in reading), "what waits for a key must not hold up the end"
    assert reading
    os.write(ours, b"x" * 3 * AHEAD + b"\n\x04")
    assert await console.line(lambda: "> ") == "x" * 3 * AHEAD
    assert await console.line(lambda: "> ") is None
    console.close()
    os.close(ours)


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (ConnectionError("The host is closed."), ["The host is closed."]),
        (ConnectionError(), [HOST_GONE]),
        (Rejected("full", "There is no room."), ["There is no room."]),
        (None, []),
    ],
)
async def test_why_the_host_does_not_do_what_it_is_asked_is_told(
    trouble: Exception | None, told: list[str]
) -> None:
    async def ask() -> None:
        if trouble:
            raise trouble

    script = Script()
    assert await table(FakeSession(), script).request(ask()) is (trouble is None)
    assert script.said == told


def test_news_since_the_own_turn_are_counted_and_before_the_first_one_nothing_is_news() -> None:
    log = [LogLine(0, {"type": "away", "seat": 1}), LogLine(0, {"type": "back", "seat": 1})]
    view = FakeSession().state.view
    assert [count_from(FACE.log_line, log, start, view) for start in range(3)] == [0, 1, 0]
