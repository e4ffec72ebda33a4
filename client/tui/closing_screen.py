"""Screens that close only once, however often ``dismiss`` is called; tooltips for words of the rules."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.css.query import NoMatches
from textual.events import Event, MouseMove, ScreenResume
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import MountError, Widget
from textual.widgets import Static
from textual.worker import WorkType

from cave.game import AnyGame
from client.face import Face
from client.tui.widgets.panel import Panel


class Notice(ModalScreen[None]):
    """Covers the top screen; opens and closes automatically."""


class ClosingOnce(Screen[ScreenResultType]):
    """Closes only itself.

    A key that repeats, or a double click, may answer twice before the screen is gone, and another screen may
    cover it by then; Textual would then close the top one. Name this class after the other base of a class:
    style sheets follow the first one.
    """

    LEADS_OUT: ClassVar[bool] = False
    """Whether ``leave_to_menu`` closes it and everything above it, and opens the menu."""

    @property
    def saves_game(self) -> bool:
        """Whether it shows a game, which is saved."""
        return False

    @property
    def has_widgets(self) -> bool:
        """Whether it is on the stack of the running app. A screen that closes loses its widgets first."""
        return self.is_attached and self.app.is_running and self in self.app.screen_stack

    async def on_event(self, event: Event) -> None:
        """Ignore events that come while the screen closes, or opens as the program ends."""
        try:
            await super().on_event(event)
        except NoMatches:
            if self.has_widgets:
                raise

    @on(ScreenResume)
    def _style_once(self, event: ScreenResume) -> None:
        """Style the screen only once when it opens: Textual would do it twice."""
        if not self.stack_updates:
            event.refresh_styles = False
            self.app.stylesheet.apply(self)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Explain the word of the rules under the mouse. Only our own tooltip is shown."""
        widget = event.widget
        faces = (getattr(screen, "face", None) for screen in reversed(self.app.screen_stack))
        face = next((face for face in faces if isinstance(face, Face)), None)
        if face is not None and isinstance(widget, Panel | Static):
            said = _explain_clicked_word(face.game, widget, event)
            if said or widget.tooltip:
                widget.tooltip = Content(said) if said else None

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close with a result; does nothing if the screen is already closed, or another covers it."""
        stack = reversed(self.app.screen_stack)
        on_top = next((screen for screen in stack if not isinstance(screen, Notice)), None)
        return super().dismiss(result) if on_top is self else AwaitComplete()

    def close_with_screens_above(self, result: ScreenResultType) -> None:
        """Close this screen and all above it; does nothing if it is already closed."""
        stack = self.app.screen_stack
        if self not in stack:
            return
        for screen in stack[stack.index(self) + 1 :]:
            if not isinstance(screen, Notice):
                self.app.pop_screen()
        self.dismiss(result)

    def show_message(self, text: str, *, wrong: bool = False) -> None:
        message = self.query_one("#message", Static)
        message.set_class(wrong, "-wrong")
        message.update(text)

    def action_back(self) -> None:
        self.dismiss(None)

    def leave_to_menu(self) -> None:
        """Go to the menu, from a screen that leads out."""
        raise NotImplementedError


def while_shown(work: Callable[[], Awaitable[None]]) -> WorkType[None]:
    """Run work while it has widgets to show it in.

    A closed screen loses its widgets first, and none can be added while the program ends.

    For a worker, which makes the coroutine when it starts: if replaced before, there is none to await.
    """

    async def shown() -> None:
        with contextlib.suppress(NoMatches, MountError):
            await work()

    return shown


def _explain_clicked_word(game: AnyGame, widget: Widget, event: MouseMove) -> str:
    from cave.glossary import explain, find_words  # not needed before a word is pointed at

    offset = event.get_content_offset(widget)
    if offset is None:
        return ""
    line = widget.render_line(offset.y)
    at = len(line.crop(0, offset.x).text)
    return next((explain(game, name) for place, name in find_words(game, line.text) if at in place), "")
