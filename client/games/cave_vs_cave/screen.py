"""The screen of Cave vs Cave: its keys, its panes, and their updates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset

from cave.cave_vs_cave.actions import Space, Take
from client.face import Face
from client.games.cave_vs_cave import tasks
from client.games.cave_vs_cave.board import NOWHERE, CavePane, Head
from client.games.cave_vs_cave.controller import VersusController
from client.games.cave_vs_cave.panes import Header, VersusPanel
from client.games.cave_vs_cave.picture import LOWEST, cave_picture, cave_size, place_of_space, rows_each
from client.games.cave_vs_cave.scene import VersusScene
from client.games.cave_vs_cave.tile_panes import (
    ABOUT,
    AIRY,
    DENSEST,
    HEADING,
    MARGIN,
    MESSAGE,
    Display,
    Tiles,
    half_of_rooms,
    hand_rows,
    lists_tiles,
    room_rows,
    tile_rows,
)
from client.present.cells import Box
from client.table import Session
from client.tui import table
from client.tui.table import TableScreen
from client.tui.themes import boards_are_lit
from client.tui.widgets.bottom_rows import IN_REPLAYS, USUAL, Hint, MessageLine
from client.tui.widgets.panes import LogPane, TablePanes

_key = partial(table.word_binding, head="versus")

KEYS: list[BindingType] = [
    *(
        _key(str(number), f"number:{number}", f"Tile or action {number}", name=f"number_{number}")
        for number in (*range(1, 10), 0)
    ),
    *(_key(each, f"number:{each}", f"Tile {each}", name=f"tile_{each}") for each in tasks.TILE_KEYS[10:]),
    _key("enter", "enter", "What can be done there"),
    _key("a", "list", "List all that can be done", "everything, with what it costs and brings"),
    _key("x", "kind:anytime", "Goods for food", "at any time in your turn", name="anytime"),
    _key("e", "end_turn", "End the turn", "what the tile offers may be left out"),
    _key("f", "rooms", "List the rooms on show", "what they cost and do, and where they fit"),
    _key("r", "room:1", "Where the next room fits", "one room on show after the other", name="room"),
    _key("m", "page:display", "More of the rooms on show", "the rest of a long list", name="more_rooms"),
    _key("tab", "next_board:1", "The next board", "your own boards and the other's", name="next_board"),
    _key("shift+tab,b", "next_board:-1", "The board before", name="previous_board"),
    _key("n", "next:1", "Next space with a task", "where something can be done", name="next"),
    _key("v", "jump", "Jump to a letter", "a letter on each space; typing it goes there"),
    _key("up,k", "go:-1,0", "Up", name="up"),
    _key("down,j", "go:1,0", "Down", name="down"),
    _key("left,h", "go:0,-1", "Left", name="left"),
    _key("right,l", "go:0,1", "Right", name="right"),
    _key("G", "guide", "The guide on or off", "tips for a first game"),
    *table.BINDINGS,
]

FEW = 4  # with this many number keys, the hint names only the first and the last
_LOOK = (Hint("f", "Rooms", "rooms"), Hint("tab", "Board", "next_board:1"))
_END = (*_LOOK, Hint("v", "Jump", "jump"), *USUAL)
_FIRST: dict[str, tuple[Hint, ...]] = {
    "take": (Hint("a", "All", "list"),),
    "actions": (Hint("e", "End turn", "end_turn"), Hint("a", "All", "list")),
    "dig": (Hint("enter", "Dig", "enter"), Hint("n", "Next", "next:1")),
    "cavern": (Hint("1", "Choose", "number:1"),),
    "draft": (Hint("enter", "Place", "enter"), Hint("n", "Next", "next:1"), Hint("a", "All", "list")),
    "cover": (Hint("enter", "Cover", "enter"), Hint("n", "Next", "next:1")),
    "over": (Hint("enter", "Score", "enter"),),
}

LEAST = (79, 20)  # least columns and rows for a table
CAVE, BOTH = cave_size(1, LOWEST)[0], cave_size(2, LOWEST)[0]
CONTROLS = 2
FEW_ROOMS = 5  # least rows of rooms on show: the heading, some rooms, and the number of the others

MANY_ROOMS = 8  # rows of rooms that come before further words of tiles
USUAL_HEIGHT = 24  # of a terminal; in lower ones the words of tiles come first
FEW_LINES = 4  # rows of the log below the cave, with its heading
ROOMY = 26  # rows from which the cave has its full height, and the log is beside it if no rows remain


class Wanted(NamedTuple):
    """The rows that each layout of the choices needs in its columns, best first; the same for the rooms on
    show, and the rows left for them; ``least`` are the rows that rooms keep if tiles need more, ``half`` those of
    half the rooms, which a tip does not cover.
    """

    tiles: Callable[[int], Sequence[int]]
    rooms: Callable[[int, int], int]
    least: int
    half: int = 0


def arrange(
    width: int,
    height: int,
    wanted: Wanted,
    *,
    era: int,
    alone: bool,
    replay: bool = False,
    logs: bool = True,
    said: int = 0,
) -> dict[str, Box]:
    """Return the panes by name. ``era`` and ``alone`` decide which caves exist, ``logs``: there is a log. ``said``:
    rows of a message, which covers the last rows.

    The log is below the caves or the rooms, so that the others' actions are visible. Tiles come before rooms.
    """
    rows = height - 2 - (1 + CONTROLS if replay else 0)  # between the header and the panes at the bottom
    second = not alone and era == 1 and width >= 2 * CAVE + 44
    across = BOTH if era == 2 and width >= BOTH + 44 else CAVE
    rival = CAVE if second else 0
    side = width - across - rival
    down = min(rows, _count_cave_rows(rows if rows >= ROOMY else rows - FEW_LINES))
    below = rows - down if rows < ROOMY or rows - down >= FEW_LINES else 0
    high = rows - below if second else rows
    heights = wanted.tiles(side - MARGIN)
    log = 0 if below or not logs else FEW_LINES + 1
    # A tip hides some rooms; for a longer message, such as a hint, the tiles get shorter instead.
    covered = max(0, said - (below if second else log)) if said > MESSAGE and height >= USUAL_HEIGHT else 0
    high -= covered
    rooms = wanted.rooms(side - MARGIN, high - heights[-1] - log)
    # With few rows words of tiles, but no blank rows between them, come before rows for the effects of rooms.
    least = min(rooms, max(wanted.least, wanted.rooms(side - MARGIN, 0))) if rows < ROOMY else rooms
    fitting = (
        each
        for n, each in enumerate(heights)
        if each <= high - log - (least if n else rooms + max(0, MESSAGE - covered))
    )
    tiles = next(fitting, heights[-1])
    if tiles == heights[-1]:  # rows that some rooms do not need go to the words of the tiles
        tiles = max(tiles, min(heights[-2:][0], high - log - min(rooms, wanted.least)))
    half = wanted.half + (0 if covered else said) if height >= USUAL_HEIGHT - 1 else 0
    tiles = min(tiles, high - log - max(min(rooms, FEW_ROOMS), half))
    high += covered
    boxes = {
        "cave-head": Box(0, 1, across, 1),
        "cave": Box(0, 2, across, down - 1),
        "tiles": Box(across, 1, side, tiles),
        "rival-head": Box(width - rival, 1, rival, 1),
        "rival": Box(width - rival, 2, rival, down - 1),
    }
    if log:
        log = max(log, high - tiles - rooms)
        boxes["log"] = Box(across, 1 + high - log, side, log)
    else:
        boxes["log"] = Box(0, 1 + down, width if second else across, below)
    boxes["display"] = Box(across, 1 + tiles, side, high - tiles - log)
    return {name: box for name, box in boxes.items() if box.height > 0 and box.width > 0} | _bar_boxes(
        width, height, replay=replay
    )


def _bar_boxes(width: int, height: int, *, replay: bool) -> dict[str, Box]:
    boxes = {"header": Box(0, 0, width, 1), "hints": Box(0, height - 1, width, 1)}
    if replay:
        boxes["place"] = Box(0, height - 2, width, 1)
        boxes["controls"] = Box(0, height - 2 - CONTROLS, width, CONTROLS)
    return boxes


def _count_cave_rows(rows: int) -> int:
    """Return the rows of a cave with its head: as many as fit into ``rows``, but at least the fewest."""
    return cave_size(1, rows_each(rows - 1))[1] + 1


LEAST_LIST = 7  # rows for the actions of a tile: kept in the smallest windows
MORE_TILES, MORE_ROOMS = "{a} lists all", "{m}, {f}: what they do"
MORE_TO_PLACE = "{m}, {a} all"
IN_WORDS = "{a}: in words"


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
        self._counted: tuple[VersusScene | None, dict[int, Sequence[int]]] = (None, {})

    def compose(self) -> ComposeResult:
        glyphs, line = self.glyphs, self.line
        yield Header(line=line, id="header")
        light = boards_are_lit(self.app, self.preferences.now.light)
        for name in ("cave", "rival"):
            yield Head(line=line, id=f"{name}-head")
            yield CavePane(glyphs=glyphs, light=light, id=name)
        yield Tiles(line=line, id="tiles")
        display = Display(line=line, id="display")
        display.drawer = lambda: self.query_one("#cave", CavePane).drawer
        yield display
        yield LogPane(line=line, id="log")
        yield from self.foot()

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        now = self.scene
        hidden = now.state.lesson.hidden if now.state.lesson else ()
        return arrange(
            width,
            height,
            Wanted(
                self._tile_row_counts,
                partial(room_rows, len(now.cave.display), ABOUT if self._description_comes_first else HEADING),
                MANY_ROOMS if height >= USUAL_HEIGHT or self._description_comes_first else FEW_ROOMS,
                half_of_rooms(len(now.cave.display)) + HEADING,
            ),
            era=now.cave.era,
            alone=now.cave.alone or "rival" in hidden,
            replay=self.replays,
            logs="log" not in hidden,
            said=self.query_one(MessageLine).count_message_rows(width),
        )

    def _tile_row_counts(self, width: int) -> Sequence[int]:
        """Return the rows of ``Tiles`` in each density; computed once per scene."""
        now = self.scene
        if self._counted[0] is not now:
            self._counted = now, {}
        counted = self._counted[1]
        if width not in counted:
            if lists_tiles(now):
                densities = range(AIRY, DENSEST + 1)
                counted[width] = [HEADING + len(tile_rows(now, width, each)) for each in densities]
            else:
                counted[width] = [max(LEAST_LIST, len(hand_rows(now, width)))]
        return counted[width]

    @property
    def _description_comes_first(self) -> bool:
        """Whether the description under the cursor has priority over the tiles."""
        return not lists_tiles(self.scene) or self.controller.has_looked

    def show_board(self, *, moved: bool) -> None:
        now, play = self.scene, self.controller
        if now.cave.era != self._era:
            self._era = now.cave.era
            self.refresh(layout=True)
        self._place_caves()
        display = self.query_one(Display)
        display.at, display.room = None if play.visits_other_cave else play.cursor, play.room
        display.there = play.there if play.visits_other_cave else None
        display.describes = self._description_comes_first
        tiles = self.query_one(Tiles)
        tiles.in_words = self.with_own_keys(IN_WORDS)
        tip = play.guide.tip if play.guide else ""
        tiles.keep_in_sight(next((each for each in now.takable_tiles if play.is_hinted(Take(each))), tip))
        more = {"tiles": MORE_TILES, "display": MORE_TO_PLACE if now.mode == "draft" else MORE_ROOMS}
        for pane in self.query(VersusPanel):
            pane.more = self.with_own_keys(more.get(pane.id or "", ""))
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
        apart = self.panes.shows("rival")
        seat, board = play.looked_at
        told, lit = self.recap.seat_of_step, self.recap.lit_places
        # On your turn your own cave is shown, without the marks of the opponent's last step.
        if told is not None and lit and (self.recap.looks_back or not now.can_act):
            seat, board = told, play.board_of(lit[0])
        there, own = (play.there, None) if play.visits_other_cave else (None, play.cursor)
        self._show_cave("cave", now.seat if apart else seat, board, own, there, told)
        self._show_cave("rival", 1 - now.seat, board, own, there, told)

    def _show_cave(
        self, name: str, seat: int, board: int, own: Space | None, there: Space | None, told: int | None
    ) -> None:
        now, play, pane = self.scene, self.controller, self.query_one(f"#{name}", CavePane)
        if seat >= len(now.cave.players):
            return
        is_own = seat == now.seat
        pane.owner = "space" if is_own else "other"
        pane.picture = cave_picture(
            now,
            seat,
            marks=play.marked_places if seat == (now.seat if told is None or play.labels else told) else {},
            fitting=play.fitting if is_own else (),
            figures=name == "cave",
        )
        at = own if is_own and name == "cave" else there
        pane.cursor = NOWHERE if at is None else place_of_space(at)
        pane.turn_to(board)
        head = self.query_one(f"#{name}-head", Head)
        both = now.cave.era == 1 or pane.outer_size.width >= BOTH
        head.seat, head.board = seat, 0 if both else board
        head.refill()

    def hints(self) -> Sequence[Hint]:
        now = self.scene
        numbered: tuple[Hint, ...] = ()
        if keys := [tasks.tile_key(now, tile) for tile in now.takable_tiles]:
            numbered = (_numbered_hint(keys, "Take"),)
        elif now.mode == "actions":
            keys = [each.key for each in tasks.doings(now) if each.kind != "end_turn"]
            kinds = {tasks.KINDS[each.action.type] for each in self.controller.here}
            here = Hint("enter", kinds.pop() if len(kinds) == 1 else "Choose", "enter")
            numbered = (*((_numbered_hint(keys, "Do"),) if keys else ()), here)
        return (*numbered, *_FIRST.get(now.mode, ()), *_END)


def _numbered_hint(keys: Sequence[str], does: str) -> Hint:
    runs = groupby(enumerate(keys), lambda each: (each[1].isalpha(), tasks.TILE_KEYS.find(each[1]) - each[0]))
    found = [[key for _, key in run] for _, run in runs]
    shown = (f"{run[0]}-{run[-1]}" if len(run) >= FEW and run[0].isdecimal() else " ".join(run) for run in found)
    return Hint(" ".join(shown), does, "")
