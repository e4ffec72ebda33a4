"""The controller of The Cave's screen: the actions of keys, clicks and palette entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from cave.codec import to_json
from cave.game import Json
from cave.the_cave.actions import Discard, Exchange, Form, Move, Pack, Place
from cave.the_cave.state import BASE, Coord
from client.games.the_cave import actions, guide, terms, texts
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.key_hints import (
    CLICK_TO_DISCOVER,
    FOLLOWING,
    NO_PLACE,
    NOT_FOLLOWING,
    OF_THE_MAP,
    SHOW_TEAM,
    bar_note,
    renamed_lines,
)
from client.games.the_cave.moves_and_placing import TeamMoves, TilePlacing, action_entry, alarm_entries
from client.games.the_cave.panes import HeaderBar
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.supplies import end_is_near, end_warning
from client.tui.board.geometry import next_place
from client.tui.controller import Controller, Do
from client.tui.sentences import NOT_NOW, WITH_RULES
from client.tui.table import TableScreen
from client.tui.widgets.bottom_rows import MessageLine
from client.wording import begun

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.games.the_cave.packing_screens import TransferScreen
    from client.tui.board.view import Outlook
    from client.tui.command_palette import Command


class CaveController(Controller[CaveScene]):
    nothing_to_undo: ClassVar[str] = texts.NOTHING_TO_UNDO

    def __init__(self, screen: TableScreen[CaveScene]) -> None:
        super().__init__(screen, guide.newcomer_guide())
        self.placing = TilePlacing(self)
        self.going = TeamMoves(self)
        self.hovered: Coord | None = None  # the place under the pointer
        self._packs: dict[int, Json] = {}
        self._asked: set[int] = set()  # the seats whose packing form has opened automatically
        self._form: tuple[TransferScreen, int] | None = None  # the form opened last, and its seat
        self._alarm: Screen[Any] | None = None
        self._alarm_due = False

    @property
    def map(self) -> CaveMap:
        return self.screen.query_one(CaveMap)

    @property
    def cursor(self) -> Coord:
        return self.map.cursor

    @property
    def pointed_place(self) -> Coord:
        """The place under the pointer, else under the cursor."""
        return self.hovered or self.map.cursor

    def doings(self) -> Mapping[str, Do]:
        return {
            **super().doings(),
            "enter": self._enter,
            "go": self.going.take_by,
            "discover": self._discover,
            "moves": self.going.list_moves,
            "pack": self._open_packing,
            "camp": self._pitch_or_strike_camp,
            "abandon": self._abandon,
            "end_turn": self._end_turn,
            "spot": self.placing.to_spot,
            "rotate": self.placing.rotate,
            "place": self.placing.place,
            "next": self._look_at_next_place,
            "choose": self._look_at_next_place,  # a click on the arrows' hint
            "all": self._list_all_actions,
            "exit": lambda: self._cycle(self.scene.unexplored_exit_places()),
            "base": lambda: self.look_at(BASE),
            "find": lambda: self.look_at(self.scene.team_at),
            "team": self._show_team,
            "follow": self._toggle_follow,
            "zoom": lambda: self.map.action_zoom(1),
            "centre": lambda: self.map.centre_on(self.map.cursor),
        }

    def plays(self, word: str) -> bool:
        return self.scene.plays(word)

    # The palette and the help

    def commands(self) -> Iterator[Command]:
        """List the actions for the palette; illegal ones with the reason."""
        from client.tui.command_palette import Command

        now = self.scene
        if now.mode in ("acting", "starving", "waiting"):
            for line in (*now.all_lines(), *actions.move_offers(now.cave, now.seat, now.choices)):
                gains = " ".join(filter(None, (line.price, line.gain, line.brings)))
                done = partial(self.do, line.do)
                if line.choice is not None:
                    done = partial(self.going.take, line.choice)
                yield Command(begun(line.label), gains if line.legal else line.why, done)
        yield from super().commands()
        yield from self.as_palette_commands(OF_THE_MAP)

    def palette_players(self) -> Iterator[Command]:
        from client.tui.command_palette import Command

        for seat, team in enumerate(self.scene.cave.teams):
            label = f"Show team {terms.team_letter(seat)} {self.scene.view.names[seat]}"
            yield Command(label, "move the cursor there", partial(self.look_at, team.at))

    def palette_places(self, query: str) -> Iterator[Command]:
        """Find every tile, and any other place by its numbers: ``3,-1``."""
        from client.tui.command_palette import Command

        board = self.scene.cave.board
        for (x, y), tile in sorted(board.items()):
            about = f"{terms.tile_kind_words(tile.kind, tile.level)}, {terms.depth_words(tile.depth)}"
            yield Command(f"Go to {x},{y}", about, partial(self.look_at, (x, y)))
        try:
            x, y = (int(number) for number in query.lower().removeprefix("go to ").split(","))
        except ValueError:
            return
        if (x, y) not in board:
            yield Command(f"Go to {x},{y}", "no tile lies there", partial(self.look_at, (x, y)))

    def rules_at_cursor(self) -> Sequence[str]:
        from client.games.the_cave import guide

        told = self.screen.query_one("#message", MessageLine).text
        return guide.rules_about(self.scene, self.pointed_place, told)

    # Scene changes

    def prepare_new_scene(self, before: CaveScene, *, first: bool) -> None:
        """Move the cursor to the new scene's place; with a tile in hand it is already there."""
        if not self.placing.follow(before):
            self._move_cursor(before, first=first)
        super().prepare_new_scene(before, first=first)

    def _move_cursor(self, before: CaveScene, *, first: bool) -> None:
        now, lesson = self.scene, before.state.lesson
        taken_back = lesson is not None and lesson.shows  # the turn did not really change
        if first or (now.can_act and before.turn != now.turn and not taken_back):
            self.map.cursor = self.going.goals.pop(now.seat, now.team_at)
            self.map.scroll_into_view(self.map.cursor)
            if not first:
                self.screen.query_one("#header", HeaderBar).shine()
        elif before.mode == "placing" and now.mode == "acting":
            self.map.scroll_into_view(now.team_at)
        elif before.seat == now.seat and self.map.cursor == before.team_at != now.team_at:
            self.map.cursor = now.team_at  # after an undo
        elif self.screen.follows:
            self._show_acting()

    def after_scene_shown(self, before: CaveScene) -> None:
        """Close outdated dialogs, and note that the alarm is due."""
        self._close_form()
        now = self.scene
        if now.over and self._alarm is not None:
            # Else it would appear after the score sheet closes.
            self._alarm.dismiss(None)
        # In a replay, or if a bot finishes the game, the log shows it.
        is_handed = bool(now.state.my_seats) and not any(map(now.state.plays, now.state.my_seats))
        self._alarm_due |= end_is_near(before.cave, now.cave) and not (self.replay or is_handed)
        super().after_scene_shown(before)

    def open_due(self) -> None:
        now, hidden = self.scene, self.screen.curtain.closed
        if now.mode == "packing" and now.choices and not (hidden or now.seat in self._asked):
            self._open_packing()
        elif self._alarm_due and now.cave.turns_left is not None and not now.over:
            self._alarm_due = False
            title, teams = end_warning(now.view, now.state.log), [*alarm_entries(now)]
            self._alarm = self.asking.open_list(title, teams, self.look_at, chosen=now.seat, hint=SHOW_TEAM)
        else:
            super().open_due()

    # Actions

    def show_refusal(self, message: str) -> None:
        self.placing.wish = None
        self._asked.clear()
        super().show_refusal(message)

    def do_unlisted_word(self, kind: str) -> None:
        """Do an action without details, open a form, or say why it is illegal."""
        seat = self.scene.seat
        choice = actions.choice_of_kind(self.scene.choices, kind) if self.scene.can_act else None
        if isinstance(choice, Form):
            self._open_form(choice)
        elif choice is not None:
            if kind != "end_turn":
                self.going.goals.pop(seat, None)  # another action ends the walk
            self.send(seat, to_json(choice.action))
        else:
            self.say(self.why_not_now(kind))

    def why_word_is_refused(self, kind: str) -> str:
        if not self.scene.can_act:
            return bar_note(self.scene, self.screen.with_own_keys) or NOT_NOW
        if self.scene.mode == "placing":
            return self.screen.with_own_keys(NO_PLACE)
        return actions.why_no_action(self.scene.refusals, kind) or NOT_NOW

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.asking.show_score()
        elif now.mode == "placing":
            self.placing.place()
        elif not now.can_act:
            self.say(bar_note(now, self.screen.with_own_keys) or NOT_NOW)
        else:
            self.going.do_enter_action(self.map.cursor)

    def _discover(self) -> None:
        self.placing.wish = self.map.cursor
        self.do_unlisted_word("discover")

    def _open_packing(self) -> None:
        form = actions.choice_of_kind(self.scene.choices, "pack")
        if form is None:
            self.do_unlisted_word("pack")
        else:
            self._asked.add(self.scene.seat)
            self._open_form(form)

    def _pitch_or_strike_camp(self) -> None:
        pitched = self.scene.cave.teams[self.scene.seat].camp.state == "pitched"
        self.do_unlisted_word("strike" if pitched else "pitch")

    def _abandon(self) -> None:
        choice = actions.choice_of_kind(self.scene.choices, "abandon")
        if choice is not None and self.setting_value(texts.ABANDON):
            self.going.ask_first(choice, texts.ABANDON_QUESTION, "Abandon it", "Keep it")
        else:
            self.do_unlisted_word("abandon")

    def _end_turn(self) -> None:
        now = self.scene
        choice = actions.choice_of_kind(now.choices, "end_turn")
        asked = self.setting_value(texts.END_TURN)
        if choice is not None and asked and actions.loses_something(now.cave, now.choices):
            question = texts.END_QUESTION.format(ap=now.cave.ap)
            self.going.ask_first(choice, question, "End it", "Go on", sure=True)
        else:
            self.do_unlisted_word("end_turn")

    def _open_form(self, form: Form) -> None:
        from client.games.the_cave.packing_screens import form_screen

        seat, screen = self.scene.seat, self.screen
        last = self._packs.get(seat, screen.remembered)
        taught = self.scene.state.lesson is not None
        guided = screen.preferences.now.shows_guide(screen.face.name) and not taught

        def filled(action: Json | None) -> None:
            if action is None:
                self.advising.drop()  # a hint may name keys of the form
                return
            if action["type"] == "pack":
                self._packs[seat] = action
                if not taught:
                    screen.post_message(screen.Remember(screen.face, action))
            self.going.goals.pop(seat, None)  # another action ends the walk
            self.send(seat, action)

        made = form_screen(
            self.scene,
            form,
            screen.face,
            glyphs=screen.glyphs,
            last=last,
            guided=guided,
            ask=None if taught else self.advising.ask,
            chat=None if taught else self.asking.show_chat,
        )
        screen.app.push_screen(made, filled)
        self._form = made, seat

    def _close_form(self) -> None:
        """Close a form that is no longer usable: its turn is over, or another client has the seat."""
        if self._form is not None:
            form, seat = self._form
            if form not in self.screen.app.screen_stack:
                self._form = None
            elif form.is_current and not self.scene.state.choices.get(seat):
                self._asked.discard(seat)
                form.dismiss(None)

    def _list_all_actions(self) -> None:
        if self.scene.mode in ("acting", "starving", "waiting"):
            lines = renamed_lines(self.scene.all_lines(), self.screen.key_words, self.screen.keymap)
            self.asking.open_list("All actions", [*map(action_entry, lines)], self.do, hint=WITH_RULES)
        else:
            self.say(self.why_not_now("all"))

    # Looking around

    def point_out(self, action: Json) -> str:
        meant = self.scene.state.game.action_from_json(action)
        how = f"{{{actions.KEYS.get(meant.type, 'enter')}}} does it."
        match meant:
            case Move(to):
                self.look_at(to)
                asks = meant.by == "force" and self.scene.mode != "starving"
                how = "" if asks else "The cursor is on it: {enter} goes there."
            case Place():
                self.placing.show_action(meant)
                how = "{enter} lays it so."
            case Pack() | Exchange() | Discard():
                how = f"{{{actions.KEYS[meant.type]}}} opens the backpack."
        form = self._form and self._form[0]
        return form.keys_for(meant) if form and form.is_current else how

    def look_at(self, at: Coord) -> None:
        self.map.move_cursor(at)

    def point_at(self, at: Coord) -> None:
        self.map.centre_on(at)
        self.map.move_cursor(at)

    def look_again(self, outlook: Outlook) -> None:
        """Restore an earlier view of the map; the cursor stays at the tile in hand."""
        super().look_again(outlook)
        self.placing.look_at_aim()

    def _show_team(self, seat: str) -> None:
        at = self.scene.cave.teams[int(seat)].at
        if self.map.cursor == at:
            self.map.centre_on(at)
        self.look_at(at)

    def _toggle_follow(self) -> None:
        self.screen.follows = not self.screen.follows
        self.say(self.screen.with_own_keys(FOLLOWING if self.screen.follows else NOT_FOLLOWING), "text")
        if self.screen.follows:
            self._show_acting()

    def _show_acting(self) -> None:
        acting = self.scene.cave.seat
        if acting is not None:
            self.map.scroll_into_view(self.scene.cave.teams[acting].at)

    def _cycle(self, places: Sequence[Coord]) -> None:
        if places:
            self.look_at(next_place(places, self.map.cursor))
        else:
            self.say("There is none.")

    def _look_at_next_place(self) -> None:
        if not self.placing.to_next():
            self._cycle(self.scene.target_places() if self.scene.can_act else self.scene.unexplored_exit_places())

    def jump_places(self) -> Iterator[Coord]:
        """Yield visible places: those with actions, those within reach, and the unexplored exits."""
        pane = self.map.size.region
        for at in (*self.scene.target_places(), *self.scene.reach, *self.scene.unexplored_exit_places()):
            if self.map.region_of(at).overlaps(pane):
                yield at

    def land_after_jump(self, at: Coord) -> None:
        """Point at a place, and go there at once if possible; never start an irreversible action."""
        self.look_at(at)
        self.going.land_after_jump(self.map.cursor)

    def click(self, at: Coord, *, again: bool) -> None:
        """Point at a tile, or act there on a second click; while placing, choose a place or rotate."""
        if self.placing.aim is not None:
            self.placing.click(at)
        elif again:
            # An extra click at the end of a walk must not draw a tile, which cannot be undone.
            here = self.scene.can_act and at == self.scene.team_at
            if here and self.scene.enter_action_at(self.map.cursor).do == "discover":
                self.say(self.screen.with_own_keys(CLICK_TO_DISCOVER), "text")
            else:
                self._enter()
