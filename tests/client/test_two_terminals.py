"""Several terminals of one user at one host: each is a player, and returns to its own seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from client.commands import saved
from client.launch import host_tables
from client.launch.held_seats import SeatBook
from client.launch.opening import ResumedGame, Visit, own_seats
from tests.client.test_seats import crash, launcher, playing, seated
from tests.server.kit import PACK
from tests.server.running import Running


async def test_a_second_terminal_is_not_offered_the_seat_of_the_first(home: Path, host: Running) -> None:
    ann, bea = launcher(home), launcher(home)
    table, session = await seated(host, ann, "Ann")
    (line,) = host_tables.table_lines(await bea.tables(host.address), bea.own_held_seats())
    assert (line.owners_of_own_seats, line.open_seats) == ("", 1)
    (held,) = bea.own_held_seats(live=True)
    state = (await bea.resume(ResumedGame(held.table, held.keys, address=host.address))).session.state
    assert (state.my_seats, state.taken) == ((), (0,)), "it stays Ann's"
    await bea.leave()
    second: Any = (await bea.join(host.address, table, ["Bea"])).session
    await session.wait_for_state(playing)
    assert session.state.my_seats == (0,)
    await session.act(0, PACK)
    await second.wait_for_state(lambda state: state.seq == 2)
    for one in (ann, bea):
        await crash(one)
    assert [held.players_here for held in saved.find_unfinished_game().free] == [("Bea",), ("Ann",)]
    ann = launcher(home)
    visit = Visit(host.address, ("Ann",))
    lines = host_tables.table_lines(await ann.tables(host.address), ann.own_held_seats(), people=visit.names)
    held = own_seats(visit, lines) or pytest.fail("it is Ann's")
    wanted = ResumedGame(held.table, held.keys, address=host.address)
    assert (await ann.resume(wanted)).session.state.my_seats == (0,)
    assert [held.players_here for held in SeatBook(home).last_game()] == [("Bea",)]
    await ann.leave()
