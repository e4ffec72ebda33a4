"""A shelved game: its players see that, and can reopen it."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.app.line_mode import LineModeFlow
from client.launch import host_tables
from client.launch.opening import ResumedGame, own_seats
from client.settings.schema import Preferences
from client.table import Rejected
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry
from tests.client.opened import opened
from tests.client.plain_talk import Script
from tests.client.test_seats import crash, launcher, playing, seated
from tests.server.running import running


def shelve(folder: Path, table: str) -> None:
    """Write the journal entry that shelves a game."""
    journal = SqliteJournal(folder)
    journal.append_entries(Entry(table, "shelved", {}, journal.read_story(table)[-1].entry.seq))
    journal.close()


@pytest.mark.parametrize("way", ["the last game", "the list of tables"])
async def test_a_shelved_game_can_be_reopened(home: Path, tmp_path: Path, way: str):
    same = ("--keys", str(tmp_path / "host"), "--data", str(tmp_path / "games"))
    first, again = launcher(home), launcher(home)
    async with running(*same) as host:
        table, session = await seated(host, first, "Ann", "Bea")
        before = await session.wait_for_state(playing)
        await crash(first)
        port = str(host.door["port"])
        await host.stop()
    shelve(tmp_path / "games", table)
    async with running(*same, "--port", port) as host:
        if way == "the list of tables":
            tables = await again.tables(host.address)
            assert host_tables.table_lines(tables, watching=True) == (), "nobody else hears of it"
            lines = host_tables.table_lines(tables, again.own_held_seats())
            held = own_seats(opened("join", host.address, "--resume"), lines)
            assert held is not None
            assert (lines[0].held, lines[0].owners_of_own_seats, lines[0].title) == (held, "Ann and Bea", "Friday")
            assert lines[0].text.startswith("saved")
            wanted = ResumedGame(held.table, held.keys, address=host.address)
            with pytest.raises(Rejected, match="saved and closed it"):
                await again.resume(wanted)  # unless requested
        else:
            wanted = await again.find(table)

        def course(answer: str) -> LineModeFlow:
            return LineModeFlow(Script(answer, live=True), again, Preferences())

        with pytest.raises(Rejected, match=f"saved it. To open it again, type: .*resume {table}"):
            await course("2").back_to(wanted)
        state = (await course("1").back_to(wanted)).session.state
        assert (state.my_seats, state.seq, state.view) == ((0, 1), before.seq, before.view)
        await again.leave()


async def test_players_of_a_shelved_game_are_informed_and_keep_their_seats(home: Path, tmp_path: Path):
    same = ("--keys", str(tmp_path / "host"), "--data", str(tmp_path / "games"))
    one = launcher(home)
    async with running(*same) as host:
        table, session = await seated(host, one, "Ann", "Bea")
        await session.wait_for_state(playing)
        port = str(host.door["port"])
        await host.stop()
    shelve(tmp_path / "games", table)
    async with running(*same, "--port", port):
        state = await session.wait_for_state(lambda state: state.closed not in ("", "stopped"))
        assert (state.link, state.closed) == ("closed", "shelved")
        await one.leave()
        last = one.seats.last_game()
        assert [(held.table, held.players_here) for held in last] == [(table, ("Ann", "Bea"))]
