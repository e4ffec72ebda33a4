"""The app: opens one screen after another, and exits cleanly."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events, work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.events import CursorPosition, ScreenResume
from textual.screen import Screen
from textual.scrollbar import ScrollBar

from client import system
from client.app.key_bindings import APP_BINDINGS, SettingChanged
from client.app.screen_flow import ScreenFlow
from client.app.screens.moment import MomentScreen
from client.app.sounds import Sounds
from client.launch.launcher import Launcher
from client.launch.opening import Menu, Opening
from client.settings.appearance import DEFAULT_THEME, chosen_glyphs, chosen_theme
from client.settings.schema import Preferences, Setting, Value
from client.tui import window_size
from client.tui.keymap import OTHER_LAYOUT, of_another_layout
from client.tui.motion import far_away, level_for
from client.tui.terminal import TITLE, YOUR_TURN
from client.tui.themes import ThemedApp
from client.tui.widgets.panel import WholeCells
from client.tui.window_size import CoveringApp

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.driver import Driver

    from client.app.host_list import Browse
    from client.tui.table import TableScreen
    from client.tui.title_picture import TitlePictures

SLOW = 0.5  # seconds for the first frame of a table
PATIENCE = 15.0  # seconds that a problem with the settings is shown
NO_SHELL = "No shell started this program, so it cannot be suspended."
ScrollBar.renderer = WholeCells


def _load_settings_commands() -> type[Any]:
    """Return the palette's commands, imported when the palette opens."""
    from client.app.screens.settings import SettingsCommands

    return SettingsCommands


class CaveApp(CoveringApp):
    """The Textual app, from an opening until the user quits.

    ``browse`` finds the hosts of the local network; ``warning`` appears at the start. After the run,
    ``failure`` is the message of a fatal error, ``farewell`` a note about the game that the user left, and
    ``crashed`` is set after an unexpected error.
    """

    # Loaded with the game screen's stylesheet: one for a single screen makes Textual parse all of them again.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "../tui/table.tcss"]
    TITLE = "The Cave"
    HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
    VERTICAL_BREAKPOINTS = window_size.VERTICAL
    COMMANDS: ClassVar[set[Any]] = ThemedApp.COMMANDS | {_load_settings_commands}
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
        self._moment = MomentScreen()
        self._sounds = Sounds(self)
        super().__init__(theme)
        self._opening = opening
        self._launcher = launcher
        self.preferences = preferences
        self._going = ScreenFlow(self, launcher, self._moment, records=records, version=version, browse=browse)
        self._focus_is_told = False
        self._line: Literal["unknown", "asked", "fast", "slow"] = "unknown"
        self._pictures: TitlePictures | None = None
        self.glyphs = glyphs
        self._warning = warning
        self._told_not_kept = bool(warning)
        self.failure = ""
        self.farewell = ""
        self._panicked = False
        self.set_class(glyphs == "ascii", "-ascii")

    def get_driver_class(self) -> type[Driver]:
        """Return the usual driver, with an input filter and a title."""
        return self.window.filtering_driver(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        """Return the screen shown before the first opening and between two of them."""
        return self._moment

    def on_mount(self) -> None:
        system.on_signals(asyncio.get_running_loop(), self._on_stop_signal)
        self._use_settings()
        self._run_course()

    def _on_stop_signal(self, _number: int) -> None:
        if self.is_running:
            self.run_worker(self._save_and_stop(), name="stop")

    async def _save_and_stop(self) -> None:
        """Save the game first: if the terminal is gone, closing the screens may never end."""
        self.farewell = await self._launcher.leave()
        self.exit()

    def action_suspend_process(self) -> None:
        """Return to the shell. Without one nothing could resume the program."""
        if system.can_rest():
            super().action_suspend_process()
        else:
            self.notify(NO_SHELL, severity="warning", markup=False)

    def panic(self, *renderables: RenderableType) -> None:
        """Show an error and exit. Textual's input thread calls this, and leaves its own status at 0."""
        self._panicked = True
        super().panic(*renderables)

    @property
    def crashed(self) -> bool:
        """Whether an unexpected error ended the program."""
        return self._panicked or bool(self.return_code)

    def on_resize(self, _event: events.Resize) -> None:
        """Redraw everything: the terminal may have moved its lines."""
        self.window.forget()

    def _use_settings(self) -> None:
        now = self.preferences.now
        self._apply_animation()
        problems = list(self.preferences.problems)
        if now.keys:
            from client.app.game_key_bindings import key_list

            self.set_keymap(now.keys)
            problems += key_list().key_clashes(now.keys)
        for problem in problems:
            self.notify(problem, title="Settings", severity="warning", timeout=PATIENCE, markup=False)
        if self._warning and isinstance(self._opening, Menu) and not self._opening.message:
            self._opening = Menu(self._warning, wrong=True)  # it covers nothing there
        elif self._warning:
            self.notify(self._warning, severity="warning", markup=False)

    def _apply_animation(self) -> None:
        wish = self.preferences.now.animations
        self.is_far_away = far_away(os.environ) or self._line == "slow"
        self.animation_level = "none" if wish == "off" or (wish == "auto" and self.is_far_away) else "full"
        self._apply_motion()

    def _apply_motion(self) -> None:
        self.motion.level = level_for(
            self.preferences.now.motion,
            os.environ,
            colours=None if self.current_theme.ansi else self.console.color_system,
            glyphs=self.glyphs,
            animations=self.animation_level,
        )

    def on_setting_changed(self, event: SettingChanged) -> None:
        self._use_setting(event.name)

    def choose_setting(self, setting: Setting, value: Value) -> None:
        problem = self.preferences.set(setting, value)
        if problem:
            self.notify(problem, severity="warning", markup=False)
        self._use_setting(setting.name)

    def _use_setting(self, name: str) -> None:
        now = self.preferences.now
        if name == "theme":
            self.theme = chosen_theme(now.theme, os.environ, told=True)
            self._apply_motion()
        elif name == "animations":
            self._apply_animation()
        elif name == "motion":
            self._apply_motion()
        elif name == "keys":
            self.set_keymap(dict(now.keys))
        elif name == "glyphs":
            # While an app runs, Textual replaces sys.stdout, which then has no encoding.
            encoding = sys.__stdout__.encoding if sys.__stdout__ is not None else ""
            self.glyphs = chosen_glyphs(now.glyphs, os.environ, encoding)
            self._apply_motion()
            self.set_class(self.glyphs == "ascii", "-ascii")

    def action_command_palette(self) -> None:
        """Open the palette, drawn with the chosen glyphs."""
        from client.tui.command_palette import Palette

        if not any(isinstance(screen, Palette) for screen in self.screen_stack):
            self.push_screen(Palette())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        quitting = f"leave the program{self.what_stays(self.screen_stack)}"
        yield SystemCommand("Quit", quitting, self.action_quit)

    def open_settings(self) -> None:
        from client.app.game_key_bindings import key_list
        from client.app.screens.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen(self.preferences, key_list(), glyphs=self.glyphs))

    def on_key(self, event: events.Key) -> None:
        if not event.key.isascii() and of_another_layout(event, self.screen):
            self.clear_notifications()
            self.notify(OTHER_LAYOUT, severity="warning", markup=False)

    # ------------------------------------------------------------ notifications

    def on_app_focus(self) -> None:
        self._focus_is_told = True

    def on_app_blur(self) -> None:
        self._focus_is_told = True

    def on_table_screen_turn(self, event: TableScreen.Turn) -> None:
        """Notify the player of their turn: ring the bell, mark the title."""
        wish = self.preferences.now.bell
        self.window.set_terminal_title(YOUR_TURN if event.mine and wish != "never" else TITLE)
        # Without focus reports, assume that the terminal is hidden.
        away = not self.app_focus or not self._focus_is_told
        if event.mine and event.new:
            now = self.preferences.now
            if away:
                self._notify_terminal(event.words)
            # Run the command only once.
            told = away and now.notify == now.sound == "command"
            if not told and (wish == "always" or (wish == "away" and away)):
                self._sounds.make("turn", now)
        if self._line == "unknown":
            self._line = "asked"
            self.call_after_refresh(self.window.ask_for_cursor)

    def _notify_terminal(self, words: str) -> None:
        now = self.preferences.now
        if now.notify == "command":
            self._sounds.run(now, "turn", words)
        elif now.notify != "off":
            self.window.notify(words, osc777=now.notify == "osc777")

    def on_table_screen_sounded(self, event: TableScreen.Sounded) -> None:
        if self.preferences.now.sound != "off":
            self._sounds.make(event.sound, self.preferences.now)

    def on_unmount(self) -> None:
        self._sounds.stop()

    def on_cursor_position(self, event: CursorPosition) -> None:
        """Turn off the light of boards if the first frame of a table took too long."""
        if self._line == "asked":
            self._line = "slow" if self.window.answer_delay(event) > SLOW else "fast"
            if self._line == "slow":
                self._apply_animation()
                self.screen.post_message(ScreenResume())

    def on_table_screen_settings_wanted(self) -> None:
        self.open_settings()

    def on_table_screen_remember(self, event: TableScreen.Remember) -> None:
        """Save an action, to offer it again in the next game."""
        action = event.face.remembered(event.action)
        if action is not None:
            self.remember(memory={**self.preferences.now.memory, event.face.name: action})

    def remember(self, **changes: Any) -> None:
        """Save values in the background; report only the first failure."""
        problem = self.preferences.change(**changes)
        if problem and not self._told_not_kept:
            self._told_not_kept = True
            self.notify(problem, severity="warning", markup=False)

    # ------------------------------------------------------------ one opening after the other

    @work
    async def _run_course(self) -> None:
        self.failure = await self._going.run(self._opening)
        self.exit()

    def table_left(self) -> None:
        """Stop notifying for the table."""
        self.window.set_terminal_title(TITLE)

    @property
    def pictures(self) -> TitlePictures | None:
        """The pictures behind the screens before a game, if this terminal can show them."""
        from client.tui.title_picture import TitlePictures, light_of

        if self.glyphs == "ascii" or not light_of(self):
            return None
        self._pictures = self._pictures or TitlePictures()
        return self._pictures
