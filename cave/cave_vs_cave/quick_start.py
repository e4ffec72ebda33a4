"""What is good in the quick start of Era II: which room to draft, and which space to cover (rule 8).

Rooms of the draft count to the end, and what stays empty can be furnished in Era II. So a cave should have
its points in few rooms, and fit the rooms on show.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cave.cave_vs_cave.actions import Cover, Draft, Space
from cave.cave_vs_cave.board import accessible, empty, fits
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.drafting import ERA, fewest_walls
from cave.cave_vs_cave.scoring import rooms_points
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import BLUE, ROOMS, balance

WALL = 1.5  # points that a wall is worth while rooms are still to be placed
USEFUL = 1.0  # points, for a room that can be used
NEXT = 0.1  # of the points of the best room that could follow
BONUS = 0.6  # points, for a good that is dug up again with the room
NEAR = 1.0  # points, for a room that can be dug up soon
BEST = 0.35  # of the points of the best room that still fits
OTHERS = 0.1  # of the points of each room that still fits


def draft_worth(state: State, seat: int, action: Draft) -> float:
    """Return what a room and its place are worth, in points."""
    room, player = ROOMS[action.room], state.players[seat]
    worth = room.vp + USEFUL * (action.room not in BLUE)
    if rooms_points(player) + room.vp >= components().draft_goal:
        return worth
    after = replace(
        player,
        rooms={**player.rooms, action.at: action.room},
        walls=player.walls.union(action.walls),
    )
    shown = [each for each in state.display if each != action.room]
    return worth - WALL * len(action.walls) + NEXT * _next_draft(after, shown, state.settings.cavern)


def _next_draft(player: Player, display: Sequence[str], cavern: str) -> float:
    """Return the points of the best room that could follow, less what its walls are worth."""
    best, left = 0.0, components().draft_walls - len(player.walls)
    blue = balance(player) > 1
    for room in display:
        walls = fewest_walls(room, player, cavern) if blue or room not in BLUE else None
        if walls is not None and walls <= left:
            best = max(best, ROOMS[room].vp - WALL * walls)
    return best


def cover_worth(state: State, seat: int, action: Cover) -> float:
    """Return what it is worth to cover a space: it should be easy to dig up, and the others of use."""
    player = state.players[seat]
    after = replace(player, covered={**player.covered, action.at: None})
    bonus = sum(many for _, many in components().spaces[action.at].bonus)
    near = action.at in accessible(after, ERA)
    return BONUS * bonus + NEAR * near + _open(state, after)


def _open(state: State, player: Player) -> float:
    """Return what the empty spaces promise, given the rooms on show."""
    spaces: tuple[Space, ...] = empty(player, ERA)
    points = [
        ROOMS[room].vp
        for room in state.display
        if fits(room, spaces, player.walls, state.settings.cavern, player.cavern)
    ]
    return BEST * max(points, default=0) + OTHERS * sum(points)
