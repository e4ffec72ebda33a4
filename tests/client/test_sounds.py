"""Sounds: patterns of the bell or a command, off by default."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textual.app import App

from cave import games as rules
from client import games
from client.app import sounds
from client.app.screens.settings import SettingsScreen
from client.app.sounds import PATTERNS
from client.settings.schema import Preferences, Settings
from client.tui.table import TableScreen
from client.tui.terminal import TerminalWindow
from tests.client.pilot import Pilot, run
from tests.client.test_preferences import Calls, cave

LINE = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + chr(10))"
"""A program that records the sound."""
HANGS = "import time; time.sleep(3600)"


@pytest.mark.parametrize("name", rules.game_names())
def test_sounds_are_of_events_that_the_game_has(name: str) -> None:
    made = games.get_face(name).sounds
    assert set(made.values()) >= {"find", "end"}
    assert made.keys() <= {each.type for each in rules.get_game(name).events}


async def made(app: App[None], pilot: Pilot, sound: str) -> None:
    if sound == "turn":
        app.post_message(TableScreen.Turn(mine=True, new=True))
    else:
        app.post_message(TableScreen.Sounded(sound))  # type: ignore[arg-type]
    await pilot.pause()


@pytest.mark.parametrize(("sound", "rings"), [("turn", 1), ("die", 2), ("find", 2), ("end", 3)])
async def test_each_sound_has_its_pattern_of_bells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: str, rings: int
) -> None:
    app = cave(tmp_path, sound="bell", bell="always")
    calls = Calls(app, monkeypatch)
    waits: list[float] = []
    async with run(app, size=(80, 24)) as pilot:
        monkeypatch.setattr(app, "set_timer", lambda after, ring: (waits.append(after), ring()))
        await made(app, pilot, sound)
        assert calls.bells == rings
        assert [0.0, *waits] == [*PATTERNS[sound]]  # type: ignore[index]
        assert len(set(PATTERNS.values())) == len(PATTERNS), "they can be told apart"


async def test_a_pattern_is_not_mixed_with_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = cave(tmp_path, sound="bell")
    calls = Calls(app, monkeypatch)
    rings = []
    async with run(app, size=(80, 24)) as pilot:
        monkeypatch.setattr(app, "set_timer", lambda _, ring: rings.append(ring))
        await made(app, pilot, "end")
        await made(app, pilot, "die")
        for ring in rings:
            ring()
        assert calls.bells == 3
        await made(app, pilot, "die")
        assert calls.bells == 4


async def test_only_the_bell_of_my_turn_rings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = cave(tmp_path, sound_command="no-such-program", bell="always")
    calls = Calls(app, monkeypatch)
    async with run(app, size=(80, 24)) as pilot:
        for sound in ("die", "find", "end"):
            await made(app, pilot, sound)
        assert calls.bells == 0
        await made(app, pilot, "turn")
        assert calls.bells == 1


async def test_a_command_gets_the_sound_as_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = tmp_path / "a $(name) of sounds"
    command = f"""{sys.executable} -c "{LINE}" '{noted}'"""
    app = cave(tmp_path, sound="command", sound_command=command, bell="always")
    calls = Calls(app, monkeypatch)
    async with run(app, size=(80, 24)) as pilot:
        for sound in ("find", "turn"):
            while not noted.is_file() or sound not in noted.read_text().split():
                await made(app, pilot, sound)
    assert set(noted.read_text().split()) == {"find", "turn"}
    assert calls.bells == 0


async def test_a_command_gets_the_message_that_it_is_my_turn(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    line = "import sys; open(sys.argv[1], 'a').write('|'.join(sys.argv[2:]) + chr(10))"
    command = f"""{sys.executable} -c "{line}" {noted}"""
    app = cave(tmp_path, notify="command", sound="command", sound_command=command, bell="always")
    async with run(app, size=(80, 24)) as pilot:
        app.post_message(TableScreen.Turn(mine=True, new=True, words="Cave\x1b]0;x\x07: your\nturn"))
        await pilot.until(lambda: noted.is_file() and noted.read_text().endswith("\n"))
    assert noted.read_text() == "turn|Cave: your turn\n"


def test_a_notification_is_one_sequence_whatever_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    written: list[str] = []

    class Base:
        def start_application_mode(self) -> None: ...

        def write(self, text: str) -> None:
            written.append(text)

    window = TerminalWindow()
    window.filtering_driver(Base)().start_application_mode()  # type: ignore[arg-type, call-arg]
    written.clear()
    for osc777 in (False, True):
        window.notify("Cave: a;b\x07\x1b]0;c\x1b\\\n", osc777=osc777)
    assert written == ["\x1b]9;Cave: a,b \x07", "\x1b]777;notify;Cave;Cave: a,b \x07"]


@pytest.mark.parametrize("command", ["no-such-program", "'", "", "~/none", "/"])
async def test_a_command_that_cannot_run_is_silent(tmp_path: Path, command: str) -> None:
    app = cave(tmp_path, sound="command", sound_command=command)
    async with run(app, size=(80, 24)) as pilot:
        await made(app, pilot, "end")
        assert app.is_running


async def test_only_one_hanging_command_runs_and_it_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = sounds.processes.start_child

    def starting(*given: object, **options: object) -> object:
        begun.append(start(*given, **options))  # type: ignore[arg-type]
        return begun[-1]

    monkeypatch.setattr(sounds.processes, "start_child", starting)
    app = cave(tmp_path, sound="command", sound_command=f"{sys.executable} -c '{HANGS}'")
    async with run(app, size=(80, 24)) as pilot:
        for _ in range(5):
            await made(app, pilot, "die")
        assert len(begun) == 1
    assert begun[0].wait() != 0, "it ends with the program"
    monkeypatch.setattr(sounds, "PATIENCE", 0.0)
    made_again = sounds.Sounds(app)
    made_again.make("die", app.preferences.now)
    assert begun[1].wait() != 0, "it is killed when its time is over"


async def test_the_screen_cannot_change_the_command(tmp_path: Path) -> None:
    """The user may be a stranger: a guest of ``cave serve``."""
    app = cave(tmp_path, Preferences(Settings()))
    async with run(app, size=(100, 40)) as pilot:
        app.open_settings()
        await pilot.until(lambda: isinstance(app.screen, SettingsScreen))
        shown = {str(each.id) for each in app.screen.query("*") if each.id}
        assert any("sound" in each for each in shown)
        assert not any("sound_command" in each for each in shown)
