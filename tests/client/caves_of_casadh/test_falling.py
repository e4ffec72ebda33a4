"""Dice and cards fall one after the other, in the line of messages."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from client.games.caves_of_casadh.said.log import FALLING
from client.games.caves_of_casadh.screen import falling
from client.tui.motion import Motion
from tests.client.caves_of_casadh.tables import middle, played
from tests.client.test_motion import Stage


class Screen(Stage):
    """Stands for the screen of a table: it paints when it is told to."""

    replays = False

    def __init__(self) -> None:
        super().__init__()
        self.app = None
        self.said: list[str] = []
        self.due: list[Callable[[], None]] = []

    def call_after_refresh(self, callback: Callable[..., None], *args: Any) -> None:
        self.due.append(lambda: callback(*args))

    def say(self, text: str, role: str = "warn") -> None:
        self.said.append(text)

    def paint(self) -> None:
        while self.due:
            self.due.pop(0)()


def test_what_falls_while_more_is_shown_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer may fire after a later, shorter fall is known and before it is painted."""
    monkeypatch.setattr(falling, "motion_of", lambda app: Motion("full"))
    state = played(middle).state
    fell = [index for index, line in enumerate(state.log) if line.event["type"] in FALLING]
    assert len(fell) > 3

    def scene(lines: int) -> Any:
        return SimpleNamespace(state=SimpleNamespace(log=state.log[:lines]), view=state.view)

    screen: Any = Screen()
    shown = falling.Falling(screen)
    shown.follow(scene(fell[0]))
    shown.follow(scene(fell[2] + 1))
    screen.paint()
    first, step = screen.said[-1], shown._player.step
    shown.follow(scene(fell[3] + 1))
    step()
    second = screen.said[-1]
    assert first
    assert second not in ("", first)
    screen.paint()
    assert screen.said[-1] not in ("", second)
    step()
    assert screen.said[-1] == ""
