"""The guard of a host: what it does about memory, and when it says so."""

from __future__ import annotations

import ctypes
import logging

import pytest

from cave import keys
from server.clients import guard as guards
from server.clients.access import DOMAIN, KEPT_OUT, LET_IN, VERSION, Access, Bans, seed_routing_ids
from server.clients.guard import RELIEF, Guard
from server.clients.limits import FREE_GUESSES, MIB, Guesses, Limits, Recent
from server.logs import Counts

LIMIT = 100 * MIB


class Memory:
    """What the host holds, and how often it has given back what it can."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held = 50 * MIB
        self.given_back = 0
        monkeypatch.setattr(guards.system, "resident", lambda: self.held)
        monkeypatch.setattr(guards.system, "give_back", self._give_back)

    def _give_back(self) -> None:
        self.given_back += 1


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    return Memory(monkeypatch)


def made() -> Guard:
    counts = Counts()
    return Guard(Access(counts=counts), Limits(memory=LIMIT), counts)


def test_memory_that_nobody_can_be_cut_for_is_told_once(memory: Memory, caplog: pytest.LogCaptureFixture):
    guard = made()
    told = []
    with caplog.at_level(logging.WARNING, "cave.host"):
        for look, held in enumerate((LIMIT + 1, LIMIT + 1, LIMIT, LIMIT + 1)):
            memory.held = held
            guard.look(look * RELIEF)
            told.append(len(caplog.records))
    assert told == [1, 1, 1, 2]
    assert [record.getMessage() for record in caplog.records] == [
        "event=memory held_mib=100 connections_cut=0"
    ] * 2


def test_who_gives_the_right_code_is_forgiven_the_wrong_ones():
    guesses = Guesses()
    for _ in range(FREE_GUESSES):
        guesses.wrong("table", "192.0.2.1", 0.0)
    guesses.right("table", "192.0.2.1")
    guesses.wrong("table", "192.0.2.1", 0.0)
    assert guesses.wait("table", "192.0.2.1", 0.0) == 0


def test_each_who_asks_to_come_in_is_counted_by_the_answer():
    counts = Counts()
    listed, other, banned = bytes(keys.SIZE), b"1" * keys.SIZE, b"2" * keys.SIZE
    invited = [keys.to_z85(listed), keys.to_z85(banned)]
    access = Access(invited=invited, bans=Bans([keys.to_z85(banned)]), counts=counts)
    asked = [(b"CURVE", key) for key in (listed, other, banned, b"short")] + [(b"NULL", b"")]
    codes = [
        access.answer([VERSION, b"1", DOMAIN, b"192.0.2.1", b"", mechanism, key], 0.0)[2]
        for mechanism, key in asked
    ]
    assert codes == [LET_IN] + [KEPT_OUT] * 4
    reasons = {"zap_allowed": 1, "zap_uninvited": 1, "zap_banned": 1, "zap_unencrypted": 2}
    assert counts.facts() == reasons


def test_a_key_that_is_set_again_is_not_the_one_that_is_forgotten_first():
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
