"""Non-interference on the wire (rule 5.4): other amethysts change no byte that a viewer gets."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import Json
from tests.cave.sir_ocelots_cave.builders import GAME, collect, position, tool
from tests.game_kit import LINKS, table
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.listeners import alike, heard

GEMS = {(5, 5): "geode", (5, 4): "opal", (11, 3): "geode"}
TOOLS = {(5, 0): "compass", (0, 5): "lamp", (1, 4): "lamp", (11, 0): "lamp"}


def start(blue: list[Any], green: list[Any]) -> Json:
    """A geode and an opal can be collected by one tool more; these amethysts are to be drawn."""
    return position(tools=TOOLS, gems=GEMS, bags={"blue": blue, "green": green})


def at_a_host(start: Json, *steps: tuple[int, Json]) -> tuple[Desk, str]:
    """Everybody sits, somebody watches, and these steps are done."""
    desk, made = table(GAME, start)
    for seat, action in steps:
        done = desk.act(LINKS[seat], made, seat, action)
        assert done["type"] == "done", done
    return desk, made


DRAW = ((0, tool("pickaxe", (10, 5))), (0, collect((5, 5))))


@pytest.mark.parametrize("steps", [(), DRAW[:1]], ids=["before a draw", "about to draw"])
def test_what_lies_in_the_bags_nobody_knows(steps: Any) -> None:
    """Only bags differ; amethysts that were drawn are the same in both worlds."""

    def world(green: list[Any]) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(start([6], green), *steps)
        return heard(desk, made, {EVE: (), ANN: (0,), BEA: (1,)})

    alike([world(green) for green in ([4, 5, 6], [6, 4, 5], [5, 6, 4])])


def test_what_was_drawn_its_owner_alone_knows() -> None:
    """Through a draw, the turn after it, and the record of the game so far."""

    def world(value: int) -> dict[bytes, list[bytes]]:
        begin = start([6], [4, 5, 6])
        exchange(begin, 6, value)
        desk, made = at_a_host(begin, *DRAW, (1, tool("lamp", (8, 9))))
        lines = desk.ask(BEA, "record", table=made)["lines"]
        assert [line.get("seat") for line in lines] == [None, 0, 0, 1]
        return heard(desk, made, {EVE: (), BEA: (1,)})

    alike([world(6), world(4), world(2)])


def exchange(data: Json, value: int, other: int) -> None:
    """The blue amethyst on top and one of Ana's, which has the other value, change places."""
    if other != value:
        own = next(each for each in data["players"][0]["amethysts"] if each["value"] == other)
        own["value"], data["bags"]["blue"] = value, [other]


def test_the_one_who_drew_it_sees_it() -> None:
    frames = []
    for value in (6, 2):
        begin = start([6], [4, 5, 6])
        exchange(begin, 6, value)
        desk, made = at_a_host(begin, *DRAW)
        frames.append(heard(desk, made, {ANN: (0,)})[ANN])
    assert frames[0] != frames[1]


def test_amethysts_that_others_hold_nobody_knows() -> None:
    """Bea's differ, and neither Ana nor the watcher is told."""

    def world(swap: bool) -> dict[bytes, list[bytes]]:
        begin = start([6], [4, 5, 6])
        mine = [each for each in begin["players"][1]["amethysts"] if each["bag"] == "blue"]
        if swap:
            begin["bags"]["blue"], mine[0]["value"] = [mine[0]["value"]], 6
        desk, made = at_a_host(begin, (0, tool("lamp", (8, 9))))
        return heard(desk, made, {EVE: (), ANN: (0,)})

    alike([world(False), world(True)])


def test_a_draw_and_what_came_before_cannot_be_undone() -> None:
    for steps, answer in ((DRAW[:1], "done"), (DRAW, "error")):
        desk, made = at_a_host(start([6], [4, 5, 6]), *steps)
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == answer, undone
