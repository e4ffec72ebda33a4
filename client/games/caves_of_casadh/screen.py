"""The screen of The Caves of Casadh: its keys, its panes, and their updates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from client.face import Face
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.controller import CasadhController, casadh_waiting_words
from client.games.caves_of_casadh.panes import Header, Side, Tasks
from client.games.caves_of_casadh.picture import hex_map_picture
from client.games.caves_of_casadh.scene import CasadhScene
from client.present.cells import Box
from client.present.score import result_headline
from client.table import Session
from client.tui import table
from client.tui.table import TableScreen
from client.tui.themes import boards_are_lit
from client.tui.widgets.bottom_rows import IN_REPLAYS, USUAL, Hint, MessageLine, number_keys_hint
from client.tui.widgets.panes import LogPane, TablePanes

NUMBERS = range(1, 10)
_key = partial(table.word_binding, head="casadh")

OWN: list[BindingType] = [
    *(_key(str(each), f"number:{each}", f"Way or line {each}", name=f"number_{each}") for each in NUMBERS),
    _key("enter", "enter", "Go there, or lay the hex", "at the cursor"),
    _key("r", "turn:1", "Turn the hex", "the hex in hand, another way round", name="turn"),
    _key("R", "turn:-1", "Turn the hex back", name="turn_back"),
    _key("c", "collect_treasure", "Look for treasure", "at the marker: look at all treasures there, keep one"),
    _key("i", "collect_items", "Take items", "at the marker; it ends the turn"),
    _key("L", "leave", "Leave the caves", "at Base Camp, for good: your game is over then"),
    _key("m", "use_medkit", "Use the Medkit", "back to full HP", name="medkit"),
    _key("d", "deploy", "Lay dynamite", "it goes off as your next turn begins"),
    _key("f", "defuse", "Defuse dynamite", "a roll of no more than your HP"),
    _key("e", "end_turn", "End the turn", "MP that are left are lost"),
    _key("a", "all", "List all that can be done", "with prices and dangers"),
    _key("tab", "next:1", "Next way", "the cursor to the next place where you can act", name="next"),
    _key("shift+tab,b", "next:-1", "Way before", name="previous"),
    _key("v", "jump", "Jump to a letter", "a letter on each place where you can act; typing it goes there"),
    _key("g", "here", "To your pawn", "the cursor to your pawn"),
    _key("0", "base", "To Base Camp", "the cursor to Base Camp"),
    _key("w", "overview", "The whole map", "small, and back"),
    _key("s", "cover", "Show or cover treasures", "where some share a keyboard"),
    _key("G", "guide", "The guide on or off", "tips for a first game"),
    _key("X", "give_up", "Give up", "your spelunker dies, and your game is over"),
]
KEYS: list[BindingType] = [*OWN, *table.BINDINGS]

_UNDO, _LOG, *_REST = USUAL
_END = (Hint("w", "Map", "overview"), *(_LOG, _UNDO, *_REST), Hint("z", "Zoom", ""), Hint("arrows", "Look", ""))
_NEXT = Hint("tab", "Next", "next:1")
_LETTERED = (
    Hint("c", "Treasure", "collect_treasure"),
    Hint("i", "Items", "collect_items"),
    Hint("L", "Leave", "leave"),
    Hint("m", "Medkit", "use_medkit"),
    Hint("f", "Defuse", "defuse"),
    Hint("d", "Dynamite", "deploy"),
    Hint("e", "End turn", "end_turn"),
)
COVER = Hint("s", "Treasures", "cover")
HEAD, KEY_ROWS = 1, 1
WIDE = 130  # columns from which the log is beside the list of actions
CONTROLS = 2  # rows of a replay's keys, in a narrow window


def arrange(width: int, height: int, *, replay: bool = False, whole: int = 0) -> dict[str, Box]:
    """Return the panes by name. With the ``whole`` map, above so many rows of a message, there are no choices."""
    side = 22 if width < 100 else 28 if width < WIDE else 36
    across, rows = width - side, height - HEAD - KEY_ROWS - replay
    tasks = 0 if whole else 5 if height < 40 else 9
    log = 1 if height < 28 else 3
    boxes = {
        "header": Box(0, 0, width, HEAD),
        "side": Box(across, HEAD, side, rows),
        "hints": Box(0, height - KEY_ROWS, width, KEY_ROWS),
    }
    if width >= WIDE:
        down = rows - tasks
        half = across * 3 // 5
        boxes["tasks"] = Box(0, HEAD + down, half, tasks)
        boxes["log"] = Box(half, HEAD + down, across - half, tasks)
    else:
        down = rows - tasks - log
        boxes["tasks"] = Box(0, HEAD + down, across, tasks)
        boxes["log"] = Box(0, HEAD + down + tasks, across, log)
    boxes["map"] = Box(0, HEAD, across, down - max(0, whole - log))
    if replay:
        boxes["place"] = Box(0, height - KEY_ROWS - 1, width, 1)
        found = boxes["tasks"]
        boxes["controls"] = found._replace(height=CONTROLS)
        boxes["tasks"] = found._replace(y=found.y + CONTROLS, height=found.height - CONTROLS)
    return {name: box for name, box in boxes.items() if box.height > 0}


class CasadhScreen(TableScreen[CasadhScene]):
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    LEAST: ClassVar[tuple[int, int]] = (79, 20)
    LOOKING: ClassVar[Sequence[Hint]] = (Hint("arrows", "Look", ""), Hint("w", "Map", "overview"), *IN_REPLAYS)
    controller: CasadhController

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = CasadhController(self)
        self.panes = TablePanes(self, self._arrange, frozenset({"log", "tasks"}), kept="tasks")

    def compose(self) -> ComposeResult:
        glyphs, line = self.glyphs, self.line
        yield Header(glyphs=glyphs, id="header")
        light = boards_are_lit(self.app, self.preferences.now.light)
        yield HexMap(glyphs=glyphs, light=light, zoom=self.preferences.now.zoom, id="map")
        yield Side(glyphs=glyphs, line=line, id="side")
        yield Tasks(glyphs=glyphs, line=line, id="tasks")
        yield LogPane(line=line, id="log")
        yield from self.foot()

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.board, "zoom", self._show_zoom, init=False)

    def _show_zoom(self) -> None:
        """Update the panes: another zoom may show the whole cave, or no longer."""
        self._make_room()
        self.show_here()

    def _arrange(self, width: int, height: int) -> dict[str, Box]:
        """Return the panes by name; a question of the game is always shown, and in wide windows the choices."""
        asks = self.replays or self.scene.mode not in ("actions", "waiting", "watching", "over")
        whole = width < WIDE and not asks and self.is_mounted and self.board.is_whole
        below = max(1, self.query_one(MessageLine).count_message_rows(width)) if whole else 0
        return arrange(width, height, replay=self.replays, whole=below)

    @property
    def board(self) -> HexMap:
        return self.query_one("#map", HexMap)

    def show_board(self, *, moved: bool) -> None:
        now, play = self.scene, self.controller
        self.board.picture = hex_map_picture(now, play.rotation_in_hand)
        self.board.labels = play.marked_places
        header = self.query_one("#header", Header)
        header.address = self.address
        header.show(now)
        tasks = self.query_one("#tasks", Tasks)
        tasks.chosen, tasks.named = play.task_with_hex_in_hand, play.tasks_at_cursor
        tasks.note = casadh_waiting_words(now) if now.mode == "waiting" else now.waits_for
        if now.step_is_done:
            lesson = now.state.lesson
            ends = lesson is not None and lesson.number == lesson.of
            tasks.note = self.with_own_keys(
                "{enter} begins a whole game." if ends else "{enter} goes on to the next step."
            )
        elif now.over:
            tasks.note = result_headline(self.face.sheet, now.view.standing, now.view.names)
        tasks.show(now)
        self.show_here()

    def show_here(self) -> None:
        side = self.query_one("#side", Side)
        shares = self.scene.state.hot_seat
        side.cover_key = self.key_words.key_of("cover", self.keymap) if shares else ""
        side.cursor = self.controller.cursor
        side.rotation = self.controller.rotation_in_hand or 0
        side.board = self.board
        side.show(self.scene)

    def hints(self) -> Sequence[Hint]:
        now = self.scene
        first: tuple[Hint, ...] = (_NEXT, Hint("g", "Pawn", "here"))
        if now.mode == "over":
            first = (Hint("enter", "Score", "enter"), Hint("0", "Base", "base"))
        elif now.mode == "placing":
            first = (Hint("enter", "Lay it", "enter"), Hint("r", "Turn", "turn:1"))
        elif now.mode == "actions":
            ways = sum(task.key.isdecimal() for task in now.tasks)
            going = (number_keys_hint(ways, "Go"),) if ways else ()
            first = (*going, *(hint for hint in _LETTERED if now.can_do_kind(hint.do)), _NEXT)
        elif now.choices:
            first = (number_keys_hint(len(now.tasks), "Choose"), Hint("a", "List", "all"), _NEXT)
        found = [*first, *_END]
        if now.state.hot_seat and now.me.treasures and not now.over:
            found.insert(len(first), COVER)
        return tuple(found)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.board.light = boards_are_lit(self.app, self.preferences.now.light)

    def on_board_view_cursor_moved(self, event: HexMap.CursorMoved) -> None:
        event.stop()
        self.show_here()

    def on_board_view_place_clicked(self, event: HexMap.PlaceClicked) -> None:
        event.stop()
        self.controller.click(again=event.again)
