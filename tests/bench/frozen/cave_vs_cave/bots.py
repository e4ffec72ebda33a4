"""The bots of Cave vs Cave.

The novice acts at random while its tile offers something. The rookie plans its whole turn with each tile, and
judges the result: rooms, goods for later, and free space.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from cave import codec
from cave.cave_vs_cave.actions import Action, Anytime, Choice, Draft, EndTurn, Furnish, Take, TakeCavern, UseRoom
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.game import CAVE_VS_CAVE
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
    missing_amounts,
    read_amounts,
)
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.scoring import points_by_category, rooms_points, turns_left
from cave.cave_vs_cave.state import Player, State, empty_spaces, fitting_spaces
from cave.cave_vs_cave.turns import BLUE, ROOMS
from cave.game import Json

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
"""The rookie's worth of a good in points while there is time to use it."""
FEW = 4  # of a good; any more are worth half
SOON = 4  # turns before the end from which goods lose worth
SPACE = 0.9  # for an empty space, up to three
OPEN = 0.7  # for each room that is no longer face down
HOPE = 0.35  # of the points of the best room that fits
USE = 0.12  # a turn, for an orange room to use
WALL = 1.5  # points for a wall of the draft
EXCHANGES = 4  # anytime exchanges that it plans ahead


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the novice's action in its public form; ``choices`` are those of the view's seat."""
    rng = Random(seed)
    busy = [choice for choice in choices if choice["action"]["type"] not in ("anytime", "end_turn")]
    ends = [choice for choice in choices if choice["action"]["type"] == "end_turn"]
    return rng.choice(busy or ends or choices)["action"]


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the rookie's action in its public form."""
    shown = CAVE_VS_CAVE.view_from_json(view)
    assert shown.viewer is not None
    rng = Random(seed)
    state, seat = CAVE_VS_CAVE.imagine(shown, seed), shown.viewer
    offered = [codec.parse(choice, Choice) for choice in choices]
    mind = _Mind(seat, turns_left(state, seat), state.settings.edition == "era-1-2" and state.era == 1)
    if isinstance(offered[0].action, Draft):
        best = max(offered, key=lambda each: (_drafted(each), rng.random())).action
    elif isinstance(offered[0].action, TakeCavern):
        best = max(offered, key=lambda each: mind.after(state, each.action)).action
    elif any(isinstance(each.action, Take) for each in offered):
        tiles = [each.action for each in offered if isinstance(each.action, Take)]
        best = max(tiles, key=lambda tile: (mind.turn(apply(state, seat, tile).state), rng.random()))
    else:
        best = mind.next(state, offered) or offered[0].action
    return codec.to_json(best)


def _drafted(choice: Choice) -> float:
    action = choice.action
    assert isinstance(action, Draft)
    return ROOMS[action.room].vp + (action.room not in BLUE) - WALL * len(action.walls)


class _Mind(Struct, frozen=True):
    """The rookie's judgement in one turn of a seat."""

    seat: int
    turns: int
    both_eras: bool

    def turn(self, state: State) -> float:
        """Return the value after the rest of the turn, if each step takes the best-looking action."""
        while state.seat == self.seat and state.phase != "take":
            action = self.next(state, offers(state, self.seat))
            if action is None or isinstance(action, EndTurn):
                break
            state = apply(state, self.seat, action).state
        return self.value(state)

    def next(self, state: State, offered: Sequence[Choice]) -> Action | None:
        """Return the best-looking action; the end of the turn if nothing is better."""
        must = not any(isinstance(each.action, EndTurn) for each in offered)
        best: Action | None = None if must else EndTurn()
        most = float("-inf") if must else self.value(state)
        for each in _worth_a_thought(state, self.seat, offered):
            if isinstance(each.action, Anytime):
                value = self.exchange(state, each.action)
            else:
                value = self.after(state, each.action)
            if value > most:
                most, best = value, each.action
        return best

    def exchange(self, state: State, action: Anytime) -> float:
        """Return the value of some exchanges if a room can be furnished after them."""
        most = float("-inf")
        for _ in range(EXCHANGES):
            offered = offers(state, self.seat)
            if all(each.action != action for each in offered):
                break
            state = apply(state, self.seat, action).state
            rooms = (each.action for each in offers(state, self.seat) if isinstance(each.action, Furnish))
            most = max([most, *(self.after(state, room) for room in rooms)])
        return most

    def after(self, state: State, action: Action) -> float:
        """Return the value of the state after an action."""
        return self.value(apply(state, self.seat, action).state)

    def value(self, state: State) -> float:
        """Return the estimated points at the end."""
        player = state.players[self.seat]
        sheet = points_by_category(player, state.era)
        left = self.turns - 1
        soon = min(1, left / SOON)
        again = rooms_points(player) + player.goods[GOLD] / 2 if self.both_eras else 0
        found = sum(sheet.values()) + again + _stock(player.goods, sheet, soon)
        if left:
            spaces = empty_spaces(player, state.era)
            found += soon * (SPACE * min(3, len(spaces)) - OPEN * len(player.covered))
            found += HOPE * _best_fit(state, player)
            orange = sum(room not in BLUE for room in player.rooms.values())
            found += USE * left * min(orange, 6)
        return found


def _worth_a_thought(state: State, seat: int, offered: Sequence[Choice]) -> list[Choice]:
    """Return the choices but the end of the turn; of those for any three goods only the cheapest."""
    goods = state.players[seat].goods
    rest, any_three = [], []
    for each in offered:
        if isinstance(each.action, UseRoom) and each.action.goods:
            any_three.append(each)
        elif not isinstance(each.action, EndTurn):
            rest.append(each)
    # One that the Wood Storeroom is about to yield may be among them.
    any_three.sort(key=lambda each: sum(WORTH[good] / (goods[good] + 1) for good, _ in read_amounts(each.price)))
    return rest + any_three[:1]


def _stock(goods: Goods, sheet: dict[str, float], soon: float) -> float:
    """Return the worth of goods besides their points."""
    found = 0.0
    for good, worth in WORTH.items():
        if good != GOLD:
            found += worth * soon * (min(goods[good], FEW) + max(0, goods[good] - FEW) / 2)
    return found - soon * (sheet["iron"] + sheet["weapon"])


def _best_fit(state: State, player: Player) -> float:
    """Return the points of the best room that fits, reduced for missing goods."""
    spaces = empty_spaces(player, state.era)
    best = 0.0
    for room in state.display:
        if fitting_spaces(room, spaces, player.walls, state.settings.cavern, player.cavern):
            missing = sum(many for _, many in missing_amounts(player.goods, ROOMS[room].cost))
            best = max(best, ROOMS[room].vp - missing)
    return best
