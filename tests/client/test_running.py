"""The user's own hosts on this machine: cave owner finds them, and no others."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from client.launch.held_seats import HOSTS, Running, note_host, running_hosts
from client.net.connection import connect
from client.net.known_hosts import parse_address
from tests.client.test_cli import assert_one_sentence, cave
from tests.client.test_completion import completed
from tests.client.test_hosting import hosting
from tests.server.running import GUARD

ANN = Running("Ann's host", "127.0.0.1:7412", "/somewhere")


def usual(home: Path) -> Path:
    """The data folder in this home."""
    return home / "data" / "cave-game"


async def owner(home: Path, *words: str) -> CompletedProcess[bytes]:
    return await asyncio.to_thread(cave, home, "owner", *words)


# Notes


def test_a_host_is_known_as_long_as_it_runs(tmp_path: Path) -> None:
    assert running_hosts(tmp_path) == []
    with note_host(tmp_path, ANN):
        assert running_hosts(tmp_path) == [ANN]
    assert running_hosts(tmp_path) == []
    assert list((tmp_path / HOSTS).iterdir()) == []


def test_the_note_of_a_killed_host_is_removed(tmp_path: Path) -> None:
    with note_host(tmp_path, ANN):
        (note,) = (tmp_path / HOSTS).glob("*.json")
        left = note.with_name("1.json")
        left.write_bytes(note.read_bytes())
        assert running_hosts(tmp_path) == [ANN]
        assert not left.exists()


def test_a_note_whose_lock_cannot_be_opened_stays(tmp_path: Path) -> None:
    """A host started by root with this home may be running."""
    with note_host(tmp_path, ANN):
        (note,) = (tmp_path / HOSTS).glob("*.json")
        other = note.with_name("1.json")
        other.write_bytes(note.read_bytes())
        other.with_suffix(".lock").mkdir()
        assert running_hosts(tmp_path) == [ANN]
        assert other.exists()


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b'{"name": 3}', b"\xff"])
def test_an_unreadable_note_is_ignored(tmp_path: Path, junk: bytes) -> None:
    with note_host(tmp_path, ANN):
        (note,) = (tmp_path / HOSTS).glob("*.json")
        with note.open("r+b") as file:
            file.truncate()
            file.write(junk)
        assert running_hosts(tmp_path) == []


def test_without_a_note_the_host_still_runs(tmp_path: Path) -> None:
    (tmp_path / HOSTS).write_text("in the way")
    with note_host(tmp_path, ANN):
        assert running_hosts(tmp_path) == []


# From the command line


@pytest.mark.needs("bash")
async def test_a_bare_owner_finds_the_host_on_any_port(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), hosting(tmp_path, data=usual(tmp_path)) as host:
        guest = await connect(host.ticket)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2, title="Evening")
        await guest.close()
        done = await owner(tmp_path)
        assert done.stdout.decode().startswith(f"{table}  waiting"), done.stderr
        offered = await asyncio.to_thread(completed, tmp_path, "bash", "cave", "owner", "--close", "")
        assert offered == {table}
        closed = await owner(tmp_path, "--close", table)
        assert closed.stdout.decode() == f"The table {table} is closed.\n"
    assert_one_sentence(await owner(tmp_path), 1, "none of your hosts is running", "cave host")


async def test_one_of_several_hosts_must_be_named(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), AsyncExitStack() as hosts:
        for name in ("one", "two"):
            host = await hosts.enter_async_context(hosting(tmp_path, "--name", f"Host {name}", data=tmp_path / name))
            place = str(parse_address(host.ticket))
        done = await owner(tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        head, *lines = done.stderr.decode().splitlines()
        assert "Type one of" in head
        assert {line.split("   ")[1] for line in lines} == {
            f"Host {name}, {tmp_path / name}" for name in ("one", "two")
        }
        assert any(f"cave owner {place} " in line for line in lines)
        # In both cases the keys of that host's own folder are used.
        nothing = b"That host has no tables.\n"
        assert (await owner(tmp_path, place)).stdout == nothing
        assert (await owner(tmp_path, "--data", str(tmp_path / "one"))).stdout == nothing
        elsewhere = await owner(tmp_path, "--data", str(tmp_path / "three"))
        assert_one_sentence(elsewhere, 1, "with the folder", "cave host")
