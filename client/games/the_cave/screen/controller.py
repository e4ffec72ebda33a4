"""The controller of The Cave's screen: what every key, click and palette entry does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from cave.game import Json
from cave.the_cave.actions import Choice, EndTurn, Form, Move
from cave.the_cave.geometry import BASE, Coord
from client.games.the_cave import actions, guide, settings, terms, venture
from client.games.the_cave.aiming import Aim, first_aim
from client.games.the_cave.cave_map import Ghost
from client.games.the_cave.ending import alarm, end_is_near
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.screen.sentences import (
    CLICK_TO_DISCOVER,
    CONFIRM_ABANDON,
    CONFIRM_END,
    CONFIRM_FORCE,
    CONFIRM_PLACE,
    FOLLOWING,
    NO_PLACE,
    NOT_FOLLOWING,
    NOTHING_TO_UNDO,
    bar_note,
)
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.games.the_cave.screen.widgets.status import HeaderBar
from client.present.jump import around
from client.table import TableState
from client.tui.controller import Controller, Do
from client.tui.keymap import first_key
from client.tui.sentences import NOT_NOW, WITH_RULES
from client.tui.table import TableScreen
from client.tui.widgets.message import MessageLine

if TYPE_CHECKING:
    from client.tui.commands import Command

ZOOMS = ("L", "M", "S")


class CaveController(Controller[CaveScene]):
    """Turns the words of The Cave's screen into choices."""

    nothing_to_undo: ClassVar[str] = NOTHING_TO_UNDO

    def __init__(self, screen: TableScreen[CaveScene]) -> None:
        super().__init__(screen, guide.guide())
        self.aim: Aim | None = None
        """How a tile is held over the map: one's own, or another's that one tries out meanwhile."""
        self.hovered: Coord | None = None
        """The place under the pointer."""
        self._wish: Coord | None = None
        """Where the tile that is about to be discovered is to lie first."""
        self._goals: dict[int, Coord] = {}
        """Where a walk goes on in the seat's next turn."""
        self._packs: dict[int, Json] = {}
        self._asked: set[int] = set()
        """The seats for which the form to pack has opened by itself."""

    @property
    def map(self) -> CaveMap:
        """The map of the cave."""
        return self.screen.query_one(CaveMap)

    @property
    def pointed(self) -> Coord:
        """The place under the pointer, else under the cursor."""
        return self.hovered or self.map.cursor

    def doings(self) -> Mapping[str, Do]:
        """Give what one does in the cave, and how one looks around."""
        return {
            **super().doings(),
            "enter": self._enter,
            "go": self._go_by,
            "discover": self._discover,
            "moves": self._moves,
            "pack": self._pack,
            "camp": self._camp,
            "abandon": self._abandon,
            "end_turn": self._end_turn,
            "spot": self._spot,
            "rotate": self._rotate,
            "place": self._place_tile,
            "next": self._next,
            "choose": self._next,  # The hint of the arrows was clicked.
            "all": self._all,
            "exit": lambda: self._cycle(self.scene.exits()),
            "base": lambda: self.look_at(BASE),
            "find": lambda: self.look_at(self.scene.team_at),
            "team": self._show_team,
            "follow": self._toggle_follow,
            "zoom": self._zoom,
            "centre": lambda: self.map.centre_on(self.map.cursor),
        }

    def plays(self, word: str) -> bool:
        """Tell whether a word is a part of playing, and not only of looking at the table."""
        return self.scene.plays(word)

    # The palette and the help

    def commands(self) -> Iterator[Command]:
        """List what can be done, for the palette."""
        from client.games.the_cave.screen import commands

        yield from commands.playing(self.scene, self.do, self.take)
        yield from self.listed(commands.WORDS)

    def players(self) -> Iterator[Command]:
        """List each team, for the palette."""
        from client.games.the_cave.screen.commands import teams

        yield from teams(self.scene, self.look_at)

    def searched(self, query: str) -> Iterator[Command]:
        """Find places of the cave."""
        from client.games.the_cave.screen.commands import places

        yield from places(self.scene, query, self.look_at)

    def about(self) -> Sequence[str]:
        """Give the rules that matter at the place pointed at, or for what was just said."""
        from client.games.the_cave import about

        told = self.screen.query_one("#message", MessageLine).text
        return about.here(self.scene, self.pointed, told)

    # Another scene

    def changed(self, before: CaveScene, *, first: bool) -> None:
        """Put the cursor where the new scene asks for it."""
        now = self.scene
        placing = now.mode == "placing"
        stale = self.aim is not None and self.aim.spots != now.spots
        if stale or placing != (before.mode == "placing"):
            self.aim = None
        if placing and self.aim is None:
            self._begin_placing()
        elif first or (now.can_act and before.turn != now.turn):
            self.map.cursor = self._goals.pop(now.seat, now.team_at)
            self.map.show(self.map.cursor)
            if not first:
                self.screen.query_one("#header", HeaderBar).shine()
        elif before.mode == "placing" and now.mode == "acting":
            self.map.show(now.team_at)
        elif self.screen.follows:
            self._show_acting()
        super().changed(before, first=first)

    def shown(self, before: CaveScene) -> None:
        """Open what opens by itself: the form to pack, and the alarm."""
        super().shown(before)
        now = self.scene
        if now.mode == "packing" and now.choices and now.seat not in self._asked:
            self._pack()
        # In a replay the log tells it.
        if before.view is not None and end_is_near(before.cave, now.cave) and not self.replay:
            from client.games.the_cave.screen.alarm import AlarmScreen

            found = alarm(now.view, now.state.log)
            self.screen.app.push_screen(AlarmScreen(found, line=self.screen.line))

    def _begin_placing(self) -> None:
        aim, self._wish = first_aim(self.scene.spots, self._wish), None
        if aim is not None:
            self._hold(aim)

    def _hold(self, aim: Aim) -> None:
        """Hold the tile over one of its places, and look there."""
        self.aim = aim
        self.map.cursor = aim.spot.at
        self.map.show(aim.spot.at)

    def ghost(self) -> Ghost | None:
        """Return the tile that is held over the map."""
        return None if self.aim is None else self.aim.ghost(first_key(self.screen.keymap, "game.rotate"))

    # Forms

    def _fill(self, form: Form) -> None:
        from client.games.the_cave.screen.forms import form_screen

        seat, screen = self.scene.seat, self.screen
        last = self._packs.get(seat, screen.remembered)
        guided = screen.preferences.now.guides(screen.face.name)

        def filled(action: Json | None) -> None:
            if action is None:
                return
            if action["type"] == "pack":
                self._packs[seat] = action
                screen.post_message(screen.Remember(screen.face, action))
            self._goals.pop(seat, None)
            self.send(seat, action)

        made = form_screen(self.scene, form, screen.face, glyphs=screen.glyphs, last=last, guided=guided)
        screen.app.push_screen(made, filled)

    # Moves

    def refused(self, message: str) -> None:
        """Tell why something was not done; a form that was refused opens again."""
        self._wish = None
        self._asked.clear()
        super().refused(message)

    def _act(self, choice: Choice) -> None:
        if isinstance(choice.action, Move):
            self.map.cursor = choice.action.to
            self.map.show(choice.action.to)
        if not isinstance(choice.action, EndTurn):
            self._goals.pop(self.scene.seat, None)  # Somebody who does something else goes elsewhere.
        self.send(self.scene.seat, self.scene.state.game.action_json(choice.action))

    def _ask_first(self, question: venture.Question | None, then: Callable[[], None]) -> None:
        """Ask before what leads far or into danger, with the way on the map; else do it at once."""
        if question is None or not self.wished(settings.WALK):
            then()
            return
        self.labels = {**question.marks}
        self.screen.paint()
        text = "\n".join((question.ask, *question.told))
        self.asking.confirm(text, question.yes, "Stay here", then, sure=True)

    def _walk(self, found: actions.Obvious) -> None:
        """Go step by step, each when the last one is seen to be done; a refusal ends the walk.

        Where the AP end on the way, the next turn begins with the cursor still at the goal.
        """
        seat, game, goal = self.scene.seat, self.scene.state.game, self.map.cursor
        self._goals.pop(seat, None)

        async def go() -> None:
            for leg in found.legs:
                await self.screen.session.act(seat, game.action_json(Move(leg.to, leg.by)))

                def there(state: TableState, to: Coord = leg.to) -> bool:
                    return state.whole and bool(state.views[seat].cave.teams[seat].at == to)

                await self.screen.until(there)
            if found.stopped:
                self._goals[seat] = goal
                # After the screen has shown the last step, which clears what was said before.
                self.screen.call_later(self.say, found.stopped, "text")

        self.ask_host(go)

    def do_other(self, kind: str) -> None:
        """Do an action that needs no more to be said, open a form, or say why not."""
        choice = actions.find(self.scene.choices, kind) if self.scene.can_act else None
        if isinstance(choice, Form):
            self._fill(choice)
        elif choice is not None:
            self._act(choice)
        else:
            self.say(self.why(kind))

    def reason(self, kind: str) -> str:
        """Give the reason why a word does nothing now."""
        if not self.scene.can_act:
            return bar_note(self.scene, self.screen.spoken) or NOT_NOW
        if self.scene.mode == "placing":
            return self.screen.spoken(NO_PLACE)
        reasons = (no.message for no in self.scene.refusals if no.action.get("type") == kind)
        return next(reasons, NOT_NOW)

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.asking.show_score()
        elif now.mode == "placing":
            self._place_tile()
        elif not now.can_act:
            self.say(bar_note(now, self.screen.spoken) or NOT_NOW)
        else:
            self._do_obvious(self.scene.obvious(self.map.cursor))

    def _do_obvious(self, found: actions.Obvious) -> None:
        if found.do == "move":
            self._go(found.choices)
        elif found.do == "walk":
            now = self.scene
            question = venture.before_walk(now.cave, now.seat, self.map.cursor)
            self._ask_first(question, lambda: self._walk(found))
        elif found.do == "discover":
            self._discover()
        elif found.do:
            self.do_other(found.do)
        else:
            self.say(found.line.why)

    def _go(self, choices: Sequence[Choice]) -> None:
        from client.games.the_cave.screen.lists import offer_entries

        if len(choices) == 1:
            self.take(choices[0])
            return
        found = actions.offers(self.scene.cave, self.scene.seat, choices)
        self.asking.choose("Which way?", offer_entries(found), self.take)

    def take(self, choice: Choice) -> None:
        """Do a move; a forced one, which takes the whole turn, and one into danger are asked about first."""
        forced = isinstance(choice.action, Move) and choice.action.by == "force"
        if forced and self.scene.mode != "starving" and self.wished(settings.FORCE):
            self.asking.confirm(*CONFIRM_FORCE, lambda: self._act(choice))
        else:
            now = self.scene
            question = venture.before_move(now.cave, now.seat, choice)
            self._ask_first(question, lambda: self._act(choice))

    def _go_by(self, by: str) -> None:
        """Go a way that the inspector names."""
        at = self.map.cursor
        for choice in actions.moves(self.scene.choices):
            if choice.action == Move(at, by):  # type: ignore[arg-type]
                self.take(choice)
                return

    def _discover(self) -> None:
        self._wish = self.map.cursor
        self.do_other("discover")

    def _moves(self) -> None:
        from client.games.the_cave.screen.lists import offer_entries

        now = self.scene
        found = actions.offers(now.cave, now.seat, now.choices) if now.can_act else ()
        if found:
            self.number(
                each.to for each in (offer.choice.action for offer in found) if isinstance(each, Move)
            )
            self.asking.choose("Where to?", offer_entries(found), self.take, hint=WITH_RULES)
        else:
            self.say(self.why("move"))

    def _pack(self) -> None:
        now = self.scene
        form = actions.find(now.choices, "pack")
        if form is None:
            self.do_other("pack")
            return
        self._asked.add(now.seat)
        self._fill(form)

    def _camp(self) -> None:
        pitched = self.scene.cave.teams[self.scene.seat].camp.state == "pitched"
        self.do_other("strike" if pitched else "pitch")

    def _abandon(self) -> None:
        choice = actions.find(self.scene.choices, "abandon")
        if choice is None:
            self.do_other("abandon")
        elif self.wished(settings.ABANDON):
            self.asking.confirm(*CONFIRM_ABANDON, lambda: self._act(choice))
        else:
            self._act(choice)

    def _end_turn(self) -> None:
        now = self.scene
        choice = actions.find(now.choices, "end_turn")
        asked = self.wished(settings.END_TURN)
        if choice is not None and asked and actions.loses_something(now.cave, now.choices):
            question, yes, no = CONFIRM_END
            self.asking.confirm(
                question.format(ap=now.cave.ap), yes, no, lambda: self._act(choice), sure=True
            )
        else:
            self.do_other("end_turn")

    # Placing

    def aim_to(self, side: str) -> None:
        """Choose the legal place on this side."""
        aim = self.aim.to_side(side) if self.aim is not None else None
        if aim is None:
            self.say(f"No legal place to the {terms.SIDE_WORDS[side]}.")
        else:
            self._select(aim)

    def _select(self, aim: Aim) -> None:
        self._hold(aim)
        self.say("")
        self.screen.paint()

    def _try_out(self) -> bool:
        """Hold the tile that somebody else has drawn over a place, to see how it would lie there."""
        aim = first_aim(self.scene.spots, None) if self.aim is None else None
        if aim is None:
            return False
        self._hold(aim)
        self.screen.paint()
        return True

    def _spot(self, number: str) -> None:
        if self.aim is not None and int(number) <= len(self.aim.spots):
            self._select(self.aim.over(int(number) - 1))

    def _rotate(self) -> None:
        if self._try_out():
            return
        if self.aim is None:
            self.say("There is no tile in hand to rotate.")
        elif len(self.aim.spot.turns) == 1:
            self.say("There it fits in one way only.")
        else:
            self._hold(self.aim.rotated())
            self.screen.paint()

    def _place_tile(self) -> None:
        now = self.scene
        if now.mode != "placing" or self.aim is None:
            self.say(NOT_NOW)
            return
        action = now.state.game.action_json(self.aim.action)
        seat = now.seat
        if self.wished(settings.PLACE):
            self.asking.confirm(*CONFIRM_PLACE, lambda: self.send(seat, action), sure=True)
        else:
            self.send(seat, action)

    # Looking around

    def look_at(self, at: Coord) -> None:
        """Put the cursor on a place and bring it into sight."""
        self.map.move_cursor(at)

    def point_at(self, at: Coord) -> None:
        """Show a place that a line of the log is about."""
        self.map.centre_on(at)
        self.map.move_cursor(at)

    def _show_team(self, seat: str) -> None:
        """Point at a team; if the cursor is there, bring it to the middle of the map."""
        at = self.scene.cave.teams[int(seat)].at
        if self.map.cursor == at:
            self.map.centre_on(at)
        self.look_at(at)

    def _toggle_follow(self) -> None:
        self.screen.follows = not self.screen.follows
        self.say(self.screen.spoken(FOLLOWING if self.screen.follows else NOT_FOLLOWING), "text")
        if self.screen.follows:
            self._show_acting()

    def _show_acting(self) -> None:
        """Bring the team whose turn it is into sight."""
        acting = self.scene.cave.seat
        if acting is not None:
            self.map.show(self.scene.cave.teams[acting].at)

    def _cycle(self, places: Sequence[Coord]) -> None:
        if places:
            self.look_at(around(places, self.map.cursor))
        else:
            self.say("There is none.")

    def _zoom(self) -> None:
        self.map.zoom = ZOOMS[(ZOOMS.index(self.map.zoom) + 1) % len(ZOOMS)]

    def _next(self) -> None:
        if self._try_out():
            return
        if self.aim is not None:
            self._select(self.aim.over_next())
        else:
            self._cycle(self.scene.targets() if self.scene.can_act else self.scene.exits())

    def places(self) -> Iterator[Coord]:
        """Give the places in sight where one can act, those within reach, and the unexplored exits."""
        pane = self.map.size.region
        for at in (*self.scene.targets(), *self.scene.reach, *self.scene.exits()):
            if self.map.region_of(at).overlaps(pane):
                yield at

    def land(self, at: Coord) -> None:
        """Point at a place, and go there at once where one can; what cannot be undone is not begun."""
        self.look_at(at)
        if self.scene.can_act and self.scene.mode != "placing":
            obvious = self.scene.obvious(self.map.cursor)
            if obvious.do == "move" or (obvious.do == "walk" and not obvious.stopped):
                self._do_obvious(obvious)

    def click(self, at: Coord, *, again: bool) -> None:
        """Point at a tile, or act there with a second click; while placing, choose a place or turn it."""
        if self.aim is not None:
            aim = self.aim.over_at(at)
            if aim == self.aim:
                self._rotate()
            elif aim is not None:
                self._select(aim)
        elif again:
            # One click too many on the way must not draw a tile, which cannot be undone.
            here = self.scene.can_act and at == self.scene.team_at
            if here and self.scene.obvious(self.map.cursor).do == "discover":
                self.say(self.screen.spoken(CLICK_TO_DISCOVER), "text")
            else:
                self._enter()

    # Lists

    def _all(self) -> None:
        from client.games.the_cave.screen.lists import action_entries

        if self.scene.mode in ("acting", "starving", "waiting"):
            entries = action_entries(self.scene, self.screen.keymap)
            self.asking.choose("All actions", entries, self.do, hint=WITH_RULES)
        else:
            self.say(self.why("all"))
