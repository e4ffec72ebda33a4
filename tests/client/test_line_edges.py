"""Line mode and replays: invalid answers, and players who have left."""

from __future__ import annotations

import pytest

from client.games.the_cave.face import FACE
from client.plain.line_lesson_replay import LineReplay
from client.present.log import count_entries_from
from client.replay import ReplaySession
from client.table import LogLine
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script
from tests.playthrough import playthrough


@pytest.mark.parametrize("word", ["quit", "exit", "leave", "qu"])
async def test_a_replay_is_left_by_each_of_the_words_that_leave_a_table(word: str) -> None:
    script = Script(word, "next")
    await LineReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    assert script.said[-1] == f"> {word}", "and the next line is left for whoever asks next"


async def test_the_words_of_a_replay_lead_to_the_step_that_they_name() -> None:
    session = ReplaySession(playthrough("the-cave"), FACE)
    words = {
        "next 3": 3,
        "n": 4,
        "back": 3,
        "b": 2,
        "step 7": 7,
        "go 9": 9,
        "first": 0,
        "last": session.last,
        "back 2": session.last - 2,
    }
    script = Script(*words)
    await LineReplay(FACE.lines(), session, script).run()
    said = [line for line in script.said if line.startswith("Step ")]
    assert said == [f"Step {step} of {session.last}." for step in (0, *words.values())]
    last = script.said.index("> last")
    at_the_end = script.said[last : script.said.index("> back 2")]
    assert any(line.startswith("Total: ") for line in at_the_end), "the end comes with the score sheet"


@pytest.mark.parametrize("typed", ["step", "step x", "next x", "back ²"])
async def test_where_a_replay_needs_a_number_it_says_so(typed: str) -> None:
    script = Script(typed)
    await LineReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    word = typed.partition(" ")[0]
    assert script.said[-1] == f"Say a number, such as {word} 10."


def test_news_since_the_own_turn_are_counted_and_before_the_first_one_nothing_is_news() -> None:
    log = [LogLine(0, {"type": "away", "seat": 1}), LogLine(0, {"type": "back", "seat": 1})]
    view = FakeSession().state.view
    assert [count_entries_from(FACE.log_line, log, start, view) for start in range(3)] == [0, 1, 0]
