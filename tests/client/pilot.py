"""Drives an app in a test, and continues as soon as it has settled.

Textual's own pilot waits for an idle CPU, which is slow, and unreliable on a busy machine. This one asks the
event loop: an app has settled when no task is ready to run and nothing is left to draw.

A screen is drawn when a test reads it and at the end of the test; in walks by keys whenever it has settled.
Textual draws it after each change of its layout and 60 times a second, which took a third of a test's time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakSet

from rich.color import ColorSystem
from textual import events, keys, pilot
from textual.app import App, ReturnType, ScreenStackError
from textual.screen import Screen
from textual.strip import Strip

from client.tui.chooser import ChooserScreen

QUIET = 2
"""Consecutive rounds without activity before an app counts as settled."""
TICK = 0.005
"""Seconds between two checks of a thread, a timer or another process."""
AppT = TypeVar("AppT", bound=App[Any])
DRIVEN: WeakSet[App[Any]] = WeakSet()
"""The apps that are drawn only when they have settled."""
UNDRAWN: WeakSet[Screen[Any]] = WeakSet()
"""Their screens that have changed since."""


def give_colours(app: App[Any], colours: ColorSystem = ColorSystem.TRUECOLOR) -> None:
    """Set the number of an app's colours, which it would otherwise read from the environment, once."""
    app.console._color_system = colours


def strips(screen: Screen[Any]) -> list[Strip]:
    """The lines of a screen. The only use of Textual's internals in tests."""
    return screen._compositor.render_strips()


def notices(app: App[Any]) -> list[str]:
    """The texts of the visible notifications."""
    return [each.message for each in app._notifications]


class Pilot(pilot.Pilot[ReturnType]):
    """Independent of time: after a key or a click it waits until the app has settled."""

    draws = False
    """Whether to draw every settled screen; otherwise only the screens that a test reads."""

    async def press(self, *names: str) -> None:
        """Press keys one by one, each after the effect of the previous."""
        for name in names:
            self.send(name)
            await self.pause()

    async def press_at_once(self, *names: str) -> None:
        """Press keys without waiting for their effects."""
        for name in names:
            self.send(name)
        await self.pause()

    def send(self, name: str) -> None:
        """Press a key, and return at once."""
        driver = self.app._driver
        event = key(name)
        event.set_sender(self.app)
        driver.send_message(event)

    async def pause(self) -> None:  # type: ignore[override]
        """Wait until the app has settled. Workers waiting for something else may still run."""
        quiet = 0
        while quiet < QUIET:
            await asyncio.sleep(0)
            if others_are_ready():
                quiet = 0
                continue
            await self.app.animator.wait_until_complete()
            try:
                screen = self.app.screen
            except ScreenStackError:  # the app has ended
                return
            # Do at once what Textual delays by a fraction of a second.
            self.app._check_resize()
            screen._on_timer_update()
            quiet += 1
            if self.draws and quiet == QUIET and not others_are_ready():
                draw(screen)
                if others_are_ready():
                    quiet = 0

    async def settle(self) -> None:
        """Wait until the app has settled and no worker runs, including new ones."""
        await self.pause()
        while any(not worker.is_finished for worker in self.app.workers):
            await self.app.workers.wait_for_complete()
            await self.pause()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for the effect of a thread, a timer or another process."""
        await self.pause()
        while not holds():
            await asyncio.sleep(TICK)
            await self.pause()


@asynccontextmanager
async def run(
    app: App[ReturnType], size: tuple[int, int], *, notifications: bool = False, draws: bool = False
) -> AsyncIterator[Pilot[ReturnType]]:
    """Run an app without a terminal, like Textual's ``run_test``, and draw each settled screen or only the last."""
    DRIVEN.add(app)
    async with app.run_test(size=size, notifications=notifications):
        pilot = Pilot(app)
        pilot.draws = draws
        await pilot.pause()
        yield pilot
        if app.is_running:
            draw(app.screen)


@asynccontextmanager
async def opened(app: AppT, size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[AppT, Pilot[Any]]]:
    """Run an app created for this, and yield it with its pilot."""
    async with run(app, size) as pilot:
        yield app, pilot


@asynccontextmanager
async def showing(app: App[Any], kind: type[Screen[Any]]) -> AsyncIterator[Pilot[Any]]:
    """Run an app up to a screen of this kind."""
    async with run(app, (80, 24)) as pilot:
        await until(pilot, kind)
        yield pilot


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until everything has settled."""
    await pilot.settle()


async def press(pilot: Pilot[Any], *names: str) -> None:
    """Press keys one by one, each after everything has settled."""
    for name in names:
        await pilot.press(name)
        await pilot.settle()


async def until(pilot: Pilot[Any], kind: type[Screen[Any]]) -> None:
    await pilot.until(lambda: isinstance(pilot.app.screen, kind))


async def play_now(pilot: Pilot[Any], line: int = 0) -> None:
    """Start the game in this line of the list from the menu, against the level shown there first."""
    await pilot.press("p")
    await until(pilot, ChooserScreen)
    games = pilot.app.screen
    now = pilot.app.preferences.now
    # A game that is new to the user offers its lesson first.
    new = games.entry_list.entries[line].value not in {*now.lessons, *now.levels, *now.won}
    await pilot.press("home", *["down"] * line, "enter")
    if new:
        await pilot.until(lambda: pilot.app.screen is not games and isinstance(pilot.app.screen, ChooserScreen))
        await pilot.press("2")


def key(name: str) -> events.Key:
    """A key that is pressed, with the character it types, if any."""
    if len(name) == 1 and not name.isalnum():
        name = keys._character_to_key(name)
    return events.Key(name, keys.key_to_character(keys.REPLACED_KEYS.get(name, name)))


def others_are_ready() -> bool:
    """Whether another task of this event loop is ready to run."""
    return bool(asyncio.get_running_loop()._ready)  # type: ignore[attr-defined]


refresh = Screen._compositor_refresh


def refresh_later(screen: Screen[Any]) -> None:
    """Replaces Textual's own: draw the top screen when the app has settled."""
    app = screen.app
    if app in DRIVEN and screen is app.screen:
        screen._dirty_widgets.clear()
        UNDRAWN.add(screen)
        app._update_mouse_over(screen)
    else:
        refresh(screen)


def draw(screen: Screen[Any]) -> None:
    if screen in UNDRAWN and not screen.app._batch_count:
        UNDRAWN.remove(screen)
        refresh(screen)


Screen._compositor_refresh = refresh_later  # type: ignore[method-assign]
