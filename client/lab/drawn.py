"""What drawing costs: a replay is stepped through on a terminal that throws away what is written."""

from __future__ import annotations

import asyncio
import os
from time import process_time
from typing import Any, ClassVar

from cave import record
from cave.game import AnyGame
from client.games import get as face_of
from client.lab import speed
from client.replay import ReplaySession

SIZE = (140, 45)
QUIET = 0.05
"""Seconds in which nothing is written any more when all is drawn."""
STEPS = 8
"""Steps in a round."""


async def steps(game: AnyGame, lines: bytes) -> speed.Speed:
    """Return the processor time of a step of this record, with all that it changes on the screen."""
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # Read when Textual is imported.
    from textual.driver import Driver

    from client.tui import window_size
    from client.tui.themes import ThemedApp

    face = face_of(game.name)
    session = ReplaySession(record.replay(lines.splitlines(keepends=True)), face)

    class Shown(ThemedApp[None]):
        HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
        VERTICAL_BREAKPOINTS = window_size.VERTICAL
        CSS_PATH: ClassVar[Any] = "../tui/table.tcss"

        def on_mount(self) -> None:
            self.push_screen(face.replay_screen()(face, session))

    class Nowhere(Driver):
        """A terminal that counts what is written, and shows nothing."""

        written = 0

        def write(self, data: str) -> None:
            Nowhere.written += len(data)

        def start_application_mode(self) -> None: ...

        def disable_input(self) -> None: ...

        def stop_application_mode(self) -> None: ...

    async def settled() -> None:
        before = -1
        while before != Nowhere.written:
            before = Nowhere.written
            await asyncio.sleep(QUIET)

    app: Any = Shown()
    app.driver_class = Nowhere
    running = asyncio.create_task(app.run_async(size=SIZE))
    try:
        while not (app.is_running and hasattr(app.screen, "session")):
            if running.done():
                raise OSError("the screen could not be opened")
            await asyncio.sleep(QUIET)
        await settled()
        rounds = []
        for _ in range(speed.ROUNDS):
            loop, spent = speed.pass_of_control(process_time), 0.0
            for _ in range(STEPS):
                begun = process_time()
                session.go(session.step + 1)
                await settled()
                spent += process_time() - begun
            rounds.append((STEPS, spent, loop))
    finally:
        app.exit()
        await running
    return speed.speed("steps", rounds)
