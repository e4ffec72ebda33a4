"""Positions for tests of rules. Unspecified parts get harmless defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.rules import tiles_by_stage
from cave.cave_vs_cave.state import State
from cave.game import Json, Refused, Step

EXAMPLE: Json = json.loads(Path(__file__).with_name("example.json").read_bytes())
"""The example of the format."""

Cave = Mapping[Any, str]
NAMES = ("Ana", "Bea")
ROOMS = components().rooms
SPACES_1 = [at for at, space in components().spaces.items() if space.era == 1 and at != (3, 0)]
CODES = (
    *("game_over", "not_your_turn", "wrong_phase", "bad_action", "not_on_tile", "not_your_room"),
    *("no_room_action", "no_such_option", "done_already", "room_used", "not_face_up", "taken", "not_ahead"),
    *("not_in_display", "no_space", "no_edge", "wall_there", "no_wall", "not_covered", "no_path"),
    *("walls_differ", "too_many_blue", "too_many_walls", "no_walls", "not_enough"),
)
"""In the order of the checks (rule 11)."""


def player(
    goods: Mapping[str, int] | None = None,
    rooms: Cave | None = None,
    covered: Cave | None = None,
    walls: Sequence[Any] = (),
    **more: Any,
) -> Json:
    """A player of a position, without its name."""
    return {
        "goods": dict(goods or {}),
        "rooms": [{"at": spaced(at), "room": room} for at, room in (rooms or {}).items()],
        "covered": [{"at": list(at), "room": room} for at, room in (covered or {}).items()],
        "walls": [[list(at) for at in edge] for edge in walls],
        **more,
    }


def spaced(at: Any) -> Json:
    return at if isinstance(at, str) else list(at)


def tiles(era: int, number: int, first: Sequence[str], *, alone: bool) -> Json:
    """The tiles in a round; those in ``first`` come first in their stage."""

    def order(stage: Sequence[str]) -> list[str]:
        return sorted(stage, key=lambda tile: first.index(tile) if tile in first else len(first))

    old = [stage if not at else order(stage) for at, stage in enumerate(tiles_by_stage(1, alone))]
    if era == 1:
        every = [tile for stage in old for tile in stage]
        return {"up": every[: 4 + number], "down": every[4 + number :]}
    kept = [tile for stage in old for tile in stage if tile != "renovation"]
    new = order(tiles_by_stage(2, alone)[0])
    return {"up": [*kept, *new[:number]], "down": new[number:]}


def position(
    *players: Json,
    tile: str = "",
    era: int = 1,
    number: int | None = None,
    display: Sequence[str] = (),
    first: Sequence[str] = (),
    before: Sequence[str] = (),
    turn: Json = None,
    settings: Json = None,
    **more: Any,
) -> Json:
    """Return a position with these players; seat 0 has the tile in hand, or is to take one."""
    players = players or (player(), player())
    alone = len(players) == 1
    stage = 0 if not tile else components().tiles[tile].stage
    if number is None:
        number = {0: 1, 2: 1, 3: 4, 4: 7 if alone else 8}[stage] if era == 1 else 1
    edition = "era-1" if era == 1 else "era-1-2" if alone else "era-2"
    if alone and era > 1:
        players = ({"era_1": 0, **players[0]},)
    form = {
        "format": "cave-position",
        "version": 1,
        "game": "cave-vs-cave",
        "settings": {"edition": edition, **(settings or {})},
        "era": era,
        "round": number,
        "first": 0,
        "turn": {"seat": 0, "phase": "actions" if tile else "take", **(turn or {})},
        "taken": [*before, *([tile] if tile else [])],
        "players": [{"name": name, **each} for name, each in zip(NAMES, players, strict=False)],
        "display": list(display),
        "tiles": tiles(era, number, [*first, tile], alone=alone),
    }
    return form | more


def state(*players: Json, **more: Any) -> State:
    return GAME.from_position(position(*players, **more))


def drafting(
    *players: Json, display: Sequence[str] = (), pile: Sequence[str] = (), turn: Json = None, **more: Any
) -> State:
    """Return a state of the draft; seat 0 began and is in turn."""
    box = components()
    form = {
        "format": "cave-position",
        "version": 1,
        "game": "cave-vs-cave",
        "settings": {"edition": "era-2"},
        "era": 1,
        "round": 0,
        "first": 0,
        "turn": {"seat": 0, "phase": "draft", **(turn or {})},
        "players": [{"name": name, **each} for name, each in zip(NAMES, players, strict=True)],
        "display": list(display),
        "piles": [list(pile), []],
        "later": {
            "tiles": ["decoration", "arms_trade", "interior_design", "weekly_market"],
            "light": list(box.rooms_of_era(2, "light")),
            "rooms": list(box.rooms_of_era(2, "dark")),
        },
    }
    return GAME.from_position(form | more)


def written(state: State) -> Json:
    """Return the position of a state as it is read from a file."""
    return json.loads(json.dumps(GAME.position(state)))


def do(before: State, *actions: Json) -> State:
    """The state after these actions of the seats in turn."""
    for action in actions:
        before = step(before, action).state
    return before


def step(before: State, action: Json, seat: int | None = None) -> Step[State, Any]:
    seat = before.seat if seat is None else seat
    return GAME.apply(before, seat, GAME.decode(before, seat, action))


def code(before: State, action: Json, seat: int | None = None) -> str:
    """Return the code of an action's refusal; empty if it is legal."""
    try:
        step(before, action, seat)
    except Refused as refused:
        return refused.code
    return ""


def goods(now: State, seat: int = 0) -> dict[str, int]:
    return {good: many for good, many in zip(GOODS, now.players[seat].goods, strict=True) if many}


def types(done: Step[State, Any]) -> list[str]:
    return [event.type for event in done.events]


def offered(now: State, kind: str = "") -> list[Json]:
    """Return the legal actions, of one type or all."""
    found = [GAME.choice_json(choice)["action"] for choice in GAME.choices(now, now.seat)]
    return [action for action in found if action["type"] == (kind or action["type"])]


def take(tile: str) -> Json:
    return {"type": "take", "tile": tile}


def furnish(room: str, at: Any, **pay: int) -> Json:
    return {"type": "furnish", "room": room, "at": spaced(at), "pay": pay}


def dig(at: Any, spaces: int = 1) -> Json:
    return {"type": "excavate", "at": list(at)} | ({"spaces": spaces} if spaces > 1 else {})


def use(room: str = ENTRANCE, **extras: Any) -> Json:
    return {"type": "use_room", "room": room, **extras}


def wall(one: Any, other: Any, kind: str = "build_wall") -> Json:
    return {"type": kind, "between": [list(one), list(other)]}


END: Json = {"type": "end_turn"}
COLLECT: Json = {"type": "collect"}
