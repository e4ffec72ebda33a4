"""The screen of Cave vs Cave: its panes, and how they follow the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset

from client.face import Face
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.screen import keys
from client.games.cave_vs_cave.screen.arrangement import LEAST, Wanted, arrange
from client.games.cave_vs_cave.screen.cave_pane import CavePane
from client.games.cave_vs_cave.screen.controller import VersusController
from client.games.cave_vs_cave.screen.display import Display
from client.games.cave_vs_cave.screen.panes import GoodsPane, Header, VersusPanel
from client.games.cave_vs_cave.screen.tiles import Tiles, hand_rows, lists_tiles, tile_rows
from client.present.cells import Box
from client.table import Session
from client.tui.table import TableScreen
from client.tui.widgets.hints import Hint
from client.tui.widgets.log import LogPane
from client.tui.widgets.panes import TablePanes

LEAST_LIST = 7
"""The rows of what can be done with a tile: this many stay when there is less and less of it."""
MORE_TILES, MORE_ROOMS = "{a} lists all", "{m}, {f} all"
COVERED = frozenset({"log", "tiles", "display", "controls"})
"""The panes over which messages may lie."""


class VersusScreen(TableScreen[VersusScene]):
    """A table that one plays at or watches."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = keys.REPLAYING
    controller: VersusController
    panes: TablePanes

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = VersusController(self)
        self.panes = TablePanes(self, self._arranged, COVERED)
        self._era = 0
        self._counted: tuple[VersusScene | None, dict[int, int]] = (None, {})

    def compose(self) -> ComposeResult:
        """Make all panes; where they lie is a matter of the size."""
        glyphs, line = self.glyphs, self.line
        yield Header(line=line, id="header")
        yield CavePane(glyphs=glyphs, line=line, id="cave")
        yield CavePane(glyphs=glyphs, line=line, id="rival")
        yield Tiles(line=line, id="tiles")
        yield Display(line=line, id="display")
        yield GoodsPane(line=line, id="goods")
        yield GoodsPane(line=line, id="rival-goods")
        yield LogPane(line=line, id="log")
        yield from self.foot()

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        now = self.scene
        return arrange(
            width,
            height,
            Wanted(self._tile_rows, len(now.cave.display) + 3),
            era=now.cave.era,
            alone=now.cave.alone,
            goods=not (now.cave.drafting or now.mode == "cover"),
            replay=self.replays,
        )

    def _tile_rows(self, width: int) -> int:
        """Return the rows of the tiles, or of what can be done with the one in hand.

        They are counted once for a scene: panes and layouts ask several times for each step.
        """
        now = self.scene
        if self._counted[0] is not now:
            self._counted = now, {}
        counted = self._counted[1]
        if width not in counted:
            counted[width] = self._count_tile_rows(width)
        return counted[width]

    def _count_tile_rows(self, width: int) -> int:
        if lists_tiles(self.scene):
            return len(tile_rows(self.scene, self.controller.tiles, width))
        return max(LEAST_LIST, len(hand_rows(self.scene, width)))

    def show_board(self, *, moved: bool) -> None:
        """Bring the panes up to date; each paints only what changed."""
        now, play = self.scene, self.controller
        if now.cave.era != self._era:
            self._era = now.cave.era
            self.refresh(layout=True)
        self._place_caves()
        self.query_one(Tiles).numbered = play.tiles
        display = self.query_one(Display)
        display.at, display.room = None if play.visits else play.cursor, play.room
        display.there = play.there if play.visits else None
        more = {"tiles": MORE_TILES, "display": MORE_ROOMS}
        for pane in self.query(VersusPanel):
            pane.more = self.spoken(more.get(pane.id or "", ""))
            pane.show(now)

    def on_resize(self) -> None:
        """Show the caves, and the goods in one or in their pane, as there is room for them."""
        self._place_caves()
        for pane in self.query(VersusPanel):
            pane.refill()

    @property
    def cursor_cell(self) -> Offset | None:
        """The cell of the screen where the cursor is, in one of the caves."""
        return next(filter(None, (pane.cursor_cell for pane in self.query(CavePane))), None)

    def _place_caves(self) -> None:
        """Show the cave that is looked at, and the other's beside it where there is room."""
        now, play = self.scene, self.controller
        mine, rival = self.query_one("#cave", CavePane), self.query_one("#rival", CavePane)
        apart = self.panes.shows("rival")
        seat, board = play.looked_at
        mine.seat, mine.board = now.seat if apart else seat, board
        rival.seat, rival.board = 1 - now.seat, board
        there, own = (play.there, None) if play.visits else (None, play.cursor)
        mine.cursor = own if mine.seat == now.seat else there
        rival.cursor = there
        mine.marks = play.labels if mine.seat == now.seat else {}
        mine.fitting = play.fitting if mine.seat == now.seat else ()
        mine.shows_points = True
        # Goods without a pane stand in the cave.
        mine.shows_goods = now.cave.era == 2 and not self.panes.shows("goods")
        beneath = self.panes.shows("rival-goods")
        for pane, seat in zip(self.query(GoodsPane), (now.seat, 1 - now.seat), strict=True):
            pane.seat = seat if beneath else None

    def hints(self) -> Sequence[Hint]:
        """Return the keys of the moment."""
        return keys.hints(self.scene)
