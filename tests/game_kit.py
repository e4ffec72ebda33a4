"""Helpers for the tests of every game, with the ``game`` as a parameter. See ``tests/toy/``."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cave import bots, codec, games, record, script
from cave.game import AnyGame, Json
from client import games as faces
from client.commands import screens
from client.net.connection import connect
from tests import forked
from tests.bench.frozen import FROZEN
from tests.cave.conformance import sent
from tests.client.plain_talk import PATIENCE, Script, assert_calm
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.running import running

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("Ann", "Bea", "Cem", "Dov", "Eli", "Flo")
LINKS = (ANN, BEA, *(f"link-{name}".encode() for name in NAMES[2:]))
"""The connections of people with these names; Eve watches."""


@contextmanager
def installed_games(folder: Path) -> Iterator[None]:
    """Simulate a ``pip install`` of the games in this folder, here and in new processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        path = (str(ROOT), str(folder), os.environ.get("PYTHONPATH", ""))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
        yield
    forget_installed()


def forget_installed() -> None:
    """Import installed games again on next use."""
    for name in [name for name in sys.modules if name.partition(".")[0] == games.PACKAGE]:
        del sys.modules[name]


# Rules, records and scripts


def bot_game(game: AnyGame, seats: int, seed: str, settings: Json = None, level: str = "") -> tuple[Any, list[Json]]:
    """Return a game that bots, by default rookies, finish, and the lines of its record.

    Uses frozen bots if there are any, so that better bots change no tables of tests.
    """
    names, level = NAMES[:seats], level or ("rookie" if "rookie" in game.bots else [*game.bots][-1])
    chooser = FROZEN.get(game.name, {}).get(f"frozen-{level}", game.bots[level])

    def chosen(state: Any, seat: int) -> Any:
        return game.decode(state, seat, chooser(*sent(game, state, seat), seed))

    seated = [record.SeatForm(name, "bot", level) for name in names]
    return _played(game, seated, game.settings(settings or {}), seed, chosen)


def chosen_game(
    game: AnyGame, names: Sequence[str], chosen: Callable[[Any, int], Any], settings: Json = None
) -> record.Replay:
    """Return a replayed game in which each seat does what ``chosen`` returns for a state."""
    seated = [record.SeatForm(name) for name in names]
    return record.replay(in_lines(_played(game, seated, settings or {}, "whole", chosen)[1]))


def _played(
    game: AnyGame, seated: Sequence[record.SeatForm], settings: Json, seed: str, chosen: Callable[[Any, int], Any]
) -> tuple[Any, list[Json]]:
    """The end of a game, and the lines of its record."""
    state = game.new(len(seated), settings, seed)
    lines = [record.header_line(game, settings, seated, seed=seed, created="2026-01-02T03:04:05Z")]
    while ready := game.to_act(state):
        seat = min(ready)
        action = chosen(state, seat)
        lines.append(record.action_line(seat, game.action_json(action)))
        state = game.apply(state, seat, action).state
    return state, [*lines, record.result_line(game, state, [each.name for each in seated])]


def in_lines(lines: Sequence[Json]) -> list[bytes]:
    """A record as the lines of its file."""
    return record.write(list(lines)).splitlines(keepends=True)


def checks(lines: Sequence[Json]) -> bool:
    """Return whether a whole record leads to the position that it claims."""
    return record.check_record(in_lines(lines)).matches is True


def step(seat: int, action: Json) -> Json:
    return {"seat": seat, "action": action}


def judged(steps: Sequence[Json], **start: Json) -> list[Json]:
    """Return the referee's judgement of a script."""
    form = {"format": "cave-script", "version": 1, "start": start, "steps": list(steps)}
    return list(script.judge_script(codec.encode(form)))


def cave(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program in a separate process."""
    command = [sys.executable, "-m", "client.cli", *arguments]
    begin = forked.cave(arguments)
    return subprocess.run(command, input=stdin, capture_output=True, check=False, preexec_fn=begin)


# At a host


def table(game: AnyGame, start: Json, called: Mapping[str, str] | None = None) -> tuple[Desk, str]:
    """Return a table with this position, full seats, and Eve watching. Some are ``called`` otherwise."""
    desk = Desk()
    seats = len(game.standing(game.from_position(start)))
    made = desk.open(*["open"] * seats, game=game.name, start=start)
    desk.ask(EVE, "watch", table=made)
    for name, link in zip(NAMES[:seats], LINKS, strict=False):
        desk.ask(link, "sit", table=made, name=(called or {}).get(name, name))
    return desk, made


def at_a_host(game: AnyGame, start: Json, *steps: tuple[int, Json]) -> tuple[Desk, str]:
    """The same table after these actions of seats."""
    desk, made = table(game, start)
    for seat, action in steps:
        done = desk.act(LINKS[seat], made, seat, action)
        assert done["type"] == "done", done
    return desk, made


def think(desk: Desk) -> None:
    """Let the pending bots choose."""
    while desk.bot_requests:
        request = desk.bot_requests.pop(0)
        action = bots.choose(request.game, request.level, request.view, request.choices, request.seed)
        desk.take(desk.service.changes.play_bot(request.table, request.seat, request.seq, action, desk.now))


def play(desk: Desk, made: str, people: int) -> None:
    """Let people do their first legal action, and bots their choice, until the game is over."""
    here = desk.service.tables[made]
    while here.status == "playing":
        think(desk)
        for seat in sorted(here.to_act & {*range(people)}):
            choice = desk.view(LINKS[seat], seat)["choices"][0]
            assert desk.act(LINKS[seat], made, seat, choice["action"])["type"] == "done"


def fast_host(shared: bool) -> list[str]:
    """Return the command of a host whose bots do not pause."""
    return list(screens.host_command(shared, 0.0))


# By hand


async def in_line_mode(
    game: AnyGame, kinds: Sequence[Json], names: Sequence[str], *typed: str, **fields: Any
) -> tuple[list[str], list[Json]]:
    """Return the output for this input at a table of a host, and the record."""
    face = faces.get_face(game.name)
    talk = Script(*typed)
    async with running("--no-encryption") as host, asyncio.timeout(PATIENCE):
        connection = await connect(host.address)
        made = await connection.open(game.name, list(kinds), **{"seed": "lines", **fields})
        for name in names:
            session = await connection.sit(made, name)
        await face.lines()(face, session, talk).run()
        lines = await session.record()
        await connection.close()
    assert_calm("\n".join(talk.said))
    return talk.said, lines
