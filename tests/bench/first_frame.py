"""The first frame of an app in a fresh process on a real (pseudo) terminal, with all modules loaded.

Writes to the given file the milliseconds of CPU time from the creation of the app until it writes the text
that shows that it is ready. Run by ``map_bench`` and ``board_bench``.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from time import process_time

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from client.games.caves_of_casadh.picture import hex_map_picture as hex_picture
from client.games.the_cave.picture import map_picture
from tests.bench.bare_app import Bare, Measured
from tests.bench.board_app import Boarded, in_the_middle
from tests.bench.caves import full, seen, winding
from tests.bench.hex_app import Hexed, explored
from tests.bench.map_app import Mapped

BOARDS = {"winding": lambda: winding(100), "full": lambda: full(60)}
LIMIT = 60  # seconds after which an app that does not show its text is killed


def first_frame(name: str, told: Path) -> None:
    """Run the app until it is ready, and return the time it took."""

    class Telling(LinuxDriver):
        def __init__(self, app: App[object], **options: object) -> None:
            super().__init__(app, **options)  # type: ignore[arg-type]
            assert isinstance(app, Measured)
            self._telling = app.telling

        def write(self, data: str) -> None:
            super().write(data)
            if self._telling in data:
                told.write_text(str((process_time() - start) * 1000))
                os._exit(0)

    board, _, lit = name.partition("-")
    picture = map_picture(seen(BOARDS[board]())) if board in BOARDS else None
    shown = in_the_middle() if board == "board" else None
    hexes = hex_picture(explored(), None) if board == "hexes" else None
    gc.collect()
    gc.disable()  # as the program does until its first screen
    start = process_time()
    app: Measured
    if hexes is not None:
        app = Hexed(hexes, Telling, light=bool(lit))
    elif shown is not None:
        app = Boarded(shown, Telling, light=bool(lit))
    elif picture is not None:
        app = Mapped(picture, Telling, light=bool(lit))
    else:
        app = Bare(Telling)
    signal.alarm(LIMIT)
    app.run()


if __name__ == "__main__":
    first_frame(sys.argv[1], Path(sys.argv[2]))
