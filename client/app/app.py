"""The app: opens one screen after the other, and leaves cleanly. What is on them is theirs."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from textual import work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.scrollbar import ScrollBar

from cave.game import BadData
from client import games, system
from client.app.bindings import APP_BINDINGS
from client.app.messages import SettingChanged
from client.app.reception import TROUBLE, Reception
from client.app.screens.moment import GivenUp, MomentScreen
from client.launch import new_game
from client.launch.launcher import Launcher, Played
from client.launch.opening import (
    WHOSE,
    ChooseSettings,
    GoOn,
    HowToPlay,
    LocalGame,
    Menu,
    NewGame,
    Opening,
    QuickGame,
    Rematch,
    ReplayFile,
    Resumed,
    Visit,
    back,
)
from client.settings.appearance import DEFAULT_THEME, chosen_glyphs, chosen_theme
from client.settings.schema import Preferences, Setting, Value
from client.trouble import trouble
from client.tui import breakpoints
from client.tui.covering import CoveringApp
from client.tui.motion import far_away, level_for
from client.tui.scrollbar import WholeCells
from client.tui.themes import ThemedApp
from client.tui.window import TITLE, YOUR_TURN, Window

if TYPE_CHECKING:
    from textual.driver import Driver

    from client.app.widgets.host_list import Browse
    from client.app.widgets.title_picture import TitlePictures
    from client.tui.table import TableScreen

LAST_RESORT = 2.0  # seconds
PATIENCE = 15.0  # seconds that a problem of the settings stays
ScrollBar.renderer = WholeCells


def _settings_commands() -> type[Any]:
    """The palette's lines, imported when the palette opens."""
    from client.app.settings_commands import SettingsCommands

    return SettingsCommands


class CaveApp(CoveringApp):
    """Follows an opening to the next until there is none.

    ``browse`` finds the hosts of the local network; ``warning`` is told at the start. After it has run,
    ``failure`` holds the sentence that ended it, if something did, and ``farewell`` what there is to say
    of the game that was left.
    """

    # With the sheet of the game screen: one that a screen brings makes the library read all anew.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "../tui/table.tcss"]
    TITLE = "The Cave"
    HORIZONTAL_BREAKPOINTS = breakpoints.HORIZONTAL
    VERTICAL_BREAKPOINTS = breakpoints.VERTICAL
    COMMANDS: ClassVar[set[Any]] = ThemedApp.COMMANDS | {_settings_commands}
    BINDINGS: ClassVar[list[BindingType]] = APP_BINDINGS

    def __init__(
        self,
        opening: Opening,
        *,
        launcher: Launcher,
        preferences: Preferences,
        records: Path,
        glyphs: str = "unicode",
        theme: str = DEFAULT_THEME,
        version: str = "",
        warning: str = "",
        browse: Browse | None = None,
    ) -> None:
        self._window = Window()
        self._moment = MomentScreen()
        super().__init__(theme)
        self._opening = opening
        self._launcher = launcher
        self.preferences = preferences
        self._reception = Reception(
            launcher,
            preferences,
            show=self.push_screen_wait,
            wait=self._moment.wait_for,
            remember=self._remember,
            browse=browse,
            glyphs=lambda: self._glyphs,
        )
        self._focus_is_told = False
        self._records = records
        self._pictures: TitlePictures | None = None
        self._glyphs = glyphs
        self._version = version
        self._warning = warning
        self._told_not_kept = bool(warning)
        self.failure = ""
        self.farewell = ""
        self.set_class(glyphs == "ascii", "-ascii")

    def get_driver_class(self) -> type[Driver]:
        """The usual driver, with a title."""
        return self._window.driver(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        """What is seen before the first screen opens, and between two of them."""
        return self._moment

    def on_mount(self) -> None:
        """Begin."""
        system.on_signals(asyncio.get_running_loop(), self._told_to_stop)
        self._use_settings()
        self._course()

    def _told_to_stop(self, number: int) -> None:
        self.run_worker(self._stop(number), name="stop")

    async def _stop(self, number: int) -> None:
        """Keep the game first: where the terminal is gone, closing the screens may never end."""
        self.farewell = await self._launcher.leave()
        # With the terminal gone the library may wait for ever for its last words to be read.
        patience = LAST_RESORT if number == system.HANGUP else 2 * LAST_RESORT
        last_resort = threading.Timer(patience, os._exit, (0,))
        last_resort.daemon = True
        last_resort.start()
        self.exit()

    def _handle_exception(self, error: Exception) -> None:
        """A screen that opens while the program ends gets no widgets any more, and looks for them in vain."""
        if self.is_running or not isinstance(error, NoMatches):
            super()._handle_exception(error)

    def _use_settings(self) -> None:
        """What the settings say of the app itself, at the start."""
        now = self.preferences.now
        self._animate_or_not()
        problems = list(self.preferences.problems)
        if now.keys:
            from client.app.catalogue import catalogue

            self.set_keymap(now.keys)
            problems += catalogue().clashes(now.keys)
        for problem in problems:
            self.notify(problem, title="Settings", severity="warning", timeout=PATIENCE, markup=False)
        if self._warning and isinstance(self._opening, Menu) and not self._opening.message:
            self._opening = Menu(self._warning, wrong=True)  # There it covers nothing.
        elif self._warning:
            self.notify(self._warning, severity="warning", markup=False)

    def _animate_or_not(self) -> None:
        wish = self.preferences.now.animations
        self.is_far_away = far_away(os.environ)
        self.animation_level = "none" if wish == "off" or (wish == "auto" and self.is_far_away) else "full"
        self._move_or_not()

    def _move_or_not(self) -> None:
        self.motion.level = level_for(
            self.preferences.now.motion,
            os.environ,
            colours=None if self.current_theme.ansi else self.console.color_system,
            glyphs=self._glyphs,
            animations=self.animation_level,
        )

    def on_setting_changed(self, event: SettingChanged) -> None:
        """Another setting holds at once."""
        self._use(event.name)

    def choose(self, setting: Setting, value: Value) -> None:
        """Give a setting another value, from the palette."""
        problem = self.preferences.set(setting, value)
        if problem:
            self.notify(problem, severity="warning", markup=False)
        self._use(setting.name)

    def _use(self, name: str) -> None:
        now = self.preferences.now
        if name == "theme":
            self.theme = chosen_theme(now.theme, os.environ, told=True)
            self._move_or_not()
        elif name == "animations":
            self._animate_or_not()
        elif name == "motion":
            self._move_or_not()
        elif name == "keys":
            self.set_keymap(dict(now.keys))
        elif name == "glyphs":
            # While an app runs, sys.stdout is the library's, and has no encoding.
            encoding = sys.__stdout__.encoding if sys.__stdout__ is not None else ""
            self._glyphs = chosen_glyphs(now.glyphs, os.environ, encoding)
            self._move_or_not()
            self.set_class(self._glyphs == "ascii", "-ascii")

    def action_command_palette(self) -> None:
        """The palette in the signs that were chosen."""
        from client.tui.palette import Palette

        if not any(isinstance(screen, Palette) for screen in self.screen_stack):
            self.push_screen(Palette())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette has on every screen."""
        yield SystemCommand("Quit", "leave the program; the game is saved", self.action_quit)

    def open_settings(self) -> None:
        """The screen of all settings."""
        from client.app.catalogue import catalogue
        from client.app.screens.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen(self.preferences, catalogue(), glyphs=self._glyphs))

    # ------------------------------------------------------------ calling the person

    def on_app_focus(self) -> None:
        """The terminal tells when somebody looks at it."""
        self._focus_is_told = True

    def on_app_blur(self) -> None:
        """The terminal tells when nobody looks at it."""
        self._focus_is_told = True

    def on_table_screen_turn(self, event: TableScreen.Turn) -> None:
        """A bell and a mark in the title call whoever looks elsewhere."""
        wish = self.preferences.now.bell
        self._window.title(YOUR_TURN if event.mine and wish != "never" else TITLE)
        # A terminal that has told nothing may well be out of sight.
        away = not self.app_focus or not self._focus_is_told
        if event.mine and event.new and (wish == "always" or (wish == "away" and away)):
            self.bell()

    def on_table_screen_settings_wanted(self) -> None:
        """A table asks for the settings."""
        self.open_settings()

    def on_table_screen_remember(self, event: TableScreen.Remember) -> None:
        """Remember what a game wants to offer again."""
        action = event.face.remembered(event.action)
        if action is not None:
            self._remember(memory={**self.preferences.now.memory, event.face.name: action})

    def _remember(self, **changes: Any) -> None:
        """Keep what nobody has asked to be kept; that it cannot be is told once."""
        problem = self.preferences.change(**changes)
        if problem and not self._told_not_kept:
            self._told_not_kept = True
            self.notify(problem, severity="warning", markup=False)

    # ------------------------------------------------------------ one opening after the other

    @work
    async def _course(self) -> None:
        direct = not isinstance(self._opening, Menu)
        opening: Opening | None = self._opening
        while opening is not None:
            try:
                opening = await self._follow(opening)
                direct = direct and isinstance(opening, LocalGame)
            except GivenUp:
                direct = False
                opening = back(await self._launcher.leave())
            except TROUBLE as error:
                words = trouble(error)
                if direct:
                    self.failure = words
                    break
                await self._launcher.leave()
                opening = Menu(words, wrong=True)
        self.exit()

    async def _follow(self, opening: Opening) -> Opening | None:
        wait = self._moment.wait_for
        match opening:
            case Menu(message, wrong):
                from client.app.screens.menu import MenuScreen

                last = self._launcher.last_game()
                pictures = self.pictures
                menu = MenuScreen(
                    message,
                    wrong=wrong,
                    glyphs=self._glyphs,
                    version=self._version,
                    last=last,
                    pictures=pictures,
                )
                if pictures is not None:
                    self._moment.lie_on(pictures)
                return await self.push_screen_wait(menu)
            case HowToPlay():
                from client.tui.screens.help import HelpScreen

                game = await self._reception.game()
                if game is not None:
                    await self.push_screen_wait(
                        HelpScreen(games.get(game), glyphs=self._glyphs, topic="how to play")
                    )
                return Menu()
            case ChooseSettings():
                from client.app.catalogue import catalogue
                from client.app.screens.settings import SettingsScreen

                await self.push_screen_wait(
                    SettingsScreen(self.preferences, catalogue(), glyphs=self._glyphs)
                )
                return Menu()
            case NewGame():
                from client.app.screens.new_game import NewGameScreen

                form = NewGameScreen(self.preferences.now.called, glyphs=self._glyphs)
                return await self.push_screen_wait(form)
            case QuickGame():
                return await self._quick(opening)
            case LocalGame(plan):
                return await self._play(await wait(self._launcher.play(plan)), plan=plan)
            case Rematch():
                return await self._play(await wait(self._launcher.rematch()))
            case Resumed():
                return await self._resume(opening)
            case GoOn(table):
                return await self._resume(await wait(self._launcher.find(table)))
            case Visit(follow=follow):
                played = await self._reception.visit(opening)
                return Menu() if played is None else await self._play(played, follow)
            case ReplayFile(path):
                return await self._replay(path)

    async def _resume(self, wanted: Resumed) -> Opening | None:
        """Go on with a game; where several terminals left seats there, ask for whom."""
        if len(wanted.free) > 1:
            from client.tui.screens.chooser import ChooserScreen, Entry

            entries = [Entry(" and ".join(held.people), held) for held in wanted.free]
            line = "-" if self._glyphs == "ascii" else "─"
            held = await self.push_screen_wait(ChooserScreen(WHOSE, entries, line=line))
            if held is None:
                return Menu()
            wanted = wanted.taking_up(held)
        way = partial(self._launcher.resume, wanted)
        return await self._play(await self._reception.back_to(wanted.table, way))

    @property
    def pictures(self) -> TitlePictures | None:
        """The pictures behind what comes before a game, if they can be shown here."""
        from client.app.widgets.title_picture import TitlePictures, light_of

        if self._glyphs == "ascii" or not light_of(self.current_theme):
            return None
        self._pictures = self._pictures or TitlePictures()
        return self._pictures

    async def _quick(self, quick: QuickGame) -> Opening:
        game = quick.game or await self._reception.game()
        if game is None:
            return Menu()
        quick = msgspec.structs.replace(quick, game=game)
        if not quick.needs_name and not self.preferences.now.called:
            return LocalGame(quick.plan())
        name = await self._reception.name()
        return Menu() if name is None else LocalGame(quick.plan(name))

    async def _play(
        self, played: Played, follow: bool = False, plan: new_game.GamePlan | None = None
    ) -> Opening | None:
        """Show a table until it is left; ``plan`` is that of a local game."""
        session = played.session
        then = "play"
        if session.state.waits_for:
            from client.app.screens.lobby import LobbyScreen

            then = await self.push_screen_wait(LobbyScreen(session, address=played.address))
        if then == "play":
            face = games.get(session.state.game.name)
            screen = face.screen()(
                face,
                session,
                glyphs=self._glyphs,
                record_path=played.record_path,
                remembered=face.recall(self.preferences.now.memory),
                address=played.address,
                follow=follow,
                saved=played.saved,
                preferences=self.preferences,
            )
            left = self.push_screen(screen, wait_for_dismiss=True)
            if plan is not None:
                # Once the board is there: nobody waits for the disk.
                named = self.preferences.now.playing_as(plan.named)
                screen.call_after_refresh(self._remember, played_as=named)
            then = await left
            self._window.title(TITLE)
        if then == "quit":
            return None
        if then == "rematch":
            # A game of this keyboard gets a host of its own; others can come to the one they know only.
            if plan is not None and not plan.open_seats:
                return LocalGame(msgspec.structs.replace(plan, seed=""))
            return Rematch()
        return back(await self._launcher.leave())

    async def _replay(self, path: Path | None) -> Opening | None:
        from client.replay.session import ReplaySession, read

        direct, message = path is not None, ""
        wait = self._moment.wait_for
        played = await wait(asyncio.to_thread(read, path)) if path is not None else None
        while path is None or played is None:
            path = await self._which_record(message)
            if path is None:
                return Menu()
            try:
                # A long game takes a while to be played through.
                played = await wait(asyncio.to_thread(read, path))
            except BadData as error:
                message = trouble(error)
        session = ReplaySession(played, games.get(played.game.name), f"Replay of {path.name}")
        screen = games.get(played.game.name).replay_screen()(
            session.face,
            session,
            glyphs=self._glyphs,
            record_path=str(path),
            preferences=self.preferences,
        )
        then = await self.push_screen_wait(screen)
        return None if direct or then == "quit" else Menu()

    async def _which_record(self, message: str) -> Path | None:
        from client.app.screens.records import RecordsScreen
        from client.replay import records

        return await self.push_screen_wait(
            RecordsScreen(lambda: records.files(self._records), message=message)
        )
