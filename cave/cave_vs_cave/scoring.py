"""Points (rules 6.2, 6.3, 7.8 and 9.4), and previews of an action for bots and players.

Reads nothing hidden, so the state of a view works, too.
"""

from __future__ import annotations

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import NUMBER
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import turns_each
from cave.score import Score

CATEGORIES = ("era_1", "rooms", "gold", "iron", "weapon")
"""The lines of the score sheet."""


def rooms_points(player: Player) -> int:
    rooms = components().rooms
    return sum(rooms[room].vp for room in player.rooms.values())


def best_room(player: Player) -> int:
    """Return the points of a player's most valuable room."""
    rooms = components().rooms
    return max((rooms[room].vp for room in player.rooms.values()), default=0)


def points_by_category(player: Player, era: int) -> dict[str, float]:
    """Return the points by category, if the era ended now."""
    sheet: dict[str, float] = dict.fromkeys(CATEGORIES, 0)
    sheet["era_1"] = player.era_1 or 0
    sheet["rooms"] = rooms_points(player)
    for good, each in components().points[era]:
        sheet[good] = each * player.goods[NUMBER[good]]
    return sheet


def rank_of_player(player: Player, era: int) -> tuple[float, int]:
    """Return a player's sort key: points, then the best room as tie-breaker (rule 6.3)."""
    return sum(points_by_category(player, era).values()), best_room(player)


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet as if the era ended now."""
    sheets = [points_by_category(player, state.era) for player in state.players]
    ranks = [(sum(sheet.values()), best_room(player)) for sheet, player in zip(sheets, state.players, strict=True)]
    best = max(ranks)
    return tuple(
        Score(seat, total, sheet, {}, total >= solo_goal(state) if state.alone else (total, room) == best)
        for seat, (sheet, (total, room)) in enumerate(zip(sheets, ranks, strict=True))
    )


def solo_goal(state: State) -> float:
    """Return the points that the goal of a solo game requires (rule 9.4)."""
    # Points are in halves: more than the goal means at least half a point more.
    return components().goal_era_1 if state.settings.edition == "era-1" else components().goal_both + 0.5


def turns_left(state: State, seat: int) -> int:
    """Return a seat's remaining turns in the whole game, including the current one."""
    if state.phase == "over":
        return 0
    box = components()
    later = sum(box.turns[2, state.alone]) if state.era_2_follows else 0
    if state.drafting:
        return later
    left = later + sum(box.turns[state.era, state.alone][state.round :])
    gone = sum((state.first + number) % len(state.players) == seat for number in range(len(state.taken)))
    in_hand = state.seat == seat and state.phase in ("actions", "dig", "cavern")
    return left + turns_each(state) - gone + in_hand


def count_all_turns(state: State) -> int:
    """Return the turns that a seat has in a whole game."""
    box = components()
    eras = (1, 2) if state.settings.edition == "era-1-2" else (1,)
    return sum(sum(box.turns[era, state.alone]) for era in eras)
