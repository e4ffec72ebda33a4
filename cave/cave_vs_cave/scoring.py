"""Points (rules 6.2, 6.3, 7.8 and 9.4)."""

from __future__ import annotations

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import NUMBER
from cave.cave_vs_cave.state import Player, State
from cave.score import Score

CATEGORIES = ("era_1", "rooms", "gold", "iron", "weapon")
"""The lines of the score sheet."""


def rooms_points(player: Player) -> int:
    """Return the points of a player's rooms."""
    rooms = components().rooms
    return sum(rooms[room].vp for room in player.rooms.values())


def best_room(player: Player) -> int:
    """Return the points of a player's most valuable room."""
    rooms = components().rooms
    return max((rooms[room].vp for room in player.rooms.values()), default=0)


def points(player: Player, era: int) -> dict[str, float]:
    """Return the points by category, if the era ended now."""
    sheet: dict[str, float] = dict.fromkeys(CATEGORIES, 0)
    sheet["era_1"] = player.era_1 or 0
    sheet["rooms"] = rooms_points(player)
    for good, each in components().points[era]:
        sheet[good] = each * player.goods[NUMBER[good]]
    return sheet


def rank(player: Player, era: int) -> tuple[float, int]:
    """Return the points of a player, and the best room, which decides between equal ones (rule 6.3)."""
    return sum(points(player, era).values()), best_room(player)


def reaches_goal(state: State, total: float) -> bool:
    """Return whether these points are enough for a player alone (rule 9.4)."""
    if state.settings.edition == "era-1":
        return total >= components().goal_era_1
    return total > components().goal_both


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet, as if the era ended now."""
    sheets = [points(player, state.era) for player in state.players]
    ranks = [
        (sum(sheet.values()), best_room(player)) for sheet, player in zip(sheets, state.players, strict=True)
    ]
    best = max(ranks)
    return tuple(
        Score(seat, total, sheet, {}, reaches_goal(state, total) if state.alone else (total, room) == best)
        for seat, (sheet, (total, room)) in enumerate(zip(sheets, ranks, strict=True))
    )
