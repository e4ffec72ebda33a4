"""The screen of Cave vs Cave: its keys, its panes, and how they follow the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset

from client.face import Face
from client.games.cave_vs_cave.board import CavePane, rows_each, size
from client.games.cave_vs_cave.controller import VersusController
from client.games.cave_vs_cave.panes import GoodsPane, Header, VersusPanel
from client.games.cave_vs_cave.scene import VersusScene
from client.games.cave_vs_cave.tasks import doings
from client.games.cave_vs_cave.tiles import Display, Tiles, hand_rows, lists_tiles, tile_rows
from client.present.cells import Box
from client.table import Session
from client.tui import table
from client.tui.table import TableScreen
from client.tui.widgets.foot import IN_REPLAYS, USUAL, Hint, numbers
from client.tui.widgets.log import LogPane
from client.tui.widgets.panes import TablePanes

_key = partial(table.key, head="versus")

KEYS: list[BindingType] = [
    *(
        _key(str(number), f"number:{number}", f"Tile or action {number}", name=f"number_{number}")
        for number in (*range(1, 10), 0)
    ),
    _key("enter", "enter", "What can be done there"),
    _key("a", "list", "List all that can be done", "everything, with what it costs and brings"),
    _key("x", "kind:anytime", "Goods for food", "at any time in your turn", name="anytime"),
    _key("e", "end_turn", "End the turn", "what the tile offers may be left out"),
    _key("f", "rooms", "List the rooms on show", "what they cost and do, and where they fit"),
    _key("r", "room:1", "Where the next room fits", "one room on show after the other", name="room"),
    _key("m", "page:display", "More of the rooms on show", "the rest of a long list", name="more_rooms"),
    _key("tab", "next_board:1", "The next board", "your own boards and the other's", name="next_board"),
    _key("shift+tab,backspace", "next_board:-1", "The board before", name="previous_board"),
    _key("n", "next:1", "Next space with a task", "where something can be done", name="next"),
    _key("v", "jump", "Jump to a letter", "a letter on each space; typing it goes there"),
    _key("up,k", "go:-1,0", "Up", name="up"),
    _key("down,j", "go:1,0", "Down", name="down"),
    _key("left,h", "go:0,-1", "Left", name="left"),
    _key("right,l", "go:0,1", "Right", name="right"),
    _key("G", "guide", "The guide on or off", "tips for a first game"),
    *table.BINDINGS,
]

FEW = 4  # from this many number keys on, the hint names the first and the last only
_LOOK = (Hint("f", "Rooms", "rooms"), Hint("tab", "Board", "next_board:1"))
_END = (*_LOOK, Hint("v", "Jump", "jump"), *USUAL)
_FIRST: dict[str, tuple[Hint, ...]] = {
    "take": (Hint("a", "All", "list"),),
    "actions": (Hint("enter", "Here", "enter"), Hint("e", "End turn", "end_turn"), Hint("a", "All", "list")),
    "dig": (Hint("enter", "Dig", "enter"), Hint("n", "Next", "next:1")),
    "cavern": (Hint("1", "Choose", "number:1"),),
    "draft": (Hint("enter", "Place", "enter"), Hint("n", "Next", "next:1"), Hint("a", "All", "list")),
    "cover": (Hint("enter", "Cover", "enter"), Hint("n", "Next", "next:1")),
    "over": (Hint("enter", "Score", "enter"),),
}

LEAST = (79, 20)  # the columns and rows from which a table can be played
CAVE = size(1, 4)[0]
BOTH = CAVE + size(2, 4)[0]
CONTROLS = 2
FEW_ROOMS = 5  # rows of rooms on show at least: the heading, some rooms, and how many more there are
HEADING = AIR = 1
GOODS = {1: 4, 2: 6}  # the rows of the goods in each era, their heading included
FEW_LINES = 3  # the rows of the log that there are below cave and goods where there is room for them
MESSAGE = 2  # rows above the keys that a message may take: no goods lie there; in a replay it is short
LOG_FROM = 24  # rows of a window with one for the log below all else; with more it is below the cave
LOW_CAVE = size(1, 4)[1] + 1  # the rows of a cave in which there is room for what a room does
GOODS_INSIDE = size(2, 5)[1] + 1  # rows of a cave of Era II from which goods lie beside its spaces


class Wanted(NamedTuple):
    """The rows of what can be done, for the columns of its pane, and of the rooms on show."""

    tiles: Callable[[int], int]
    rooms: int


def arrange(
    width: int,
    height: int,
    wanted: Wanted,
    *,
    era: int,
    alone: bool,
    goods: bool = True,
    replay: bool = False,
) -> dict[str, Box]:
    """Return the panes by name. ``era`` and ``alone`` say which caves there are; a draft has no ``goods``.

    The goods are above the rooms on show: a message covers the last lines, and may be about goods. If tiles
    and rooms do not fit below each other, the tiles get more. In Era II the goods are then below the cave,
    or have no pane: they are in the cave, beside its spaces. If they fit, each cave of Era I has its goods
    below it, and the log is below the rooms on show.
    """
    rows = height - 2 - (1 + CONTROLS if replay else 0)  # Between the header and what lies at the bottom.
    if height == LOG_FROM and not replay:
        boxes = arrange(width, height - 1, wanted, era=era, alone=alone, goods=goods)
        hints, listed = boxes["hints"], boxes["tiles"]
        if listed.height > wanted.tiles(listed.width):
            return {"log": Box(0, hints.y, width, 1)} | boxes | {"hints": hints._replace(y=hints.y + 1)}
    second = not alone and era == 1 and width >= 2 * CAVE + 44
    if era == 1 and (spacious := _spacious(width, rows, wanted, second=second, goods=goods, replay=replay)):
        return spacious | _bars(width, height, replay=replay)
    across = BOTH if era == 2 and width >= BOTH + 44 else CAVE
    rival = CAVE if second else 0
    side, right = width - across - rival, across
    down = _cave(rows, era)
    high = GOODS[era] if goods else 0
    tiles = wanted.tiles(side)
    scarce = tiles + HEADING + wanted.rooms + high > rows
    below = scarce and era == 2 and rows - high >= LOW_CAVE
    inside = scarce and era == 2 and not below and down >= GOODS_INSIDE
    if below:
        down = _cave(max(LOW_CAVE, rows - high - FEW_LINES), era)
    under = 1 + down + (high if below else 0)
    figures = 0 if below or inside else high
    rest = rows - figures
    tiles = min(tiles + (not scarce), rest - min(wanted.rooms, FEW_ROOMS))
    boxes = {
        "cave": Box(0, 1, across, down),
        "log": Box(0, under, across, rows + 1 - under),
        "tiles": Box(right, 1, side, tiles),
        "goods": Box(0, 1 + down, across, high) if below else Box(right, 1 + tiles, side, figures),
        "display": Box(right, 1 + tiles + figures, side, rest - tiles),
        "rival": Box(width - rival, 1, rival, rows),
    }
    return _shown(boxes) | _bars(width, height, replay=replay)


def _spacious(
    width: int, rows: int, wanted: Wanted, *, second: bool, goods: bool, replay: bool
) -> dict[str, Box]:
    """Return the panes, goods below the caves and log below the rooms; empty if they do not fit."""
    rival = CAVE if second else 0
    side, right = width - CAVE - rival, width - rival
    down, high = _cave(rows, 1), GOODS[1] * goods
    tiles = wanted.tiles(side) + HEADING + AIR
    spare = rows - tiles - wanted.rooms
    if down + high + MESSAGE - replay > rows or spare < HEADING + FEW_LINES:
        return {}
    # The effect of a room may take several rows, so the rooms get some spare ones.
    log = max(HEADING + FEW_LINES, 2 * spare // 3)
    rooms = wanted.rooms + spare - log
    boxes = {
        "cave": Box(0, 1, CAVE, down),
        "goods": Box(0, 1 + down, CAVE, high),
        "tiles": Box(CAVE, 1, side, tiles),
        "display": Box(CAVE, 1 + tiles, side, rooms),
        "log": Box(CAVE, 1 + tiles + rooms, side, log),
        "rival": Box(right, 1, rival, down),
        "rival-goods": Box(right, 1 + down, rival, high),
    }
    return _shown(boxes)


def _bars(width: int, height: int, *, replay: bool) -> dict[str, Box]:
    boxes = {"header": Box(0, 0, width, 1), "hints": Box(0, height - 1, width, 1)}
    if replay:
        boxes["place"] = Box(0, height - 2, width, 1)
        boxes["controls"] = Box(0, height - 2 - CONTROLS, width, CONTROLS)
    return boxes


def _shown(boxes: dict[str, Box]) -> dict[str, Box]:
    return {name: box for name, box in boxes.items() if box.height > 0 and box.width > 0}


def _cave(rows: int, era: int) -> int:
    return min(rows, max(size(board, rows_each(rows - 1, board))[1] for board in range(1, era + 1)) + 1)


LEAST_LIST = 7  # the rows of what can be done with a tile: this many stay when there is less and less of it
MORE_TILES, MORE_ROOMS = "{a} lists all", "{m}, {f} all"


class VersusScreen(TableScreen[VersusScene]):
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = (*_LOOK, *IN_REPLAYS)
    controller: VersusController
    panes: TablePanes

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = VersusController(self)
        covered = frozenset({"log", "tiles", "display", "controls"})
        self.panes = TablePanes(self, self._arranged, covered)
        self._era = 0
        self._counted: tuple[VersusScene | None, dict[int, int]] = (None, {})

    def compose(self) -> ComposeResult:
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
        """Return the rows of ``Tiles``, counted once for a scene: layouts ask several times for each step."""
        now = self.scene
        if self._counted[0] is not now:
            self._counted = now, {}
        counted = self._counted[1]
        if width not in counted:
            if lists_tiles(now):
                counted[width] = len(tile_rows(now, self.controller.tiles, width))
            else:
                counted[width] = max(LEAST_LIST, len(hand_rows(now, width)))
        return counted[width]

    def show_board(self, *, moved: bool) -> None:
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
        self._place_caves()
        for pane in self.query(VersusPanel):
            pane.refill()

    @property
    def cursor_cell(self) -> Offset | None:
        return next(filter(None, (pane.cursor_cell for pane in self.query(CavePane))), None)

    def _place_caves(self) -> None:
        now, play = self.scene, self.controller
        mine, rival = self.query_one("#cave", CavePane), self.query_one("#rival", CavePane)
        apart = self.panes.shows("rival")
        seat, board = play.looked_at
        mine.seat, mine.board = now.seat if apart else seat, board
        rival.seat, rival.board = 1 - now.seat, board
        there, own = (play.there, None) if play.visits else (None, play.cursor)
        mine.cursor = own if mine.seat == now.seat else there
        rival.cursor = there
        mine.marks = play.marks if mine.seat == now.seat else {}
        mine.fitting = play.fitting if mine.seat == now.seat else ()
        mine.shows_points = True
        # Goods without a pane stand in the cave.
        mine.shows_goods = now.cave.era == 2 and not self.panes.shows("goods")
        beneath = self.panes.shows("rival-goods")
        for pane, seat in zip(self.query(GoodsPane), (now.seat, 1 - now.seat), strict=True):
            pane.seat = seat if beneath else None

    def hints(self) -> Sequence[Hint]:
        now = self.scene
        numbered: tuple[Hint, ...] = ()
        if tiles := now.kinds.get("take"):
            numbered = (numbers(len(tiles), "Take", most=10),)
        elif now.mode == "actions":
            keys = [each.key for each in doings(now) if each.key.isdecimal()]
            few = len(keys) < FEW
            numbered = (Hint(" ".join(keys) if few else f"{keys[0]}-{keys[-1]}", "Do", ""),) if keys else ()
        return (*numbered, *_FIRST.get(now.mode, ()), *_END)
