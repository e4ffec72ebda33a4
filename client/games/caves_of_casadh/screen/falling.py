"""Dice and cards as they fall: what has just come up is shown for a moment, one after the other.

The log has it all anyhow. Where nothing may move, nothing is shown here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.games.caves_of_casadh.said.log import FALLING, log_line
from client.tui.motion import Effect, Player
from client.tui.table import TableScreen
from client.tui.themes import motion_of

FALL = Effect(0.9, calm=True)
"""As many frames as cards and dice have fallen."""


class Falling:
    """Shows what falls in the line of messages of a screen."""

    def __init__(self, screen: TableScreen[Any]) -> None:
        self._screen = screen
        self._seen: int | None = None
        self._lines: Sequence[str] = ()
        self._player = Player(screen, FALL, self._show, lambda: motion_of(screen.app))

    def follow(self, scene: Any) -> None:
        """Show what has come up since the last scene; nothing when a table opens or a step is taken back."""
        log, seen = scene.state.log, self._seen
        self._seen = len(log)
        if seen is None or len(log) <= seen or self._screen.replays:
            return
        fresh = [log_line(index, line.event, scene.view) for index, line in enumerate(log[seen:], seen)
                 if line.event["type"] in FALLING]  # fmt: skip
        lines = [entry.sentence for entry in fresh if entry is not None]
        if lines and motion_of(self._screen.app).allows(FALL):
            # The message line is set when the panes have been painted.
            self._screen.call_after_refresh(self._begin, lines)

    def _begin(self, lines: Sequence[str]) -> None:
        # Only now: until here the lines before may still be playing.
        self._lines = lines
        self._player.start(len(lines))

    def _show(self, number: int | None) -> None:
        self._screen.say("" if number is None else self._lines[number], "text")
