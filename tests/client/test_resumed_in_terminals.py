"""In real terminals: seats resumed after a crash, taken over, left for a bot; a whole table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cave.game import Json
from client.games.the_cave.map_signs import SETS
from client.games.the_cave.picture import map_picture
from client.net.connection import connect
from client.table import TableState
from tests.client.test_terminal import CAVE, late_position
from tests.client.whole import whole_map
from tests.terminal import Terminal

pytestmark = pytest.mark.needs("tmux")

Open = Callable[..., Terminal]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Open]:
    """Opens terminals, each for a user with a home folder of that name; closes all at the end."""
    opened: list[Terminal] = []

    def start(person: str, *argv: str, **options: Any) -> Terminal:
        home = tmp_path / person
        home.mkdir(exist_ok=True)
        # Over a slow line the map is drawn in signs, which these tests can read.
        usual = {"width": 100, "height": 30, "term": "screen", "env": {"SSH_TTY": "/dev/pts/1"}}
        opened.append(Terminal([CAVE, *argv], home, **{**usual, **options}))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def hosting(window: Open, *options: str) -> str:
    host = window("host", "host", "--port", "0", "--bind", "127.0.0.1", *options)
    shown = host.wait_for(re.compile(r"cave join 127\.0\.0\.1:\d+").search)
    return re.search(r"cave join (127\.0\.0\.1:\d+)", shown)[1]


def in_a_turn(window: Open, address: str) -> Terminal:
    """Ann at a table with a bot, one step into her turn."""
    table = window("ann", "join", address, "-p", "Ann")
    table.wait_for("Pack and go")
    table.keys("Enter")
    table.wait_for("YOUR TURN  A Ann")
    table.keys("m")
    table.wait_for("Where to?")
    table.keys("1")
    table.wait_for(action_points(4))
    return table


def action_points(left: int) -> Callable[[str], bool]:
    return lambda screen: screen.splitlines()[0].rstrip().endswith(f" {left}")


def a_table(window: Open) -> str:
    return hosting(window, "--seats", "1", "--bot", "rookie", "--title", "Friday")


def test_a_client_killed_in_mid_turn_resumes_from_the_menu(window: Open) -> None:
    address = a_table(window)
    window("eve", "watch", address).wait_for("when one more player")
    table = in_a_turn(window, address)
    table.kill()
    again = window("ann")
    again.wait_for("The Cave against ")
    again.keys("g")
    again.wait_for("YOUR TURN  A Ann")
    again.wait_for(action_points(4))
    again.keys("u")
    again.wait_for(action_points(5))


def totals(screen: str) -> list[str]:
    row = next(line for line in screen.splitlines() if "Total" in line)
    return [word for word in row.split() if word.isdigit()]


async def opened(address: str, position: Json) -> str:
    """Open a table of two people and a bot that starts from the position."""
    host = await connect(address)
    seats: list[Json] = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "level": "rookie"}]
    table = await host.open("the-cave", seats, start=position, title="Friday")
    await host.close()
    return table


async def final(address: str, table: str) -> TableState:
    host = await connect(address)
    state = (await host.watch(table)).state
    await host.close()
    return state


def test_after_a_crash_all_clients_end_with_the_hosts_result(window: Open) -> None:
    """Two players, a watcher; a player's client is killed in mid-turn and continues."""
    address = hosting(window)
    name = asyncio.run(opened(address, late_position(4)))
    ann = window("ann", "join", address, "-p", "Ann", **LARGE)
    ann.wait_for("Waiting for")
    bea = window("bea", "join", address, "-p", "Bea", **LARGE, term="screen")
    ann.wait_for("YOUR TURN  A Ann")
    eve = window("eve", "watch", "--follow", address, **LARGE)
    eve.wait_for("turn of A Ann")
    before = eve.wait_for(action_points(5))
    ann.keys("m")
    ann.wait_for("Where to?")
    ann.keys("1")
    moved = eve.wait_for(lambda screen: header(screen) != header(before))
    ann.wait_for(lambda screen: header(screen)[-1] == header(moved)[-1])
    ann.kill()
    ann = window("ann", "join", address, "--resume", **LARGE)
    ann.wait_for("YOUR TURN  A Ann")
    ann.wait_for(lambda screen: header(screen)[-1] == header(moved)[-1])
    for table, turn in ((ann, "A Ann"), (bea, "B Bea"), (ann, "A Ann")):
        table.wait_for(f"YOUR TURN  {turn}")
        table.keys("e")
        table.wait_for(lambda screen: "End the turn?" in screen or "YOUR TURN" not in screen)
        if "End the turn?" in table.screen():
            table.keys("e")
    shown: list[Any] = [totals(terminal.wait_for("Total")) for terminal in (ann, bea, eve)]
    state = asyncio.run(final(address, name))
    assert state.status == "over"
    standing = [str(line.total) for line in state.view.standing]
    assert shown == [standing] * 3
    for terminal in (ann, bea, eve):
        # Back to the cave, the overview, the cursor on the base: the same for everybody.
        terminal.keys("Enter")
        terminal.wait_for("The game is over")
        terminal.keys("g", "Z", "Z")
        terminal.wait_for(partial(shows, small_map(state)))


LARGE: dict[str, Any] = {"width": 140, "height": 45}


def small_map(state: TableState) -> list[str]:
    """Return the whole cave according to the host."""
    return whole_map(map_picture(state.view, ()), "S", SETS["unicode"])


def shows(lines: list[str], screen: str) -> bool:
    """Return whether the screen has these lines, one below the other; the cursor's corners hide any sign."""
    rows = [row.ljust(LARGE["width"]) for row in screen.splitlines()]
    return any(
        all(
            sign == wanted or sign in "┏━┓┗┛"
            for row, line in zip(rows[top:], lines, strict=False)
            for sign, wanted in zip(row[column:], line, strict=False)
        )
        for top in range(1, len(rows) - len(lines))
        for column in range(100 - len(lines[0]))
    )


def header(screen: str) -> list[str]:
    return screen.splitlines()[0].split()
