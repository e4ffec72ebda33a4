"""The Cave's screen: the cave, the luggage, the actions and the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size

from cave.the_cave.actions import Form
from client.face import Face
from client.games.the_cave import facts, key_hints
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.controller import CaveController
from client.games.the_cave.facts import luggage_facts, place_facts, tile_in_hand_facts
from client.games.the_cave.key_hints import bar_note
from client.games.the_cave.map_pane import MapPane
from client.games.the_cave.mountain_section import Section
from client.games.the_cave.panes import Actions, HeaderBar, SupplyBar
from client.games.the_cave.picture import map_picture
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.side_pane import LEAST, Side
from client.present.cells import Box
from client.settings.appearance import GlyphSetName
from client.table import Session
from client.tui.table import TableScreen
from client.tui.themes import boards_are_lit
from client.tui.widgets.bottom_rows import Hint
from client.tui.widgets.panes import ChatPane, LogPane, Rule, TablePanes

COVERED = frozenset({"side", "actions", "controls", "section", "log", "chat"})  # the panes that messages may cover


class GameScreen(TableScreen[CaveScene]):
    BINDINGS: ClassVar[list[BindingType]] = key_hints.BINDINGS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    LOOKING: ClassVar[Sequence[Hint]] = key_hints.REPLAYING
    controller: CaveController
    panes: TablePanes

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self._glyph_set: GlyphSetName = "ascii" if self.glyphs == "ascii" else "unicode"
        self.controller = CaveController(self)
        self.panes = TablePanes(self, self._arranged, COVERED)
        self._photos = 99  # of all teams; none was just taken when the table opens
        self._inspected_in = Size(0, 0)
        """The window size for which the panes that follow the cursor were last updated."""

    # The parts of the screen

    def compose(self) -> ComposeResult:
        self.set_class(self._glyph_set == "ascii", "-ascii")
        line = self.line
        yield HeaderBar(self._glyph_set, id="header")
        wished = self.preferences.now
        cave_map = CaveMap(
            glyph_set=self._glyph_set,
            zoom=wished.zoom,
            light=boards_are_lit(self.app, wished.light),
            fine=self.glyphs == "fine",
            id="map",
        )
        yield MapPane(cave_map, id="map-pane")
        yield Rule(line=line, id="rule")
        yield Side(line=line, id="side")
        yield SupplyBar(line=line, id="supplies")
        yield Actions(line=line, glyph_set=self._glyph_set, id="actions")
        yield Section(line=line, glyph_set=self._glyph_set, id="section")
        yield LogPane(line=line, id="log")
        yield ChatPane(line=line, id="chat")
        yield from self.foot()

    def _arranged(self, width: int, height: int) -> Mapping[str, Box]:
        return arrange(width, height, replay=self.replays, chat=self.wants_chat)

    @property
    def map(self) -> CaveMap:
        return self.query_one("#map", CaveMap)

    def on_mount(self) -> None:
        self.map.focus()
        self.watch(self.map, "painter", self._draw_section, init=False)
        self.map.cursor = self.scene.team_at
        self.map.centre_on(self.scene.team_at)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.map.light = boards_are_lit(self.app, self.preferences.now.light)
            self.map.focus()

    # Showing

    def shows_chat(self) -> bool:
        return self.panes.shows("chat", 2)

    def show_board(self, *, moved: bool) -> None:
        now = self.scene
        state, cave, seat, play = now.state, now.cave, now.seat, self.controller
        self.map.picture = map_picture(
            now.view, now.choices, reach=now.reach, ghost=play.placing.ghost(), last=now.recent_places()
        )
        aim = play.placing.aim
        self.map.labels = play.marked_places or (aim.spot_numbers() if aim is not None else {})
        self.map.flow(now.can_act)
        self._draw_section()
        following = self.follows and not now.can_act and cave.seat is not None
        self.map.followed = cave.teams[cave.seat].at if following and cave.seat is not None else None
        local = not (self.address or self.replays)
        self.query_one("#header", HeaderBar).show(now, self.address, local=local)
        owner = now.shown_seat_words if now.name_needed else ""
        known = seat not in now.view.hidden
        carried = luggage_facts(cave.teams[seat], seat) if known else None
        side = self.query_one(Side)
        side.show_luggage(carried, owner)
        self.query_one("#supplies", SupplyBar).show(now.supplies, owner, seat, cave.ap)
        if moved:
            side.compare(facts.team_rows(state, now.view), facts.token_comparison_rows(now.view))
        self.inspect()
        photos = sum(team.tokens.photo for team in cave.teams)
        if photos > self._photos and now.can_act and not self.replays:
            side.develop()
        self._photos = photos

    def _draw_section(self) -> None:
        self.query_one(Actions).draw(self.map.painter)
        if self.panes.shows("section"):
            self.query_one(Section).draw(self.map.picture, self.map.painter)

    def hints(self) -> Sequence[Hint]:
        now = self.scene
        can_pack = any(isinstance(choice, Form) for choice in now.choices)
        return key_hints.hints_of_mode(
            now.mode, can_pack=can_pack, idle=now.words_without_effect(self.controller.placing.aim)
        )

    def inspect(self) -> None:
        now, play = self.scene, self.controller
        self._inspected_in = self.app.size
        at = play.pointed_place
        whose = now.seat if now.state.my_seats else None
        place = place_facts(now, at, whose)
        aim = play.placing.aim
        self.query_one(Side).point(place, tile_in_hand_facts(now.cave, aim))
        lines = key_hints.renamed_lines(now.lines(self.map.cursor, aim), self.key_words, self.keymap)
        all_key = self.key_words.key_of("all", self.keymap)
        self.query_one("#actions", Actions).show(lines, bar_note(now, self.with_own_keys), all_key=all_key)

    def on_resize(self) -> None:
        # The size before the first frame is reported twice.
        if self.app.size != self._inspected_in:
            self.inspect()

    # The map

    def on_board_view_cursor_moved(self, event: CaveMap.CursorMoved) -> None:
        self.controller.hovered = None
        if not self.lasting_message():
            self.say("")
        self.inspect()

    def on_board_view_place_hovered(self, event: CaveMap.PlaceHovered) -> None:
        self.controller.hovered = event.at
        self.inspect()

    def on_board_view_place_clicked(self, event: CaveMap.PlaceClicked) -> None:
        self.controller.click(event.at, again=event.again)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "aim" or self.scene.mode == "placing"

    def action_aim(self, side: str) -> None:
        self.controller.placing.to_side(side)


Steps = Sequence[tuple[int, int]]

SIDE: Steps = ((60, 20), (80, 24), (100, 32), (140, 40), (200, 52))  # columns, by the window's
BOTTOM: Steps = ((15, 3), (18, 4), (24, 4), (30, 7), (45, 13), (60, 16))
BOTTOM_BESIDE: Steps = (*BOTTOM[:-2], (45, 12), BOTTOM[-1])
"""Rows for the actions and the log, by the window's rows, if they are side by side."""
REPLAY_BOTTOM = 7  # most rows of a replay, which has no plan and no chat
CONTROLS = 2  # rows of its controls, if its log is beside the map
BESIDE = 120  # columns from which the log is beside the actions
ROOMY = 100  # columns from which the pane beside the map reaches down to the keys
SECTION, TWICE, TALL = 34, 99, 9  # columns of the section, and the columns and rows from which it fits
ACTIONS = 2, 8  # least rows of the actions, and rows from which the log below them grows instead
LOG = 5, 8  # rows up to which the actions below 120 columns do not grow, and those before there is a chat


def arrange(width: int, height: int, *, replay: bool = False, chat: bool = False) -> dict[str, Box]:
    """Return the panes that a window of this size shows, by name."""
    side = grown_length(width, SIDE)
    beside, roomy = width >= BESIDE, width >= ROOMY
    bottom = grown_length(height, BOTTOM_BESIDE if beside else BOTTOM)
    if replay:
        bottom = min(bottom, REPLAY_BOTTOM)
    bars = 1 + replay
    across = max(0, width - side - 1)
    log_rows = bottom
    if replay and beside:
        bottom = CONTROLS  # the log is beside the map
    down = max(0, height - 2 - bars - bottom)
    # A replay's controls need the whole width.
    reaches = beside or (roomy and not replay)
    under = across if reaches else width
    tall = down + 1 + bottom if reaches else down
    boxes = {
        "header": Box(0, 0, width, 1),
        "map-pane": Box(0, 1, across, down),
        "rule": Box(across, 1, 1, tall),
        "supplies": Box(0, 1 + down, under, 1),
        "place": Box(0, height - 2, width, 1),
        "hints": Box(0, height - 1, width, 1),
    }
    if not replay:
        del boxes["place"]
    x, y = across + 1, 2 + down
    boxes["side"] = Box(x, 1, side, tall - log_rows if beside else tall)
    what = "controls" if replay else "actions"
    if beside:
        log = min(log_rows, LOG[1] + max(0, log_rows - 12) // 2) if chat else log_rows
        boxes |= _stacked_boxes(Box(x, 1 + tall - log_rows, side, 0), {"log": log, "chat": log_rows - log})
        wide = SECTION if under >= TWICE and bottom >= TALL else 0
        if wide:
            boxes["section"] = Box(under - wide, y, wide, bottom)
        return boxes | {what: Box(0, y, under - wide, bottom)}
    least, most = (bottom - actions for actions in ACTIONS)
    log = max(1, min(least, LOG[0]), most)
    return boxes | _stacked_boxes(Box(0, y, under, bottom), {what: bottom - log, "log": log})


def grown_length(size: int, steps: Steps) -> int:
    """Return a length that grows linearly from step to step with the size, and never faster than it."""
    (first, length), *_ = steps
    if size <= first:
        return length
    for (start, low), (end, high) in pairwise(steps):
        if size <= end:
            return low + (size - start) * (high - low) // (end - start)
    return steps[-1][1]


def _stacked_boxes(box: Box, rows: dict[str, int]) -> dict[str, Box]:
    found, y = {}, box.y
    for name, height in rows.items():
        if height > 0:
            found[name] = Box(box.x, y, box.width, height)
        y += height
    return found
