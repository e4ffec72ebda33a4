"""The known caves as one spelunker can walk them: the ways from where it stands, and the ways home."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush

from msgspec import Struct

from cave.caves_of_casadh import routes
from cave.caves_of_casadh.components import components, layout
from cave.caves_of_casadh.geometry import HOME, STEPS, Cell, facing
from cave.caves_of_casadh.routes import Spot
from cave.caves_of_casadh.state import State

HURT = 4
"""MP that a way may be longer for each point of damage that it avoids."""


class Leg(Struct, frozen=True):
    """The way to a passage: its MP, the damage on it, and the passage before (None where it begins)."""

    mp: int
    damage: int
    before: Spot | None


class Atlas:
    """Ways of a spelunker through known hexes, worked out once for a decision.

    ``reach`` has each passage that it can get to, ``home`` each from which Base Camp can be reached, with MP
    and damage from there.
    """

    def __init__(self, state: State, seat: int) -> None:
        player = state.players[seat]
        assert player.at is not None, "not in the caves"
        self.here: Spot = (player.at, player.passage)
        self._next: dict[Spot, list[tuple[Spot, int, int]]] = {}
        steps = _steps(state, seat)
        back: dict[Spot, list[tuple[Spot, int, int]]] = {}
        for spot, found in steps.items():
            for there, mp, damage in found:
                back.setdefault(there, []).append((spot, mp, damage))
        self.reach = _ways(steps, self.here)
        self.home = _ways(back, (HOME, 0))

    def path(self, spot: Spot) -> tuple[Spot, ...]:
        """Return the passages on the way to one that can be reached, the one to go to next first."""
        found: list[Spot] = []
        at: Spot | None = spot
        while at is not None and at != self.here:
            found.append(at)
            at = self.reach[at].before
        return tuple(reversed(found))


def _steps(state: State, seat: int) -> dict[Spot, list[tuple[Spot, int, int]]]:
    """Return for each passage where one gets from it in one step, with MP and damage."""
    items = state.players[seat].items
    rope, lantern = "rope" in items, "lantern" in items
    blocked = state.settings.collapsed == "blocked"
    hazards = components().hazards
    enter: dict[Cell, tuple[int, tuple[int, ...]]] = {}
    for at, laid in state.map.items():
        if (laid.grues and not lantern) or (blocked and routes.is_barred(state, at)):
            continue
        lie = layout(laid.hex, laid.rotation)
        damage = 0
        if laid.token and lie.hex.hazard != "none":
            kind = hazards[lie.hex.hazard]
            damage = 0 if kind.immune_item in items else kind.damage
        enter[at] = (damage, lie.owner)
    steps: dict[Spot, list[tuple[Spot, int, int]]] = {}
    for at, laid in state.map.items():
        q, r = at
        for passage, sides, slid in _doors(laid.hex, laid.rotation, rope):
            found = [((at, each), 0, 0) for each in slid]
            for side in sides:
                dq, dr = STEPS[side]
                to = (q + dq, r + dr)
                there = enter.get(to)
                if there is not None:
                    found.append(((to, there[1][facing(side)]), 1, there[0]))
            steps[at, passage] = found
    return steps


@lru_cache(maxsize=1024)
def _doors(
    hex_id: str, rotation: int, rope: bool
) -> tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]:
    """Return for each passage of a hex the sides that it leads to, and the passages that it slides to."""
    lie = layout(hex_id, rotation)
    return tuple(
        (passage, sides, tuple(routes.slides(lie.hex, passage, rope)))
        for passage, sides in enumerate(lie.sides)
    )


def _ways(steps: Mapping[Spot, list[tuple[Spot, int, int]]], start: Spot) -> dict[Spot, Leg]:
    """Return the best ways from a passage: short ones, and a point of damage is a detour worth."""
    found: dict[Spot, Leg] = {}
    queue: list[tuple[int, int, Spot, int, Spot | None]] = [(0, 0, start, 0, None)]
    while queue:
        price, mp, spot, damage, before = heappop(queue)
        if spot in found:
            continue
        found[spot] = Leg(mp, damage, before)
        for there, more, hurt in steps.get(spot, ()):
            if there not in found:
                heappush(queue, (price + more + HURT * hurt, mp + more, there, damage + hurt, spot))
    return found
