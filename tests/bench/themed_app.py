"""Shared by the apps with a single board, which are compared with ``bare_app``."""

from __future__ import annotations

from textual.driver import Driver
from textual.screen import Screen

from client.tui.terminal import TerminalWindow
from client.tui.themes import ThemedApp
from client.tui.widgets.panel import AlikeLines
from tests.bench.bare_app import Measured


class Ground(Screen[None], AlikeLines):
    """Draws its empty ground like a table's screen."""

    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library


class Themed(Measured, ThemedApp[None]):
    def __init__(self, driver_class: type[Driver]) -> None:
        super().__init__(TerminalWindow().filtering_driver(driver_class))

    def get_default_screen(self) -> Screen[None]:
        return Ground()
