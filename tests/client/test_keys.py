"""The client's own key, and hosts known by theirs (PROTOCOL.md, Keys)."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import attrs
import pytest
import zmq
from msgspec.structs import replace

from cave import keys
from client.net.connection import connect
from client.net.known_hosts import Address, Identity, Keys, WrongKey, parse_address
from tests.server.running import Running, running

HERE = Address("ann.local", 7412)


def key() -> str:
    return zmq.curve_keypair()[0].decode()


def test_the_own_key_pair_is_created_once_and_private(tmp_path: Path):
    mine = Keys(tmp_path / "data").identity()
    assert Keys(tmp_path / "data").identity() == mine
    assert zmq.curve_public(mine.secret.encode()).decode() == mine.public
    file = tmp_path / "data" / "client.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert mine.secret not in repr(mine)
    assert [each.name for each in file.parent.iterdir()] == ["client.key"]


def test_a_pair_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Else a power failure could leave an empty file, and the user a new identity."""
    done: list[str] = []
    sync, link = os.fsync, Path.hardlink_to
    monkeypatch.setattr(os, "fsync", lambda number: (done.append("synced"), sync(number)))
    monkeypatch.setattr(Path, "hardlink_to", lambda path, to: (done.append("named"), link(path, to)))
    Keys(tmp_path / "data").identity()
    assert done == ["synced", "named"]


def test_without_a_folder_each_run_has_a_new_identity(tmp_path: Path):
    assert Keys().identity() != Keys().identity()
    blocked = tmp_path / "file"
    blocked.touch()
    assert isinstance(Keys(blocked).identity(), Identity)
    assert Keys(blocked).identity() == Keys(blocked).identity(), "the host of a local game lets in no other"


def test_a_damaged_key_pair_is_reported_and_kept(tmp_path: Path):
    file = tmp_path / "client.key"
    file.write_text("nonsense")
    with pytest.raises(ConnectionError, match="damaged"):
        Keys(tmp_path).identity()
    assert file.read_text() == "nonsense"


def test_a_failed_key_write_leaves_no_file(tmp_path: Path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        Keys(tmp_path).identity()
        Keys(tmp_path).trusted_key(HERE, "127.0.0.1", key())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ip", ["127.0.0.1", "10.0.0.7"])
def test_a_known_host_that_stops_encrypting_is_refused(tmp_path: Path, ip: str):
    known = Keys(tmp_path, accept_new=True, plain=True)
    known.trusted_key(HERE, ip, key())
    for place in (HERE, Address("elsewhere", key=key())):
        with pytest.raises(WrongKey, match="does not encrypt"):
            known.trusted_key(place, ip, "")


@pytest.mark.parametrize("shown", ["?", "x" * 39, "é" * 40, "x" * 41])
def test_an_invalid_key_is_refused(shown: str):
    with pytest.raises(ConnectionError, match="is not a host"):
        Keys().trusted_key(HERE, "10.0.0.7", shown)


@pytest.mark.parametrize("text", ["cave://ann/#x", "cave://ann:7412/#" + "A" * 42, "cave://ann/#" + "é" * 40])
def test_a_damaged_ticket_is_reported(text: str):
    with pytest.raises(ValueError, match="ticket"):
        parse_address(text)


def test_keys_have_two_forms():
    for _ in range(50):
        mine = key()
        ticket = keys.key_for_ticket(mine)
        assert keys.read_key(ticket) == keys.read_key(mine) == mine
        assert set(ticket) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_secrets_are_stored_as_salted_locks():
    lock = keys.lock_secret("owl", "salt")
    assert "owl" not in lock
    assert keys.opens_lock("owl", lock, "salt")
    assert not keys.opens_lock("owl", lock, "other")
    assert not keys.opens_lock("bat", lock, "salt")
    assert not keys.opens_lock("\ud800", lock, "salt")


# With a host


async def test_a_host_with_a_changed_key_is_refused_until_confirmed(tmp_path: Path):
    mine = Keys(tmp_path / "client")
    async with running("--keys", str(tmp_path / "one")) as host:
        await (await connect(host.address, keys=mine)).close()
        port = str(host.door["port"])
    async with running("--keys", str(tmp_path / "two"), "--port", port) as host:
        with pytest.raises(WrongKey, match=host.door["fingerprint"]):
            await connect(host.address, keys=mine)
        await (await connect(host.address, keys=replace(mine, accept_new=True))).close()
        await (await connect(host.address, keys=mine)).close()


async def test_a_ticket_is_enough_to_connect(tmp_path: Path):
    async with running() as host:
        ticket = Address("127.0.0.1", host.door["port"], host.door["public_key"]).ticket
        connection = await connect(ticket, keys=Keys(tmp_path))
        assert connection.address == host.address
        await connection.close()
        wrong = Address("127.0.0.1", host.door["port"], key()).ticket
        with pytest.raises(WrongKey):
            await connect(wrong)


async def test_an_uninvited_client_learns_what_to_do(tmp_path: Path):
    mine = Keys(tmp_path)
    async with running("--invited-only") as host:
        with pytest.raises(ConnectionError, match="cave key"):
            await connect(host.address, keys=mine)
    async with running("--invited-only", f"--invite={mine.identity().public}") as host:
        await (await connect(host.address, keys=mine)).close()


async def test_a_host_that_cannot_prove_its_key_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.connection.GREETING", 0.5)
    async with running() as host, running() as other:
        # The door of one, the desk of another: like a man in the middle.
        fake = attrs.evolve(host, door={**host.door, "desk": other.door["desk"]})
        async with door(fake) as address:
            with pytest.raises(ConnectionError, match="key does not match"):
                await connect(address)


class door:  # noqa: N801
    """A copy of a host's door on another port."""

    def __init__(self, host: Running) -> None:
        self._host = host

    async def __aenter__(self) -> str:
        import asyncio
        import json

        told = json.dumps(self._host.door).encode() + b"\n"
        self._server = await asyncio.start_server(
            lambda _, writer: (writer.write(told), writer.close()), "127.0.0.1", 0
        )
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
