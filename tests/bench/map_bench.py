"""The cave map compared with a bare Textual app with one Static, at 140x45, in the same run.

Each figure is processor time from the change to the last byte written, ANSI conversion included (the screen
is painted by a 60 Hz timer, so wall time would measure that); the bytes are those of a truecolor terminal.
Bare app and map take turns; the median of the rounds counts. The first frame is taken in a fresh process on a
pseudo-terminal each time (see ``first_frame``), from making the app (imports done) to the telling text; each
is compared with the bare app's of the same round (``rounds``).

One tile is changed in the middle of the pane and at its left edge: the cells west of it must not be rewritten
(client/tui/terminal_output.py).

Run: ``python -m tests.bench.map_bench``
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import struct
import sys
import tempfile
import termios
from collections.abc import Callable
from fcntl import ioctl
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # read when textual is imported
os.environ.pop("NO_COLOR", None)

import msgspec
from textual.app import App
from textual.widgets import Static

from cave.the_cave.state import BASE, Coord, Tile
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.picture import MapPicture, border_between, map_picture
from tests.bench.bare_app import Bare, CountingDriver
from tests.bench.caves import full, seen, winding
from tests.bench.map_app import Mapped
from tests.bench.rounds import ratio, spread

SIZE = (140, 45)
ROUNDS = 30
STARTS = 25
SETTLED = 0.03
IDLE = 3.0


class Running:
    """A running app, with a function to change it and measure the cost."""

    def __init__(self, app: App[None]) -> None:
        self.app = app

    async def __aenter__(self) -> Running:
        self.task = asyncio.create_task(self.app.run_async(size=SIZE))
        await self.settled(0.3)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.app.exit()
        await self.task

    async def settled(self, quiet: float = SETTLED) -> None:
        """Wait until nothing more is written."""
        before = -1
        while before != self.written:
            before = self.written
            await asyncio.sleep(quiet)

    @property
    def written(self) -> int:
        driver = self.app._driver
        return driver.bytes if isinstance(driver, CountingDriver) else 0

    async def cost(self, act: Callable[[], object]) -> tuple[float, int]:
        """Return the milliseconds of CPU time and the bytes of a change."""
        bytes_before, start = self.written, process_time()
        # Called by the app: an effect's timers need its context.
        self.app.call_later(act)
        await self.settled()
        spent = process_time() - start
        return spent * 1000, self.written - bytes_before


def first_frame(app_name: str) -> float:
    """Return the milliseconds of CPU time of this app, from ``first_frame``."""
    with tempfile.NamedTemporaryFile() as told:
        pid, terminal = pty.fork()
        if pid == 0:
            env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
            command = [sys.executable, "-m", "tests.bench.first_frame", app_name, told.name]
            os.execve(command[0], command, env)
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        with contextlib.suppress(OSError):  # the program of the terminal has ended
            while os.read(terminal, 65536):
                pass
        os.close(terminal)
        os.waitpid(pid, 0)
        return float(Path(told.name).read_text())


def report(title: str, ms: float, anchor: float, most: float, count: int = 0, limit: int = 0) -> bool:
    """Print a line; return whether the targets are met."""
    ratio = ms / anchor
    weight = f"  {count:6d} B (target {limit} B)" if limit else f"  {count:6d} B" if count else ""
    print(f"{title:34} {ms:7.2f} ms  {ratio:5.2f} x (target {most:g} x){weight}")
    return ratio <= most and (not limit or count <= limit)


def report_first(title: str, times: list[float], anchor: list[float], most: float) -> bool:
    """Print the line of the first frame; return whether the target is met."""
    found = ratio(times, anchor)
    print(f"{title:34} {median(times):7.2f} ms  {found:5.2f} x (target {most:g} x), {spread(times, anchor)}")
    return found <= most


class Bars(NamedTuple):
    """The limits: multiples of the bare app's times, and bytes (0: any number)."""

    first: float
    pan: float
    pan_bytes: int
    cursor: float
    cursor_bytes: int
    change: float
    change_bytes: int
    step: float
    step_bytes: int


SIGNS = Bars(1.5, 6, 16_000, 2, 600, 2, 600, 3, 2_000)
FULL_OF_SIGNS = SIGNS._replace(pan=9, pan_bytes=0, step=6)
LIT = Bars(2.5, 12, 60_000, 1.5, 620, 6, 8_000, 6, 8_000)


async def compare(title: str, app_name: str, board: dict[Coord, Tile], bars: Bars) -> bool:
    """Measure one cave and the bare app."""
    lit = app_name.endswith("-lit")
    picture = map_picture(seen(board))
    print(f"\n{title}: {len(board)} tiles")
    starts: dict[str, list[float]] = {"bare": [], app_name: []}
    for _ in range(STARTS):
        for name, values in starts.items():
            values.append(first_frame(name))
    poorer = msgspec.structs.replace(picture.cells[BASE], pawns=(), camps=(0,))
    changed = msgspec.structs.replace(picture, cells={**picture.cells, BASE: poorer})
    times: dict[str, list[float]] = {}
    sizes: dict[str, list[int]] = {}

    async def measure(name: str, running: Running, act: Callable[[], object]) -> None:
        ms, count = await running.cost(act)
        times.setdefault(name, []).append(ms)
        sizes.setdefault(name, []).append(count)

    async with Running(Bare()) as bare, Running(Mapped(picture, light=lit)) as mapped:
        hello = bare.app.query_one("#hello", Static)
        cave_map = mapped.app.query_one(CaveMap)
        tile = cave_map.region_of(BASE).width - 1
        across = SIZE[0] // 2 // tile
        beside = next(at for at in ((1, 0), (-1, 0)) if open_between(picture, BASE, at))
        stepped = map_picture(seen(board, beside[0]))
        edge = min((at for at in board if at[0] >= -across and at[1] == 0), default=BASE)

        def pan(columns: int) -> None:
            cave_map.scroll_x += columns

        def put_cursor(at: Coord) -> None:
            cave_map.cursor = at

        def put_picture(shown: MapPicture) -> None:
            cave_map.picture = shown

        # Their timers need the app's own context.
        def move(at: Coord) -> None:
            cave_map.call_later(put_cursor, at)

        def show(shown: MapPicture) -> None:
            cave_map.call_later(put_picture, shown)

        for turn in range(ROUNDS):
            odd = turn % 2
            await measure("repaint", bare, bare.app.screen.refresh)
            await measure("pan", mapped, partial(pan, tile if odd else -tile))
            await measure("update", bare, partial(hello.update, f"hello {turn}"))
            await measure("cursor", mapped, partial(move, (odd, 0)))
            await measure("change", mapped, partial(show, changed))
            show(picture)
            await mapped.settled()
            await measure("step", mapped, partial(show, stepped))
            show(picture)
            await mapped.settled()
            move(edge)
            await mapped.settled()
            await measure("edge", mapped, partial(move, (edge[0], 1 - odd)))
            move((odd, 0))
            await mapped.settled()
        written = mapped.written
        await asyncio.sleep(IDLE)
        at_rest = mapped.written == written
        print(f"nothing done for {IDLE:g} s: {mapped.written - written} B written (target 0 B)")
    middle = {name: median(values) for name, values in times.items()}
    count = {name: int(median(values)) for name, values in sizes.items()}
    firsts, bare_firsts = starts[app_name], starts["bare"]
    print(f"{'bare: first frame':34} {median(bare_firsts):7.2f} ms")
    print(f"{'bare: full repaint':34} {middle['repaint']:7.2f} ms  {count['repaint']:14d} B")
    print(f"{'bare: one Static.update':34} {middle['update']:7.2f} ms  {count['update']:14d} B")
    one, update = middle["repaint"], middle["update"]
    met = [
        report_first("map: first frame", firsts, bare_firsts, bars.first),
        report("map: pan one tile", middle["pan"], one, bars.pan, count["pan"], bars.pan_bytes),
        *(
            report(f"map: {name}", middle[key], update, most, count[key], limit)
            for name, key, most, limit in (
                ("cursor move", "cursor", bars.cursor, bars.cursor_bytes),
                ("cursor move at the left edge", "edge", bars.cursor, bars.cursor_bytes),
                ("one tile changed", "change", bars.change, bars.change_bytes),
                ("a team steps on", "step", bars.step, bars.step_bytes),
            )
        ),
    ]
    return all([*met, at_rest])


def open_between(picture: MapPicture, at: Coord, to: Coord) -> bool:
    """Return whether a passage joins two places."""
    border = border_between(picture, at, to)
    return border is not None and border.kind == "passage"


async def main() -> int:
    """Measure and print; return 1 if a target is missed."""
    print(f"{SIZE[0]}x{SIZE[1]}, truecolor, median of {ROUNDS} rounds (first frame: of {STARTS})")
    met = [
        await compare("A winding cave", "winding", winding(100), SIGNS),
        await compare("A full block", "full", full(60), FULL_OF_SIGNS),
        await compare("A winding cave, lit", "winding-lit", winding(100), LIT),
        await compare("A full block, lit", "full-lit", full(60), LIT),
    ]
    print("\nAll targets met." if all(met) else "\nA target is missed.")
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
