"""Sounds: patterns of the terminal's bell, or the user's own command."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Literal

from textual.app import App

from cave import processes
from cave.wire import one_line
from client.face import Sound
from client.settings.schema import Settings

PATTERNS: Mapping[Sound | Literal["turn"], tuple[float, ...]] = {
    "turn": (0.0,),
    "die": (0.0, 0.15),
    "find": (0.0, 0.4),
    "end": (0.0, 0.3, 0.6),
}
"""When the bell rings, in seconds from the first ring."""
PATIENCE = 5.0  # seconds that a command may take


class Sounds:
    """Plays one sound at a time; drops sounds that would overlap."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._left = 0  # rings still to play
        self._running: subprocess.Popen[bytes] | None = None

    def make(self, sound: Sound | Literal["turn"], wish: Settings) -> None:
        if wish.sound != "command":
            self._ring(PATTERNS[sound])
        else:
            self.run(wish, sound)

    def run(self, wish: Settings, *words: str) -> None:
        """Run the user's command with these words, unless it is already running."""
        if self._running is None or self._running.poll() is not None:
            # Bad quotes, or no such program: stay silent, the game is more important.
            with contextlib.suppress(OSError, ValueError):
                argv = [*shlex.split(wish.sound_command), *map(one_line, words)]
                if len(argv) > len(words):
                    self._running = processes.start_child(
                        [str(Path(argv[0]).expanduser()), *argv[1:]], streams=subprocess.DEVNULL
                    )
                    Thread(target=processes.end_child, args=(self._running, PATIENCE), daemon=True).start()

    def _ring(self, pattern: tuple[float, ...]) -> None:
        if self._left:
            return
        self._left = len(pattern)
        for after in pattern:
            if after:
                self._app.set_timer(after, self._ring_once)
            else:
                self._ring_once()

    def _ring_once(self) -> None:
        self._left -= 1
        self._app.bell()

    def stop(self) -> None:
        """Stop a command that is still running."""
        if self._running is not None:
            self._running.kill()
