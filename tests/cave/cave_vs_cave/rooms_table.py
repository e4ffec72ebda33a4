"""The table of rooms with the tests that pin what each does: ``ROOMS.md``, which a test keeps true.

Run: ``python -m tests.cave.cave_vs_cave.rooms_table`` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cave.cave_vs_cave.components import ENTRANCE, components
from tests.cave.cave_vs_cave.test_rooms import USES, use_id

HERE = Path(__file__).parent
TABLE = HERE / "ROOMS.md"
RULES = Path(__file__).parents[3] / "cave" / "cave_vs_cave" / "RULES.md"
ROOMS = components().rooms
USE = "test_rooms.py::test_a_room_does_what_it_says"

OTHERS: Mapping[str, tuple[str, ...]] = {
    "parlor": ("test_rules_4_and_5.py::test_5_3_raise",),
    "junction_room": ("test_rooms.py::test_the_junction_room_takes_goods_of_era_2",),
    "digging_cave": (
        "test_rules_4_and_5.py::test_5_9_digging_cave",
        "test_rules_8_to_10.py::test_9_2_excavating_turns_up_the_pile_of_the_board",
    ),
    "prospecting_site": (
        "test_rooms.py::test_prospecting_site",
        "test_rules_4_and_5.py::test_5_8_prospecting_site",
    ),
    "retting_room": ("test_rooms.py::test_retting_room", "test_rules_4_and_5.py::test_5_5_retting_room"),
    "equipment_room": (
        "test_rooms.py::test_equipment_room",
        "test_rules_4_and_5.py::test_5_6_equipment_room",
    ),
    "wood_storeroom": (
        "test_rooms.py::test_wood_storeroom",
        "test_rooms.py::test_which_room_actions_a_blue_room_pays_for",
        "test_rules_4_and_5.py::test_5_4_what_comes_before_the_first_room",
        "test_rules_4_and_5.py::test_5_4_once_for_two_rooms",
    ),
    "dungeon": (
        "test_rooms.py::test_dungeon",
        "test_rules_4_and_5.py::test_5_7_dungeon_and_cabinet",
        "test_rules_4_and_5.py::test_5_7_a_blue_room_works_at_once",
    ),
    "armory": (
        "test_rooms.py::test_every_room_is_tried_and_nothing_else_can_be_used",
        "test_rules_4_and_5.py::test_5_1_blue_rooms_and_the_armory",
    ),
    "iron_trader": (
        "test_rooms.py::test_iron_trader",
        "test_rooms.py::test_which_room_actions_a_blue_room_pays_for",
        "test_rules_4_and_5.py::test_5_4_once_for_two_rooms",
        "test_rules_4_and_5.py::test_5_6_equipment_room",
    ),
    "equipment_cabinet": (
        "test_rooms.py::test_equipment_cabinet",
        "test_rooms.py::test_the_cabinet_pays_with_every_tile_that_excavates",
        "test_rules_4_and_5.py::test_5_7_dungeon_and_cabinet",
    ),
    "breeding_cave": (
        "test_rooms.py::test_breeding_cave",
        "test_rooms.py::test_which_room_actions_a_blue_room_pays_for",
        "test_rules_4_and_5.py::test_5_4_once_for_two_rooms",
    ),
}
"""Tests beside those of ``USES``."""


def pins(room: str) -> list[str]:
    """The ids of the tests that pin the effect of a room, below this folder."""
    used = [f"{USE}[{use_id(use)}]" for use in USES if use[0] == room]
    return [*used, *OTHERS.get(room, ())]


def effects() -> dict[str, str]:
    """What each room does, as rule 1.4 says it."""
    row = r"^ +\| ([^|]+?) \| (?:orange|blue) \|.*\| \d+ \| (.+?) \|$"
    found = dict(re.findall(row, RULES.read_text("utf-8"), re.MULTILINE))
    return {room.id: found[room.name] for room in ROOMS.values() if room.id != ENTRANCE}


def text() -> str:
    """The page."""
    told = effects()
    lines = [
        "# Rooms and their tests",
        "",
        "Each room of Cave vs Cave, what it does (rule 1.4), and the tests in this folder that pin it.",
        "Colour, cost, walls and points of all of them are pinned by",
        "`test_rooms.py::test_the_tables_of_the_rules_are_the_data`, what they cost to use by",
        "`test_rooms.py::test_a_room_wants_all_of_its_price`. Written by",
        "`python -m tests.cave.cave_vs_cave.rooms_table`; `test_rooms_table.py` keeps it true.",
    ]
    for era in (1, 2):
        rooms = [room for room in told if ROOMS[room].era == era]
        lines += ["", f"## Era {'I' * era}: {len(rooms)} rooms", ""]
        lines += ["| room | | effect | tests |", "|---|---|---|---|"]
        for room in rooms:
            tests = "<br>".join(f"`{test}`" for test in pins(room))
            lines.append(f"| {ROOMS[room].name} | {ROOMS[room].colour} | {told[room]} | {tests} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), "utf-8")
