"""Untrusted files: no text in a record or a position, nor a file's name, controls the terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from cave import codec, record
from cave.game import BadData
from cave.games import get_game
from client import replay
from client.commands.terminal import fail
from client.games.the_cave.face import FACE
from client.plain.line_lesson_replay import LineReplay
from client.present.records import fields, record_line, record_words
from client.replay import ReplaySession, read_record
from client.wording import error_sentence
from tests.client.fake_session import FakeSession
from tests.client.game_app import ReplayScreen
from tests.client.lying import ATTACK, at, paths, put
from tests.client.plain_talk import Script, talk
from tests.client.played import whole_game
from tests.client.screens import show, text
from tests.client.test_cli import cave
from tests.client.test_lies import COMMANDS, harmful

GAME = get_game("the-cave")
STEPS = (*("next", "next 10", "log", "who", "teams", "map", "look", "score", "play", "log", "who", "score"), "first")


def with_attacks(data: Any) -> Iterator[tuple[str, Any]]:
    """Yield the data with the attack in one place after the other, once for each kind of place; also as the
    name of a field.
    """
    seen = set()
    for path in paths(data):
        kind = ".".join("*" if isinstance(step, int) else step for step in path)
        if kind in seen:
            continue
        seen.add(kind)
        if isinstance(at(data, path), str):
            yield kind, put(data, path, at(data, path) + ATTACK)
        elif isinstance(at(data, path), dict):
            yield f"{kind}.?", put(data, path, {**at(data, path), ATTACK: 1})


def said_of(problem: str) -> str:
    """The output on stderr for a problem."""
    told = io.StringIO()
    with redirect_stderr(told), pytest.raises(SystemExit):
        fail(problem)
    return told.getvalue()


def lines() -> list[Any]:
    return [codec.decode(each) for each in whole_game().splitlines()]


RECORDS = {
    f"{number}: {kind}": [*lines()[:number], lie, *lines()[number + 1 :]]
    for number in (0, 1, 8, len(lines()) - 1)
    for kind, lie in with_attacks(lines()[number])
}


@pytest.mark.parametrize("kind", RECORDS)
async def test_no_escape_sequence_of_a_record_is_printed(tmp_path: Path, kind: str):
    file = tmp_path / "strange.jsonl"
    file.write_bytes(record.write(RECORDS[kind]))
    for told in (record_words(1, record_line(replay.summary_of(file))), *fields(record_line(replay.summary_of(file)))):
        assert not harmful(told), ascii(told)
    problem = ""
    try:
        session = ReplaySession(read_record(file), FACE, file.name)
    except BadData as error:
        problem = str(error)
    if problem:
        assert not harmful(said_of(problem) + error_sentence(BadData("", problem)))
        return
    script = Script(*STEPS)
    await LineReplay(FACE.lines(), session, script).run()
    for told in script.said:
        assert not harmful(told), ascii(told)


async def test_a_record_with_a_strange_name_is_shown(tmp_path: Path):
    file = tmp_path / f"a{ATTACK.replace(chr(0), '')}.jsonl".replace("/", "")
    file.write_bytes(whole_game())
    session = ReplaySession(read_record(file), FACE, f"Replay of {file.name}")
    async with show(ReplayScreen(session.face, session)) as (app, _):
        assert not harmful(text(app.screen))
    for arguments in (("replay", "--check", str(file)), ("replay", "--plain", str(file))):
        done = cave(tmp_path, *arguments, stdin=b"next\nwho\n")
        assert done.returncode == 0
        assert not harmful((done.stdout + done.stderr).decode())
    file.write_bytes(b"nonsense")
    for arguments in (("replay", "--check", str(file)), ("replay", "--plain", str(file))):
        done = cave(tmp_path, *arguments)
        assert done.returncode == 2
        assert not harmful((done.stdout + done.stderr).decode())


POSITIONS = dict(with_attacks(lines()[0]["start"]))


@pytest.mark.parametrize("kind", POSITIONS)
async def test_no_escape_sequence_of_a_position_is_printed(kind: str):
    problem = ""
    try:
        state = GAME.from_position(json.loads(json.dumps(POSITIONS[kind])))
    except BadData as error:
        problem = str(error)
    if problem:
        assert not harmful(said_of(problem) + error_sentence(BadData("", problem)))
        return
    for told in await talk(FakeSession(start=state), *COMMANDS):
        assert not harmful(told), ascii(told)
