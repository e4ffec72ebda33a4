"""Admission, holding seats, and the owner's privileges (PROTOCOL.md), with real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import attrs
import pytest
import zmq

from cave import keys
from server.clients.access import (
    DOMAIN,
    NEWCOMERS,
    TRYING,
    Access,
    BadKeys,
    RoutingIds,
    load_host_keys,
    read_key_list,
    write_key_list,
)
from tests.server.raw import Bare, Pair, Raw, pair
from tests.server.running import Running, running


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


HAS_IPV6 = has_ipv6()
OPEN = {"game": "the-cave", "seats": [{"kind": "open"}] * 2}


def all_of(folder: Path) -> bytes:
    """The contents of all files of a folder."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


def text(mine: Pair) -> str:
    return mine[0].decode()


# The handshake


async def test_a_client_with_the_hosts_key_is_admitted(host: Running, made: Any):
    assert (await made(host, pair()).ask("ping"))["type"] == "pong"


FAILURES = (
    zmq.EVENT_HANDSHAKE_FAILED_AUTH,
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL,
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL,
    zmq.EVENT_HANDSHAKE_SUCCEEDED,
)


@pytest.mark.parametrize("port", ["desk", "gallery"])
@pytest.mark.parametrize("plain", [True, False])
async def test_a_client_without_the_right_key_is_rejected(host: Running, made: Any, port: str, plain: bool):
    kind = zmq.DEALER if port == "desk" else zmq.SUB
    stranger = made(host, None if plain else pair(), key=text(pair()), kind=kind, port=port)
    assert await stranger.until(*FAILURES) != zmq.EVENT_HANDSHAKE_SUCCEEDED
    assert (await made(host, pair()).ask("ping"))["type"] == "pong"


async def test_only_the_owner_and_invited_clients_are_admitted(tmp_path: Path, made: Any):
    owner, named, listed, stranger = pair(), pair(), pair(), pair()
    (tmp_path / "invited.keys").write_text(f"# friends\n{keys.key_for_ticket(text(listed))} Bea's laptop\n\n")
    options = ("--keys", str(tmp_path), "--invited-only", f"--invite={keys.key_for_ticket(text(named))}")
    async with running(*options, f"--owner={text(owner)}") as host:
        for guest in (owner, named, listed):
            assert (await made(host, guest).ask("ping"))["type"] == "pong"
        for port, kind in (("desk", zmq.DEALER), ("gallery", zmq.SUB)):
            refused = made(host, stranger, kind=kind, port=port)
            assert await refused.until(*FAILURES) == zmq.EVENT_HANDSHAKE_FAILED_AUTH
        counted = (await made(host, owner).ask("stats"))["counts"]
        assert counted["zap_uninvited"] >= 2


async def test_a_host_without_encryption_says_so_and_serves_plain_clients(made: Any):
    async with running("--no-encryption") as host:
        assert (host.door["encrypted"], host.door["public_key"]) == (False, "")
        assert (await made(host, None).ask("ping"))["type"] == "pong"


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
@pytest.mark.parametrize("bind", ["::1", "::", "*"])
async def test_a_host_speaks_ipv6(made: Any, bind: str):
    async with running("--bind", bind) as started:
        host = attrs.evolve(started, ip="::1")
        assert (await made(host, pair()).ask("ping"))["type"] == "pong"
        _, writer = await asyncio.open_connection("::1", host.door["port"])
        writer.close()
        if bind != "::1":
            assert (await made(started, pair()).ask("ping"))["type"] == "pong"


# Seats


async def two_seated(made: Any, host: Running) -> tuple[Raw, Raw, Pair, str, str]:
    mine, theirs = pair(), pair()
    ann, bea = made(host, mine), made(host, theirs)
    table = (await ann.ask("open", **OPEN))["table"]
    key = (await ann.ask("sit", table=table, name="Ann"))["key"]
    await bea.ask("sit", table=table, name="Bea")
    return ann, bea, mine, table, key


async def test_a_seats_number_is_useless_to_others(host: Running, made: Any):
    _, bea, _, table, _ = await two_seated(made, host)
    eve = made(host, pair())
    for thief in (bea, eve):
        for kind, extra in (("act", {"seq": 1, "action": {}}), ("undo", {"seq": 1}), ("stand", {})):
            reply = await thief.ask(kind, table=table, seat=0, **extra)
            assert reply["code"] == "not_seated"
        assert (await thief.ask("resume", table=table, seat=0, key="guess"))["code"] == "wrong_key"
    assert (await eve.ask("say", table=table, text="hi"))["code"] == "not_seated"


CHOSEN = pytest.mark.parametrize("chosen", [b"ann", b"\x01four", b"five.", b"\0four", b"x" * 255])


@CHOSEN
async def test_the_host_names_the_connections_of_clients_with_a_key(host: Running, made: Any, chosen: bytes):
    # libzmq would refuse the second of two clients that chose the same.
    clients = [made(host, pair(), routing_id=chosen) for _ in range(3)]
    for client in clients:
        assert (await client.ask("ping"))["type"] == "pong"
    table = (await clients[0].ask("open", **OPEN))["table"]
    assert (await clients[1].ask("sit", table=table, name="Bea"))["type"] == "seated"
    assert (await clients[2].ask("stand", table=table, seat=0))["code"] == "not_seated"


@CHOSEN
async def test_without_keys_a_chosen_routing_id_ends_the_connection(made: Any, chosen: bytes):
    async with running("--no-encryption") as host:
        ann = made(host, None, routing_id=chosen)
        for framed in ([b'{"type": "ping", "id": "1"}'], [b"", b'{"type": "ping", "id": "1"}'], [b"nonsense"]):
            await ann.desk.send_multipart(framed)
            *envelope, told = await ann.desk.recv_multipart()
            assert envelope == framed[:-1]
            error = json.loads(told)
            if chosen.startswith(b"\0"):
                continue  # it looks like one of libzmq's own
            assert (error["type"], error["re"], error["code"]) == ("error", None, "bad_message")
            assert "ZMQ_ROUTING_ID" in error["message"]
        if not chosen.startswith(b"\0"):
            await ann.until(zmq.EVENT_DISCONNECTED)
        assert (await made(host, None).ask("ping"))["type"] == "pong"


async def test_an_issued_routing_id_works_only_with_its_key():
    ids = RoutingIds()
    issued = ids.issue("ann")
    assert ids.is_genuine(issued, "ann")
    assert ids.issue("ann") != issued
    assert not ids.is_genuine(issued, "eve")
    assert not ids.is_genuine(issued, None)
    assert not RoutingIds().is_genuine(issued, "ann")


async def test_occupied_libzmq_ids_do_not_end_the_host(made: Any):
    """libzmq 4.3.5 aborts if it generates an id in use, and unseeded it starts at this one."""
    first = 0xE43C9869
    async with running("--no-encryption", loads=True) as host:
        ids = [b"\0" + number.to_bytes(4, "big") for number in range(first, first + 30)]
        taken = [await Bare.connect(host, name) for name in ids]
        clients = [made(host, None) for _ in range(32)]
        for client in clients:
            assert (await client.ask("ping"))["type"] == "pong"
        for each in taken:
            each.close()
        assert host.process.returncode is None


async def test_without_keys_a_holders_routing_id_does_not_give_the_seat(made: Any):
    """SECURITY.md: only the seat's key counts."""
    name = b"\0anns"
    async with running("--no-encryption") as host:
        bea = made(host, None)
        table = (await bea.ask("open", **OPEN))["table"]
        ann = await Bare.connect(host, name)
        seated = await ann.ask("sit", table=table, name="Ann")
        await bea.ask("sit", table=table, name="Bea")
        ann.close()
        while (await bea.ask("tables"))["tables"][0]["seats"][0]["present"]:
            pass
        heard: list[asyncio.Task[Any]] = []
        while not any(task.done() for task in heard):
            # libzmq does not answer a client that comes before the routing id is free again.
            eve = await Bare.connect(host, name)
            eve.say("stand", table=table, seat=0)
            heard.append(asyncio.create_task(eve.hear()))
            assert not (await bea.ask("tables"))["tables"][0]["seats"][0]["present"]
        for task in heard:
            if task.done():
                assert task.result().get("code") in ("not_seated", "bad_message"), task.result()
            task.cancel()
        for _ in range(20):
            # One that is gone before the host reads it must not pass for the last message of the holder.
            eve = await Bare.connect(host, name)
            eve.say("stand", table=table, seat=0)
            eve.close()
        ann = await Bare.connect(host, b"")
        assert (await ann.ask("resume", table=table, seat=0, key=seated["key"]))["type"] == "seated"
        assert (await ann.ask("stand", table=table, seat=0)).get("code") != "not_seated"
        ann.close()


async def test_a_reused_routing_id_receives_no_earlier_messages(made: Any):
    """Even an id that looks like one of libzmq's own, which a program without libzmq can claim."""
    name = b"\x00anns"
    async with running("--no-encryption") as host:
        bea = made(host, None)
        table = (await bea.ask("open", **OPEN))["table"]
        await bea.ask("sit", table=table, name="Bea", seat=1)
        ann = await Bare.connect(host, name)
        assert (await ann.ask("sit", table=table, name="Ann"))["seat"] == 0
        ann.close()
        heard: asyncio.Queue[Any] = asyncio.Queue()

        async def imitate() -> None:
            heard.put_nowait(await (await Bare.connect(host, name)).hear())

        async def miss() -> None:
            while (await bea.ask("tables"))["tables"][0]["seats"][0]["present"]:
                pass
            heard.put_nowait("away")

        # One of many is there when the name becomes free.
        tasks = [asyncio.create_task(work()) for work in (*[imitate] * 20, miss)]
        assert await heard.get() == "away"
        for task in tasks:
            task.cancel()


async def test_keys_of_seats_and_codes_of_tables_are_in_no_file_of_the_host(tmp_path: Path, made: Any):
    async with running("--data", str(tmp_path)) as host:
        ann = made(host, pair())
        table = (await ann.ask("open", code="a code of many letters", title="a title", **OPEN))["table"]
        seated = await ann.ask("sit", table=table, name="Ann", code="a code of many letters")
        kept = all_of(tmp_path)
        assert b"a title" in kept
        assert b"a code of many letters" not in kept
        assert seated["key"].encode() not in kept


# The owner


async def test_only_the_owner_closes_frees_bans_and_sees_the_counts(tmp_path: Path, made: Any):
    owner = pair()
    options = ("--keys", str(tmp_path), f"--owner={text(owner)}")
    async with running(*options) as host:
        ann, bea, mine, table, _ = await two_seated(made, host)
        for kind, fields in (
            ("stats", {}), ("guests", {}), ("close", {"table": table}), ("free", {"table": table, "seat": 0}),
            ("ban", {"table": table, "seat": 0}), ("pardon", {"key": text(mine)}),
        ):  # fmt: skip
            assert (await bea.ask(kind, **fields))["code"] == "not_owner"
        listening = made(host, mine, kind=zmq.SUB, port="gallery")
        listening.desk.subscribe(f"table.{table}".encode())
        await listening.desk.recv_multipart()
        boss = made(host, owner)
        counts = (await boss.ask("stats"))["counts"]
        assert counts["refused_not_owner"] == 6
        assert (await boss.ask("free", table=table, seat=1))["type"] == "freed"
        assert (await boss.ask("free", table=table, seat=1))["code"] == "no_seat"
        freed = {"type": "taken_over", "table": table, "seat": 1, "freed": True}
        assert await bea.reply(None) == freed, "who sat there is told at once"
        assert (await bea.ask("stand", table=table, seat=1))["code"] == "not_seated"
        banned = await boss.ask("ban", table=table, seat=0)
        assert banned["key"] == text(mine)
        await ann.until(zmq.EVENT_DISCONNECTED)
        assert await ann.until(*FAILURES) == zmq.EVENT_HANDSHAKE_FAILED_AUTH
        # Nor does it stay subscribed.
        await listening.until(zmq.EVENT_DISCONNECTED)
        assert await listening.until(*FAILURES) == zmq.EVENT_HANDSHAKE_FAILED_AUTH
        assert (await boss.ask("ban", key=text(owner)))["code"] == "not_owner"
        assert (await boss.ask("ban", key="x"))["code"] == "bad_message"
        assert (await boss.ask("close", table=table))["type"] == "closed"
        assert (await boss.ask("tables"))["tables"] == []
    # The ban outlives the host; then it is lifted.
    assert read_key_list(tmp_path / "banned.keys") == {text(mine)}
    async with running(*options) as host:
        outside = made(host, mine)
        assert await outside.until(*FAILURES) == zmq.EVENT_HANDSHAKE_FAILED_AUTH
        assert (await made(host, owner).ask("pardon", key=text(mine)))["type"] == "pardoned"
        assert (await made(host, mine).ask("ping"))["type"] == "pong"


# The policy, without sockets


def request(key: bytes, **change: bytes) -> list[bytes]:
    fields = {
        "version": b"1.0", "id": b"7", "domain": DOMAIN, "address": b"127.0.0.1", "identity": b"",
        "mechanism": b"CURVE", "key": key,
    }  # fmt: skip
    return list({**fields, **change}.values())


def test_the_policy_fails_closed():
    mine = os.urandom(32)
    client = keys.to_z85(mine)
    access = Access()
    *reply, metadata = access.answer_zap(request(mine), 0.0)
    assert reply == [b"1.0", b"7", b"200", b"OK", client.encode()]
    assert metadata[:9] == b"\x08Identity"
    assert access.ids.is_genuine(metadata[13:], client)
    for wrong in (
        request(mine, mechanism=b"NULL"), request(mine, domain=b"other"), request(mine, version=b"2.0"),
        request(b"short"), request(mine)[:6], [*request(mine), b"more"], [], [b"1.0"],
    ):  # fmt: skip
        assert access.answer_zap(wrong, 0.0)[2] in (b"400", b"500")
        assert access.answer_zap(wrong, 0.0)[4] == b""


def held_off() -> Access:
    """A policy that blocks an address for a while, as its keys were disconnected repeatedly."""
    access = Access(keeps=lambda key: key == "ann")
    for number in range(10):
        access.punish_offender(f"x{number}", "10.0.0.1", 0.0, 30.0)
    return access


def test_a_new_client_at_a_held_off_address_is_admitted_after_retrying():
    access = held_off()
    tries = [access.zap_status("new", now, "10.0.0.1") for now in (0.0, 1.0, TRYING, 3.0)]
    assert tries == [b"300", b"300", b"200", b"200"]
    # A fresh key does not help, nor does one that was disconnected itself.
    assert access.zap_status("x11", 3.0, "10.0.0.1") == b"300"
    assert access.zap_status("x1", 3.0, "10.0.0.1") == b"400"
    assert access.zap_status("ann", 3.0, "10.0.0.1") == access.zap_status("far", 3.0, "10.0.0.2") == b"200"
    # An admitted client that sends too much is out like all others.
    access.punish_offender("new", "10.0.0.1", 3.0, 30.0)
    assert access.zap_status("new", 20.0, "10.0.0.1") == b"400"
    assert access.zap_status("x11", 40.0, "10.0.0.1") == b"200"


def test_few_of_many_waiting_clients_are_admitted_at_a_time():
    access = held_off()
    crowd = [f"new{number}" for number in range(100)]

    def let_in(now: float) -> int:
        return sum(access.allows(key, now, "10.0.0.1") for key in crowd)

    burst = int(NEWCOMERS[1])
    assert [let_in(now) for now in (0.0, 2.0, 2.0, 5.0)] == [0, burst, burst, burst + 3]


# Keys on disk


def test_a_hosts_key_pair_is_created_once_and_private(tmp_path: Path):
    folder = tmp_path / "data"
    first = load_host_keys(folder)
    assert load_host_keys(folder) == first
    assert stat.S_IMODE((folder / "host.key").stat().st_mode) == 0o600
    assert [file.name for file in folder.iterdir()] == ["host.key"]
    assert first.secret not in repr(first)
    (folder / "host.key").chmod(0o644)
    assert load_host_keys(folder) == first
    assert stat.S_IMODE((folder / "host.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\xfe", "swap", "half"])
def test_a_damaged_key_pair_is_reported_and_never_replaced(tmp_path: Path, damage: Any):
    first = load_host_keys(tmp_path)
    other = load_host_keys(tmp_path / "other")
    wrong = {"swap": f"{first.public}\n{other.secret}\n".encode(), "half": f"{first.public}\n".encode()}.get(
        damage, damage
    )
    (tmp_path / "host.key").write_bytes(wrong)
    with pytest.raises(BadKeys, match=r"host\.key"):
        load_host_keys(tmp_path)
    assert (tmp_path / "host.key").read_bytes() == wrong


async def test_a_host_keeps_its_key_when_it_starts_again(tmp_path: Path):
    told = []
    for _ in range(2):
        async with running("--keys", str(tmp_path)) as host:
            told.append((host.door["public_key"], host.door["fingerprint"]))
    assert told[0] == told[1]
    assert told[0] == (load_host_keys(tmp_path).public, keys.fingerprint(load_host_keys(tmp_path).public))


def test_lists_of_keys_are_read_and_written(tmp_path: Path):
    listed = {text(pair()) for _ in range(5)}
    file = tmp_path / "banned.keys"
    assert read_key_list(file) == frozenset()
    write_key_list(file, listed)
    assert read_key_list(file) == listed
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text(f"# remark\n\n{min(listed)} a Z85 key\nnonsense\n")
    with pytest.raises(BadKeys, match="Line 4"):
        read_key_list(file)
