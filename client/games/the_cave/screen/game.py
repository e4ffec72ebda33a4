"""The Cave's screen: every key, click and palette entry, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from cave.game import Json
from cave.the_cave.actions import Choice, Form, Move
from cave.the_cave.geometry import Coord
from client.face import Face
from client.games.the_cave import actions, settings, terms, venture
from client.games.the_cave.aiming import Aim, first_aim
from client.games.the_cave.ending import alarm
from client.games.the_cave.screen import keys
from client.games.the_cave.screen.sentences import (
    CLICK_TO_DISCOVER,
    CONFIRM_ABANDON,
    CONFIRM_END,
    CONFIRM_FORCE,
    CONFIRM_PLACE,
    NO_PLACE,
    NOTHING_TO_UNDO,
    bar_note,
)
from client.games.the_cave.screen.table import CaveTable
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.table import Session, TableState
from client.tui.sentences import NOT_NOW, WITH_RULES
from client.tui.table import Do

if TYPE_CHECKING:
    from client.tui.commands import Command
    from client.tui.widgets.jump_line import JumpLine


class GameScreen(CaveTable):
    """A table of The Cave that one plays at or watches."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    nothing_to_undo: ClassVar[str] = NOTHING_TO_UNDO

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self._asked: set[int] = set()

    def doings(self) -> Mapping[str, Do]:
        """What one does in the cave."""
        return {
            **super().doings(),
            "enter": lambda _: self._enter(),
            "go": self._go_by,
            "discover": lambda _: self._discover(self.map.cursor),
            "moves": lambda _: self._moves(),
            "pack": lambda _: self._pack(),
            "camp": lambda _: self._camp(),
            "abandon": lambda _: self._abandon(),
            "end_turn": lambda _: self._end_turn(),
            "spot": lambda number: self._spot(int(number)),
            "rotate": lambda _: self._rotate(),
            "place": lambda _: self._place_tile(),
            "next": lambda _: self._next(),
            "choose": lambda _: self._next(),  # The hint of the arrows was clicked.
            "jump": lambda _: self._jump(),
            "all": lambda _: self._all(),
        }

    def plays(self, word: str) -> bool:
        """Whether it is a part of playing, and not only of looking at the table."""
        return self.scene.plays(word)

    def commands(self) -> Iterator[Command]:
        """What can be done, for the palette."""
        from client.games.the_cave.screen.commands import playing

        yield from playing(self.scene, self.action_do, self.take)
        yield from self.players()

    # Forms open by themselves

    def open_forms(self) -> None:
        """Packing comes first."""
        now = self.scene
        if now.mode == "packing" and now.choices and now.seat not in self._asked:
            self._pack()

    def forget_asked(self) -> None:
        """A form that was refused opens again."""
        self._asked.clear()

    def _fill(self, form: Form) -> None:
        from client.games.the_cave.screen.forms import form_screen

        seat = self.scene.seat
        assert seat is not None
        last, guided = self._packs.get(seat, self._remembered), self.preferences.now.guides(self.face.name)
        screen = form_screen(self.scene, form, self.face, glyphs=self._glyphs, last=last, guided=guided)

        def filled(action: Json | None) -> None:
            if action is None:
                return
            if action["type"] == "pack":
                self._packs[seat] = action
                self.post_message(self.Remember(self.face, action))
            self.send(seat, action)

        self.app.push_screen(screen, filled)

    def tell_of_the_end(self) -> None:
        """Tell it once, over all panes."""
        from client.games.the_cave.screen.alarm import AlarmScreen

        found = alarm(self.scene.cave, self.scene.state.log)
        self.app.push_screen(AlarmScreen(found, line=self._line))

    # Moves

    def send(self, seat: int, action: Json) -> None:
        """Do an action."""
        if action["type"] != "end_turn":
            self._goals.pop(seat, None)  # Somebody who does something else goes elsewhere.
        super().send(seat, action)

    def _act(self, choice: Choice) -> None:
        seat = self.scene.seat
        assert seat is not None
        if isinstance(choice.action, Move):
            self.map.cursor = choice.action.to
            self.map.show(choice.action.to)
        self.send(seat, self.scene.state.game.action_json(choice.action))

    def _ask_first(self, question: venture.Question | None, then: Callable[[], None]) -> None:
        """Ask before what leads far or into danger, with the way on the map; else do it at once."""
        if question is None or not self.preferences.now.value(settings.WALK):
            then()
            return
        self._labels = question.marks
        self.paint()
        text = "\n".join((question.ask, *question.told))
        self.confirm(text, question.yes, "Stay here", then, sure=True)

    def _walk(self, found: actions.Obvious) -> None:
        """Go step by step, each when the last one is seen to be done; a refusal ends the walk.

        Where the AP end on the way, the next turn begins with the cursor still at the goal.
        """
        seat = self.scene.seat
        assert seat is not None
        game, goal = self.scene.state.game, self.map.cursor
        self._goals.pop(seat, None)

        async def go() -> None:
            for leg in found.legs:
                await self.session.act(seat, game.action_json(Move(leg.to, leg.by)))

                def there(state: TableState, to: Coord = leg.to) -> bool:
                    return state.whole and bool(state.views[seat].cave.teams[seat].at == to)

                await self.until(there)
            if found.stopped:
                self._goals[seat] = goal
                # After the screen has shown the last step, which clears what was said before.
                self.call_later(self.say, found.stopped, "text")

        self.ask_host(go)

    def do_other(self, kind: str) -> None:
        """An action that needs no more to be said, a form, or the reason why not."""
        choice = actions.find(self.scene.choices, kind) if self.scene.can_act else None
        if isinstance(choice, Form):
            self._fill(choice)
        elif choice is not None:
            self._act(choice)
        else:
            self.say(self.why(kind))

    def why(self, kind: str) -> str:
        """Why what a word stands for is not done now."""
        if not self.scene.can_act:
            return bar_note(self.scene, self.spoken) or NOT_NOW
        if self.scene.mode == "placing":
            return self.spoken(NO_PLACE)
        reasons = (no.message for no in self.scene.refusals if no.action.get("type") == kind)
        return next(reasons, NOT_NOW)

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.show_score()
        elif now.mode == "placing":
            self._place_tile()
        elif not now.can_act:
            self.say(bar_note(now, self.spoken) or NOT_NOW)
        else:
            self._do_obvious(self.scene.obvious(self.map.cursor))

    def _do_obvious(self, found: actions.Obvious) -> None:
        if found.do == "move":
            self._go(found.choices)
        elif found.do == "walk":
            now = self.scene
            question = venture.before_walk(now.cave, now.seat or 0, self.map.cursor)
            self._ask_first(question, lambda: self._walk(found))
        elif found.do == "discover":
            self._discover(self.map.cursor)
        elif found.do:
            self.do_other(found.do)
        else:
            self.say(found.line.why)

    def _go(self, choices: Sequence[Choice]) -> None:
        from client.games.the_cave.screen.lists import offer_entries

        if len(choices) == 1:
            self.take(choices[0])
            return
        assert self.scene.seat is not None
        found = actions.offers(self.scene.cave, self.scene.seat, choices)
        self.choose("Which way?", offer_entries(found), self.take)

    def take(self, choice: Choice) -> None:
        """Do a move; a forced one, which takes the whole turn, and one into danger are asked about first."""
        forced = isinstance(choice.action, Move) and choice.action.by == "force"
        if forced and self.scene.mode != "starving" and self.preferences.now.value(settings.FORCE):
            self.confirm(*CONFIRM_FORCE, lambda: self._act(choice))
        else:
            now = self.scene
            question = venture.before_move(now.cave, now.seat or 0, choice)
            self._ask_first(question, lambda: self._act(choice))

    def _go_by(self, by: str) -> None:
        """A way named in the inspector."""
        at = self.map.cursor
        for choice in actions.moves(self.scene.choices):
            if choice.action == Move(at, by):  # type: ignore[arg-type]
                self.take(choice)
                return

    def _discover(self, wish: Coord) -> None:
        self._wish = wish
        self.do_other("discover")

    def _moves(self) -> None:
        from client.games.the_cave.screen.lists import move_entries

        entries = move_entries(self.scene) if self.scene.can_act else []
        if entries:
            self.choose("Where to?", entries, self.take, hint=WITH_RULES)
        else:
            self.say(self.why("move"))

    def _pack(self) -> None:
        now = self.scene
        form = actions.find(now.choices, "pack")
        if form is None or now.seat is None:
            self.do_other("pack")
            return
        self._asked.add(now.seat)
        self._fill(form)

    def _camp(self) -> None:
        seat = self.scene.seat or 0
        pitched = self.scene.view is not None and self.scene.cave.teams[seat].camp.state == "pitched"
        self.do_other("strike" if pitched else "pitch")

    def _abandon(self) -> None:
        choice = actions.find(self.scene.choices, "abandon")
        if choice is None:
            self.do_other("abandon")
        elif self.preferences.now.value(settings.ABANDON):
            self.confirm(*CONFIRM_ABANDON, lambda: self._act(choice))
        else:
            self._act(choice)

    def _end_turn(self) -> None:
        now = self.scene
        choice = actions.find(now.choices, "end_turn")
        asked = self.preferences.now.value(settings.END_TURN)
        if choice is not None and asked and actions.loses_something(now.cave, now.choices):
            question, yes, no = CONFIRM_END
            self.confirm(question.format(ap=now.cave.ap), yes, no, lambda: self._act(choice), sure=True)
        else:
            self.do_other("end_turn")

    # Placing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrows choose places only while placing."""
        if action == "aim":
            return self.scene.mode == "placing"
        return True

    def action_aim(self, side: str) -> None:
        """Choose the legal place on this side."""
        aim = self._aim.to_side(side) if self._aim is not None else None
        if aim is None:
            self.say(f"No legal place to the {terms.SIDE_WORDS[side]}.")
        else:
            self._select(aim)

    def _select(self, aim: Aim) -> None:
        self._hold(aim)
        self.say("")
        self.paint()

    def _try_out(self) -> bool:
        """Hold the tile that somebody else has drawn over a place, to see how it would lie there."""
        aim = first_aim(self.scene.spots, None) if self._aim is None else None
        if aim is None:
            return False
        self._hold(aim)
        self.paint()
        return True

    def _spot(self, number: int) -> None:
        if self._aim is not None and number <= len(self._aim.spots):
            self._select(self._aim.over(number - 1))

    def _rotate(self) -> None:
        if self._try_out():
            return
        if self._aim is None:
            self.say("There is no tile in hand to rotate.")
        elif len(self._aim.spot.turns) == 1:
            self.say("There it fits in one way only.")
        else:
            self._hold(self._aim.rotated())
            self.paint()

    def _place_tile(self) -> None:
        now = self.scene
        if now.mode != "placing" or self._aim is None or now.seat is None:
            self.say(NOT_NOW)
            return
        action = now.state.game.action_json(self._aim.action)
        seat = now.seat
        if self.preferences.now.value(settings.PLACE):
            self.confirm(*CONFIRM_PLACE, lambda: self.send(seat, action), sure=True)
        else:
            self.send(seat, action)

    # Looking around

    def _next(self) -> None:
        if self._try_out():
            return
        if self._aim is not None:
            self._select(self._aim.over_next())
        else:
            self._cycle(self.scene.targets() if self.scene.can_act else self.scene.exits())

    def _jump(self) -> None:
        from client.present.jump import marks
        from client.tui.widgets.jump_line import JumpLine

        if self.query("#jump"):
            return  # The key was pressed twice.
        pane = self.map.size.region
        near = (*self.scene.targets(), *self.scene.reach, *self.scene.exits())
        found = marks(at for at in near if self.map.region_of(at).overlaps(pane))
        if not found:
            self.say("There is nothing in sight to jump to.")
            return
        self._labels = {at: letter for letter, at in found.items()}
        self.paint()
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
        self.paint()
        if event.letter in found:
            self._land(found[event.letter])

    def _land(self, at: Coord) -> None:
        """Point at a place, and go there at once where one can; what cannot be undone is not begun."""
        self.map.move_cursor(at)
        if self.scene.can_act and self.scene.mode != "placing":
            obvious = self.scene.obvious(self.map.cursor)
            if obvious.do == "move" or (obvious.do == "walk" and not obvious.stopped):
                self._do_obvious(obvious)

    def on_board_view_place_clicked(self, event: CaveMap.PlaceClicked) -> None:
        """The first click points, the second does; while placing it selects and turns."""
        if self._aim is not None:
            aim = self._aim.over_at(event.at)
            if aim == self._aim:
                self._rotate()
            elif aim is not None:
                self._select(aim)
        elif event.again:
            # One click too many on the way must not draw a tile, which cannot be undone.
            if (
                event.at == self.scene.team_at
                and self.scene.can_act
                and self.scene.obvious(self.map.cursor).do == "discover"
            ):
                self.say(self.spoken(CLICK_TO_DISCOVER), "text")
            else:
                self._enter()

    # Lists

    def _all(self) -> None:
        from client.games.the_cave.screen.lists import action_entries

        if not self.scene.can_act or self.scene.mode == "placing":
            self.say(self.why("all"))
            return
        entries = action_entries(self.scene, self.keymap)
        self.choose("All actions", entries, self.action_do, hint=WITH_RULES)
