"""The choices of the displayed seat, the most interesting first: numbers, then letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import scoring
from cave.caves_of_casadh.action_table import can_act_freely
from cave.caves_of_casadh.actions import Action, Choice, Collecting, Priced
from cave.caves_of_casadh.components import NAMES, Cell, facing, layout, next_cell, side_towards
from cave.caves_of_casadh.routes import slides_from
from cave.caves_of_casadh.state import Laid, State, cell_of, hex_of
from cave.codec import to_json
from cave.game import Json
from client.games.caves_of_casadh import terms
from client.wording import count

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


MARKER = ", marker"
"""Marks a way to lay the hex with the marker in the passage that the explorer enters."""
ENDS_TURN = ", ends turn"  # at the end of a price
NO_WAY_HOME = "no way home"
"""The danger of a way after which no way home is known, while now there is one."""
BRIEF = 24  # columns for a task beside another one at 80x24


class Task(msgspec.Struct, frozen=True):
    """A line of the choices. ``actions`` are done in order, slides before a move; items to take are a
    ``form``. ``brief`` is a shorter text; empty if ``words`` is short. ``price`` has its unit: ``1 MP``. ``alike`` are
    actions that differ only in the drawing.
    """

    key: str
    words: str
    actions: tuple[Action, ...] = ()
    price: str = ""
    danger: str = ""
    at: Cell | None = None
    form: Collecting | None = None
    brief: str = ""
    alike: tuple[Action, ...] = ()

    @property
    def kind(self) -> str:
        return self.actions[-1].type if self.actions else act.CollectItems.type

    def is_for(self, action: Json) -> bool:
        if self.form is not None:
            return bool(action["type"] == self.kind)
        return len(self.actions) == 1 and action in map(to_json, (*self.actions, *self.alike))


def tasks_of_seat(cave: State, seat: int, choices: Sequence[Choice], names: Sequence[str]) -> tuple[Task, ...]:
    if cave.phase == "actions":
        cut_off = _cut_off_passages(cave, seat, choices)
        numbered = [*_ways(cave, seat, choices, cut_off), *_slides(cave, seat, choices, cut_off)]
        lettered = _lettered(cave, seat, choices, names)
    else:
        numbered = [task for each in choices for task in _forced(cave, seat, each, names)]
        lettered = iter(())
        numbered = [*_told_apart(cave, numbered)]
    keyed = [msgspec.structs.replace(task, key=str(key)) for key, task in enumerate(numbered, 1)]
    return (*keyed, *lettered)


def _ways(cave: State, seat: int, choices: Sequence[Choice], cut_off: Collection[int]) -> Iterator[Task]:
    legal = {each.action for each in choices if isinstance(each, Priced)}
    found = scoring.reachable_ways(cave, seat)
    for way in sorted(found, key=lambda each: (bool(each.slides), each.side)):
        if way.actions[0] in legal:
            words, brief = _way_words(cave, way.to, way.side)
            if way.slides:
                verb = _slide_verb(cave, seat, way.slides[0])
                words, brief = f"{verb}, then {words}", f"{verb}, {brief}"
            price = "1 MP" if way.kind == "move" else terms.explore_price(cave.mp)
            hurt = [way_danger_words(cave, way.to, way.damage)]
            if way.slides and way.slides[-1] in cut_off:
                hurt.append(NO_WAY_HOME)
                brief = brief.replace(": explore", "?")  # the sign of an unexplored side
            yield Task("", words, way.actions, price, ", ".join(filter(None, hurt)), way.to, brief=brief)


def _cut_off_passages(cave: State, seat: int, choices: Sequence[Choice]) -> Collection[int]:
    """Return the passages of the hex without a known way home, if a slide could lose the one that there is."""
    if not any(isinstance(each, Priced) and isinstance(each.action, act.Slide) for each in choices):
        return ()
    homes = scoring.mp_home_by_passage(cave, cave.players[seat].items)
    at, passages = cell_of(cave, seat), range(len(hex_of(cave, seat).layout.sides))
    return [each for each in passages if (at, each) not in homes] if (at, cave.players[seat].passage) in homes else ()


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


def _slides(cave: State, seat: int, choices: Sequence[Choice], cut_off: Collection[int]) -> Iterator[Task]:
    lie = hex_of(cave, seat).layout
    for each in choices:
        if isinstance(each, Priced) and isinstance(each.action, act.Slide):
            to = each.action.passage
            verb = _slide_verb(cave, seat, to)
            sides = lie.sides[to]
            into = terms.sides_words(sides).replace("sides but", "but")
            if len(sides) < terms.ALMOST_ALL:
                into = " ".join(NAMES[side] for side in sides)
            hurt = NO_WAY_HOME * (to in cut_off)
            brief = f"{verb}: {into}"
            price = "0 MP" + _turn_end(cave, seat, each.action)
            yield Task("", f"{verb} to the {terms.passage_words(lie, to)}", (each.action,), price, hurt, brief=brief)


def _slide_verb(cave: State, seat: int, to: int) -> str:
    """Return the verb for a slope: going up needs a Rope (rule 4.5)."""
    down = slides_from(hex_of(cave, seat).layout.hex, cave.players[seat].passage, rope=False)
    return "slide" if to in down else "climb"


def _turn_end(cave: State, seat: int, action: Action) -> str:
    """Return that a free action ends the turn: without MP, and with nothing free left to do (rule 3.4)."""
    after = cave.players[seat]
    match action:
        case act.Slide(to):
            after = msgspec.structs.replace(after, passage=to)
        case act.UseMedkit():
            after = msgspec.structs.replace(after, items=tuple(item for item in after.items if item != "medkit"))
    return "" if cave.mp or can_act_freely(after, hex_of(cave, seat)) else ENDS_TURN


def _lettered(cave: State, seat: int, choices: Sequence[Choice], names: Sequence[str]) -> Iterator[Task]:
    # Giving up comes last.
    for each in sorted(choices, key=lambda choice: choice.type == "give_up"):
        kind = each.type
        if kind not in LETTERS:
            continue
        if isinstance(each, Collecting):
            brief = f"take {count(len(each.items), 'item')}"
            words = f"take items: {terms.item_list_words(each.items)}"
            yield Task(LETTERS[kind], words, price=f"1 MP{ENDS_TURN}", form=each, brief=brief)
            continue
        words = brief = WORDS.get(kind, kind)
        if isinstance(each.action, act.Defuse):
            words = f"defuse {names[each.action.owner]}'s dynamite: {terms.percent_words(cave, cave.players[seat].hp)}"
        if kind == "end_turn" and cave.mp:
            words += f", {cave.mp} MP left"
        price = f"{each.mp} MP" if each.mp else ""
        if kind == "use_medkit" and (ends := _turn_end(cave, seat, each.action)):
            price = f"0 MP{ends}"
        yield Task(LETTERS[kind], words, (each.action,), price, brief="" if brief == words else brief)


def _told_apart(cave: State, tasks: Sequence[Task]) -> Iterator[Task]:
    """Yield the tasks, each with words of its own. Of ways to lay the hex that differ only in the drawing, yield one;
    of those that lead to the same places, say which passage has the marker, or where the other passages lead.
    """
    kept: dict[Any, Task] = {}
    for task in tasks:
        action = task.actions[0]
        key = Laying(cave, action.rotation).shape if isinstance(action, act.Place) else task
        first = kept.setdefault(key, task)
        if first is not task:
            kept[key] = msgspec.structs.replace(first, alike=(*first.alike, action))
    told, briefs = Counter(each.words for each in kept.values()), Counter(each.brief for each in kept.values())
    number: dict[str, int] = {}
    for at, task in enumerate(kept.values(), 1):
        action, words, brief = task.actions[0], task.words, task.brief
        if isinstance(action, act.Place) and (told[words] > 1 or briefs[brief] > 1):
            laid = Laying(cave, action.rotation)
            like, marker = number.setdefault(brief, at), f"marker: {laid.marker_sides}"
            more = [each for each in (f"{brief}; {marker}",) if not laid.has_marker]
            if like != at:
                more += [] if laid.has_marker else [f"as {like}, {marker}"]
                more += [f"as {like}, others: {laid.other_sides}", f"as {like}, {laid.other_sides}"]
            if told[words] > 1:
                words += f"; {laid.others}"
            brief = next((each for each in more if len(each) <= BRIEF and each not in number), brief)
            number.setdefault(brief, at)
        yield msgspec.structs.replace(task, words=words, brief=brief)


class Laying:
    """The hex in hand in a rotation: where the passage that the explorer enters leads, and what it brings."""

    def __init__(self, cave: State, rotation: int) -> None:
        assert cave.drawn is not None
        assert cave.seat is not None
        self.cave, self.to = cave, cave.drawn.to
        here, me = cell_of(cave, cave.seat), cave.players[cave.seat]
        self.lie = layout(cave.drawn.hex, rotation)
        self.back = facing(side_towards(here, self.to) or 0)
        self.passage, *slid = slides_from(self.lie.hex, self.lie.owner[self.back], rope="rope" in me.items)
        self.sides = [side for side in self.lie.sides[self.passage] if side != self.back]
        self.by_slope = sorted(side for each in slid for side in self.lie.sides[each])
        laid = msgspec.structs.replace(cave, map={**cave.map, self.to: Laid(cave.drawn.hex, rotation)})
        self.home = scoring.mp_home_by_passage(laid, me.items).get((self.to, self.passage))
        before = scoring.mp_home_by_passage(cave, me.items).get((here, me.passage))
        self.is_short_cut = self.home is not None and (before is None or self.home <= before)
        self.has_marker = self.lie.hex.marker == self.passage
        self.has_marker_by_slope = self.lie.hex.marker in slid

    @property
    def words(self) -> str:
        """Where the passage leads: ``on to NE and SE (unexplored), N (Stone Bridge)``."""
        on = f"on to {self._ways(self.sides)}" if self.sides else "a dead end"
        return f"{on}, with a slope to {self._ways(self.by_slope)}" if self.by_slope else on

    @property
    def gains(self) -> str:
        return f", home {self.home} MP" * self.is_short_cut + MARKER * self.has_marker

    @property
    def brief(self) -> str:
        """The words for a narrow column: ``?`` is the sign of an unexplored side. What the way brings comes last, and
        is never cut.
        """
        on, down = (" ".join(map(self._side, sides)) for sides in (self.sides, self.by_slope))
        if len(self.sides) >= terms.ALMOST_ALL:
            on = "all sides" + "?" * (on.count("?") == len(self.sides))
        slope = " slope" * bool(down)
        gains = (", home" * self.is_short_cut + MARKER * self.has_marker, MARKER * self.has_marker)
        forms = [f"{on}{each}".strip() or "dead end" for each in (f"{slope} {down}" * bool(down), slope)]
        fitting = (form + gain for gain in gains for form in forms if len(form + gain) <= BRIEF)
        return next(fitting, f"{count(len(self.sides), 'side')}{slope}{gains[1]}")

    @property
    def shape(self) -> Any:
        """What the rules see of the hex: its passages, slopes and places."""
        sides, shape = [frozenset(each) for each in self.lie.sides], self.lie.hex
        places = [sides[each] if each >= 0 else None for each in (shape.marker, shape.water)]
        return frozenset(sides), *places, frozenset((sides[above], sides[below]) for above, below in shape.slopes)

    @property
    def marker_sides(self) -> str:
        return " ".join(NAMES[side] for side in self.lie.sides[self.lie.hex.marker])

    @property
    def other_sides(self) -> str:
        others = [sides for sides in self.lie.sides if self.back not in sides]
        return ", ".join(" ".join(NAMES[side] for side in sides) for sides in sorted(others))

    @property
    def others(self) -> str:
        """The passages that the explorer does not enter, and which of them has the marker."""
        marker = self.lie.hex.marker
        found = [
            terms.passage_words(self.lie, each) + " (marker)" * (each == marker)
            for each, sides in sorted(enumerate(self.lie.sides), key=lambda pair: pair[1])
            if self.back not in sides
        ]
        return f"beside it {', '.join(found)}"

    def facts(self) -> Iterator[str]:
        """Yield what laying it so means: where the passage that the explorer enters leads, and the marker."""
        only = "" if self.sides or self.by_slope else ": you can only go back"
        yield f"your passage: {self.words}{only}"
        yield self.where_marker_lies
        yield "no known way home from there" if self.home is None else f"way home from there: {self.home} MP"

    @property
    def where_marker_lies(self) -> str:
        if self.has_marker:
            return "the marker is in your passage"
        if self.has_marker_by_slope:
            return "the marker is in a passage that you can slide to"
        return "the marker is in another passage, out of your reach"

    def _ways(self, sides: Sequence[int]) -> str:
        beyond: dict[str, list[int]] = {}
        for side in sides:
            beyond.setdefault(terms.hex_name(self.cave, next_cell(self.to, side)), []).append(side)
        return ", ".join(f"{terms.sides_words(found)} ({name})" for name, found in beyond.items())

    def _side(self, side: int) -> str:
        return NAMES[side] + "?" * (next_cell(self.to, side) not in self.cave.map)


def _forced(cave: State, seat: int, choice: Choice, names: Sequence[str]) -> Iterator[Task]:
    assert not isinstance(choice, Collecting)
    action = choice.action
    out = sum(player.state == "out" for player in cave.players)
    match action:
        case act.Place(rotation):
            laid = Laying(cave, rotation)
            yield Task("", laid.words + laid.gains, (action,), at=laid.to, brief=laid.brief)
        case act.Keep(value):
            alike = cave.offer.values.count(value) if cave.offer else 1
            yield Task("", f"keep the treasure of {value}" + f", one of {alike} alike" * (alike > 1), (action,))
        case act.Flee(to):
            price = f"{choice.mp} MP"
            hp = scoring.damage_at(cave, to, cave.players[seat].items) + bool(cave.map[to].grues)
            flee = f"flee to {terms.cell_words(to)}"
            yield Task(
                "", f"flee to {terms.hex_place(cave, to)}", (action,), price, terms.damage_words(hp), to, brief=flee
            )
        case act.Drive(to):
            yield Task("", f"drive the grue to {terms.hex_place(cave, to)}", (action,), at=to)
        case act.MoveGrue():
            yield Task("", f"Move Grue: two rolls of at most {out}, {terms.percent_words(cave, out)} each", (action,))
        case act.TakeLantern(holder):
            yield Task("", f"take the Brass Lantern of {names[holder]}", (action,))
        case act.PlaceGrue(start, to):
            from_to = f"grue from {terms.cell_words(start)} to {terms.hex_place(cave, to)}"
            pawns = sum(player.at == to for player in cave.players)
            danger_there = f"{terms.damage_words(1)} for {pawns}" if pawns else ""
            brief = f"grue {terms.cell_words(start)} to {terms.cell_words(to)}"
            yield Task("", from_to, (action,), danger=danger_there, at=to, brief=brief)
        case act.EndTurn():
            yield Task("", "leave it at that: end the turn", (action,))
