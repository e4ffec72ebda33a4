"""What The Cave's screen shows: the cave, what one carries, what one can do, what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.geometry import Size

from cave.game import Json
from cave.the_cave.actions import Form
from cave.the_cave.geometry import BASE, Coord
from client.face import Face
from client.games.the_cave import actions, supplies, teams
from client.games.the_cave.aiming import Aim, first_aim
from client.games.the_cave.cave_map import Ghost, map_picture
from client.games.the_cave.ending import end_is_near
from client.games.the_cave.guide import guide
from client.games.the_cave.inspect import inspect
from client.games.the_cave.plan import plan
from client.games.the_cave.scene import CaveScene, scene
from client.games.the_cave.screen import keys
from client.games.the_cave.screen.arrangement import LEAST, SIDE, Wishes, arrange, grown
from client.games.the_cave.screen.sentences import FOLLOWING, NOT_FOLLOWING, bar_note
from client.games.the_cave.screen.widgets.actions import Actions
from client.games.the_cave.screen.widgets.backpack import Backpack
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.games.the_cave.screen.widgets.inspector import Inspector
from client.games.the_cave.screen.widgets.map_pane import MapPane
from client.games.the_cave.screen.widgets.plan import TITLED, PlanPane
from client.games.the_cave.screen.widgets.status import HeaderBar, SupplyBar
from client.games.the_cave.screen.widgets.teams import Teams
from client.present.cells import Box
from client.settings.appearance import GlyphSetName
from client.table import Session, TableState
from client.tui.key_words import KeyWords
from client.tui.keymap import first_key
from client.tui.paned_table import PanedTable
from client.tui.sentences import GUIDE_OFF
from client.tui.table import Do
from client.tui.themes import FollowsTheme
from client.tui.widgets.chat import ChatPane
from client.tui.widgets.hints import Hints
from client.tui.widgets.log import LogPane
from client.tui.widgets.message import MessageLine
from client.tui.widgets.panes import Rule

if TYPE_CHECKING:
    from client.tui.commands import Command

ZOOMS = ("L", "M", "S")


class CaveTable(PanedTable[CaveScene], FollowsTheme):
    """The panes of the cave and how they follow the table; what one can do is in ``GameScreen``."""

    LEAST: ClassVar[tuple[int, int]] = LEAST
    COVERED: ClassVar[frozenset[str]] = frozenset({"inspector", "actions", "controls", "log", "plan", "chat"})
    key_words: ClassVar[KeyWords] = keys.KEY_WORDS

    def __init__(self, face: Face, session: Session, *, glyphs: str = "unicode", **options: Any) -> None:
        super().__init__(face, session, glyphs=glyphs, **options)
        self._glyph_set: GlyphSetName = "ascii" if glyphs == "ascii" else "unicode"
        self._packs: dict[int, Json] = {}
        self._aim: Aim | None = None
        """How a tile is held over the map: one's own, or another's that one tries out meanwhile."""
        self._wish: Coord | None = None
        self._goals: dict[int, Coord] = {}
        """Where a walk goes on in the seat's next turn."""
        self._hovered: Coord | None = None
        self._inspected_in = Size(0, 0)
        """The window in which the panes that follow the cursor were brought up to date."""
        self._labels: Mapping[Coord, str] = {}
        self._guide = guide()

    def make_scene(self, state: TableState, last: int | None) -> CaveScene:
        """The table as the shown team sees it."""
        return scene(state, last)

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """All panes; which of them are shown, and where, is a matter of the size."""
        self.set_class(self._glyph_set == "ascii", "-ascii")
        line = self._line
        yield HeaderBar(self._glyph_set, id="header")
        wished = self.preferences.now
        cave_map = CaveMap(
            glyph_set=self._glyph_set,
            zoom=wished.zoom,
            light=wished.light,
            fine=self._glyphs == "fine",
            id="map",
        )
        yield MapPane(cave_map, id="map-pane")
        yield Rule(line=line, id="rule")
        yield Backpack(line=line, id="backpack")
        yield Teams(line=line, id="teams")
        yield Inspector(line=line, id="inspector")
        yield SupplyBar(line=line, id="supplies")
        yield Actions(line=line, id="actions")
        yield LogPane(line=line, id="log")
        yield PlanPane(line=line, id="plan")
        yield ChatPane(line=line, id="chat")
        yield Hints(id="hints")
        yield MessageLine(id="message")

    def arranged(self, width: int, height: int) -> Mapping[str, Box]:
        """Where the panes lie, by what they need."""
        return arrange(width, height, self._wishes(grown(width, SIDE)))

    def _wishes(self, width: int) -> Wishes:
        """What the panes beside the map need to show all."""
        backpack, teams = self.query_one("#backpack", Backpack), self.query_one("#teams", Teams)
        return Wishes(*teams.wishes, *backpack.wishes(width), replay=self.replays)

    def shows(self, pane: str, rows: int = 1) -> bool:
        """Whether a pane is shown with at least this many rows."""
        box = self.boxes(self.app.size).get(pane)
        return box is not None and box.height >= rows

    @property
    def map(self) -> CaveMap:
        """The map of the cave."""
        return self.query_one("#map", CaveMap)

    def on_mount(self) -> None:
        """Begin where the team is."""
        self.map.focus()
        if self.scene.seat is not None:
            self.map.cursor = self.scene.team_at
            self.map.centre_on(self.scene.team_at)

    def theme_changed(self) -> None:
        """The panes may need other room."""
        self.make_room()

    def on_screen_resume(self) -> None:
        """Come back from a list, a form or the settings."""
        if self.is_mounted:
            if self._labels and not self.query("#jump"):
                self._labels = {}  # The way that was shown with a question.
                self.paint()
            self.map.light = self.preferences.now.light
            self.map.focus()

    # Showing

    def scene_changed(self, before: CaveScene, *, first: bool) -> None:
        """Put the cursor where the new scene asks for it."""
        now = self.scene
        assert now.seat is not None
        placing = now.mode == "placing"
        stale = self._aim is not None and self._aim.spots != now.spots
        if stale or placing != (before.mode == "placing"):
            self._aim = None
        if placing and self._aim is None:
            self._begin_placing()
        elif first or (now.can_act and before.turn != now.turn):
            self.map.cursor = self._goals.pop(now.seat, now.team_at)
            self.map.show(self.map.cursor)
            if not first:
                self.query_one("#header", HeaderBar).shine()
        elif before.mode == "placing" and now.mode == "acting":
            self.map.show(now.team_at)
        elif self._follows:
            self._follow()
        self._explain()

    def scene_shown(self, before: CaveScene) -> None:
        """Open what opens by itself."""
        self.open_forms()
        if before.view is not None and end_is_near(before.cave, self.scene.cave):
            self.tell_of_the_end()

    def open_forms(self) -> None:
        """Open the form that the new scene asks to be filled."""

    def tell_of_the_end(self) -> None:
        """The end has been triggered: tell once what is left to every team."""

    def shows_chat(self) -> bool:
        """Whether the chat has room for what was said."""
        return self.shows("chat", 2)

    def idle_words(self) -> str:
        """What the guide explains."""
        return self.spoken(self._guide.text)

    def _explain(self) -> None:
        """What a newcomer is told now."""
        self._guide.follow(self.scene, wanted=self.preferences.now.guides(self.face.name))

    def _follow(self) -> None:
        """Bring the team whose turn it is into sight."""
        acting = self.scene.cave.seat
        if acting is not None:
            self.map.show(self.scene.cave.teams[acting].at)

    def _begin_placing(self) -> None:
        aim, self._wish = first_aim(self.scene.spots, self._wish), None
        if aim is not None:
            self._hold(aim)

    def _hold(self, aim: Aim) -> None:
        """Hold the tile over one of its places, and look there."""
        self._aim = aim
        self.map.cursor = aim.spot.at
        self.map.show(aim.spot.at)

    def _ghost(self) -> Ghost | None:
        return None if self._aim is None else self._aim.ghost(first_key(self.keymap, "game.rotate"))

    def show_board(self, *, moved: bool) -> None:
        """Bring the panes of the cave up to date; each paints only what changed."""
        now = self.scene
        seat = now.seat
        assert seat is not None
        state, cave = now.state, now.cave
        self.map.picture = map_picture(
            now.view,
            now.choices,
            reach=now.reach,
            ghost=self._ghost(),
            last=now.recent(),
        )
        self.map.labels = self._labels or (self._aim.numbers() if self._aim is not None else {})
        self.map.flow(now.can_act)
        following = self._follows and not now.can_act and cave.seat is not None
        self.map.followed = cave.teams[cave.seat].at if following and cave.seat is not None else None
        self.query_one("#header", HeaderBar).show(
            supplies.headline(state),
            self._address or state.address,
            local=not (self._address or self.replays),
        )
        owner = supplies.owner(cave, seat) if now.name_needed else ""
        known = seat not in now.view.hidden
        luggage = supplies.luggage(cave.teams[seat], seat) if known else None
        self.query_one("#backpack", Backpack).show(luggage, owner, seat)
        self.query_one("#supplies", SupplyBar).show(now.supplies, owner, seat, cave.ap)
        if moved:
            self.query_one("#teams", Teams).show(teams.rows(state, now.view), teams.tokens(now.view))
        self.inspect()

    def show_hints(self) -> None:
        """The keys of the moment."""
        now = self.scene
        can_pack = any(isinstance(choice, Form) for choice in now.choices)
        idle = now.idle(self._aim)
        found = keys.hints(
            now.mode, can_pack=can_pack, unread=self._unread, taken=bool(now.state.taken), idle=idle
        )
        self.query_one("#hints", Hints).show(self.key_words.hints(found, self.keymap))

    def inspect(self) -> None:
        """Bring the panes that follow the cursor up to date."""
        now = self.scene
        if now.seat is None or now.view is None:
            return
        self._inspected_in = self.app.size
        at = self._hovered or self.map.cursor
        whose = now.seat if now.state.my_seats else None
        place = inspect(now.cave, at, whose, now.choices, now.refusals, hidden=now.view.hidden)
        if self.shows("plan"):
            self.query_one("#plan", PlanPane).show(plan(now.cave, now.seat, at, self._ghost()))
            if self.shows("plan", TITLED):
                place = replace(place, journey=None)  # The plan tells it in full.
        hand = None
        if self._aim is not None and now.cave.seat is not None:
            hand = actions.hand(now.cave, now.cave.seat, now.spots, self._aim.place, self._aim.turn)
        self.query_one("#inspector", Inspector).show(place, hand)
        lines = keys.renamed_lines(now.lines(self.map.cursor, self._aim), self.keymap)
        all_key = self.key_words.key_of("all", self.keymap)
        self.query_one("#actions", Actions).show(lines, bar_note(now, self.spoken), all_key=all_key)

    def on_resize(self) -> None:
        """In another window other panes are shown. The first one is no other: it is told of after the first
        frame.
        """
        if self.app.size != self._inspected_in:
            self.inspect()

    def refused(self, message: str) -> None:
        """Tell why something was not done; what was to come of it is forgotten."""
        self._wish = None
        self.forget_asked()
        super().refused(message)

    def forget_asked(self) -> None:
        """Forms may open by themselves again."""

    # Looking around

    def doings(self) -> Mapping[str, Do]:
        """Looking around on the map, and the guide."""
        return {
            **super().doings(),
            "exit": lambda _: self._cycle(self.scene.exits()),
            "base": lambda _: self.map.move_cursor(BASE),
            "find": lambda _: self.map.move_cursor(self.scene.team_at),
            "team": lambda seat: self._show_team(int(seat)),
            "follow": lambda _: self._toggle_follow(),
            "zoom": lambda _: self._zoom(),
            "centre": lambda _: self.map.centre_on(self.map.cursor),
            "guide": lambda _: self._toggle_guide(),
        }

    def look_at(self, at: Coord) -> None:
        """Put the cursor on a place and bring it into sight."""
        self.map.move_cursor(at)

    def point_at(self, at: Coord) -> None:
        """Show a place that a line of the log is about."""
        self.map.centre_on(at)
        self.map.move_cursor(at)

    def _show_team(self, seat: int) -> None:
        """A click on a team points at it; a second one brings it to the middle of the map."""
        at = self.scene.cave.teams[seat].at
        if self.map.cursor == at:
            self.map.centre_on(at)
        self.look_at(at)

    def _toggle_follow(self) -> None:
        self._follows = not self._follows
        self.say(self.spoken(FOLLOWING if self._follows else NOT_FOLLOWING), "text")
        if self._follows and self.scene.view is not None:
            self._follow()

    def _cycle(self, places: Sequence[Coord]) -> None:
        if not places:
            self.say("There is none.")
            return
        at = self.map.cursor
        index = places.index(at) + 1 if at in places else 0
        self.map.move_cursor(places[index % len(places)])

    def _zoom(self) -> None:
        self.map.zoom = ZOOMS[(ZOOMS.index(self.map.zoom) + 1) % len(ZOOMS)]

    def on_board_view_cursor_moved(self, event: CaveMap.CursorMoved) -> None:
        """The panes follow the cursor."""
        self._hovered = None
        if not self.banner():
            self.say("")
        self.inspect()

    def on_board_view_place_hovered(self, event: CaveMap.PlaceHovered) -> None:
        """The inspector follows the pointer."""
        self._hovered = event.at
        self.inspect()

    def _toggle_guide(self) -> None:
        guided = not self.preferences.now.guides(self.face.name)
        problem = self.preferences.guide(self.face.name, wanted=guided)
        self._explain()
        self.say(problem or ("" if guided else self.spoken(GUIDE_OFF)), "text")

    def players(self) -> Iterator[Command]:
        """Each team, for the palette."""
        from client.games.the_cave.screen.commands import teams

        yield from teams(self.scene, self.look_at)

    def searched(self, query: str) -> Iterator[Command]:
        """The places of the cave."""
        from client.games.the_cave.screen.commands import places

        yield from places(self.scene, query, self.look_at)

    def about(self) -> Sequence[str]:
        """The rules that matter at the place under the cursor, or for what was just said."""
        from client.games.the_cave import about

        told = self.query_one("#message", MessageLine).text
        return about.here(self.scene, self._hovered or self.map.cursor, told)
