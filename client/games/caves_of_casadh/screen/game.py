"""The screens of The Caves of Casadh: their panes, and how they follow the table or a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from client.face import Face
from client.games.caves_of_casadh.board.hex_map import HexMap
from client.games.caves_of_casadh.board.picture import picture
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.games.caves_of_casadh.screen import keys
from client.games.caves_of_casadh.screen.arrangement import LEAST, arrange
from client.games.caves_of_casadh.screen.controller import CasadhController, waiting
from client.games.caves_of_casadh.screen.falling import Falling
from client.games.caves_of_casadh.screen.panes import Header, Side, Tasks
from client.present.cells import Box
from client.table import Session
from client.tui.table import TableScreen
from client.tui.themes import lights
from client.tui.widgets.hints import Hint
from client.tui.widgets.log import LogPane
from client.tui.widgets.panes import TablePanes

COVERED = frozenset({"log", "tasks"})
"""The panes over which messages may lie."""


class CasadhScreen(TableScreen[CasadhScene]):
    """A table that one plays at or watches."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = keys.REPLAYING
    controller: CasadhController

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = CasadhController(self)
        self.falling = Falling(self)
        self.panes = TablePanes(self, self._arranged, COVERED)

    def compose(self) -> ComposeResult:
        """Make all panes; where they lie is a matter of the size."""
        glyphs, line = self.glyphs, self.line
        yield Header(glyphs=glyphs, id="header")
        light = lights(self.app, self.preferences.now.light)
        yield HexMap(glyphs=glyphs, light=light, zoom=self.preferences.now.zoom, id="map")
        yield Side(glyphs=glyphs, line=line, id="side")
        yield Tasks(glyphs=glyphs, line=line, id="tasks")
        yield LogPane(line=line, id="log")
        yield from self.foot()

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        return arrange(width, height, replay=self.replays)

    @property
    def board(self) -> HexMap:
        """The map."""
        return self.query_one("#map", HexMap)

    def show_board(self, *, moved: bool) -> None:
        """Bring the panes up to date; each paints only what changed."""
        now, play = self.scene, self.controller
        self.board.picture = picture(now, play.turned)
        self.board.labels = play.labels
        header = self.query_one("#header", Header)
        header.address = self.address or now.state.address
        header.show(now)
        tasks = self.query_one("#tasks", Tasks)
        tasks.chosen, tasks.named = play.held, play.named
        tasks.note = waiting(now) if now.mode == "waiting" else ""
        tasks.show(now)
        self.show_here()
        if moved:
            self.falling.follow(now)

    def just_happened(self) -> str:
        """Tell what fell as the last turn ended: whoever rolled is still there."""
        return self.falling.take()

    def show_here(self) -> None:
        """Show what there is to say about the hex under the cursor."""
        side = self.query_one("#side", Side)
        shares = self.scene.state.hot_seat
        side.cover_key = self.key_words.key_of("cover", self.keymap) if shares else ""
        side.cursor = self.controller.cursor
        side.rotation = self.controller.turned or 0
        side.picture = self.board.picture
        side.show(self.scene)

    def hints(self) -> Sequence[Hint]:
        """Give the keys of the moment."""
        return keys.hints(self.scene)

    def on_screen_resume(self) -> None:
        """Come back from the settings, maybe with other ones."""
        if self.is_mounted:
            self.board.light = lights(self.app, self.preferences.now.light)

    def on_board_view_cursor_moved(self, event: HexMap.CursorMoved) -> None:
        """Tell about the hex that the cursor has come to."""
        event.stop()
        self.show_here()

    def on_board_view_place_clicked(self, event: HexMap.PlaceClicked) -> None:
        """Point at a place, or act there."""
        event.stop()
        self.controller.click(again=event.again)
