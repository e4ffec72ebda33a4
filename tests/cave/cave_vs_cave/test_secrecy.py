"""Non-interference on the wire (rule 2.3): other face-down rooms, piles and tiles change no byte."""

from __future__ import annotations

from typing import Any

import pytest

from cave.cave_vs_cave.view import imagine
from cave.game import Json
from tests.cave.cave_vs_cave.builders import COLLECT, END, GAME, dig, take, use
from tests.game_kit import LINKS, table
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.listeners import alike, heard


def start(seats: int, edition: str) -> Json:
    """A game in which seat 0 begins."""
    seed = next(str(each) for each in range(50) if GAME.new(seats, {"edition": edition}, str(each)).seat == 0)
    return GAME.position(GAME.new(seats, {"edition": edition}, seed))


def other_world(position: Json, seed: str) -> Json:
    """The same, with everything hidden dealt anew."""
    state = GAME.from_position(position)
    other = imagine(GAME.view(state, None), seed)
    assert other != state
    return GAME.position(other)


def at_a_host(begin: Json, *steps: tuple[int, Json]) -> tuple[Desk, str]:
    """Everybody sits, somebody watches, and these steps are done."""
    desk, made = table(GAME, begin)
    for seat, action in steps:
        done = desk.act(LINKS[seat], made, seat, action)
        assert done["type"] == "done", done
    return desk, made


TURNS = (
    (0, take("cultivation")),
    (0, use(good="stone")),
    (0, COLLECT),
    (0, END),
)


@pytest.mark.parametrize(
    ("seats", "edition", "steps"),
    [
        (2, "era-1", TURNS),
        (2, "era-1-2", TURNS),
        (1, "era-1-2", TURNS),
        (1, "era-1", TURNS[:3]),
        (2, "era-2", ()),
    ],
)
def test_what_is_hidden_nobody_knows(seats: int, edition: str, steps: Any) -> None:
    begin = start(seats, edition)

    def world(position: Json) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(position, *steps)
        viewers = {ANN: (0,), BEA: (1,)} if seats == 2 else {ANN: (0,)}
        return heard(desk, made, {EVE: (), **viewers})

    alike([world(each) for each in (begin, other_world(begin, "a"), other_world(begin, "b"))])


def test_an_excavation_tells_of_its_room_and_cannot_be_undone() -> None:
    begin = start(2, "era-1")
    frames = []
    for position in (begin, other_world(begin, "other")):
        desk, made = at_a_host(position, (0, take("excavation")), (0, dig((3, 1))))
        frames.append(heard(desk, made, {EVE: ()})[EVE])
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == "error", undone
    assert frames[0] != frames[1]
    desk, made = at_a_host(begin, (0, take("excavation")), (0, COLLECT))
    undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
    assert undone["type"] == "done", undone
