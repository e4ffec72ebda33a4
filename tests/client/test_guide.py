"""The guide of a first game (interface.md: a newcomer plays without reading the rules first)."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from client.present import guide
from client.present.desk import Desk, desk
from client.present.guide import tip
from tests.client.fake_session import FakeSession
from tests.client.game_app import packed, position


def shown(start: Any, mine: tuple[int, ...] = (0,)) -> Desk:
    return desk(FakeSession(start=start, mine=mine).state, None)


def all_tips(now: Desk) -> list[str]:
    """The tips of a moment in the order in which they would come."""
    seen: list[str] = []
    while (found := tip(now, seen)) is not None:
        assert found.name not in seen
        seen.append(found.name)
    return seen


def test_the_first_turn_comes_first_and_each_thing_once() -> None:
    found = all_tips(shown(position()))
    assert found[0] == "first turn"
    # At (1, 0) there is an exit, water to the east and a descent to the south.
    assert {"exits", "descent", "water"} <= set(found)
    assert "photograph" not in found
    assert "undo" not in found


def test_on_the_base_nothing_is_said_of_exits() -> None:
    # Rule 4.1: nothing is discovered from the base.
    assert "exits" not in all_tips(shown(packed()))


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        ({"turn": {"seat": 0, "ap": 5, "phase": "starving"}}, "starving"),
        ({"turns_left": 4}, "end"),
    ],
)
def test_what_is_urgent_comes_before_all_else(changes: dict[str, Any], first: str) -> None:
    if first == "starving":
        changes["teams"] = [{"name": "Ann", "at": [1, 0]}, {"name": "Bea", "at": [0, 0]}]
    assert all_tips(shown(position(**changes)))[0] == first


def test_who_waits_hears_only_what_concerns_waiting() -> None:
    assert all_tips(shown(position(), mine=(1,))) == ["waiting"]


def test_watchers_are_left_alone() -> None:
    assert tip(shown(position(), mine=())) is None


def test_every_tip_is_one_line_of_a_small_screen() -> None:
    assert [text for text in (*guide.WORDS.values(), guide.PACKING) if cell_len(text) > 78] == []
    assert set(guide.WORDS) == set(guide._MATTERS)
