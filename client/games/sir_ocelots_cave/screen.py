"""The screen of Sir Ocelot's Cave: its keys, its panes, and their updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from cave.sir_ocelots_cave.components import RAYS
from client.face import Face
from client.games.sir_ocelots_cave import here, picture
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.controller import OcelotController
from client.games.sir_ocelots_cave.panes import GemPane, Header, HerePane, Players, Worth
from client.games.sir_ocelots_cave.picture import LEAST, arrange
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.present.cells import Box
from client.table import Session
from client.tui import table
from client.tui.table import TableScreen
from client.tui.themes import boards_are_lit
from client.tui.widgets.bottom_rows import IN_REPLAYS, USUAL, Hint
from client.tui.widgets.panes import LogPane, TablePanes

_key = partial(table.word_binding, head="ocelot")

_AGAIN = "again: the other kind"
KEYS: list[BindingType] = [
    _key("enter", "enter", "Lay, come or collect", "at the cursor"),
    _key("c", "tool:compass", "Choose a compass", _AGAIN, name="compass"),
    _key("l", "tool:lamp", "Choose a lamp", _AGAIN, name="lamp"),
    _key("p", "tool:pickaxe", "Choose a pickaxe", _AGAIN, name="pickaxe"),
    _key("r", "turn_over", "Turn the tool over", "its other side up"),
    _key("tab", "next:1", "Next place", "the next free rim space, or the next gem", name="next"),
    _key("shift+tab,b", "next:-1", "Place before", name="previous"),
    _key("n", "bringing", "Where a tool collects", "the cursor to such a rim space"),
    _key("m", "way", "Where the companion goes", "the cursor to such a square"),
    _key("space", "toggle", "Take or leave a gem"),
    _key("a", "all", "All gems or none", "while you collect"),
    _key("v", "jump", "Jump to a letter", "a letter on each place where you can act"),
    _key("s", "cover", "Show or cover amethysts", "where two share a keyboard"),
    _key("up", "go:0,-1", "Up", name="up"),
    _key("down", "go:0,1", "Down", name="down"),
    _key("left", "go:-1,0", "Left", name="left"),
    _key("right", "go:1,0", "Right", name="right"),
    _key("G", "guide", "The guide on or off", "tips for a first game"),
    *table.BINDINGS,
]

_END = (Hint("v", "Jump", "jump"), *USUAL, Hint("arrows", "Look", ""))
_ACTING = (
    Hint("tab", "Next", "next:1"),
    Hint("r", "Other side", "turn_over"),
    Hint("n", "Find gems", "bringing"),
    Hint("m", "Companion", "way"),
)
_COLLECTING = (
    Hint("enter", "Collect", "enter"),
    Hint("space", "Take or leave", "toggle"),
    Hint("tab", "Next gem", "next:1"),
    Hint("a", "All or none", "all"),
)
_LOOKING = (Hint("tab", "Next", "next:1"), Hint("n", "Find gems", "bringing"))
COVER = Hint("s", "Amethysts", "cover")


class OcelotScreen(TableScreen[OcelotScene]):
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = (Hint("tab", "Look", "next:1"), *IN_REPLAYS)
    controller: OcelotController

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = OcelotController(self)
        covered = frozenset({"log", "here", "controls"})
        self.panes = TablePanes(self, self._arranged, covered)

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        return arrange(width, height, replay=self.replays)

    def compose(self) -> ComposeResult:
        glyphs, line = self.glyphs, self.line
        light = boards_are_lit(self.app, self.preferences.now.light)
        yield Header(id="header")
        yield BoardPane(glyphs=glyphs, light=light, id="board")
        yield Worth(glyphs=glyphs, id="worth")
        yield Players(glyphs=glyphs, id="players")
        yield HerePane(line=line, id="here")
        yield LogPane(line=line, id="log")
        yield from self.foot()

    @property
    def board(self) -> BoardPane:
        return self.query_one("#board", BoardPane)

    def show_board(self, *, moved: bool) -> None:
        now, play = self.scene, self.controller
        held = play.tool_in_hand
        self.board.picture = picture.board(now, play.cursor, held, play.left_out)
        stands = () if play.labels else {play.cursor, *(player.companion for player in now.cave.players)}
        if stands and not self.recap.looks_back:
            stands |= now.cave.tools.keys()  # a new tool has pointed brackets already
        self.board.labels = {at: sign for at, sign in play.marked_places.items() if at not in stands}
        self.query_one("#here", HerePane).show(here.offers_at_place(now, play.cursor, held, play.left_out))
        header, players = self.query_one(Header), self.query_one(Players)
        header.address = self.address
        players.note = f"({self.key_words.key_of('cover', self.keymap)})" if now.shares_keyboard else ""
        header.show(now)
        players.show(now)

    def hints(self) -> Sequence[Hint]:
        now = self.scene
        first: tuple[Hint, ...] = {"collecting": _COLLECTING}.get(now.mode, _LOOKING)
        if now.mode == "acting":
            first = _ACTING
            if (at := self.controller.cursor) in now.lays or at in now.ways:
                does = "Lay" if at in RAYS else "Bring" if now.me.companion is None else "Send"
                first = (Hint("enter", does, "enter"), *_ACTING)
        if now.mode == "over":
            first = (Hint("enter", "Score", "enter"), Hint("tab", "Next", "next:1"))
        found = [hint for hint in (*first, *_END) if now.ways or hint.do != "way"]
        if now.shares_keyboard and now.me.amethysts and not now.over:
            found.insert(len(first), COVER)
        return tuple(found)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            light = boards_are_lit(self.app, self.preferences.now.light)
            if light != self.board.light:
                self.board.light = light
                for pane in self.query(GemPane):
                    pane.notify_style_update()

    def on_board_view_place_clicked(self, event: BoardPane.PlaceClicked) -> None:
        event.stop()
        self.controller.click(event.at, again=event.again)
