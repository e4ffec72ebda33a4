"""The Caves of Casadh in line mode: its commands, and what is said in the course of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.caves_of_casadh.actions import Action, CollectItems
from cave.caves_of_casadh.geometry import NAMES, beyond
from cave.codec import as_json
from client.games.caves_of_casadh.known import people, terms
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.games.caves_of_casadh.known.tasks import Task
from client.games.caves_of_casadh.said import settings
from client.games.caves_of_casadh.said.lines import words as said
from client.plain.commands import Command, Option
from client.plain.table import LineTable
from client.plain.telling import NOT_NOW

HOW_TO_GO = "Say where: go NE, or go and a place, such as go 1,-1."
NO_WAY = "No way leads there from your passage (rule 4.1); type moves for all that you can do."
HOW_TO_TAKE = "Say which: take all, or take rope medkit."
COMMANDS = {
    "collect": ("collect_treasure", "look for treasure at the marker"),
    "surface": ("leave", "leave the caves for good, at Base Camp"),
    "medkit": ("use_medkit", "use the Medkit"),
    "dynamite": ("deploy", "lay dynamite"),
    "defuse": ("defuse", "try to defuse dynamite here"),
    "die": ("give_up", "give up"),
    "end": ("end_turn", "end the turn"),
}
"""Commands for actions: the type of each, and what it does."""


class CasadhLines(LineTable[CasadhScene]):
    """A table of The Caves of Casadh."""

    order: ClassVar[Sequence[str]] = (
        *("moves", "map", "here", "look", "home", "hazards", "players", "treasures", "turn", "goal"),
        *("score", "log", "since", "who", "rules"),
        *("go", "collect", "take", "surface", "medkit", "dynamite", "defuse", "die", "end", "undo"),
    )
    a_rule: ClassVar[str] = "4.1"

    def commands(self) -> Iterable[Command]:
        """Give its own commands, and those of every game."""
        return (*self._looking(), *self._doing(), *super().commands())

    def _looking(self) -> Iterable[Command]:
        yield self.look(
            "map", "the hexes that are known", lambda _: [*said.the_map(self.scene)], also=("board",)
        )
        yield self.look("here", "where you are, and where each side leads", lambda _: said.here(self.scene))
        yield self.look("look", "what is at a place", self._look, "1,-1")
        yield self.look("home", "the way home", lambda _: said.home(self.scene))
        yield self.look(
            "hazards", "hazards, and the odds of the next roll", lambda _: [*said.hazards(self.scene)]
        )
        yield self.look(
            "players", "HP, items, misfortunes and treasures of all", lambda _: [*said.players(self.scene)]
        )
        yield Command("treasures", "what your treasures are worth", self._treasures, when="begun")

    def _doing(self) -> Iterable[Command]:
        yield Command(
            "go", "move, explore or flee", self._go, "NE, or 1,-1", also=("move", "explore", "flee")
        )
        for name, (kind, does) in COMMANDS.items():
            # Elsewhere it leaves the table.
            also = ("leave",) if kind == "leave" else ()
            for_good = kind in ("leave", "give_up")
            yield Command(name, does, partial(self._lettered, kind), also=also, spelled_out=for_good)
        yield Command(
            "take", "take items at the marker, which ends the turn", self._take, "[all, or rope medkit]"
        )

    # Looking

    def _look(self, rest: str) -> list[str]:
        return [line for at in said.typed(rest)[:4] for line in said.look(self.scene, at)] or [said.NO_PLACE]

    async def _treasures(self, _rest: str) -> None:
        lines = said.treasures(self.scene)
        if self.scene.me.treasures and self.scene.state.my_seats:
            await self.reveal(*lines)
        else:
            await self.console.tell(*lines)

    # What is said

    def turn(self) -> list[str]:
        """Say whose turn it is, and what is left; to who is out or dead, what turns outside are good for."""
        now, head = self.scene, super().turn()
        if now.over:
            return head
        if now.me.state != "in" and now.state.my_seats:
            state = "dead" if now.me.state == "dead" else "out of the caves"
            return [*head, f"You are {state}: {people.turns_outside(now)}."]
        if not now.can_act:
            return head
        return [*head, f"{now.cave.mp} MP, {now.me.hp} HP; {people.home(now)}."]

    def moment(self) -> str:
        """Return the phase: what is asked changes with it."""
        return self.scene.mode

    def offered(self) -> tuple[Any, ...]:
        """Return what a list depends on: it is of one position."""
        now = self.scene
        return (now.seat, now.mode, tuple(self._words(task) for task in now.tasks))

    def list_options(self) -> list[str]:
        """List what can be done; the treasures that one may keep are nobody else's business (rule 6.3)."""
        listed = super().list_options()
        return [*listed, *self.covered_later()] if self.scene.mode == "keeping" else listed

    def possible(self) -> Iterable[Option]:
        """Give all that can be done, in the order of the screen."""
        for task in self.scene.tasks:
            yield Option(self._words(task), partial(self._do, task), task.kind.replace("_", " "))

    @staticmethod
    def _words(task: Task) -> str:
        price = f", {task.price} MP" if task.price else ""
        # On the screen there is little room, and the heading says what it is about.
        words = f"come {task.words}" if task.kind == "place" else task.words
        return f"{words}{price}{', ' * bool(task.danger)}{task.danger}"

    # Doing

    async def _do(self, task: Task) -> None:
        asked = settings.question_before(task.kind, self.scene)
        if asked and self.console.live and self.wished(asked[0]) and not await self.ask(asked[1]):
            return
        actions: tuple[Action, ...] = task.actions
        if task.form is not None:
            actions = (CollectItems(task.form.items),)
        for action in actions:
            await self.act(as_json(action))

    async def _go(self, rest: str) -> None:
        now = self.scene
        side = rest.strip().upper()
        places = [beyond(now.at, NAMES.index(side))] if side in NAMES else said.typed(rest)
        found = [task for task in now.tasks if task.at in places]
        if not places:
            await self.console.tell(HOW_TO_GO)
        elif found:
            await self._do(found[0])
        else:
            first = now.why_not("move") if now.mode != "actions" else ""
            await self.console.tell(first or now.why_not_there(places[0]) or NO_WAY)

    async def _lettered(self, kind: str, _rest: str) -> None:
        now = self.scene
        found = [task for task in now.tasks if task.kind == kind]
        if found:
            await self._do(found[0])
        else:
            await self.console.tell(now.why_not(kind) or NOT_NOW)

    async def _take(self, rest: str) -> None:
        form = next((task.form for task in self.scene.tasks if task.form is not None), None)
        if form is None:
            await self._lettered("collect_items", rest)
            return
        named = form.items if rest.strip() in ("", "all") else said.typed_items(rest)
        if named:
            await self.act(as_json(CollectItems(named)))
        else:
            await self.console.tell(HOW_TO_TAKE, f"Here are: {terms.items(form.items)}.")
