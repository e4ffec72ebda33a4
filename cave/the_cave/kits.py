"""Kits that a bot may pack at the base: no camp, and nothing that finds no use."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from cave.the_cave.packing import bank
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, Items, State, Team

FOOD = (2, 3, 5)
USUAL_FOOD = 4
OXYGEN = range(3)
FRESH = (
    Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1),  # the one of rule 2.3
    Items(consumable=6, rope=1, raft=1),
    Items(consumable=4, rope=3, raft=1),
    Items(consumable=3, rope=2, oxygen=1, camera=1, raft=1),
)


def room(team: Team) -> int:
    """Return the slots that there are for a kit: a packed camp fills some."""
    return BACKPACK_SLOTS - (CAMP_FILLS if team.camp.state == "packed" else 0)


def fresh_kits(team: Team) -> list[Items]:
    """Return a few kits for a team about which nothing else is known, as far as its things are there."""
    most, slots = bank(team, with_camp=False), room(team)
    found = []
    for kit in FRESH:
        left = replace(kit, consumable=0, camera=min(kit.camera, most.camera), raft=min(kit.raft, most.raft))
        while left.slots > slots - 2:
            left = replace(left, rope=left.rope - 1, oxygen=0)
        found.append(replace(left, consumable=slots - left.slots))
    return found


def kits(state: State, team: Team) -> list[Items]:
    """Return every kit worth a thought with the usual food, ropes filling up what room is left."""
    most, slots = bank(team, with_camp=False), room(team)
    exploring = state.turns_left is None
    tokens = {tile.kind for tile in state.board.values() if tile.token}
    water = any(tile.kind == "water" for tile in state.board.values())
    cameras = range(1 + min(most.camera, int(exploring or "wonder" in tokens)))
    rafts = range(1 + min(most.raft, int(exploring or water)))
    oxygens = OXYGEN if exploring or water else range(1)
    found = []
    for oxygen, camera, raft in product(oxygens, cameras, rafts):
        kit = _filled_up(Items(consumable=USUAL_FOOD, oxygen=oxygen, camera=camera, raft=raft), slots)
        if kit is not None:
            found.append(kit)
    return found


def other_food(team: Team, kit: Items) -> list[Items]:
    """Return the kit with more and less to eat."""
    found = (_filled_up(replace(kit, consumable=food, rope=0), room(team)) for food in FOOD)
    return [each for each in found if each is not None]


def _filled_up(kit: Items, slots: int) -> Items | None:
    ropes = slots - kit.slots
    return replace(kit, rope=ropes) if ropes >= 0 else None
