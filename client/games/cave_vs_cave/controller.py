"""The controller of Cave vs Cave: the actions of keys, clicks and palette entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, ClassVar

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import CAVERN, Choice, Space
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.state import ENTRANCE
from client.games.cave_vs_cave import guide, tasks, terms, texts
from client.games.cave_vs_cave.board import CavePane
from client.games.cave_vs_cave.panes import VersusPanel
from client.games.cave_vs_cave.scene import NOTHING_TO_UNDO, VersusScene
from client.games.cave_vs_cave.tile_panes import Tiles
from client.tui.board.view import Outlook
from client.tui.command_palette import Command
from client.tui.controller import Controller, Do
from client.tui.table import TableScreen
from client.wording import begun

NO_NUMBER = "No tile and no action has the key {key} now: {{a}} lists all that can be done."
NOTHING_HERE = "Nothing can be done on that space now."
DONE_ALREADY = "The last key did the only thing it could do. Press {enter} again to act on this space."
ROOMS_ON_SHOW = "Rooms on show, without the tile's price: choose one to see where it fits"
NO_ROOMS = "No rooms are on show now."
ABOVE, AROUND = "-above", 3  # the class of a list at the top; the rows of a list besides its entries
LONG_VERBS = {  # that rows leave out, as the title of the list has them
    tasks.KINDS["furnish"]: "furnish ",
    tasks.KINDS["build_wall"]: "build a wall ",
    tasks.KINDS["raze_wall"]: "raze the wall ",
}
SPACES = " (spaces: row, column)"  # in the title of a list
PLAYING = frozenset({"enter", "number", "kind", "take", "list", "end_turn", "undo", "reset"})
STEP_TO_CAVERN = {((3, 1), (0, 1)): CAVERN, ((4, 2), (-1, 0)): CAVERN}
STEP_FROM_CAVERN = {(0, -1): (3, 1), (1, 0): (4, 2)}  # it is beside (3, 1) and above (4, 2)


class VersusController(Controller[VersusScene]):
    nothing_to_undo: ClassVar[str] = NOTHING_TO_UNDO

    def __init__(self, screen: TableScreen[VersusScene]) -> None:
        super().__init__(screen, guide.newcomer_guide())
        self.cursor: Space = ENTRANCE
        self.there: Space = ENTRANCE  # the cursor in the opponent's cave, while that is shown
        self.looked_at: tuple[int, int] = (0, 1)
        self.room = ""  # the selected room on show: the spaces where it fits are marked
        self.fitting: tuple[Space, ...] = ()
        self.has_looked = False  # whether a space or a room was pointed at since a tile can be taken
        self._came_back = False  # whether the last key returned to the player's own cave

    def prepare_new_scene(self, before: VersusScene, *, first: bool) -> None:
        """Show the active player's board when a turn begins, and that of a new era. The tile that was taken moves
        the cursor to a space with an action, so that the rooms that fit there are marked.
        """
        now = self.scene
        if now.can_act and not before.can_act:
            self._go_home()
        if now.mode != before.mode:
            self.has_looked = False
        if first or now.seat != before.seat or now.cave.era != before.cave.era:
            self.looked_at = (now.seat, now.cave.era)
            self.cursor, self.there = self._starting_space(), _first_space_of_board(now.cave.era)
        elif now.mode == "actions" and before.mode == "take" and not self.here:
            self.cursor = self._starting_space()
        self._look_at_room(self.room if self.room in now.cave.display else "")
        super().prepare_new_scene(before, first=first)

    def _starting_space(self) -> Space:
        lesson = self.scene.state.lesson
        if lesson is not None:
            lit = [(each[0], each[1]) for each in lesson.lit if not isinstance(each, str)]
            return next((each for each in lit if tasks.is_empty(self.scene, each)), ENTRANCE)
        spaces = [each for each in self.scene.at if each != ENTRANCE]
        empty = (each for each in spaces if tasks.is_empty(self.scene, each))
        return next(empty, next(iter(spaces), _first_space_of_board(self.looked_at[1])))

    @property
    def visits_other_cave(self) -> bool:
        """Whether the opponent's cave is shown: it allows no actions."""
        return self.looked_at[0] != self.scene.seat

    @property
    def here(self) -> tuple[Choice, ...]:
        """The choices at the cursor, and those to use the room there."""
        now = self.scene
        if self.visits_other_cave:
            return ()
        room = now.room_at(now.seat, self.cursor)
        uses = (each for each in now.kinds.get("use_room", ()) if getattr(each.action, "room", "") == room)
        return (*now.at.get(self.cursor, ()), *uses)

    def _go_home(self) -> None:
        if self.visits_other_cave:
            self.looked_at = (self.scene.seat, self.board_of(self.cursor))

    # Actions

    def do(self, word: str) -> None:
        """Run a command, an action in the player's own cave, and close the news."""
        self._came_back = self.visits_other_cave and self.scene.can_act and self.plays(word.partition(":")[0])
        if self._came_back:
            self._go_home()
            self.screen.paint()
        for pane in self.screen.query(CavePane):
            pane.end_animation()
        super().do(word)
        self.screen.put_news_away()

    def look_again(self, outlook: Outlook) -> None:
        """Start at a space with an action."""

    def doings(self) -> Mapping[str, Do]:
        return {
            **super().doings(),
            "enter": self._enter,
            "number": self._number,
            "kind": self._choose_kind,
            "take": lambda tile: self._send_action(act.Take(tile)),
            "list": self._list_all,
            "end_turn": self._end_turn,
            "space": self._click,
            "other": lambda place: self._point_there(_space_of_click(place)),
            "go": self._move_cursor,
            "next": self._look_at_next_space,
            "next_board": self._next_board,
            "rooms": self._list_rooms,
            "room": self._look_at_room_or_next,
            "page": self._page,
        }

    def plays(self, word: str) -> bool:
        return word in PLAYING

    def _send_action(self, action: Any) -> None:
        now, data = self.scene, self.scene.state.game.action_json(action)
        send = partial(self.send, now.seat, data)
        if self.setting_value(texts.LEFT) and (doubt := tasks.doubt(now, action)):
            self.ask_first(data, doubt.question, doubt.yes, doubt.no, send, sure=isinstance(action, act.EndTurn))
        else:
            send()

    def _enter(self) -> None:
        now, here = self.scene, self.here
        if now.mode == "over":
            self.asking.show_score()
        elif not now.can_act:
            self.say(self.why_not_now("enter"))
        elif self.is_echo:
            self.say(self.screen.with_own_keys(DONE_ALREADY), "tip")
        elif here:
            self._choose(here, f"On {terms.space_words(self.cursor)}", beside=self._unfit_rooms())
        elif self._unfit_rooms():
            self.asking.open_list(
                f"On {terms.space_words(self.cursor)} nothing fits", self._unfit_rooms(), self._send_action
            )
        elif now.mode in ("dig", "cover", "draft"):
            self.say(NOTHING_HERE)
        elif now.mode == "actions" and tasks.is_empty(now, self.cursor) and (why := now.why_not("furnish")):
            self.say(why)
        else:
            self._list_all()

    def _list_all(self) -> None:
        if self.scene.can_act:
            self._choose(self.scene.choices, "What now?")
        elif tiles := self._refused_tiles():
            self.asking.open_list("Tiles", tiles, self._send_action)
        else:
            self.say(self.why_not_now("list"))

    def _refused_tiles(self) -> Sequence[Any]:
        from client.tui.chooser import Entry

        now = self.scene
        return [
            Entry(tasks.task_words(now, Choice(act.Take(tile))), None, detail=tasks.why_not(now, tile), enabled=False)
            for tile in now.cave.up
            if tile not in now.takable_tiles
        ]

    def _unfit_rooms(self) -> Sequence[Any]:
        from client.tui.chooser import Entry

        now = self.scene
        here = not self.visits_other_cave and tasks.is_empty(now, self.cursor)
        if not here or not {"furnish", "draft"} & now.kinds.keys():
            return ()
        offered = {getattr(each.action, "room", "") for each in now.at.get(self.cursor, ())}
        return [
            Entry(terms.room_name(each.room), None, detail=each.why, enabled=False)
            for each in tasks.room_fits(now, self.cursor)
            if each.why and each.room not in offered
        ]

    def _number(self, key: str) -> None:
        now = self.scene
        tile = next((each for each in now.cave.up if tasks.tile_key(now, each) == key), "")
        if now.mode == "take" and tile:
            if tile in now.takable_tiles:
                self.note_answer(f"number:{key}")
                self._send_action(act.Take(tile))
            else:
                self.say(f"{terms.tile_name(tile)}: {tasks.why_not(now, tile)}.")
            return
        found = next((each for each in tasks.doings(self.scene) if each.key == key), None)
        if found is not None:
            self._came_back |= self.is_echo  # shows a list even of one
            if now.mode != "actions":
                self.note_answer(f"number:{key}")
            self._choose_kind(found.kind)
        else:
            kinds = (kind for kind in tasks.IN_A_TURN if now.mode == "actions" and tasks.key_of_kind(kind) == key)
            none = now.why_not(next(kinds, "")) or self.screen.with_own_keys(NO_NUMBER.format(key=key))
            self.say(none if self.scene.can_act else self.why_not_now("number"))

    def _choose_kind(self, kind: str) -> None:
        found = self.scene.kinds.get(kind, ())
        if not found:
            self.say(self.why_not_now(kind))
        elif kind == "end_turn":
            self._end_turn()
        else:
            if len(found) == 1 and self.scene.mode == "actions":
                self.note_answer("enter")  # it would choose from a list
            self._choose(found, tasks.KINDS[kind])

    def _choose(self, choices: Sequence[Choice], title: str, beside: Sequence[Any] = ()) -> None:
        """Do the only choice but the turn's end, or let the player choose in steps; ``beside`` are illegal ones
        with reasons.
        """
        from client.tui.chooser import Entry, number_key

        unseen, self._came_back = self._came_back, False
        if len(choices) == 1 and not unseen and not isinstance(choices[0].action, act.EndTurn):
            self._send_action(choices[0].action)
            return
        now = self.scene
        choices = tasks.best_first(now, choices)
        groups = tasks.choices_in_steps(choices)
        verb = LONG_VERBS.get(title, "")
        named = [(name, some, "", "", f"{len(some)} ways" * (len(some) > 1)) for name, some in groups.items()]
        for each in choices if not groups else ():
            words, cost, gain = tasks.choice_offer_words(now, each, self.cursor)
            cut = tasks.cut_off_words(now, each.action)
            words = words.removesuffix(f" ({cut})")
            words = words.removeprefix(verb)
            if isinstance(each.action, act.UseRoom) and not gain and each.action.good:
                gain = "nothing now"
            got = gain if gain.startswith("space ") else gain and f"get {gain}"
            named.append((words, (each,), cost and f"pay {cost}", got, cut))
        takes = any(isinstance(each.action, act.Take) for each in choices)
        if takes:
            beside = [*beside, *self._refused_tiles()]
        entries = [
            Entry(
                name,
                (some, name),
                detail=detail,
                price=cost,
                gain=gain,
                key=_tile_key_of_entry(now, some, "" if takes and not groups else number_key(number)),
            )
            for number, (name, some, cost, gain, detail) in enumerate(named, 1)
        ]
        meant = [n for n, (_, some, *_) in enumerate(named) if any(self.is_hinted(each.action) for each in some)]
        if not groups:
            meant += [n for n, each in enumerate(choices) if getattr(each.action, "at", None) == self.cursor]
            places = (getattr(each.action, "between", getattr(each.action, "at", None)) for each in choices)
            self.number_board_places(islice(places, 9))
            if any(getattr(each.action, "between", getattr(each.action, "at", None)) for each in choices):
                title += SPACES
        rows = [*entries, *beside]
        found = self.asking.open_list(title, rows, self._choose_further, chosen=[*meant, 0][0])
        found.set_class(any(each in self.here for each in choices) and self._would_hide_cursor(len(rows)), ABOVE)

    def _would_hide_cursor(self, rows: int) -> bool:
        """Return whether a list of so many rows at the bottom would hide the cursor's space."""
        pane, height = self.screen.query_one("#cave", CavePane), self.screen.size.height
        space = pane.region_of(pane.cursor).translate(pane.content_region.offset)
        return height // 2 <= space.y and height - space.bottom < rows + AROUND

    def _choose_further(self, some: tuple[Sequence[Choice], str]) -> None:
        choices, name = some
        if [each.action for each in choices] == [act.EndTurn()]:
            self._end_turn()
        else:
            self._choose(choices, name)

    # The rooms on show

    def _list_rooms(self) -> None:
        from client.tui.chooser import Entry
        from client.tui.widgets.dialog_box import BELOW

        now = self.scene
        shown = tasks.rooms_best_first(now)
        entries = [
            Entry((words := tasks.room_words(now, room, priced=False).partition(": "))[0], room, detail=begun(words[2]))
            for room in shown
        ]
        if entries:
            self.asking.open_list(
                ROOMS_ON_SHOW, entries, self._see_room, chosen=shown.index(self.room) if self.room in shown else 0
            ).remove_class(BELOW)
        else:
            self.say(NO_ROOMS)

    def _look_at_room_or_next(self, which: str) -> None:
        """Select a room by name, or the next one; the same room again: none."""
        shown = ("", *tasks.rooms_best_first(self.scene))
        if which in shown:
            self._see_room("" if which == self.room else which)
        else:
            at = shown.index(self.room) if self.room in shown else 0
            self._see_room(shown[(at + int(which)) % len(shown)])

    def _page(self, pane: str) -> None:
        for each in self.screen.query(f"#{pane}").results(VersusPanel):
            each.show_next_page()

    def _see_room(self, name: str) -> None:
        self._look_at_room(name)
        if self.fitting and self.cursor not in self.fitting:
            self.point_at(self.fitting[0])
        else:
            self.screen.paint()

    def _look_at_room(self, name: str) -> None:
        self.room = name
        self.fitting = tasks.spaces_for(self.scene, name) if name else ()

    def _end_turn(self) -> None:
        if "end_turn" in self.scene.kinds:
            self._send_action(act.EndTurn())
        else:
            self.say(self.why_not_now("end_turn"))

    # Looking around

    def point_at(self, at: Any) -> None:
        self.cursor = CAVERN if at == CAVERN else (at[0], at[1])
        self._look_at(self.scene.seat, self.cursor)

    def point_out(self, action: Any) -> str:
        """Move the cursor to the place of an action; return its key."""
        now, meant = self.scene, self.scene.state.game.action_from_json(action)
        if isinstance(meant, act.Take):
            self.screen.query_one(Tiles).keep_in_sight(meant.tile)
            return f"Press {{{tasks.tile_key(now, meant.tile)}}}."
        if places := [*filter(None, [getattr(meant, "at", None)]), *getattr(meant, "between", ())]:
            empty = [at for at in places if tasks.is_empty(now, at)]
            self.point_at(self.cursor if self.cursor in places else (empty or places)[0])
        key, found = ("enter", self.here) if places else (tasks.key_of_kind(meant.type), now.kinds[meant.type])
        steps = tasks.choices_in_steps(found).values()
        lists = (len(found) > 1) + any(len(some) > 1 for some in steps if meant in [each.action for each in some])
        presses = (" twice", " three times") if places else (", then {enter}", ", then {enter} twice")
        after = f"{presses[lists - 1]}: the list marks it" if lists else ""
        return f"Press {{{key}}}{after}."

    def _point_there(self, at: Space) -> None:
        self.there = at
        self._look_at(1 - self.scene.seat, at)

    def _look_at(self, seat: int, at: Space) -> None:
        self.looked_at = (seat, self.board_of(at))
        self.has_looked = True
        self.say("")
        self.screen.paint()

    @staticmethod
    def board_of(at: Space) -> int:
        return 1 if isinstance(at, str) else components().spaces[at].era

    def _show_jump_letters(self) -> None:
        # the letters are in your own cave
        self.looked_at = (self.scene.seat, self.looked_at[1])
        super()._show_jump_letters()

    def jump_places(self) -> Iterator[Space]:
        now = self.scene
        yield from dict.fromkeys((*now.at, *now.me.rooms, *now.me.covered))

    def _move_cursor(self, by: str) -> None:
        down, right = (int(each) for each in by.split(","))
        spaces, here = components().spaces, self.there if self.visits_other_cave else self.cursor
        if isinstance(here, str):
            target: Space = STEP_FROM_CAVERN.get((down, right), here)
        else:
            target = (here[0] + down, here[1] + right)
            if target not in spaces or spaces[target].era > self.scene.cave.era:
                has = self.scene.cave.players[self.looked_at[0]].cavern > 0
                target = STEP_TO_CAVERN.get((here, (down, right)), here) if has else here
        (self._point_there if self.visits_other_cave else self.point_at)(target)

    def _look_at_next_space(self, by: str) -> None:
        found = tuple(self.scene.at)
        if found:
            at = found.index(self.cursor) + int(by) if self.cursor in found else 0
            self.point_at(found[at % len(found)])
        else:
            self.say(NOTHING_HERE)

    def _next_board(self, by: str) -> None:
        now = self.scene
        boards = [(seat, era) for seat in range(len(now.cave.players)) for era in range(1, now.cave.era + 1)]
        boards.sort(key=lambda each: (each[0] != now.seat, each[1]))
        at = boards.index(self.looked_at) if self.looked_at in boards else 0
        self.looked_at = boards[(at + int(by)) % len(boards)]
        if self.visits_other_cave and self.board_of(self.there) != self.looked_at[1]:
            self.there = _first_space_of_board(self.looked_at[1])
        self.screen.paint()

    def _click(self, place: str) -> None:
        at = _space_of_click(place)
        if at == self.cursor and self.scene.can_act and not self.visits_other_cave:
            self.do("enter")
        else:
            self.point_at(at)

    # The palette and the help

    def commands(self) -> Iterator[Command]:
        for each in self.scene.choices[:200]:
            words = tasks.task_words(self.scene, each)
            yield Command(words, tasks.choice_price(each) or "free", partial(self._send_action, each.action))
        yield from super().commands()

    def rules_at_cursor(self) -> Sequence[str]:
        alone = ALONE if self.scene.cave.alone else ()
        return (*_ABOUT.get(self.scene.mode, ()), *alone)


def _tile_key_of_entry(now: VersusScene, some: Sequence[Choice], key: str) -> str:
    """Return the key of an entry of a list: a tile's own."""
    action = some[0].action
    if len(some) == 1 and isinstance(action, act.Take):
        return tasks.tile_key(now, action.tile)
    return key


def _first_space_of_board(board: int) -> Space:
    """Return the space of a board where the cursor starts if no action is possible."""
    return ENTRANCE if board == 1 else (3, -1)


def _space_of_click(place: str) -> Space:
    """Return the space of a clicked word: ``2,1``, or ``cavern``."""
    if place == "cavern":
        return CAVERN
    row, _, column = place.partition(",")
    return (int(row), int(column))


ALONE = ("9.1", "9.2")  # rule numbers that differ in a solo game
_ABOUT: Mapping[str, Sequence[str]] = {
    "actions": ("3.3", "3.4", "4.1", "4.4", "4.5", "5.1"),
    "dig": ("4.1", "4.2"),
    "cavern": ("4.9",),
    "draft": ("8.1", "8.2"),
    "cover": ("8.5",),
}
