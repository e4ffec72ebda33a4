"""The reference for the map's figures: an app with one Static, on a terminal that counts bytes."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Static


class CountingDriver(HeadlessDriver):
    """A terminal that only counts the bytes written to it."""

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        self.bytes = 0

    @property
    def is_headless(self) -> bool:
        """No: so that the app writes ANSI as for a terminal."""
        return False

    def write(self, data: str) -> None:
        self.bytes += len(data.encode())


class Measured(App[None]):
    """An app on a counting terminal, or another one; ``telling`` is the text that shows when it is ready."""

    telling = ""

    def __init__(self, driver_class: type[Driver] = CountingDriver) -> None:
        super().__init__(driver_class=driver_class)


class Bare(Measured):
    """The reference: one Static."""

    telling = "hello"

    def compose(self) -> ComposeResult:
        yield Static("hello", id="hello")
