"""Points (rules 6.2 to 6.5)."""

from __future__ import annotations

from collections.abc import Mapping

from cave.score import Score
from cave.sir_ocelots_cave.board import CAVE
from cave.sir_ocelots_cave.components import CELESTITES, KEPT, SPECIALS, Special, components
from cave.sir_ocelots_cave.state import Player, State

CATEGORIES = ("rock_crystal", "celestite", "opal", "emerald", "red_beryl", "amethyst", *SPECIALS)
"""The lines of the score sheet."""
POINTS = components().points
SPECIAL = {name: each.points for name, each in components().special_amethysts.items()}
"""Points of a special amethyst for each gem that it counts."""
VALUE_1 = tuple(gem for gem in KEPT if POINTS[gem] == 1)  # rule 6.3
VALUE_3 = tuple(gem for gem in KEPT if POINTS[gem] == 3)  # rule 6.3


def gems_left(state: State, *levels: int) -> int:
    """Return gems on the squares of these levels (rule 6.4)."""
    left = state.with_gems if state.settings.count_geodes_left else sum(state.gems[:-1])
    return sum((left & CAVE[level]).bit_count() for level in levels)


def special_points(state: State, player: Player) -> Mapping[Special, int]:
    """Return the points that each special amethyst would bring a player now (rule 6.3)."""
    counted: Mapping[Special, int] = {
        "value_1": sum(map(player.has, VALUE_1)),
        "value_3": sum(map(player.has, VALUE_3)),
        "left_1": gems_left(state, 1),
        "left_2_3": gems_left(state, 2, 3),
    }
    return {name: SPECIAL[name] * count for name, count in counted.items()}


def points(state: State, player: Player) -> dict[str, int]:
    """Return points by category; amethysts of unknown value bring none."""
    sheet = dict.fromkeys(CATEGORIES, 0)
    for gem in KEPT:
        sheet["celestite" if gem in CELESTITES else gem] += POINTS[gem] * player.has(gem)
    special = special_points(state, player)
    for amethyst in player.amethysts:
        if isinstance(amethyst.value, int):
            sheet["amethyst"] += amethyst.value
        elif amethyst.value is not None:
            sheet[amethyst.value] = special[amethyst.value]  # There is one of each (rule 1.5).
    return sheet


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet. Most points win; of equal ones, the player with more amethysts (rule 6.5)."""
    sheets = [points(state, player) for player in state.players]
    ranks = [
        (sum(sheet.values()), len(player.amethysts))
        for sheet, player in zip(sheets, state.players, strict=True)
    ]
    return tuple(
        Score(seat, rank[0], sheet, {}, rank == max(ranks))
        for seat, (rank, sheet) in enumerate(zip(ranks, sheets, strict=True))
    )
