"""The program with all of its processes where the system has less (``elsewhere/sitecustomize.py`` hides it).

Nothing here runs on Windows or macOS. These tests show that the program needs nothing that they lack.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cave import record
from tests.client.plain_talk import Player, assert_calm
from tests.client.test_cli import PATIENCE, environment
from tests.server.kit import position

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "playthroughs" / "the-cave.jsonl"


def elsewhere(home: Path) -> dict[str, str]:
    """Return the environment there: it hides what the system lacks, and names no terminal."""
    path = os.pathsep.join((str(ROOT / "tests" / "elsewhere"), str(ROOT)))
    there = environment(home, PYTHONPATH=path, OS="Windows_NT", WT_SESSION="1", PYTHONUTF8="1")
    return {name: value for name, value in there.items() if name not in ("TERM", "LANG", "LC_ALL")}


def python(home: Path, *words: str, stdin: bytes = b"") -> str:
    """Return Python's output there, errors included; it must exit normally."""
    argv, both = [sys.executable, *words], subprocess.STDOUT
    done = subprocess.run(argv, env=elsewhere(home), input=stdin, stdout=subprocess.PIPE, stderr=both, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout.decode()
    return done.stdout.decode()


def cave(home: Path, *words: str, stdin: bytes = b"") -> str:
    return python(home, "-m", "client.cli", *words, stdin=stdin)


@contextmanager
def player(home: Path, *words: str) -> Iterator[Player]:
    running = Player(home, *words, env=elsewhere(home))
    try:
        yield running
    finally:
        running.close()


HIDDEN = """
import asyncio, os, select, signal
for name in ("fcntl", "resource", "termios"):
    try:
        __import__(name)
    except ImportError:
        continue
    print(name)
print([name for name in ("fork", "pwrite", "statvfs") if hasattr(os, name)], hasattr(signal, "SIGHUP"))
try:
    open("/proc/self/statm")
except FileNotFoundError:
    print("no /proc")
"""


def test_hidden_functions_are_missing(tmp_path: Path) -> None:
    assert python(tmp_path, "-c", HIDDEN) == "[] False\nno /proc\n"


HELP = """
from client.cli import cli
for name in [None, *cli.commands]:
    cli.main([*([name] if name else []), "--help"], standalone_mode=False)
"""


def test_every_command_has_help(tmp_path: Path) -> None:
    said = python(tmp_path, "-c", HELP)
    assert said.count("Usage: ") == 27
    assert "Traceback" not in said


def test_a_game_in_line_mode_to_its_end_with_its_files(tmp_path: Path) -> None:
    """One game to its end, against a bot, with a host and a bot; another is left midway."""
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**position(), "turns_left": 4}))
    with player(tmp_path, "play", "--plain", "-p", "Ann", "--bot", "rookie", "--position", str(file)) as ann:
        ann.answer()
        assert "Ann goes home." in ann.type("south")
        assert ann.end() == 0
    assert "Ann, Rookie" in cave(tmp_path, "tables")
    with player(tmp_path, "resume", "--plain") as ann:
        assert "Total: Ann " in ann.play()
        assert ann.end() == 0
        assert_calm(ann.transcript)
    assert "no unfinished games" in cave(tmp_path, "tables")
    (file,) = (tmp_path / "data" / "cave-game" / "records").iterdir()
    assert record.check_record(file.read_bytes().splitlines(keepends=True)).matches is True


def test_a_record_is_replayed(tmp_path: Path) -> None:
    assert "as recorded" in cave(tmp_path, "replay", "--check", str(KEPT))
    assert "Total: " in cave(tmp_path, "replay", "--plain", str(KEPT), stdin=b"end\nscore\nquit\n")


@contextmanager
def hosting(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    words = ("-m", "client.cli", "host", "--port", "0", "--bind", "127.0.0.1", "--seats", "2")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, *words], env=elsewhere(home), stdout=pipe, stderr=pipe) as host:
        try:
            while b"  cave join " not in (line := host.stdout.readline()):
                assert line, host.stderr.read().decode()
            yield host, line.split()[-1].decode()
        finally:
            host.kill()


def test_a_host_its_guests_and_its_owner(tmp_path: Path) -> None:
    with (
        hosting(tmp_path) as (host, ticket),
        player(tmp_path / "ann", "join", ticket, "--plain", "-p", "Ann") as ann,
        player(tmp_path / "bea", "join", ticket, "--plain", "-p", "Bea"),
    ):
        assert "Ann" in ann.answer()
        assert "Ann" in cave(tmp_path, "owner")
        assert "Ann" in cave(tmp_path / "bea", "watch", ticket, "--plain", stdin=b"who\nquit\n")
        host.send_signal(signal.SIGINT)
        said, wrong = host.communicate(timeout=PATIENCE)
        assert (host.returncode, wrong) == (0, b""), said
    assert list((tmp_path / "data" / "cave-game" / "hosts").iterdir()) == []


SCREENS = """
import os
# The library's driver for Windows runs nowhere else.
os.environ["TEXTUAL_DRIVER"] = "textual.drivers.headless_driver:HeadlessDriver"
from client import start
from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen, NameScreen
from client.commands import screens
from client.games.the_cave.packing_screens import PackingScreen
from client.tui.chooser import ChooserScreen
from tests.client.pilot import showing, run, until

async def drive(app):
    async with showing(app, MenuScreen) as pilot:
        await pilot.press("p")
        await until(pilot, ChooserScreen)
        await pilot.press("enter", "2", "enter")
        await until(pilot, NameScreen)
        await pilot.press(*"Ann", "enter")
        await until(pilot, PackingScreen)
        print([type(screen).__name__ for screen in app.screen_stack], app.theme)
        app.exit()

CaveApp.run_async = drive
assert screens.are_screens_possible({"OS": "Windows_NT"}, tty=True)
screens.are_screens_available = lambda: True
start.main()
"""


def test_the_screens_from_the_menu_to_a_game(tmp_path: Path) -> None:
    said = python(tmp_path, "-c", SCREENS)
    assert said.startswith("['MomentScreen', 'GameScreen', 'PackingScreen'] cave-dark\n")
