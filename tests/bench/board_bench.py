"""The board of Sir Ocelot's Cave beside a bare Textual app with one Static, at 140x45, in the same run.

Method and limits are those of the map (see ``map_bench``). A step of the cursor goes from a square to the
next, where no companion can go: the rim spaces that see them change as well. Between rim spaces the rows of
sight change, which is measured separately.

Run: ``python -m tests.bench.board_bench``
"""

from __future__ import annotations

import asyncio
from functools import partial
from statistics import median

from textual.widgets import Static

from cave.sir_ocelots_cave.components import BIT, SQUARES
from tests.bench.bare_app import Bare
from tests.bench.board_app import Boarded, in_the_middle
from tests.bench.map_bench import IDLE, LIT, ROUNDS, SIZE, STARTS, Bars, Running, first_frame, report, report_first

SPACES = ((9, 4), (10, 5))
"""Two adjacent rim spaces."""


async def compare(title: str, app_name: str, bars: Bars) -> bool:
    """Measure the board and the bare app; return whether the targets are met."""
    print(f"\n{title}")
    starts: dict[str, list[float]] = {"bare": [], app_name: []}
    for _ in range(STARTS):
        for name, values in starts.items():
            values.append(first_frame(name))
    times: dict[str, list[float]] = {"update": [], "cursor": [], "sight": []}
    sizes: dict[str, list[int]] = {"update": [], "cursor": [], "sight": []}
    async with Running(Bare()) as bare, Running(Boarded(in_the_middle(), light=app_name.endswith("-lit"))) as shown:
        hello, app = bare.app.query_one("#hello", Static), shown.app
        assert isinstance(app, Boarded)
        squares = next(
            (at, (at[0] + 1, at[1]))
            for at in SQUARES
            if (at[0] + 1, at[1]) in BIT and app.scene.ways.keys().isdisjoint((at, (at[0] + 1, at[1])))
        )
        for turn in range(ROUNDS):
            for name, running, act in (
                ("update", bare, partial(hello.update, f"hello {turn}")),
                ("sight", shown, partial(app.point_at, SPACES[turn % 2])),
                ("to the square", shown, partial(app.point_at, squares[turn % 2])),
                ("cursor", shown, partial(app.point_at, squares[1 - turn % 2])),
                ("to the space", shown, partial(app.point_at, SPACES[turn % 2])),
            ):
                ms, count = await running.cost(act)
                if name in times:
                    times[name].append(ms)
                    sizes[name].append(count)
        written = shown.written
        await asyncio.sleep(IDLE)
        idle = shown.written - written
        print(f"nothing done for {IDLE:g} s: {idle} B written (target 0 B)")
    middle = {name: median(values) for name, values in times.items()}
    count = {name: int(median(values)) for name, values in sizes.items()}
    print(f"{'bare: first frame':34} {median(starts['bare']):7.2f} ms")
    print(f"{'bare: one Static.update':34} {middle['update']:7.2f} ms  {count['update']:14d} B")
    update = middle["update"]
    met = (
        report_first("board: first frame", starts[app_name], starts["bare"], bars.first),
        report("board: cursor step", middle["cursor"], update, bars.cursor, count["cursor"], bars.cursor_bytes),
        report("board: other rows of sight", middle["sight"], update, bars.step, count["sight"], bars.step_bytes),
    )
    return all(met) and not idle


async def main() -> int:
    """Measure and print; return 1 if a target is missed."""
    print(f"{SIZE[0]}x{SIZE[1]}, truecolor, median of {ROUNDS} rounds (first frame: of {STARTS})")
    met = [await compare("In signs", "board", LIT), await compare("In pictures", "board-lit", LIT)]
    print("\nAll targets met." if all(met) else "\nA target is missed.")
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
