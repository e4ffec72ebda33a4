"""The rookie's plans: the worth of places, items and ways, from open information."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HOME, Cell, ItemKind, distance, neighbours_of, next_cell, side_towards
from cave.caves_of_casadh.legal import takable_items
from cave.caves_of_casadh.routes import Spot
from cave.caves_of_casadh.state import Laid, State, cell_of
from tests.bench.frozen.caves_of_casadh.prospects import Journey, arrives_in, damage_at, homeward, reach

UNKNOWN = 4.5  # points of an unseen treasure
NEW_HEX = {1: 3.0, 2: 5.0}  # points of a new hex beside one of this level
ENOUGH = 50  # points with which the rookie goes home
PER_MP = 0.8  # points per MP
PER_HP = 5.0  # points per HP
FAR = 5  # MP to Base Camp that it risks per HP
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
"""The worth of an item in points."""


class Goal(Struct, frozen=True):
    """A destination: the hexes on the way, the last of which may be new, and the passage there.

    Without hexes there is something to pick up in a passage of this hex.
    """

    hexes: tuple[Cell, ...]
    passage: int
    worth: float


class Plan:
    """A spelunker's routes, computed once for an action."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.player = state.players[seat]
        self._home = homeward(state, self.player.items)

    # Getting out

    def wants_medkit(self) -> bool:
        """Return whether it is hurt enough."""
        return self.player.hp <= 2

    def wants_out(self, *, late: bool) -> bool:
        """Return whether it goes home now: it has enough, is weak, or the way back is getting long."""
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

    def best(self, rng: Random) -> Goal | None:
        """Return the goal with the most worth for its MP, or None."""
        goals = [goal for spot, way in reach(self.state, self.seat).items() for goal in self._goals(spot, way)]
        return max(goals, key=lambda goal: (goal.worth, rng.random()), default=None)

    def _goals(self, spot: Spot, way: Journey) -> list[Goal]:
        """Return the goals at a passage: the things there, and the empty cells beyond it."""
        if way.damage >= self.player.hp:
            return []
        at, passage = spot
        laid = self.state.map[at]
        cut_off = spot not in self._home and bool(self._home)
        price = PER_MP * way.mp + PER_HP * way.damage + (12 if cut_off and self._is_home_now() else 0)
        found = []
        if laid.layout.hex.marker == passage:
            loot = self._loot(laid, self.state.mp - way.mp)
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

    def _loot(self, laid: Laid, mp_left: int) -> float:
        """Return the worth of a hex's treasures and items; items cost the rest of the turn."""
        values = [UNKNOWN if each.value is None else each.value for each in laid.treasures]
        best = max(values, default=0) - PER_MP
        items = sum(ITEMS[kind] for kind in takable_items(self.player, laid)) - PER_MP * max(1, mp_left)
        return max(best, 0) + max(items, 0)

    # Laying a hex

    def worth_of_lie(self, action: Action) -> float:
        """Value a rotation: the marker, and many ways on, in the passage that is entered."""
        drawn = self.state.drawn
        assert drawn is not None
        assert isinstance(action, act.Place)
        side = side_towards(cell_of(self.state, self.seat), drawn.to)
        assert side is not None
        passage = arrives_in(drawn.hex, action.rotation, side)
        lie = Laid(drawn.hex, action.rotation).layout
        empty = sum(next_cell(drawn.to, each) not in self.state.map for each in lie.sides[passage])
        return 3 * (lie.hex.marker == passage) + empty + 0.5 * (lie.hex.water == passage)

    # Grues

    def worth_of_flight(self, action: Action) -> float:
        """Value the next step of a flight: little damage, and near to Base Camp."""
        assert isinstance(action, act.Flee)
        laid = self.state.map[action.to]
        pain = damage_at(self.state, action.to, self.player.items) + (laid.grues > 0)
        return -PER_HP * pain - distance(action.to, HOME)

    def worth_of_lair(self, action: Action) -> float:
        """Value a lair: far from here."""
        assert isinstance(action, act.Drive)
        return distance(action.to, cell_of(self.state, self.seat))

    def worth_of_lantern(self, action: Action) -> float:
        """Value a Lantern by the treasures of its holder, if the holder is still in the caves."""
        assert isinstance(action, act.TakeLantern)
        holder = self.state.players[action.holder]
        return len(holder.treasures) + 10 * (holder.state == "in")

    def worth_of_haunting(self, action: Action) -> float:
        """Value a grue's new hex: the damage there, and the way home that it blocks."""
        assert isinstance(action, act.PlaceGrue)
        hurt = [player for player in self.state.players if player.at == action.to]
        near = sum(player.at in neighbours_of(action.to) for player in self.state.players)
        return sum(len(player.treasures) + 8 / player.hp for player in hurt) + 0.5 * near
