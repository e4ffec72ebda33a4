"""The Caves of Casadh in line mode: its commands, and sentences about the map and the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.caves_of_casadh.actions import Action, CollectItems
from cave.caves_of_casadh.components import ITEMS, NAMES, SIDES, Cell, ItemKind, components, facing, next_cell
from cave.codec import to_json
from client.games.caves_of_casadh import terms, texts
from client.games.caves_of_casadh.scene import (
    CasadhScene,
    hex_facts,
    hex_title,
    home_words,
    player_rows,
    points_with_surface,
    surface_words,
    track_words,
    turns_outside,
    why_turn_ended,
)
from client.games.caves_of_casadh.tasks import Task
from client.plain.console import parse_places
from client.plain.line_commands import LineCommand, Option
from client.plain.line_table import LineTable
from client.plain.shared_sentences import NOT_NOW
from client.wording import begun, count

HOW_TO_GO = "Say where: go NE, or go and a place, such as go 1,-1."
NO_WAY = "No way leads there from your passage; type moves for all that you can do."
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


class CasadhLines(LineTable[CasadhScene]):
    order: ClassVar[Sequence[str]] = (
        *("moves", "map", "here", "look", "home", "hazards", "players", "treasures", "turn", "goal"),
        *("score", "log", "since", "who", "rules"),
        *("go", "collect", "take", "surface", "medkit", "dynamite", "defuse", "die", "end", "undo"),
    )
    a_rule: ClassVar[str] = "4.1"

    def commands(self) -> Iterable[LineCommand]:
        return (*self._look_commands(), *self._action_commands(), *super().commands())

    def _look_commands(self) -> Iterable[LineCommand]:
        yield self.look_command("map", "the hexes that are known", lambda _: [*map_lines(self.scene)], also=("board",))
        yield self.look_command("here", "where you are, and where each side leads", lambda _: own_hex_lines(self.scene))
        yield self.look_command("look", "the contents of a place", self._look_at_places, "1,-1")
        yield self.look_command("home", "the way home", lambda _: way_home_lines(self.scene))
        yield self.look_command("hazards", "hazards, and the odds of the next roll", lambda _: [*hazards(self.scene)])
        yield self.look_command(
            "players", "HP, items, misfortunes and treasures of all", lambda _: [*spelunker_lines(self.scene)]
        )
        yield LineCommand("treasures", "what your treasures are worth", self._show_treasures, when="begun")

    def _action_commands(self) -> Iterable[LineCommand]:
        yield LineCommand("go", "move, explore or flee", self._go, "NE, or 1,-1", also=("move", "explore", "flee"))
        for name, (kind, does) in COMMANDS.items():
            # At other times the word leaves the table.
            also = ("leave",) if kind == "leave" else ()
            for_good = kind in ("leave", "give_up")
            yield LineCommand(name, does, partial(self._do_by_letter, kind), also=also, spelled_out=for_good)
        yield LineCommand("take", "take items at the marker, which ends the turn", self._take, "[all, or rope medkit]")

    # Looking

    def _look_at_places(self, rest: str) -> list[str]:
        return [line for at in parse_places(rest)[:4] for line in hex_lines(self.scene, at)] or [NO_PLACE]

    async def _show_treasures(self, _rest: str) -> None:
        lines = treasures(self.scene)
        if self.scene.me.treasures and self.scene.state.my_seats:
            await self.reveal(*lines)
        else:
            await self.console.write_lines(*lines)

    # Messages

    def turn(self) -> list[str]:
        now, head = self.scene, super().turn()
        head += filter(None, [why_turn_ended(now)])
        if now.over:
            return head
        if now.me.state != "in" and now.state.my_seats:
            state = "dead" if now.me.state == "dead" else "out of the caves"
            return [*head, f"You are {state}: {turns_outside(now)}."]
        if not now.can_act:
            return head
        return [*head, f"{now.cave.mp} MP, {now.me.hp} HP; {home_words(now)}."]

    def offered(self) -> tuple[Any, ...]:
        now = self.scene
        return (now.seat, now.mode, tuple(self._task_words(task) for task in now.tasks))

    def list_options(self) -> list[str]:
        """List the options; only the player sees which treasures can be kept (rule 6.3)."""
        listed = super().list_options()
        return [*listed, *self.covered_later()] if self.scene.mode == "keeping" else listed

    def possible_options(self) -> Iterable[Option]:
        for task in self.scene.tasks:
            yield Option(self._task_words(task), partial(self._do, task), task.kind.replace("_", " "))

    @staticmethod
    def _task_words(task: Task) -> str:
        # The screen drops the verb: it is narrow, and its heading has the subject.
        words = f"lay it: {task.words}" if task.kind == "place" else task.words
        return ", ".join(filter(None, [words, task.price, task.danger]))

    # Actions

    async def _do(self, task: Task) -> None:
        asked = texts.question_before(task.kind, self.scene)
        if asked and self.console.live and self.setting_value(asked[0]) and not await self.ask(asked[1]):
            return
        actions: Sequence[Action] = [CollectItems(task.form.items)] if task.form is not None else task.actions
        for action in actions:
            await self.send_action(to_json(action))

    async def _go(self, rest: str) -> None:
        now = self.scene
        side = rest.strip().upper()
        places = [next_cell(now.pawn_cell, NAMES.index(side))] if side in NAMES else parse_places(rest)
        found = [task for task in now.tasks if task.at in places]
        if not places:
            await self.console.write_lines(HOW_TO_GO)
        elif found:
            await self._do(found[0])
        else:
            first = now.why_not("move") if now.mode != "actions" else ""
            await self.console.write_lines(first or now.why_not_there(places[0]) or NO_WAY)

    async def _do_by_letter(self, kind: str, _rest: str) -> None:
        now = self.scene
        found = [task for task in now.tasks if task.kind == kind]
        if found:
            await self._do(found[0])
        else:
            await self.console.write_lines(now.why_not(kind) or NOT_NOW)

    async def _take(self, rest: str) -> None:
        form = next((task.form for task in self.scene.tasks if task.form is not None), None)
        if form is None:
            await self._do_by_letter("collect_items", rest)
            return
        named = form.items if rest.strip() in ("", "all") else typed_items(rest)
        if named:
            await self.send_action(to_json(CollectItems(named)))
        else:
            await self.console.write_lines(HOW_TO_TAKE, f"Here are: {terms.item_list_words(form.items)}.")


NO_PLACE = "Type a place as two numbers, such as 1,-1."
HOW_PLACES_ARE_NAMED = (
    "A place is two numbers; Base Camp is 0,0. N of it is 0,-1, NE 1,-1, SE 1,0, S 0,1, SW -1,1, NW -1,0."
)
NOT_IN = "Your spelunker is not in the caves any more; look 0,0 describes a place."
SECRET = "Treasures are secret until the end."


def typed_items(rest: str) -> tuple[ItemKind, ...]:
    words = rest.replace(",", " ").split()
    return tuple(
        kind
        for kind in ITEMS
        if any(word in terms.item_words(kind).casefold().split() or word == kind for word in words)
    )


def map_lines(scene: CasadhScene) -> Iterator[str]:
    yield HOW_PLACES_ARE_NAMED
    for at, laid in scene.cave.map.items():
        shape = laid.layout.hex
        parts = [f"level {shape.level}"] if not shape.special else []
        if shape.hazard == "grue":
            parts.append(terms.GRUE_MAY_WAKE)
        elif shape.hazard != "none":
            parts.append(f"{terms.HAZARDS[shape.hazard].lower()} {'awake' if laid.token else 'asleep'}")
        parts += [count(laid.grues, "grue")] if laid.grues else []
        parts += [count(len(laid.treasures), "treasure")] if laid.treasures else []
        parts += [count(len(laid.items), "item")] if laid.items else []
        parts += ["dynamite"] if laid.dynamite else []
        parts += [scene.view.names[seat] for seat, each in enumerate(scene.cave.players) if each.at == at]
        yield f"{terms.cell_words(at)} {shape.name}{': ' * bool(parts)}{', '.join(parts)}."


def hex_lines(scene: CasadhScene, at: Cell) -> Iterator[str]:
    cave = scene.cave
    yield f"{hex_title(cave, at)}, {terms.cell_words(at)}."
    for fact in hex_facts(scene, at):
        yield f"{begun(fact)}."
    laid = cave.map.get(at)
    for side in SIDES if laid is not None else ():
        there = cave.map.get(next_cell(at, side))
        if there is None:
            yield f"{NAMES[side]}: {terms.NOT_YET}."
        else:
            into = terms.passage_words(there.layout, there.layout.owner[facing(side)])
            yield f"{NAMES[side]}: {there.layout.hex.name} {terms.cell_words(next_cell(at, side))}, {into}."


def own_hex_lines(scene: CasadhScene) -> list[str]:
    at = scene.me.at
    return [NOT_IN] if at is None else [*hex_lines(scene, at), *way_home_lines(scene)]


def way_home_lines(scene: CasadhScene) -> list[str]:
    told = home_words(scene)
    if not told:
        return [NOT_IN]
    way = scene.home
    steps = way.hexes if way is not None else ()
    path = ", ".join(terms.hex_place(scene.cave, at) for at in steps)
    return [f"{begun(told)}.", *([f"By {path}."] if path else [])]


def hazards(scene: CasadhScene) -> Iterator[str]:
    for track in scene.tracks:
        kind, told = terms.HAZARDS[track.hazard], next(track_words(track))
        yield f"{kind}: {told}; the next hex of this kind wakes all with {track.percent}%."


def spelunker_lines(scene: CasadhScene) -> Iterator[str]:
    for row in player_rows(scene):
        player = row.player
        where = f"{player.hp} of {components().start_hp} HP" if player.state == "in" else player.state
        purse = count(len(player.treasures), "treasure")
        if scene.view.over and row.values:  # all are revealed at the end (rule 9.3)
            purse += f" ({'+'.join(map(str, row.values))}={sum(row.values)})"
        found = [purse, ", ".join(row.items) or "no items", *row.misfortunes]
        yield f"{row.name}: {where}; {'; '.join(found)}."
    yield f"On the Surface: {surface_words(scene.cave)}."


def treasures(scene: CasadhScene) -> list[str]:
    if not scene.state.my_seats:
        return [SECRET]
    values = [*player_rows(scene)][scene.seat].values
    if not values:
        return ["You have no treasures."]
    total = points_with_surface(scene)
    more = f", {total} with the best two of the Surface" if total else ""
    return [f"Your treasures: {', '.join(map(str, values))}; together {sum(values)}{more}."]
