"""The board on the screen: what is painted, or drawn in signs, and what the mouse does there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from cave.codec import Place
from client.games.sir_ocelots_cave import picture
from client.games.sir_ocelots_cave.screen import signs
from client.games.sir_ocelots_cave.screen.looks import ROLES
from client.games.sir_ocelots_cave.screen.measures import (
    ACROSS,
    DOWN,
    PITCHES,
    Pitch,
    coordinates,
    level_names,
    origin,
    pitch_for,
)
from client.games.sir_ocelots_cave.screen.painter import Painter
from client.tui.paint import tiers
from client.tui.paint.canvas import segments
from client.tui.paint.colour import rgb
from client.tui.roles import Hue
from client.tui.themes import shows_pictures, tier
from client.tui.widgets.panel import Panel, Row, Span


class BoardPane(Panel):
    """The three caves with their rim. Set ``light`` off to have them in signs."""

    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    class Clicked(Message):
        """A place was clicked."""

        def __init__(self, at: Place) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, glyphs: str, light: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"
        self._fine = glyphs == "fine"
        self.light = light
        self._board = picture.Board()
        self._painter: Painter | None = None

    @property
    def shown(self) -> picture.Board:
        """What is shown."""
        return self._board

    def show(self, board: picture.Board) -> None:
        """Set what is shown."""
        self._board = board
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """The board in the middle of the pane."""
        if not self._board.squares or not height:
            return []
        painter = self._painter_now()
        if painter is None:
            return self._drawn(width, height)
        canvas = painter.paint(self._board, width, height, pitch_for(width, height))
        glyphs: tiers.Glyphs = "fine" if self._fine else "unicode"
        return [
            [Span(tiers.drawn(text, glyphs), look=look) for text, look, _ in segments(row, painter.tier.pair)]
            for row in canvas.rows
        ]

    def _painter_now(self) -> Painter | None:
        app = self.app
        if not (self.light and self._glyphs == "unicode" and shows_pictures(app)):
            return None
        found = app.theme_variables
        seats = tuple((rgb(found[f"seat-{each}"]), rgb(found[f"seat-{each}-letter"])) for each in (1, 2))
        made = Painter(tier(app), self._glyphs, seats, dark=app.current_theme.dark)
        if self._painter is None or self._painter.made_for != made.made_for:
            self._painter = made
        return self._painter

    def _drawn(self, width: int, height: int) -> list[Row]:
        """In signs: each place has four columns and one row, with air between them where there is room."""
        wide, high = pitch_for(width, height)
        x0, y0 = origin(width, height, (wide, high))
        grid: list[list[signs.Sign]] = [[signs.Sign(" ", "text")] * width for _ in range(height)]
        for at, found in signs.places(self._board, self._glyphs):
            y = y0 + at[1] * high + high // 2
            x = x0 + at[0] * wide + (wide - PITCHES[-1][0]) // 2
            for column, sign in enumerate(found):
                if 0 <= y < height and 0 <= x + column < width:
                    grid[y][x + column] = sign
        pitch = (wide, high)
        for labels, role in ((level_names, "title"), (coordinates, "dim")):
            for x, y, text in labels(width, height, pitch):
                for column, glyph in enumerate(text, x):
                    if 0 <= y < height and column < width:
                        grid[y][column] = signs.Sign(glyph, role)
        return [_joined(row) for row in grid]

    def place_at(self, x: int, y: int) -> Place | None:
        """The place under a cell of the pane."""
        width, height = self.content_size
        pitch: Pitch = pitch_for(width, height)
        x0, y0 = origin(width, height, pitch)
        at = ((x - x0) // pitch[0], (y - y0) // pitch[1])
        known = at in self._board.squares or at in self._board.rim
        return at if known and 0 <= at[0] < ACROSS and 0 <= at[1] < DOWN else None

    def cell_of(self, at: Place) -> tuple[int, int]:
        """The cell in the middle of a place."""
        width, height = self.content_size
        pitch = pitch_for(width, height)
        x0, y0 = origin(width, height, pitch)
        return x0 + at[0] * pitch[0] + pitch[0] // 2, y0 + at[1] * pitch[1] + pitch[1] // 2

    def on_click(self, event: events.Click) -> None:
        """Tell which place was clicked."""
        offset = event.get_content_offset(self)
        at = self.place_at(*offset) if offset is not None else None
        if at is not None:
            event.stop()
            self.post_message(self.Clicked(at))


def _joined(row: Sequence[signs.Sign]) -> Row:
    """Signs of one role as one piece."""
    spans: list[Span] = []
    for glyph, role in row:
        if spans and spans[-1].role == role:
            spans[-1] = Span(spans[-1].text + glyph, role)
        else:
            spans.append(Span(glyph, role))
    return spans
