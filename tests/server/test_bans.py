"""Bans by the host's owner: by key, and by address against clients that return with a fresh key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st

from cave import keys
from cave.protocol import BannedAddress, BansReply
from server.clients.access import ADDRESSES_FILE, BANNED_FILE, Access, AddressBan, BadKeys, Bans, load_bans
from server.clients.limits import address_key, parse_network
from server.tables.effects import FOR_EVER
from tests.server.kit import BEA, EVE, Desk
from tests.server.raw import Pair, pair
from tests.server.running import Running, running

OPEN = {"game": "the-cave", "seats": [{"kind": "open"}] * 3}
FAILED = zmq.EVENT_HANDSHAKE_FAILED_AUTH
GOOD = zmq.EVENT_HANDSHAKE_SUCCEEDED
HERS, ELSEWHERE = "127.0.0.2", "127.0.0.3"
"""Other addresses of this machine; the owner comes from 127.0.0.1."""


def text(mine: Pair) -> str:
    return mine[0].decode()


def some_key() -> str:
    return keys.to_z85(os.urandom(keys.SIZE))


@pytest.fixture
def owner() -> Pair:
    return pair()


@pytest.fixture
def options(tmp_path: Path, owner: Pair) -> tuple[str, ...]:
    """Options of a host that saves keys, tables and bans."""
    return "--data", str(tmp_path), f"--owner={text(owner)}"


async def may_come(made: Any, host: Running, source: str) -> bool:
    """Return whether a client with a fresh key is admitted from there, to the desk and to the gallery."""
    came = set()
    for port, kind in (("desk", zmq.DEALER), ("gallery", zmq.SUB)):
        client = made(host, pair(), source=source, port=port, kind=kind)
        came.add(await client.until(FAILED, GOOD) == GOOD)
    [answer] = came
    return answer


# A real host


async def test_a_new_key_does_not_avoid_a_ban(options: tuple[str, ...], owner: Pair, made: Any):
    async with running(*options) as host:
        ann, boss = made(host, pair(), source=ELSEWHERE), made(host, owner)
        hers = pair()
        eve, watcher = made(host, hers, source=HERS), made(host, pair(), source=HERS)
        table = (await ann.ask("open", **OPEN))["table"]
        for client, name in ((ann, "Ann"), (eve, "Eve")):
            await client.ask("sit", table=table, name=name)
        await watcher.ask("watch", table=table)
        banned = await boss.ask("ban", table=table, seat=1, address=True)
        told = {name: banned[name] for name in ("type", "key", "address", "seconds", "staying")}
        assert told == {
            "type": "banned", "key": text(hers), "address": HERS, "seconds": None, "staying": [],
        }  # fmt: skip
        for client in (eve, watcher):
            await client.until(zmq.EVENT_DISCONNECTED)
        assert not await may_come(made, host, HERS)
        assert await may_come(made, host, ELSEWHERE)
        assert (await ann.ask("ping"))["type"] == "pong"
    # The ban outlives the host, until it is lifted.
    async with running(*options) as host:
        assert not await may_come(made, host, HERS)
        boss = made(host, owner)
        bans = await boss.ask("bans")
        assert bans["keys"] == [text(hers)]
        assert bans["addresses"] == [{"address": HERS, "key": text(hers), "seconds": None}]
        assert (await boss.ask("pardon", key=text(hers)))["type"] == "pardoned"
        assert await may_come(made, host, HERS)
        assert (await made(host, hers, source=HERS).ask("ping"))["type"] == "pong"


async def test_a_seat_holder_at_a_banned_address_stays(options: tuple[str, ...], owner: Pair, made: Any):
    async with running(*options) as host:
        hers, his = pair(), pair()
        eve, bob, boss = made(host, hers, source=HERS), made(host, his, source=HERS), made(host, owner)
        table = (await eve.ask("open", **OPEN))["table"]
        key = (await bob.ask("sit", table=table, name="Bob"))["key"]
        await eve.ask("watch", table=table)
        banned = await boss.ask("ban", key=text(hers), address=True, seconds=3600)
        assert (banned["staying"], banned["seconds"]) == (["Bob"], 3600)
        await eve.until(zmq.EVENT_DISCONNECTED)
        assert (await bob.ask("ping"))["type"] == "pong"
        bob.close()
        again = made(host, his, source=HERS)
        assert (await again.ask("resume", table=table, seat=0, key=key))["type"] == "seated"
        assert not await may_come(made, host, HERS)
        # An address can be unbanned on its own.
        assert (await boss.ask("pardon", address=HERS))["address"] == HERS
        assert await may_come(made, host, HERS)
        assert await made(host, hers, source=HERS).until(FAILED, GOOD) == FAILED


async def test_the_owners_address_is_never_banned(options: tuple[str, ...], owner: Pair, made: Any):
    async with running(*options) as host:
        hers = pair()
        eve, boss = made(host, hers), made(host, owner)
        await eve.ask("ping")
        refused = await boss.ask("ban", key=text(hers), address=True)
        assert refused["code"] == "no_address"
        assert "127.0.0.1 is your own address" in refused["message"]
        refused = await boss.ask("ban", key=some_key(), address=True)
        assert (refused["code"], "does not know" in refused["message"]) == ("no_address", True)
        assert (await eve.ask("ping"))["type"] == "pong"
        bans = await boss.ask("bans")
        assert (bans["keys"], bans["addresses"]) == ([], [])
        for seconds in (0, 10**12):
            refused = await boss.ask("ban", key=text(hers), address=True, seconds=seconds)
            assert refused["code"] == "bad_message"
        for kind, fields in (("bans", {}), ("ban", {"key": text(owner), "address": True})):
            assert (await eve.ask(kind, **fields))["code"] == "not_owner"
        for fields in ({}, {"address": "nowhere"}, {"address": "10.0.0.0/8"}):
            assert (await boss.ask("pardon", **fields))["code"] == "bad_message"


async def test_a_damaged_address_list_is_reported_and_stops_the_host(tmp_path: Path):
    (tmp_path / ADDRESSES_FILE).write_text("127.0.0.2 x -\n")
    with pytest.raises(AssertionError, match=r"Line 1 of .* is not an address, a key and a time"):
        async with running("--data", str(tmp_path)):
            pass


# The policy, without sockets


def test_a_ban_by_address_lasts_as_long_as_the_owner_says():
    bans = Bans()
    seated = some_key()
    access = Access(bans=bans, keeps=lambda key: key == seated)
    eve = some_key()
    access.ban(eve, "192.0.2.7", 100.0, 0.0)
    for now, allowed in ((0.0, False), (99.9, False), (100.0, True)):
        assert access.allows(some_key(), now, "192.0.2.7") is allowed
        assert access.allows(seated, now, "192.0.2.7")
        assert access.allows(some_key(), now, "192.0.2.8")
        assert not access.allows(eve, now, "192.0.2.8")
    access.ban(eve, "192.0.2.7", FOR_EVER, 0.0)
    assert not access.allows(some_key(), 1e12, "192.0.2.7")
    access.lift_ban("", "192.0.2.7")
    assert access.allows(some_key(), 0.0, "192.0.2.7")
    assert not access.allows(eve, 0.0, "192.0.2.7")


def test_a_pardon_lifts_only_its_own_ban():
    bans = Bans()
    eve, mallory = some_key(), some_key()
    bans.ban(eve, 0.0, "192.0.2.7")
    bans.ban(mallory, 0.0, "192.0.2.8", 50.0)
    bans.lift(eve)
    assert bans.as_reply(49.5) == BansReply([mallory], [BannedAddress("192.0.2.8", mallory, 1)])
    assert bans.as_reply(50.0).addresses == []


def test_a_household_has_one_ipv6_network():
    bans = Bans()
    bans.ban(some_key(), 0.0, address_key("2001:db8:1:2:3::4"))
    assert bans.is_banned(address_key("2001:db8:1:2:ffff::1"), 0.0)
    assert not bans.is_banned(address_key("2001:db8:1:3::1"), 0.0)
    [address] = bans.addresses
    assert parse_network(address) == address == "2001:db8:1:2::/64"


@pytest.mark.parametrize("wrong", ["", "x", "192.0.2.0/24", "192.0.2.7/64", "2001:db8::/48", "/64", "1.2.3.4.5"])
def test_an_invalid_address_has_no_network(wrong: str):
    assert parse_network(wrong) == ""


def test_a_host_without_keys_cannot_ban_by_address():
    desk = Desk(owners=("boss",))
    desk.peers = {EVE: "boss"}
    table = desk.open("open", "open")
    desk.ask(BEA, "sit", table=table, name="Bea")
    assert desk.ask(EVE, "ban", table=table, seat=0, address=True)["code"] == "no_seat"
    assert desk.service.tables[table].seats[0].kind == "person"


# The files

ADDRESSES = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str).map(address_key)
KEYS = st.binary(min_size=keys.SIZE, max_size=keys.SIZE).map(keys.to_z85)


@given(
    st.dictionaries(ADDRESSES, st.tuples(KEYS, st.none() | st.integers(1, 10**9)), max_size=5), st.integers(0, 10**9)
)
def test_bans_do_not_depend_on_the_clock_of_the_next_run(
    tmp_path_factory: pytest.TempPathFactory, wanted: dict[str, tuple[str, int | None]], later: int
):
    """The calendar is ahead of the first clock by 5000 seconds and of the second by ``later``."""
    folder = tmp_path_factory.mktemp("bans")
    bans = load_bans(folder, (), lambda: 5000.0)
    for address, (key, seconds) in wanted.items():
        bans.ban(key, 0.0, address, FOR_EVER if seconds is None else float(seconds))
    found = load_bans(folder, (), lambda: float(later))
    assert found.keys == bans.keys
    assert found.addresses == {
        address: AddressBan(out.until + 5000.0 - later, out.key) for address, out in bans.addresses.items()
    }
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o077 == 0
    for address, out in bans.addresses.items():
        found.lift(out.key, address)
    again = load_bans(folder, (), lambda: float(later))
    assert (again.keys, again.addresses) == (frozenset(), {})


@pytest.mark.parametrize(
    "line",
    [
        "nowhere KEY -",
        "192.0.2.7 key -",
        "192.0.2.7 KEY",
        "192.0.2.7 KEY soon",
        "192.0.2.7 KEY - x",
        "2001:db8::1 KEY -",
    ],
)
def test_an_unreadable_line_is_reported_by_its_number(tmp_path: Path, line: str):
    key = keys.key_for_ticket(some_key())
    (tmp_path / ADDRESSES_FILE).write_text(f"# mine\n\n192.0.2.1 {key} 17\n{line.replace('KEY', key)}\n")
    with pytest.raises(BadKeys, match="Line 4 of"):
        load_bans(tmp_path, (), lambda: 0.0)


def test_an_owner_on_the_ban_list_is_admitted(tmp_path: Path):
    mine = some_key()
    (tmp_path / BANNED_FILE).write_text(keys.key_for_ticket(mine) + "\n")
    assert load_bans(tmp_path, (mine,), lambda: 0.0).keys == frozenset()


def test_each_ban_holds_until_it_is_lifted() -> None:
    bans, first, second = Bans(), some_key(), some_key()
    for key in (first, second):
        bans.ban(key, 0.0)
    assert bans.as_reply(0.0).keys == sorted((first, second))
    bans.lift(first)
    assert bans.as_reply(0.0).keys == [second]
