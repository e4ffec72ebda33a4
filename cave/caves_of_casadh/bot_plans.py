"""Plans of the simple bots: the worth of places, items and ways, from a seat's information."""

from __future__ import annotations

from math import fsum
from random import Random

from msgspec import Struct

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HOME, Cell, ItemKind, distance, layout, neighbours_of, next_cell
from cave.caves_of_casadh.exploring import origin_of
from cave.caves_of_casadh.legal import takable_items
from cave.caves_of_casadh.routes import Spot
from cave.caves_of_casadh.scoring import Journey, damage_at, mp_home_by_passage, reachable_passages
from cave.caves_of_casadh.state import Laid, State, cell_of

UNKNOWN = 4.5  # expected points of an unseen treasure
NEW_HEX = {1: 3.0, 2: 5.0}  # points of exploring from a hex of this level
ENOUGH = 50  # points from which a planner goes home
PER_MP = 0.8  # points that 1 MP is worth
PER_HP = 5.0  # points that 1 HP is worth
FAR = 5  # maximum MP to Base Camp for each HP
ITEMS: dict[ItemKind, float] = {
    "lantern": 6,
    "medkit": 6,
    "helmet": 4,
    "boots": 4,
    "gas_mask": 4,
    "rope": 4,
    "battery": 2,
    "canteen": 2,
    "dynamite": 0.2,
}
"""Points that an item is worth."""


class Goal(Struct, frozen=True):
    """A goal: the hexes on the way, perhaps a new one at the end, and the passage there.

    Without hexes, something to pick up in a passage of the current hex.
    """

    hexes: tuple[Cell, ...]
    passage: int
    worth: float


class BotPlan:
    """A spelunker's ways and their worth, computed once for an action."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.player = state.players[seat]
        self._home = mp_home_by_passage(state, self.player.items)

    # Getting out

    def wants_medkit(self) -> bool:
        """Return whether it is hurt enough to use a Medkit."""
        return self.player.hp <= 2

    def wants_out(self, *, late: bool) -> bool:
        """Return whether it goes home now: it has enough, is weak, or is getting too far away."""
        player = self.player
        value = sum(filter(None, player.treasures))
        away = self._home.get((cell_of(self.state, self.seat), player.passage))
        if late or value >= ENOUGH or not self.state.hexes:
            return True
        if away is None:
            return False
        strength = player.hp + 2 * ("medkit" in player.items)
        return (strength <= 2 and (value > 0 or player.hp == 1)) or away > FAR * strength

    # Where to go

    def best_goal(self, rng: Random) -> Goal | None:
        """Return the goal with the highest worth for its MP; None if none is worthwhile."""
        goals = [
            goal
            for spot, way in reachable_passages(self.state, self.seat).items()
            for goal in self._goals_at(spot, way)
        ]
        return max(goals, key=lambda goal: (goal.worth, rng.random()), default=None)

    def _goals_at(self, spot: Spot, way: Journey) -> list[Goal]:
        """Return the goals at a passage: things to pick up there, and the empty cells beyond it."""
        if way.damage >= self.player.hp:
            return []
        at, passage = spot
        laid = self.state.map[at]
        cut_off = spot not in self._home and bool(self._home)
        price = PER_MP * way.mp + PER_HP * way.damage + (12 if cut_off and self._is_home_now() else 0)
        found = []
        if laid.layout.hex.marker == passage:
            loot = self._worth_of_loot(laid, self.state.mp - way.mp)
            if loot > price:
                found.append(Goal(way.hexes, passage, loot - price))
        if self.state.hexes:
            value = NEW_HEX[max(1, laid.layout.hex.level)]
            for side in laid.layout.sides[passage]:
                to = next_cell(at, side)
                if to not in self.state.map:
                    found.append(Goal((*way.hexes, to), passage, value - price - 0.05 * distance(to, HOME)))
        return found

    def _is_home_now(self) -> bool:
        return (cell_of(self.state, self.seat), self.player.passage) in self._home

    def _worth_of_loot(self, laid: Laid, mp_left: int) -> float:
        """Return the worth of a hex's treasures and items; items cost the rest of the turn."""
        values = [UNKNOWN if each.value is None else each.value for each in laid.treasures]
        best = max(values, default=0) - PER_MP
        items = fsum(ITEMS[kind] for kind in takable_items(self.player, laid)) - PER_MP * max(1, mp_left)
        return max(best, 0) + max(items, 0)

    # Other decisions

    def worth_of_action(self, action: Action) -> float:
        """Rate an action outside the normal phase of a turn."""
        state, items = self.state, self.player.items
        match action:
            case act.Place(rotation):
                return self._worth_of_rotation(rotation)
            case act.Flee(to):  # Little damage, and near to Base Camp.
                pain = damage_at(state, to, items) + (state.map[to].grues > 0)
                return -PER_HP * pain - distance(to, HOME)
            case act.Drive(to):  # Far away is good.
                return distance(to, cell_of(state, self.seat))
            case act.TakeLantern(holder):
                return worth_of_lantern(state, holder)
            case act.PlaceGrue(_, to):  # Hurts players there, or blocks their way home.
                hurt = [player for player in state.players if player.at == to]
                near = sum(player.at in neighbours_of(to) for player in state.players)
                return fsum(len(player.treasures) + 8 / player.hp for player in hurt) + 0.5 * near
        return 0.0

    def _worth_of_rotation(self, rotation: int) -> float:
        drawn = self.state.drawn
        assert drawn is not None
        lie = layout(drawn.hex, rotation)
        passage = lie.owner[origin_of(cell_of(self.state, self.seat), drawn.to)]
        empty = sum(next_cell(drawn.to, each) not in self.state.map for each in lie.sides[passage])
        return 3 * (lie.hex.marker == passage) + empty + 0.5 * (lie.hex.water == passage)


def worth_of_lantern(state: State, holder: int) -> float:
    """Rate a Lantern by its holder's treasures, plus 10 for a holder in the caves."""
    player = state.players[holder]
    return len(player.treasures) + 10 * (player.state == "in")
