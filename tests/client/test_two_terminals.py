"""Several terminals of one user at one host: each is a player, and returns to its own seat."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.commands import saved
from client.launch import host_tables
from client.launch.held_seats import SEATS, LiveSeats, SeatBook
from client.launch.opening import ResumedGame, Visit, own_seats
from tests.client.test_seats import crash, launcher, playing, seated
from tests.client.test_terminal import CAVE
from tests.server.kit import PACK
from tests.server.running import Running
from tests.terminal import Terminal

HOLD = """
import sys
from pathlib import Path
from client.launch.held_seats import LiveSeats
live = LiveSeats(Path(sys.argv[1]))
print(live.hold_seat_too("ann"), flush=True)
sys.stdin.read()
"""


def test_a_seat_is_held_as_long_as_its_terminal_lives(tmp_path: Path) -> None:
    live = LiveSeats(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"True\n"
        assert live.is_held_elsewhere("ann")
        assert not live.hold_seat_too("ann")
        assert live.hold_seat_too("bea")
        other.kill()
        other.wait()
        assert not live.is_held_elsewhere("ann")
        assert live.hold_seat_too("ann")
    assert len(list((tmp_path / SEATS).iterdir())) == 2
    live.hold(["bea"])
    assert not LiveSeats(tmp_path).is_held_elsewhere("ann")
    assert LiveSeats(tmp_path).is_held_elsewhere("bea")
    live.hold(())
    assert list((tmp_path / SEATS).iterdir()) == [], "nothing is left behind"


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


# In terminals


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[Any]:
    """Opens terminals of one account; all are closed at the end."""
    opened: list[Terminal] = []

    def start(*argv: str, **options: Any) -> Terminal:
        opened.append(Terminal([CAVE, *argv], tmp_path, term="screen", **options))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.mark.needs("tmux")
def test_two_people_of_one_account_use_the_lobbys_command(windows: Any) -> None:
    """One client dies in the lobby, and both in the game: each gets its seat back."""
    shown = windows("host", "--port", "0", "--bind", "127.0.0.1", "--seats", "2").wait_for(
        re.compile(r"cave join 127\.0\.0\.1:\d+").search
    )
    there = ("join", *re.findall(r"127\.0\.0\.1:\d+", shown)[-1:])
    ann = windows(*there)
    ann.wait_for("Choose a table.")
    ann.keys("Enter")
    ann.wait_for("Type the name")
    ann.keys("Ann", "Enter")
    ann.wait_for("Waiting for one more player")
    windows(*there).wait_for("Ann plays already")
    ann.kill()
    ann = windows(*there)
    ann.wait_for("Continue as Ann?")
    ann.keys("Enter")
    ann.wait_for("Waiting for one more player")
    bea = windows(*there, "-p", "Bea")
    for table, name in ((ann, "Ann"), (bea, "Bea")):
        table.wait_for(f"{name} packs")
        table.keys("Enter")
    ann.wait_for("turn")
    for table in (ann, bea):
        table.kill()
    ann = windows(*there, "--plain")
    ann.wait_for("continue as Ann")
    ann.wait_for("continue as Bea")
    number = re.search(r"(\d) \w+, continue as Ann", ann.screen())
    ann.keys(number[1], "Enter")
    ann.wait_for("Type help")
    bea = windows("resume")
    bea.wait_for(re.compile("B +Bea").search)
    last = windows("resume")
    last.wait_for("Another terminal plays for Bea now")
    last.keys("B")
    bea.wait_for("Another terminal plays for Bea now")
    last.wait_for(lambda screen: "Another terminal plays" not in screen)
    windows("resume", "--plain").wait_for("Another terminal plays for Bea now. Type takeover")
