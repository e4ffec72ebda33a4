"""In a real terminal: a seat is resumed after its client was killed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.test_terminal import CAVE
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
