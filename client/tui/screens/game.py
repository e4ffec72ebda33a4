"""The game screen: the cave, what one carries, what one can do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from cave.game import Json
from cave.the_cave.actions import Choice, Form, Move, Place
from cave.the_cave.geometry import BASE, Coord
from cave.the_cave.routes import Leg
from client.present import actions, log, table, teams, terms
from client.present.cave_map import Ghost, map_picture
from client.present.desk import Desk, desk
from client.present.inspect import inspect
from client.table_state import Rejected, Session, TableState
from client.tui.screens import game_keys
from client.tui.screens.game_words import (
    CONFIRM_ABANDON,
    CONFIRM_END,
    CONFIRM_FORCE,
    NO_PLACE,
    NOT_NOW,
    NOTHING_TO_RESET,
    NOTHING_TO_UNDO,
    bar_note,
    link_words,
)
from client.tui.widgets.actions import Actions
from client.tui.widgets.backpack import Backpack
from client.tui.widgets.cave_map import CaveMap
from client.tui.widgets.inspector import Inspector
from client.tui.widgets.log import LogPane
from client.tui.widgets.panel import Panel
from client.tui.widgets.status import HeaderBar, Hints, MessageLine, SupplyBar
from client.tui.widgets.teams import Teams

RECENT_LINES = 40
"""Lines of the log that the pane may show."""


class GameScreen(Screen[str]):
    """A table one plays at or watches. Gives ``menu`` or ``quit`` when the person leaves."""

    CSS_PATH = "game.tcss"
    BINDINGS: ClassVar[list[BindingType]] = game_keys.BINDINGS

    class Changed(Message):
        """The session has a new state."""

        def can_replace(self, message: Message) -> bool:
            """Only the newest state counts."""
            return isinstance(message, GameScreen.Changed)

    def __init__(
        self,
        session: Session,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        last_pack: Json | None = None,
        address: str = "",
    ) -> None:
        super().__init__()
        self.session = session
        self._glyphs = glyphs
        self._line = "-" if glyphs == "ascii" else "─"
        self._record_path = record_path
        self._last_pack = last_pack
        self._packs: dict[int, Json] = {}
        self._address = address
        self._desk: Desk = desk(session.state, None)
        self._place = 0
        self._turn = 0
        self._wish: Coord | None = None
        self._busy = False
        self._asked: tuple[int, int] | None = None
        self._scored = False
        self._hovered: Coord | None = None

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """Header, map and side column, supplies, actions and log, message and hints."""
        yield HeaderBar(self._glyphs, id="header")
        with Horizontal(id="body"):
            yield CaveMap(glyph_set=self._glyphs, id="map")  # type: ignore[arg-type]
            with Vertical(id="side"):
                yield Backpack(line=self._line, id="backpack")
                yield Teams(line=self._line, id="teams")
                yield Inspector(line=self._line, id="inspector")
        yield SupplyBar(line=self._line, id="supplies")
        with Container(id="bottom"):
            yield Actions(line=self._line, id="actions")
            yield LogPane(line=self._line, id="log")
        yield MessageLine(id="message")
        yield Hints(id="hints")

    @property
    def map(self) -> CaveMap:
        """The map of the cave."""
        return self.query_one("#map", CaveMap)

    @property
    def desk(self) -> Desk:
        """What is shown now."""
        return self._desk

    def on_mount(self) -> None:
        """Show the first state and listen for more."""
        self.set_class(self._glyphs == "ascii", "-ascii")
        self.map.focus()
        if self._desk.seat is not None:
            self.map.cursor = self._desk.team_at
            self.map.centre_on(self._desk.team_at)
        self._show(self.session.state, first=True)
        self.session.listen(self._heard)

    def _heard(self, _state: TableState) -> None:
        """Called by the session, maybe outside of this screen's own task."""
        if self.is_attached:
            self.post_message(self.Changed())

    def on_game_screen_changed(self) -> None:
        """Show the newest state."""
        self._show(self.session.state)

    def on_screen_resume(self) -> None:
        """Come back from a list or a form."""
        if self.is_mounted:
            self.map.focus()

    # Showing

    def _show(self, state: TableState, *, first: bool = False) -> None:
        before, self._desk = self._desk, desk(state, self._desk.seat)
        now = self._desk
        if now.view is None or now.seat is None:
            return
        if now.mode == "placing" and (before.mode != "placing" or first):
            self._begin_placing()
        elif first or (now.can_act and _turn_of(before) != _turn_of(now)):
            self.map.cursor = now.team_at
            self.map.show(now.team_at)
            if not first:
                self.app.bell()
        elif before.mode == "placing" and now.mode == "acting":
            self.map.show(now.team_at)
        self._paint(moved=True)
        self._ask()

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
        if self._desk.mode != "placing" or not self._desk.spots:
            return None
        spot = self._desk.spots[self._place]
        hint = "[r]otate" if len(spot.turns) > 1 else ""
        return Ghost(at=spot.at, rotation=spot.turns[self._turn], hint=hint)

    def _paint(self, *, moved: bool = False) -> None:
        """Bring every pane up to date; each paints only what changed."""
        now = self._desk
        seat = now.seat
        assert seat is not None
        state, cave = now.state, now.cave
        self.map.picture = map_picture(
            now.view, now.choices, reach=now.reach, ghost=self._ghost(), last=now.recent()
        )
        self.query_one("#header", HeaderBar).show(table.headline(state), self._address or state.address)
        owner = table.owner(cave, seat) if now.name_needed else ""
        known = seat not in now.view.hidden
        luggage = table.luggage(cave.teams[seat], seat) if known else None
        self.query_one("#backpack", Backpack).show(luggage, owner)
        self.query_one("#supplies", SupplyBar).show(now.supplies, owner, seat)
        if moved:
            self.query_one("#teams", Teams).show(teams.rows(state, now.view), teams.tokens(now.view))
            entries = log.entries(state.log, cave, last=RECENT_LINES)
            fresh = sum(log.line(n, x.event, cave) is not None for n, x in enumerate(state.log[now.since :]))
            self.query_one("#log", LogPane).show(entries, now.since, fresh)
        can_pack = any(isinstance(choice, Form) for choice in now.choices)
        self.query_one("#hints", Hints).show(game_keys.hints(now.mode, can_pack=can_pack))
        broken = link_words(state.link)
        if broken:
            self._say(broken, "loud")
        elif moved:
            self._say("")
        self._inspect()

    def _inspect(self) -> None:
        """The panes that follow the cursor."""
        now = self._desk
        if now.seat is None or now.view is None:
            return
        at = self._hovered or self.map.cursor
        place = inspect(now.cave, at, now.seat, now.choices, now.refusals, now.reach)
        hand = None
        if now.mode == "placing" and now.spots:
            hand = actions.hand(now.cave, now.seat, now.spots, self._place, self._turn)
            if self._hovered is None:
                place = None  # type: ignore[assignment]
        self.query_one("#inspector", Inspector).show(place, hand)
        self.query_one("#actions", Actions).show(self._lines(), bar_note(now))

    def _lines(self) -> tuple[actions.ActionLine, ...]:
        now = self._desk
        assert now.seat is not None
        if now.mode == "placing":
            return actions.placing_lines(now.spots, self._place)
        if not now.can_act:
            return ()
        found = actions.lines(now.cave, now.seat, now.choices, now.refusals)
        first = self._obvious().line
        return (first, *found) if first.legal else found

    def _obvious(self) -> actions.Obvious:
        now = self._desk
        assert now.seat is not None
        return actions.obvious(now.cave, now.seat, now.choices, now.refusals, self.map.cursor)

    def _say(self, text: str, role: str = "warn") -> None:
        self.query_one("#message", MessageLine).say(text, role)

    # Forms and the score sheet open by themselves

    def _ask(self) -> None:
        now = self._desk
        if now.mode == "over" and not self._scored:
            self._scored = True
            self._score()
        if now.mode == "packing" and now.seat is not None and self._asked is None:
            form = actions.find(now.choices, "pack")
            if form is not None:
                self._asked = (now.seat, now.state.seq)
                self._fill(form, curtain=len(now.state.my_seats) > 1)

    def _fill(self, form: Form, *, curtain: bool = False) -> None:
        from client.tui.screens.packing import form_screen

        seat = self._desk.seat
        assert seat is not None
        name = self._desk.cave.teams[seat].name
        last = self._packs.get(seat, self._last_pack)
        screen = form_screen(form, seat=seat, name=name, glyphs=self._glyphs, curtain=curtain, last=last)

        def filled(action: Json | None) -> None:
            if action is None:
                return
            if action["type"] == "pack":
                self._packs[seat] = action
            self._asked = None
            self._send(seat, [action])

        self.app.push_screen(screen, filled)

    def _score(self) -> None:
        from client.tui.screens.score import ScoreScreen

        screen = ScoreScreen(self._desk.state, record_path=self._record_path, glyphs=self._glyphs)

        def left(answer: str | None) -> None:
            if answer is not None:
                self.dismiss(answer)

        self.app.push_screen(screen, left)

    # Sending

    def _send(self, seat: int, data: Sequence[Json]) -> None:
        """Do actions one after the other, until one is refused."""

        async def do() -> None:
            for action in data:
                await self.session.act(seat, action)

        self._ask_host(do)

    def _ask_host(self, do: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._busy:
            return
        self._busy = True

        async def work() -> None:
            try:
                await do()
            except Rejected as no:
                self._refused(no.message)
            except ConnectionError as error:
                self._refused(str(error) or link_words("lost"))
            finally:
                self._busy = False

        self.run_worker(work(), group="act", exit_on_error=True)

    def _refused(self, message: str) -> None:
        self._wish = None
        self._asked = None
        self._say(message)

    def _act(self, choice: Choice) -> None:
        seat = self._desk.seat
        assert seat is not None
        if isinstance(choice.action, Move):
            self.map.cursor = choice.action.to
            self.map.show(choice.action.to)
        self._send(seat, [self._desk.state.game.action_json(choice.action)])

    def _walk(self, legs: Sequence[Leg]) -> None:
        seat = self._desk.seat
        assert seat is not None
        game = self._desk.state.game
        self._send(seat, [game.action_json(Move(leg.to, leg.by)) for leg in legs])

    # Doing: every key, click and palette entry comes here with a word

    def action_do(self, word: str) -> None:
        """Do what a key, a click or the palette asks for."""
        kind, _, more = word.partition(":")
        do: Callable[..., None] | None = getattr(self, f"_do_{kind}", None)
        if do is not None:
            do(more) if more else do()
        else:
            self._do_plain(kind)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """A click on a line or a hint."""
        event.stop()
        self.action_do(event.do)

    def _do_plain(self, kind: str) -> None:
        """An action that needs no more to be said, a form, or the reason why not."""
        choice = actions.find(self._desk.choices, kind) if self._desk.can_act else None
        if isinstance(choice, Form):
            self._fill(choice)
        elif choice is not None:
            self._act(choice)
        else:
            self._say(self._why(kind))

    def _why(self, kind: str) -> str:
        if not self._desk.can_act:
            return bar_note(self._desk) or NOT_NOW
        if self._desk.mode == "placing":
            return NO_PLACE
        reasons = (no.message for no in self._desk.refusals if no.action.get("type") == kind)
        return next(reasons, NOT_NOW)

    def _do_enter(self) -> None:
        now = self._desk
        if now.mode == "over":
            self._score()
        elif now.mode == "placing":
            self._do_place()
        elif not now.can_act:
            self._say(bar_note(now) or NOT_NOW)
        else:
            self._do_obvious(self._obvious())

    def _do_obvious(self, found: actions.Obvious) -> None:
        if found.do == "move":
            self._go(found.choices)
        elif found.do == "walk":
            self._walk(found.legs)
        elif found.do == "discover":
            self._do_discover(wish=self.map.cursor)
        elif found.do:
            self._do_plain(found.do)
        else:
            self._say(found.line.why)

    def _go(self, choices: Sequence[Choice]) -> None:
        from client.tui.screens.game_lists import offer_entries

        if len(choices) == 1:
            self._move(choices[0])
            return
        assert self._desk.seat is not None
        found = actions.offers(self._desk.cave, self._desk.seat, choices)
        self._choose("Which way?", offer_entries(found), self._move)

    def _move(self, choice: Choice) -> None:
        forced = isinstance(choice.action, Move) and choice.action.by == "force"
        if forced and self._desk.mode != "starving":
            self._confirm(*CONFIRM_FORCE, lambda: self._act(choice))
        else:
            self._act(choice)

    def _do_go(self, by: str) -> None:
        """A way named in the inspector."""
        at = self.map.cursor
        for choice in actions.moves(self._desk.choices):
            if choice.action == Move(at, by):  # type: ignore[arg-type]
                self._move(choice)
                return

    def _do_discover(self, wish: Coord | None = None) -> None:
        self._wish = wish if wish is not None else self.map.cursor
        self._do_plain("discover")

    def _do_moves(self) -> None:
        from client.tui.screens.game_lists import move_entries

        entries = move_entries(self._desk) if self._desk.can_act else []
        if entries:
            self._choose("Where to?", entries, self._move)
        else:
            self._say(self._why("move"))

    def _do_camp(self) -> None:
        seat = self._desk.seat or 0
        pitched = self._desk.view is not None and self._desk.cave.teams[seat].camp.state == "pitched"
        self._do_plain("strike" if pitched else "pitch")

    def _do_abandon(self) -> None:
        choice = actions.find(self._desk.choices, "abandon")
        if choice is None:
            self._do_plain("abandon")
        else:
            self._confirm(*CONFIRM_ABANDON, lambda: self._act(choice))

    def _do_end_turn(self) -> None:
        now = self._desk
        choice = actions.find(now.choices, "end_turn")
        if choice is not None and actions.loses_something(now.cave, now.choices):
            question, yes, no = CONFIRM_END
            self._confirm(question.format(ap=now.cave.ap), yes, no, lambda: self._act(choice))
        else:
            self._do_plain("end_turn")

    def _do_undo(self, steps: int = 1) -> None:
        seat = self._desk.seat
        if seat is None or not self._desk.state.undoable.get(seat):
            self._say(NOTHING_TO_UNDO)
            return
        self._ask_host(lambda: self.session.undo(seat, steps))

    def _do_reset(self) -> None:
        steps = self._desk.state.undoable.get(self._desk.seat or 0, 0)
        if steps:
            self._do_undo(steps)
        else:
            self._say(NOTHING_TO_RESET)

    # Placing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrows choose places only while placing."""
        if action == "aim":
            return self._desk.mode == "placing"
        return True

    def action_aim(self, side: str) -> None:
        """Choose the legal place on this side."""
        for number, spot in enumerate(self._desk.spots):
            if spot.side == side:
                self._select(number)
                return
        self._say(f"No legal place to the {terms.SIDE_WORDS[side]}.")

    def _select(self, number: int) -> None:
        if number != self._place:
            self._place, self._turn = number, 0
        self._follow_ghost()
        self._say("")
        self._paint()

    def _do_rotate(self) -> None:
        if self._desk.mode != "placing" or not self._desk.spots:
            self._say("There is no tile in hand to turn.")
            return
        turns = self._desk.spots[self._place].turns
        if len(turns) == 1:
            self._say("There it fits in one way only.")
        else:
            self._turn = (self._turn + 1) % len(turns)
            self._follow_ghost()
            self._paint()

    def _do_place(self) -> None:
        now = self._desk
        if now.mode != "placing" or not now.spots or now.seat is None:
            self._say(NOT_NOW)
            return
        spot = now.spots[self._place]
        action = now.state.game.action_json(Place(spot.at, spot.turns[self._turn]))
        self._send(now.seat, [action])

    # Looking around

    def _do_next(self) -> None:
        if self._desk.mode == "placing":
            self._select((self._place + 1) % len(self._desk.spots))
        else:
            self._cycle(self._desk.targets() if self._desk.can_act else self._desk.exits())

    def _do_exit(self) -> None:
        self._cycle(self._desk.exits())

    def _do_base(self) -> None:
        self.map.move_cursor(BASE)

    def _do_find(self) -> None:
        self.map.move_cursor(self._desk.team_at)

    def _cycle(self, places: Sequence[Coord]) -> None:
        if not places:
            self._say("There is none.")
            return
        at = self.map.cursor
        index = places.index(at) + 1 if at in places else 0
        self.map.move_cursor(places[index % len(places)])

    def _do_zoom(self) -> None:
        zooms = ("L", "M", "S")
        self.map.zoom = zooms[(zooms.index(self.map.zoom) + 1) % len(zooms)]  # type: ignore[assignment]

    def _do_centre(self) -> None:
        self.map.centre_on(self.map.cursor)

    def on_cave_map_cursor_moved(self) -> None:
        """The panes follow the cursor."""
        self._hovered = None
        if not link_words(self._desk.state.link):
            self._say("")
        self._inspect()

    def on_cave_map_tile_hovered(self, event: CaveMap.TileHovered) -> None:
        """The inspector follows the pointer."""
        self._hovered = event.at
        self._inspect()

    def on_cave_map_tile_clicked(self, event: CaveMap.TileClicked) -> None:
        """The first click points, the second does; while placing it selects and turns."""
        if self._desk.mode == "placing":
            for number, spot in enumerate(self._desk.spots):
                if spot.at == event.at:
                    if number == self._place:
                        self._do_rotate()
                    else:
                        self._select(number)
        elif event.again:
            self._do_enter()

    # Lists

    def _choose(self, title: str, entries: Sequence[Any], then: Callable[[Any], None], **more: Any) -> None:
        from client.tui.screens.chooser import ChooserScreen

        def chosen(value: Any) -> None:
            if value is not None:
                then(value)

        self.app.push_screen(ChooserScreen(title, entries, line=self._line, **more), chosen)

    def _confirm(self, question: str, yes: str, no: str, then: Callable[[], None]) -> None:
        from client.tui.screens.chooser import Entry

        entries = [Entry(yes, True, key="y"), Entry(no, False, key="n")]
        self._choose(question, entries, lambda sure: then() if sure else None)

    def _do_all(self) -> None:
        from client.tui.screens.game_lists import action_entries

        if not self._desk.can_act or self._desk.mode == "placing":
            self._say(self._why("all"))
            return
        self._choose("All actions", action_entries(self._desk), self.action_do)

    def _do_log(self) -> None:
        from client.tui.screens.game_lists import log_entries

        if self._desk.view is None:
            return
        entries, _ = log_entries(self._desk)

        def found(at: Any) -> None:
            if at:
                self.map.centre_on(at)
                self.map.move_cursor(at)

        self._choose(
            "Log", entries, found, chosen=max(0, len(entries) - 1), hint="enter show the place   esc back"
        )

    def _do_chat(self) -> None:
        from client.tui.screens.chat import ChatScreen

        self.app.push_screen(ChatScreen(self.session, line=self._line))

    def _do_help(self) -> None:
        from client.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(glyphs=self._glyphs, topic="game"))

    def _do_palette(self) -> None:
        self.app.action_command_palette()

    def _do_quit(self) -> None:
        from client.tui.screens.chooser import Entry

        entries = [
            Entry("Stay", "", key="s"),
            Entry("Leave to the menu", "menu", key="m"),
            Entry("Quit the program", "quit", key="q"),
        ]
        self._choose("Leave the table?", entries, self._leave)

    def _leave(self, answer: str) -> None:
        if answer:
            self.dismiss(answer)


def _turn_of(shown: Desk) -> tuple[Any, ...]:
    """What tells one turn from the next."""
    cave = shown.view.cave if shown.view is not None else None
    return (shown.seat, shown.can_act, cave.seat if cave is not None else None, shown.since)


def panes(screen: GameScreen) -> list[Widget]:
    """All panes with text, for tests of the layout."""
    return list(screen.query(Panel))
