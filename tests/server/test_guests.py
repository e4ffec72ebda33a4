"""The connected clients, for the host and its owner, and rules for admission."""

from __future__ import annotations

from typing import Any

import pytest

from server.clients import guard as guards
from server.clients.access import OFFENCES, RETURN, TRYING, WELCOME, Access
from server.clients.clients import Guests
from server.clients.limits import OWN, Limits, TokenBucket
from server.clients.tcp_connections import IDLE, TcpConnection
from server.logs import LogCounts
from server.tables.effects import FOR_EVER
from tests.server.kit import ANN, BEA, EVE, Desk

NO_WIRE: Any = None

HOME, AWAY = "192.0.2.1", "198.51.100.7"


# Who may come in


def test_an_admitted_client_may_reconnect_for_a_minute():
    access = Access()
    access.hold_off(HOME, 1000.0)
    access.zap_status("first", 0.0, HOME)
    assert access.zap_status("first", 10.0, HOME) == b"200"

    def others(now: float) -> None:
        """Take all room for newcomers."""
        for number in range(20):
            access.zap_status(f"other {number}", 0.0, HOME)
            access.zap_status(f"other {number}", now, HOME)

    others(10.0 + WELCOME - 1)
    assert access.zap_status("first", 10.0 + WELCOME - 1, HOME) == b"200"
    # Returning extends the minute.
    end = 10.0 + 2 * WELCOME - 1
    others(end)
    assert access.zap_status("first", end, HOME) == b"300"


def test_a_newcomer_who_offends_must_start_over():
    access = Access()
    access.hold_off(HOME, 1000.0)

    def statuses(start: float) -> list[bytes]:
        return [access.zap_status("eve", start + now, HOME) for now in (0.0, TRYING - 0.1, TRYING)]

    assert statuses(0.0) == [b"300", b"300", b"200"]
    access.punish_offender("eve", HOME, TRYING, 10.0)
    assert access.zap_status("eve", TRYING + 9.9, HOME) == b"400"
    assert statuses(TRYING + 10.0) == [b"300", b"300", b"200"]


def test_a_seat_holder_may_reconnect_after_a_short_ban():
    access = Access(keeps=lambda key: key == "ann")
    for seconds, out in ((30.0, RETURN), (RETURN / 2, RETURN / 2)):
        access.punish_offender("ann", "", 100.0, seconds)
        assert [access.allows("ann", 100.0 + now) for now in (0.0, out - 0.1, out)] == [False, False, True]
    access.punish_offender("eve", "", 100.0, 30.0)
    assert [access.allows("eve", 100.0 + now) for now in (RETURN, 29.9, 30.0)] == [False, False, True]


def test_an_address_is_held_off_after_a_number_of_ended_connections():
    access = Access(counts=(counts := LogCounts()))
    for number in range(int(OFFENCES[1])):
        access.punish_offender(f"key {number}", HOME, 0.0, 30.0)
        assert not access.is_held_off(HOME, 0.0)
    assert not counts["addresses_held_off"]
    access.punish_offender("one more", HOME, 0.0, 30.0)
    assert counts["addresses_held_off"] == 1
    assert [access.is_held_off(HOME, now) for now in (0.0, 29.9, 30.0)] == [True, True, False]
    assert not access.is_held_off(AWAY, 0.0)
    # Without a key and an address nobody is refused.
    access.punish_offender("", "", 0.0, 30.0)
    assert access.allows("", 0.0)


def test_an_address_is_held_off_while_it_is_banned_and_until_a_pardon():
    access = Access()
    access.ban("eve", HOME, 50.0, 0.0)
    assert [access.is_held_off(HOME, now) for now in (0.0, 49.9, 50.0)] == [True, True, False]
    access.ban("eve", HOME, FOR_EVER, 0.0)
    access.hold_off("eve", 1000.0)
    access.hold_off(HOME, 1000.0)
    access.lift_ban("eve", HOME)
    assert not access.is_held_off(HOME, 0.0)
    assert access.allows("eve", 0.0, HOME)


# The guard


class Ended:
    """A port whose connections have all sent too much."""

    pause = IDLE

    def __init__(self, *connections: Any) -> None:
        self._connections = connections

    def end_those_over_limit(self, _now: float) -> Any:
        return self._connections

    def free_bytes_under_way(self, _excess: int) -> int:
        return 0


def test_a_client_that_sent_too_much_is_refused(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    now = [100.0]
    monkeypatch.setattr(guards.time, "monotonic", lambda: now[0])
    access = Access()
    guard = guards.ConnectionGuard(access, Limits(ban=30.0, memory=1 << 40), LogCounts())
    loud, louder = (
        TcpConnection(NO_WIRE, HOME, TokenBucket(1.0, 1.0, 0.0), 0.0, 0.0, 0.0, key=key) for key in ("eve", "mallory")
    )
    guard.ports = (Ended(loud), Ended(louder))  # type: ignore[assignment]
    with caplog.at_level("WARNING", "cave.host"):
        guard.check_connections(now[0])
    assert [HOME in record.getMessage() for record in caplog.records] == [True, True]
    for key in ("eve", "mallory"):
        assert [access.allows(key, at, AWAY) for at in (100.0, 129.9, 130.0)] == [False, False, True]
    assert not guard.is_held_off(HOME)
    access.hold_off(HOME, 101.0)
    assert guard.is_held_off(HOME)
    now[0] = 101.0
    assert not guard.is_held_off(HOME)


# Clients that come, go and come back


@pytest.mark.parametrize(("connected", "may_return"), [(False, False), (False, True), (True, False)])
def test_returning_by_a_seats_key_moves_all_replies(connected: bool, may_return: bool):
    """They are kept for the former connection as well only if it holds another seat, or is still there."""
    guests = Guests(Limits())
    guests.add_connection(b"former", b"former".hex(), 0.0)
    guests.replies.store_reply(b"former".hex(), "1", b"reply")
    once = guests.replies.size
    if not connected:
        guests.remove_connection(b"former", may_return=True)
    guests.add_connection(b"new", b"new".hex(), 0.0)
    guests.inherit_replies(b"former", b"new", may_return=may_return)
    assert guests.replies.stored_reply(b"new".hex(), "1") == b"reply"
    assert guests.replies.size == (2 * once if connected or may_return else once)


def test_replies_count_for_the_clients_site_and_end_with_it():
    """PROTOCOL.md, promise 4: all clients of a site share one bound, also after a move to it."""
    guests = Guests(Limits(replies_address=3000, departed=1))
    for number, address in enumerate(("2001:db8::/64", "2001:db8:0:1::/64", "198.51.100.7")):
        guests.add_connection(b"%d" % number, f"key {number}", 0.0, address)
        guests.replies.store_reply(f"key {number}", "1", bytes(1200))
    size = guests.replies.size
    guests.add_connection(b"2", "key 2", 1.0, "2001:db8:0:2::/64")
    assert guests.replies.size == size * 2 // 3 < 3000 < size
    for number in range(3):
        guests.remove_connection(b"%d" % number, may_return=False)
    assert guests.replies.stored_reply("key 2", "1") is not None
    assert guests.replies.size == size // 3, "one client that left is remembered"


def test_clients_from_before_a_restart_are_remembered_up_to_a_limit():
    guests = Guests(Limits(departed=2))
    for peer in ("ann", "bea", "cyd"):
        guests.replies.store_reply(peer, "1", b"reply")
    for peer in ("ann", "bea", "ann", "cyd"):
        guests.expect_client(peer)
    assert [guests.replies.stored_reply(peer, "1") for peer in ("ann", "bea", "cyd")] == [b"reply", None, b"reply"]


def test_a_seat_counts_for_its_holders_known_address():
    desk = Desk()
    desk.addresses = {ANN: HOME, BEA: AWAY}
    table = desk.open("open", "open", "open", "open")
    for link in (ANN, BEA, EVE):
        desk.ask(link, "sit", table=table, name=link.decode())
    desk.ask(ANN, "sit", table=table, name="Al")
    seats_of = desk.service.clients.seats_from
    assert [seats_of(address) for address in (HOME, AWAY, "", "203.0.113.1")] == [2, 1, 0, 0]
    desk.service.clients.connection_lost(ANN, 0.0)
    assert seats_of(HOME) == 0


def test_a_connection_is_probed_after_the_configured_silence():
    guests = Guests(Limits(silence=10.0))
    heard = guests.add_connection(b"heard", "key", 5.0)
    assert [guests.connections_to_check(now) for now in (14.9, 15.0)] == [[], [b"heard"]]
    heard.tried = 15.0
    assert [guests.connections_to_check(now) for now in (15.0, 24.9, 25.0)] == [[], [], [b"heard"]]
    heard.heard = 20.0
    assert guests.connections_to_check(29.9) == []


def test_a_new_connection_starts_without_its_own_message_allowance():
    """New keys cost nothing, but time does."""
    guests = Guests(Limits())
    own = guests.add_connection(b"ann", "ann", 100.0).own
    rate, burst = OWN
    assert [own.take(100.0 + part / rate) for part in (0.0, 0.9, 1.0, 1.0)] == [False, False, True, False]
    assert [own.take(1000.0, tokens) for tokens in (burst + 1, burst)] == [False, True]
