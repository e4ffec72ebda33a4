"""The host's log never blocks a game."""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import re
from pathlib import Path
from typing import Any

import pytest

from server.clients.access import Access, load_host_keys
from server.clients.guard import LINES, ConnectionGuard
from server.clients.limits import Limits, TokenBucket
from server.clients.tcp_connections import TcpConnection
from server.logs import ROOM, LogCounts, LogThread, error_line, event_line
from tests.server.raw import Raw, pair
from tests.server.running import GUARD, running

NO_WIRE: Any = None


def test_lines_are_written_in_order():
    ours, theirs = os.pipe()
    log = LogThread(theirs)
    for number in range(100):
        log.queue_line(f"line={number}")
    log.finish()
    os.close(theirs)
    with os.fdopen(ours) as told:
        assert told.read().splitlines() == [f"line={number}" for number in range(100)]


def test_an_unread_pipe_does_not_block():
    ours, theirs = os.pipe()
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    log = LogThread(theirs)
    for _ in range(3 * ROOM):
        log.queue_line("x" * 1000)
    assert log.left_out > 0
    told = b""
    while b"lines_left_out=" not in told:
        told += os.read(ours, 65536)
    os.close(ours)
    log.finish()
    os.close(theirs)


def test_a_closed_pipe_does_not_stop_the_host():
    ours, theirs = os.pipe()
    os.close(ours)
    log = LogThread(theirs)
    log.queue_line("to nobody")
    log.finish()
    os.close(theirs)


def test_a_line_has_keys_and_values_for_any_content():
    assert event_line("cut", client="abcd", number=3) == "event=cut client=abcd number=3"
    assert event_line("x", why='a "b"=c\nd') == 'event=x why="a \\"b\\"=c\\nd"'
    assert event_line("x", why="") == 'event=x why=""'


def test_an_error_is_logged_with_its_place_and_without_its_text():
    try:
        raise KeyError("what somebody said")
    except KeyError as error:
        line = error_line(error)
    assert "somebody" not in line
    assert line.startswith("event=mistake kind=KeyError place=test_logs.py:")


LINE = re.compile(r'time=\S+ level=[A-Z]+ event=[a-z-]+( [a-z_]+=("([^"\\]|\\.)*"|[^" =]+))*')


async def test_the_log_of_a_real_host_contains_no_secret(tmp_path: Path):
    owner, ann, bea = pair(), pair(), pair()
    options = ("--data", str(tmp_path), f"--owner={owner[0].decode()}", "--stats")
    async with asyncio.timeout(GUARD), running(*options) as host:
        boss, first, second = Raw(host, owner), Raw(host, ann), Raw(host, bea)
        seats = [{"kind": "open"}] * 2
        table = (await first.ask("open", game="the-cave", seats=seats, code="Quokka7", seed="Wombat5"))["table"]
        assert (await second.ask("sit", table=table, name="Bea", code="Numbat3"))["code"] == "wrong_code"
        seated = await first.ask("sit", table=table, name="Ann", code="Quokka7")
        await second.ask("sit", table=table, name="Bea", code="Quokka7")
        await first.ask("say", table=table, text="Bilby9 says hello")
        wrong = await second.ask("resume", table=table, seat=0, key="Potoroo4")
        assert wrong["code"] == "wrong_key"
        taken = await second.ask("resume", table=table, seat=0, key=seated["key"])
        assert taken["type"] == "seated"
        assert (await boss.ask("ban", table=table, seat=1))["type"] == "banned"
        assert (await boss.ask("pardon", key=bea[0].decode()))["type"] == "pardoned"
        bot = {"kind": "bot", "level": "rookie"}
        lost = (await first.ask("open", game="the-cave", seats=[seats[0], bot], code="Quokka7"))["table"]
        await first.ask("sit", table=lost, name='A="x y', code="Quokka7")
        assert (await first.ask("propose", table=lost, seat=0, what="resign"))["done"] is True
        for raw in (boss, first, second):
            raw.close()
        assert await host.stop() == 0
        told = (await host.process.stderr.read()).decode()
    secret = load_host_keys(tmp_path).secret
    for hidden in ("Quokka7", "Numbat3", "Wombat5", "Bilby9", "Potoroo4", seated["key"], secret):
        assert hidden not in told
    for _, mine in (owner, ann, bea):
        assert mine.decode() not in told
    ended = f'event=ended table={lost} game=the-cave resigned="A=\\"x y" won=Rookie'
    assert [line.split(" ", 2)[2] for line in told.splitlines() if "event=ended" in line] == [ended]
    assert {"open", "ban", "pardon", "closing"} <= set(re.findall(r"event=([a-z-]+)", told))
    assert [line for line in told.splitlines() if not LINE.fullmatch(line)] == []


async def test_counts_are_logged_when_they_have_changed_and_not_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.host.STATS_EVERY", 0.001)  # The host is a fork of this process.
    async with asyncio.timeout(GUARD), running("--stats") as host:
        guest = Raw(host, pair())
        for _ in range(50):
            await guest.ask("ping")
        await guest.ask("open", game="the-cave", seats=[{"kind": "open"}] * 2)
        for _ in range(50):
            await guest.ask("ping")
        guest.close()
        assert await host.stop() == 0
        told = (await host.process.stderr.read()).decode()
    lines = [line.split(" event=stats ")[1] for line in told.splitlines() if " event=stats " in line]
    counts = [re.sub(r"(memory_mib|files|received)=\d+ ?", "", line) for line in lines]
    assert any("tables=1" in line for line in counts)
    assert [each for each, after in itertools.pairwise(counts) if each == after] == []


async def test_repeated_disconnects_do_not_fill_the_log(caplog: pytest.LogCaptureFixture):
    """A client that reconnects with a fresh key after each disconnect is logged only a few times."""

    def connection(address: str, key: str) -> TcpConnection:
        return TcpConnection(NO_WIRE, address, TokenBucket(1.0, 1.0, 0.0), 0.0, 0.0, 0.0, key=key)

    counts = LogCounts()
    guard = ConnectionGuard(Access(counts=counts), Limits(), counts)
    for number in range(500):
        guard.disconnect_offender(connection("10.0.0.1", f"key {number}"), "flood")
    guard.disconnect_offender(connection("10.0.0.2", "other"), "flood")
    lines = [line for line in caplog.messages if "event=flood" in line]
    assert 1 <= sum("address=10.0.0.1" in line for line in lines) <= LINES
    assert sum("address=10.0.0.2" in line for line in lines) == 1
