"""Non-interference on the wire (rule 2.3): other face-down rooms, piles and tiles change no byte."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.rules import tiles_by_stage
from cave.game import Json
from tests.cave.cave_vs_cave.builders import COLLECT, END, GAME, dig, drafting, player, position, take, use
from tests.game_kit import at_a_host
from tests.server.kit import ANN, BEA, EVE
from tests.server.listeners import alike, heard


def start(seats: int, edition: str) -> Json:
    seed = next(str(each) for each in range(50) if GAME.new(seats, {"edition": edition}, str(each)).seat == 0)
    return GAME.position(GAME.new(seats, {"edition": edition}, seed))


def other_world(begin: Json, seed: str) -> Json:
    """The same position with all secrets dealt again."""
    state = GAME.from_position(begin)
    other = GAME.imagine(GAME.view(state, None), seed)
    assert other != state
    return GAME.position(other)


TURNS = ((0, take("cultivation")), (0, use(good="stone")), (0, COLLECT), (0, END))


def in_era_2(seats: int) -> Json:
    """Era II, where seat 0 is to take a tile, with face-down rooms on both boards."""
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
def test_hidden_things_change_no_view(begin: Json, steps: Any) -> None:
    def world(form: Json) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(GAME, form, *steps)
        viewers = {ANN: (0,), BEA: (1,)} if len(begin["players"]) == 2 else {ANN: (0,)}
        return heard(desk, made, {EVE: (), **viewers})

    alike([world(each) for each in (begin, other_world(begin, "a"), other_world(begin, "b"))])


def test_an_excavation_reveals_its_room_and_cannot_be_undone() -> None:
    begin = start(2, "era-1")
    frames = []
    for form in (begin, other_world(begin, "other")):
        desk, made = at_a_host(GAME, form, (0, take("excavation")), (0, dig((3, 1))))
        frames.append(heard(desk, made, {EVE: ()})[EVE])
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == "error", undone
    assert frames[0] != frames[1]
    desk, made = at_a_host(GAME, begin, (0, take("excavation")), (0, COLLECT))
    undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
    assert undone["type"] == "done", undone


def test_everything_face_up_is_visible() -> None:
    """Rule 2.3 hides face-down rooms, piles and tiles, and nothing else."""
    new = GAME.from_position(start(2, "era-1-2"))
    now = replace(
        new,
        first=1,
        seat=1,
        round=3,
        phase="actions",
        taken=new.up[:1],
        done=frozenset({1}),
        additional=True,
        prospected=True,
        used=new.display[:1],
        out=frozenset({1}),
        piles=(("bakehouse",), ("dungeon",)),
        players=(replace(new.players[0], cavern=2, era_1=7, walls=frozenset({((0, 0), (0, 1))})), new.players[1]),
    )
    assert all(getattr(now, name) for name in now.__struct_fields__)
    view = GAME.view(now, 0)
    for name in now.__struct_fields__:
        hidden = name in ("down", "piles", "later", "players")
        assert (getattr(view.cave, name) == getattr(now, name)) == (not hidden), name
    assert (view.cave.down, view.cave.piles, view.cave.later) == ((), ((), ()), None)
    assert (view.down_size, view.pile_sizes) == (len(now.down), tuple(map(len, now.piles)))
    for before, after in zip(now.players, view.cave.players, strict=True):
        assert replace(after, covered=before.covered) == before
        assert after.covered == dict.fromkeys(before.covered)


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("edition", ["era-1", "era-1-2", "era-2"])
def test_imagined_and_visible_components_are_exactly_those_of_the_box(seats: int, edition: str) -> None:
    """Rules 2.1, 7.1 and 9.1: each pile, the tiles of each stage, and the components of Era II."""
    if (seats, edition) == (1, "era-2"):
        return
    now = GAME.from_position(start(seats, edition))
    first, *others = now.players
    if first.covered:
        at, *left = first.covered
        covered = {each: first.covered[each] for each in left}
        dug = replace(first, rooms={**first.rooms, at: first.covered[at]}, covered=covered)
        now = replace(now, players=(dug, *others))
    else:
        now = replace(now, display=(*now.display, now.piles[0][0]), piles=(now.piles[0][1:], ()))
    tiles = [set(stage) for stage in tiles_by_stage(now.era, now.alone)]

    def hidden(state: Any) -> list[str]:
        return sorted([*state.piles[0], *(room for player in state.players for room in player.covered.values())])

    for seed in range(4):
        world = GAME.imagine(GAME.view(now, 0), str(seed))
        assert hidden(world) == hidden(now)
        assert tuple(map(len, world.piles)) == tuple(map(len, now.piles))
        assert sorted(world.down) == sorted(now.down)
        staged = [next(n for n, stage in enumerate(tiles) if tile in stage) for tile in world.down]
        assert staged == sorted(staged), "a stage comes after the other"
        assert (world.later is None) == (now.later is None)
        if now.later is not None and world.later is not None:
            assert sorted(world.later.tiles) == sorted(now.later.tiles)
            assert sorted(world.later.rooms) == sorted(now.later.rooms)
            assert len(world.later.light) == len(now.later.light)
            assert len({*world.later.light}) == len(now.later.light)
        assert replace(world, players=now.players, piles=now.piles, down=now.down, later=now.later) == now
