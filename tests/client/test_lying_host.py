"""A malicious host on real sockets: what programs show of its data, and how much they keep."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from client.net import store
from client.net.connection import connect
from client.net.session import NetSession
from tests import forked
from tests.client.lying import ATTACK, Deaf, Lie, lying, moments, session_of
from tests.client.test_cli import Terminal, environment, on_a_terminal
from tests.client.test_connection import connected, two_seats
from tests.client.test_lies import harmful
from tests.server.running import GUARD, Running, running

__all__ = ["on_a_terminal"]

SHOWN = ("name", "title", "text", "message")
"""The fields whose texts are displayed."""


@pytest.fixture
async def host() -> AsyncIterator[Running]:
    async with running("--no-encryption", "--name", "Friday") as started:
        yield started


def attacking(told: Any) -> Any:
    """Append the attack to all displayed texts."""
    if isinstance(told, dict):
        return {
            name: value + ATTACK if name in SHOWN and isinstance(value, str) else attacking(value)
            for name, value in told.items()
        }
    return [attacking(each) for each in told] if isinstance(told, list) else told


async def said(home: Path, *argv: str, typed: str = "") -> str:
    """Return a program's output on both channels, until its input ends."""
    pipe = asyncio.subprocess.PIPE
    env = environment(home)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", *argv),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=env,
        preexec_fn=forked.cave(argv, env),
    )
    async with asyncio.timeout(GUARD):
        out, err = await process.communicate(typed.encode())
    assert b"Traceback" not in err, err.decode()
    return (out + err).decode()


async def test_line_programs_print_no_escape_sequences(host: Running, tmp_path: Path):
    async with connected(host.address) as (ann,), lying(host, attacking) as address:
        session = await two_seats(ann, title="Caving", seed="x")
        await session.say("hello")
        commands = "who\nlog\nstatus\nteams\nhello there\nchat hi\nscore\n"
        watched = await said(tmp_path, "watch", address, "--plain", typed=commands)
        owner = await said(tmp_path, "owner", address)
        refused = await said(tmp_path, "join", address, "--plain", "-p", "Cyd", typed="1\nwho\n")
    for told in (watched, owner, refused):
        assert not harmful(told), ascii(told)
    assert "evil" in watched
    assert "evil" in owner


async def test_a_host_cannot_send_escape_sequences_to_a_screen(
    host: Running, on_a_terminal: Callable[..., Terminal], tmp_path: Path
):
    async with connected(host.address) as (ann,), lying(host, attacking) as address:
        await two_seats(ann, title="Caving", seed="x")
        terminal = on_a_terminal("watch", address, size=(45, 140))
        seen = await asyncio.to_thread(terminal.read, b"Bea")
        terminal.write(b"t")
        # The chat opens; the screen below is not drawn again.
        seen += await asyncio.to_thread(terminal.read, b"esc")
        terminal.write(b"\x1b")
        terminal.write(b"\x03")
        status, rest = await asyncio.to_thread(terminal.end)
    seen += rest
    assert status == 0
    assert b"Traceback" not in seen
    assert b"evil" in seen
    for order in ("owned", "\x1b]52", "\x1bc", "\x9b", "\u202e", "\u2066"):
        assert order.encode() not in seen, order
    titles = {part.partition(b"\x07")[0] for part in seen.split(b"\x1b]2;")[1:]}
    assert titles == {b"Cave"}


@pytest.mark.parametrize(
    "welcome",
    [
        {"type": "welcome?"},
        {"type": None},
        {"type": "snapshot"},
        {"type": "error"},
        {"type": "error", "code": 7, "message": []},
        {"type": []},
    ],
)
async def test_an_invalid_welcome_is_reported_in_one_sentence(host: Running, tmp_path: Path, welcome: Any):
    def lie(told: Any) -> Any:
        return {"re": told["re"], **welcome} if told["type"] == "welcome" else told

    async with lying(host, lie) as address:
        with pytest.raises(ConnectionError, match=f"{address} answered in a way this version does not"):
            await connect(address)
        told = await said(tmp_path, "watch", address, "--plain")
        assert told.strip().endswith(f"{address} answered in a way this version does not understand.")


def strange(kind: str) -> Lie:
    """Empty replies of this type."""
    return lambda told: {"type": kind, "re": told["re"]} if told.get("type") == kind else told


async def test_an_invalid_reply_does_not_crash_the_client(host: Running, tmp_path: Path):
    async with connected(host.address) as (ann,):
        await two_seats(ann)
        for kind in ("tables", "snapshot", "seated", "record"):
            async with lying(host, strange(kind)) as address:
                for command in (("watch",), ("join", "-p", "Cyd"), ("owner",)):
                    await said(tmp_path, *command, address, *(("--plain",) if command != ("owner",) else ()))


@pytest.mark.parametrize("ports", [(1, 70_000), (0, 0), (-1, 5), ("7413", 7414), (2**70, 1)])
async def test_invalid_ports_at_the_door_are_reported_in_one_sentence(host: Running, tmp_path: Path, ports: Any):
    door = {"desk": ports[0], "gallery": ports[1]}
    async with lying(host, lambda told: told, json.loads(json.dumps(door))) as address:
        told = await said(tmp_path, "watch", address, "--plain")
        assert told.count("\n") == 1
        assert "not understand" in told or "not a host" in told


# How much is kept


async def test_updates_ahead_of_a_gap_are_limited_in_bytes_and_number():
    await _kept_ahead(padding=100_000, most=store.MAX_AHEAD_BYTES)
    await _kept_ahead(padding=0, most=store.MAX_AHEAD * 2_000)


async def _kept_ahead(padding: int, most: int) -> None:
    session = session_of(moments()[0])
    (update,) = (told for told in moments()[1].told if told["type"] == "update")
    for seq in range(update["seq"] + 2, update["seq"] + 1000):
        session.fold_message({**update, "seq": seq}, 1_000 + padding)
        ahead = session.store.ahead
        assert sum(size for _, size in ahead.values()) <= most
        assert len(ahead) <= store.MAX_AHEAD
    assert session.store.wants_sync
    await session.close()


async def test_endless_gaps_are_requested_with_growing_pauses(monkeypatch: pytest.MonkeyPatch):
    """One request at a time, with ever longer pauses."""
    pauses: list[float] = []
    enough = asyncio.Event()
    joined, followed = moments()[:2]
    update = next(told for told in followed.told if told["type"] == "update")

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 12:
            enough.set()
            await asyncio.Event().wait()

    class Forgetful(Deaf):
        asked = 0

        async def ask(self, kind: str, **fields: Any) -> Any:
            self.asked += 1
            return joined.told[0]

    monkeypatch.setattr("client.net.session.asyncio.sleep", sleep)
    host = Forgetful()
    session = NetSession(host, joined.table)
    for number in range(100):
        # There always seems to be something missing.
        session.fold_message({**update, "seq": update["seq"] + 2 + number})
    session.fold_message(joined.told[0])
    await enough.wait()
    assert host.asked == 11
    assert pauses[:5] == [0.0, 0.1, 0.2, 0.4, 0.8]
    assert pauses == sorted(pauses)
    await session.close()
