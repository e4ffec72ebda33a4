"""Positions for tests of rules. Unspecified parts get harmless defaults."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from cave.game import Json, Refused, Step
from cave.sir_ocelots_cave.components import GEMS, KEPT, KINDS, LEVEL, components
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME
from cave.sir_ocelots_cave.state import State

EXAMPLE: Json = json.loads(Path(__file__).with_name("example.json").read_bytes())
"""The example of the format."""

CODES = (
    *("game_over", "not_your_turn", "bad_action", "wrong_phase", "companion_placed", "companion_not_placed"),
    *("deepest_level", "none_left", "no_space", "no_square", "wrong_level", "occupied", "gem_there"),
    *("no_gem", "not_seen"),
)
"""In the order of the checks (rule 8)."""

KIND = {"compass": "A", "lamp": "B", "pickaxe": "C"}
"""A kind that has each tool."""


def example() -> Json:
    return copy.deepcopy(EXAMPLE)


def position(
    *,
    tools: dict[tuple[int, int], str] | None = None,
    gems: dict[tuple[int, int], str] | None = None,
    companions: tuple[Any, Any] = (None, None),
    seat: int = 0,
    phase: str = "advancing",
    bags: dict[str, list[Any]] | None = None,
    **settings: Any,
) -> Json:
    """Return a position with these tools on the rim and these gems on squares; Bea has all other gems but
    geodes, Ana the other geodes, and both have as many tools as their turn needs.
    """
    laid = [{"at": list(at), "kind": KIND[tool], "side": tool} for at, tool in (tools or {}).items()]
    lying: dict[str, list[list[int]]] = {}
    for at, gem in (gems or {}).items():
        lying.setdefault(gem, []).append(list(at))
    box = components()
    collected = [dict.fromkeys(KEPT, 0), {gem: box.count_of_gem(gem) - len(lying.get(gem, ())) for gem in KEPT}]
    sets = min(collected[1][gem] for gem in GEMS[1:4])
    amethysts: list[list[Json]] = [[], []]
    left: dict[str, list[Any]] = {}
    for level in box.levels:
        values = list(level.amethysts)
        lie = sum(LEVEL[at] == level.level and gem == "geode" for at, gem in (gems or {}).items())
        geodes = level.gems["geode"] - lie
        drawn = geodes + (sets if level.bag == "blue" else 0)
        if bags and level.bag in bags:
            for value in bags[level.bag]:
                values.remove(value)
            left[level.bag] = list(bags[level.bag])
            assert len(values) == drawn, f"{drawn} are drawn from {level.bag}"
        else:
            values, left[level.bag] = values[:drawn], values[drawn:]
        amethysts[0] += [{"bag": level.bag, "value": value} for value in values[:geodes]]
        amethysts[1] += [{"bag": level.bag, "value": value} for value in values[geodes:]]
    return {
        "format": "cave-position",
        "version": 1,
        "game": "sir-ocelots-cave",
        "settings": settings,
        "players": [
            {
                "name": name,
                "tools": spare,
                "companion": None if companion is None else list(companion),
                "collected": gone,
                "amethysts": own,
            }
            for name, spare, companion, gone, own in zip(
                ("Ana", "Bea"), shared_out(laid, companions, seat, phase), companions, collected, amethysts, strict=True
            )
        ],
        "turn": {"seat": seat, "phase": phase},
        "first_seat": 0,
        "gems": lying,
        "tools": laid,
        "bags": left,
    }


def shared_out(laid: list[Json], companions: tuple[Any, Any], seat: int, phase: str) -> list[dict[str, int]]:
    """The remaining tools of both: all that are not on the rim, divided so that it is the seat's turn."""
    left = {kind: 10 - sum(tool["kind"] == kind for tool in laid) for kind in KINDS}
    unplaced = [companion is None for companion in companions]
    total = sum(left.values())
    # Before step 2 the first player has as many pieces as the other, and the second one more.
    lead = {(0, False): 0, (1, False): -1, (0, True): -1, (1, True): 0}[seat, phase == "collecting"]
    first = (total + lead + unplaced[1] - unplaced[0]) // 2
    assert 2 * first == total + lead + unplaced[1] - unplaced[0], "an odd number of pieces has been placed"
    share = {kind: max(0, number - 5) for kind, number in left.items()}
    for kind in KINDS:
        share[kind] += min(min(5, left[kind]) - share[kind], first - sum(share.values()))
    return [share, {kind: left[kind] - share[kind] for kind in KINDS}]


def state(**parts: Any) -> State:
    return GAME.from_position(position(**parts))


def do(before: State, action: Json, seat: int | None = None) -> Step[State, Any]:
    seat = before.seat if seat is None else seat
    return GAME.apply(before, seat, GAME.decode(before, seat, action))


def tool(side: str, at: tuple[int, int], kind: str = "") -> Json:
    return {"type": "tool", "kind": kind or KIND[side], "side": side, "at": list(at)}


def collect(*gems: tuple[int, int]) -> Json:
    return {"type": "collect", "gems": [list(at) for at in gems]}


def limits(now: State) -> list[tuple[int, int]]:
    """What can be collected, as the choices say."""
    (form,) = GAME.choices(now, now.seat)
    return [tuple(at) for at in GAME.choice_json(form)["limits"]["gems"]]  # type: ignore[misc]


def code(before: State, action: Json, seat: int | None = None) -> str:
    """Return the code of an action's refusal; empty if it is legal."""
    try:
        do(before, action, seat)
    except Refused as refused:
        return refused.code
    return ""


def types(step: Step[State, Any]) -> list[str]:
    return [event.type for event in step.events]
