"""A guess of what a seat's position comes to in points at the end: rooms, goods for later, space to go on."""

from __future__ import annotations

from msgspec import Struct

from cave.cave_vs_cave.board import empty, fits
from cave.cave_vs_cave.goods import (
    DONKEY,
    EMMER,
    FLAX,
    FOOD,
    GOLD,
    IRON,
    ORE,
    STONE,
    WEAPON,
    WOOD,
    Goods,
    lacking,
)
from cave.cave_vs_cave.prospects import turns_left
from cave.cave_vs_cave.scoring import points, rooms_points
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import BLUE, ROOMS

WORTH = {
    WOOD: 0.75,
    STONE: 0.75,
    EMMER: 0.5,
    FLAX: 0.6,
    FOOD: 0.6,
    GOLD: 1.0,
    DONKEY: 0.6,
    ORE: 0.5,
    IRON: 0.9,
    WEAPON: 1.1,
}
"""What the rookie thinks a good is worth in points while there is time to use it."""
FEW = 4  # of a good; what is above is worth half
SOON = 4  # turns before the end from which on goods are worth less and less
SPACE = 0.9  # for an empty space, up to three
OPEN = 0.7  # for each room that lies face down no more
HOPE = 0.35  # of the points of the best room that fits
USE = 0.12  # a turn, for an orange room to use


class Judgement(Struct, frozen=True):
    """The judgement of positions in one turn of a seat."""

    seat: int
    turns: int
    """The turns the seat has left, with the running one."""
    both_eras: bool
    """Whether Era II is still to come, which counts rooms and gold anew."""

    def value(self, state: State) -> float:
        """Return what the seat has, in points at the end as far as it can be guessed."""
        player = state.players[self.seat]
        sheet = points(player, state.era)
        left = self.turns - 1
        soon = min(1, left / SOON)
        again = rooms_points(player) + player.goods[GOLD] / 2 if self.both_eras else 0
        found = sum(sheet.values()) + again + _stock(player.goods, sheet, soon)
        if left:
            spaces = empty(player, state.era)
            found += soon * (SPACE * min(3, len(spaces)) - OPEN * len(player.covered))
            found += HOPE * _best_fit(state, player)
            orange = sum(room not in BLUE for room in player.rooms.values())
            found += USE * left * min(orange, 6)
        return found


def judgement(state: State, seat: int) -> Judgement:
    """Return the judgement for a turn of a seat."""
    both = state.settings.edition == "era-1-2" and state.era == 1
    return Judgement(seat, turns_left(state, seat), both)


def _stock(goods: Goods, sheet: dict[str, float], soon: float) -> float:
    """Return what goods are worth beside their points."""
    found = 0.0
    for good, worth in WORTH.items():
        if good != GOLD:
            found += worth * soon * (min(goods[good], FEW) + max(0, goods[good] - FEW) / 2)
    return found - soon * (sheet["iron"] + sheet["weapon"])


def _best_fit(state: State, player: Player) -> float:
    """Return the points of the best room that fits, less for goods that are missing."""
    spaces = empty(player, state.era)
    best = 0.0
    for room in state.display:
        if fits(room, spaces, player.walls, state.settings.cavern, player.cavern):
            missing = sum(many for _, many in lacking(player.goods, ROOMS[room].cost))
            best = max(best, ROOMS[room].vp - missing)
    return best
