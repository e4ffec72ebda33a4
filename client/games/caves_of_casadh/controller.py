"""The controller of The Caves of Casadh: the actions of keys, clicks and palette entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.caves_of_casadh.actions import Action, Collecting, CollectItems, Place
from cave.caves_of_casadh.components import HOME, Cell, ItemKind
from cave.caves_of_casadh.guide import rate_rotations
from cave.codec import to_json
from cave.game import Json
from client.games.caves_of_casadh import guide, terms, texts
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.dice import roll_in
from client.games.caves_of_casadh.panes import Tasks
from client.games.caves_of_casadh.passages import OVERVIEW, axial_cell, on_board
from client.games.caves_of_casadh.scene import CasadhScene, card_words, misfortune_words, turns_outside, why_turn_ended
from client.games.caves_of_casadh.tasks import LETTERS, Task
from client.tui.board.geometry import next_place
from client.tui.command_palette import Command
from client.tui.controller import Controller, Do
from client.tui.sentences import ECHO, LOOK_AROUND
from client.tui.table import TableScreen
from client.wording import begun

NO_HEX = "You have no hex in hand."
ONE_WAY = "It fits in one way only."
NO_LINE = "Nothing has the number {number} now: {{a}} lists all that can be done."
NO_WAY = "No way leads there from your passage: the ways out of here have numbers."
KEEP_ONE = "Choose the treasure that you keep: {{1}} to {{{number}}}."
HERE_YOU_ARE = "You are here. Press the number of a way out, or {enter} on the place beside you."
NOTHING_TO_UNDO = "Nothing to undo: you cannot undo a hex, card or treasure drawn, a roll, or a turn that has ended."
FOR_GOOD = "--- for good ---"

OF_A_TURN = frozenset({"number", "turn", "all", *LETTERS})  # ignored after the game has ended
IN_A_TURN = ("4.1", "4.2", "4.5", "7.3")  # the rules that always matter for a move
UNDONE = frozenset({"move", "slide"})  # key u takes these back
FINAL = frozenset({"leave", "give_up", "defuse"})  # Enter alone does not confirm these
YES = {
    "leave": "Leave for good",
    "give_up": "Give up and die",
    "defuse": "Try to defuse it",
    "end_turn": "End the turn",
}
NO = {"leave": "Stay in the caves"}


class CasadhController(Controller[CasadhScene]):
    nothing_to_undo: ClassVar[str] = NOTHING_TO_UNDO
    secrets: ClassVar[str] = "treasures"

    def __init__(self, screen: TableScreen[CasadhScene]) -> None:
        super().__init__(screen, guide.newcomer_guide())
        self.rotation = 0  # index of the displayed rotation of the drawn hex
        self._is_new = True

    # The scene

    @property
    def hex_map(self) -> HexMap:
        return self.screen.query_one(HexMap)

    @property
    def cursor(self) -> Cell:
        return axial_cell(self.hex_map.cursor)

    @property
    def task_with_hex_in_hand(self) -> Task | None:
        found = self.scene.rotations_in_hand
        return found[self.rotation % len(found)] if found else None

    @property
    def rotation_in_hand(self) -> int | None:
        action = self.task_with_hex_in_hand.actions[-1] if self.task_with_hex_in_hand is not None else None
        return action.rotation if isinstance(action, Place) else None

    @property
    def tasks_at_cursor(self) -> list[Task]:
        return [task for task in self.scene.tasks if any(map(task.is_for, self.advising.actions))]

    def prepare_new_scene(self, before: CasadhScene, *, first: bool) -> None:
        if first or self.scene.cave.drawn != before.cave.drawn:
            self.rotation = self._best_rotation()
        self._is_new = first
        super().prepare_new_scene(before, first=first)

    def after_scene_shown(self, before: CasadhScene) -> None:
        """Scroll to the displayed pawn, or the place of the hex in hand; to the pawn as its turn begins."""
        now = self.scene
        drawn = now.cave.drawn
        if drawn is not None and (self._is_new or drawn != before.cave.drawn):
            if now.can_act and self.hex_map.zoom == OVERVIEW:
                # The overview hides passages and rotation.
                self.hex_map.toggle_overview()
            self._look_at(drawn.to)
        elif (
            self._is_new
            or (now.me.at and (now.seat, now.pawn_cell) != (before.seat, before.pawn_cell))
            or now.can_act > before.can_act
        ):
            self._look_at(now.pawn_cell)
        if (lesson := now.state.lesson) is not None:
            # An unexplored place has its number at the border of a hex.
            taught = [(at[0], at[1]) for at in (*lesson.lit, lesson.there, HOME) if isinstance(at, list | tuple)]
            known = (at for at in taught if at in now.cave.map)
            self.hex_map.show_together(
                [on_board(at) for at in (drawn.to if drawn else now.me.at or self.cursor, *known)]
            )
        fresh = [line.event for line in now.state.log if line.seq > before.state.seq]
        found = None if self._is_new or self.replay else roll_in(fresh, now.cave, now.view.names)
        if found is not None:
            self.screen.query_one(Tasks).show_roll(found)
        super().after_scene_shown(before)

    def message_when_idle(self) -> str:
        why = "" if self.advising.hint else why_turn_ended(self.scene) or misfortune_words(self.scene)
        card = "" if self.scene.mode == "keeping" else card_words(self.scene)  # shown above the treasures
        return why or super().message_when_idle() or (card and f"{begun(card)}.")

    def role_when_idle(self) -> str:
        return "warn" if not self.advising.hint and misfortune_words(self.scene) else super().role_when_idle()

    def _best_rotation(self) -> int:
        """Return the index of the rotation that a hint would name; a lesson turns the hex itself."""
        now = self.scene
        if now.state.lesson or not now.rotations_in_hand:
            return 0
        worth: dict[Action, float] = {action: points for points, action in rate_rotations(now.cave, now.seat)}
        laid = [worth.get(task.actions[0], 0.0) for task in now.rotations_in_hand]
        return laid.index(max(laid))

    # Actions

    def do(self, word: str) -> None:
        self.screen.query_one(Tasks).end_roll()
        super().do(word)

    def doings(self) -> Mapping[str, Do]:
        return {
            **super().doings(),
            "enter": self._enter,
            "number": self._number,
            "turn": self._turn,
            "all": lambda: self._choose(self.scene.tasks),
            "next": self._look_at_next_place,
            "here": lambda: self.point_at(self.scene.pawn_cell),
            "base": lambda: self.point_at(HOME),
            "overview": lambda: self.hex_map.toggle_overview(),
            "show": lambda place: self.point_at([*map(int, place.split(","))]),
            **{kind: partial(self._do_by_letter, kind) for kind in LETTERS},
        }

    def plays(self, word: str) -> bool:
        return super().plays(word) or word in OF_A_TURN or word == "enter"

    def word_has_no_effect(self, word: str) -> bool:
        return word in OF_A_TURN and not self.scene.tasks

    def waiting_words(self) -> str:
        return casadh_waiting_words(self.scene)

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.asking.show_score()
        elif not now.tasks:
            self.say(self.why_not_now("enter"))
        elif self.task_with_hex_in_hand is not None:
            self._do(self.task_with_hex_in_hand)
        else:
            found = [task for task in now.tasks if task.at == self.cursor]
            if len(found) > 1:
                self._choose(found)
            elif found:
                self._do(found[0])
            elif len(now.tasks) == 1:
                self._do(now.tasks[0])
            elif now.cave.phase == "keeping":
                self.say(self.screen.with_own_keys(KEEP_ONE.format(number=len(now.tasks))))
            else:
                self.say(self._no_way())

    def _no_way(self) -> str:
        said = self.scene.why_not_there(self.cursor)
        return said or self.screen.with_own_keys(HERE_YOU_ARE if self.cursor == self.scene.me.at else NO_WAY)

    def _number(self, key: str) -> None:
        task = self.scene.task_of_key(key)
        if task is None:
            self.say(self.screen.with_own_keys(NO_LINE.format(number=key)))
        elif self.scene.mode == "placing":
            self._hold(int(key) - 1)
        elif self.is_echo and task.kind not in UNDONE:
            if task.at is not None:
                self.point_at(task.at)  # Enter means it, too
            self.say(ECHO.format(key=key, action=f'"{task.words}"'))
        else:
            if self.scene.mode != "actions":
                self.note_answer(f"number:{key}")
            self._do(task)

    def _do_by_letter(self, kind: str) -> None:
        found = [task for task in self.scene.tasks if task.kind == kind]
        if len(found) > 1:
            self._choose(found)
        elif found:
            self._do(found[0])
        else:
            self.say(self.why_not_now(kind))

    def _do(self, task: Task) -> None:
        asked = texts.question_before(task.kind, self.scene)
        if task.form is not None:
            self._take_items(task.form)
        elif asked is not None and self.setting_value(asked[0]):
            act, action = partial(self._act, *task.actions), to_json(task.actions[0])
            no = NO.get(task.kind, "Go on")
            self.ask_first(action, asked[1], YES[task.kind], no, act, sure=task.kind not in FINAL)
        else:
            self._act(*task.actions)

    def _act(self, *actions: Action) -> None:
        seat = self.scene.seat

        async def each() -> None:
            for action in actions:
                await self.screen.session.act(seat, to_json(action))

        do = partial(self.ask_host, each, several=len(actions) > 1)
        self.advising.check(seat, to_json(actions[0]), do)

    # Lists

    def _choose(self, tasks: Sequence[Task]) -> None:
        from client.tui.chooser import Entry

        entries = []
        for task in tasks:
            if task.kind == "give_up":
                entries.append(Entry(FOR_GOOD, None, enabled=False))
            key = task.key if len(task.key) == 1 else ""
            entries.append(Entry(task.words, task, price=task.price, detail=task.danger, key=key))
        self.asking.open_list("What you can do", entries, self._do)

    def _take_items(self, form: Collecting, left: frozenset[ItemKind] = frozenset(), at: int = 0) -> None:
        """Ask which items to take: all by default; each can be unselected and selected again."""
        from client.tui.chooser import Entry, number_key

        taken = tuple(kind for kind in form.items if kind not in left)
        words = f"Take {terms.item_list_words(taken)}" if taken else "Take at least one thing"
        entries = [Entry(words, None if not taken else CollectItems(taken), enabled=bool(taken))]
        if len(form.items) > 1:
            entries += [
                Entry(
                    f"{'leave' if kind in taken else 'take'} {terms.item_words(kind)}",
                    kind,
                    detail=terms.effect_sentence(terms.item_words(kind)),
                    key=number_key(key),
                )
                for key, kind in enumerate(form.items, 1)
            ]

        def chosen(value: CollectItems | ItemKind) -> None:
            if isinstance(value, CollectItems):
                self._act(value)
            else:
                self._take_items(form, left ^ {value}, 1 + form.items.index(value))

        self.asking.open_list("Take items; this ends the turn", entries, chosen, chosen=at)

    # The hex in hand

    def _turn(self, by: str) -> None:
        found = self.scene.rotations_in_hand
        if not found:
            self.say(NO_HEX)
        elif len(found) == 1:
            self.say(ONE_WAY)
        else:
            self._hold((self.rotation + int(by)) % len(found))

    def _hold(self, rotation: int) -> None:
        self.rotation = rotation
        self.say("")
        self.screen.paint()

    # Looking around

    def _look_at(self, at: Cell) -> None:
        self.hex_map.look_at(on_board(at))

    def point_at(self, at: Any) -> None:
        self._look_at((at[0], at[1]))
        self.say("")

    def point_out(self, action: Json) -> str:
        """Move the cursor to the place of an action, or turn the hex in hand so; return the key if the hint's
        words lack it.
        """
        task = next((each for each in self.scene.tasks if each.is_for(action)), None)
        if task is not None and task.at is not None:
            self.point_at(task.at)
        if self.task_with_hex_in_hand is not None and task is not None:
            self._hold(self.scene.rotations_in_hand.index(task))
            return "{enter} lays it so."
        self.screen.paint()
        return f"{{{task.key}}} does it." if task is not None and task.key in LETTERS.values() else ""

    def look_again(self, outlook: Any) -> None:
        self.hex_map.restore(outlook)

    def jump_places(self) -> Iterator[Any]:
        now = self.scene
        found = [task.at for task in now.tasks if task.at is not None]
        found += [player.at for player in now.cave.players if player.at is not None] + [HOME]
        yield from (on_board(at) for at in dict.fromkeys(found))

    def land_after_jump(self, at: Any) -> None:
        self.point_at(axial_cell(at))

    def _look_at_next_place(self, by: str) -> None:
        found = [task.at for task in self.scene.tasks if task.at is not None]
        found = found or [player.at for player in self.scene.cave.players if player.at is not None] or [HOME]
        self.point_at(next_place(tuple(dict.fromkeys(found)), self.cursor, int(by)))

    def click(self, *, again: bool) -> None:
        """Act at the place on a second click; a click on the hex in hand rotates it."""
        drawn = self.scene.cave.drawn
        if self.task_with_hex_in_hand is not None and drawn is not None and self.cursor == drawn.to:
            self.do("enter" if again else "turn:1")
        elif again and self.scene.tasks:
            self.do("enter")

    # The palette and the help

    def palette_players(self) -> Iterator[Command]:
        now = self.scene
        for name, player in zip(now.view.names, now.cave.players, strict=True):
            if player.at is not None:
                yield Command(f"Show {name}", "move the cursor there", partial(self.point_at, player.at))

    def palette_places(self, query: str) -> Iterator[Command]:
        words = query.casefold().removeprefix("go to ").strip()
        for at in self.scene.cave.map:
            name = terms.hex_name(self.scene.cave, at)
            if words and words in name.casefold():
                yield Command(f"Go to {name}", terms.cell_words(at), partial(self.point_at, at))

    def rules_at_cursor(self) -> Sequence[str]:
        if self.scene.mode == "actions":
            return (*rules_here(self.scene), *IN_A_TURN)
        return {
            "placing": ("4.3", "4.4"),
            "keeping": ("6.1", "6.2", "6.3"),
            "fleeing": ("8.2", "8.3"),
            "driving": ("8.4",),
            "haunting": ("8.5", "8.6"),
            "taking_lantern": ("8.5",),
            "moving_grue": ("8.6",),
        }.get(self.scene.mode, IN_A_TURN)


def rules_here(now: CasadhScene) -> Iterator[str]:
    laid = now.cave.map[now.pawn_cell]
    if now.pawn_cell == HOME:
        yield from ("9.2", "3.6")
    if laid.layout.hex.marker == now.me.passage:
        yield from ("6.2", "6.5")
    if laid.dynamite or "dynamite" in now.me.items:
        yield from ("7.4", "7.5", "7.6")


def casadh_waiting_words(now: CasadhScene) -> str:
    """Name the cause of the end of your turn, the active player, and the actions of a player outside."""
    meanwhile = LOOK_AROUND if now.me.state == "in" else f"You are {now.me.state}: {turns_outside(now)}."
    return f"{why_turn_ended(now)} {now.waits_for} {meanwhile}".lstrip()
