"""What drawing costs: a replay is stepped through on a terminal that throws away what is written."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from cave.game import AnyGame
from client.lab import speed

SIZE = (140, 45)
QUIET = 0.05
"""Seconds in which nothing is written any more when all is drawn."""
STEPS = 8
"""Steps in a round."""


async def steps(game: AnyGame, record: bytes) -> speed.Speed:
    """Return the processor time of a step of this record, with all that it changes on the screen."""
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # Read when Textual is imported.
    from textual.driver import Driver

    from client.app.app import CaveApp
    from client.launch.launcher import Launcher
    from client.launch.opening import ReplayFile
    from client.settings.schema import Preferences

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

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.jsonl"
        path.write_bytes(record)
        app: Any = CaveApp(
            ReplayFile(path),
            launcher=Launcher(lambda _: (), None),
            preferences=Preferences(),
            records=path.parent,
        )
        app.driver_class = Nowhere
        running = asyncio.create_task(app.run_async(size=SIZE))
        try:
            while not hasattr(app.screen_stack[-1] if app.is_running else None, "session"):
                if running.done():
                    raise OSError(app.failure or "the screen could not be opened")
                await asyncio.sleep(QUIET)
            await settled()
            session = app.screen.session
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
