"""The screen of Sir Ocelot's Cave: its panes, and how they follow the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from client.face import Face
from client.games.sir_ocelots_cave import picture, words
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.screen import keys
from client.games.sir_ocelots_cave.screen.board import BoardPane
from client.games.sir_ocelots_cave.screen.controller import OcelotController
from client.games.sir_ocelots_cave.screen.here import HerePane
from client.games.sir_ocelots_cave.screen.measures import LEAST, arrange
from client.games.sir_ocelots_cave.screen.panes import GemPane, Header, Players, Worth
from client.present.cells import Box
from client.table import Session
from client.tui.table import TableScreen
from client.tui.themes import lights
from client.tui.widgets.hints import Hint
from client.tui.widgets.log import LogPane
from client.tui.widgets.panes import TablePanes

COVERED = frozenset({"log", "here", "controls"})
"""The panes over which messages may lie."""


class OcelotScreen(TableScreen[OcelotScene]):
    """A table that one plays at or watches."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = keys.REPLAYING
    controller: OcelotController

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = OcelotController(self)
        self.panes = TablePanes(self, self._arranged, COVERED)

    def compose(self) -> ComposeResult:
        """Make all panes; where they lie is a matter of the size."""
        glyphs, line = self.glyphs, self.line
        light = lights(self.app, self.preferences.now.light)
        yield Header(id="header")
        yield BoardPane(glyphs=glyphs, light=light, id="board")
        yield Worth(glyphs=glyphs, light=light, id="worth")
        yield Players(glyphs=glyphs, light=light, id="players")
        yield HerePane(line=line, id="here")
        yield LogPane(line=line, id="log")
        yield from self.foot()

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        return arrange(width, height, replay=self.replays)

    @property
    def board(self) -> BoardPane:
        """The board."""
        return self.query_one("#board", BoardPane)

    def show_board(self, *, moved: bool) -> None:
        """Bring the panes up to date; each paints only what changed."""
        now, play = self.scene, self.controller
        held = play.hand
        self.board.picture = picture.board(now, play.cursor, held, play.left_out)
        self.board.labels = play.labels
        self.query_one("#here", HerePane).show(words.here(now, play.cursor, held, play.left_out))
        self.query_one("#header", Header).show(now, self.address or now.state.address)
        note = f"({self.key_words.key_of('cover', self.keymap)})" if now.shares_keyboard else ""
        self.query_one("#players", Players).show(words.players(now), note)

    def hints(self) -> Sequence[Hint]:
        """Give the keys of the moment."""
        return keys.hints(self.scene)

    def on_screen_resume(self) -> None:
        """Come back from the settings, maybe with other ones."""
        if self.is_mounted:
            light = lights(self.app, self.preferences.now.light)
            if light != self.board.light:
                self.board.light = light
                for pane in self.query(GemPane):
                    pane.set_light(light)

    def on_board_view_place_clicked(self, event: BoardPane.PlaceClicked) -> None:
        """Point at a place, or act there."""
        event.stop()
        self.controller.click(event.at, again=event.again)
