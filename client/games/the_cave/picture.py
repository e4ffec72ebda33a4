"""The map to draw: frozen values made from a view; prices are from ``cave.the_cave``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave.the_cave.actions import AnyChoice, Choice, Move
from cave.the_cave.game import View
from cave.the_cave.routes import PHOTO_POINTS, SQUEEZE_POINTS, WATER_POINTS, passages_from
from cave.the_cave.state import Coord, Edge, Kind, State, Tile, edge, neighbours_of
from cave.the_cave.tiles import laid_tile, unexplored_exits

BorderKind = Literal["passage", "rock", "exit", "roped", "unroped"]


class Border(msgspec.Struct, frozen=True, cache_hash=True):
    """The border of two places; ``ropes`` are in place (``roped``) or needed (``unroped``), else 0."""

    kind: BorderKind
    ropes: int = 0


class Cell(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """Everything visible on one place of the map.

    ``depth`` is in metres, ``token`` the points of the exploration token there (0 for none), ``pawns`` and
    ``camps`` are team numbers. ``price`` is the AP to get there (None: not within this turn), ``near``
    whether one move is enough. ``is_step`` marks a change of depth, or the place of the active team, ``last``
    a tile laid since the team's own last turn, ``ghost`` a trial tile.
    """

    kind: Kind
    level: int = 0
    depth: int = 0
    token: int = 0
    pawns: tuple[int, ...] = ()
    camps: tuple[int, ...] = ()
    price: int | None = None
    near: bool = False
    is_step: bool = False
    last: bool = False
    ghost: bool = False


class Ghost(msgspec.Struct, frozen=True):
    """The drawn tile as tried at a place; ``rotation`` in quarter turns, None for a choke."""

    at: Coord
    rotation: int | None = None


Bounds = tuple[int, int, int, int]


class MapPicture(msgspec.Struct, frozen=True):
    """The whole map: ``bounds`` are left, top, right, bottom, all inclusive; ``acting`` is a team."""

    cells: Mapping[Coord, Cell]
    borders: Mapping[Edge, Border]
    bounds: Bounds
    acting: int | None = None
    lit: bool = False  # whether everything is lit, without a lamp


EMPTY = MapPicture({}, {}, (0, 0, 0, 0))

_PASSAGE, _ROCK, _EXIT = Border("passage"), Border("rock"), Border("exit")


def map_picture(
    view: View,
    choices: Sequence[AnyChoice] = (),
    *,
    reach: Mapping[Coord, int] | None = None,
    ghost: Ghost | None = None,
    last: Collection[Coord] = (),
) -> MapPicture:
    """Return the map of a view.

    ``choices`` belong to the displayed seat, and their moves have the prices; ``reach`` adds the AP of the
    cheapest way to more distant places. ``ghost`` needs a drawn tile in the view.
    """
    cave = view.cave
    near = entry_prices(choices)
    pawns = _numbers_at_places(team.at for team in cave.teams)
    camps = _numbers_at_places(team.camp.at for team in cave.teams)
    borders = _borders_of_places(cave, cave.board)
    steps = {at for ends, border in borders.items() if border.ropes for at in ends}
    if cave.seat is not None:
        steps.add(cave.teams[cave.seat].at)
    cells = {
        at: Cell(
            kind=tile.kind,
            level=tile.level,
            depth=tile.depth,
            token=token_points(tile),
            pawns=pawns.get(at, ()),
            camps=camps.get(at, ()),
            price=near[at] if at in near else (reach or {}).get(at),
            near=at in near,
            is_step=at in steps,
            last=at in last,
        )
        for at, tile in cave.board.items()
    }
    if ghost is not None and cave.drawn is not None and cave.seat is not None:
        tile = laid_tile(cave.drawn, ghost.at, ghost.rotation, cave.board[cave.teams[cave.seat].at])
        token = token_points(tile)
        cells[ghost.at] = Cell(
            kind=tile.kind, level=tile.level, depth=tile.depth, token=token, is_step=True, ghost=True
        )
        # On a separate board, so that the tile has its final borders.
        tried = replace(cave, board={**cave.board, ghost.at: tile})
        borders.update(_borders_of_places(tried, (ghost.at,)))
    return MapPicture(cells, borders, _bounds_of_cells(cells), cave.seat)


def entry_prices(choices: Iterable[AnyChoice]) -> dict[Coord, int]:
    """Return the AP of the cheapest legal move to each place within one move."""
    prices: dict[Coord, int] = {}
    for choice in choices:
        if isinstance(choice, Choice) and isinstance(choice.action, Move):
            to = choice.action.to
            prices[to] = min(choice.ap, prices.get(to, choice.ap))
    return prices


def token_points(tile: Tile) -> int:
    """Return the points of the exploration token on a tile, 0 without one (rule 7.5)."""
    if not tile.token:
        return 0
    if tile.kind == "squeeze":
        return SQUEEZE_POINTS[tile.level]
    return WATER_POINTS if tile.kind == "water" else PHOTO_POINTS


def _numbers_at_places(places: Iterable[Coord | None]) -> dict[Coord, tuple[int, ...]]:
    found: dict[Coord, tuple[int, ...]] = {}
    for number, at in enumerate(places):
        if at is not None:
            found[at] = (*found.get(at, ()), number)
    return found


def _borders_of_places(cave: State, places: Iterable[Coord]) -> dict[Edge, Border]:
    borders: dict[Edge, Border] = {}
    for at in places:
        tile = cave.board[at]
        climbs = {to: climb for to, _, climb in passages_from(cave, at)}
        exits = unexplored_exits(cave.board, at)
        for side, to, _, border in neighbours_of(at):
            if border in borders:
                continue
            if to in exits:
                borders[border] = _EXIT
            elif to in climbs:
                borders[border] = _border_to_cross(cave, border, climbs[to])
            elif to not in cave.board and side in tile.open and tile.kind == "base":
                borders[border] = _PASSAGE  # leads nowhere yet, and nothing is discovered from it
            else:
                borders[border] = _ROCK
    return borders


def _border_to_cross(cave: State, border: Edge, climb: int) -> Border:
    if climb:
        return Border("unroped", climb)
    ropes = cave.ropes.get(border, 0)
    return Border("roped", ropes) if ropes else _PASSAGE


def _bounds_of_cells(cells: Mapping[Coord, Cell]) -> Bounds:
    xs = [x for x, _ in cells]
    ys = [y for _, y in cells]
    return (min(xs), min(ys), max(xs), max(ys)) if cells else (0, 0, 0, 0)


def border_between(picture: MapPicture, a: Coord, b: Coord) -> Border | None:
    """Return the border of two neighbouring places; None if neither has a tile."""
    return picture.borders.get(edge(a, b))
