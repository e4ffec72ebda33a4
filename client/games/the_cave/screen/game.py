"""The game screen: every key, click and palette entry, and what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from cave.game import Json
from cave.the_cave.actions import Choice, Form, Move, Place
from cave.the_cave.geometry import Coord
from client.games.the_cave import actions, guide, terms
from client.games.the_cave.ending import alarm
from client.games.the_cave.screen import keys
from client.games.the_cave.screen.looking import LookScreen
from client.games.the_cave.screen.sentences import (
    CLICK_TO_DISCOVER,
    CONFIRM_ABANDON,
    CONFIRM_END,
    CONFIRM_FORCE,
    CONFIRM_PLACE,
    LEAVE,
    LEAVE_UNSAVED,
    NO_PLACE,
    NOT_NOW,
    NOTHING_TAKEN,
    NOTHING_TO_UNDO,
    WITH_RULES,
    bar_note,
)
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.present.trouble import NO_LINK
from client.table import Rejected, TableState
from client.tui.widgets.jump_line import JumpLine
from client.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from client.replay.points import Points


def _table_commands() -> type[Any]:
    """The palette's lines, imported when the palette opens."""
    from client.games.the_cave.screen.commands import TableCommands

    return TableCommands


class GameScreen(LookScreen):
    """A table one plays at or watches. Gives ``menu``, ``quit`` or ``rematch`` when the person leaves."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    COMMANDS: ClassVar[set[Any]] = {_table_commands}

    # Forms and the score sheet open by themselves

    def _ask(self) -> None:
        now = self._desk
        if now.mode == "over" and not self._scored:
            self._scored = True
            if self.preferences.now.guide and now.state.my_seats:
                self.preferences.change(guide=False)  # Who has played a game needs no guide for the next.
            self._score()
        elif self._sheet is not None and self._sheet.is_attached:
            self._sheet.hear(now.state)
        if now.mode == "packing" and now.choices and now.seat not in self._asked:
            self._do_pack()

    def _fill(self, form: Form, *, curtain: bool = False) -> None:
        from client.games.the_cave.screen.packing import form_screen

        seat = self._desk.seat
        assert seat is not None
        name = self._desk.cave.teams[seat].name
        last = self._packs.get(seat, self._last_pack)
        tips = guide.packing(self._desk.cave.settings) if self.preferences.now.guide else ()
        screen = form_screen(
            self.face, form, seat=seat, name=name, glyphs=self._glyphs, curtain=curtain, last=last, tips=tips
        )

        def filled(action: Json | None) -> None:
            if action is None:
                return
            if action["type"] == "pack":
                self._packs[seat] = action
            self._send(seat, action)

        self.app.push_screen(screen, filled)

    def _score(self) -> None:
        from client.tui.screens.score import ScoreScreen

        screen = ScoreScreen(
            self.face,
            self._desk.state,
            record_path=self._record_path,
            glyphs=self._glyphs,
            points=self._points,
            rematch=bool(self._desk.state.my_seats),
        )
        self._sheet = screen

        def left(answer: str | None) -> None:
            self._sheet = None
            if answer is not None:
                self.dismiss(answer)

        self.app.push_screen(screen, left)

    async def _points(self) -> Points | None:
        """The points over the game from its record, worked out beside the event loop."""
        try:
            lines = await self.session.record()
        except (Rejected, ConnectionError):
            return None
        from client.replay.points import points_of  # With the score screen: not before it is needed.

        return await asyncio.to_thread(points_of, self.face, lines)

    def _alarm(self) -> None:
        from client.games.the_cave.screen.alarm import AlarmScreen

        found = alarm(self._desk.cave, self._desk.state.log)
        self.app.push_screen(AlarmScreen(found, line=self._line))

    # Moves

    def _act(self, choice: Choice) -> None:
        seat = self._desk.seat
        assert seat is not None
        if isinstance(choice.action, Move):
            self.map.cursor = choice.action.to
            self.map.show(choice.action.to)
        self._send(seat, self._desk.state.game.action_json(choice.action))

    def _walk(self, found: actions.Obvious) -> None:
        """Go step by step, each when the last one is seen to be done; a refusal ends the walk.

        Where the AP end on the way, the next turn begins with the cursor still at the goal.
        """
        seat = self._desk.seat
        assert seat is not None
        game, goal = self._desk.state.game, self.map.cursor
        self._goals.pop(seat, None)

        async def go() -> None:
            for leg in found.legs:
                await self.session.act(seat, game.action_json(Move(leg.to, leg.by)))

                def there(state: TableState, to: Coord = leg.to) -> bool:
                    return state.whole and bool(state.views[seat].cave.teams[seat].at == to)

                await self._until(there)
            if found.stopped:
                self._goals[seat] = goal
                # After the screen has shown the last step, which clears what was said before.
                self.call_later(self._say, found.stopped, "text")

        self._ask_host(go)

    # Doing: every key, click and palette entry comes here with a word

    def action_do(self, word: str) -> None:
        """Do what a key, a click or the palette asks for."""
        kind, _, more = word.partition(":")
        if self.session.state.halted and self._desk.plays(kind):
            self._refused(NO_LINK)
            return
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
            return bar_note(self._desk, self.keymap) or NOT_NOW
        if self._desk.mode == "placing":
            return keys.spoken(NO_PLACE, self.keymap)
        reasons = (no.message for no in self._desk.refusals if no.action.get("type") == kind)
        return next(reasons, NOT_NOW)

    def _do_enter(self) -> None:
        now = self._desk
        if now.mode == "over":
            self._score()
        elif now.mode == "placing":
            self._do_place()
        elif not now.can_act:
            self._say(bar_note(now, self.keymap) or NOT_NOW)
        else:
            self._do_obvious(self._obvious())

    def _do_obvious(self, found: actions.Obvious) -> None:
        if found.do == "move":
            self._go(found.choices)
        elif found.do == "walk":
            self._walk(found)
        elif found.do == "discover":
            self._do_discover(wish=self.map.cursor)
        elif found.do:
            self._do_plain(found.do)
        else:
            self._say(found.line.why)

    def _go(self, choices: Sequence[Choice]) -> None:
        from client.games.the_cave.screen.lists import offer_entries

        if len(choices) == 1:
            self.take(choices[0])
            return
        assert self._desk.seat is not None
        found = actions.offers(self._desk.cave, self._desk.seat, choices)
        self._choose("Which way?", offer_entries(found), self.take)

    def take(self, choice: Choice) -> None:
        """Do a move; a forced one is asked about first, since it takes the whole turn."""
        forced = isinstance(choice.action, Move) and choice.action.by == "force"
        if forced and self._desk.mode != "starving" and self.preferences.now.confirm_force:
            self._confirm(*CONFIRM_FORCE, lambda: self._act(choice))
        else:
            self._act(choice)

    def _do_go(self, by: str) -> None:
        """A way named in the inspector."""
        at = self.map.cursor
        for choice in actions.moves(self._desk.choices):
            if choice.action == Move(at, by):  # type: ignore[arg-type]
                self.take(choice)
                return

    def _do_discover(self, wish: Coord | None = None) -> None:
        self._wish = wish if wish is not None else self.map.cursor
        self._do_plain("discover")

    def _do_moves(self) -> None:
        from client.games.the_cave.screen.lists import move_entries

        entries = move_entries(self._desk) if self._desk.can_act else []
        if entries:
            self._choose("Where to?", entries, self.take, hint=WITH_RULES)
        else:
            self._say(self._why("move"))

    def _do_pack(self) -> None:
        now = self._desk
        form = actions.find(now.choices, "pack")
        if form is None or now.seat is None:
            self._do_plain("pack")
            return
        self._asked.add(now.seat)
        self._fill(form, curtain=now.mode == "packing" and len(now.state.my_seats) > 1)

    def _do_camp(self) -> None:
        seat = self._desk.seat or 0
        pitched = self._desk.view is not None and self._desk.cave.teams[seat].camp.state == "pitched"
        self._do_plain("strike" if pitched else "pitch")

    def _do_abandon(self) -> None:
        choice = actions.find(self._desk.choices, "abandon")
        if choice is None:
            self._do_plain("abandon")
        elif self.preferences.now.confirm_abandon:
            self._confirm(*CONFIRM_ABANDON, lambda: self._act(choice))
        else:
            self._act(choice)

    def _do_end_turn(self) -> None:
        now = self._desk
        choice = actions.find(now.choices, "end_turn")
        asked = self.preferences.now.confirm_end_turn
        if choice is not None and asked and actions.loses_something(now.cave, now.choices):
            question, yes, no = CONFIRM_END
            self._confirm(question.format(ap=now.cave.ap), yes, no, lambda: self._act(choice), sure=True)
        else:
            self._do_plain("end_turn")

    def _do_undo(self, steps: int = 1) -> None:
        seat = self._desk.seat
        if seat is None or not self._desk.state.undoable.get(seat):
            self._say(NOTHING_TO_UNDO)
            return
        self._ask_host(lambda: self.session.undo(seat, steps))

    def _do_reset(self) -> None:
        self._do_undo(self._desk.state.undoable.get(self._desk.seat or 0, 0))

    def _do_take_back(self) -> None:
        if self._desk.state.taken:
            self._ask_host(self.session.take_back)
        else:
            self._say(NOTHING_TAKEN)

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

    def _try_out(self) -> bool:
        """Hold the tile that somebody else has drawn over a place, to see how it would lie there."""
        if self._aiming or not self._desk.spots:
            return False
        self._trying = True
        self._place = self._turn = 0
        self._follow_ghost()
        self._paint()
        return True

    def _do_spot(self, number: str) -> None:
        if self._aiming and int(number) <= len(self._desk.spots):
            self._select(int(number) - 1)

    def _do_rotate(self) -> None:
        if self._try_out():
            return
        if not self._aiming:
            self._say("There is no tile in hand to rotate.")
            return
        turns = self._desk.spots[self._place].turns
        if len(turns) == 1:
            self._say("There it fits in one way only.")
        else:
            self._turn = (self._turn + 1) % len(turns)
            self._follow_ghost()
            self._paint()

    def _do_choose(self) -> None:
        """The hint of the arrows was clicked."""
        self._do_next()

    def _do_place(self) -> None:
        now = self._desk
        if now.mode != "placing" or not now.spots or now.seat is None:
            self._say(NOT_NOW)
            return
        spot = now.spots[self._place]
        action = now.state.game.action_json(Place(spot.at, spot.turns[self._turn]))
        seat = now.seat
        if self.preferences.now.confirm_place:
            self._confirm(*CONFIRM_PLACE, lambda: self._send(seat, action), sure=True)
        else:
            self._send(seat, action)

    # Looking around

    def _do_next(self) -> None:
        if self._try_out():
            return
        if self._aiming:
            self._select((self._place + 1) % len(self._desk.spots))
        else:
            self._cycle(self._desk.targets() if self._desk.can_act else self._desk.exits())

    def _do_jump(self) -> None:
        from client.present.jump import marks

        pane = self.map.size.region
        near = (*self._desk.targets(), *self._desk.reach, *self._desk.exits())
        found = marks(at for at in near if self.map.region_of(at).overlaps(pane))
        if not found:
            self._say("There is nothing in sight to jump to.")
            return
        self._labels = {at: letter for letter, at in found.items()}
        self._paint()
        self.mount(JumpLine(id="jump"))

    async def on_jump_line_typed(self, event: JumpLine.Typed) -> None:
        """Go to the place with this letter; without one only the letters go away."""
        event.stop()
        if not self._labels:
            return
        found = {letter: at for at, letter in self._labels.items()}
        self._labels = {}
        await self.query("#jump").remove()
        self.map.focus()
        self._paint()
        if event.letter in found:
            self._land(found[event.letter])

    def _land(self, at: Coord) -> None:
        """Point at a place, and go there at once where one can; what cannot be undone is not begun."""
        self.map.move_cursor(at)
        if self._desk.can_act and self._desk.mode != "placing":
            obvious = self._obvious()
            if obvious.do == "move" or (obvious.do == "walk" and not obvious.stopped):
                self._do_obvious(obvious)

    def on_cave_map_tile_clicked(self, event: CaveMap.TileClicked) -> None:
        """The first click points, the second does; while placing it selects and turns."""
        if self._aiming:
            for number, spot in enumerate(self._desk.spots):
                if spot.at == event.at:
                    if number == self._place:
                        self._do_rotate()
                    else:
                        self._select(number)
        elif event.again:
            # One click too many on the way must not draw a tile, which cannot be undone.
            if event.at == self._desk.team_at and self._desk.can_act and self._obvious().do == "discover":
                self._say(keys.spoken(CLICK_TO_DISCOVER, self.keymap), "text")
            else:
                self._do_enter()

    # Lists

    def _do_all(self) -> None:
        from client.games.the_cave.screen.lists import action_entries

        if not self._desk.can_act or self._desk.mode == "placing":
            self._say(self._why("all"))
            return
        entries = action_entries(self._desk, self.keymap)
        self._choose("All actions", entries, self.action_do, hint=WITH_RULES)

    def _do_quit(self) -> None:
        from client.tui.screens.chooser import Entry

        entries = [
            Entry("Stay", "", key="s"),
            Entry("Leave to the menu", "menu", key="m"),
            Entry("Quit the program", "quit", key="q"),
        ]
        self._choose(LEAVE if self._saved else LEAVE_UNSAVED, entries, self._leave)

    def _leave(self, answer: str) -> None:
        if answer:
            self.dismiss(answer)
