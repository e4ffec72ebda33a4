"""What the game screen shows: the cave, what one carries, what one can do, what has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.geometry import Size
from textual.layout import Layout
from textual.message import Message

from cave.game import Json
from cave.the_cave.actions import Form
from cave.the_cave.geometry import Coord
from client.face import Face
from client.games.the_cave import actions, log, supplies, teams
from client.games.the_cave.cave_map import Ghost, map_picture
from client.games.the_cave.ending import end_is_near
from client.games.the_cave.glyphs import GlyphSetName
from client.games.the_cave.guide import Tip, tip
from client.games.the_cave.inspect import inspect
from client.games.the_cave.plan import plan
from client.games.the_cave.scene import Desk, desk
from client.games.the_cave.screen import keys
from client.games.the_cave.screen.arrangement import LEAST, SIDE, Wishes, arrange, grown
from client.games.the_cave.screen.sentences import HEARD, ONLY_HEARD, banner, bar_note
from client.games.the_cave.screen.widgets.actions import Actions
from client.games.the_cave.screen.widgets.backpack import Backpack
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.games.the_cave.screen.widgets.inspector import Inspector
from client.games.the_cave.screen.widgets.map_pane import MapPane
from client.games.the_cave.screen.widgets.plan import TITLED, PlanPane
from client.games.the_cave.screen.widgets.status import HeaderBar, Hints, MessageLine, SupplyBar
from client.games.the_cave.screen.widgets.teams import Teams
from client.present.cells import Box
from client.present.chat import is_told, news
from client.present.log import count_from, entries
from client.present.trouble import NO_LINK
from client.settings.schema import Preferences
from client.table import Rejected, Session, TableState
from client.tui.covering import Leavable
from client.tui.keymap import Keymap, first_key
from client.tui.widgets.chat import ChatPane
from client.tui.widgets.log import LogPane
from client.tui.widgets.panel import Panel
from client.tui.widgets.panes import ByName, Rule

if TYPE_CHECKING:
    from client.tui.screens.score import ScoreScreen

NOTICE = 20.0  # seconds
RECENT_LINES = 40
"""Lines of the log that the pane may show."""
BELOW = ("actions", "controls", "log", "plan", "chat")
"""The panes over which lies what is said."""


class TableScreen(Leavable):
    """The panes of a table and how they follow its state; what one can do is in ``GameScreen``."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["game.tcss"]
    LEAST: ClassVar[tuple[int, int]] = LEAST
    REPLAYS: ClassVar[bool] = False
    # Nothing here asks for the classes of sizes, and to set them would style every pane anew.
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012

    class Turn(Message):
        """Whether it is the turn of somebody here; ``new`` where that has just begun."""

        def __init__(self, mine: bool, new: bool) -> None:
            super().__init__()
            self.mine = mine
            self.new = new

    class Changed(Message):
        """The session has a new state."""

        def can_replace(self, message: Message) -> bool:
            """Only the newest state counts."""
            return isinstance(message, TableScreen.Changed)

    def __init__(
        self,
        face: Face,
        session: Session,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        last_pack: Json | None = None,
        address: str = "",
        follow: bool = False,
        saved: bool = True,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__()
        self.face = face
        self.session = session
        self.preferences = preferences or Preferences()
        wish = self.preferences.now.follow
        watching = not session.state.my_seats
        self._follows = follow or wish == "always" or (wish == "watching" and watching)
        self._glyphs: GlyphSetName = "ascii" if glyphs == "ascii" else "unicode"
        self._line = "-" if glyphs == "ascii" else "─"
        self._record_path = record_path
        self._last_pack = last_pack
        self._packs: dict[int, Json] = {}
        self._address = address
        self._saved = saved
        self._desk: Desk = desk(session.state, None)
        self._place = 0
        self._turn = 0
        self._wish: Coord | None = None
        self._goals: dict[int, Coord] = {}
        """Where a walk goes on in the seat's next turn."""
        self._busy = False
        self._news = asyncio.Event()
        self._asked: set[int] = set()
        self._keys_shown: Keymap | None = None
        self._scored = False
        self._sheet: ScoreScreen | None = None
        self._hovered: Coord | None = None
        self._labels: Mapping[Coord, str] = {}
        self._trying = False
        self._tip: Tip | None = None
        self._tips_seen: set[str] = set()
        self._tip_since = 0
        self._unread = 0
        self._talking = False
        self._panes = ByName(self._boxes)
        self._laid_out: Mapping[str, Box] = {}

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """All panes; which of them are shown, and where, is a matter of the size."""
        self.set_class(self._glyphs == "ascii", "-ascii")
        line = self._line
        yield HeaderBar(self._glyphs, id="header")
        cave_map = CaveMap(glyph_set=self._glyphs, zoom=self.preferences.now.zoom, id="map")
        yield MapPane(cave_map, id="map-pane")
        yield Rule(line=line, id="rule")
        yield Backpack(line=line, id="backpack")
        yield Teams(line=line, id="teams")
        yield Inspector(line=line, id="inspector")
        yield SupplyBar(line=line, id="supplies")
        yield Actions(line=line, id="actions")
        yield Rule(line=line, id="rule-below")
        yield LogPane(line=line, id="log")
        yield PlanPane(line=line, id="plan")
        yield ChatPane(line=line, id="chat")
        yield Hints(id="hints")
        yield MessageLine(id="message")

    @property
    def layout(self) -> Layout:
        """Where the panes lie."""
        return self._panes

    def _boxes(self, size: Size) -> Mapping[str, Box]:
        """The panes in a window of this size, and over the last rows above the keys what is said."""
        width, height = size
        boxes = arrange(width, height, self._wishes(grown(width, SIDE)))
        end = boxes["place" if self.REPLAYS else "hints"].y
        said = self.query_one("#message", MessageLine).lines(width)
        return boxes | {
            "message": Box(0, end - said, width, said),
            "jump": Box(0, end - 1, width, 1),
        }

    def _wishes(self, width: int) -> Wishes:
        """What the panes beside the map need to show all."""
        backpack, teams = self.query_one("#backpack", Backpack), self.query_one("#teams", Teams)
        return Wishes(*teams.wishes, *backpack.wishes(width), replay=self.REPLAYS)

    def shows(self, pane: str, rows: int = 1) -> bool:
        """Whether there is room for a pane, and for so many rows of it."""
        box = self._boxes(self.app.size).get(pane)
        return box is not None and box.height >= rows

    @property
    def map(self) -> CaveMap:
        """The map of the cave."""
        return self.query_one("#map", CaveMap)

    @property
    def keymap(self) -> Keymap:
        """The keys that the person has chosen in place of the usual ones."""
        return self.preferences.now.keys

    @property
    def desk(self) -> Desk:
        """What is shown now."""
        return self._desk

    def on_mount(self) -> None:
        """Show the first state and listen for more."""
        self.map.focus()
        if self._desk.seat is not None:
            self.map.cursor = self._desk.team_at
            self.map.centre_on(self._desk.team_at)
        self._show(self.session.state, first=True)
        self.session.listen(self._heard)

    async def _until(self, holds: Callable[[TableState], bool]) -> None:
        """Wait for a state of which this holds, or for the link to go."""
        while not holds(self.session.state) and self.session.state.link == "live":
            self._news.clear()
            await self._news.wait()

    def _heard(self, _state: TableState) -> None:
        """Called by the session, maybe outside of this screen's own task."""
        self._news.set()
        if self.is_attached:
            self.post_message(self.Changed())

    def on_table_screen_changed(self) -> None:
        """Show the newest state. What all see and what each seat sees come one after the other: a moment
        of which there is but a part is not shown, as the rest is on its way.
        """
        state = self.session.state
        if state is not self._desk.state and (state.whole or state.link != "live"):
            self._show(state)

    def on_screen_resume(self) -> None:
        """Come back from a list, a form or the settings."""
        if self.is_mounted:
            self.map.focus()
            # Only other keys are no matter of the table's own.
            if self._keys_shown not in (None, self.keymap):
                self._paint()

    # Showing

    def _show(self, state: TableState, *, first: bool = False) -> None:
        before, self._desk = self._desk, desk(state, self._desk.seat)
        now = self._desk
        if now.view is None or now.seat is None:
            return
        if before.spots != now.spots:
            self._trying = False
        if now.mode == "placing" and (before.mode != "placing" or first):
            self._begin_placing()
        elif first or (now.can_act and _turn_of(before) != _turn_of(now)):
            self.map.cursor = self._goals.pop(now.seat, now.team_at)
            self.map.show(self.map.cursor)
        elif before.mode == "placing" and now.mode == "acting":
            self.map.show(now.team_at)
        elif self._follows:
            self._follow()
        if first or _turn_of(before) != _turn_of(now):
            self.post_message(self.Turn(now.can_act, now.can_act and not first))
        self._explain()
        said = () if self._talking else news(before.state.chat, state.chat)
        self._unread += len(said)
        self._paint(moved=True)
        words = banner(state, self.keymap)
        told = is_told(len(state.my_seats), self.preferences.now.chat)
        if said and told and not words and not self.shows("chat", 2):
            heard = HEARD if state.may_talk else ONLY_HEARD
            self._say(keys.spoken(heard, self.keymap).format(name=said[-1].name, text=said[-1].text), "text")
        if words and words != banner(before.state, self.keymap) and self._is_covered:
            # Under a form it would be seen too late.
            self.notify(words, severity="warning", timeout=NOTICE, markup=False)
        self._ask()
        if before.view is not None and end_is_near(before.cave, now.cave):
            self._alarm()

    def _explain(self) -> None:
        """What a newcomer is told now; what was told before the table went on is not told again."""
        state = self._desk.state
        # What the seat sees may come a moment before what all see: its own number counts.
        seq = state.seen.get(self._desk.seat or 0, state.seq)
        if self._tip is not None and seq != self._tip_since:
            self._tips_seen.add(self._tip.name)
        self._tip_since = seq
        guided = self.preferences.now.guide and bool(self._desk.state.my_seats)
        self._tip = tip(self._desk, self._tips_seen) if guided else None

    def _follow(self) -> None:
        """Bring the team whose turn it is into sight."""
        acting = self._desk.cave.seat
        if acting is not None:
            self.map.show(self._desk.cave.teams[acting].at)

    def _begin_placing(self) -> None:
        spots = self._desk.spots
        wished = [number for number, spot in enumerate(spots) if spot.at == self._wish]
        self._place, self._turn = (wished or [0])[0], 0
        self._wish = None
        if spots:
            self._follow_ghost()

    def _follow_ghost(self) -> None:
        at = self._desk.spots[self._place].at
        self.map.cursor = at
        self.map.show(at)

    def _ghost(self) -> Ghost | None:
        if not self._aiming:
            return None
        spot = self._desk.spots[self._place]
        key = first_key(self.keymap, "game.rotate")
        hint = (f"{key} rotate" if key else "[r]otate") if len(spot.turns) > 1 else ""
        return Ghost(at=spot.at, rotation=spot.turns[self._turn], hint=hint)

    @property
    def _aiming(self) -> bool:
        """Whether a tile is held over a place: one's own, or another's that one tries out meanwhile."""
        return bool(self._desk.spots) and (self._desk.mode == "placing" or self._trying)

    def _place_numbers(self) -> Mapping[Coord, str]:
        """Numbers on the other places where the tile in hand may lie."""
        if not self._aiming:
            return {}
        return {
            spot.at: str(number)
            for number, spot in enumerate(self._desk.spots, 1)
            if number != self._place + 1
        }

    def _paint(self, *, moved: bool = False) -> None:
        """Bring every pane up to date; each paints only what changed."""
        now = self._desk
        seat = now.seat
        assert seat is not None
        state, cave = now.state, now.cave
        self.map.picture = map_picture(
            now.view,
            now.choices,
            reach=now.reach,
            ghost=self._ghost(),
            last=now.recent(),
            labels=self._labels or self._place_numbers(),
        )
        self.query_one("#header", HeaderBar).show(
            supplies.headline(state),
            self._address or state.address,
            local=not (self._address or self.REPLAYS),
        )
        owner = supplies.owner(cave, seat) if now.name_needed else ""
        known = seat not in now.view.hidden
        luggage = supplies.luggage(cave.teams[seat], seat) if known else None
        self.query_one("#backpack", Backpack).show(luggage, owner)
        self.query_one("#supplies", SupplyBar).show(now.supplies, owner, seat)
        if moved:
            self.query_one("#teams", Teams).show(teams.rows(state, now.view), teams.tokens(now.view))
            lines = entries(log.log_line, state.log, now.view, last=RECENT_LINES)
            since = now.since if state.my_seats else 0
            self.query_one("#log", LogPane).show(
                lines, since, count_from(log.log_line, state.log, since, now.view)
            )
        can_pack = any(isinstance(choice, Form) for choice in now.choices)
        self._keys_shown = self.keymap
        idle = now.idle(self._place)
        hints = keys.hints(
            now.mode, can_pack=can_pack, unread=self._unread, taken=bool(state.taken), idle=idle
        )
        self.query_one("#hints", Hints).show(keys.renamed(hints, self.keymap))
        chat_key = keys.key_of("chat", self.keymap)
        self.query_one("#chat", ChatPane).show(state.chat, self._unread, chat_key, answers=state.may_talk)
        words = banner(state, self.keymap)
        if words:
            self._say(words, "loud")
        elif moved:
            self._say("")
        self._inspect()

    def _inspect(self) -> None:
        """The panes that follow the cursor."""
        now = self._desk
        if now.seat is None or now.view is None:
            return
        at = self._hovered or self.map.cursor
        whose = now.seat if now.state.my_seats else None
        place = inspect(now.cave, at, whose, now.choices, now.refusals, hidden=now.view.hidden)
        if self.shows("plan"):
            self.query_one("#plan", PlanPane).show(plan(now.cave, now.seat, at, self._ghost()))
            if self.shows("plan", TITLED):
                place = replace(place, journey=None)  # The plan tells it in full.
        hand = None
        if self._aiming and now.cave.seat is not None:
            hand = actions.hand(now.cave, now.cave.seat, now.spots, self._place, self._turn)
        self.query_one("#inspector", Inspector).show(place, hand)
        lines = keys.renamed_lines(self._lines(), self.keymap)
        all_key = keys.key_of("all", self.keymap)
        self.query_one("#actions", Actions).show(lines, bar_note(now, self.keymap), all_key=all_key)

    def _lines(self) -> tuple[actions.ActionLine, ...]:
        now = self._desk
        assert now.seat is not None
        if now.state.ended_early:
            return ()
        if now.mode == "placing":
            return actions.placing_lines(now.spots, self._place)
        if not now.can_act:
            return ()
        found = actions.lines(now.cave, now.seat, now.choices, now.refusals)
        return actions.with_obvious(found, self._obvious())

    def _obvious(self) -> actions.Obvious:
        now = self._desk
        assert now.seat is not None
        return actions.obvious(now.cave, now.seat, now.choices, now.refusals, self.map.cursor)

    def _say(self, text: str, role: str = "warn") -> None:
        """Say something, or with nothing to say what the guide explains."""
        if not text and self._tip is not None:
            text, role = keys.spoken(self._tip.text, self.keymap), "tip"
        self.query_one("#message", MessageLine).say(text, role)
        self._make_room()

    def on_resize(self) -> None:
        """Another window: what is said lies over other panes, and others are shown."""
        self._make_room()
        self._inspect()

    def _make_room(self) -> None:
        """Lay the panes out where they need other rows, and keep their lines out of those of what is said."""
        boxes = self._boxes(self.app.size)
        if boxes != self._laid_out:
            self._laid_out = boxes
            # Asked for by a pane: where the panes lie is kept until one of them wants it anew, and what
            # the screen itself asks for while it is covered would find the old places when it is back.
            self.query_one("#backpack").refresh(layout=True)
        message = self.query_one("#message", MessageLine)
        top = boxes["message"].y if message.display else self.app.size.height
        for pane in self.query(Panel):
            box = boxes.get(pane.id or "")
            if box is not None and pane.id in BELOW:
                pane.cover(max(0, min(box.height, box.y + box.height - top)))

    @property
    def _is_covered(self) -> bool:
        """Whether a form or a list lies over the table; one that has been left lies under nothing."""
        return not self.is_active and self in self.app.screen_stack

    # Asking the host

    def _send(self, seat: int, action: Json) -> None:
        """Do an action."""
        if action["type"] != "end_turn":
            self._goals.pop(seat, None)  # Somebody who does something else goes elsewhere.
        self._ask_host(lambda: self.session.act(seat, action))

    def _ask_host(self, do: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self.session.state.cut_off:
            self._refused(NO_LINK)
            return
        if self._busy:
            return
        self._busy = True

        async def work() -> None:
            try:
                await do()
            except Rejected as no:
                self._refused(no.message)
            except ConnectionError as error:
                self._refused(str(error) or NO_LINK)
            finally:
                self._busy = False

        self.run_worker(work(), group="act", exit_on_error=True)

    def _refused(self, message: str) -> None:
        self._wish = None
        self._asked.clear()
        words = (
            ""
            if message == NO_LINK and self.session.state.expects_host
            else banner(self.session.state, self.keymap)
        )
        self._say(words or message, "loud" if words else "warn")

    # What opens by itself

    def _ask(self) -> None:
        """Open what opens by itself in the new state."""

    def _alarm(self) -> None:
        """The end has been triggered: tell once what is left to every team."""


def _turn_of(shown: Desk) -> tuple[Any, ...]:
    """What tells one turn from the next."""
    cave = shown.view.cave if shown.view is not None else None
    return (shown.seat, shown.can_act, cave.seat if cave is not None else None, shown.since)
