"""The 24 rooms of Era I and the 21 of Era II: as rule 1.4 has them, and what each does."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.goods import GOODS
from client.present import help_pages
from tests.cave.cave_vs_cave.builders import GAME, code, do, goods, player, state, use

ROOMS = components().rooms
ALL = dict.fromkeys(GOODS[:6], 2)

# The room, how it is used, the goods before and after.
USES: list[tuple[str, dict[str, Any], dict[str, int], dict[str, int]]] = [
    ("cave_entrance", {"good": "wood"}, {}, {"wood": 1}),
    ("cave_entrance", {"good": "stone"}, {}, {"stone": 1}),
    ("cave_entrance", {"good": "emmer"}, {}, {"emmer": 1}),
    ("cave_entrance", {"good": "flax"}, {}, {"flax": 1}),
    ("shelf", {"good": "wood"}, {}, {"wood": 2}),
    ("shelf", {"good": "stone"}, {"stone": 1}, {"stone": 2}),
    ("shelf", {"good": "emmer"}, {"emmer": 2}, {"emmer": 2}),
    ("shelf", {"good": "flax"}, {"flax": 5}, {"flax": 5}),
    ("spinning_wheel", {"option": 0}, {"flax": 3}, {"flax": 2, "gold": 1}),
    ("spinning_wheel", {"option": 1}, {"flax": 3}, {"gold": 2}),
    ("tunnel", {}, {"stone": 2}, {"stone": 3, "food": 2}),
    ("tunnel", {}, {"stone": 3}, {"stone": 3, "food": 2}),
    ("grindstone", {"option": 0}, {"emmer": 1}, {"food": 3}),
    ("grindstone", {"option": 1}, {"emmer": 4}, {"food": 7}),
    ("food_corner", {}, {"food": 1}, {"food": 3}),
    ("food_corner", {}, {"food": 4}, {"food": 4}),
    (
        "parlor",
        {},
        {"wood": 3, "gold": 1},
        {"wood": 3, "stone": 1, "emmer": 1, "flax": 1, "food": 1, "gold": 1},
    ),
    ("warehouse", {}, {"food": 2}, {"wood": 1, "stone": 1, "emmer": 1, "flax": 1}),
    ("stall", {"option": 0}, {"emmer": 5}, {"gold": 4}),
    ("stall", {"option": 1}, {"flax": 6}, {"flax": 1, "gold": 4}),
    ("sacrificial_altar", {}, ALL, {**ALL, "wood": 1, "emmer": 1, "flax": 1, "food": 1, "gold": 5}),
    ("storeroom", {}, {}, {"emmer": 1, "flax": 1, "food": 1}),
    ("weaving_room", {}, {"flax": 2}, {"food": 2, "gold": 2}),
    ("furniture_workshop", {}, {"wood": 2, "flax": 1}, {"gold": 3}),
    ("gold_vein", {}, {}, {"stone": 1, "gold": 1}),
    ("junction_room", {"goods": ["wood", "food", "gold"]}, ALL, {**ALL, "wood": 1, "food": 1, "gold": 3}),
    ("junction_room", {"goods": ["gold", "wood", "food"]}, ALL, {**ALL, "wood": 1, "food": 1, "gold": 3}),
    ("digging_cave", {"at": [3, 1]}, {"gold": 1}, {"food": 1}),
    ("bakehouse", {"option": 0}, {"emmer": 2}, {"food": 4, "gold": 1}),
    ("bakehouse", {"option": 1}, {"emmer": 3}, {"food": 4, "gold": 2}),
    ("state_room", {}, {}, {"flax": 1, "gold": 1}),
    ("secret_chamber", {"option": 0}, {}, {"flax": 3}),
    ("secret_chamber", {"option": 1}, {}, {"gold": 1}),
    ("treasury", {}, {"gold": 3}, {"gold": 4, "food": 1}),
    ("cattle_market", {"option": 0}, {}, {"donkey": 1}),
    ("cattle_market", {"option": 1}, {"gold": 2}, {"gold": 1, "donkey": 2}),
    ("cattle_market", {"option": 2}, {"gold": 2}, {"donkey": 3}),
    ("ore_vein", {}, {}, {"food": 2, "ore": 3}),
    ("bloomery", {}, {"ore": 2}, {"gold": 1, "iron": 3}),
    ("store", {}, {"gold": 1}, {"flax": 1, "food": 4, "ore": 1}),
    ("cave_silo", {}, {}, {"emmer": 4}),
    ("box", {}, {}, {"wood": 1, "flax": 1, "donkey": 1}),
    ("mining_cave", {}, {"ore": 1}, {"ore": 6}),
    ("hitching_post", {"option": 0}, {"donkey": 5}, {"gold": 2, "donkey": 2}),
    ("hitching_post", {"option": 1}, {"donkey": 5}, {"gold": 3, "donkey": 1}),
    ("hitching_post", {"option": 2}, {"donkey": 5}, {"gold": 4}),
    ("wainwright", {}, {"wood": 3, "iron": 1}, {"gold": 5}),
    ("ceremonial_hall", {}, {}, {"gold": 2}),
    ("ironsmith", {}, {"iron": 2}, {"gold": 3, "weapon": 1}),
    ("swordsmith", {"option": 0}, {"ore": 7}, {"ore": 6, "weapon": 1}),
    ("swordsmith", {"option": 1}, {"ore": 7}, {"ore": 3, "weapon": 2}),
    ("swordsmith", {"option": 2}, {"ore": 7}, {"weapon": 3}),
    ("slaughtering_cave", {}, {"donkey": 1}, {"food": 5, "gold": 1}),
    ("weaponsmith", {}, {"wood": 1, "iron": 1}, {"weapon": 2}),
    ("weapon_chamber", {}, {}, {"weapon": 1}),
    ("oubliette", {"option": 0}, {"food": 6}, {"food": 5, "weapon": 1}),
    ("oubliette", {"option": 1}, {"food": 6}, {"food": 3, "weapon": 2}),
    ("oubliette", {"option": 2}, {"food": 6}, {"weapon": 3}),
    ("gold_donkey", {}, {"donkey": 1}, {"donkey": 1}),
    ("gold_donkey", {}, {"donkey": 7}, {"gold": 3, "donkey": 7}),
    ("gold_donkey", {}, {"donkey": 8}, {"gold": 4, "donkey": 8}),
]


def use_id(use: Any) -> str:
    """The name of a test of ``USES``: the room, how it is used, and with what."""
    room, extras, before, _ = use
    how = [str(each) for value in extras.values() for each in (value if isinstance(value, list) else [value])]
    have = [f"{many} {good}" for good, many in before.items()] if before is not ALL else ["2 each"]
    return f"{' '.join([room, *how])}: {', '.join(have) or 'nothing'}"


def in_use(room: str, before: dict[str, int], *more: str, tile: str = "cultivation", era: int = 0) -> Any:
    """Seat 0 has the room, a covered space beside the entrance and a tile with [1]."""
    rooms = dict(zip([(0, 0), (0, 1), (1, 0), (1, 1)], [room, *more], strict=False))
    rooms = {at: each for at, each in rooms.items() if each != ENTRANCE}
    era = era or max(ROOMS[each].era for each in (room, *more))
    covered = {(3, 1): "bakehouse" if room != "bakehouse" else "treasury"}
    return state(player(before, rooms, covered), player(), tile=tile, era=era)


@pytest.mark.parametrize(("room", "extras", "before", "after"), USES, ids=map(use_id, USES))
def test_a_room_does_what_it_says(
    room: str, extras: dict[str, Any], before: dict[str, int], after: dict[str, int]
) -> None:
    now = do(in_use(room, before), use(room, **extras))
    assert goods(now) == after


@pytest.mark.parametrize("room", [room for room in ROOMS if ROOMS[room].effects])
def test_every_way_to_use_a_room_is_tried(room: str) -> None:
    """Each of what stands with "or", and each good that can be chosen."""
    ways = {(effect.option, effect.good) for effect in ROOMS[room].effects}
    tried = {(extras.get("option"), extras.get("good")) for each, extras, *_ in USES if each == room}
    assert tried == ways


def test_every_room_is_tried_and_nothing_else_can_be_used() -> None:
    orange = {room for room, each in ROOMS.items() if each.colour == "orange"}
    assert {room for room, *_ in USES} == orange - {"armory"}
    for room in {*ROOMS} - {room for room, *_ in USES}:
        # Orange rooms enough for a blue one.
        assert code(in_use(room, {}, "shelf"), use(room)) == "no_room_action", room


SIZES = {"cultivation": "1", "undermining": "2", "expedition": "3", "weekly_market": "1+1"}


@pytest.mark.parametrize("tile", SIZES)
@pytest.mark.parametrize(
    ("room", "sizes", "good"),
    [
        ("wood_storeroom", ("1", "1+1"), "wood"),
        ("breeding_cave", ("1", "1+1"), "donkey"),
        ("iron_trader", ("2", "1+1"), "iron"),
    ],
)
def test_which_room_actions_a_blue_room_pays_for(
    room: str, sizes: tuple[str, ...], good: str, tile: str
) -> None:
    """Once, however many rooms are used (rule 5.4)."""
    now = do(in_use(room, {}, "shelf", "ore_vein", tile=tile), use(good="stone"))
    wanted = {"stone": 1} | ({good: 1} if SIZES[tile] in sizes else {})
    assert goods(now) == wanted
    if now.used:
        assert goods(do(now, use("ore_vein"))) == wanted | {"food": 2, "ore": 3}


def test_the_junction_room_takes_goods_of_era_2() -> None:
    extras = {"goods": ["donkey", "ore", "weapon"]}
    now = in_use("junction_room", {"donkey": 1, "ore": 1, "weapon": 1}, era=2)
    assert goods(do(now, use("junction_room", **extras))) == {"gold": 2}
    assert code(in_use("junction_room", ALL), use("junction_room", **extras)) == "not_enough"


def test_the_tables_of_the_rules_are_the_data() -> None:
    """Rule 1.4 has colour, cost, walls and points of each room as in the data."""
    text = "\n".join(help_pages.part_of_the_rules(GAME, "1.4"))
    for room in ROOMS.values():
        assert room.name in text, room.name
    source = Path(inspect.getfile(type(GAME))).with_name("RULES.md").read_text("utf-8")
    row = r"^ +\| (.+?) \| (orange|blue) \| (.*?) ?\| (.*?) ?\| (\d+) \|"
    rows = re.findall(row, source, re.MULTILINE)
    assert len(rows) == len(ROOMS)
    for name, colour, cost, walls, vp in rows:
        room = next(each for each in ROOMS.values() if name.startswith(each.name))
        assert (room.colour, room.vp) == (colour, int(vp)), name
        assert room.walls == walls.strip("`"), name
        told = dict(part.split()[::-1] for part in cost.split(", ")) if " " in cost else {}
        named = {good.removesuffix("s"): int(many) for good, many in told.items()}
        assert named == {GOODS[good]: many for good, many in room.cost}, name
