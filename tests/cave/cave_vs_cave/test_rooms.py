"""The 24 rooms of Era I and the 21 of Era II: as in rule 1.4, with their effects."""

from __future__ import annotations

import inspect
import json
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


def goods_of(text: str) -> dict[str, int]:
    return {good: int(many) for many, good in map(str.split, text.split(", "))} if text != "nothing" else {}


LINES = Path(__file__).with_name("rooms.txt").read_text().splitlines()[1:]
USES: list[tuple[str, dict[str, Any], dict[str, int], dict[str, int]]] = [
    (room, json.loads(extras), goods_of(before), goods_of(after))
    for room, extras, before, after in (line.split(" | ") for line in LINES)
]


def in_use(room: str, before: dict[str, int], *more: str, tile: str = "cultivation", era: int = 0) -> Any:
    """Seat 0 has the room, a covered space beside the entrance and a tile with [1]."""
    rooms = dict(zip([(0, 0), (0, 1), (1, 0), (1, 1)], [room, *more], strict=False))
    rooms = {at: each for at, each in rooms.items() if each != ENTRANCE}
    era = era or max(ROOMS[each].era for each in (room, *more))
    covered = {(3, 1): "bakehouse" if room != "bakehouse" else "treasury"}
    return state(player(before, rooms, covered), player(), tile=tile, era=era)


@pytest.mark.parametrize(("room", "extras", "before", "after"), USES, ids=LINES)
def test_a_room_has_its_printed_effect(
    room: str, extras: dict[str, Any], before: dict[str, int], after: dict[str, int]
) -> None:
    assert goods(do(in_use(room, before), use(room, **extras))) == after


@pytest.mark.parametrize("room", [room for room in ROOMS if ROOMS[room].effects])
def test_every_way_to_use_a_room_is_tried(room: str) -> None:
    """Every alternative after "or", and every good that can be chosen."""
    ways = {(effect.option, effect.good) for effect in ROOMS[room].effects}
    tried = {(extras.get("option"), extras.get("good")) for each, extras, *_ in USES if each == room}
    assert tried == ways


def test_every_room_is_tried_and_nothing_else_can_be_used() -> None:
    orange = {room for room, each in ROOMS.items() if each.colour == "orange"}
    assert {room for room, *_ in USES} == orange - {"armory"}
    for room in {*ROOMS} - {room for room, *_ in USES}:
        # Enough orange rooms for a blue one.
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
def test_room_actions_that_a_blue_room_pays(room: str, sizes: tuple[str, ...], good: str, tile: str) -> None:
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
    text = "\n".join(help_pages.rule_lines(GAME, "1.4"))
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
