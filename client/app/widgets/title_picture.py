"""The picture behind the menu, drawn in a thread: the menu is there first, and no key waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from textual import work
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget

from client.tui.themes import paints

Window = tuple[int, int, str]
"""Columns, rows and the light of a picture."""
Strips = tuple[Strip, ...]
KEPT = 3


def light_of(theme: Theme) -> str:
    """The light of the picture; empty where colours are few, or are to be few."""
    if not paints(theme):
        return ""
    return "lamp" if theme.dark else "day"


class TitlePictures:
    """The last few pictures: a menu that opens again has its own at once."""

    def __init__(self) -> None:
        self._kept: dict[Window, Strips] = {}

    def get(self, window: Window) -> Strips | None:
        """The picture for a window, if it has been drawn."""
        return self._kept.get(window)

    def draw(self, window: Window, wanted: Callable[[], bool]) -> None:
        """Draw a picture, and stop when it is not ``wanted`` any more. Takes some tenths of a second."""
        # Here they are loaded beside the event loop, too.
        from client.app import title
        from client.tui.paint.canvas import segments
        from client.tui.paint.pixels import cells

        width, height, light = window
        image = []
        for row in title.picture(width, height, title.LIGHTS[light]):
            if not wanted():
                return
            image.append(row)
        self._kept[window] = tuple(Strip(segments(row), width) for row in cells(image))
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


class TitlePicture(Widget, can_focus=False):
    """Shows nothing until its picture has been drawn."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "TitlePicture { width: 100%; height: 100%; }"

    def __init__(self, pictures: TitlePictures) -> None:
        super().__init__()
        self._pictures = pictures
        self._seen = self._drawing = False
        self._shown: Strips = ()

    def on_mount(self) -> None:
        """Begin when the menu can be seen."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._seen = True
        self._look()

    def on_resize(self) -> None:
        """Another window needs another picture."""
        self._look()

    def notify_style_update(self) -> None:
        """So does another theme."""
        super().notify_style_update()
        self._look()

    def _wanted(self) -> Window | None:
        light = light_of(self.app.current_theme)
        return (self.size.width, self.size.height, light) if light else None

    def _look(self) -> None:
        """Show the picture of this window, once there is one."""
        if not self._seen:
            return
        wanted = self._wanted()
        self._shown = self._pictures.get(wanted) or () if wanted else ()
        self.refresh()
        if wanted and not self._shown and not self._drawing:
            self._drawing = True
            self._draw()

    @work
    async def _draw(self) -> None:
        """One at a time, and the next where another window is wanted by then."""
        while (window := self._wanted()) and not self._pictures.get(window):
            wanted = partial(self._wants, window)
            await asyncio.to_thread(self._pictures.draw, window, wanted)
        self._drawing = False
        self._look()

    def _wants(self, window: Window) -> bool:
        return self.is_attached and self._wanted() == window

    def render_line(self, y: int) -> Strip:
        """A row of the picture."""
        width = self.size.width
        if y >= len(self._shown):
            return Strip.blank(width, self.rich_style)
        return self._shown[y].adjust_cell_length(width, self.rich_style)
