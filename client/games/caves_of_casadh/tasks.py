"""The choices of the displayed seat, the most interesting first: numbers, then letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import scoring
from cave.caves_of_casadh.actions import Action, Choice, Collecting, Priced
from cave.caves_of_casadh.components import NAMES, Cell, facing, layout, next_cell, side_towards
from cave.caves_of_casadh.routes import slides_from
from cave.caves_of_casadh.state import State, cell_of, hex_of
from cave.codec import to_json
from cave.game import Json
from client.games.caves_of_casadh import terms
from client.wording import count, joined

LETTERS = {
    "collect_treasure": "c",
    "collect_items": "i",
    "leave": "L",
    "use_medkit": "m",
    "deploy": "d",
    "defuse": "f",
    "give_up": "X",
    "end_turn": "e",
}
WORDS = {
    "collect_treasure": "look for treasure",
    "leave": "leave for good",
    "use_medkit": "use the Medkit",
    "deploy": "lay dynamite",
    "give_up": "give up and die",
    "end_turn": "end the turn",
}


FINDS = ", finds"
"""Marks a way to lay the hex with the finds in the passage that the explorer enters."""


class Task(msgspec.Struct, frozen=True):
    """A line of the choices. ``actions`` are done in order, slides before a move; items to take are a
    ``form``. ``brief`` is a shorter text; empty if ``words`` is short.
    """

    key: str
    words: str
    actions: tuple[Action, ...] = ()
    price: str = ""
    danger: str = ""
    at: Cell | None = None
    form: Collecting | None = None
    brief: str = ""

    @property
    def kind(self) -> str:
        return self.actions[-1].type if self.actions else act.CollectItems.type

    def is_for(self, action: Json) -> bool:
        if self.form is not None:
            return bool(action["type"] == self.kind)
        return len(self.actions) == 1 and to_json(self.actions[0]) == action


def tasks_of_seat(cave: State, seat: int, choices: Sequence[Choice], names: Sequence[str]) -> tuple[Task, ...]:
    if cave.phase == "actions":
        numbered = [*_ways(cave, seat, choices), *_slides(cave, seat, choices)]
        lettered = _lettered(cave, seat, choices, names)
    else:
        numbered = [task for each in choices for task in _forced(cave, seat, each, names)]
        lettered = iter(())
        # If two entries lead to the same sides, add the passages above and below.
        alike = Counter(task.words for task in numbered)
        numbered = [_laying(cave, task, amid=alike[task.words] > 1) for task in numbered]
    keyed = [msgspec.structs.replace(task, key=str(key)) for key, task in enumerate(numbered, 1)]
    return (*keyed, *lettered)


def _ways(cave: State, seat: int, choices: Sequence[Choice]) -> Iterator[Task]:
    legal = {each.action for each in choices if isinstance(each, Priced)}
    found = scoring.reachable_ways(cave, seat)
    for way in sorted(found, key=lambda each: (bool(each.slides), each.side)):
        if way.actions[0] in legal:
            words, brief = _way_words(cave, way.to, way.side)
            if way.slides:
                verb = _slide_verb(cave, seat, way.slides[0])
                words, brief = f"{verb}, then {words}", f"{verb}, {brief}"
            price = "1" if way.kind == "move" else terms.explore_price()
            hurt = way_danger_words(cave, way.to, way.damage)
            yield Task("", words, way.actions, price, hurt, way.to, brief=brief)


def _way_words(cave: State, to: Cell, side: int) -> tuple[str, str]:
    laid = cave.map.get(to)
    name = "explore" if laid is None else laid.layout.hex.name
    brief = f"{NAMES[side]}: {name}"
    if laid is None or laid.layout.hex.special == "base_camp":
        return f"{terms.WAYS[side]}: {name}", brief
    back = facing(side)
    into = terms.onward_words(laid.layout.sides[laid.layout.owner[back]], back)
    return f"{terms.WAYS[side]}: {name}, {into}", brief


def way_danger_words(cave: State, to: Cell, damage: int) -> str:
    laid = cave.map.get(to)
    if laid is None:
        return ""
    found = [terms.damage_words(damage), "grue" if laid.grues else "", "dynamite" if laid.dynamite else ""]
    return ", ".join(each for each in found if each)


def _slides(cave: State, seat: int, choices: Sequence[Choice]) -> Iterator[Task]:
    lie = hex_of(cave, seat).layout
    for each in choices:
        if isinstance(each, Priced) and isinstance(each.action, act.Slide):
            to = each.action.passage
            verb = _slide_verb(cave, seat, to)
            brief = f"{verb} to {terms.sides_words(lie.sides[to])}"
            yield Task("", f"{verb} to the {terms.passage_words(lie, to)}", (each.action,), "0", brief=brief)


def _slide_verb(cave: State, seat: int, to: int) -> str:
    """Return the verb for a slope: going up needs a Rope (rule 4.5)."""
    down = slides_from(hex_of(cave, seat).layout.hex, cave.players[seat].passage, rope=False)
    return "slide" if to in down else "climb"


def _lettered(cave: State, seat: int, choices: Sequence[Choice], names: Sequence[str]) -> Iterator[Task]:
    # Giving up comes last.
    for each in sorted(choices, key=lambda choice: choice.type == "give_up"):
        kind = each.type
        if kind not in LETTERS:
            continue
        if isinstance(each, Collecting):
            brief = f"take {count(len(each.items), 'item')}"
            words = f"take items: {terms.item_list_words(each.items)}"
            yield Task(LETTERS[kind], words, price="all", form=each, brief=brief)
            continue
        words = brief = WORDS.get(kind, kind)
        if isinstance(each.action, act.Defuse):
            words = f"defuse {names[each.action.owner]}'s dynamite: {terms.percent_words(cave, cave.players[seat].hp)}"
        if kind == "end_turn" and cave.mp:
            words += f", {cave.mp} MP left"
        price = str(each.mp) if each.mp else ""
        yield Task(LETTERS[kind], words, (each.action,), price, brief="" if brief == words else brief)


def _laying(cave: State, task: Task, *, amid: bool) -> Task:
    """Add to a way to lay the hex whether finds are in reach and, with ``amid``, the other passages."""
    (action,) = task.actions
    if not isinstance(action, act.Place):
        return task
    laid = Laying(cave, action.rotation)
    words, brief = task.words, task.words.removeprefix("on to ").replace(" and ", " ").replace(",", "")
    if amid:
        stack = [*laid.lie.hex.stack]
        level = stack.index(laid.passage)
        above, below = stack[:level], stack[level + 1 :]
        for word, passages in (("above", above), ("below", below)):
            if passages:
                words += f", {word} {joined([f'the {terms.passage_words(laid.lie, each)}' for each in passages])}"
        brief += f" ({'lower' if not above else 'middle' if below else 'upper'})"
    finds = FINDS * laid.has_finds
    return msgspec.structs.replace(task, words=words + finds, brief=brief + finds)


class Laying:
    """The hex in hand in a rotation: its layout, and the side and passage by which the explorer enters."""

    def __init__(self, cave: State, rotation: int) -> None:
        assert cave.drawn is not None
        assert cave.seat is not None
        self.lie = layout(cave.drawn.hex, rotation)
        self.back = facing(side_towards(cell_of(cave, cave.seat), cave.drawn.to) or 0)
        self.passage = self.lie.owner[self.back]
        self.cave, self.to = cave, cave.drawn.to
        self.has_finds = self.lie.hex.marker == self.passage
        self.sides = [side for side in self.lie.sides[self.passage] if side != self.back]
        self.new = sum(next_cell(self.to, side) not in cave.map for side in self.sides)

    def facts(self) -> Iterator[str]:
        """Yield what laying it so means: where the passage that the explorer enters leads, and the finds."""
        ways = joined([f"{NAMES[side]} ({self._beyond(side)})" for side in self.sides])
        yield f"your passage leads on to {ways}" if ways else "your passage is a dead end: you can only go back"
        yield self.finds

    @property
    def finds(self) -> str:
        if self.has_finds:
            return "what you do not keep comes into your passage"
        if self.lie.hex.marker in slides_from(self.lie.hex, self.passage, rope=False):
            return "what you do not keep comes into a passage that you can slide to"
        return "what you do not keep comes into another passage, out of your reach"

    def _beyond(self, side: int) -> str:
        laid = self.cave.map.get(next_cell(self.to, side))
        return "new" if laid is None else laid.layout.hex.name


def _forced(cave: State, seat: int, choice: Choice, names: Sequence[str]) -> Iterator[Task]:
    assert not isinstance(choice, Collecting)
    action = choice.action
    out = sum(player.state == "out" for player in cave.players)
    match action:
        case act.Place(rotation):
            laid = Laying(cave, rotation)
            words = terms.onward_words(laid.lie.sides[laid.passage], laid.back)
            yield Task("", words, (action,), at=laid.to)
        case act.Keep(value):
            yield Task("", f"keep the treasure of {value}", (action,))
        case act.Flee(to):
            hurt = f"{terms.hex_name(cave, to)} {terms.cell_words(to)}"
            price = str(choice.mp)
            hp = scoring.damage_at(cave, to, cave.players[seat].items) + bool(cave.map[to].grues)
            flee = f"flee to {terms.cell_words(to)}"
            yield Task("", f"flee to {hurt}", (action,), price, terms.damage_words(hp), to, brief=flee)
        case act.Drive(to):
            yield Task("", f"drive the grue to {terms.hex_name(cave, to)} {terms.cell_words(to)}", (action,), at=to)
        case act.MoveGrue():
            yield Task("", f"Move Grue: two rolls of at most {out}, {terms.percent_words(cave, out)} each", (action,))
        case act.TakeLantern(holder):
            yield Task("", f"take the Lantern of {names[holder]}", (action,))
        case act.PlaceGrue(start, to):
            from_to = f"grue from {terms.cell_words(start)} to {terms.hex_name(cave, to)} {terms.cell_words(to)}"
            pawns = sum(player.at == to for player in cave.players)
            danger_there = f"{terms.damage_words(1)} for {pawns}" if pawns else ""
            brief = f"grue {terms.cell_words(start)} to {terms.cell_words(to)}"
            yield Task("", from_to, (action,), danger=danger_there, at=to, brief=brief)
        case act.EndTurn():
            yield Task("", "leave it at that: end the turn", (action,))
