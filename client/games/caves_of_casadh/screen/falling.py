"""Dice and cards as they fall: what has just come up is shown for a moment, one after the other.

What comes up meanwhile waits its turn; where much waits, several lines are shown at once. The log has it all
anyhow. Where nothing may move, nothing is shown here.
"""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len

from client.games.caves_of_casadh.said.log import FALLING, log_line
from client.tui.motion import Effect, Player
from client.tui.table import TableScreen
from client.tui.themes import motion_of

FALL = Effect(0.9, 1, calm=True)
FEW = 3
"""When more lines than this wait, several are shown at once."""
ROWS = 3
"""The most rows that recent events take above the question of who has the keyboard."""


class Falling:
    """Shows what falls in the line of messages of a screen."""

    def __init__(self, screen: TableScreen[Any]) -> None:
        self._screen = screen
        self._seen: int | None = None
        self._waiting: list[str] = []
        self._shown = ""
        self._player = Player(screen, FALL, self._show, lambda: motion_of(screen.app))

    def follow(self, scene: Any) -> None:
        """Show what has come up since the last scene; nothing when a table opens or a step is taken back."""
        log, seen = scene.state.log, self._seen
        self._seen = len(log)
        if seen is None or len(log) <= seen or self._screen.replays:
            return
        fresh = [log_line(index, line.event, scene.view) for index, line in enumerate(log[seen:], seen)
                 if line.event["type"] in FALLING]  # fmt: skip
        self._waiting += [entry.sentence for entry in fresh if entry is not None]
        # The message line is set when the panes have been painted.
        self._screen.call_after_refresh(self._begin)

    def take(self) -> str:
        """Return the line on show and those that wait, and stop showing them."""
        lines = [*filter(None, [self._shown]), *self._waiting]
        self._waiting = []
        self._player.stop()
        room = ROWS * (self._screen.size.width - 2)
        return _joined(lines[-_fitting(lines[::-1], room) :])

    def _begin(self) -> None:
        if not motion_of(self._screen.app).allows(FALL):
            self._waiting = []
        elif not self._player.plays:
            self._next()
        elif self._shown:
            # The message line was set anew with the panes.
            self._screen.say(self._shown, "text")

    def _next(self) -> None:
        if self._waiting:
            at_once = 1
            if len(self._waiting) > FEW:
                at_once = max(1, _fitting(self._waiting, self._screen.size.width - 2))
            self._shown = _joined(self._waiting[:at_once])
            del self._waiting[:at_once]
            self._player.start()
            if not self._player.plays:
                self._shown = ""

    def _show(self, number: int | None) -> None:
        if number is not None:
            self._screen.say(self._shown, "text")
            return
        self._shown = ""
        if self._waiting and self._screen.is_current:
            self._next()
        else:
            self._waiting = []
            self._screen.say("")


def _joined(lines: list[str]) -> str:
    return ". ".join(lines)


def _fitting(lines: list[str], room: int) -> int:
    """Return how many of the lines, joined, have room."""
    used = 0
    for number, line in enumerate(lines):
        used += cell_len(line) + 2
        if used - 2 > room:
            return number
    return len(lines)
