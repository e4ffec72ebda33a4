"""A real terminal for tests: tmux with its own server, keys in, screen text out."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep

from tests.processes import children

PATIENCE = 60.0
"""Seconds after which a missing text counts as failed: far above any normal time."""
POLL = 0.1
"""Seconds between two checks of a screen: each takes a process, on a busy machine."""


class Terminal:
    """A program in a tmux window of a given size.

    ``home`` becomes the home folder, so that the developer's own is not touched.
    """

    def __init__(
        self,
        argv: list[str],
        home: Path,
        *,
        width: int = 80,
        height: int = 24,
        term: str = "tmux-256color",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._server = f"cave-{uuid.uuid4().hex[:8]}"
        settings = {
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
            "TERM": term,
            "LC_ALL": "C.UTF-8",
            "CAVE_TUTOR": "off",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            **(env or {}),
        }
        command = shlex.join(
            ["env", "-u", "COLUMNS", "-u", "LINES", *(f"{name}={value}" for name, value in settings.items()), *argv]
        )
        # The window stays after the program has ended, so that its last output can be read.
        line = f"{command}; status=$?; echo; echo ended with $status; exec sleep 600"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), line)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._server, *words], check=True, capture_output=True, text=True)
        return done.stdout

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names."""
        for name in names:
            self._tmux("send-keys", "--", name)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def wait_for(self, condition: str | Callable[[str], object]) -> str:
        """Return the screen once it shows the text, or satisfies the condition.

        Raises AssertionError with the last screen if that does not come.
        """
        start = monotonic()
        while True:
            screen = self.screen()
            if condition in screen if isinstance(condition, str) else condition(screen):
                return screen
            if monotonic() - start > PATIENCE:
                raise AssertionError(f"waited in vain for {condition!r}; the screen shows:\n{screen}")
            sleep(POLL)

    def kill(self) -> None:
        """Kill the program in the window like kill -9."""
        os.kill(self.children()[0], signal.SIGKILL)

    def children(self) -> list[int]:
        """Return the pids of the program in the window and of its child processes."""
        shell = int(self._tmux("list-panes", "-F", "#{pane_pid}"))
        (program,) = children(shell)
        return [program, *children(program)]

    def close(self) -> None:
        """End the program and the window."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], check=False, capture_output=True)
