"""The app: opens one screen after the other, and leaves cleanly. What is on them is theirs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from cave.game import BadData
from client.launch import Launcher, Played
from client.looks import DEFAULT_THEME
from client.present import packing, setup
from client.present.opening import (
    GoOn,
    LocalGame,
    Menu,
    NewGame,
    Opening,
    QuickGame,
    Rematch,
    ReplayFile,
    Resumed,
    TableChoice,
    Visit,
    own_table,
)
from client.settings import Settings
from client.table_state import Rejected
from client.tui.screens.too_small import TooSmallScreen, too_small
from client.tui.themes import ThemedApp

if TYPE_CHECKING:
    from client.tui.widgets.host_list import Browse

LAST_RESORT = 2.0  # seconds
TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)


class CaveApp(ThemedApp[None]):
    """Follows an opening to the next until there is none.

    ``browse`` finds the hosts of the local network. After it has run, ``failure`` holds the sentence
    that ended it, if something did, and ``farewell`` what there is to say of the game that was left.
    """

    CSS_PATH = "app.tcss"
    TITLE = "The Cave"
    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [  # noqa: RUF012
        (0, "-narrow"),
        (80, "-normal"),
        (100, "-wide"),
        (140, "-vast"),
    ]
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [  # noqa: RUF012
        (0, "-short"),
        (24, "-low"),
        (30, "-middle"),
        (45, "-high"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "Quit", priority=True, show=False, system=True),
    ]

    def __init__(
        self,
        opening: Opening,
        *,
        launcher: Launcher,
        settings: Settings,
        save: Callable[[Settings], object],
        records: Path,
        glyphs: str = "unicode",
        theme: str = DEFAULT_THEME,
        version: str = "",
        browse: Browse | None = None,
    ) -> None:
        super().__init__(theme)
        self._browse = browse
        self._opening = opening
        self._launcher = launcher
        self._settings = settings
        self._save = save
        self._records = records
        self._glyphs = glyphs
        self._version = version
        self.failure = ""
        self.farewell = ""
        self.set_class(glyphs == "ascii", "-ascii")

    def compose(self) -> ComposeResult:
        """What is seen for the moment before the first screen opens."""
        yield Static("One moment ...", id="moment")

    def on_mount(self) -> None:
        """Begin."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Only the main thread may have signal handlers; in tests that is not always so.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._told_to_stop, number)
        self.screen_change_signal.subscribe(self, self._changed_screen)
        self._cover(*self.size)
        self._course()

    def _told_to_stop(self, number: signal.Signals) -> None:
        self.run_worker(self._stop(number), name="stop")

    async def _stop(self, number: signal.Signals) -> None:
        """Keep the game first: where the terminal is gone, closing the screens may never end."""
        self.farewell = await self._launcher.leave()
        # With the terminal gone the library may wait for ever for its last words to be read.
        patience = LAST_RESORT if number == signal.SIGHUP else 2 * LAST_RESORT
        last_resort = threading.Timer(patience, os._exit, (0,))
        last_resort.daemon = True
        last_resort.start()
        self.exit()

    def on_resize(self, event: events.Resize) -> None:
        """Cover everything while the terminal is too small."""
        self._cover(*event.size)

    def _changed_screen(self, _screen: Screen[Any]) -> None:
        self._cover(*self.size)

    def _cover(self, width: int, height: int) -> None:
        """Keep the notice on top while it is needed; a covered one goes away by itself."""
        on_top = self.screen
        if too_small(width, height):
            if isinstance(on_top, TooSmallScreen):
                on_top.show(width, height)
            else:
                self.push_screen(TooSmallScreen(width, height))
        elif isinstance(on_top, TooSmallScreen):
            self.pop_screen()

    def on_packing_screen_packed(self, event: object) -> None:
        """Remember the pack for ``same as last trip``."""
        action = packing.remembered(getattr(event, "action", None))
        if action is not None:
            self._remember(last_pack=action)

    def _remember(self, **changes: Any) -> None:
        self._settings = attrs.evolve(self._settings, **changes)
        self._save(self._settings)

    # ------------------------------------------------------------ one opening after the other

    @work
    async def _course(self) -> None:
        direct = not isinstance(self._opening, Menu)
        opening: Opening | None = self._opening
        while opening is not None:
            try:
                opening = await self._follow(opening)
                direct = direct and isinstance(opening, LocalGame)
            except TROUBLE as error:
                words = trouble(error)
                if direct:
                    self.failure = words
                    break
                opening = Menu(words)
        self.exit()

    async def _follow(self, opening: Opening) -> Opening | None:
        match opening:
            case Menu(message):
                from client.tui.screens.menu import MenuScreen

                last = self._launcher.last_game()
                menu = MenuScreen(message, glyphs=self._glyphs, version=self._version, last=last)
                return await self.push_screen_wait(menu)
            case NewGame():
                from client.tui.screens.new_game import NewGameScreen

                form = NewGameScreen(name=self._settings.name, glyphs=self._glyphs)
                return await self.push_screen_wait(form)
            case QuickGame():
                return await self._quick(opening)
            case LocalGame(plan):
                if plan.people:
                    self._remember(name=plan.people[0])
                return await self._play(await self._launcher.play(plan), plan=plan)
            case Rematch():
                return await self._play(await self._launcher.rematch())
            case Resumed():
                return await self._play(await self._launcher.resume(opening))
            case GoOn(table):
                return await self._play(await self._launcher.go_on(table))
            case Visit():
                return await self._visit(opening)
            case ReplayFile(path):
                return await self._replay(path)

    async def _quick(self, quick: QuickGame) -> Opening:
        name: str | None = self._settings.name
        if not name:
            from client.tui.screens.menu import NameScreen

            name = await self.push_screen_wait(NameScreen())
        if name is None:
            return Menu()
        return LocalGame(
            setup.plan(
                [name],
                quick.bots,
                quick.open_seats,
                quick.settings,
                quick.seed,
                quick.position,
                quick.absence,
            )
        )

    async def _visit(self, visit: Visit) -> Opening | None:
        from client.tui.screens.join import JoinScreen

        if visit.address:
            # Whoever named a host hears at once when it is not there, and is spared a list of one.
            tables = await self._launcher.tables(visit.address)
            lines = setup.table_lines(tables, self._launcher.held())
            own = own_table(visit, lines)
            if own is not None:
                return await self._sit(TableChoice(visit.address, own.table, (), held=True))
            free = [line for line in lines if visit.watching or len(visit.names) <= line.open_seats]
            asked = not visit.watching and any(line.mine for line in lines)
            if len(free) == 1 and not asked and (visit.watching or visit.names):
                return await self._sit(TableChoice(visit.address, free[0].table, visit.names), visit.follow)
        names = visit.names or ((self._settings.name,) if self._settings.name else ())
        choice = await self.push_screen_wait(
            JoinScreen(
                self._launcher.tables,
                held=self._launcher.held,
                address=visit.address or self._settings.address,
                names=names,
                watching=visit.watching,
                browse=None if visit.address else self._browse,
            )
        )
        if choice is None:
            await self._launcher.leave()
            return Menu()
        return await self._sit(choice, visit.follow)

    async def _sit(self, choice: TableChoice, follow: bool = False) -> Opening | None:
        self._remember(address=choice.address, **({"name": choice.names[0]} if choice.names else {}))
        if choice.held:
            return await self._play(await self._launcher.take_up(choice.address, choice.table))
        played = await self._launcher.join(choice.address, choice.table, choice.names)
        return await self._play(played, follow)

    async def _play(
        self, played: Played, follow: bool = False, plan: setup.GamePlan | None = None
    ) -> Opening | None:
        """Show a table until it is left; ``plan`` is that of a local game."""
        from client.tui.screens.game import GameScreen

        session = played.session
        then = "play"
        if session.state.status == "waiting" and any(seat.kind == "open" for seat in session.state.seats):
            from client.tui.screens.lobby import LobbyScreen

            then = await self.push_screen_wait(LobbyScreen(session, address=played.address))
        if then == "play":
            then = await self.push_screen_wait(
                GameScreen(
                    session,
                    glyphs=self._glyphs,
                    record_path=played.record_path,
                    last_pack=self._settings.last_pack,
                    address=played.address,
                    follow=follow,
                )
            )
        if then == "quit":
            return None
        if then == "rematch":
            # A game of this keyboard gets a host of its own; others can come to the one they know only.
            if plan is not None and not plan.open_seats:
                return LocalGame(attrs.evolve(plan, seed=""))
            return Rematch()
        return Menu(await self._launcher.leave())

    async def _replay(self, path: Path | None) -> Opening | None:
        from client import replay
        from client.tui.screens.records import RecordsScreen, kept
        from client.tui.screens.replay import ReplayScreen

        direct = path is not None
        if path is None:
            path = await self.push_screen_wait(RecordsScreen(kept(self._records)))
            if path is None:
                return Menu()
        # A long game takes a while to be played through.
        played = await asyncio.to_thread(replay.read, path)
        session = replay.ReplaySession(played, f"Replay of {path.name}")
        screen = ReplayScreen(session, glyphs=self._glyphs, record_path=str(path))
        then = await self.push_screen_wait(screen)
        return None if direct or then == "quit" else Menu()


def trouble(error: Exception) -> str:
    """One sentence for a person."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}."
    return str(error) or "Something went wrong; please try again."
