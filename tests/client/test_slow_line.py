"""A slow terminal: the map switches to signs, and nothing is animated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual import events

from client.app.app import SLOW, CaveApp
from client.games.the_cave.screen import GameScreen
from client.launch.opening import QuickGame
from client.settings.schema import Preferences, Settings
from client.tui.motion import far_away
from client.tui.terminal import WHERE, TerminalWindow
from client.tui.themes import ThemedApp, boards_are_lit
from tests.client.pilot import give_colours, run
from tests.client.test_app import FakeLauncher, launcher, until  # noqa: F401


class Written:
    """A driver that keeps its output."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def start_application_mode(self) -> None: ...
    def stop_application_mode(self) -> None: ...


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> tuple[TerminalWindow, Any]:
    monkeypatch.setenv("TERM", "xterm-256color")
    made = TerminalWindow()
    driver: Any = made.filtering_driver(Written)()  # type: ignore[arg-type]
    driver.start_application_mode()
    return made, driver


def test_the_terminals_delay_is_measured_from_the_request(window: tuple[TerminalWindow, Any]) -> None:
    made, driver = window
    made.ask_for_cursor()
    assert driver.text.endswith(WHERE)
    answer = events.CursorPosition(0, 0)
    assert 0.0 <= made.answer_delay(answer) < 60
    answer.time += 7
    assert made.answer_delay(answer) == 0.0, "nobody has asked"
    made.ask_for_cursor()
    answer = events.CursorPosition(0, 0)
    answer.time += 7
    assert made.answer_delay(answer) >= 7.0


@pytest.mark.parametrize(
    ("wish", "took", "looks"),
    [("auto", SLOW / 2, "near"), ("auto", SLOW * 2, "far"), (True, SLOW * 2, "lit but still")],
)
async def test_over_a_slow_line_the_map_is_plain_unless_light_is_configured(
    launcher: FakeLauncher,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wish: Any,
    took: float,
    looks: str,
) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY", "NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    asked: list[bool] = []
    monkeypatch.setattr(TerminalWindow, "ask_for_cursor", lambda _: asked.append(True))
    monkeypatch.setattr(TerminalWindow, "answer_delay", lambda *_: took)
    app = CaveApp(
        QuickGame(game="the-cave"),
        launcher=launcher,  # type: ignore[arg-type]
        preferences=Preferences(Settings(name="Ann", light=wish)),
        records=tmp_path,
        glyphs="fine",
    )
    give_colours(app)
    async with run(app, size=(140, 45)) as pilot:
        await until(pilot, GameScreen)
        await pilot.pause()
        assert app.screen.map.painter is not None  # type: ignore[attr-defined]
        assert asked == [True]
        app.post_message(events.CursorPosition(0, 0))
        await pilot.pause()
        assert (app.screen.map.painter is not None) == (looks != "far")  # type: ignore[attr-defined]
        assert (app.motion.level == "off") == (looks != "near")


@pytest.mark.parametrize(("wish", "near", "far"), [("auto", True, False), (True, True, True), (False, False, False)])
def test_over_ssh_boards_are_lit_only_if_configured(wish: str | bool, near: bool, far: bool) -> None:
    app = ThemedApp[None]()
    assert boards_are_lit(app, wish) == near
    app.is_far_away = far_away({"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"})
    assert boards_are_lit(app, wish) == far
