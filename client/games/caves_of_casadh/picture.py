"""The map to draw: the look of each place, independent of the painter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from cave.caves_of_casadh.components import SIDES, Cell, Layout, distance, facing, layout, next_cell, side_towards
from cave.caves_of_casadh.state import Laid
from cave.codec import Place
from client.face import LETTERS
from client.games.caves_of_casadh.passages import PassagePlan, on_board
from client.games.caves_of_casadh.scene import CasadhScene
from client.games.caves_of_casadh.tasks import Laying


class Way(msgspec.Struct, frozen=True):
    number: int
    side: int
    price: str
    danger: str = ""


class HexLook(msgspec.Struct, frozen=True):
    """A known hex. ``own`` is the passage of the displayed pawn, ``near`` how well it is lit; ``dynamite``
    has the letter of each owner, ``pawns`` the seat and passage of each.
    """

    plan: PassagePlan
    level: int
    special: str = ""
    marker: int = -1
    water: int = -1
    stars: tuple[int, ...] = ()
    hazard: str = ""
    token: bool = False
    grues: int = 0
    dynamite: str = ""
    items: int = 0
    treasures: int = 0
    pawns: tuple[tuple[int, int], ...] = ()
    own: int = -1
    near: int = 0
    way: Way | None = None
    ghost: bool = False


class EmptyLook(msgspec.Struct, frozen=True):
    """A place without a hex; passages of known hexes end at its ``sides``."""

    sides: tuple[int, ...] = ()
    way: Way | None = None


Look = HexLook | EmptyLook
NOTHING = EmptyLook()


class Picture(msgspec.Struct, frozen=True):
    places: Mapping[Place, Look] = {}
    bounds: tuple[int, int, int, int] = (0, 0, 0, 0)


NEAR, HALF_NEAR = 1, 3  # the bright and the half-bright radius of the pawn's light, in hexes


def hex_map_picture(scene: CasadhScene, rotation: int | None) -> Picture:
    cave = scene.cave
    ways = dict(_numbered_ways(scene))
    places: dict[tuple[int, int], HexLook | EmptyLook] = {}
    for at, laid in cave.map.items():
        places[on_board(at)] = _hex_look(scene, at, laid, ways.get(at))
        for side in SIDES:
            there = next_cell(at, side)
            if there not in cave.map and on_board(there) not in places:
                ends = tuple(each for each in SIDES if next_cell(there, each) in cave.map)
                places[on_board(there)] = EmptyLook(ends, ways.get(there))
    if cave.drawn is not None and rotation is None:
        places[on_board(cave.drawn.to)] = look_of(layout(cave.drawn.hex, 0), near=2)
    elif rotation is not None:
        laying = Laying(cave, rotation)
        places[on_board(laying.to)] = look_of(laying.lie, near=2, own=laying.passage, ghost=True)
        for side in (*laying.sides, *laying.by_slope):
            there = next_cell(laying.to, side)
            if there not in cave.map:
                before = places.get(on_board(there))
                ends = before.sides if isinstance(before, EmptyLook) else ()
                places[on_board(there)] = EmptyLook((*ends, facing(side)))
    known = [*cave.map, *([cave.drawn.to] if cave.drawn is not None else [])]
    columns, rows = zip(*map(on_board, known), strict=True)
    return Picture(places, (min(columns), min(rows), max(columns), max(rows)))


def _numbered_ways(scene: CasadhScene) -> Iterator[tuple[Cell, Way]]:
    """Yield the tasks that lead to a place, each with its number; the first of a place counts."""
    if scene.mode == "placing":
        return
    for task in reversed(scene.tasks):
        if task.at is not None and task.key.isdecimal():
            side = side_towards(task.at, scene.pawn_cell)
            price = task.price if task.at in scene.cave.map else ""
            yield task.at, Way(int(task.key), 0 if side is None else side, price, task.danger)


def _hex_look(scene: CasadhScene, at: Cell, laid: Laid, way: Way | None) -> HexLook:
    me, far = scene.me, distance(scene.pawn_cell, at)
    pawns = tuple((seat, each.passage) for seat, each in enumerate(scene.cave.players) if each.at == at)
    return look_of(
        laid.layout,
        token=laid.token,
        grues=laid.grues,
        dynamite="".join(LETTERS[owner] for owner in dict.fromkeys(laid.dynamite)),
        items=len(laid.items),
        treasures=len(laid.treasures),
        pawns=pawns,
        own=me.passage if me.at == at else -1,
        near=2 if far <= NEAR else 1 if far <= HALF_NEAR else 0,
        way=way,
    )


def look_of(lie: Layout, **more: object) -> HexLook:
    shape = lie.hex
    return HexLook(
        PassagePlan(lie.sides, shape.stack, shape.slopes),
        shape.level,
        shape.special,
        -1 if shape.special == "base_camp" else shape.marker,
        shape.water,
        lie.stars,
        "" if shape.hazard == "none" else shape.hazard,
        **more,  # type: ignore[arg-type]
    )
