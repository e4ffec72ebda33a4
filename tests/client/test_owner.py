"""``cave owner``: the host's owner keeps order (issue: a host that can be trusted, graceful stop)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from client.commands.owner import Order, run
from client.connection import connect
from client.keys import Keys
from server.keys import host_pair
from tests.server.running import GUARD, running


async def order(address: str, folder: Path, **wanted: object) -> None:
    assert await asyncio.to_thread(run, address, Order(**wanted), folder=folder) == 0  # type: ignore[arg-type]


async def test_the_owner_looks_frees_bans_pardons_and_closes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    me = Keys(tmp_path).identity()
    host_pair(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        await order(host.address, tmp_path)
        assert capsys.readouterr().out == "That host has no tables.\n"
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2, title="Evening")
        for name in ("Ann", "Bea"):
            session = await guest.sit(table, name)
        await order(host.address, tmp_path)
        assert capsys.readouterr().out == f"{table}  playing  step 1    1 Ann, 2 Bea  Evening\n"
        await order(host.address, tmp_path, free=(table, 2))
        assert capsys.readouterr().out == f"Seat 2 at table {table} is free now.\n"
        await session.when(lambda state: state.seats[1].kind == "open")
        await order(host.address, tmp_path, ban=(table, 1))
        pardon = capsys.readouterr().out.rpartition("cave owner --pardon=")[2].strip()
        await guest.close()
        await order(host.address, tmp_path, pardon=pardon)
        await (await connect(host.address)).close()
        await order(host.address, tmp_path, stats=True)
        assert "accepted_desk" in capsys.readouterr().out
        await order(host.address, tmp_path, close=table)
        await order(host.address, tmp_path)
        assert capsys.readouterr().out.endswith("is closed.\nThat host has no tables.\n")


async def test_a_watcher_is_seen_and_banned_by_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Item 1: bans reach those who hold no seat, too."""
    me = Keys(tmp_path / "owner").identity()
    host_pair(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2)
        await guest.sit(table, "Ann")
        watcher = await connect(host.address, name="Eve\x1b[2J")
        session = await watcher.watch(table)
        await order(host.address, tmp_path / "owner", guests=True)
        lines = capsys.readouterr().out.splitlines()
        assert f"Ann: seat 1 at {table}" in lines
        (at,) = [number for number, line in enumerate(lines) if line.endswith(f"watching {table}")]
        assert lines[at].startswith("Eve")
        assert lines[at].isprintable()
        await order(host.address, tmp_path / "owner", ban_key=lines[at + 1].strip())
        assert "That client is banned." in capsys.readouterr().out
        await session.when(lambda state: state.link == "lost")
        await watcher.close()
        await guest.close()


async def test_a_seat_that_is_not_there_is_told_as_people_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    me = Keys(tmp_path).identity()
    host_pair(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 3)
        with pytest.raises(SystemExit):
            await order(host.address, tmp_path, free=(table, 4))
        assert capsys.readouterr().err == "cave: This table has no seat 4; its seats are 1 to 3.\n"
        await guest.close()


async def test_others_are_told_that_they_are_not_the_owner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    async with asyncio.timeout(GUARD), running() as host:
        with pytest.raises(SystemExit) as caught:
            await asyncio.to_thread(run, host.address, Order(stats=True), folder=tmp_path)
    assert caught.value.code == 1
    assert capsys.readouterr().err == (
        "cave: Only the owner of this host can do that. "
        "The owner is whoever started it; --data names the folder with their keys.\n"
    )


def test_one_order_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        run("127.0.0.1", Order(close="abc", stats=True), folder=tmp_path)
    assert caught.value.code == 2
    assert "one option at a time" in capsys.readouterr().err
