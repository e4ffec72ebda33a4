"""Helpers for tests of screens: an app that shows one screen, and a check for truncated text."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from client.app.app import CaveApp
from client.tui.themes import ThemedApp
from client.tui.widgets.panel import Panel
from tests.client.pilot import Pilot, run, settle, strips

SMALL = (80, 24)
LARGE = (140, 45)
TABLE = (60, 15)
"""The least size of a table."""
LEAST = (40, 12)
"""The least size of any other screen."""
SIZES = (TABLE, SMALL, LARGE)

CSS = Path(sys.modules[CaveApp.__module__].__file__ or "").with_suffix(".tcss")


class OneScreen(ThemedApp[None]):
    """Shows one screen and keeps its result."""

    HORIZONTAL_BREAKPOINTS = CaveApp.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = CaveApp.VERTICAL_BREAKPOINTS
    CSS_PATH = CSS

    def __init__(self, shown: Screen[Any], *, ascii_only: bool = False) -> None:
        super().__init__()
        self.shown = shown
        self.results: list[Any] = []
        self.set_class(ascii_only, "-ascii")

    def on_mount(self) -> None:
        self.push_screen(self.shown, self.results.append)


@asynccontextmanager
async def show(
    screen: Screen[Any], size: tuple[int, int] = SMALL, *, ascii_only: bool = False
) -> AsyncIterator[tuple[OneScreen, Pilot[None]]]:
    """Run the screen in its own app."""
    app = OneScreen(screen, ascii_only=ascii_only)
    async with run(app, size=size) as pilot:
        await pilot.pause()
        yield app, pilot


@asynccontextmanager
async def answers(screen: Screen[Any], size: tuple[int, int] = SMALL) -> AsyncIterator[tuple[list[Any], Pilot[None]]]:
    """Run the screen in its own app, which stays open; yield its answers."""
    found: list[Any] = []
    screen.dismiss = found.append  # type: ignore[assignment]
    async with show(screen, size) as (_, pilot):
        yield found, pilot


async def click_word(pilot: Pilot[Any], word: str, pane: Panel | None = None) -> None:
    """Click the text that posts this word, in the pane or anywhere on the screen."""
    panes = [pane] if pane is not None else [*pilot.app.screen.query(Panel)]
    for each in panes:
        for y, row in enumerate(each.shown_rows):
            x = 0
            for span in row:
                if span.do == word:
                    await pilot.click(each, offset=(x + each.gutter.left, y + each.gutter.top))
                    await settle(pilot)
                    return
                x += len(span.text)
    raise AssertionError(f"nothing to click does {word!r}")


async def smaller(pilot: Pilot[Any], *sizes: tuple[int, int]) -> AsyncIterator[tuple[int, int]]:
    """Shrink the window step by step. The goldens are of screens opened at each size."""
    for size in sizes or (LARGE, SMALL, TABLE, LEAST):
        if pilot.app.size != size:
            await pilot.resize_terminal(*size)
        await pilot.pause()
        yield size


async def in_themes(pilot: Pilot[Any], *themes: str) -> AsyncIterator[str]:
    """Show the same in each theme."""
    for theme in themes:
        pilot.app.theme = theme
        await pilot.pause()
        yield theme


def cut_off(screen: Screen[Any]) -> list[str]:
    """The widgets that exceed the screen or their container."""
    found = []
    whole = screen.region
    for widget in screen.query("*"):
        if not widget.is_on_screen and not widget.region.area:
            continue
        inside_scroll = any(isinstance(each, ScrollableContainer) for each in widget.ancestors)
        if inside_scroll or not widget.visible or not all(each.display for each in widget.ancestors_with_self):
            continue
        if not whole.contains_region(widget.region):
            found.append(f"{widget!r} at {widget.region}")
            continue
        parent = widget.parent
        if parent is not None and not parent.region.contains_region(widget.region):  # type: ignore[union-attr]
            found.append(f"{widget!r} at {widget.region} in {parent!r}")
    return found


def rows_of(pane: Widget) -> list[str]:
    """Return the text of a pane inside its border."""
    inside = Region(pane.gutter.left, pane.gutter.top, *pane.content_size)
    return [strip.text for strip in pane.render_lines(inside)]


def text(screen: Screen[Any]) -> str:
    """Return the text of the screen, as plain rows."""
    rows = strips(screen)
    return "\n".join("".join(segment.text for segment in row) for row in rows)
