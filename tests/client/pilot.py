"""Drive an app in a test, and go on as soon as it has nothing left to do.

Textual's own pilot waits until the processor rests, which takes long, and on a busy machine proves nothing.
This one asks the event loop: an app has settled when no task is ready to run and nothing is left to draw.

A screen is drawn once it has settled. Textual draws it after each change of its layout and 60 times a second
in between, which took a quarter of the time of a test and showed nobody anything.
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
"""Rounds in a row in which nothing happens before an app counts as settled."""
TICK = 0.005
"""Seconds between two looks at a thread, a timer or another process."""
AppT = TypeVar("AppT", bound=App[Any])
DRIVEN: WeakSet[App[Any]] = WeakSet()
"""The apps that are drawn only when they have settled."""
UNDRAWN: WeakSet[Screen[Any]] = WeakSet()
"""Their screens on which something has changed since."""


def give_colours(app: App[Any], colours: ColorSystem = ColorSystem.TRUECOLOR) -> None:
    """Let an app have a terminal of so many colours. It would else ask the environment, once and for all."""
    app.console._color_system = colours


def strips(screen: Screen[Any]) -> list[Strip]:
    """The lines of a screen. Here, in one place, is what tests need of Textual's inside."""
    return screen._compositor.render_strips()


def notices(app: App[Any]) -> list[str]:
    """The sentences of the notifications that are shown."""
    return [each.message for each in app._notifications]


class Pilot(pilot.Pilot[ReturnType]):
    """Measures no time: after a key or a click it waits until the app has settled."""

    draws = True
    """Whether what has settled is drawn: not where a test draws itself what it looks at."""

    async def press(self, *names: str) -> None:
        """Press keys one by one, each after the effect of the previous."""
        for name in names:
            self.send(name)
            await self.pause()

    async def press_at_once(self, *names: str) -> None:
        """Press keys faster than they are worked off."""
        for name in names:
            self.send(name)
        await self.pause()

    def send(self, name: str) -> None:
        """Press a key, and go on at once."""
        driver = self.app._driver
        event = key(name)
        event.set_sender(self.app)
        driver.send_message(event)

    async def pause(self) -> None:  # type: ignore[override]
        """Wait until the app has settled. Workers that wait for something else may still run."""
        quiet = 0
        while quiet < QUIET:
            await asyncio.sleep(0)
            if others_are_ready():
                quiet = 0
                continue
            await self.app.animator.wait_until_complete()
            try:
                screen = self.app.screen
            except ScreenStackError:  # The app is over.
                return
            # Do now what Textual puts off by a fraction of a second.
            self.app._check_resize()
            screen._on_timer_update()
            quiet += 1
            if self.draws and quiet == QUIET and not others_are_ready():
                draw(screen)
                if others_are_ready():
                    quiet = 0

    async def settle(self) -> None:
        """Wait until the app has settled and no worker runs, nor one that it has started meanwhile."""
        await self.pause()
        while any(not worker.is_finished for worker in self.app.workers):
            await self.app.workers.wait_for_complete()
            await self.pause()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something that a thread, a timer or another process brings about."""
        await self.pause()
        while not holds():
            await asyncio.sleep(TICK)
            await self.pause()


@asynccontextmanager
async def run(
    app: App[ReturnType], size: tuple[int, int], *, notifications: bool = False
) -> AsyncIterator[Pilot[ReturnType]]:
    """Run an app without a terminal, in place of Textual's ``run_test``."""
    DRIVEN.add(app)
    async with app.run_test(size=size, notifications=notifications):
        pilot = Pilot(app)
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def opened(app: AppT, size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[AppT, Pilot[Any]]]:
    """Run an app that was made for this, and give both it and its pilot."""
    async with run(app, size) as pilot:
        yield app, pilot


@asynccontextmanager
async def showing(app: App[Any], kind: type[Screen[Any]]) -> AsyncIterator[Pilot[Any]]:
    """Run an app up to a screen of this kind."""
    async with run(app, (80, 24)) as pilot:
        await until(pilot, kind)
        yield pilot


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until nothing is under way any more."""
    await pilot.settle()


async def press(pilot: Pilot[Any], *names: str) -> None:
    """Press keys one by one, each when nothing is under way any more."""
    for name in names:
        await pilot.press(name)
        await pilot.settle()


async def until(pilot: Pilot[Any], kind: type[Screen[Any]]) -> None:
    await pilot.until(lambda: isinstance(pilot.app.screen, kind))


async def play_now(pilot: Pilot[Any], line: int = 0) -> None:
    """From the menu into the game in this line of the list, against the level that stands there first."""
    await pilot.press("p")
    await until(pilot, ChooserScreen)
    games = pilot.app.screen
    now = pilot.app.preferences.now
    # A game that is new to the person offers its lesson first.
    new = games.menu.entries[line].value not in {*now.lessons, *now.levels, *now.won}
    await pilot.press("home", *["down"] * line, "enter")
    if new:
        await pilot.until(
            lambda: pilot.app.screen is not games and isinstance(pilot.app.screen, ChooserScreen)
        )
        await pilot.press("2")


def key(name: str) -> events.Key:
    """A key that is pressed, with the character it types, if any."""
    if len(name) == 1 and not name.isalnum():
        name = keys._character_to_key(name)
    return events.Key(name, keys.key_to_character(keys.REPLACED_KEYS.get(name, name)))


def others_are_ready() -> bool:
    """Whether a task of this event loop, other than the one that asks, has something to do."""
    return bool(asyncio.get_running_loop()._ready)  # type: ignore[attr-defined]


refresh = Screen._compositor_refresh


def refresh_later(screen: Screen[Any]) -> None:
    """In place of Textual's own: draw the screen in front when the app has settled."""
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
