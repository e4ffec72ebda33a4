"""The map of The Caves of Casadh beside a bare Textual app with one Static, at 140x45, in the same run.

Method and limits are those of the map of The Cave (see ``map_bench``).

Run: ``python -m tests.bench.hex_bench``
"""

from __future__ import annotations

import asyncio
from functools import partial
from statistics import median

from textual.widgets import Static

from cave.caves_of_casadh.actions import Move, Priced
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.passages import on_board
from client.games.caves_of_casadh.picture import hex_map_picture
from client.games.caves_of_casadh.scene import CasadhScene
from tests.bench.bare_app import Bare
from tests.bench.hex_app import GAME, Hexed, explored, table
from tests.bench.map_bench import (
    FULL_OF_SIGNS,
    IDLE,
    LIT,
    ROUNDS,
    SIZE,
    STARTS,
    Bars,
    Running,
    first_frame,
    report,
    report_first,
)


def stepped(shown: CasadhScene) -> CasadhScene:
    move = next(each.action for each in shown.choices if isinstance(each, Priced) and isinstance(each.action, Move))
    full = GAME.imagine(shown.view, "step")
    return FACE.scene(table(GAME.apply(full, 0, move).state), None)


async def compare(title: str, app_name: str, bars: Bars) -> bool:
    """Measure the map and the bare app; return whether the targets are met."""
    print(f"\n{title}")
    starts: dict[str, list[float]] = {"bare": [], app_name: []}
    for _ in range(STARTS):
        for name, values in starts.items():
            values.append(first_frame(name))
    names = ("repaint", "update", "pan", "cursor", "step")
    times: dict[str, list[float]] = {name: [] for name in names}
    sizes: dict[str, list[int]] = {name: [] for name in names}
    shown = explored()
    before, after = hex_map_picture(shown, None), hex_map_picture(stepped(shown), None)
    async with Running(Bare()) as bare, Running(Hexed(before, light=app_name.endswith("-lit"))) as hexed:
        hello, app = bare.app.query_one("#hello", Static), hexed.app
        assert isinstance(app, Hexed)
        hexes, pitch = app.map, app.map.geometry.pitch[0]
        column, row = on_board(shown.pawn_cell)
        hexes.centre_on((column, row))

        def pan(columns: int) -> None:
            hexes.scroll_x += columns

        def move(columns: int) -> None:
            hexes.cursor = column + columns, row

        def point(columns: int) -> None:
            # Its timer needs the app's own context.
            hexes.call_later(move, columns)

        for turn in range(ROUNDS):
            odd = turn % 2
            for name, running, act in (
                ("repaint", bare, bare.app.screen.refresh),
                ("update", bare, partial(hello.update, f"hello {turn}")),
                ("pan", hexed, partial(pan, pitch if odd else -pitch)),
                ("cursor", hexed, partial(point, 1 - odd)),
                ("step", hexed, partial(setattr, hexes, "picture", before if odd else after)),
            ):
                ms, count = await running.cost(act)
                times[name].append(ms)
                sizes[name].append(count)
        written = hexed.written
        await asyncio.sleep(IDLE)
        idle = hexed.written - written
        print(f"nothing done for {IDLE:g} s: {idle} B written (target 0 B)")
    middle = {name: median(values) for name, values in times.items()}
    count = {name: int(median(values)) for name, values in sizes.items()}
    print(f"{'bare: first frame':34} {median(starts['bare']):7.2f} ms")
    met = [
        report_first("hexes: first frame", starts[app_name], starts["bare"], bars.first),
        report("hexes: pan one hex", middle["pan"], middle["repaint"], bars.pan, count["pan"], bars.pan_bytes),
        *(
            report(f"hexes: {title}", middle[name], middle["update"], most, count[name], limit)
            for name, title, most, limit in (
                ("cursor", "cursor move", bars.cursor, bars.cursor_bytes),
                ("step", "a pawn steps on", bars.step, bars.step_bytes),
            )
        ),
    ]
    return all(met) and not idle


async def main() -> int:
    """Measure and print; return 1 if a target is missed."""
    print(f"{SIZE[0]}x{SIZE[1]}, truecolor, median of {ROUNDS} rounds (first frame: of {STARTS})")
    met = [await compare("Hexes in signs", "hexes", FULL_OF_SIGNS), await compare("Hexes, painted", "hexes-lit", LIT)]
    print("\nAll targets met." if all(met) else "\nA target is missed.")
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
