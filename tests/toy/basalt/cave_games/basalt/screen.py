"""Basalt on the screen: a board of hexes that grows, scrolls and zooms, and a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from cave.game import Refused
from client.face import LETTERS, Face
from client.present.scene import Scene
from client.table import Session
from client.tui import table, text_roles
from client.tui.board.geometry import Bounds, HexGrid, Place, hex_outline
from client.tui.board.view import Block, BoardView
from client.tui.controller import Controller, Do
from client.tui.table import TableScreen
from client.tui.widgets.bottom_rows import Hint
from client.tui.widgets.panel import Panel, Row, Span, seat_role
from client.tui.widgets.panes import LogPane

from .rules import Put, State, brings, check, free

GRIDS = {"L": HexGrid(6, 3, 4), "S": HexGrid(3, 1, 2)}
KEYS: list[BindingType] = [
    *(
        Binding(str(key), f"do('take:{key}')", f"Take column {key} in hand", id=f"basalt.take_{key}")
        for key in (1, 2, 3)
    ),
    Binding("enter", "do('enter')", "Put it on the hex", id="basalt.enter"),
    Binding("c", "do('cover')", "Show or cover the hand", id="basalt.cover"),
    Binding("v", "do('jump')", "Jump to a letter", id="basalt.jump"),
]
BINDINGS: list[BindingType] = [*table.BINDINGS, *KEYS]
HINTS = (
    Hint("1-3", "Column", ""),
    Hint("enter", "Put it", "enter"),
    Hint("c", "Cover", "cover"),
    Hint("v", "Jump", "jump"),
    Hint("o", "Log", "log"),
    Hint("?", "Help", "help"),
    Hint("q", "Quit", "quit"),
)


class Board(BoardView):
    """The columns on their hexes, and the free ones beside them."""

    ZOOMS: ClassVar[tuple[str, ...]] = tuple(GRIDS)
    state: State | None = None
    height = 0
    """Of the column in hand; its gain is shown on free hexes."""

    @property
    def bounds(self) -> Bounds:
        """Return the first and the last hexes: with free ones all around."""
        state = self.state
        xs, ys = zip(*([(0, 0)] if state is None else free(state)), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def geometry_at(self, zoom: str) -> HexGrid:
        return GRIDS[zoom]

    def show_state(self, state: State, height: int) -> None:
        """Show the board for the player with this column in hand."""
        if (state, height) != (self.state, self.height):
            self.state, self.height = state, height
            self.bounds_changed()
            self.forget()

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        """Return a hex: a column in the colour of its owner, or the gain of a column there."""
        state = self.state
        text, hue = "", text_roles.Hue()
        column = next((each for each in state.board if each.at == at), None)
        if column is not None:
            text, hue = str(column.height), text_roles.SEATS[seat_role(column.seat)]
        elif at in free(state):
            text, hue = f"+{brings(state, self.height, at)}" if self.height else ".", text_roles.PANELS["slot"]
        if at == self.cursor:
            hue = text_roles.Hue("key", bold=True, reverse=True)
        look = self.rich_style + text_roles.style(self.app, hue)
        widths = [len(row) for row in hex_outline(GRIDS[self.zoom])]
        block = [[Segment(" " * width, look)] for width in widths]
        if not is_cut:
            middle = len(block) // 2
            block[middle] = [Segment(text.center(widths[middle]), look)]
        return block


class Hand(Panel):
    """The points of all players, and the columns of the shown seat."""

    now: tuple[Scene, int, bool] | None = None

    def show(self, now: Scene, held: int, *, known: bool) -> None:
        self.now = (now, held, known)
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        if self.now is None:
            return []
        now, held, known = self.now
        players = now.view.cave.players
        scores = [
            Span(f" {LETTERS[seat]} {name} {players[seat].points} ", seat_role(seat))
            for seat, name in enumerate(now.view.names)
        ]
        hand = players[now.seat].hand
        columns = [
            Span(f"[{height}]" if known else "[?]", "chosen" if number == held else "text", f"take:{place}")
            for place, (number, height) in enumerate(hand.items(), 1)
        ]
        left = Span(f" {len(now.view.cave.bag)} in the bag", "dim")
        return [scores, [*columns, left]]


class BasaltController(Controller[Scene]):
    screen: BasaltScreen

    def __init__(self, screen: BasaltScreen) -> None:
        super().__init__(screen)
        self._place = 0
        """Of the column in hand, in the hand."""

    @property
    def held(self) -> int:
        """The number of the column in hand."""
        found: int = [*self.scene.view.cave.players[self.scene.seat].hand][self._place]
        return found

    @property
    def known(self) -> bool:
        """Whether the hand is shown."""
        return self.scene.over or self.scene.view.viewer == self.scene.seat

    def doings(self) -> Mapping[str, Do]:
        return {**super().doings(), "take": self._take, "enter": self._enter}

    def plays(self, word: str) -> bool:
        return super().plays(word) or word == "enter"

    def jump_places(self) -> Iterable[Place]:
        return free(self.scene.view.cave)

    def point_at(self, at: Any) -> None:
        self.screen.board.move_cursor((at[0], at[1]))

    def _take(self, key: str) -> None:
        self._place = int(key) - 1
        self.screen.paint()

    def _enter(self) -> None:
        now, action = self.scene, Put(self.held, self.screen.board.cursor)
        if not now.can_act:
            self.say(self.why_not_now("enter"))
            return
        try:
            check(now.view.cave, now.seat, action)
        except Refused as no:
            self.say(no.message)
        else:
            self.send(now.seat, now.state.game.action_json(action))


class BasaltScreen(TableScreen[Scene]):
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    CSS = "#hand { height: 2; } #board { height: 3fr; }"
    controller: BasaltController

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = BasaltController(self)

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def compose(self) -> ComposeResult:
        yield Board(id="board")
        yield Hand(id="hand")
        yield LogPane(line=self.line, id="log")
        yield from self.foot()

    def show_board(self, *, moved: bool) -> None:
        now, held = self.scene, self.controller.held
        known = self.controller.known
        height = now.view.cave.players[now.seat].drawn[held] if known and now.can_act else 0
        self.board.show_state(now.view.cave, height)
        self.board.labels = self.controller.labels
        self.query_one(Hand).show(now, held, known=known)

    def hints(self) -> Sequence[Hint]:
        return HINTS

    def on_board_view_place_clicked(self, event: Board.PlaceClicked) -> None:
        """Put the column on the hex of a second click."""
        if event.again:
            self.controller.do("enter")
