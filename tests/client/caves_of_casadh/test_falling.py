"""Dice and cards fall one after the other, in the line of messages."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from client.games.caves_of_casadh import screen
from client.games.caves_of_casadh.log import FALLING
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


class Fall:
    """What falls of a game on a screen, from its first fall on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, width: int = 80) -> None:
        monkeypatch.setattr(screen, "motion_of", lambda app: Motion("full"))
        self.state = played(middle).state
        log = self.state.log
        self.fell = [index for index, line in enumerate(log) if line.event["type"] in FALLING]
        found = [screen.log_line(index, log[index].event, self.state.view) for index in self.fell]
        self.lines = [entry.sentence for entry in found if entry is not None]
        self.screen: Any = Screen()
        self.screen.size = SimpleNamespace(width=width)
        self.shown = screen.Falling(self.screen)
        self.comes(0)

    def comes(self, fallen: int) -> None:
        """Follow the log up to the fall with this number."""
        log = self.state.log[: self.fell[fallen - 1] + 1 if fallen else self.fell[0]]
        self.shown.follow(SimpleNamespace(state=SimpleNamespace(log=log), view=self.state.view))

    def rest(self) -> list[str]:
        """All that is shown until nothing is left."""
        self.screen.paint()
        while self.shown._player.plays:
            self.shown._player.step()
            self.screen.paint()
        told = self.screen.said
        return [line for at, line in enumerate(told) if line and line not in told[:at]]


def test_what_falls_while_more_is_shown_waits_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may act before all that its last step brought was shown."""
    fall = Fall(monkeypatch)
    fall.comes(2)
    fall.screen.paint()
    fall.comes(3)
    assert fall.screen.said == fall.lines[:1]
    assert fall.rest() == fall.lines[:3]
    assert fall.screen.said[-1] == ""


def test_where_much_waits_several_lines_are_shown_at_once_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fall = Fall(monkeypatch)
    fall.comes(8)
    told = fall.rest()
    assert ". ".join(told) == ". ".join(fall.lines[:8])
    assert len(told) < 8
    assert all(len(line) <= 78 for line in told if ". " in line)
