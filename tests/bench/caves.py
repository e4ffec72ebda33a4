"""Artificial caves to draw, as no game grows one of 3600 tiles. Does not load Textual."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from cave.the_cave.game import GAME, View
from cave.the_cave.state import ALL_OPEN, BASE, OPPOSITE, SIDES, Coord, Tile, neighbours_of
from cave.the_cave.tiles import count_open_exits, new, read_settings

KINDS = ("plain", "plain", "plain", "water", "wonder", "squeeze", "descent")


def winding(tiles: int) -> dict[Coord, Tile]:
    """Return a cave that grew like real ones: mostly corridors, all kinds, with depths and tokens."""
    rng = Random(7)
    sides: dict[Coord, set[str]] = {BASE: set()}
    while len(sides) < tiles:
        at = rng.choice(list(sides)[-12:] if rng.random() < 0.7 else list(sides))
        side, to, facing, _ = rng.choice(neighbours_of(at))
        if to not in sides:
            sides[at].add(side)
            sides[to] = {facing}
    for at in rng.sample(sorted(sides), tiles // 3):
        side, to, _, _ = rng.choice(neighbours_of(at))
        if to not in sides:
            sides[at].add(side)
    return {at: tile(rng, at, open_sides) for at, open_sides in sides.items()}


def full(edge: int) -> dict[Coord, Tile]:
    """Return a block of tiles without a gap."""
    rng = Random(8)
    places = [(x, y) for x in range(-edge // 2, edge // 2) for y in range(-edge // 2, edge // 2)]
    sides: dict[Coord, set[str]] = {at: set() for at in places}
    for at in places:
        for side, to, _, _ in neighbours_of(at):
            if side in "ES" and to in sides and rng.random() < 0.6:
                sides[at].add(side)
                sides[to].add(OPPOSITE[side])
    return {at: tile(rng, at, open_sides) for at, open_sides in sides.items()}


def tile(rng: Random, at: Coord, open_sides: set[str]) -> Tile:
    kind = "base" if at == BASE else rng.choice(KINDS)
    level = rng.randint(1, 3) if kind == "squeeze" else 0
    token = kind in ("water", "wonder", "squeeze") and rng.random() < 0.5
    depth = 0 if at == BASE else 25 * (max(map(abs, at)) // 4)
    shown = "".join(side for side in SIDES if side in open_sides) or ALL_OPEN[:1]
    return Tile(at=at, kind=kind, open=shown, depth=depth, level=level, token=token)  # type: ignore[arg-type]


def seen(board: dict[Coord, Tile], steps: int = 0) -> View:
    """Return the board as a watcher of a five-team game sees it, with scattered pawns.

    The active team is this many places east of the base; west of it if negative.
    """
    state = new(5, read_settings({}), "map bench")
    near = sorted(board, key=lambda at: (abs(at[0]) + abs(at[1]), at))
    teams = tuple(replace(team, at=at) for team, at in zip(state.teams, near[::3], strict=False))
    acting = state.seat or 0
    moved = replace(teams[acting], at=(steps, 0))
    teams = (*teams[:acting], moved, *teams[acting + 1 :])
    state = replace(state, seat=acting, board=board, teams=teams, open_exits=count_open_exits(board), phase="actions")
    return GAME.view(state, None, ("Ana", "Bea", "Cyd", "Dan", "Eve"))
