"""Small positions of The Cave for tests: a test states only its subject.

The default is two teams, Ana (seat 0, to act with 5 AP) and Bea, a base that is open to all
sides, one start space south of it with an unexplored exit far from the action, and one tile in the
stacks, so that the end of the game is not triggered by accident.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cave.game import Json, Refused, Step
from cave.games import get_game
from cave.the_cave.state import State

GAME = get_game("the-cave")

SPARE = {"kind": "plain", "open": "NESW"}
SETTLED = [
    {"at": [0, 0], "kind": "base", "open": "NESW", "depth": 0, "start": True},
    {"at": [0, 1], "kind": "plain", "open": "NS", "depth": 0, "start": True},
]


def tile(x: int, y: int, kind: str = "plain", sides: str = "NESW", depth: int = 0, **more: Any) -> Json:
    """A tile of the board; ``more``: level, token, start."""
    form = {"at": [x, y], "kind": kind, "depth": depth, **more}
    return form if kind == "choke" else {**form, "open": sides}


def team(at: tuple[int, int] = (0, 0), name: str = "Ana", camp: Json = None, **items: Any) -> Json:
    """A team; keywords are items of the backpack, or ``tokens`` and ``lost``."""
    form: dict[str, Any] = {"name": name, "at": list(at)}
    for field in ("tokens", "lost"):
        if field in items:
            form[field] = items.pop(field)
    form["backpack"] = items
    if camp is not None:
        form["camp"] = camp
    return form


def position(
    *tiles: Json,
    ana: Json = None,
    others: list[Json] | None = None,
    seat: int | None = 0,
    ap: int = 5,
    phase: str = "actions",
    **more: Any,
) -> Json:
    """The JSON of a small position; ``more`` are further fields, ``drawn`` and ``packed`` go to the turn."""
    turn: dict[str, Any] = {"seat": seat, "ap": ap, "phase": phase}
    for field in ("drawn", "packed"):
        if field in more:
            turn[field] = more.pop(field)
    given = [list(one["at"]) for one in tiles]
    form = {
        "format": "cave-position",
        "version": 1,
        "game": "the-cave",
        "teams": [ana or team(), *(others if others is not None else [team(name="Bea", consumable=4)])],
        "turn": turn,
        "board": [*(one for one in SETTLED if one["at"] not in given), *tiles],
        "stacks": [[SPARE], [], [], []],
        **more,
    }
    return copy.deepcopy(form)


def state(*tiles: Json, **more: Any) -> State:
    """The state of a small position, see ``position``."""
    made: State = GAME.from_position(position(*tiles, **more))
    return made


def step(before: State, action: Json, seat: int | None = None) -> Step[Any, Any]:
    """Return the result of the action, decoded from its JSON like external input."""
    by = before.seat if seat is None else seat
    return GAME.apply(before, by, GAME.decode(before, by, action))


def do(before: State, *actions: Json) -> State:
    """Return the state after these actions of the active seat."""
    for action in actions:
        before = step(before, action).state
    return before


def refusal(before: State, action: Json, seat: int | None = None) -> str:
    """Return the code of the refusal; fails if the action is accepted or changes the state."""
    whole = GAME.position(before)
    with pytest.raises(Refused) as caught:
        step(before, action, seat)
    assert GAME.position(before) == whole, "a refused action changed the state"
    assert caught.value.message.endswith("."), "a refusal is one sentence"
    return caught.value.code


def costs(before: State, seat: int = 0) -> dict[str, int]:
    """Return every choice as ``words: AP``, such as ``move 0,-1 foot: 1``."""
    return {words(form["action"]): form["ap"] for form in choices(before, seat)}


def choices(before: State, seat: int = 0) -> list[Json]:
    """Every choice of the seat as JSON."""
    return [GAME.choice_json(choice) for choice in GAME.choices(before, seat)]


def words(action: Json) -> str:
    """Return an action in a few words, for breakdowns and failures."""
    said = [action["type"]]
    for name in ("to", "at"):
        if name in action:
            said.append(",".join(map(str, action[name])))
    for name in ("by", "rotation"):
        if name in action:
            said.append(str(action[name]))
    return " ".join(said)


def move(x: int, y: int, by: str = "foot") -> Json:
    return {"type": "move", "to": [x, y], "by": by}


def place(x: int, y: int, rotation: int | None = None) -> Json:
    form = {"type": "place", "at": [x, y]}
    return form if rotation is None else {**form, "rotation": rotation}


DISCOVER = {"type": "discover"}
DIVE = {"type": "dive"}
PHOTOGRAPH = {"type": "photograph"}
PITCH = {"type": "pitch"}
STRIKE = {"type": "strike"}
ABANDON = {"type": "abandon"}
END_TURN = {"type": "end_turn"}


def pack(camp: Json = None, **backpack: int) -> Json:
    return {"type": "pack", "backpack": backpack, "camp": camp}


def exchange(to_camp: Json = None, to_backpack: Json = None) -> Json:
    return {"type": "exchange", "to_camp": to_camp or {}, "to_backpack": to_backpack or {}}


def discard(**items: int) -> Json:
    return {"type": "discard", "items": items}
