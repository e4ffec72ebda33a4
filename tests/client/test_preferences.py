"""The effect of settings in a game: confirmations, the bell and the title, following, the palette."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict
from textual import events
from textual.app import App

from client.app.app import CaveApp
from client.app.screens.menu import MenuScreen
from client.app.screens.settings import SettingsScreen
from client.games.the_cave import texts
from client.launch.opening import Menu
from client.settings.schema import Preferences, Settings
from client.tui.chooser import ChooserScreen
from client.tui.command_palette import Palette
from client.tui.table import TableScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed, position
from tests.client.pilot import notices, press, run, settle
from tests.client.screens import text
from tests.client.test_walking import corridor


def table(start: Any = None, mine: tuple[int, ...] = (0,), **chosen: Any) -> TableApp:
    session = FakeSession(start=start if start is not None else position(), mine=mine)
    return TableApp(session, preferences=Preferences(Settings(**chosen)))


CAMPED = [
    {"name": "Ann", "at": [0, 0], "backpack": {"consumable": 3}, "camp": {"state": "packed", "items": {"rope": 1}}},
    {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 2}},
]


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize(
    ("setting", "start", "keys"),
    [
        (texts.END_TURN, position, "e"),
        (texts.PLACE, position, ("x", "enter")),
        (texts.WALK, lambda: corridor(9), ("n", "enter")),
        (texts.FORCE, position, ("m", "force")),
        (texts.ABANDON, lambda: position(teams=CAMPED), "b"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
async def test_final_actions_need_confirmation_if_configured(setting: Any, start: Any, keys: Any, asked: bool) -> None:
    app = table(start(), own={setting.name: asked})
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        for key in keys:
            if key == "force":
                menu = app.screen
                forced = next(n for n, entry in enumerate(menu.entry_list.entries) if entry.value.action.by == "force")
                menu.entry_list.mark(forced)
                key = "enter"
            await press(pilot, key)
        assert isinstance(app.screen, ChooserScreen) == asked
        last = app.session.acted[-1][1]["type"] if app.session.acted else ""
        assert (last in ("", "discover")) == asked, "nothing is done before the answer"


# The bell and the title


class Calls:
    """Notifications of an app."""

    def __init__(self, app: CaveApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bells = 0
        self.titles: list[str] = []
        monkeypatch.setattr(App, "bell", lambda _: self._bell())
        monkeypatch.setattr(
            "client.tui.terminal.TerminalWindow.set_terminal_title", lambda _, text: self.titles.append(text)
        )

    def _bell(self) -> None:
        self.bells += 1


class NoGames:
    """A launcher without games to resume."""

    @property
    def seats(self) -> Any:
        return self

    def last_game(self) -> tuple[()]:
        return ()


def cave(tmp_path: Path, preferences: Preferences | None = None, **chosen: Any) -> CaveApp:
    preferences = preferences or Preferences(Settings(**chosen))
    return CaveApp(Menu(), launcher=NoGames(), preferences=preferences, records=tmp_path)  # type: ignore[arg-type]


async def test_a_player_without_focus_is_notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = cave(tmp_path)
    calls = Calls(app, monkeypatch)
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(app.screen, MenuScreen))
        for wish, focus, rings in (
            ("never", None, 0),
            ("away", None, 1),  # a terminal without focus reports
            ("never", False, 0),
            ("away", False, 1),
            ("away", True, 0),
            ("always", True, 1),
            ("always", False, 1),
        ):
            app.preferences.change(bell=wish)
            calls.bells, calls.titles = 0, []
            if focus is not None:
                app.post_message(events.AppFocus() if focus else events.AppBlur())
                await pilot.pause()
            app.post_message(TableScreen.Turn(mine=True, new=True))
            await pilot.pause()
            assert calls.bells == rings, (wish, focus)
            assert calls.titles == (["Cave"] if wish == "never" else ["* Cave: your turn"])
            app.post_message(TableScreen.Turn(mine=False, new=False))
            await pilot.pause()
            assert calls.bells == rings, (wish, focus)
            assert calls.titles[-1] == "Cave"


async def test_a_turn_is_announced_once_at_its_start_and_once_at_its_end() -> None:
    told: list[tuple[bool, bool]] = []

    class Listening(TableApp):
        def on_table_screen_turn(self, event: TableScreen.Turn) -> None:
            told.append((event.mine, event.new))

    app = Listening(FakeSession(start=packed()))
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        assert told == [(True, False)]  # the user is here already: no bell
        await press(pilot, "m", "1")
        assert told == [(True, False)]
        await press(pilot, "e", "e")
        assert told == [(True, False), (False, False)]
        app.session.play(1, app.session.game.decode(app.session.full, 1, {"type": "end_turn"}))
        await settle(pilot)
        assert told == [(True, False), (False, False), (True, True)]


# The palette and the settings screen


async def test_a_setting_is_changed_from_the_palette(tmp_path: Path) -> None:
    app = cave(tmp_path)
    async with run(app, size=(80, 24)) as pilot:
        await pilot.press("ctrl+p", *"colours: nord")
        await pilot.until(lambda: "Colours: nord" in text(app.screen))
        await pilot.press("enter")  # into the field
        await pilot.press("enter")  # does it
        assert app.preferences.now.theme == "nord"
        assert app.theme == "nord"


async def test_the_palette_uses_the_terminals_glyphs(tmp_path: Path) -> None:
    app = CaveApp(
        Menu(),
        launcher=NoGames(),  # type: ignore[arg-type]
        preferences=Preferences(),
        records=tmp_path,
        glyphs="ascii",
    )
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("ctrl+p")
        await pilot.until(lambda: "Settings" in text(app.screen))
        assert isinstance(app.screen, Palette)
        assert text(app.screen).isascii()
        await pilot.press(*"zzqq")
        await pilot.until(lambda: "No matches found" in text(app.screen))
        assert text(app.screen).isascii()


async def test_themes_are_previewed_in_the_list(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    app = cave(tmp_path, theme="cave-dark")
    async with run(app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("s")
        await pilot.until(lambda: isinstance(app.screen, SettingsScreen))
        app.screen.query_one("#theme").focus()
        for theme in ("cave-light", "cave-colour-blind", "cave-high-contrast"):
            await pilot.press("right")
            assert app.theme == theme
        await pilot.press("escape")
        await pilot.until(lambda: isinstance(app.screen, MenuScreen))


async def test_problems_of_the_file_are_shown_at_the_start(tmp_path: Path) -> None:
    preferences = Preferences(Settings(keys={"game.discover": "m"}), problems=["The file is odd."])
    app = cave(tmp_path, preferences)
    async with run(app, size=(80, 24)) as pilot:
        await pilot.pause()
        shown = notices(app)
        assert "The file is odd." in shown
        assert any("The key m does two things" in sentence for sentence in shown)


async def test_no_animation_over_ssh_unless_configured(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
    for wish, level in (("auto", "none"), ("on", "full"), ("off", "none")):
        app = cave(tmp_path, animations=wish)
        async with run(app, size=(80, 24)):
            assert app.animation_level == level
            assert asdict(app.preferences.now)["animations"] == wish
            assert "Play now" in text(app.screen)
