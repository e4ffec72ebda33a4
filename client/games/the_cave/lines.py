"""The Cave in line mode: its commands and its messages during a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar

from cave.codec import to_json
from cave.the_cave.actions import Choice, Discard, Exchange, Form, Move, Place
from cave.the_cave.state import BASE, Coord, neighbours_of
from cave.the_cave.tiles import unexplored_exits
from client.face import LogEntry
from client.games.the_cave import actions, line_texts, packing, terms, texts
from client.games.the_cave import walk_plans as known_ways
from client.games.the_cave.line_texts import Unclear, spoken_sentence, told_facts
from client.games.the_cave.packing import PackDraft
from client.games.the_cave.scene import CaveScene
from client.plain.line_commands import LineCommand, Option
from client.plain.line_table import LineTable

_LOOKS: Sequence[tuple[str, str, Callable[..., Sequence[str]], str, tuple[str, ...]]] = (
    ("here", "where you are, and what lies around", line_texts.own_tile_lines, "", ()),
    ("look", "what lies around, or at one place", line_texts.place_lines, "[north, or a place such as 2,0]", ()),
    ("map", "all tiles, the deepest last", line_texts.tiles, "", ("tiles",)),
    ("bag", "the contents of your backpack and camp", line_texts.luggage_lines, "", ("backpack", "camp", "inventory")),
    ("turn", "whose turn it is, AP, consumables and the way home", line_texts.turn, "", ("status",)),
    ("teams", "points, consumables, place and tokens of all teams", line_texts.standing, "", ("players",)),
    ("route", "the cheapest way to a place", line_texts.route, "to 2,0", ()),
    ("home", "the cheapest way home", line_texts.way_home_lines, "", ()),
)
"""Commands that only show something: name, purpose, lines, arguments, other names."""
_PLAINLY: Sequence[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = (
    ("discover", "discover a tile", ("x",), ("explore", "draw")),
    ("dive", "take the water token here", (), ()),
    ("photo", "take the photo token here", ("photograph", "snap"), ()),
    ("pitch", "put the camp up", (), ()),
    ("strike", "take the camp down", (), ()),
)
"""Commands for actions without details: name, purpose, other names, old ones."""
_NORTH = "; east, south and west likewise", "[by oxygen, raft or force]"
_PACK = "[3 consumables 2 rope camera camp 2 consumables, or same]"
POSSIBLE = "That is possible now."
T = TypeVar("T")


class CaveLines(LineTable[CaveScene]):
    """A table of The Cave. ``kits`` are the kits of the last list, if it listed kits."""

    order: ClassVar[Sequence[str]] = (
        *("here", "look", "map", "moves", "why", "bag", "turn", "teams", "goal", "score", "log", "since"),
        *("route", "home", "who", "rules"),
        *("north", "east", "south", "west", "go", "discover", "place", "dive", "photo", "pack", "try"),
        *("pitch", "strike", "exchange", "discard", "abandon", "undo", "reset", "end"),
    )
    a_rule: ClassVar[str] = "5.3"
    nothing_to_undo: ClassVar[str] = texts.NOTHING_TO_UNDO
    kits: tuple[packing.Kit, ...] = ()

    def commands(self) -> Iterable[LineCommand]:
        return (*self._look_commands(), *self._move_commands(), *self._handling_commands(), *super().commands())

    def _look_commands(self) -> Iterable[LineCommand]:
        for name, does, lines, more, also in _LOOKS:
            yield self.look_command(name, does, partial(self._text_lines, lines, bool(more)), more, also=also)
        yield LineCommand("why", "what you cannot do now, and why not", self._why_not_command, "[west, or an action]")

    def _text_lines(self, lines: Callable[..., Sequence[str]], takes: bool, rest: str) -> Sequence[str]:
        return lines(self.scene, *[rest] * takes)

    def _move_commands(self) -> Iterable[LineCommand]:
        for near in neighbours_of(BASE):
            word = terms.SIDE_WORDS[near.side]
            others, more = _NORTH if near.side == "N" else ("", "")
            yield LineCommand(word, f"go {word}{others}", partial(self._go, near.side), more, also=(word[0],))
        yield LineCommand("go", "go to a place, as far as the AP of this turn last", self._go_to, "to 2,0")
        yield LineCommand("place", "lay the tile you have discovered", self._place, "[number]")
        yield LineCommand("end", "end the turn; asks first if something is lost", self._end, "[yes]")

    def _handling_commands(self) -> Iterable[LineCommand]:
        for name, does, also, old in _PLAINLY:
            yield LineCommand(
                name, does, partial(self._do_plain_action, line_texts.kind_of_command(name)), also=also, old=old
            )
        yield LineCommand("pack", "fill the backpack", self._pack_command, _PACK)
        yield LineCommand(
            "try", "show the uses of a pack without packing it", self._try_placing, "3 consumables 2 rope"
        )
        yield LineCommand("exchange", "move things", self._exchange_command, "1 consumable to camp 2 rope to bag")
        yield LineCommand("discard", "discard things for good", self._discard_command, "1 rope", old=("drop",))
        yield LineCommand("abandon", "leave the packed camp at the base for good", self._abandon)

    # Messages

    def tell_entry(self, entry: LogEntry) -> str:
        return told_facts(entry)

    def turn(self) -> list[str]:
        return line_texts.turn(self.scene)

    def moment(self) -> str:
        return self.scene.mode

    def asked(self, *, same_turn: bool) -> list[str]:
        match self.scene.mode:
            case "packing":
                return [*self.first_lines(), *self.offer_packs()]
            case "placing":
                listed = self.list_options()
                number = len(self.numbers)
                return ["It fits in one way:" if number == 1 else f"It fits in {number} ways:", *listed]
            case "starving":
                return [*self.turn()[:1], texts.STARVING, *self.list_options()]
            case _:
                return self.after_a_step() if same_turn else [" ".join(self.turn())]

    def after_a_step(self) -> list[str]:
        """Return the AP left in the turn, and how to enter a tile just placed."""
        now = self.scene
        if now.mode != "acting":
            return []
        last: Any = next((line.event for line in reversed(now.state.log) if line.seq), {})
        into = ""
        if last.get("type") == "placed" and last.get("seat") == now.seat:
            into = line_texts.entry_price_words(now, (last["at"][0], last["at"][1]))
        return [" ".join(part for part in (into, *line_texts.tiles_left_lines(now)) if part)]

    # Lists

    def offered(self) -> tuple[Any, ...]:
        """Return the cache key of a list; it depends on the place, too."""
        now = self.scene
        return (now.seat, now.team_at, now.choices)

    def possible_options(self) -> Iterable[Option]:
        now = self.scene
        if now.mode == "placing":
            laid = (choice for choice in now.choices if isinstance(choice, Choice))
            return (Option(line_texts.laid_tile_words(now, choice), partial(self._do, choice)) for choice in laid)
        found = line_texts.legal_action_lines(now) if now.can_act else ()
        return (Option(line_texts.action_as_line(line), partial(self._take_line, line)) for line in found)

    def list_options(self) -> list[str]:
        return self.offer_packs() if self.scene.mode == "packing" else super().list_options()

    def offer_packs(self) -> list[str]:
        now = self.scene
        form = line_texts.legal_form(now, "pack")
        assert form is not None
        # A program gets the same list every time, independent of earlier games.
        self.kits = packing.ready_kits(form.limits, self.last_action if self.console.live else self.last_here)
        listed = self.number_options(
            Option(f"{kit.name}: {line_texts.draft_words(kit.draft)}.", partial(self._pack_draft, kit.draft))
            for kit in self.kits
        )
        first = now.mode == "packing"
        lines = line_texts.packing_offer_lines(form, listed, self.shown_seat_words, first=first)
        return [*lines, texts.STAYS_READABLE] if first and now.state.hot_seat else lines

    async def _take_line(self, line: actions.ActionLine) -> None:
        if line.choice is not None:
            await self._do(line.choice)
        else:
            await self.take(line_texts.command_of_kind(line.do))

    async def _do(self, choice: Choice) -> None:
        move = choice.action
        forced = isinstance(move, Move) and move.by == "force" and self.scene.mode != "starving"
        if forced and self.setting_value(texts.FORCE) and not await self.ask(texts.FORCE_QUESTION):
            return
        if isinstance(move, Place) and self.setting_value(texts.PLACE) and not await self.ask(texts.PLACE_QUESTION):
            return
        question = known_ways.before_move(self.scene.cave, self.scene.seat, choice)
        if question is None or await self._ask_first(question):
            await self.send_action(to_json(move))

    async def _ask_first(self, question: known_ways.Question, *told: str) -> bool:
        if not self.setting_value(texts.WALK):
            return True
        await self.console.write_lines(*told or map(spoken_sentence, question.told))
        return await self.ask(question.ask)

    async def _do_plain_action(self, kind: str, _rest: str = "") -> None:
        choice = actions.choice_of_kind(self.scene.choices, kind)
        if isinstance(choice, Choice):
            await self.send_action(to_json(choice.action))
        else:
            await self.console.write_lines(self._refusal_of_kind(kind))

    def _refusal_of_kind(self, kind: str) -> str:
        if self.scene.mode == "placing":
            return texts.FIRST_PLACE
        return actions.why_no_action(self.scene.refusals, kind) or texts.NOT_NOW

    async def _why_not_command(self, rest: str) -> None:
        now = self.scene
        if not rest:
            await self.console.write_lines(*line_texts.refused_action_lines(now) or ["Everything is possible now."])
            return
        at = line_texts.parse_place(now.team_at, rest)
        if at is not None:
            legal = bool(actions.ways_to(now.choices, at))
            why = actions.why_at(now.refusals, at) or "That is no neighbour of yours."
        else:
            command = self.vocabulary.find(rest)
            kind = line_texts.kind_of_command(command.name if command is not None else rest)
            legal = actions.choice_of_kind(now.choices, kind) is not None
            why = self.vocabulary.unknown_command_words(rest) if command is None else self._refusal_of_kind(kind)
        await self.console.write_lines(POSSIBLE if legal else why)

    # Moving

    async def _go(self, side: str, by: str) -> None:
        await self._enter(next(near.at for near in neighbours_of(self.scene.team_at) if near.side == side), by)

    async def _enter(self, to: Coord, by: str) -> None:
        now = self.scene
        into = tuple(actions.ways_to(now.choices, to))
        named = [word for word in ("oxygen", "raft", "force", "foot") if word in by.split()]
        if named:
            into = tuple(choice for choice in actions.move_choices(now.choices) if choice.action == Move(to, named[0]))
        if not into:
            await self.console.write_lines(self._no_way(to))
        elif len(into) == 1:
            await self._do(into[0])
        else:
            index = await self.choose(
                [line_texts.action_as_line(each) for each in actions.move_offers(now.cave, now.seat, into)]
            )
            if index is not None:
                await self._do(into[index])

    def _no_way(self, to: Coord) -> str:
        now = self.scene
        if now.mode == "placing":
            return texts.FIRST_PLACE
        if to in unexplored_exits(now.cave.board, now.team_at):
            why = now.enter_action_at(to)
            return why.line.why or texts.TYPE_DISCOVER
        if to not in now.cave.board:
            return texts.ROCK
        return actions.why_at(now.refusals, to) or "There is no way there now."

    async def _go_to(self, rest: str) -> None:
        now = self.scene
        head, _, by = rest.partition(" by ")
        at = line_texts.parse_place(now.team_at, head)
        if at is None:
            said = line_texts.NO_PLACE
        elif at == now.team_at:
            said = "You are there."
        elif now.mode == "placing":
            said = texts.FIRST_PLACE
        else:
            said = await self._set_out(at, by)
        if said:
            await self.console.write_lines(said)

    async def _set_out(self, at: Coord, by: str) -> str:
        """Walk to a place; return why that is impossible, or nothing."""
        now = self.scene
        found = now.enter_action_at(at)
        if found.do == "discover":
            return texts.TYPE_DISCOVER
        if by or found.do == "move":
            await self._enter(found.goal or at, by)
        elif found.do == "walk":
            question = known_ways.before_walk(now.cave, now.seat, at)
            if question is None or await self._ask_first(question, *line_texts.way(now, at)):
                await self._walk(found)
        elif known_ways.tile_for(now.cave, now.seat, at) is None:
            return line_texts.tile_words(now, at)
        else:
            return found.line.why
        return ""

    async def _walk(self, found: actions.EnterAction) -> None:
        for leg in found.legs:
            if not await self.send_action(to_json(Move(leg.to, leg.by))):
                return
        if found.stopped:
            await self.console.write_lines(found.stopped)

    # Tile, turn, camp

    async def _place(self, rest: str) -> None:
        if self.scene.mode != "placing":
            await self.console.write_lines("There is no discovered tile to place.")
        elif rest.isdecimal():
            if not self.list_is_valid or not self.numbers:
                self.list_options()
            await self.choose_number(int(rest[:6]))
        else:
            await self.console.write_lines(*self.list_options())

    async def _end(self, rest: str) -> None:
        now = self.scene
        loses = actions.loses_something(now.cave, now.choices) and now.mode == "acting"
        asked = loses and self.setting_value(texts.END_TURN)
        if not asked or rest in ("yes", "y") or await self.ask(texts.END_QUESTION.format(ap=now.cave.ap)):
            await self._do_plain_action("end_turn")

    async def _abandon(self, _rest: str) -> None:
        possible = actions.choice_of_kind(self.scene.choices, "abandon") is not None
        asked = possible and self.setting_value(texts.ABANDON)
        if not asked or await self.ask(texts.ABANDON_QUESTION):
            await self._do_plain_action("abandon")

    # Things

    async def _parse_typed(
        self, kind: str, rest: str, how: Callable[[], Sequence[str]], read: Callable[[Form], T]
    ) -> T | None:
        form = line_texts.legal_form(self.scene, kind)
        if form is None:
            told: Sequence[str] = [self._refusal_of_kind(kind)]
        elif not rest:
            told = [*line_texts.luggage_lines(self.scene), *how()]
        else:
            try:
                return read(form)
            except Unclear as why:
                told = [str(why)]
        await self.console.write_lines(*told)
        return None

    def _parse_typed_pack(self, rest: str, form: Form) -> PackDraft:
        if rest not in ("same", "same as last time"):
            wanted, why = packing.fill_draft(form.limits, line_texts.typed_draft(rest))
            if why:
                raise Unclear(why)
            return wanted
        for kit in packing.ready_kits(form.limits, self.last_action):
            if kit.name == packing.SAME:
                return kit.draft
        raise Unclear("There was no earlier trip.")

    async def _pack_command(self, rest: str) -> None:
        wanted = await self._parse_typed("pack", rest, self.offer_packs, partial(self._parse_typed_pack, rest))
        if wanted is not None:
            await self._pack_draft(wanted)

    async def _pack_draft(self, draft: PackDraft) -> None:
        form = line_texts.legal_form(self.scene, "pack")
        if form is None:
            await self.console.write_lines(self._refusal_of_kind("pack"))
            return
        warned = packing.warnings(form.limits, draft)
        if warned and not await self.ask(" ".join([*warned, "Pack it?"])):
            return
        await self.send_action(packing.pack_action(draft))

    async def _try_placing(self, rest: str) -> None:
        wanted = await self._parse_typed("pack", rest, self.offer_packs, partial(self._parse_typed_pack, rest))
        form = line_texts.legal_form(self.scene, "pack")
        if wanted is not None and form is not None:
            lines = [spoken_sentence(line.text) for line in packing.range_of_kit(wanted, form.ap)]
            warned = packing.warnings(form.limits, wanted)
            await self.console.write_lines(f"{line_texts.draft_words(wanted)}.", *lines, *warned)

    async def _exchange_command(self, rest: str) -> None:
        how = texts.HOW_TO_EXCHANGE
        moved = await self._parse_typed("exchange", rest, lambda: [how], lambda _: line_texts.typed_exchange(rest))
        if moved is not None:
            await self.send_action(to_json(Exchange(*moved)))

    async def _discard_command(self, rest: str) -> None:
        how = texts.HOW_TO_DISCARD
        dropped = await self._parse_typed("discard", rest, lambda: [how], lambda _: line_texts.typed_items(rest))
        if dropped is not None:
            lasting = dropped.camera or dropped.raft
            if not lasting or await self.ask(texts.GONE.format(things=terms.items_words(dropped))):
                await self.send_action(to_json(Discard(dropped)))
