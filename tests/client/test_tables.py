"""Unfinished games of this machine: they outlive a killed host, are listed, resumed, deleted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client.cli import cli
from client.commands import saved, screens
from client.launch import held_seats, new_game
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.launcher import Launcher
from client.launch.new_game import GameOptions
from client.launch.own_host import HostFailed, OwnHost
from client.net.connection import connect
from client.net.known_hosts import Keys
from server.journal import saved_games
from server.journal.database import FILE, LOG, VERSION
from server.journal.sqlite import SqliteJournal
from tests.client.test_seats import kill_host
from tests.server.kit import OTHER_PACK, PACK, Desk, position
from tests.server.running import running
from tests.server.test_damage import used


def launcher(home: Path) -> Launcher:
    return Launcher(screens.host_command, home / "records", Keys(home))


async def begun(home: Path, *, kill: bool) -> tuple[str, Launcher]:
    """A local game of two, both packed."""
    launched = launcher(home)
    english = GameOptions(settings={"edition": "english"})
    played = await launched.play(new_game.make_plan(["Ann", "Bea"], options=english))
    await played.session.wait_for_state(lambda state: state.status == "playing")
    await played.session.act(0, PACK)
    await played.session.act(1, OTHER_PACK)
    if kill:
        await kill_host(home, played.session)
        await played.session.wait_for_state(lambda state: not state.cut_off)
        await kill_host(home)  # it restarts once
        await played.session.wait_for_state(lambda state: state.closed == "died")
    table = played.session.state.table
    await launched.leave()
    return table, launched


@pytest.mark.parametrize("kill", [True, False])
async def test_a_local_game_is_resumed(home: Path, kill: bool):
    table, _ = await begun(home, kill=kill)
    (kept,), problems = saved_games.unfinished_games(home)
    assert (kept.table, kept.seats, kept.seq, problems) == (table, ("Ann", "Bea"), 3, [])
    wanted = saved.find_unfinished_game("")
    assert wanted.table == table
    again = launcher(home)
    played = await again.resume(wanted)
    state = played.session.state
    assert (state.seq, state.status, state.my_seats) == (3, "playing", (0, 1))
    assert await again.leave(to_menu=True) == "The game is not over. To continue, choose Go on."
    assert [held.table for held in again.seats.last_game()] == [table], "and the menu has that"
    played = await again.resume(wanted)
    assert (await again.leave()).endswith(f"cave resume {table}")


@pytest.mark.parametrize("series", [{"best_of": 3}, {"round_robin": 3}])
async def test_a_local_series_is_resumed_at_its_next_game(home: Path, series: Any):
    launched, names = launcher(home), ["Ann", "Bea", "Cy"]
    start = {**position(), "turns_left": 1}
    plan = new_game.make_plan(names[: series.get("round_robin", 2)], options=GameOptions(position=start, **series))
    played = await launched.play(plan)
    for game in (1, 2, 3):
        state = await played.session.wait_for_state(lambda state: state.choices)
        assert (state.series.game, state.my_seats) == (game, (0, 1)), "all play at this keyboard"
        await played.session.act(0, {"type": "end_turn"})
        score = (await played.session.wait_for_state(lambda state: state.ended)).series
        if score.over:
            break
        assert (await launched.leave()).startswith("The series is not over. To continue, type: ")
        launched = launcher(home)
        played = await launched.resume(saved.find_unfinished_game(""))
    assert (await launched.leave()).startswith("The game is saved.")


async def test_a_game_without_actions_after_undo_is_dropped_at_once(home: Path):
    launched = launcher(home)
    session = (await launched.play(new_game.make_plan(["Ann"], game="cave-vs-cave"))).session
    state = await session.wait_for_state(lambda state: state.choices.get(0))
    await session.act(0, state.game.choice_json(state.choices[0][0])["action"])
    await session.wait_for_state(lambda state: state.touched and held_seats.load_held_seats(home) != [])
    await session.undo(0)
    await session.wait_for_state(lambda state: not state.touched and held_seats.load_held_seats(home) == [])
    await launched.leave()


async def test_a_game_of_bots_is_resumed_by_name_or_as_the_only_one(home: Path):
    launched = launcher(home)
    played = await launched.play(new_game.make_plan([], ("novice", "novice")))
    table = (await played.session.wait_for_state(lambda state: state.touched)).table
    assert (await launched.leave(to_menu=True)).endswith(f"cave resume {table}"), "the menu does not offer it"
    for named in (table, ""):
        wanted = saved.find_unfinished_game(named)
        assert (wanted.table, wanted.keys) == (table, {})
    again = launcher(home)
    assert (await again.resume(wanted)).session.state.touched
    await again.leave()


async def test_tables_are_listed_and_deleted(home: Path):
    table, _ = await begun(home, kill=True)
    listed = await asyncio.to_thread(CliRunner().invoke, cli, ["tables"])
    assert listed.exit_code == 0
    assert table in listed.output
    # A default title is not listed beside the names.
    assert listed.output.endswith("  3     Ann, Bea\n")
    deleted = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--delete", table])
    assert deleted.exit_code == 0
    assert saved_games.unfinished_games(home) == ([], [])
    assert list((home / "games").iterdir()) == []
    assert held_seats.load_held_seats(home) == []
    journal = SqliteJournal(home)
    Desk(journal=journal).open("open", "bot")
    journal.close()
    listed = await asyncio.to_thread(CliRunner().invoke, cli, ["tables"])
    assert listed.output.startswith("There are no unfinished games"), "nobody has sat down at that table"


async def test_a_game_that_is_played_in_another_terminal_is_not_deleted(home: Path):
    launched = launcher(home)
    played = await launched.play(new_game.make_plan(["Ann"], ("rookie",)))
    await played.session.act(0, PACK)
    table = played.session.state.table
    deleted = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--delete", table])
    assert deleted.exit_code == 1
    assert deleted.output == (f"cave: The game {table} is being played in another terminal: leave it there first.\n")
    await launched.leave()


@pytest.mark.parametrize("arguments", [["tables", "--delete", "nowhere"], ["resume", "nowhere"], ["resume"]])
def test_an_unknown_game_is_reported_in_one_sentence(home: Path, arguments: Sequence[str]):
    told = CliRunner().invoke(cli, list(arguments))
    assert told.exit_code == 2
    assert "unfinished game" in told.output
    assert "Traceback" not in told.output


async def test_a_game_at_a_running_host_is_not_deleted_and_is_resumed_there(home: Path):
    async with running("--no-encryption", "--data", str(home)) as host:
        visitor = launcher(home)
        lines = await visitor.tables(host.address)
        assert lines == []
        connection = visitor.connection
        table = await connection.open("the-cave", [{"kind": "open"}, {"kind": "bot", "level": "rookie"}])
        await visitor.join(host.address, table, ["Ann"])
        await visitor.leave()
        deleted = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--delete", table])
        assert deleted.exit_code == 1
        assert "Another host is using" in deleted.output
        wanted = saved.find_unfinished_game(table)
        assert (wanted.command, wanted.address) == ((), host.address)
        played = await visitor.resume(wanted)
        assert played.session.state.my_seats == (0,)
        await visitor.leave()


def test_a_journal_that_cannot_be_read_is_named_and_stays(home: Path):
    (home / "games" / "one").mkdir(parents=True)
    damaged = home / "games" / "one" / FILE
    damaged.write_bytes(b"not a journal")
    for arguments in (["tables"], ["tables", "--check"]):
        told = CliRunner().invoke(cli, arguments)
        assert told.exit_code != 0
        assert str(damaged.parent) in told.output
        assert damaged.read_bytes() == b"not a journal"


def newer(folder: Path) -> None:
    """Mark the journal as written by a later version."""
    header = bytearray((folder / FILE).read_bytes())
    header[60:64] = (VERSION + 1).to_bytes(4, "big")
    (folder / FILE).write_bytes(bytes(header))


async def test_a_newer_journal_is_reported_and_no_seat_forgotten(home: Path):
    table, _ = await begun(home, kill=True)
    (folder,) = await asyncio.to_thread(lambda: list((home / "games").iterdir()))
    await asyncio.to_thread(newer, folder)
    held = held_seats.load_held_seats(home)
    commands = (["tables"], ["resume"], ["resume", table], ["tables", "--delete", table], ["tables", "--check"])
    for arguments in commands:
        told = await asyncio.to_thread(CliRunner().invoke, cli, arguments)
        assert told.exit_code in (1, 2)
        assert (told.output.count("newer version"), told.output.count("\n")) == (1, 1), told.output
    assert held_seats.load_held_seats(home) == held != []


async def test_tables_are_checked_while_a_host_runs_and_after_its_log_was_damaged(home: Path):
    async with running("--no-encryption", "--data", str(home)) as host:
        visitor = launcher(home)
        assert await visitor.tables(host.address) == []
        connection = visitor.connection
        seats_there = [{"kind": "open"}] * 2
        first, second = [await connection.open("the-cave", seats_there) for _ in range(2)]
        for name in ("Ann", "Bea"):
            session = await connection.sit(first, name)
        await session.wait_for_state(lambda state: state.status == "playing")
        await session.act(0, PACK)
        await session.act(1, OTHER_PACK)
        checked = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--check"])
        assert checked.exit_code == 0
        lines = checked.output.splitlines()
        assert sorted(lines) == sorted(
            [f"{first}  is intact: 3 steps, 6 lines", f"{second}  is intact: 0 steps, 1 line"]
        )
        host.process.kill()
        await host.process.wait()
        await visitor.leave()

    def harm() -> None:
        log = bytearray((home / LOG).read_bytes())
        # The last change is at the end of the log.
        log[used(home) - 1] ^= 1
        (home / LOG).write_bytes(bytes(log))

    await asyncio.to_thread(harm)
    checked = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--check"])
    assert checked.exit_code == 1
    assert f"{first}  has lost its last step and continues from step 2" in checked.output
    assert f"{second}  is intact" in checked.output
    async with running("--no-encryption", "--data", str(home)) as host:
        await host.stop()
        told = (await host.process.stderr.read()).decode()
    assert f"Table {first} has lost its last step and continues from step 2.\n" in told
    assert "damaged-" in told
    checked = await asyncio.to_thread(CliRunner().invoke, cli, ["tables", "--check"])
    assert checked.exit_code == 0


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b'{"tables": [{}]}', b'{"tables": [{"keys": 3}]}', b"\xff"])
def test_a_broken_seats_file_does_not_stop_the_program(tmp_path: Path, text: bytes):
    (tmp_path / held_seats.FILE).write_bytes(text)
    assert held_seats.load_held_seats(tmp_path) == []
    SeatBook(tmp_path).remember(HeldSeats("b", "here:7412", {1: "third"}))
    assert [held.table for held in held_seats.load_held_seats(tmp_path)] == ["b"]


async def test_a_preloaded_game_is_the_one_that_is_played(home: Path):
    plan = new_game.make_plan(["Ann", "Bea"], options=GameOptions(settings={"edition": "english"}))
    early = OwnHost(screens.host_command(False))
    launched = Launcher(screens.host_command, home / "records", Keys(home), prepared=early)
    launched.begin(plan)
    played = await launched.play(plan)
    assert launched.host is early
    assert played.session.state.my_seats == (0, 1)
    await launched.leave()
    assert await early.wait() == 0


@pytest.mark.parametrize("open_seats", [0, 1])
async def test_others_join_a_local_game_if_open(home: Path, open_seats: int, monkeypatch: pytest.MonkeyPatch):
    """Another terminal of the same user, which has the same key, is always admitted."""
    door, ports = OwnHost.wait_for_door, []

    async def noted(host: OwnHost, key: str = "") -> dict[str, Any]:
        line = await door(host, key)
        ports.append(line["port"])
        return line

    monkeypatch.setattr(OwnHost, "wait_for_door", noted)
    launched = Launcher(screens.host_command, home / "records", Keys(home))
    played = await launched.play(new_game.make_plan(["Ann"], () if open_seats else ("rookie",), open_seats))
    address = f"127.0.0.1:{ports[0]}"
    mine = await connect(address, keys=Keys(home))
    assert [table.id for table in await mine.ask_for_tables()] == [played.session.state.table]
    if open_seats:
        stranger = await connect(address)
        await stranger.sit(played.session.state.table, "Bea")
        await stranger.close()
    else:
        with pytest.raises(ConnectionError, match="does not let you in"):
            await connect(address)
    await mine.close()
    await launched.leave()


async def test_a_host_that_cannot_start_says_why_in_one_sentence():
    with pytest.raises(HostFailed, match="could not be started"):
        OwnHost(["/nowhere/at/all"])
    complaint = "import sys; sys.exit('The port is taken.')"
    host = OwnHost([sys.executable, "-c", complaint])
    with pytest.raises(HostFailed, match=r"^The port is taken\.$"):
        await host.wait_for_door()
    await host.end()
