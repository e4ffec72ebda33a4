"""Who is connected, as the host and its owner see it, and small rules of who stays and who goes."""

from __future__ import annotations

from typing import Any

import pytest

from server.clients import guard as guards
from server.clients.access import OFFENCES, RETURN, TRYING, WELCOME, Access
from server.clients.limits import MIB, Bucket, Limits
from server.clients.tcp import TcpConnection
from server.stats import Counts
from server.tables.effects import FOR_EVER
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.test_tcp import listening

HOME, AWAY = "192.0.2.1", "198.51.100.7"
SEATS = [{"kind": "open"}] * 2


def test_the_owner_is_told_of_each_connection_who_it_is_and_what_it_does():
    desk = Desk()
    desk.peers = {ANN: "ann's key", BEA: "bea's key"}
    desk.addresses = {ANN: HOME, BEA: AWAY}
    table = desk.open("open", "open")
    other = desk.open("open", "open")
    desk.ask(ANN, "hello", protocol=1, name="Annie")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(BEA, "sit", table=table, name="Bea")
    desk.ask(BEA, "watch", table=other)
    desk.ask(BEA, "watch", table=table)
    desk.ask(EVE, "ping")
    told = {visitor["key"]: visitor for visitor in desk.service.clients.visitors()}
    assert told == {
        "ann's key": {
            "name": "Annie", "key": "ann's key", "address": HOME, "seats": [[table, 0]], "watching": [],
        },
        "bea's key": {
            "name": "Bea", "key": "bea's key", "address": AWAY, "seats": [[table, 1]],
            "watching": sorted([table, other]),
        },
        "": {"name": "", "key": "", "address": "", "seats": [], "watching": []},
    }  # fmt: skip


# Memory


async def test_those_with_the_most_under_way_go_until_enough_is_free(monkeypatch: pytest.MonkeyPatch):
    """Who has no more than a quarter of what a message may have is not one of them."""
    amounts: dict[TcpConnection, float] = {}
    monkeypatch.setattr(TcpConnection, "under_way", lambda connection: amounts[connection])
    for sizes, excess, gone in (
        ((40, 30, 30), 60, 2),
        ((40, 30, 30), 70, 2),
        ((40, 30, 30), 71, 3),
        ((90, 26, 25), 1000, 2),
        ((90, 25, 21), 1000, 1),
    ):
        async with listening(unfinished=100) as port:
            connections = [(await port.connect())[1] for _ in sizes]
            amounts.update(zip(connections, map(float, sizes), strict=True))
            assert port.connections.relieve(excess) == gone
            assert [each.cut for each in connections] == [number < gone for number in range(len(sizes))]


async def test_of_one_that_is_gone_nothing_more_is_under_way_than_what_it_sent():
    async with listening() as port:
        _, connection = await port.connect()
        connection.unfinished, connection.since_heard = 100.0, 70
        connection.inode += 1
        assert connection.under_way() == 100


# Who may come in


def test_who_was_cut_has_to_try_for_a_while_again_where_its_address_is_held_off():
    access = Access()
    access.hold_off(HOME, 1000.0)
    assert [access.status("new", now, HOME) for now in (0.0, TRYING)] == [b"300", b"200"]
    access.offended("new", HOME, 3.0, 1.0)
    tries = [access.status("new", now, HOME) for now in (3.5, 5.0, 5.0 + TRYING - 0.1, 5.0 + TRYING)]
    assert tries == [b"400", b"300", b"300", b"200"]


def test_who_came_in_may_come_back_for_a_minute_and_then_tries_like_all_others():
    access = Access()
    access.hold_off(HOME, 1000.0)
    access.status("first", 0.0, HOME)
    assert access.status("first", 10.0, HOME) == b"200"

    def others(now: float) -> None:
        """Take all room there is for newcomers."""
        for number in range(20):
            access.status(f"other {number}", 0.0, HOME)
            access.status(f"other {number}", now, HOME)

    others(10.0 + WELCOME - 1)
    assert access.status("first", 10.0 + WELCOME - 1, HOME) == b"200"
    # To come back is to be welcome for a minute again.
    end = 10.0 + 2 * WELCOME - 1
    others(end)
    assert access.status("first", end, HOME) == b"300"


def test_a_seats_holder_is_out_for_no_longer_than_it_takes_to_come_back():
    access = Access(keeps=lambda key: key == "ann")
    for seconds, out in ((30.0, RETURN), (RETURN / 2, RETURN / 2)):
        access.offended("ann", "", 100.0, seconds)
        assert [access.allows("ann", 100.0 + now) for now in (0.0, out - 0.1, out)] == [False, False, True]
    access.offended("eve", "", 100.0, 30.0)
    assert [access.allows("eve", 100.0 + now) for now in (RETURN, 29.9, 30.0)] == [False, False, True]


def test_so_many_connections_of_an_address_may_be_ended_before_all_of_it_is_held_off():
    access = Access()
    for number in range(int(OFFENCES[1])):
        access.offended(f"key {number}", HOME, 0.0, 30.0)
        assert not access.holds_off(HOME, 0.0)
    access.offended("one more", HOME, 0.0, 30.0)
    assert [access.holds_off(HOME, now) for now in (0.0, 29.9, 30.0)] == [True, True, False]
    assert not access.holds_off(AWAY, 0.0)
    # Without a key and an address nobody is refused.
    access.offended("", "", 0.0, 30.0)
    assert access.allows("", 0.0)


def test_an_address_is_held_off_while_it_is_banned_and_until_a_pardon():
    access = Access()
    access.ban("eve", HOME, 50.0, 0.0)
    assert [access.holds_off(HOME, now) for now in (0.0, 49.9, 50.0)] == [True, True, False]
    access.ban("eve", HOME, FOR_EVER, 0.0)
    access.hold_off("eve", 1000.0)
    access.hold_off(HOME, 1000.0)
    access.pardon("eve", HOME)
    assert not access.holds_off(HOME, 0.0)
    assert access.allows("eve", 0.0, HOME)


# The guard


class Ended:
    """A port whose connections have all sent too much."""

    busy = False

    def __init__(self, *connections: Any) -> None:
        self._connections = connections

    def check(self, _now: float) -> Any:
        return self._connections

    def relieve(self, _excess: int) -> int:
        return 0


async def test_who_sent_too_much_at_either_port_is_logged_and_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(guards, "CALM", 0.0)
    now = [100.0]
    monkeypatch.setattr(guards.time, "monotonic", lambda: now[0])
    access = Access()
    guard = guards.Guard(access, Limits(ban=30.0), Counts())
    loud, louder = (
        TcpConnection(1, 1, 2, None, HOME, 0.0, Bucket(1.0, 1.0, 0.0), key=key) for key in ("eve", "mallory")
    )
    guard.ports = (Ended(loud), Ended(louder))  # type: ignore[assignment]
    with caplog.at_level("WARNING", "cave.host"):
        await guard.watch()
    assert [HOME in record.getMessage() for record in caplog.records] == [True, True]
    for key in ("eve", "mallory"):
        assert [access.allows(key, at, AWAY) for at in (100.0, 129.9, 130.0)] == [False, False, True]
    assert not guard.holds_off(HOME)
    access.hold_off(HOME, 101.0)
    assert guard.holds_off(HOME)
    now[0] = 101.0
    assert not guard.holds_off(HOME)


def test_of_one_address_so_many_lines_are_logged_and_of_another_as_many(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    now = [100.0]
    monkeypatch.setattr(guards.time, "monotonic", lambda: now[0])
    guard = guards.Guard(Access(), Limits(), Counts())

    def logged(address: str) -> int:
        caplog.clear()
        with caplog.at_level("WARNING", "cave.host"):
            for _ in range(20):
                guard.log("a line", address)
        return len(caplog.records)

    assert [logged(HOME), logged(HOME), logged(AWAY)] == [guards.LINES, 0, guards.LINES]
    now[0] += 60
    assert logged(HOME) == 1


def test_memory_is_given_back_again_soon_after_that_helped(monkeypatch: pytest.MonkeyPatch):
    held, freed, tried = [50 * MIB], [0], []

    def give_back() -> None:
        tried.append(True)
        held[0] -= freed[0]

    monkeypatch.setattr(guards.system, "resident", lambda: held[0])
    monkeypatch.setattr(guards.system, "give_back", give_back)
    guard = guards.Guard(Access(), Limits(), Counts())

    def tries(now: float, holds: int, frees: int) -> bool:
        held[0], freed[0] = holds, frees
        tried.clear()
        guard._settle(now)
        return bool(tried)

    much = 50 * MIB + guards.UNSETTLED
    assert not tries(100.0, much, 0), "that is no more than usual"
    assert tries(100.0, much + 1, MIB + 1)
    assert not tries(100.0 + guards.SETTLE - 0.1, much + 1, 0)
    assert tries(100.0 + guards.SETTLE, much + 1, MIB), "no gain worth while"
    assert not tries(100.0 + 2 * guards.SETTLE, much + 1, 0)
    assert tries(100.0 + 3 * guards.SETTLE, much + 1, 0)
    # What it needs at the least is the least that was ever seen.
    assert not tries(200.0, 40 * MIB, 0)
    assert not tries(200.0, 40 * MIB + guards.UNSETTLED, 0)
    assert tries(200.0, 40 * MIB + guards.UNSETTLED + 1, 0)
