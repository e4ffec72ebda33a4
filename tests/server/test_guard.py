"""The guard of a host: how it limits memory, and what it logs."""

from __future__ import annotations

import ctypes
import logging
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from cave import keys
from server.clients import guard as guards
from server.clients.access import DOMAIN, KEPT_OUT, LATER, LET_IN, VERSION, Access, Bans, seed_routing_ids
from server.clients.guard import LONGEST, RELIEF, SETTLE, UNSETTLED, ConnectionGuard
from server.clients.limits import FREE_GUESSES, MIB, CodeGuesses, Limits, Recent
from server.clients.tcp_connections import IDLE
from server.logs import LogCounts

LIMIT = 100 * MIB


class Memory:
    """The host's memory, and how often it has released some."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held = 50 * MIB
        self.frees = 0
        self.given_back = 0
        monkeypatch.setattr(guards.system, "resident_memory", lambda: self.held)
        monkeypatch.setattr(guards.system, "give_memory_back", self._give_back)

    def _give_back(self) -> None:
        self.given_back += 1
        self.held -= self.frees


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    return Memory(monkeypatch)


def made() -> ConnectionGuard:
    counts = LogCounts()
    return ConnectionGuard(Access(counts=counts), Limits(memory=LIMIT), counts)


def test_memory_without_a_client_to_blame_is_reported_once(memory: Memory, caplog: pytest.LogCaptureFixture):
    guard = made()
    told = []
    with caplog.at_level(logging.WARNING, "cave.host"):
        for look, held in enumerate((LIMIT + 1, LIMIT + 1, LIMIT, LIMIT + 1)):
            memory.held = held
            guard.check_connections(look * RELIEF)
            told.append(len(caplog.records))
    assert told == [1, 1, 1, 2]
    assert [record.getMessage() for record in caplog.records] == ["event=memory held_mib=100 connections_cut=0"] * 2


class Crowd:
    """A port whose connections hold the memory: it frees some on request, and returns how many it ended."""

    pause = IDLE

    def __init__(self, memory: Memory) -> None:
        self.asked: list[int] = []
        self.looks = 0
        self._memory = memory

    def end_those_over_limit(self, _now: float) -> list[Any]:
        self.looks += 1
        return []

    def free_bytes_under_way(self, excess: int) -> int:
        self.asked.append(excess)
        self._memory.held -= excess
        return 2


def test_above_its_memory_a_host_ends_connections_slowly(memory: Memory, caplog: pytest.LogCaptureFixture):
    """Each time it frees a tenth more than necessary."""
    counts = LogCounts()
    guard = ConnectionGuard(Access(counts=counts), Limits(memory=LIMIT), counts)
    port = Crowd(memory)
    guard.ports = (port,)  # type: ignore[assignment]
    for now, ended in ((0.0, 1), (RELIEF - 0.01, 1), (RELIEF, 2)):
        memory.held = LIMIT + MIB
        guard.check_connections(now)
        assert port.asked == [MIB + LIMIT // 10] * ended
        assert counts["cut_for_memory"] == 2 * ended
        assert len(caplog.records) == ended


def test_memory_is_released_less_often_while_that_frees_nothing(memory: Memory):
    guard = made()
    memory.held += UNSETTLED
    guard.check_connections(100.0)
    assert memory.given_back == 0, "a little more than the least ever held is usual"
    memory.held += 1
    now, times = 100.0, 0
    for pause in (4.0, 8.0, LONGEST, LONGEST):
        guard.check_connections(now)
        times += 1
        guard.check_connections(now + pause - 0.01)
        assert memory.given_back == times
        now += pause
    memory.frees = 2 * MIB
    guard.check_connections(now)
    memory.held += 2 * MIB
    for seconds, more in ((SETTLE - 0.01, 1), (SETTLE, 2)):
        guard.check_connections(now + seconds)
        assert memory.given_back == times + more, "once it has freed something, it tries again soon"
    memory.held = 20 * MIB
    guard.check_connections(now + 2 * LONGEST)
    memory.held += UNSETTLED + 1
    guard.check_connections(now + 3 * LONGEST)
    assert memory.given_back == times + 3


async def test_data_wakes_the_guard_at_a_limited_rate(memory: Memory, monkeypatch: pytest.MonkeyPatch):
    def opened() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(guards.asyncio, "sleep", sleep)
    one, other = socket.socketpair()
    before = opened()
    guard, port = made(), Crowd(memory)
    port.pause = 1e6
    guard.ports = (port,)  # type: ignore[assignment]
    guard.check_connections(time.monotonic() - guards.CALM / 2)
    guard.connection_accepted(one.fileno())
    other.send(b"something")
    await guard.watch()
    assert port.looks == 2
    assert 0.0 < slept[0] <= guards.CALM / 2, "it waits for more before it looks"
    guard.close()
    assert opened() == before
    one.close()
    other.close()


def test_a_right_code_clears_wrong_ones():
    guesses = CodeGuesses()
    for _ in range(FREE_GUESSES):
        guesses.note_wrong_code("table", "192.0.2.1", 0.0)
    guesses.note_right_code("table", "192.0.2.1")
    guesses.note_wrong_code("table", "192.0.2.1", 0.0)
    assert guesses.wait_for_guess("table", "192.0.2.1", 0.0) == 0


def test_each_connection_attempt_is_counted_by_its_result():
    counts = LogCounts()
    listed, other, banned = bytes(keys.SIZE), b"1" * keys.SIZE, b"2" * keys.SIZE
    invited = [keys.to_z85(listed), keys.to_z85(banned)]
    access = Access(invited=invited, bans=Bans([keys.to_z85(banned)]), counts=counts)
    asked = [(b"CURVE", key) for key in (listed, other, banned, b"short")] + [(b"NULL", b"")]
    codes = [
        access.answer_zap([VERSION, b"1", DOMAIN, b"192.0.2.1", b"", mechanism, key], 0.0)[2]
        for mechanism, key in asked
    ]
    assert codes == [LET_IN] + [KEPT_OUT] * 4
    access.hold_off("192.0.2.1", 10.0)
    access.ban("x", "192.0.2.2", 10.0, 0.0)
    for address, expected in ((b"192.0.2.1", LATER), (b"192.0.2.2", KEPT_OUT)):
        assert access.answer_zap([VERSION, b"1", DOMAIN, address, b"", b"CURVE", listed], 0.0)[2] == expected
    reasons = {"zap_allowed": 1, "zap_uninvited": 1, "zap_banned": 1, "zap_unencrypted": 2, "zap_address": 2}
    assert counts.as_dict() == reasons


def test_a_key_that_is_set_again_is_not_evicted_first():
    recent = Recent[str, int](2)
    for number, key in enumerate("abac"):
        recent[key] = number
    assert recent == {"a": 2, "c": 3}


def test_routing_ids_of_two_hosts_begin_with_different_numbers():
    library = ctypes.CDLL(None)
    drawn = []
    for _ in range(2):
        library.srand(1)
        seed_routing_ids()
        drawn.append(library.rand())
    assert drawn[0] != drawn[1]
