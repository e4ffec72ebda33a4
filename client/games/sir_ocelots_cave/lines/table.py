"""Sir Ocelot's Cave in line mode: its commands, and what is said in the course of a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.codec import as_json
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import KINDS, TOOLS, Kind, Tool
from cave.sir_ocelots_cave.prospects import tools_left
from cave.sir_ocelots_cave.state import SIDES_OF
from client.games.sir_ocelots_cave import slips, terms, words
from client.games.sir_ocelots_cave.lines import words as said
from client.games.sir_ocelots_cave.previews import (
    best_of_each,
    bringing,
    gems_at,
    kinds_left,
    sight_from,
    visit,
)
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.plain import telling
from client.plain.commands import Command, Option
from client.plain.table import LineTable

MOST = 12
"""Tools in a list; the others can be typed."""
SOME = 6
"""Squares for the companion in a list."""
FEW = 2
"""Rim spaces in a list for a tool that collects nothing anywhere."""
MORE = "{more} more: try 9,4 says what each tool brings at a place, rim lists the free spaces."
HOW_TO_LAY = "Say where: {tool} 9,4, or with the kind: {tool} {kind} 9,4."
HOW_TO_COLLECT = "Say which: collect all, collect none, collect 5,4 6,4, or collect all but 5,4."
NOTHING_TO_COLLECT = "There is nothing to collect now: first place a piece (rule 3.1)."


class OcelotLines(LineTable[OcelotScene]):
    """A table of Sir Ocelot's Cave."""

    order: ClassVar[Sequence[str]] = (
        *("moves", "board", "rim", "look", "here", "try", "short", "players", "amethysts", "turn", "goal"),
        *("score", "log", "since", "who", "rules"),
        *("compass", "lamp", "pickaxe", "companion", "collect", "undo"),
    )
    a_rule: ClassVar[str] = "4.1"
    nothing_to_undo: ClassVar[str] = words.NOTHING_TO_UNDO

    def commands(self) -> Iterable[Command]:
        """Return its own commands, and those of every game."""
        return (*self._looking(), *self._doing(), *super().commands())

    def _looking(self) -> Iterable[Command]:
        yield self.look(
            "board", "the gems of the caves, row by row", lambda _: said.board(self.scene), also=("map",)
        )
        yield self.look("rim", "what lies on the rim, and what is free", lambda _: said.rim(self.scene))
        yield self.look("look", "what is at a place, and which tools see it", self._look, "9,4")
        yield self.look("here", "what is where your companion stands", lambda _: said.here(self.scene))
        yield self.look("try", "what each piece would bring at a place", self._try, "9,4")
        yield self.look("short", "gems for which you lack one tool", lambda _: said.short(self.scene))
        yield self.look(
            "players",
            "points, tools, gems and celestites of both",
            lambda _: list(said.players(self.scene)),
            also=("gems", "tools"),
        )
        yield Command(
            "amethysts", "your amethysts, and what each is worth now", self._amethysts, when="begun"
        )

    def _doing(self) -> Iterable[Command]:
        for tool in terms.TOOL_LETTERS:
            yield Command(tool, f"lay a {tool}", self._lay(tool), "[A, B or C] 9,4", also=(tool[0],))
        yield Command(
            "companion",
            "bring your companion to a square",
            self._companion,
            "5,5",
            also=("moth", "bat", "advance"),
        )
        yield Command("collect", "collect gems", self._collect, "[all, none, 5,4 6,4, or all but 5,4]")

    # Looking

    def _look(self, rest: str) -> list[str]:
        places = said.typed(rest)
        return [line for at in places[:4] for line in said.look(self.scene, at)] or [said.NO_PLACE]

    def _try(self, rest: str) -> list[str]:
        places = said.typed(rest)
        return said.tried(self.scene, places[0]) if places else [said.NO_PLACE]

    async def _amethysts(self, _rest: str) -> None:
        lines = said.amethysts(self.scene)
        if self.scene.me.amethysts:
            await self.reveal(*lines)
        else:
            await self.console.tell(*lines)

    # What is said

    def sheet(self) -> list[str]:
        """Return the score sheet; on a shared screen as all may know it."""
        if not self.shared:
            return super().sheet()
        return [*telling.sheet(self.face, self.state.view, over=False), said.NOT_COUNTED]

    def turn(self) -> list[str]:
        """Return whose turn it is, which, and what is left."""
        now = self.scene
        head = super().turn()
        if now.over:
            return head
        left = f"Turn {now.turn_number} of 32."
        return [*head, left, f"Tools left: {terms.left(now.me.tools).replace('  ', ', ')}."]

    def moment(self) -> str:
        """Return the moment: placing a piece, or collecting."""
        return self.scene.mode

    def asked(self, *, same_turn: bool) -> list[str]:
        """Return what is asked first: collecting begins with what can be collected."""
        if self.scene.mode == "collecting":
            return [said.collectable(self.scene), *self.list_options()]
        told = super().asked(same_turn=same_turn)
        if self.scene.companion_must_come:
            told.insert(0, said.COMPANION_MUST_COME.format(name=terms.companion(self.scene.seat)))
        return told

    def offered(self) -> tuple[Any, ...]:
        """Return what a list depends on: it is of one position."""
        now = self.scene
        return (now.seat, now.choices, now.cave.sight)

    def possible(self) -> Iterable[Option]:
        """Return what collects something, and where the companion can go; or what can be collected."""
        now = self.scene
        if now.mode == "collecting":
            yield self._option(Collect(now.collectable))
            for at in now.collectable if len(now.collectable) > 1 else ():
                (gem,) = gems_at(now.cave, (at,))
                rest = tuple(each for each in now.collectable if each != at)
                text = f"collect all but the {terms.NAMES[gem]} at {terms.place(at)}"
                yield Option(text, partial(self._do, Collect(rest)))
            yield self._option(Collect(()))
        elif now.mode == "acting":
            yield from map(self._option, self._placings())

    def _option(self, action: Action) -> Option:
        brings = words.brings(self.scene, action)
        text = words.words(self.scene, action) + (f": {brings}" if brings else "")
        return Option(text, partial(self._do, action))

    def list_options(self) -> list[str]:
        """Say what can be done now by number, and how many other places there are."""
        listed, now = super().list_options(), self.scene
        if now.mode == "acting":
            tools = len(tools_left(now.cave, now.seat))
            more = len(now.lays) * tools + len(now.ways) - len(self.numbers)
            listed += [MORE.format(more=more)] if more > 0 else []
        return listed

    def _placings(self) -> Iterable[Action]:
        """Return what collects something, then ways of the companion, then tools that collect nothing."""
        now, seat = self.scene, self.scene.seat
        found = bringing(now.cave, seat)
        for trial in best_of_each(found, MOST):
            yield LayTool(trial.kinds[0], trial.tool, trial.at)
        ways = sorted(now.ways.items(), key=lambda each: -visit(now.cave, each[0]).takes.bit_count())
        for at, way in ways[:SOME]:
            if visit(now.cave, at).takes or isinstance(way, Advance) or not found:
                yield way
        idle = set(tools_left(now.cave, seat)) - {trial.tool for trial in found}
        free = sorted(now.lays, key=lambda at: -(sight_from(now.cave, at) & now.cave.with_gems).bit_count())
        for tool in (each for each in TOOLS if each in idle):
            for at in free[:FEW]:
                yield LayTool(kinds_left(now.cave, seat, tool)[0], tool, at)

    # Doing

    async def _do(self, action: Action) -> None:
        lasting = isinstance(action, LayTool | PlaceCompanion | Advance) and self.wished(slips.PLACE)
        if not lasting or await self.ask(words.CONFIRM_PLACE):
            await self.act(as_json(action))

    async def _judged(self, action: Action) -> None:
        """Do it, or say why not."""
        now = self.scene
        why = now.state.game.refusal(now.cave, now.seat, action)
        if why is not None:
            await self.console.tell(why.message)
        elif await self._meant(action):
            await self._do(action)

    async def _meant(self, action: Action) -> bool:
        """Return whether a placement that is probably a slip is meant; a program is not asked."""
        now = self.scene
        warned = self.console.live and self.wished(slips.SLIP)
        found = slips.slip(now.cave, now.view.names, now.seat, action) if warned else None
        return found is None or await self.ask(f"{found.words}. Place it?")

    def _lay(self, tool: Tool) -> Callable[[str], Awaitable[None]]:
        async def lay(rest: str) -> None:
            now = self.scene
            places = said.typed(rest)
            named: list[Kind] = [kind for kind in KINDS if kind.casefold() in rest.split()]
            kinds = named or list(kinds_left(now.cave, now.seat, tool))
            if len(places) != 1 or (named and tool not in SIDES_OF[named[0]]):
                kind = next(kind for kind in KINDS if tool in SIDES_OF[kind])
                await self.console.tell(HOW_TO_LAY.format(tool=tool, kind=kind))
            elif not kinds:
                await self.console.tell(f"You have no {tool} left (rule 1.6).")
            else:
                await self._judged(LayTool(kinds[0], tool, places[0]))

        return lay

    async def _companion(self, rest: str) -> None:
        now = self.scene
        places = said.typed(rest)
        if len(places) != 1:
            where = " ".join(terms.place(at) for at in now.ways)
            await self.console.tell(f"It can go to: {where}." if where else said.NO_PLACE)
        elif now.me.companion is None:
            await self._judged(PlaceCompanion(places[0]))
        else:
            await self._judged(Advance(places[0]))

    async def _collect(self, rest: str) -> None:
        now = self.scene
        named = said.typed(rest)
        if now.mode != "collecting":
            await self.console.tell(NOTHING_TO_COLLECT)
        elif rest in ("", "all"):
            await self._do(Collect(now.collectable))
        elif rest in ("none", "nothing"):
            await self._do(Collect(()))
        elif not named:
            await self.console.tell(HOW_TO_COLLECT)
        elif "but" in rest.split():
            await self._do(Collect(tuple(at for at in now.collectable if at not in named)))
        else:
            await self._judged(Collect(tuple(dict.fromkeys(named))))
