"""The Cave in line mode: its commands, and what is said in the course of a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.codec import as_json
from cave.the_cave.actions import Choice, Discard, Exchange, Move, Place
from cave.the_cave.geometry import BASE, Coord, around
from cave.the_cave.placing import unexplored_exits
from client.face import LogEntry
from client.games.the_cave.known import actions, packing, terms
from client.games.the_cave.known import ways as known_ways
from client.games.the_cave.known.packing import Draft
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said import amounts, sections, sentences, settings
from client.games.the_cave.said.amounts import Unclear
from client.games.the_cave.said.voice import sentence, told
from client.plain.commands import Command
from client.plain.lists import Option
from client.plain.table import LineTable


class CaveLines(LineTable[CaveScene]):
    """A table of The Cave. ``kits`` are those of the last list, where it was one of kits."""

    order: ClassVar[Sequence[str]] = (
        *("here", "look", "map", "moves", "why", "bag", "turn", "teams", "goal", "score", "log", "since"),
        *("route", "home", "who", "rules"),
        *("north", "east", "south", "west", "go", "discover", "place", "dive", "photo", "pack", "try"),
        *("pitch", "strike", "exchange", "discard", "abandon", "undo", "reset", "end"),
    )
    a_rule: ClassVar[str] = "5.3"
    nothing_to_undo: ClassVar[str] = sentences.NOTHING_TO_UNDO
    kits: tuple[packing.Kit, ...] = ()

    def commands(self) -> Iterable[Command]:
        """Return its own commands, and those of every game."""
        return (*self._looking(), *self._moving(), *self._handling(), *super().commands())

    def _looking(self) -> Iterable[Command]:
        yield self.look("here", "where you are, and what lies around", lambda _: sections.here(self.scene))
        yield self.look(
            "look",
            "what lies around, or at one place",
            lambda rest: sections.look(self.scene, rest),
            "[north, or a place such as 2,0]",
        )
        yield self.look(
            "map", "all tiles, the deepest last", lambda _: sections.tiles(self.scene), also=("tiles",)
        )
        yield Command("why", "what you cannot do now, and why not", self._why, "[west, or an action]")
        yield self.look(
            "bag",
            "what you carry, and what is in the camp",
            lambda _: sections.bag(self.scene),
            also=("backpack", "camp", "inventory"),
        )
        yield self.look(
            "turn",
            "whose turn it is, AP, consumables and the way home",
            lambda _: self.turn(),
            also=("status",),
        )
        yield self.look(
            "teams",
            "points, consumables and place of all teams, and who has most of what",
            lambda _: sections.standing(self.scene),
            also=("players",),
        )
        yield self.look(
            "route", "the cheapest way to a place", lambda rest: sections.route(self.scene, rest), "to 2,0"
        )
        yield self.look("home", "the cheapest way home", lambda _: sections.way(self.scene, BASE))

    def _moving(self) -> Iterable[Command]:
        north = "go north; east, south and west likewise"
        yield Command("north", north, self._side("N"), "[by oxygen, raft or force]", also=("n",))
        yield Command("east", "go east", self._side("E"), also=("e",))
        yield Command("south", "go south", self._side("S"), also=("s",))
        yield Command("west", "go west", self._side("W"), also=("w",))
        yield Command("go", "go to a place, as far as the AP of this turn last", self._go_to, "to 2,0")
        yield self._plainly("discover", "discover a tile", also=("x",), old=("explore", "draw"))
        yield Command("place", "lay the tile you have discovered", self._place, "[number]")
        yield self._plainly("dive", "take the water token here")
        yield self._plainly("photo", "take the photo token here", also=("photograph", "snap"))
        yield Command("end", "end the turn; asks first if something is lost", self._end, "[yes]")

    def _handling(self) -> Iterable[Command]:
        yield Command(
            "pack",
            "fill the backpack",
            self._pack,
            "[3 consumables 2 rope camera camp 2 consumables, or same]",
        )
        yield Command("try", "what a pack lets you do, without packing it", self._try, "3 consumables 2 rope")
        yield self._plainly("pitch", "put the camp up")
        yield self._plainly("strike", "take the camp down")
        yield Command("exchange", "move things", self._exchange, "1 consumable to camp 2 rope to bag")
        yield Command("discard", "discard things for good", self._discard, "1 rope", old=("drop",))
        yield Command("abandon", "leave the packed camp at the base for good", self._abandon)

    def _plainly(self, name: str, does: str, **names: Any) -> Command:
        """Return a command that needs no more to be said."""
        return Command(name, does, lambda _: self._plain(sections.kind(name)), **names)

    # What is said

    def tell_entry(self, entry: LogEntry) -> str:
        """Return a line of the log, with sides and depths as words."""
        return told(entry)

    def turn(self) -> list[str]:
        """Return whose turn it is, and what there is to count."""
        return sections.turn(self.scene)

    def moment(self) -> str:
        """Return the moment: packing, a tile to be placed, starving, or a usual turn."""
        return self.scene.mode

    def asked(self, *, same_turn: bool) -> list[str]:
        """Return what is asked first: packing, placing and starving begin with a list."""
        match self.scene.mode:
            case "packing":
                return [*self.first_words(), *self.offer_packs()]
            case "placing":
                listed = self.list_options()
                number = len(self.numbers)
                return ["It fits in one way:" if number == 1 else f"It fits in {number} ways:", *listed]
            case "starving":
                return [*self.turn()[:1], sentences.STARVING, *self.list_options()]
            case _:
                return self.after_a_step() if same_turn else [" ".join(self.turn())]

    def after_a_step(self) -> list[str]:
        """Say what is left of the turn; of a tile just placed also what it takes to go there."""
        now = self.scene
        if now.mode != "acting":
            return []
        last: Any = next((line.event for line in reversed(now.state.log) if line.seq), {})
        into = ""
        if last.get("type") == "placed" and last.get("seat") == now.seat:
            into = sections.entering(now.cave, now.team_at, (last["at"][0], last["at"][1]))
        return [" ".join(part for part in (into, *sections.left(now)) if part)]

    # Lists

    def offered(self) -> tuple[Any, ...]:
        """Return what a list depends on: it is of one place, too."""
        now = self.scene
        return (now.seat, now.team_at, now.choices)

    def possible(self) -> Iterable[Option]:
        """Return an option for every line: it does its choice, or what its command does."""
        return (Option(line.text, partial(self._take_line, line)) for line in sections.lines(self.scene))

    def list_options(self) -> list[str]:
        """Return what is listed: while all pack, the kits."""
        return self.offer_packs() if self.scene.mode == "packing" else super().list_options()

    def offer_packs(self) -> list[str]:
        """Return the kits that can be packed now, by number."""
        now = self.scene
        form = sections.form_of(now, "pack")
        assert form is not None
        # A program that types gets the same list every time, whatever an earlier game has left behind.
        self.kits = packing.kits(form.limits, self.last if self.console.live else self.last_here)
        listed = self.numbered(
            Option(f"{kit.name}: {sections.words(kit.draft)}.", partial(self._fill, kit.draft))
            for kit in self.kits
        )
        first = now.mode == "packing"
        lines = sections.offer(form, listed, self.owner, first=first)
        return [*lines, sentences.STAYS_READABLE] if first and now.state.hot_seat else lines

    async def _take_line(self, line: sections.Line) -> None:
        if line.choice is not None:
            await self._do(line.choice)
        else:
            await self.take(line.command)

    async def _do(self, choice: Choice) -> None:
        move = choice.action
        forced = isinstance(move, Move) and move.by == "force" and self.scene.mode != "starving"
        if forced and self.wished(settings.FORCE) and not await self.ask(sentences.FORCE):
            return
        if isinstance(move, Place) and self.wished(settings.PLACE) and not await self.ask(sentences.PLACE):
            return
        question = known_ways.before_move(self.scene.cave, self.scene.seat, choice)
        if question is None or await self._ask_first(question):
            await self.act(as_json(move))

    async def _ask_first(self, question: known_ways.Question, *told: str) -> bool:
        """Return whether to go far, or into danger."""
        if not self.wished(settings.WALK):
            return True
        await self.console.tell(*told or map(sentence, question.told))
        return await self.ask(question.ask)

    async def _plain(self, kind: str) -> None:
        """Do an action that needs no more to be said."""
        choice = actions.find(self.scene.choices, kind)
        if isinstance(choice, Choice):
            await self.act(as_json(choice.action))
        else:
            await self.console.tell(self._refusal(kind))

    def _refusal(self, kind: str) -> str:
        if self.scene.mode == "placing":
            return sentences.FIRST_PLACE
        return actions.why(self.scene.refusals, kind) or sentences.NOT_NOW

    async def _why(self, rest: str) -> None:
        """Say why everything else is not possible, or one thing."""
        if not rest:
            await self.console.tell(*sections.refused(self.scene) or ["Everything is possible now."])
            return
        at = sections.find(self.scene.team_at, rest)
        if at is not None:
            why = actions.why_at(self.scene.refusals, at)
            legal = actions.ways_to(self.scene.choices, at)
            await self.console.tell(
                "That is possible now." if legal else why or "That is no neighbour of yours."
            )
            return
        command = self.vocabulary.find(rest)
        kind = sections.kind(command.name if command is not None else rest)
        if actions.find(self.scene.choices, kind) is not None:
            await self.console.tell("That is possible now.")
        else:
            await self.console.tell(
                self._refusal(kind) if command is not None else self.vocabulary.unknown(rest)
            )

    # Moving

    def _side(self, side: str) -> Callable[[str], Awaitable[None]]:
        async def go(rest: str) -> None:
            to = next(near.at for near in around(self.scene.team_at) if near.side == side)
            await self._enter(to, rest)

        return go

    async def _enter(self, to: Coord, by: str) -> None:
        """Go to a neighbour: by the one way there is, the one that was named, or one that is chosen."""
        now = self.scene
        into = tuple(actions.ways_to(now.choices, to))
        named = [word for word in ("oxygen", "raft", "force", "foot") if word in by.split()]
        if named:
            into = tuple(
                choice for choice in actions.moves(now.choices) if choice.action == Move(to, named[0])
            )
        if not into:
            await self.console.tell(self._no_way(to))
        elif len(into) == 1:
            await self._do(into[0])
        else:
            index = await self.choose(
                [sections.offer_line(each).text for each in actions.offers(now.cave, now.seat, into)]
            )
            if index is not None:
                await self._do(into[index])

    def _no_way(self, to: Coord) -> str:
        now = self.scene
        if now.mode == "placing":
            return sentences.FIRST_PLACE
        if to in unexplored_exits(now.cave.board, now.team_at):
            why = actions.obvious(now.cave, now.seat, now.choices, now.refusals, to)
            return why.line.why or sentences.TYPE_DISCOVER
        if to not in now.cave.board:
            return sentences.ROCK
        return actions.why_at(now.refusals, to) or "There is no way there now."

    async def _go_to(self, rest: str) -> None:
        now = self.scene
        head, _, by = rest.partition(" by ")
        at = sections.find(now.team_at, head)
        if at is None:
            await self.console.tell(sections.NO_PLACE)
            return
        if at == now.team_at:
            await self.console.tell("You are there.")
            return
        if now.mode == "placing":
            await self.console.tell(sentences.FIRST_PLACE)
            return
        found = actions.obvious(now.cave, now.seat, now.choices, now.refusals, at)
        if found.do == "discover":
            await self.console.tell(sentences.TYPE_DISCOVER)
        elif by or found.do == "move":
            await self._enter(found.goal or at, by)
        elif found.do == "walk":
            question = known_ways.before_walk(now.cave, now.seat, at)
            if question is None or await self._ask_first(question, *sections.way(now, at)):
                await self._walk(found)
        else:
            nowhere = known_ways.tile_for(now.cave, now.seat, at) is None
            await self.console.tell(sections.tile(now, at) if nowhere else found.line.why)

    async def _walk(self, found: actions.Obvious) -> None:
        """Walk step by step, and say where the AP end on the way how far it is still."""
        for leg in found.legs:
            if not await self.act(as_json(Move(leg.to, leg.by))):
                return
        if found.stopped:
            await self.console.tell(found.stopped)

    # Tile, turn, camp

    async def _place(self, rest: str) -> None:
        if self.scene.mode != "placing":
            await self.console.tell("There is no discovered tile to place (rule 4.2).")
        elif rest.isdecimal():
            if not self.listed or not self.numbers:
                self.list_options()
            await self.choose_number(int(rest[:6]))
        else:
            await self.console.tell(*self.list_options())

    async def _end(self, rest: str) -> None:
        now = self.scene
        loses = actions.loses_something(now.cave, now.choices) and now.mode == "acting"
        asked = loses and self.wished(settings.END_TURN)
        if not asked or rest in ("yes", "y") or await self.ask(sentences.END.format(ap=now.cave.ap)):
            await self._plain("end_turn")

    async def _abandon(self, _rest: str) -> None:
        possible = actions.find(self.scene.choices, "abandon") is not None
        asked = possible and self.wished(settings.ABANDON)
        if not asked or await self.ask(sentences.ABANDON):
            await self._plain("abandon")

    # Things

    async def _pack(self, rest: str) -> None:
        form = sections.form_of(self.scene, "pack")
        if form is None:
            await self.console.tell(self._refusal("pack"))
        elif not rest:
            await self.console.tell(*sections.bag(self.scene), *self.offer_packs())
        elif rest in ("same", "same as last time"):
            known = packing.kits(form.limits, self.last)
            last = next((kit for kit in known if kit.name == packing.SAME), None)
            if last is None:
                await self.console.tell("There was no earlier trip.")
            else:
                await self._fill(last.draft)
        else:
            try:
                wanted = sections.checked(form.limits, amounts.draft(rest))
            except Unclear as why:
                await self.console.tell(str(why))
            else:
                await self._fill(wanted)

    async def _fill(self, draft: Draft) -> None:
        """Pack; what may be a mistake is asked about first."""
        form = sections.form_of(self.scene, "pack")
        if form is None:
            await self.console.tell(self._refusal("pack"))
            return
        warned = packing.warnings(form.limits, draft)
        if warned and not await self.ask(" ".join([*warned, "Pack it?"])):
            return
        await self.act(packing.pack_action(draft))

    async def _try(self, rest: str) -> None:
        form = sections.form_of(self.scene, "pack")
        try:
            if form is None:
                raise Unclear(self._refusal("pack"))
            wanted = sections.checked(form.limits, amounts.draft(rest))
        except Unclear as why:
            await self.console.tell(str(why))
            return
        lines = [sentence(line.text) for line in packing.allows(wanted, form.ap)]
        await self.console.tell(f"{sections.words(wanted)}.", *lines, *packing.warnings(form.limits, wanted))

    async def _exchange(self, rest: str) -> None:
        form = sections.form_of(self.scene, "exchange")
        if form is None:
            await self.console.tell(self._refusal("exchange"))
        elif not rest:
            await self.console.tell(*sections.bag(self.scene), sentences.HOW_TO_EXCHANGE)
        else:
            try:
                action = Exchange(*amounts.exchange(rest))
            except Unclear as why:
                await self.console.tell(str(why))
            else:
                await self.act(as_json(action))

    async def _discard(self, rest: str) -> None:
        form = sections.form_of(self.scene, "discard")
        if form is None:
            await self.console.tell(self._refusal("discard"))
            return
        if not rest:
            await self.console.tell(*sections.bag(self.scene), sentences.HOW_TO_DISCARD)
            return
        try:
            dropped = amounts.items(rest)
        except Unclear as why:
            await self.console.tell(str(why))
            return
        lasting = dropped.camera or dropped.raft
        if not lasting or await self.ask(sentences.GONE.format(things=terms.items(dropped))):
            await self.act(as_json(Discard(dropped)))
