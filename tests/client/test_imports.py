"""Imports stay light: checked in ``sys.modules`` of a fresh process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import packages

ROOT = Path(__file__).resolve().parents[2]


def loaded(code: str, tmp_path: Path) -> set[str]:
    """The modules a fresh process has loaded after the code."""
    report = "import sys, json; open(sys.argv[1], 'w').write(json.dumps(sorted(sys.modules)))"
    wrapped = f"try:\n    {code}\nexcept SystemExit:\n    pass\n{report}"
    out = tmp_path / "modules.json"
    subprocess.run(
        [sys.executable, "-c", wrapped, str(out)],
        cwd=ROOT,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    )
    return set(json.loads(out.read_text()))


def command(*arguments: str) -> str:
    return f"from client.cli import main; main({list(arguments)!r})"


SCRIPT = {
    "format": "cave-script",
    "version": 1,
    "start": {"new": {"game": "the-cave", "seats": 2, "seed": "k"}},
    "steps": [],
}


@pytest.mark.parametrize(
    "arguments", [("--help",), ("play", "--help"), ("host", "--help"), ("--version",), ("completion", "bash")]
)
def test_help_loads_nothing_heavy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    modules = loaded(command(*arguments), tmp_path)
    assert "click" in modules
    # Two of them list the house rules, which need no game rules.
    game = set() if arguments[0] in ("play", "host") else {"msgspec", "cave.game"}
    assert not modules & {"textual", "rich", "zmq", "asyncio", "attrs", "cave.the_cave.game", "server", *game}
    # A local game needs no commands for hosts.
    assert ("client.commands.host" in modules) == (arguments[0] == "host")


def test_the_way_to_a_board_loads_no_attrs(tmp_path: Path) -> None:
    """Attrs writes and compiles the methods of each class at every start."""
    way = "import client.app.app, client.launch.launcher, client.net.connection"
    modules = loaded(f"{way}; from client import games; games.get_face('the-cave').screen()", tmp_path)
    assert "client.games.the_cave.screen" in modules
    assert not {name for name in modules if name.partition(".")[0] in ("attr", "attrs")}


def test_the_referee_and_the_check_of_a_record_load_no_screen(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(SCRIPT))
    judged = loaded(command("referee", str(file)), tmp_path)
    assert "cave.script" in judged
    checked = loaded(command("replay", "--check", str(file)), tmp_path)
    assert "cave.record" in checked
    plotted = loaded(command("replay", "--plot", "-", str(file)), tmp_path)
    assert "client.present.plot_svg" in plotted
    for modules in (judged, checked, plotted):
        assert not modules & {"textual", "rich", "zmq"}


def test_a_series_of_games_loads_no_screen(tmp_path: Path) -> None:
    seats = ("--seats", "novice,rookie", "--games", "2")
    modules = loaded(command("simulate", "sir-ocelots-cave", *seats), tmp_path)
    assert "client.lab.series_figures" in modules
    assert not modules & {"textual", "rich", "zmq", "server", "distributed", "multiprocessing.pool"}


def test_the_host_loads_no_screen(tmp_path: Path) -> None:
    modules = loaded("import client.commands.host, server.main, server.host", tmp_path)
    assert not modules & {"textual", "rich", "zeroconf", "ifaddr"}


def test_only_discovery_loads_its_modules(tmp_path: Path) -> None:
    modules = loaded("import client.net.discovery, client.commands.plain, client.app.screens.join", tmp_path)
    assert not modules & {"zeroconf", "ifaddr"}


def test_the_line_mode_never_loads_the_screens(tmp_path: Path) -> None:
    """The beginning of a whole game, packed and ended by the end of the input."""
    modules = loaded(command("play", "-p", "Ann", "--plain"), tmp_path)
    assert "client.games.the_cave.lines" in modules
    assert not modules & {"textual", "rich"}


def files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


SCREENS = r"board|cave_map|controller|key_hints|\w*(painter|panes?|screens?|signs)\b"
"""The modules of games that may import Textual."""


def test_the_arrows_between_the_rooms() -> None:
    """cave/ imports neither, server/ not the client, and only the client's commands start a server."""
    for path in files("cave"):
        sockets = {"socket"} if path.name == "tcp.py" else set()  # for host and client
        assert not (packages(path) - sockets) & {
            *("server", "client", "textual", "rich", "zmq", "socket", "time", "datetime")
        }, path
    for path in files("server"):
        assert not packages(path) & {"client", "textual", "rich"}, path
    for path in files("client"):
        here = path.relative_to(ROOT).as_posix()
        if not here.startswith("client/commands/"):
            assert "server" not in packages(path), path
        for_screens = re.match(rf"client/(tui|app|lab/speed|games/\w+/({SCREENS}))", here)
        # A face names its screens, only for type checkers.
        if not for_screens and path.name != "face.py":
            assert not packages(path) & {"textual", "rich"}, path
