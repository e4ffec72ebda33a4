"""The screen between two others, while a table is opened or left."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from client.tui.widgets.panel import AlikeLines

if TYPE_CHECKING:
    from client.tui.title_picture import TitlePictures

Found = TypeVar("Found")
WAIT = "One moment ..."
FLASH = 0.1  # seconds before the notice to wait appears: a shorter one would only flicker


class GivenUp(Exception):
    """The user cancelled the wait."""


class MomentScreen(Screen[None], AlikeLines):
    """The screen below all others. Slow tasks can be cancelled here."""

    AUTO_FOCUS = ""
    # This screen needs no size classes, and setting them would style and draw it again.
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "Give up", id="moment.give_up")]

    def __init__(self) -> None:
        super().__init__()
        self._work: asyncio.Task[Any] | None = None
        self._words = WAIT

    def show_picture_behind(self, pictures: TitlePictures) -> None:
        """Show the dimmed picture from now on, also below dialogs over this screen."""
        from client.tui.title_picture import Backdrop

        if not self.query(Backdrop):
            self.add_class("-painted")
            self.mount(Backdrop(pictures), before=0)

    async def wait_for(self, work: Coroutine[Any, Any, Found]) -> Found:
        """Wait for the result of the work; raises GivenUp if the user cancels it, once it has stopped."""
        waiting: asyncio.Task[Found] = asyncio.create_task(work)
        self._work = waiting
        telling = self.set_timer(FLASH, self._show_words)
        self.refresh_bindings()
        try:
            return await waiting
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # the whole app is ending
            raise GivenUp from None
        finally:
            telling.stop()
            self._work = None
            self.say(WAIT)
            self.refresh_bindings()

    def say(self, words: str) -> None:
        self._words = words
        for line in self.query("#moment").results(Static):
            line.update(words)

    async def _show_words(self) -> None:
        # Textual refuses a new widget while the app ends.
        if self.is_attached and not self.query("#moment"):
            from client.tui.widgets.clickable_text import HintBar, KeyHint

            hints = HintBar(KeyHint("moment.give_up", "Give up"), id="hints")
            await self.mount(Static(self._words, id="moment", markup=False), hints)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the action is possible: cancel needs a task that the user waits for."""
        return action != "give_up" or self._work is not None

    def action_give_up(self) -> None:
        if self._work is not None:
            self._work.cancel()
