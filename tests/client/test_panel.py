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


class Cards(Lines):
    """Two cards in one pane, and room for one row more."""

    DEFAULT_CSS = f"Cards {{ width: {WIDTH}; height: 6; border-left: none; padding-top: 0; }}"

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [self.heading("Pack", width), [Span("rope")], [], self.heading("Camp", width), [Span("food")]]


class CardsApp(ThemedApp[None]):
    def compose(self) -> ComposeResult:
        yield Cards(line=self.line)

    line = "─"


def night(pane: Panel) -> list[int]:
    """The rows of which the lower half is dark."""
    return [y for y in range(pane.size.height) if pane.render_line(y).text == "▄" * WIDTH]


async def test_above_a_heading_and_below_a_card_there_is_half_a_row_of_air_where_a_row_is_free() -> None:
    app = CardsApp()
    async with run(app, size=(40, 10)) as pilot:
        await settle(pilot)
        pane = app.query_one(Cards)
        assert night(pane) == [2, 5]
        dark = app.theme_variables["background"].lower()
        assert {segment.style.color.triplet.hex for segment in pane.render_line(2)} == {dark}
        pane.cover(1)
        assert night(pane) == [2], "what a message covers is no card's end"
        pane.cover(0)
        assert night(pane) == [2, 5]
        app.theme = "cave-high-contrast"
        await settle(pilot)
        assert night(pane) == [], "there the night is as dark as the card"
    app = CardsApp()
    app.line = "-"
    async with run(app, size=(40, 10)) as pilot:
        await settle(pilot)
        assert night(app.query_one(Cards)) == [], "in ASCII no half is to be had"


async def test_a_pane_without_headings_has_no_air() -> None:
    app = LinesApp()
    async with run(app, size=(40, 10)) as pilot:
        await settle(pilot)
        assert night(app.query_one(Lines)) == []
