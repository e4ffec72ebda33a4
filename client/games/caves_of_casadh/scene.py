"""Everything that this keyboard's user sees, computed once per state of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal

import msgspec
from msgspec.structs import asdict

from cave.caves_of_casadh import routes
from cave.caves_of_casadh import scoring as prospects
from cave.caves_of_casadh.action_table import turn_mp
from cave.caves_of_casadh.actions import Choice
from cave.caves_of_casadh.components import HAZARDS, HOME, NAMES, Cell, Hazard, components, side_towards
from cave.caves_of_casadh.legal import why_out_of_phase
from cave.caves_of_casadh.scoring import Journey
from cave.caves_of_casadh.state import Laid, Phase, Player, State
from cave.game import Json
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.tasks import Laying, Task, tasks_of_seat
from client.present.scene import CaveScene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState
from client.wording import begun, count, joined, without_rule

ACTIONS = frozenset({"hex_drawn", "slid", "items_collected", "healed", "deployed", "defused"})
WAYS_TO_ACT = frozenset({"move", "flee", "collect_treasure"})
"""Types of events, and what they are ``by``, that do not follow from a card."""
LAST_FREE = {"slid": "slide", "healed": "Medkit"}  # events of free actions that can end a turn (rule 3.4)
OTHERS = "the others play on"
END = "the game ends when nobody is left in the caves"
Mode = Phase | Literal["waiting", "watching"]


class Track(msgspec.Struct, frozen=True):
    """A hazard; ``vengeance`` are the steps of the grue track without an icon (rule 7.2)."""

    hazard: Hazard
    icons: int
    tokens: int
    percent: int
    vengeance: int = 0


class CasadhScene(CaveScene[State, Player], frozen=True, kw_only=True):
    mode: Mode = "watching"
    choices: tuple[Choice, ...] = ()
    tasks: tuple[Task, ...] = ()
    home: Journey | None = None  # of the displayed seat; None: unknown, or not in the caves
    tracks: tuple[Track, ...] = ()

    @property
    def pawn_cell(self) -> Cell:
        return self.me.at or HOME

    @property
    def rotations_in_hand(self) -> tuple[Task, ...]:
        return self.tasks if self.mode == "placing" else ()

    def can_do_kind(self, kind: str) -> bool:
        return any(each.type == kind for each in self.choices)

    def why_not(self, kind: str) -> str:
        """Return why no action of this type is possible; while another action is pending, name that one."""
        found = super().why_not(kind)
        if not found and self.can_act and self.cave.phase != "actions":
            refused = why_out_of_phase(self.cave, kind)
            found = without_rule(refused.message) if refused else ""
        return found

    def why_not_there(self, at: Cell) -> str:
        """Return why you cannot go to a place now; for a place farther away its MP, and the first step."""
        said = next((each.message for each in self.refusals if each.action.get("to") == [*at]), "")
        if said or self.mode != "actions" or at == self.me.at:
            return said
        found = prospects.reachable_passages(self.cave, self.seat).items()
        way = next((way for spot, way in found if spot[0] == at), None)
        if way is None:
            return ""
        first = terms.WAYS[side_towards(self.pawn_cell, way.hexes[0]) or 0]
        there = terms.hex_name(self.cave, at)
        return f"{there} is {way.mp} MP away, and you have {self.cave.mp}. Go step by step, {first} first."

    def task_of_key(self, key: str) -> Task | None:
        return next((each for each in self.tasks if each.key == key), None)


def scene(state: TableState, last: int | None, turns: Turns) -> CasadhScene:
    base = plain_scene(state, last, turns)
    cave: State = base.view.cave
    return CasadhScene(
        **asdict(base) | {"mode": base.why_passive or cave.phase},
        tasks=tasks_of_seat(cave, base.seat, base.choices, base.view.names) if base.choices else (),
        home=prospects.way_home(cave, base.seat),
        tracks=tuple(_hazard_track(cave, hazard) for hazard in HAZARDS),
    )


def _hazard_track(cave: State, hazard: Hazard) -> Track:
    of_kind = [laid for laid in cave.map.values() if components().hexes[laid.hex].hazard == hazard]
    tokens = sum(laid.token for laid in of_kind)
    if hazard == "grue":
        tokens = sum(laid.grues for laid in cave.map.values())
    percent = round(100 * prospects.hazard_odds(cave, hazard))
    return Track(hazard, len(of_kind), tokens, percent, cave.vengeance if hazard == "grue" else 0)


class PlayerRow(msgspec.Struct, frozen=True):
    """The public facts of a player; ``values`` are the revealed treasures."""

    seat: int
    name: str
    player: Player
    values: tuple[int, ...]
    items: tuple[str, ...]
    misfortunes: tuple[str, ...]


def player_rows(scene: CasadhScene) -> Iterator[PlayerRow]:
    for seat, player in enumerate(scene.cave.players):
        values = sorted((value for value in player.treasures if value is not None), reverse=True)
        items = tuple(terms.item_words(kind) for kind in player.items)
        burdens = tuple(terms.misfortune_burdens(player.misfortunes))
        yield PlayerRow(seat, scene.view.names[seat], player, tuple(values), items, burdens)


def home_words(scene: CasadhScene) -> str:
    """Return the way home in short, with its first side: ``way home: S, 3 MP, -1 HP``; a hex costs 1 MP."""
    if scene.over or scene.me.state != "in":
        return ""
    way = scene.home
    whose = f"{scene.view.names[scene.seat]}: " if scene.mode == "watching" else ""
    if way is None:
        return f"{whose}no known way home"
    if not way.hexes:
        return f"{whose}at Base Camp" if whose else "way home: you are there"
    side = NAMES[side_towards(scene.pawn_cell, way.hexes[0]) or 0]
    return f"{whose}way home: {side}, {way.mp} MP, {terms.damage_words(way.damage) or 'no damage'}"


def turns_outside(scene: CasadhScene) -> str:
    """Return the use of turns for the displayed seat, which is out or dead (rules 3.2 and 8.5)."""
    if routes.may_move_grues(scene.cave, scene.seat):
        return f"{OTHERS}; in your turns you can move a grue; {END}"
    somebody = any(player.state == "out" for player in scene.cave.players)
    missing = "no grue is in the caves" if somebody else "nobody is on the Surface"
    return f"{OTHERS}; your turns pass by themselves as long as {missing}; {END}"


def why_turn_ended(scene: CasadhScene) -> str:
    """Say what ended the last turn of the shown seat, other than its player: Bad Footing until that seat acts
    again, a free action until its next turn.
    """
    lines = scene.state.log
    if scene.over or not scene.since or (scene.can_act and lines[-1].event["type"] != "turn_began"):
        return ""
    began = {"type": "turn_began", "seat": scene.seat}.items()
    last = [*takewhile(lambda each: not began <= each.event.items(), reversed(lines[: scene.since]))]
    if any(each.event.get("misfortune") == "stumble" for each in last):
        return "Bad Footing ended your turn: it took all your MP."
    # What ends a turn has the same number as the beginning of the next one.
    ends = [each.seq for each in lines[scene.since : scene.since + 1] if not scene.can_act]
    kinds = (each.event["type"] for each in last if each.seq in ends)
    free = next((LAST_FREE[kind] for kind in kinds if kind in LAST_FREE), "")
    return f"Your {free} ended your turn: you had no MP, and nothing free was left to do." if free else ""


def misfortune_words(scene: CasadhScene) -> str:
    """Return what the misfortune of your last card does, until your next action."""
    found = _brought_by_card(scene)
    struck = next((each for each in found if each["type"] == "misfortune" and each["outcome"] != "spared"), None)
    if struck is None:
        return ""
    name = terms.misfortune_name(struck["misfortune"])
    return f"{name}: {terms.effect_sentence(name)}."


def card_words(scene: CasadhScene) -> str:
    """Return what your last card took and brought, until a roll or your next action."""
    found = {each["type"]: each for each in _brought_by_card(scene)}
    if "card_drawn" not in found or "rolled" in found:
        return ""
    items, treasures = found.get("items_placed", {}).get("items"), found.get("treasures_drawn", {}).get("count")
    brought = [terms.item_list_words(items)] if items else []
    brought += [count(treasures, "treasure")] if treasures else []
    taken = components().cards[found["card_drawn"]["card"]].move
    return f"your card: {taken} MP, {joined(brought) or 'nothing else'}"


def _brought_by_card(scene: CasadhScene) -> Sequence[Json]:
    """Return your events since your last action, the newest first."""
    if scene.me.state != "in" or not scene.state.my_seats:
        return ()
    mine = [line.event for line in scene.state.log if line.event.get("seat") == scene.seat]
    return [*takewhile(lambda event: not _is_next_action(event), reversed(mine))]


def _is_next_action(event: Json) -> bool:
    return event["type"] in ACTIONS or event.get("by") in WAYS_TO_ACT


def track_words(found: Track) -> Iterator[str]:
    """Yield the hexes with a hazard, the vengeance (rule 7.2) and how many are awake, then only the most urgent."""
    hexes, awake = count(found.icons, "hex"), f"{found.tokens} awake" if found.tokens else "asleep"
    yield f"{hexes}{f', vengeance {found.vengeance}' * bool(found.vengeance)}, {awake}"
    yield awake if found.tokens else hexes if found.icons else "vengeance"


def offered_values(cave: State) -> Sequence[int]:
    """Return the treasures to choose from, also equal ones, the lowest first."""
    return sorted(each or 0 for each in cave.offer.values) if cave.offer else ()


def best_of_surface(cave: State, after: int = 0) -> Sequence[int]:
    """Return the treasures that a player who leaves takes, ``after`` so many others (rule 9.2)."""
    takes = components().leave_takes
    return sorted(cave.surface, reverse=True)[after * takes : (after + 1) * takes]


def points_with_surface(scene: CasadhScene) -> int:
    """Return the points with which the displayed seat can leave in this turn or its next; 0 if it cannot, or
    if it has no treasure, or the Surface none.
    """
    cave, way, mine = scene.cave, scene.home, prospects.treasure_value(scene.me)
    best = sum(best_of_surface(cave))
    if scene.over or way is None or way.damage >= scene.me.hp or not (mine and best):
        return 0
    mp = turn_mp(scene.me) - way.damage + (cave.mp if cave.seat == scene.seat else 0)
    return mine + best if way.mp < mp else 0


def surface_words(cave: State) -> str:
    return ", ".join(map(str, sorted(cave.surface, reverse=True))) or "nothing left"


def laid_hex_at(cave: State, at: Cell, rotation: int = 0) -> Laid | None:
    if cave.drawn is not None and cave.drawn.to == at:
        return Laid(cave.drawn.hex, rotation)
    return cave.map.get(at)


def hex_title(cave: State, at: Cell) -> str:
    laid = laid_hex_at(cave, at)
    return begun(terms.NOT_YET) if laid is None else laid.layout.hex.name


def hex_facts(scene: CasadhScene, at: Cell, rotation: int = 0) -> Iterator[str]:
    """Yield the facts of a hex, the most important first: a small pane leaves out the last ones."""
    cave = scene.cave
    laid = laid_hex_at(cave, at, rotation)
    if laid is None:
        yield f"explore it: a hex and a card are drawn, and the card takes {terms.explore_price()}"
        yield f"{count(len(cave.hexes), 'hex')} left in the pile"
        return
    lie, names = laid.layout, scene.view.names
    shape, in_hand = lie.hex, at not in cave.map
    if in_hand and scene.mode == "placing":
        yield from Laying(cave, rotation).facts()
    if in_hand and shape.hazard != "none":
        yield _roll_words(scene, shape.hazard)

    def named(passage: int) -> str:
        tags = ["marker"] * (passage == shape.marker) + ["water"] * (passage == shape.water)
        return terms.passage_words(lie, passage) + (f" ({', '.join(tags)})" if tags else "")

    def position(seat: int) -> str:
        who = "you are" if seat == scene.seat and not scene.name_needed else f"{names[seat]} is"
        return f"{who} {f'in the {named(cave.players[seat].passage)}' if len(lie.sides) > 1 else 'here'}"

    here = [seat for seat, player in enumerate(cave.players) if player.at == at]
    yield from (position(seat) for seat in here if seat == scene.seat)
    if laid.grues:
        yield count(laid.grues, "grue")
    for owner, sticks in Counter(laid.dynamite).items():
        number = f", {sticks} sticks" if sticks > 1 else ""
        yield f"dynamite of {names[owner]}{number}: goes off as that turn begins"
    if shape.hazard == "grue":
        yield terms.GRUE_MAY_WAKE
    elif shape.hazard != "none" and not in_hand:
        yield f"{shape.hazard} {'awake' if laid.token else 'asleep'}"
    if laid.treasures:
        known = sorted(each.value for each in laid.treasures if each.value is not None)
        others = ", others unknown" if len(known) < len(laid.treasures) else ""
        told = f", worth {', '.join(map(str, known))}{others}" if known else ""
        yield f"T{len(laid.treasures)}: {count(len(laid.treasures), 'treasure')}{told}"
    if laid.items:
        yield f"i{len(laid.items)}: {terms.item_list_words(laid.items)}"
    if shape.special == "cave_paintings":
        yield "with it, hexes of level 2 come into the pile: more treasure, more danger"
    if shape.special == "base_camp" and not cave.surface:
        yield "no treasure is left on the Surface"
    elif shape.special == "base_camp":
        yield f"outside, on the Surface: treasures {surface_words(cave)}"
        yield "the next to leave takes the best two"
    if shape.special == "base_camp" and not scene.over:
        yield END
    for name in dict.fromkeys([*[shape.hazard] * (shape.hazard != "none"), *["grue"] * bool(laid.grues)]):
        yield f"{name}: {terms.effect_sentence(name)}"
    if len(lie.sides) > 1:
        mine = scene.me.passage if scene.me.at == at else None
        words = [named(each).removeprefix("passage ") for each in reversed(shape.stack) if each != mine]
        yield f"{'passages' if mine is None else 'other passages'}: {'; '.join(words)}"
    elif shape.water >= 0:
        yield "water in its passage"
    for above, below in shape.slopes:
        yield f"a slope leads down from the {terms.passage_words(lie, above)} to the {terms.passage_words(lie, below)}"
    if in_hand and lie.stars:
        yield f"star (*): you can enter only by {terms.sides_words(lie.stars)}"
    if shape.hazard not in ("none", "grue") and not in_hand and not laid.token:
        yield f"each new hex with {shape.hazard} may wake all"
    for name in map(terms.item_words, dict.fromkeys(laid.items)):
        yield f"{name}: {terms.effect_sentence(name)}"
    yield from (position(seat) for seat in here if seat != scene.seat)


def _roll_words(scene: CasadhScene, hazard: Hazard) -> str:
    """Return the roll that the icon of a hex in hand brings (rule 7.1)."""
    percent = next(track.percent for track in scene.tracks if track.hazard == hazard)
    roll = f"with {percent}% it wakes all {hazard}" if percent else "they sleep on, as it is the first"
    return f"{hazard}: laid, the hex rolls a die; {roll}"
