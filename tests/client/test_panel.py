"""What a pane paints again when its lines change: those, whole, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from textual._compositor import ChopsUpdate
from textual.app import ComposeResult
from textual.screen import Screen

from client.face import LETTERS
from client.tui.roles import PANELS
from client.tui.themes import ThemedApp
from client.tui.widgets.panel import Panel, Row, Span, seat_role
from tests.client.pilot import run, settle

WIDTH = 12


class Lines(Panel):
    """A pane of given lines, with a frame at its left as the log has it."""

    DEFAULT_CSS = f"Lines {{ width: {WIDTH}; height: 3; border-left: vkey white; padding-top: 1; }}"
    lines: tuple[str, ...] = ("one", "two")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(line)] for line in self.lines]


class LinesApp(ThemedApp[None]):
    """Remembers which cells were painted again."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[tuple[int, int, int]] = []

    def compose(self) -> ComposeResult:
        yield Lines()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, ChopsUpdate):
            self.painted += renderable.spans
        super()._display(screen, renderable)


async def test_of_a_framed_pane_the_changed_line_is_painted_from_its_first_cell_to_its_last() -> None:
    app = LinesApp()
    async with run(app, size=(40, 10)) as pilot:
        await settle(pilot)
        app.painted.clear()
        pane = app.query_one(Lines)
        pane.lines = ("one", "TWO")
        pane.refill()
        await settle(pilot)
        assert app.painted == [(2, 1, WIDTH)]


def test_every_seat_has_a_look() -> None:
    assert {seat_role(seat) for seat in (None, *range(len(LETTERS)))} <= PANELS.keys()
