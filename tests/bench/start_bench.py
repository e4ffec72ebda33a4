"""Cold start in a real terminal: from the command to a playable board.

Each program is started in a pseudo-terminal of 140x45, and measured until its first important text is drawn:
a bare Textual app with one Static, ``cave play`` (with its host) and ``cave --help`` relative to its imports.
Fresh processes, interleaved. A machine's speed may change between rounds, so each program is compared with
its reference in the same round (``rounds``).

Run: ``python -m tests.bench.start_bench``
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from fcntl import ioctl
from pathlib import Path
from statistics import median
from time import perf_counter

from cave import games
from tests.bench.rounds import ratio, spread
from tests.cave.players import explorer

ROUNDS = 15
PATIENCE = 30.0
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("hello there")
Bare().run()
"""


def first_text(argv: list[str], telling: bytes, env: dict[str, str]) -> float:
    """Return the seconds from the start of the program until it has drawn the text; raises TimeoutError."""
    start = perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(argv[0], argv, env)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))
    seen = b""
    try:
        while telling not in seen:
            if not select.select([terminal], [], [], PATIENCE)[0]:
                raise TimeoutError(f"{argv} did not show {telling!r}")
            seen = (seen + os.read(terminal, 65536))[-200_000:]
        return perf_counter() - start
    finally:
        os.kill(pid, signal.SIGTERM)
        os.close(terminal)
        os.waitpid(pid, 0)


def run(argv: list[str], env: dict[str, str]) -> float:
    """Return the seconds of a command from start to end."""
    start = perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, env=env, check=True)
    return perf_counter() - start


def mid_game() -> object:
    """Return a position of a game of three teams after some rounds, on a person's turn."""
    from random import Random

    game = games.get_game("the-cave")
    rng = Random(3)
    state = game.new(3, {}, "start bench")
    for _ in range(120):
        seat = min(game.to_act(state))
        state = game.apply(state, seat, explorer(game, state, seat, rng)).state
    while state.seat != 0 or state.phase != "actions":
        seat = min(game.to_act(state))
        state = game.apply(state, seat, explorer(game, state, seat, rng)).state
    return game.position(state)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        position = Path(home) / "position.json"
        position.write_text(json.dumps(mid_game()))
        env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": home, "LC_ALL": "C.UTF-8"}
        # As for a user: Python caches its bytecode. The first round compiles, and does not count.
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        env["PYTHONPYCACHEPREFIX"] = str(Path(home) / "compiled")
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            env[name] = home
        cave = str(Path(sys.executable).with_name("cave"))
        people = ["-p", "Ann", "-p", "Bea", "-p", "Cyd"]
        times: dict[str, list[float]] = {name: [] for name in ("bare", "board", "imports", "help")}
        for _ in range(1 + ROUNDS):
            times["bare"].append(first_text([sys.executable, "-c", BARE], b"hello there", env))
            board = [cave, "play", *people, "--position", str(position)]
            times["board"].append(first_text(board, b"YOUR TURN", env))
            times["imports"].append(run([sys.executable, "-c", "import asyncio, json, argparse"], env))
            times["help"].append(run([cave, "--help"], env))
    times = {name: values[1:] for name, values in times.items()}
    shown = {name: median(values) * 1000 for name, values in times.items()}
    print(f"bare Textual app, one Static, first frame {shown['bare']:6.0f} ms")
    print(
        f"cave play to the board, host included     {shown['board']:6.0f} ms"
        f"  {told(times['board'], times['bare'])} (target 1.6 x, beside a busy core 2.0 x)"
    )
    print(f"import asyncio, json, argparse            {shown['imports']:6.0f} ms")
    print(
        f"cave --help                               {shown['help']:6.0f} ms"
        f"  {told(times['help'], times['imports'])} (target 1.5 x)"
    )


def told(times: list[float], anchor: list[float]) -> str:
    return f"{ratio(times, anchor):.2f} x, {spread(times, anchor)}"


if __name__ == "__main__":
    main()
