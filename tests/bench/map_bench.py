"""The cave map beside a bare Textual app with one Static, at 140x45, in the same run.

Each figure is processor time from the change to the last byte written, ANSI conversion included (the
screen is painted by a 60 Hz timer, so wall time would measure that); the bytes are those of a
truecolor terminal. Bare app and map take turns; the median of the rounds counts. The first frame is
taken in a fresh process each time, from making the app (imports done) to the telling text; the best
counts, as noise only ever adds.

One tile is changed in the middle of the pane and at its left edge: what lies to the west of it is not to
be written again (client/tui/terse.py).

Run: ``python -m tests.bench.map_bench``
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time

os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # read when textual is imported
os.environ.pop("NO_COLOR", None)

import attrs
import msgspec
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Static

from cave.the_cave.geometry import ALL_OPEN, BASE, OPPOSITE, SIDES, Coord, around
from cave.the_cave.placing import count_open_exits
from cave.the_cave.setup import new, read_settings
from cave.the_cave.state import Tile
from cave.the_cave.view import View, view
from client.looks import DEFAULT_THEME
from client.present.cave_map import MapPicture, map_picture
from client.tui.themes import ThemedApp
from client.tui.widgets.cave_map import CaveMap

SIZE = (140, 45)
ROUNDS = 30
STARTS = 15
SETTLED = 0.03
KINDS = ("plain", "plain", "plain", "water", "wonder", "squeeze", "descent")


class CountingDriver(HeadlessDriver):
    """A terminal that only counts what is written to it."""

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        self.bytes = 0

    @property
    def is_headless(self) -> bool:
        """No: so that the app makes its ANSI as for a terminal."""
        return False

    def write(self, data: str) -> None:
        """Count, and see whether the app shows what it is to show."""
        self.bytes += len(data.encode())
        if self._app.telling in data and not self._app.shown.is_set():
            self._app.shown_at = process_time()
            self._app.shown.set()


class Measured(App[None]):
    """An app on a counting terminal; ``shown`` is set when the telling text has been written."""

    telling = ""

    def __init__(self) -> None:
        super().__init__(driver_class=CountingDriver)
        self.shown = asyncio.Event()
        self.shown_at = 0.0


class Bare(Measured):
    """The anchor: one Static."""

    telling = "hello"

    def compose(self) -> ComposeResult:
        yield Static("hello", id="hello")


class Mapped(Measured, ThemedApp[None]):
    """Nothing but the map, in our own theme."""

    telling = "BASE"

    def __init__(self, picture: MapPicture) -> None:
        super().__init__()
        self.map = CaveMap(picture)

    def compose(self) -> ComposeResult:
        yield self.map


class Running:
    """An app under way, with a way to do something to it and see what that cost."""

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
        """Milliseconds of processor time and bytes that an act takes."""
        bytes_before, start = self.written, process_time()
        act()
        await self.settled()
        spent = process_time() - start
        return spent * 1000, self.written - bytes_before


def winding(tiles: int) -> dict[Coord, Tile]:
    """A cave that grew as caves do: mostly corridors, all kinds, with depths and tokens."""
    rng = Random(7)
    sides: dict[Coord, set[str]] = {BASE: set()}
    while len(sides) < tiles:
        at = rng.choice(list(sides)[-12:] if rng.random() < 0.7 else list(sides))
        side, to, facing, _ = rng.choice(around(at))
        if to not in sides:
            sides[at].add(side)
            sides[to] = {facing}
    for at in rng.sample(sorted(sides), tiles // 3):
        side, to, _, _ = rng.choice(around(at))
        if to not in sides:
            sides[at].add(side)
    return {at: tile(rng, at, open_sides) for at, open_sides in sides.items()}


def full(edge: int) -> dict[Coord, Tile]:
    """A block of tiles without a gap."""
    rng = Random(8)
    places = [(x, y) for x in range(-edge // 2, edge // 2) for y in range(-edge // 2, edge // 2)]
    sides: dict[Coord, set[str]] = {at: set() for at in places}
    for at in places:
        for side, to, _, _ in around(at):
            if side in "ES" and to in sides and rng.random() < 0.6:
                sides[at].add(side)
                sides[to].add(OPPOSITE[side])
    return {at: tile(rng, at, open_sides) for at, open_sides in sides.items()}


def tile(rng: Random, at: Coord, open_sides: set[str]) -> Tile:
    """A tile of a random kind."""
    kind = "base" if at == BASE else rng.choice(KINDS)
    level = rng.randint(1, 3) if kind == "squeeze" else 0
    token = kind in ("water", "wonder", "squeeze") and rng.random() < 0.5
    depth = 0 if at == BASE else 25 * (max(map(abs, at)) // 4)
    shown = "".join(side for side in SIDES if side in open_sides) or ALL_OPEN[:1]
    return Tile(kind, shown, level, depth, token, False)  # type: ignore[arg-type]


def seen(board: dict[Coord, Tile]) -> View:
    """The board as a watcher of a five-team game sees it, pawns strewn over it."""
    state = new(["Ana", "Bea", "Cyd", "Dan", "Eve"], read_settings({}), "map bench")
    near = sorted(board, key=lambda at: (abs(at[0]) + abs(at[1]), at))
    teams = tuple(attrs.evolve(team, at=at) for team, at in zip(state.teams, near[::3], strict=False))
    state = attrs.evolve(state, board=board, teams=teams, open_exits=count_open_exits(board), phase="actions")
    return view(state, None)


async def first_frame(app_name: str) -> float:
    """Milliseconds of processor time from making an app until the telling text is written."""
    boards = {"winding": lambda: winding(100), "full": lambda: full(60)}
    picture = map_picture(seen(boards[app_name]())) if app_name in boards else None
    gc.collect()
    gc.freeze()  # a collection of all that the imports made would hit one side at random
    start = process_time()
    app = Mapped(picture) if picture else Bare()
    task = asyncio.create_task(app.run_async(size=SIZE))
    await app.shown.wait()
    app.exit()
    await task
    return (app.shown_at - start) * 1000


def fresh_first_frame(app_name: str) -> float:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.map_bench", "--first-frame", app_name]
    # As the program does it: the theme is told to the library before it is loaded.
    env = os.environ if app_name == "bare" else {**os.environ, "TEXTUAL_THEME": DEFAULT_THEME}
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout)


def report(title: str, ms: float, anchor: float, most: float, count: int = 0, limit: int = 0) -> bool:
    """Print a line; whether the targets are met."""
    ratio = ms / anchor
    weight = f"  {count:6d} B (target {limit} B)" if limit else f"  {count:6d} B" if count else ""
    print(f"{title:34} {ms:7.2f} ms  {ratio:5.2f} x (target {most:g} x){weight}")
    return ratio <= most and (not limit or count <= limit)


async def compare(
    title: str, app_name: str, board: dict[Coord, Tile], pan_most: float, pan_limit: int
) -> bool:
    """Measure one cave beside the bare app."""
    shown = seen(board)
    picture = map_picture(shown)
    print(f"\n{title}: {len(board)} tiles")
    starts: dict[str, list[float]] = {"bare": [], app_name: []}
    for _ in range(STARTS):
        for name, values in starts.items():
            values.append(fresh_first_frame(name))
    poorer = msgspec.structs.replace(picture.cells[BASE], pawns=(), camps=(0,))
    changed = msgspec.structs.replace(picture, cells={**picture.cells, BASE: poorer})
    times: dict[str, list[float]] = {}
    sizes: dict[str, list[int]] = {}

    async def measure(name: str, running: Running, act: Callable[[], object]) -> None:
        ms, count = await running.cost(act)
        times.setdefault(name, []).append(ms)
        sizes.setdefault(name, []).append(count)

    async with Running(Bare()) as bare, Running(Mapped(picture)) as mapped:
        hello = bare.app.query_one("#hello", Static)
        cave_map = mapped.app.query_one(CaveMap)
        across = SIZE[0] // 2 // 9
        edge = min((at for at in board if at[0] >= -across and at[1] == 0), default=BASE)

        def pan(columns: int) -> None:
            cave_map.scroll_x += columns

        def move(at: Coord) -> None:
            cave_map.cursor = at

        def show(shown: MapPicture) -> None:
            cave_map.picture = shown

        for turn in range(ROUNDS):
            odd = turn % 2
            await measure("repaint", bare, bare.app.screen.refresh)
            await measure("pan", mapped, partial(pan, 9 if odd else -9))
            await measure("update", bare, partial(hello.update, f"hello {turn}"))
            await measure("cursor", mapped, partial(move, (odd, 0)))
            await measure("change", mapped, partial(show, picture if odd else changed))
            cave_map.cursor = edge
            await mapped.settled()
            await measure("edge", mapped, partial(move, (edge[0], 1 - odd)))
            cave_map.cursor = (odd, 0)
            await mapped.settled()
    middle = {name: median(values) for name, values in times.items()}
    count = {name: int(median(values)) for name, values in sizes.items()}
    bare_first, map_first = min(starts["bare"]), min(starts[app_name])
    print(f"{'bare: first frame':34} {bare_first:7.2f} ms")
    print(f"{'bare: full repaint':34} {middle['repaint']:7.2f} ms  {count['repaint']:14d} B")
    print(f"{'bare: one Static.update':34} {middle['update']:7.2f} ms  {count['update']:14d} B")
    return all(
        [
            report("map: first frame", map_first, bare_first, 1.5),
            report("map: pan one tile", middle["pan"], middle["repaint"], pan_most, count["pan"], pan_limit),
            report("map: cursor move", middle["cursor"], middle["update"], 2, count["cursor"], 600),
            report(
                "map: cursor move at the left edge", middle["edge"], middle["update"], 2, count["edge"], 600
            ),
            report("map: one tile changed", middle["change"], middle["update"], 2, count["change"], 600),
        ]
    )


async def main() -> int:
    """Measure and print; 1 when a target is missed."""
    print(f"{SIZE[0]}x{SIZE[1]}, truecolor, median of {ROUNDS} (first frame: best of {STARTS})")
    met = [
        await compare("A winding cave", "winding", winding(100), 6, 16_000),
        await compare("A full block", "full", full(60), 9, 0),
    ]
    print("\nAll targets met." if all(met) else "\nA target is missed.")
    return 0 if all(met) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--first-frame"]:
        print(asyncio.run(first_frame(sys.argv[2])), file=sys.__stdout__)
    else:
        raise SystemExit(asyncio.run(main()))
