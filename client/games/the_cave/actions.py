"""The current choices with key, price and gain; illegal ones with the reason; the tile in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cave.game import Refusal
from cave.the_cave.actions import FREE, AnyChoice, Choice, Form, Move, Place
from cave.the_cave.routes import Leg, reachable_places
from cave.the_cave.state import Coord, State, neighbours_of
from cave.the_cave.tiles import legal_placements
from client.games.the_cave import terms
from client.games.the_cave.picture import Ghost
from client.games.the_cave.supplies import turns_left
from client.games.the_cave.walk_plans import (
    BY_FORCE,
    NOWHERE,
    WalkWay,
    by_force,
    place_words,
    plan_unforced_walk,
    tile_for,
)
from client.wording import count


class ActionLine(msgspec.Struct, frozen=True):
    """A line of the list of actions, legal or refused.

    ``do`` names the command (``discover``, ``moves``), ``key`` is its key, ``short`` the label for narrow
    panes. An illegal line has the reason in ``why``. A single move has its ``choice``, and its effect in
    ``brings``.
    """

    do: str
    key: str
    label: str
    short: str
    price: str = ""
    gain: str = ""
    legal: bool = True
    why: str = ""
    brings: str = ""
    choice: Choice | None = None

    @property
    def by_words(self) -> str:
        """How the place is entered: ``with oxygen``."""
        return "" if self.choice is None else terms.WAYS[_way_of_move(self.choice)]

    @property
    def by_force(self) -> bool:
        """Whether it is a forced move, which uses the whole turn (rule 5.7)."""
        return self.choice is not None and _way_of_move(self.choice) == "force"

    @property
    def loses_points(self) -> bool:
        return self.do == "end_turn" and bool(self.price)

    @property
    def reason(self) -> str:
        """The reason why it is illegal, for a table."""
        return self.why[:1].lower() + self.why[1:].removesuffix(".")


_KEYS = {
    "discover": ("x", "discover a tile", "discover"),
    "dive": ("w", "dive for the token", "dive"),
    "photograph": ("s", "snap a photo", "photo"),
    "pitch": ("c", "pitch the camp", "pitch camp"),
    "strike": ("c", "strike the camp", "strike camp"),
    "pack": ("p", "pack the backpack", "pack"),
    "exchange": ("i", "exchange with the camp", "exchange"),
    "discard": ("d", "discard things", "discard"),
    "abandon": ("b", "abandon the camp", "abandon"),
    "end_turn": ("e", "end the turn", "end turn"),
}
LABELS = {kind: label for kind, (_, label, _) in _KEYS.items()}
"""The actions with their own line, with their labels."""
KEYS = {kind: key for kind, (key, _, _) in _KEYS.items()}
HERE = "Your team is here, and there is nothing for it to do on this tile now. Point at another place."
ROCK = "There is only rock there; new tiles are discovered at the ? exits of your tile."


def kind_of(choice: AnyChoice) -> str:
    return choice.kind if isinstance(choice, Form) else choice.action.type


def choice_of_kind(choices: Sequence[AnyChoice], kind: str) -> Any:
    return next((choice for choice in choices if kind_of(choice) == kind), None)


def move_choices(choices: Sequence[AnyChoice]) -> list[Choice]:
    return [choice for choice in choices if isinstance(choice, Choice) and isinstance(choice.action, Move)]


def move_offers(cave: State, seat: int, choices: Sequence[AnyChoice]) -> tuple[ActionLine, ...]:
    """Return the moves as priced variants, forced ones last."""
    found = [_move_offer(cave, seat, choice) for choice in move_choices(choices)]
    return tuple(sorted(found, key=lambda offer: offer.by_force))


def _move_offer(cave: State, seat: int, choice: Choice) -> ActionLine:
    move, price = choice.action, choice.price
    assert isinstance(move, Move)
    by = terms.WAYS[move.by]
    label = f"go {place_words(cave, seat, move.to)}" + (f", {by}" if by else "")
    short = f"go {terms.direction_words(cave.teams[seat].at, move.to)} {by}".rstrip()
    brings = "no token, ends the turn" if move.by == "force" else terms.tokens_brought_words(price.brings)
    return ActionLine(
        "moves", "", label, short, terms.price_words(price), _discovery_points(choice), brings=brings, choice=choice
    )


def ways_to(choices: Sequence[AnyChoice], at: Coord) -> list[Choice]:
    """Return the moves to this place, forced ones only if there are no others."""
    into = [choice for choice in move_choices(choices) if _tile_moved_to(choice) == at]
    return [choice for choice in into if _way_of_move(choice) != "force"] or into


def _tile_moved_to(choice: Choice) -> Coord | None:
    return choice.action.to if isinstance(choice.action, Move) else None


def _way_of_move(choice: Choice) -> str:
    return choice.action.by if isinstance(choice.action, Move) else ""


class EnterAction(msgspec.Struct, frozen=True):
    """Enter's action at the cursor.

    ``do``: ``move`` (``choices`` are the variants), ``walk`` (``legs`` are the steps), an action's word, or
    nothing; then ``line.why`` has the reason. ``stopped`` is the message after a walk that ends early.
    """

    do: str
    line: ActionLine
    choices: tuple[Choice, ...] = ()
    legs: tuple[Leg, ...] = ()
    stopped: str = ""

    @property
    def goal(self) -> Coord | None:
        return _tile_moved_to(self.choices[0]) if self.choices else None


def enter_action(
    cave: State, seat: int, choices: Sequence[AnyChoice], refusals: Sequence[Refusal], at: Coord
) -> EnterAction:
    here = cave.teams[seat].at
    if at == here:
        return _enter_here(choices, refusals)
    if at not in cave.board:
        return _enter_empty_place(cave, seat, choices, refusals, at)
    into = ways_to(choices, at)
    if any(_way_of_move(choice) != "force" for choice in into):
        return EnterAction("move", _move_into_action(cave, seat, into), tuple(into))
    way = plan_unforced_walk(cave, seat, at)
    if isinstance(way, WalkWay):
        return EnterAction("walk", _walk(cave, seat, at, way), legs=way.legs, stopped=way.stopped_words)
    if into:
        return EnterAction("move", _move_into_action(cave, seat, into), tuple(into))
    # An adjacent tile has its own refusal, with its rule.
    return _enter_does_nothing((why_at(refusals, at) if way.startswith((NOWHERE, BY_FORCE)) else "") or way)


def _walk(cave: State, seat: int, at: Coord, way: WalkWay) -> ActionLine:
    side = terms.direction_words(cave.teams[seat].at, at)
    label = f"walk {way.steps_words} to {place_words(cave, seat, at)}"
    short = f"walk {side}"
    if way.rest_of_way_words:
        label, short = f"{label}, {way.rest_of_way_words}", f"{short}, {way.rest_of_way_words}"
    if way.danger_words:
        label += f": {way.danger_words}"
    return ActionLine("enter", "enter", label, short, terms.price_words(way.price))


def _move_into_action(cave: State, seat: int, into: Sequence[Choice]) -> ActionLine:
    best = min(into, key=lambda choice: choice.ap)
    offer = _move_offer(cave, seat, best)
    if len(into) == 1:
        return msgspec.structs.replace(offer, do="enter", key="enter")
    to = _tile_moved_to(best)
    assert to is not None
    ways = f"{len(into)} ways"
    label, short = f"go {place_words(cave, seat, to)}", f"go {terms.direction_words(cave.teams[seat].at, to)}"
    gain = terms.gain_words(max(choice.price.points for choice in into))
    return ActionLine("enter", "enter", f"{label}, {ways}", f"{short}, {ways}", f"from {best.ap} AP", gain)


def with_obvious(found: Sequence[ActionLine], first: EnterAction) -> tuple[ActionLine, ...]:
    """Return the lines with Enter's action first; an action that has its own line moves there."""
    if not first.do:
        return tuple(found)
    same = next((line for line in found if line.do == first.do), None)
    if same is None:
        return (first.line, *found)
    others = (line for line in found if line is not same)
    return (msgspec.structs.replace(first.line, key=f"enter or {same.key}"), *others)


def _enter_here(choices: Sequence[AnyChoice], refusals: Sequence[Refusal]) -> EnterAction:
    for kind in ("dive", "photograph", "discover"):
        choice = choice_of_kind(choices, kind)
        if choice is not None:
            _, label, short = _KEYS[kind]
            line = ActionLine(
                "enter", "enter", label, short, terms.price_words(choice.price), _discovery_points(choice)
            )
            return EnterAction(kind, line)
    reason = why_no_action(refusals, "discover")
    return _enter_does_nothing(HERE if not reason or any(no.code == "no_exit" for no in refusals) else reason)


def _enter_empty_place(
    cave: State, seat: int, choices: Sequence[AnyChoice], refusals: Sequence[Refusal], at: Coord
) -> EnterAction:
    here = cave.teams[seat].at
    tile = tile_for(cave, seat, at)
    if tile is None:
        return _enter_does_nothing(ROCK)
    if tile != here:
        way = enter_action(cave, seat, choices, refusals, tile)
        if way.goal and all(_way_of_move(choice) == "force" for choice in way.choices):
            return _enter_does_nothing(by_force(cave, seat, way.goal))
        return way
    side = next(near.side for near in neighbours_of(here) if near.at == at)
    choice = choice_of_kind(choices, "discover")
    if choice is None:
        return _enter_does_nothing(why_no_action(refusals, "discover") or "Nothing can be discovered there now.")
    line = ActionLine(
        "enter",
        "enter",
        f"discover, to the {terms.SIDE_WORDS[side]}",
        f"discover {side}",
        terms.price_words(choice.price),
    )
    return EnterAction("discover", line)


def _enter_does_nothing(why: str) -> EnterAction:
    return EnterAction("", ActionLine("enter", "enter", "", "", legal=False, why=why))


def _discovery_points(choice: AnyChoice) -> str:
    return terms.gain_words(choice.price.points)


def why_no_action(refusals: Sequence[Refusal], kind: str) -> str:
    """Return why no action of this kind is possible; nothing without a refusal. A refusal that is only about
    AP comes first.
    """
    reasons = [no for no in refusals if no.action.get("type") == kind]
    reasons.sort(key=lambda no: no.code != "not_enough_ap")
    return reasons[0].message if reasons else ""


def why_at(refusals: Sequence[Refusal], at: Coord) -> str:
    """Return why no move enters this place; first a way that lacks only AP."""
    reasons = [no for no in refusals if no.action.get("type") == "move" and tuple(no.action.get("to", ())) == at]
    reasons.sort(key=lambda no: (no.action.get("by") == "force", no.code != "not_enough_ap"))
    return reasons[0].message if reasons else ""


def lines(cave: State, seat: int, choices: Sequence[AnyChoice], refusals: Sequence[Refusal]) -> tuple[ActionLine, ...]:
    """Return all actions, legal ones first; empty if it is not the seat's turn or it is placing a tile."""
    if not choices or cave.phase in ("packing", "placing", "over"):
        return ()
    legal = [_moves_line(move_choices(choices))] if move_choices(choices) else []
    refused = []
    camp = "strike" if cave.teams[seat].camp.state == "pitched" else "pitch"
    for kind, (key, label, short) in _KEYS.items():
        choice = choice_of_kind(choices, kind)
        if choice is not None:
            legal.append(_line(cave, kind, choice))
        elif kind not in {"pitch", "strike"} - {camp} and (reason := why_no_action(refusals, kind)):
            refused.append(ActionLine(kind, key, label, short, legal=False, why=reason))
    if not move_choices(choices):
        refused.insert(0, ActionLine("moves", "m", "move", "move", legal=False, why=why_no_action(refusals, "move")))
    return (*legal, *refused)


def waiting_lines(why: str) -> tuple[ActionLine, ...]:
    """List all actions while waiting: all are illegal for the same reason."""
    kinds = {"moves": ("m", "move", "move"), **_KEYS}
    return tuple(
        ActionLine(kind, key, label, short, legal=False, why=why)
        for kind, (key, label, short) in kinds.items()
        if kind != "strike"
    )


def _line(cave: State, kind: str, choice: AnyChoice) -> ActionLine:
    key, label, short = _KEYS[kind]
    if kind == "end_turn":
        lost = f"loses {cave.ap} AP" if cave.ap else ""
        return ActionLine(kind, key, label, short, lost)
    return ActionLine(kind, key, label, short, terms.price_words(choice.price), _discovery_points(choice))


def _moves_line(choices: Sequence[Choice]) -> ActionLine:
    usual = [choice for choice in choices if _way_of_move(choice) != "force"]
    if not usual:
        ways = count(len(choices), "way")
        price = terms.price_words(choices[0].price)
        return ActionLine("moves", "m", f"forced move, {ways}", "forced move", price)
    ways = count(len(usual), "way")
    prices = {choice.ap for choice in usual}
    start = "" if len(prices) == 1 else "from "
    gain = terms.gain_words(max(choice.price.points for choice in usual))
    return ActionLine("moves", "m", f"move, {ways}", f"move ({len(usual)})", f"{start}{min(prices)} AP", gain)


def loses_something(cave: State, choices: Sequence[AnyChoice]) -> bool:
    """Return whether ending the turn now wastes AP."""
    can_act = any(
        choice.ap and not (isinstance(choice, Choice) and _way_of_move(choice) == "force") for choice in choices
    )
    return cave.ap > 0 and can_act and not _stays_home(cave)


def _stays_home(cave: State) -> bool:
    """Return whether a team in its last turn is home, and has no points to get in it before it must be back."""
    seat = cave.seat
    last = seat is not None and turns_left(cave, seat) == 1 and cave.settings.stranded_score_nothing
    if seat is None or not last or cave.board[cave.teams[seat].at].kind != "base":
        return False
    near = [cave.board[at] for at, ap in reachable_places(cave, seat).items() if ap < cave.ap and at in cave.board]
    return not any(tile.token or (tile.depth and cave.teams[seat].backpack.rope) for tile in near)


class Spot(msgspec.Struct, frozen=True):
    """A place for the drawn tile, and the legal quarter turns there (None for a choke)."""

    at: Coord
    side: str
    turns: tuple[int | None, ...]


def spots_for_tile(cave: State, seat: int, choices: Sequence[AnyChoice]) -> tuple[Spot, ...]:
    """Return the legal places of the drawn tile, each with its legal quarter turns."""
    by_place: dict[Coord, list[int | None]] = {}
    for choice in choices:
        if isinstance(choice, Choice) and isinstance(choice.action, Place):
            by_place.setdefault(choice.action.at, []).append(choice.action.rotation)
    here = cave.teams[seat].at
    return tuple(Spot(at, terms.direction_words(here, at), tuple(turns)) for at, turns in by_place.items())


def trial_spots(cave: State) -> tuple[Spot, ...]:
    """Return the places of another team's drawn tile, for all viewers (rule 4.2)."""
    if cave.phase != "placing" or cave.drawn is None or cave.seat is None:
        return ()
    found = legal_placements(cave.board, cave.teams[cave.seat].at, cave.drawn)
    return spots_for_tile(cave, cave.seat, [FREE.choice(place) for place in found])


class TileAim(msgspec.Struct, frozen=True):
    """The tile over the ``place``-th of its ``spots``, in the ``turn``-th of its legal rotations there."""

    spots: tuple[Spot, ...]
    place: int = 0
    turn: int = 0

    @property
    def spot(self) -> Spot:
        return self.spots[self.place]

    @property
    def place_action(self) -> Place:
        return Place(self.spot.at, self.spot.turns[self.turn])

    def over(self, place: int) -> TileAim:
        """Return the tile over another place; over the same place it keeps its rotation."""
        return self if place == self.place else TileAim(self.spots, place)

    def over_at(self, at: Coord) -> TileAim | None:
        return next((self.over(place) for place, spot in enumerate(self.spots) if spot.at == at), None)

    def as_in(self, place: Place) -> TileAim:
        aim = self.over_at(place.at) or self
        turns = aim.spot.turns
        return TileAim(aim.spots, aim.place, turns.index(place.rotation) if place.rotation in turns else 0)

    def to_side(self, side: str) -> TileAim | None:
        return next((self.over(place) for place, spot in enumerate(self.spots) if spot.side == side), None)

    def rotated(self) -> TileAim:
        return TileAim(self.spots, self.place, (self.turn + 1) % len(self.spot.turns))

    def ghost(self) -> Ghost:
        return Ghost(self.spot.at, self.spot.turns[self.turn])

    def spot_numbers(self) -> Mapping[Coord, str]:
        return {spot.at: str(place + 1) for place, spot in enumerate(self.spots) if place != self.place}


def first_aim(spots: Sequence[Spot], wish: Coord | None) -> TileAim | None:
    """Return the tile over the wished place, else over the first one; None without places."""
    if not spots:
        return None
    aim = TileAim(tuple(spots))
    return (aim.over_at(wish) if wish is not None else None) or aim


def placing_lines(aim: TileAim) -> tuple[ActionLine, ...]:
    side = terms.SIDE_WORDS[aim.spot.side]
    found = [ActionLine("enter", "enter", f"place it here, {side}", "place it here")]
    if len(aim.spot.turns) > 1:
        found.append(ActionLine("rotate", "r", "rotate it", "rotate it"))
    if len(aim.spots) > 1:
        found.append(ActionLine("next", "tab", "next place", "next place"))
    return tuple(found)
