"""Non-interference on the wire (rule 2.3): other face-down rooms, piles and tiles change no byte."""

from __future__ import annotations

from typing import Any

import pytest

from cave.cave_vs_cave.view import imagine
from cave.game import Json
from tests.cave.cave_vs_cave.builders import COLLECT, END, GAME, dig, drafting, player, position, take, use
from tests.game_kit import LINKS, table
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.listeners import alike, heard


def start(seats: int, edition: str) -> Json:
    """A game in which seat 0 begins."""
    seed = next(str(each) for each in range(50) if GAME.new(seats, {"edition": edition}, str(each)).seat == 0)
    return GAME.position(GAME.new(seats, {"edition": edition}, seed))


def other_world(begin: Json, seed: str) -> Json:
    """The same, with everything hidden dealt anew."""
    state = GAME.from_position(begin)
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


def in_era_2(seats: int) -> Json:
    """Era II, in which seat 0 is to take a tile, with rooms face down on both boards."""
    covered = {(3, 1): "bakehouse", (4, 2): "dungeon", (3, -1): "mining_cave", (0, -1): "armory"}
    cave = player({"food": 2, "flax": 1}, {(1, 0): "shelf"}, covered)
    piles = {"piles": [["stall", "treasury"], ["oubliette", "wainwright"]]} if seats == 1 else {}
    return position(*(cave, player(covered={(3, -1): "ironsmith"}))[:seats], era=2, **piles)


def to_cover() -> Json:
    """After the draft, with three rooms left."""
    pile = ("bakehouse", "stall", "dungeon")
    return GAME.position(drafting(player(), player(), pile=pile, turn={"phase": "cover"}))


COVERED = tuple((seat, {"type": "cover", "at": [0, 0]}) for seat in (0, 1))


@pytest.mark.parametrize(
    ("begin", "steps"),
    [
        (start(2, "era-1"), TURNS),
        (start(2, "era-1-2"), TURNS),
        (start(1, "era-1-2"), TURNS),
        (start(1, "era-1"), TURNS[:3]),
        (start(2, "era-2"), ()),
        (to_cover(), COVERED),
        (in_era_2(2), TURNS),
        (in_era_2(1), TURNS),
    ],
    ids=["era 1", "both eras", "both, alone", "era 1, alone", "draft", "cover", "era 2", "era 2, alone"],
)
def test_what_is_hidden_nobody_knows(begin: Json, steps: Any) -> None:
    def world(form: Json) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(form, *steps)
        viewers = {ANN: (0,), BEA: (1,)} if len(begin["players"]) == 2 else {ANN: (0,)}
        return heard(desk, made, {EVE: (), **viewers})

    alike([world(each) for each in (begin, other_world(begin, "a"), other_world(begin, "b"))])


def test_an_excavation_tells_of_its_room_and_cannot_be_undone() -> None:
    begin = start(2, "era-1")
    frames = []
    for form in (begin, other_world(begin, "other")):
        desk, made = at_a_host(form, (0, take("excavation")), (0, dig((3, 1))))
        frames.append(heard(desk, made, {EVE: ()})[EVE])
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == "error", undone
    assert frames[0] != frames[1]
    desk, made = at_a_host(begin, (0, take("excavation")), (0, COLLECT))
    undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
    assert undone["type"] == "done", undone
