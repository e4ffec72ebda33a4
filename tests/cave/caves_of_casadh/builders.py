"""Positions for tests of rules. Unspecified parts get harmless defaults."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json, Refused, Step

EXAMPLE: Json = json.loads(Path(__file__).with_name("example.json").read_bytes())
"""The example of the format."""

CODES = (
    *("game_over", "not_your_turn", "bad_action", "wrong_phase", "no_passage", "not_explored", "blocked"),
    *("grue_there", "already_explored", "no_hexes", "star_not_aligned", "not_offered", "no_slope"),
    *("needs_rope", "not_at_marker", "no_treasure", "not_here", "already_held", "not_at_base"),
    *("not_allowed_here", "not_held", "no_dynamite", "no_route", "illegal_hex", "no_lantern", "no_grue"),
    "not_enough_mp",
)
"""Every code of a refusal (rule 11)."""
NAMES = ("Ana", "Bo", "Cy", "Di", "Eva", "Flo")
EMPTY = "C01"
"""A card that costs 1 MP and has nothing else on Level 1."""


def example() -> Json:
    return copy.deepcopy(EXAMPLE)


def inside(at: Any = (0, 0), passage: int = 0, hp: int = 4, **more: Any) -> Json:
    return {"state": "in", "at": list(at), "passage": passage, "hp": hp, **more}


def out(hp: int = 4, **more: Any) -> Json:
    return {"state": "out", "hp": hp, **more}


DEAD: Json = {"state": "dead"}


def laid(at: Any, name: str, rotation: int = 0, **more: Any) -> Json:
    return {"at": list(at), "hex": name, "rotation": rotation, **more}


def position(
    *players: Json,
    hexes: Any = (),
    seat: int | None = 0,
    mp: int = 4,
    phase: str = "actions",
    turn: Json = None,
    pile: Any = (),
    settings: Json = None,
    **more: Any,
) -> Json:
    """A position of these players, Bo at Base Camp if there is only one, with Base Camp and these hexes."""
    everybody = [*players] if len(players) > 1 else [*players, inside()]
    return {
        "format": "cave-position",
        "version": 1,
        "game": "caves-of-casadh",
        "settings": settings or {},
        "players": [{"name": name, **copy.deepcopy(each)} for name, each in zip(NAMES, everybody, strict=False)],
        "turn": {"seat": seat, "mp": mp, "phase": phase, **(turn or {})},
        "first_seat": 0,
        "map": [{"at": [0, 0], "hex": "BASE"}, *copy.deepcopy(list(hexes))],
        "hexes": list(pile),
        **more,
    }


def state(*players: Json, **parts: Any) -> State:
    return GAME.from_position(position(*players, **parts))


def do(before: State, action: Json, seat: int | None = None) -> Step[State, Any]:
    seat = before.seat if seat is None else seat
    return GAME.apply(before, seat, GAME.decode(before, seat, action))


def play(before: State, *actions: Json) -> State:
    """The state after these actions of the active seat."""
    for action in actions:
        before = do(before, action).state
    return before


def code(before: State, action: Json, seat: int | None = None) -> str:
    """Return the code of an action's refusal; empty if it is legal."""
    try:
        do(before, action, seat)
    except Refused as refused:
        return refused.code
    return ""


def types(step: Step[State, Any]) -> list[str]:
    return [event.type for event in step.events]


def event(step: Step[State, Any], kind: str) -> Any:
    (found,) = [each for each in step.events if each.type == kind]
    return found


def offered(now: State, kind: str = "") -> list[Json]:
    """The choices of the active seat, or those of one type."""
    found = [GAME.choice_json(choice) for choice in GAME.choices(now, now.seat)]
    return [choice for choice in found if kind in ("", choice["action"]["type"])]


def kinds(now: State) -> set[str]:
    return {choice["action"]["type"] for choice in offered(now)}


def move(*to: int) -> Json:
    return {"type": "move", "to": list(to)}


def explore(*to: int) -> Json:
    return {"type": "explore", "to": list(to)}


def place(rotation: int = 0) -> Json:
    return {"type": "place", "rotation": rotation}


def keep(value: int) -> Json:
    return {"type": "keep", "treasure": value}


def slide(passage: int) -> Json:
    return {"type": "slide", "passage": passage}


def take(*items: str) -> Json:
    return {"type": "collect_items", "items": list(items)}


def flee(*to: int) -> Json:
    return {"type": "flee", "to": list(to)}


def drive(*to: int) -> Json:
    return {"type": "drive", "to": list(to)}


def defuse(owner: int) -> Json:
    return {"type": "defuse", "owner": owner}


def lantern_of(seat: int) -> Json:
    return {"type": "take_lantern", "from": seat}


def grue(start: Any, to: Any) -> Json:
    return {"type": "place_grue", "from": list(start), "to": list(to)}


END: Json = {"type": "end_turn"}
TREASURE: Json = {"type": "collect_treasure"}
LEAVE: Json = {"type": "leave"}
MEDKIT: Json = {"type": "use_medkit"}
DEPLOY: Json = {"type": "deploy"}
GIVE_UP: Json = {"type": "give_up"}
HAUNT: Json = {"type": "move_grue"}
