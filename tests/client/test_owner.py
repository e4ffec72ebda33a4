"""``cave owner``: moderation by the host's owner."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cave.keys import fingerprint, read_key
from client.commands.owner import Order, parse_ban_time, run_owner_order
from client.net.connection import connect
from client.net.known_hosts import Keys
from client.present import hosts
from server.clients.access import load_host_keys
from tests.server.raw import Raw, pair
from tests.server.running import GUARD, running


async def order(address: str, folder: Path, **wanted: object) -> None:
    await asyncio.to_thread(run_owner_order, address, Order(**wanted), folder=folder)  # type: ignore[arg-type]


async def test_the_owner_lists_frees_bans_and_closes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    me = Keys(tmp_path).identity()
    load_host_keys(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        await order(host.address, tmp_path)
        assert capsys.readouterr().out == "That host has no tables.\n"
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2, title="Evening")
        for name in ("Ann", "Bea"):
            session = await guest.sit(table, name)
        await order(host.address, tmp_path)
        line, *players = capsys.readouterr().out.splitlines()
        assert line == f"{table}  playing  step 1    1 Ann, 2 Bea  Evening"
        (known,) = {line.split()[-1] for line in players}
        assert players == [f"  1 Ann  {known}", f"  2 Bea  {known}"]
        await order(host.address, tmp_path, free=(table, 2))
        assert capsys.readouterr().out == f"Seat 2 at table {table} is free now.\n"
        await session.wait_for_state(lambda state: state.seats[1].kind == "open")
        await order(host.address, tmp_path, ban=(table, 1))
        pardon = capsys.readouterr().out.rpartition("cave owner --pardon=")[2].strip()
        # Else the guest would take the host for gone.
        shut_out = await session.wait_for_state(lambda state: state.missing == "refused")
        assert hosts.header_words_without_turn(shut_out) == hosts.SHUT_OUT
        await order(host.address, tmp_path, pardon=pardon)
        back = await session.wait_for_state(lambda state: state.link == "live")
        assert (back.missing, back.my_seats) == ("", ()), "the seat is free, and one can watch"
        assert await session.record()
        await guest.close()
        await order(host.address, tmp_path, stats=True)
        assert "accepted_desk" in capsys.readouterr().out
        await order(host.address, tmp_path, close=table)
        await order(host.address, tmp_path)
        assert capsys.readouterr().out.endswith("is closed.\nThat host has no tables.\n")


async def test_the_owner_sees_who_is_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    me = Keys(tmp_path).identity()
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        keys = Keys(tmp_path / "ann"), Keys(tmp_path / "bea")
        ann, bea = [await connect(host.address, keys=each) for each in keys]
        seats = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "level": "rookie"}]
        away = {"then": "bot", "after": 0, "level": "novice"}
        table = await ann.open("the-cave", seats, absence=away, start=None)
        session = await ann.sit(table, "Ann")
        await bea.sit(table, "Bea")
        await bea.close()
        await session.wait_for_state(lambda state: not state.seats[1].present)
        await session.wait_for_state(lambda state: state.seats[1].stand_in == "bot")
        await order(host.address, tmp_path)
        line, *players = capsys.readouterr().out.splitlines()
        assert "1 Ann, 2 Bea (away, a bot (novice) plays), 3 Rookie (bot)" in line
        names = [fingerprint(each.identity().public) for each in keys]
        assert players == [f"  1 Ann  {names[0]}", f"  2 Bea  {names[1]}"]
        await ann.close()


async def test_a_game_that_was_resigned_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    me = Keys(tmp_path).identity()
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2)
        await guest.sit(table, "Ann")
        session = await guest.sit(table, "Bea")
        assert await session.propose(0, "resign")
        await order(host.address, tmp_path)
        assert capsys.readouterr().out.startswith(f"{table}  over     step 1    1 Ann, 2 Bea\n")
        await guest.close()


async def test_a_watcher_is_listed_and_banned_by_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Item 1: bans also reach clients without a seat."""
    me = Keys(tmp_path / "owner").identity()
    load_host_keys(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 2)
        await guest.sit(table, "Ann")
        watcher = await connect(host.address, name="Eve\x1b[2J")
        session = await watcher.watch(table)
        account = await connect(host.address, name="root")
        await account.sit(table, "Bea")
        await order(host.address, tmp_path / "owner", guests=True)
        lines = capsys.readouterr().out.splitlines()
        assert f"Ann: seat 1 at {table}" in lines
        assert f"root: seat 2 (Bea) at {table}" in lines
        await account.close()
        (at,) = [number for number, line in enumerate(lines) if line.endswith(f"watching {table}")]
        assert lines[at].startswith("Eve")
        assert lines[at].isprintable()
        await order(host.address, tmp_path / "owner", ban_key=lines[at + 1].strip())
        assert "That client is banned." in capsys.readouterr().out
        await session.wait_for_state(lambda state: state.link == "lost")
        await watcher.close()
        await guest.close()


async def test_an_address_is_banned_shown_and_pardoned(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    me = Keys(tmp_path).identity()
    load_host_keys(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        eve, bob = (Raw(host, pair(), source="127.0.0.2") for _ in range(2))
        table = (await eve.ask("open", game="the-cave", seats=[{"kind": "open"}] * 3))["table"]
        for client, name in ((eve, "Eve"), (bob, "Bob")):
            await client.ask("sit", table=table, name=name)
        await order(host.address, tmp_path, guests=True)
        assert "  127.0.0.2" in capsys.readouterr().out.splitlines()
        await order(host.address, tmp_path, ban=(table, 1), ban_address=True, lasting="3h")
        first, second, third, *_, last = capsys.readouterr().out.splitlines()
        assert first == f"The player in seat 1 at table {table} is banned."
        assert second == "The address 127.0.0.2 is banned too, for 3 hours."
        assert third == "Players from there who have a seat can stay: Bob."
        key = last.partition("--pardon=")[2]
        await order(host.address, tmp_path)
        shown = capsys.readouterr().out.splitlines()[1:]
        banned = f"Banned: {key} ({fingerprint(read_key(key))})"
        assert [line for line in shown if "anned" in line] == [banned, "Banned: 127.0.0.2, for 3 hours"]
        await order(host.address, tmp_path, pardon="127.0.0.2")
        assert "Clients from 127.0.0.2 can connect again" in capsys.readouterr().out
        await order(host.address, tmp_path, pardon="127.0.0.2")
        assert "127.0.0.2 is not banned" in capsys.readouterr().out
        await order(host.address, tmp_path)
        assert [line for line in capsys.readouterr().out.splitlines() if "anned" in line] == [banned]
        for client in (eve, bob):
            client.close()


async def test_the_owners_own_address_cannot_be_banned(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    me = Keys(tmp_path).identity()
    load_host_keys(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 3)
        await guest.sit(table, "Ann")
        with pytest.raises(SystemExit):
            await order(host.address, tmp_path, ban=(table, 1), ban_address=True)
        assert capsys.readouterr().err == (
            "cave: 127.0.0.1 is your own address: banning it would ban everybody there but you. Ban only the key.\n"
        )
        assert (await guest.ask_for_tables())[0].seats[0].name == "Ann"
        await guest.close()


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"ban_address": True}, "use --ban-address together with --ban or --ban-key"),
        ({"stats": True, "ban_address": True}, "use --ban-address together with --ban or --ban-key"),
        ({"ban_key": "k", "lasting": "2h"}, "use --for together with --ban-address"),
        *(
            ({"ban_key": "k", "ban_address": True, "lasting": lasting}, "--for takes a time such as 90m")
            for lasting in ("", "h", "2", "0h", "-1h", "2 h", "2w", "9999d", "\u0662h", "0000000000019h")
        ),
    ],
)
def test_conflicting_options_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wanted: dict[str, object], sentence: str
):
    with pytest.raises(SystemExit) as caught:
        run_owner_order("127.0.0.1", Order(**wanted), folder=tmp_path)  # type: ignore[arg-type]
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"cave: {sentence}")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("lasting", "wanted"), [("1s", 1), ("90m", 5400), ("12h", 43200), ("3650d", 315360000), (None, None)]
)
def test_how_long_a_ban_lasts(lasting: str | None, wanted: int | None):
    assert parse_ban_time(lasting) == wanted


async def test_a_missing_seat_is_reported_with_its_number_from_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    me = Keys(tmp_path).identity()
    load_host_keys(tmp_path)
    async with asyncio.timeout(GUARD), running("--data", str(tmp_path), f"--owner={me.public}") as host:
        guest = await connect(host.address)
        table = await guest.open("the-cave", [{"kind": "open"}] * 3)
        with pytest.raises(SystemExit):
            await order(host.address, tmp_path, free=(table, 4))
        assert capsys.readouterr().err == "cave: This table has no seat 4; its seats are 1 to 3.\n"
        await guest.close()


async def test_others_are_refused_as_not_the_owner(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    async with asyncio.timeout(GUARD), running() as host:
        with pytest.raises(SystemExit) as caught:
            await asyncio.to_thread(run_owner_order, host.address, Order(stats=True), folder=tmp_path)
    assert caught.value.code == 1
    assert capsys.readouterr().err == (
        "cave: Only the owner of this host can do that. "
        "The owner is the user who started it; --data names the folder with their keys.\n"
    )


def test_only_one_owner_option_is_allowed_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        run_owner_order("127.0.0.1", Order(close="abc", stats=True), folder=tmp_path)
    assert caught.value.code == 2
    assert "one option at a time" in capsys.readouterr().err
