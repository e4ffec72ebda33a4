"""Everything in a real terminal: a host, two people at one keyboard, a bot, and a watcher."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from cave import games
from tests.cave.players import explorer
from tests.terminal import Terminal

pytestmark = pytest.mark.needs("tmux")

CAVE = str(Path(sys.executable).with_name("cave"))
Open = Callable[..., Terminal]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Open]:
    """Opens terminals that share a home folder; all are closed at the end."""
    opened: list[Terminal] = []

    def start(*argv: str, **options: Any) -> Terminal:
        opened.append(Terminal([CAVE, *argv], tmp_path, **options))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def late_position(turns_left: int) -> Any:
    """The position of a real game of three teams, its end triggered, the first team to act."""
    game = games.get_game("the-cave")
    rng = Random(11)
    state = game.new(3, {}, "late")
    steps = 0
    while steps < 100 or state.seat != 0 or state.phase != "actions":
        seat = min(game.to_act(state))
        state = game.apply(state, seat, explorer(game, state, seat, rng)).state
        steps += 1
    position = game.position(state)
    teams = [{**team, "backpack": {"consumable": 4}} for team in position["teams"]]
    return {**position, "teams": teams, "turns_left": turns_left}


def door_of(table: Terminal) -> int:
    """The port of the host of a terminal: the door is the first of three in a row."""
    below = psutil.Process(table.children()[0]).children(recursive=True)
    listening = [
        each.laddr.port
        for process in below
        for each in process.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN
    ]
    return min(listening)


def test_a_table_of_three_seats_and_a_watcher_to_the_score_sheet(window: Open, tmp_path: Path) -> None:
    file = tmp_path / "late.json"
    file.write_text(json.dumps(late_position(4)))
    people = ("-p", "Ann", "-p", "Bea", "--bot", "rookie")
    table = window("play", *people, "--position", str(file), width=140, height=45)
    table.wait_for("YOUR TURN  A Ann")
    watcher = window("watch", f"127.0.0.1:{door_of(table)}")
    watcher.wait_for("turn of A Ann")
    for mine in ("A Ann", "B Bea", "A Ann"):
        table.wait_for(f"YOUR TURN  {mine}")
        table.keys("e")
        table.wait_for("End the turn?")
        table.keys("e")
    sheets = [terminal.wait_for("Total") for terminal in (table, watcher)]
    totals = [next(line.split() for line in s.splitlines() if "Total" in line) for s in sheets]
    assert totals[0] == totals[1]
    table.wait_for("Record:")
    table.keys("q")
    table.wait_for("ended with 0")
    record = next((tmp_path / "data").rglob("*.jsonl"))
    done = subprocess.run([CAVE, "replay", "--check", str(record)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "sha256:" in done.stdout


def test_the_terminal_is_restored_after_ctrl_c(window: Open) -> None:
    table = window("play", "-p", "Ann", "-p", "Bea")
    table.wait_for("Pass the keyboard")
    table.keys("C-c")
    screen = table.wait_for(re.compile("ended with \\d+").search)
    assert "Traceback" not in screen
    assert "Pass the keyboard" not in screen


def test_ctrl_z_suspends_and_fg_resumes(tmp_path: Path) -> None:
    shell = Terminal(["bash", "--norc", "-i"], tmp_path)
    try:
        shell.keys(f"{CAVE} play -p Ann --bot rookie --seed terminal", "Enter")
        shell.wait_for("Pack and go")
        shell.keys("Enter")
        shell.wait_for("YOUR TURN  A Ann")
        shell.keys("C-z")
        shell.wait_for(lambda screen: "Stopped" in screen and "YOUR TURN" not in screen)
        shell.keys("fg", "Enter")
        shell.wait_for(lambda screen: "YOUR TURN  A Ann" in screen and "q Quit" in screen)
        shell.keys("m")
        shell.wait_for("Where to?")
        shell.keys("1")
        shell.wait_for(lambda screen: screen.splitlines()[0].rstrip().endswith("4"))
    finally:
        shell.close()


def test_ctrl_z_works_while_the_keyboard_is_passed_and_in_the_chat(tmp_path: Path) -> None:
    shell = Terminal(["bash", "--norc", "-i"], tmp_path)
    try:
        shell.keys(f"{CAVE} play caves-of-casadh -p Ann -p Bea", "Enter")
        for shown, on in (("Pass the keyboard", "Enter"), ("WHAT YOU CAN DO", "t"), ("Say something", "")):
            shell.wait_for(shown)
            shell.keys("C-z")
            shell.wait_for(lambda screen, shown=shown: "Stopped" in screen and shown not in screen)
            shell.keys("fg", "Enter")
            shell.wait_for(shown)
            if on:
                shell.keys(on)
    finally:
        shell.close()
