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
async def test_each_command_that_leaves_a_table_also_leaves_a_replay(word: str) -> None:
    script = Script(word, "next")
    await LineReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    assert script.said[-1] == f"> {word}", "and the next line is left for whoever asks next"


async def test_commands_of_a_replay_jump_to_the_named_step() -> None:
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
async def test_a_replay_command_asks_for_a_missing_number(typed: str) -> None:
    script = Script(typed)
    await LineReplay(FACE.lines(), ReplaySession(playthrough("the-cave"), FACE), script).run()
    word = typed.partition(" ")[0]
    assert script.said[-1] == f"Say a number, such as {word} 10."


def test_news_are_counted_from_the_players_last_turn_on() -> None:
    log = [LogLine(0, {"type": "away", "seat": 1}), LogLine(0, {"type": "back", "seat": 1})]
    view = FakeSession().state.view
    assert [count_entries_from(FACE.log_line, log, start, view) for start in range(3)] == [0, 1, 0]
