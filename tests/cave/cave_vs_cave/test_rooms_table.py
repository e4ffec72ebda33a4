"""``ROOMS.md`` tells of every room the tests that pin its effect, and there are such tests."""

from __future__ import annotations

import re

import pytest

from cave.cave_vs_cave.components import ENTRANCE
from tests.cave.cave_vs_cave.rooms_table import HERE, ROOMS, TABLE, USE, effects, pins, text
from tests.cave.cave_vs_cave.test_rooms import USES, use_id


def test_the_table_is_as_it_is_written() -> None:
    """Else: python -m tests.cave.cave_vs_cave.rooms_table."""
    assert TABLE.read_text("utf-8") == text()


def test_it_has_the_rooms_of_both_eras() -> None:
    eras = [ROOMS[room].era for room in effects()]
    assert (eras.count(1), eras.count(2)) == (24, 21)


@pytest.mark.parametrize("room", effects())
def test_its_tests_are_there(room: str) -> None:
    tests = pins(room)
    assert tests
    assert len(set(tests)) == len(tests)
    for test in tests:
        file, name = test.split("::")
        source = (HERE / file).read_text("utf-8")
        assert re.search(rf"^def {name.split('[')[0]}\(", source, re.MULTILINE), test
        if "[" in name:
            assert test.removeprefix(USE)[1:-1] in map(use_id, USES)


@pytest.mark.parametrize("room", [room for room in ROOMS if ROOMS[room].effects])
def test_every_way_to_use_a_room_is_tried(room: str) -> None:
    """Each of what stands with "or", and each good that can be chosen."""
    ways = {(effect.option, effect.good) for effect in ROOMS[room].effects}
    tried = {(extras.get("option"), extras.get("good")) for each, extras, *_ in USES if each == room}
    assert tried == ways
    assert room == ENTRANCE or room in effects()
