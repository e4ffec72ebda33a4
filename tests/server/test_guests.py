"""Who is connected, as the host and its owner see it, and small rules of who stays and who goes."""

from __future__ import annotations

from typing import Any

import pytest

from cave import codec
from server import system
from server.clients import guard as guards
from server.clients import routing_ids
from server.clients.access import OFFENCES, RETURN, TRYING, WELCOME, Access
from server.clients.bans import Bans
from server.clients.connections import Guests
from server.clients.limits import MIB, OWN, Bucket, Limits
from server.clients.replies import OVERHEAD, Replies
from server.clients.tcp import TcpConnection
from server.clients.throttle import BUSY
from server.stats import Counts
from server.tables.effects import FOR_EVER
from tests.server.kit import ANN, BEA, EVE, Desk

HOME, AWAY = "192.0.2.1", "198.51.100.7"


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
    told = {visitor.key: codec.as_json(visitor) for visitor in desk.service.clients.visitors()}
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
    access = Access(counts=(counts := Counts()))
    for number in range(int(OFFENCES[1])):
        access.offended(f"key {number}", HOME, 0.0, 30.0)
        assert not access.holds_off(HOME, 0.0)
    assert not counts["addresses_held_off"]
    access.offended("one more", HOME, 0.0, 30.0)
    assert counts["addresses_held_off"] == 1
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

    pause = guards.IDLE

    def __init__(self, *connections: Any) -> None:
        self._connections = connections

    def check(self, _now: float) -> Any:
        return self._connections

    def relieve(self, _excess: int) -> int:
        return 0


def test_who_sent_too_much_at_either_port_is_logged_and_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    now = [100.0]
    monkeypatch.setattr(guards.time, "monotonic", lambda: now[0])
    access = Access()
    guard = guards.Guard(access, Limits(ban=30.0), Counts())
    loud, louder = (
        TcpConnection(1, 1, 2, None, HOME, 0.0, Bucket(1.0, 1.0, 0.0), key=key) for key in ("eve", "mallory")
    )
    guard.ports = (Ended(loud), Ended(louder))  # type: ignore[assignment]
    with caplog.at_level("WARNING", "cave.host"):
        guard.look(now[0])
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


# Clients that come, go and come back


def test_a_ban_of_an_address_that_has_ended_is_dropped_with_the_next_ban():
    bans = Bans()
    bans.ban("eve", 0.0, HOME, 10.0)
    bans.ban("mallory", 9.9, AWAY, 20.0)
    assert set(bans.addresses) == {HOME, AWAY}
    bans.ban("trudy", 10.0)
    assert set(bans.addresses) == {HOME, AWAY}, "a ban of a key alone changes no address"
    bans.ban("trudy", 10.0, "203.0.113.1")
    assert set(bans.addresses) == {AWAY, "203.0.113.1"}


def test_room_is_made_by_the_longest_silent_of_the_largest_crowd():
    desk = Desk()
    desk.addresses = {b"d": HOME, b"c": HOME, b"b": AWAY, b"a": HOME}
    for number, link in enumerate((b"b", b"c", b"a", b"d")):
        desk.now = float(number)
        desk.ask(link, "ping")
    clients, left = desk.service.clients, []
    while effects := clients.make_room({"keeper", b"d".hex()}, desk.now):
        left.append(effects[0].link)
    assert left == [b"c", b"b", b"a"]
    assert list(clients.guests) == [b"d"]


def test_clients_of_an_earlier_run_are_expected_back_as_many_as_are_remembered():
    guests = Guests(Limits(departed=2))
    for key in ("a", "b", "c"):
        guests.replies.remember(key, "1", b"reply")
        guests.expect(key)
    assert [guests.replies.get(key, "1") for key in ("a", "b", "c")] == [None, b"reply", b"reply"]
    guests.expect("b")
    guests.replies.remember("d", "1", b"reply")
    guests.expect("d")
    assert [guests.replies.get(key, "1") for key in ("b", "c", "d")] == [b"reply", None, b"reply"]


@pytest.mark.parametrize("may_return", [False, True])
def test_who_comes_back_by_a_seats_key_takes_all_replies_along(may_return: bool):
    """They are kept for the former connection as well only where it holds another seat."""
    guests = Guests(Limits())
    guests.arrive(b"former", b"former".hex(), 0.0)
    guests.replies.remember(b"former".hex(), "1", b"reply")
    once = guests.replies.size
    guests.leave(b"former", may_return=True)
    guests.arrive(b"new", b"new".hex(), 0.0)
    guests.inherit(b"former", b"new", may_return=may_return)
    assert guests.replies.get(b"new".hex(), "1") == b"reply"
    assert guests.replies.size == (2 * once if may_return else once)


def test_replies_of_a_connection_that_is_still_there_stay_its_own_as_well():
    guests = Guests(Limits())
    for link in (b"former", b"new"):
        guests.arrive(link, link.hex(), 0.0)
    guests.replies.remember(b"former".hex(), "1", b"reply")
    guests.inherit(b"former", b"new", may_return=False)
    assert [guests.replies.get(link.hex(), "1") for link in (b"former", b"new")] == [b"reply"] * 2


def test_a_seat_is_counted_at_the_address_of_who_holds_it_and_at_no_unknown_one():
    desk = Desk()
    desk.addresses = {ANN: HOME, BEA: AWAY}
    table = desk.open("open", "open", "open", "open")
    for link in (ANN, BEA, EVE):
        desk.ask(link, "sit", table=table, name=link.decode())
    desk.ask(ANN, "sit", table=table, name="Al")
    seats_of = desk.service.clients.seats_of
    assert [seats_of(address) for address in (HOME, AWAY, "", "203.0.113.1")] == [2, 1, 0, 0]
    desk.service.clients.lost(ANN, 0.0)
    assert seats_of(HOME) == 0


def test_a_connection_is_tried_when_it_has_been_silent_for_as_long_as_is_said():
    guests = Guests(Limits(silence=10.0))
    heard = guests.arrive(b"heard", "key", 5.0)
    assert [guests.silent(now) for now in (14.9, 15.0)] == [[], [b"heard"]]
    heard.tried = 15.0
    assert [guests.silent(now) for now in (15.0, 24.9, 25.0)] == [[], [], [b"heard"]]
    heard.heard = 20.0
    assert guests.silent(29.9) == []


def test_who_was_cut_for_memory_is_counted_and_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    class Port(Ended):
        def relieve(self, _excess: int) -> int:
            return 2

    monkeypatch.setattr(guards.system, "resident", lambda: 200 * MIB)
    monkeypatch.setattr(guards.system, "give_back", lambda: None)
    guard = guards.Guard(Access(), Limits(memory=100 * MIB), counts := Counts())
    guard.ports = (Port(), Port())  # type: ignore[assignment]
    with caplog.at_level("WARNING", "cave.host"):
        for now in (0.0, guards.RELIEF - 0.1, guards.RELIEF):
            guard._bound_memory(now)
    assert counts["cut_for_memory"] == 8
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert all("200" in each and "connections_cut=4" in each for each in told)


async def test_the_guard_waits_for_what_comes_and_less_long_while_much_does(monkeypatch: pytest.MonkeyPatch):
    waited: list[float] = []

    async def wait(_: system.Arrivals, longest: float) -> None:
        waited.append(longest)

    monkeypatch.setattr(system.Arrivals, "wait", wait)
    calm, busy = Ended(), Ended()
    busy.pause = BUSY
    for ports in ((), (calm, calm), (calm, busy), (busy, calm)):
        guard = guards.Guard(Access(), Limits(), Counts())
        guard.ports = ports  # type: ignore[assignment]
        await guard.watch()
    assert waited == [guards.IDLE, guards.IDLE, BUSY, BUSY]


async def test_however_often_something_comes_the_guard_leaves_a_moment_between_two_looks(
    monkeypatch: pytest.MonkeyPatch,
):
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))

    async def wait(_: system.Arrivals, longest: float) -> None:
        now[0] += 0.03

    now = [100.0]
    monkeypatch.setattr(guards.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(guards.asyncio, "sleep", sleep)
    monkeypatch.setattr(system.Arrivals, "wait", wait)
    guard = guards.Guard(Access(), Limits(), Counts())
    for _ in range(2):
        await guard.watch()
    assert slept[0] < 0
    assert slept[1] == round(guards.CALM - 0.03, 3)


@pytest.mark.parametrize(("platform", "library"), [("linux", None), ("darwin", None), ("win32", "ucrtbase")])
def test_the_library_that_libzmq_counts_by_is_seeded(
    monkeypatch: pytest.MonkeyPatch, platform: str, library: str | None
):
    seeded: list[Any] = []

    class Library:
        def __init__(self, name: str | None) -> None:
            self.srand = lambda number: seeded.append((name, number.value))

    monkeypatch.setattr(routing_ids.ctypes, "CDLL", Library)
    monkeypatch.setattr(routing_ids.sys, "platform", platform)
    routing_ids.seed()
    routing_ids.seed()
    assert [name for name, _ in seeded] == [library] * 2
    assert seeded[0] != seeded[1], "each host begins elsewhere"


def test_replies_count_where_their_client_is_now():
    """Who moves leaves nothing behind, and takes no more along than there is room for."""
    cost = OVERHEAD + 1
    replies = Replies(Limits(replies_address=2 * cost, replies=6 * cost))
    for who in ("ann", "bea"):
        for re in ("1", "2"):
            replies.remember(who, re, b"")
    replies.come_from("ann", HOME)
    assert [replies.get("ann", re) for re in ("1", "2")] == [b"", b""]
    replies.come_from("bea", HOME)
    assert replies.size == 2 * cost
    replies.come_from("ann", AWAY)
    replies.come_from("bea", AWAY)
    assert replies.size == 2 * cost
    replies.remember("cyd", "1", b"")
    replies.remember("cyd", "2", b"")
    replies.come_from("cyd", HOME)
    assert replies.size == 4 * cost


def test_as_many_bytes_of_replies_as_may_be_are_kept_and_no_more():
    cost = OVERHEAD + 1
    for bound in ("replies_each", "replies_address", "replies"):
        replies = Replies(Limits(**{bound: 2 * cost}))
        replies.come_from("ann", HOME)
        for re in ("1", "2"):
            replies.remember("ann", re, b"")
        assert [replies.get("ann", re) for re in ("1", "2")] == [b"", b""], bound
        replies.remember("ann", "3", b"")
        assert [replies.get("ann", re) for re in ("1", "2", "3")] == [None, b"", b""], bound


def test_clients_that_share_an_address_share_the_room_for_replies_there():
    cost = OVERHEAD + 1
    guests = Guests(Limits(replies_address=2 * cost))
    places = {b"ann": "2001:db8:0:1200::/64", b"bea": "2001:db8:0:12ff::/64", b"cyd": AWAY}
    for link, address in places.items():
        guests.arrive(link, link.decode(), 0.0, address)
        for re in ("1", "2"):
            guests.replies.remember(link.decode(), re, b"")
    assert guests.replies.size == 4 * cost
    # Who comes from elsewhere now leaves room behind.
    guests.arrive(b"bea", "bea", 1.0, "203.0.113.1")
    for re in ("3", "4"):
        for link in places:
            guests.replies.remember(link.decode(), re, b"")
    assert guests.replies.size == 6 * cost


def test_a_new_connection_has_no_messages_of_its_own_yet():
    """New keys cost nothing, but time does."""
    guests = Guests(Limits())
    own = guests.arrive(b"ann", "ann", 100.0).own
    rate, burst = OWN
    assert not own.has(100.0)
    assert not own.has(100.0 + 0.9 / rate)
    assert own.has(100.0 + 1 / rate)
    assert [own.has(1000.0, tokens) for tokens in (burst, burst + 1)] == [True, False]
