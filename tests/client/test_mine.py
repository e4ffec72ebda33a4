"""The user's tables at all known hosts, waiting ones first; an absent host costs some seconds at most."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from client.launch.held_seats import HeldSeats, SeatBook
from client.net.connection import connect
from client.net.known_hosts import parse_address
from client.settings.file import SettingsFile
from client.settings.schema import Day
from tests.client.test_cli import cave
from tests.server.kit import OTHER_PACK, PACK, position
from tests.server.running import GUARD, Running, running

TWO = [{"kind": "open"}, {"kind": "open"}]


def usual(home: Path) -> Path:
    return home / "data" / "cave-game"


async def seats(host: Running, *packed: int, ends: bool = False) -> HeldSeats:
    """Seats of Ann at a table with Bea; those who ``packed`` have acted, or it ``ends``."""
    connection = await connect(host.address)
    start = {**position(), "turns_left": 1} if ends else None
    table = await connection.open("the-cave", TWO, title="Friday\x1b]0;evil\x07", start=start)
    session = await connection.sit_together(table, [("Ann", 0), ("Bea", 1)])
    await session.wait_for_state(lambda state: bool(state.views))
    for seat in packed:
        await session.act(seat, (PACK, OTHER_PACK)[seat])
    if ends:
        await session.act(0, {"type": "end_turn"})
    key = session.keys[0]
    await connection.close()
    return HeldSeats(table, host.address, {0: key}, names={0: "Ann"}, game="the-cave", others=("Bea\u202e",))


async def listed(home: Path, *words: str) -> Any:
    done = await asyncio.to_thread(cave, home, "mine", *words)
    assert done.returncode == 0, done.stderr
    return done


async def test_tables_at_a_running_and_at_an_absent_host(tmp_path: Path) -> None:
    book = SeatBook(usual(tmp_path))
    async with asyncio.timeout(GUARD), running() as host:
        async with running() as gone:
            away = await seats(gone)
        mine, others, ended = await seats(host), await seats(host, 0), await seats(host, ends=True)
        given_away = replace(await seats(host), names={0: "Cyd"})
        for number, held in enumerate((mine, others, away, ended, given_away)):
            book.remember(replace(held, at=float(number)))
        remembered = SettingsFile(tmp_path / "config" / "cave-game", {})
        days = {"2026-11-29 the-cave": Day(table=mine.table)}
        assert remembered.save(replace(remembered.settings, days=days)) == ""
        done = await listed(tmp_path, "--json")
        found = json.loads(done.stdout)
        assert [(each["table"], each["waits_for_you"]) for each in found[:1]] == [(mine.table, True)]
        states = {each["table"]: each["state"] for each in found}
        assert (states[others.table], states[ended.table]) == ("playing", "over")
        assert (states[away.table], states[given_away.table]) == ("away", "gone")
        assert all(each["others"] == ["Bea"] for each in found)
        assert {each["daily"] for each in found} == {"2026-11-29", None}
        assert str(parse_address(away.address)) in done.stderr.decode(), "who is away is named"
        lines = (await listed(tmp_path)).stdout.decode()
        assert lines.splitlines()[0].startswith(f"{mine.table}  your turn")
        assert [", cave of 2026-11-29" in line for line in lines.splitlines()] == [True, *[False] * 4]
        assert f"{away.table}  the host does not answer" in lines
        assert "\x1b" not in lines


async def test_without_seats_a_message_says_so(tmp_path: Path) -> None:
    done = await listed(tmp_path)
    assert (done.stdout, done.stderr) == (b"", b"You have no seat in an unfinished game.\n")
    assert json.loads((await listed(tmp_path, "--json")).stdout) == []
