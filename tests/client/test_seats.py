"""Held seats outlive the client: resumed, taken over, and hidden from other hosts."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from rich.pretty import pretty_repr

from client.cli import cli
from client.commands import saved, screens
from client.launch import held_seats, host_tables, new_game
from client.launch.held_seats import HeldSeats, LiveSeats, SeatBook
from client.launch.launcher import Launcher
from client.launch.opening import ResumedGame
from client.launch.own_host import OwnHost
from client.net.connection import connect
from client.net.discovery import FoundHost
from client.net.known_hosts import Address, Identity, Keys, parse_address
from client.table import Rejected, TableState
from tests import processes
from tests.client.opened import opened
from tests.client.test_cli import on_a_terminal
from tests.server.kit import OTHER_PACK, PACK
from tests.server.raw import pair
from tests.server.running import Running, running

__all__ = ["on_a_terminal"]
TWO = [{"kind": "open"}, {"kind": "open"}]


def launcher(home: Path, **more: Any) -> Launcher:
    return Launcher(screens.host_command, home / "records", Keys(home), find=screens.find_game, **more)


async def seated(host: Running, one: Launcher, *names: str) -> tuple[str, Any]:
    """A table of two and the session of the players there."""
    await one.tables(host.address)
    table = await one.connection.open("the-cave", TWO, title="Friday")
    return table, (await one.join(host.address, table, names)).session


async def crash(one: Launcher) -> None:
    """Simulate a killed client for the others: its connection is gone without a message."""
    one.table = None
    await one.leave()


def playing(state: TableState) -> bool:
    return state.status == "playing" and bool(state.views)


async def test_a_host_that_moved_is_found_again(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    same = ("--keys", str(tmp_path / "host"), "--data", str(tmp_path / "games"))
    first = launcher(home)
    async with running(*same) as host:
        table, session = await seated(host, first, "Ann", "Bea")
        await session.wait_for_state(playing)
        await crash(first)
        await host.stop()
    async with running(*same) as moved, running() as other:
        assert moved.address != host.address
        around = [
            FoundHost("Host", parse_address(each.address), str(each.door["public_key"]), "known")
            for each in (other, moved)
        ]

        async def browse(_keys: Any) -> AsyncIterator[tuple[FoundHost, ...]]:
            yield tuple(around)

        monkeypatch.setattr("client.net.discovery.browse_hosts", browse)
        again = launcher(home)
        (mine,) = await again.own_tables()
        assert (mine.state, str(mine.held.host_address)) == ("your turn", moved.address)
        state = (await again.resume(await again.find(table))).session.state
        assert state.my_seats == (0, 1)
        await again.leave()
        (last,) = again.seats.last_game()
        assert str(last.host_address) == moved.address, "it is remembered there from now on"
    around.clear()
    monkeypatch.setattr("client.net.discovery.SOON", 0.01)
    with pytest.raises(ConnectionError, match=f"No host answers at {moved.address}"):
        await again.resume(await again.find(table))


async def test_another_machine_takes_a_seat_over_by_its_line(
    home: Path, host: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = launcher(home)
    table, session = await seated(host, first, "Ann", "Bea")
    await session.wait_for_state(playing)
    shown = await asyncio.to_thread(CliRunner().invoke, cli, ["seat"])
    assert shown.exit_code == 0
    assert "secret" in shown.output
    _, typed, pasted, *_ = shown.output.splitlines()
    line = shlex.split(typed)
    assert line == ["cave", "join", line[2], "--takeover", "-"]
    assert line[2].startswith(f"cave://{host.address}/#")
    # The other machine gets only one of the two seats.
    (one_seat, _) = pasted.split()
    wanted = opened("join", line[2], "--takeover", one_seat)
    assert isinstance(wanted, ResumedGame)
    other = launcher(tmp_path / "laptop")
    played = await other.resume(wanted)
    assert played.session.state.my_seats == (0,)
    await session.wait_for_state(lambda state: state.taken == (0,) and state.my_seats == (1,))
    await played.session.act(0, PACK)
    # From now on that machine finds it automatically.
    for each in (first, other):
        await each.leave()
    (last,) = other.seats.last_game()
    assert (last.table, list(last.keys)) == (table, [0])


async def test_a_seat_taken_by_another_player_is_reported_and_forgotten(home: Path, host: Running):
    first = launcher(home)
    table, session = await seated(host, first, "Ann", "Bea")
    (held,) = held_seats.load_held_seats(home)
    for seat in (0, 1):
        await session.stand_up(seat)
    await session.wait_for_state(lambda state: not state.my_seats)
    with pytest.raises(Rejected, match="Somebody else has"):
        await first.resume(await first.find(table))
    assert first.seats.last_game() == ()
    first.seats.remember(replace(held, table="nowhere"))
    with pytest.raises(Rejected, match="no longer has this game"):
        await first.resume(await first.find("nowhere"))
    assert first.seats.last_game() == ()
    await first.leave()


async def test_a_seat_that_the_owner_frees_is_lost_and_the_table_watched(home: Path, tmp_path: Path):
    """Its key is dropped: nothing later claims the seat."""
    owner, folder = Keys(tmp_path / "owner"), str(tmp_path / "host")
    async with running("--keys", folder, f"--owner={owner.identity().public}") as host:
        one, other = launcher(home), launcher(tmp_path / "other")
        table, session = await seated(host, one, "Ann", "Bea")
        await session.wait_for_state(playing)
        boss = await connect(host.address, keys=owner)
        await boss.ask("free", table=table, seat=1)
        state = await session.wait_for_state(lambda state: state.freed == (1,))
        assert (state.my_seats, state.link) == ((0,), "live")
        assert [list(held.keys) for held in one.own_held_seats()] == [[0]]
        cyd = (await other.join(host.address, table, ["Cyd"])).session
        state = await session.wait_for_state(lambda state: state.seats[1].name == "Cyd")
        assert state.view.names == ("Ann", "Cyd")
        assert state.views[0].names == ("Ann", "Cyd")
        assert cyd.state.my_seats == (1,)
        await boss.ask("free", table=table, seat=0)
        state = await session.wait_for_state(lambda state: not state.my_seats)
        assert state.link == "live"
        assert one.seats.last_game() == ()
        await one.leave()
        assert one.seats.last_game() == ()
        (line,) = host_tables.table_lines(await one.tables(host.address), one.own_held_seats())
        assert (line.owners_of_own_seats, line.open_seats) == ("", 1)
        for each in (one, other):
            await each.leave()
        await boss.close()


async def test_a_host_showing_anothers_table_gets_no_seat_key(home: Path, host: Running):
    first = launcher(home)
    table, _ = await seated(host, first, "Ann")
    await crash(first)
    async with running() as pretender:
        again = launcher(home)
        await again.tables(pretender.address)
        assert again.own_held_seats() == []
        assert "never asked for" not in repr(ResumedGame(table, {0: "never asked for"}, address=host.address))
        await again.leave()


def test_seat_keys_are_sent_only_to_their_own_host():
    """SECURITY.md: a hostile host must not be able to take seats held elsewhere."""
    ours, theirs = (pair()[0].decode() for _ in range(2))
    place, other = "198.51.100.7:7000", "198.51.100.8:7000"
    keyed = HeldSeats("t", Address("198.51.100.7", 7000, ours).ticket, {0: "secret"})
    plain = HeldSeats("t", place, {0: "secret"})
    for held in (keyed, plain):
        assert not held.is_own_host(theirs, held.address), "another host at the same address"
        assert not held.is_own_host(theirs, other)
        assert not held.is_own_host("", other), "no key, and another address"
    assert keyed.is_own_host(ours, other), "the same host has moved"
    assert not keyed.is_own_host("", place), "a host that has a key cannot pose without one"
    assert plain.is_own_host("", place)
    assert not plain.is_own_host(ours, place)


async def test_a_finished_or_unbegun_game_is_not_offered(home: Path, host: Running):
    one = launcher(home)
    await seated(host, one, "Ann")
    assert one.seats.last_game()
    assert await one.leave() == ""
    assert one.seats.last_game() == ()
    _, session = await seated(host, one, "Ann", "Bea")
    assert one.seats.last_game()
    state = session.state
    view = state.game.view_json(state.view)
    session.fold_message({"type": "update", "seq": state.seq + 1, "status": "over", "events": [], "view": view})
    await session.wait_for_state(lambda state: state.status == "over")
    assert one.seats.last_game() == ()
    await one.leave()


async def test_a_seat_released_late_by_another_terminal_is_held_without_updates(home: Path):
    """The terminal that lost a seat notices later than the one that took it."""
    one = launcher(home)
    session: Any = (await one.play(new_game.make_plan(["Ann", "Bea"]))).session
    await session.wait_for_state(playing)
    late, other = LiveSeats(home), LiveSeats(home)
    key = session.keys[0]
    assert late.hold([key])
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq == 2)
    assert late.hold([])
    while not other.is_held_elsewhere(key):  # noqa: ASYNC110 - a lock tells nobody
        await asyncio.sleep(0)
    await one.leave()
    assert not other.is_held_elsewhere(key)


async def kill_host(home: Path, *sessions: Any) -> None:
    """Kill the host of a local game with its supervisor; each of these sessions notices."""
    # It may be back before its end is known here.
    lost = [asyncio.create_task(session.wait_for_state(lambda state: state.cut_off)) for session in sessions]
    await processes.killed(processes.using(home))
    await asyncio.gather(*lost)


async def test_our_own_host_restarts_once_and_then_needs_resume(home: Path):
    one = launcher(home)
    played = await one.play(new_game.make_plan(["Ann", "Bea"]))
    session: Any = played.session
    await session.wait_for_state(playing)
    assert not (home / "seats").exists(), "nobody has acted: there is no seat that could be offered"
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq == 2)
    assert len(list((home / "seats").iterdir())) == 2, "held: other terminals do not offer them"
    await kill_host(home, session)
    back = await session.wait_for_state(lambda state: not state.cut_off)
    assert (back.seq, back.my_seats) == (2, (0, 1))
    await session.act(1, OTHER_PACK)
    after = (await session.wait_for_state(lambda state: state.seq > 2)).seq
    await kill_host(home)
    await session.wait_for_state(lambda state: state.closed == "died")
    with pytest.raises(ConnectionError):
        await session.undo(0)
    assert "cave resume" in await one.leave()
    (last,) = one.seats.last_game()
    assert last.local
    again = (await one.resume(await one.find(last.table))).session.state
    assert (again.seq, again.my_seats) == (after, (0, 1))
    await one.leave()


async def test_a_table_can_be_left_while_its_host_starts_again(home: Path, monkeypatch: pytest.MonkeyPatch):
    started: asyncio.Queue[OwnHost] = asyncio.Queue()
    again = OwnHost.restart_host

    def noted(host: OwnHost) -> OwnHost:
        second = again(host)
        started.put_nowait(second)
        return second

    monkeypatch.setattr(OwnHost, "restart_host", noted)
    one = launcher(home)
    session: Any = (await one.play(new_game.make_plan(["Ann", "Bea"]))).session
    await session.wait_for_state(playing)
    await kill_host(home)
    second = await started.get()
    await one.leave()
    assert not second.alive


async def test_seats_left_open_can_still_be_joined_when_a_local_game_is_resumed(home: Path):
    one = launcher(home)
    played = await one.play(new_game.make_plan(["Ann"], (), 1))
    session: Any = played.session
    guest = launcher(home.parent / "guest")
    port = played.address.rpartition(":")[2]
    await guest.join(f"127.0.0.1:{port}", session.state.table, ["Bea"])
    await session.wait_for_state(playing)
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq == 2)
    await one.leave()
    for _ in range(2):
        wanted = saved.find_unfinished_game()
        assert wanted.command[wanted.command.index("--port") + 1] == port
        resumed: Any = (await one.resume(wanted)).session
        # The guest returns automatically, to the same port and key.
        await resumed.wait_for_state(lambda state: all(seat.present for seat in state.seats))
        await one.leave()
    await guest.leave()


def test_the_file_of_seats_keeps_a_hosts_key_and_who_sat_there(tmp_path: Path):
    held = HeldSeats("t", "cave://10.0.0.7:7500/#VPy6JOkySZaTFvthfIcrsMHR_xSABCfFlMv6zxvC1lI", {2: "k"}, 1.5)
    held = replace(held, names={2: "Ann"}, title="Friday\x1b[2J", local=True)
    SeatBook(tmp_path).remember(held)
    assert held_seats.load_held_seats(tmp_path) == [held]
    assert held.is_own_host("rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7", "elsewhere:1")
    assert not held.is_own_host("", "10.0.0.7:7500")
    assert "'k'" not in repr(held)
    old = json.loads((tmp_path / held_seats.FILE).read_text())
    for name in ("names", "title", "local", "game", "others", "round"):
        del old["tables"][0][name]
    (tmp_path / held_seats.FILE).write_text(json.dumps(old))
    assert [held.players_here for held in held_seats.load_held_seats(tmp_path)] == [("seat 3",)]


@pytest.mark.parametrize(
    "value",
    [HeldSeats("abc", "10.0.0.7:7500", {0: "secret"}), ResumedGame("abc", {0: "secret"}), Identity("open", "secret")],
    ids=lambda value: type(value).__name__,
)
def test_no_log_or_traceback_contains_a_secret_key(value: object):
    assert "secret" not in repr(value)
    assert "secret" not in pretty_repr(value)
    assert "secret" not in pretty_repr([value, {"it": value}])


def test_the_file_of_seats_is_for_its_user_alone_and_written_only_when_something_changes(tmp_path: Path):
    book = SeatBook(tmp_path / "new")
    book.remember(HeldSeats("a", "here:1", {0: "k"}))
    file = tmp_path / "new" / held_seats.FILE
    assert [path.stat().st_mode & 0o077 for path in (file.parent, file, file.with_suffix(".json.lock"))] == [0] * 3
    before = file.stat().st_ino
    for table, seat in (("b", 0), ("a", 1)):
        book.drop(table, [seat])
        assert file.stat().st_ino == before
    book.drop("a", [0])
    assert book.last_game() == ()


def test_a_program_killed_while_writing_does_not_block_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(held_seats, "PATIENCE", 0.0)
    book = SeatBook(tmp_path)
    book.remember(HeldSeats("a", "here:1", {0: "k"}))
    with (tmp_path / f"{held_seats.FILE}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        book.remember(HeldSeats("b", "here:1", {0: "k"}))
        assert [held.table for held in held_seats.load_held_seats(tmp_path)] == ["a"]
    book.remember(HeldSeats("b", "here:1", {0: "k"}))
    assert [held.table for held in held_seats.load_held_seats(tmp_path)] == ["a", "b"]


def test_a_takeover_command_has_the_table_seat_and_key():
    held = HeldSeats("a.b", "here:1", {0: "k", 3: "x", 98: "y"})
    words = held_seats.takeover_words(held)
    assert words == ("a.b.1.k", "a.b.4.x", "a.b.99.y"), "people count seats from 1"
    assert held_seats.read_takeover(words) == ("a.b", {0: "k", 3: "x", 98: "y"})
    with pytest.raises(ValueError, match="That is not a seat"):
        held_seats.read_takeover([])


@pytest.mark.parametrize(
    "words", [["x"], ["t.1."], [".1.k"], ["t.x.k"], ["t.-1.k"], ["t.0.k"], ["t.100.k"], ["t.1.k", "u.2.k"], [""]]
)
def test_an_invalid_seat_is_reported_in_one_sentence(words: list[str]):
    told = CliRunner().invoke(cli, ["join", "here", *(f"--takeover={word}" for word in words)])
    assert told.exit_code == 2
    assert "cave: " in told.output
    assert len(told.output.strip().splitlines()) == 1


@pytest.mark.parametrize("more", [["--resume"], ["--takeover", "t.1.k"], ["here", "--resume", "-p", "Ann"]])
def test_resuming_needs_a_host_and_no_names(more: list[str]):
    told = CliRunner().invoke(cli, ["join", *more])
    assert told.exit_code == 2
    assert "host" in told.output or "names" in told.output


def test_a_local_game_is_for_no_other_machine(home: Path):
    SeatBook(home).remember(HeldSeats("t", "127.0.0.1:7412", {0: "k"}, local=True))
    told = CliRunner().invoke(cli, ["seat"])
    assert "cave resume" in told.output
    assert "--takeover" not in told.output


# Secrets


def test_the_displayed_command_contains_no_secret(home: Path):
    SeatBook(home).remember(HeldSeats("t", "10.0.0.7:7500", {0: "ann-key", 1: "bea-key"}))
    told = CliRunner().invoke(cli, ["seat"]).output.splitlines()
    commands = [line for line in told if "cave join" in line]
    assert commands == ["  cave join 10.0.0.7:7500 --takeover -"]
    assert "  t.1.ann-key t.2.bea-key" in told
    assert not any("-key" in line for line in commands)


def test_reading_the_seat_leaves_the_rest_of_the_input(monkeypatch: pytest.MonkeyPatch):
    reads, writes = os.pipe()
    os.write(writes, b"t.1.k t.2.x\nmoves\n")
    before = os.dup(0)
    os.dup2(reads, 0)
    try:
        monkeypatch.setattr(sys, "stdin", None)
        wanted = opened("join", "here:1", "--takeover", "-")
        assert isinstance(wanted, ResumedGame)
        assert (wanted.table, wanted.keys) == ("t", {0: "k", 1: "x"})
        assert os.read(0, 100) == b"moves\n"
    finally:
        os.dup2(before, 0)
        for each in (before, reads, writes):
            os.close(each)
