"""Plans of whole turns: a beam search over the order of a tile's actions.

It works on goods and shapes, not on states of the game, so that a step takes microseconds. If a price needs
more food, the goods of least worth are exchanged for it. Rooms to dig up do not count, as they are unknown.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from heapq import nlargest
from operator import attrgetter

from msgspec import Struct

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action, Edge, Space
from cave.cave_vs_cave.components import Effect, Room, Size, apply_effect, components
from cave.cave_vs_cave.goods import FLAX, FOOD, NUMBER, Amounts, Goods
from cave.cave_vs_cave.judgement import CaveShape, Judgement, walls_of_space
from cave.cave_vs_cave.state import State, is_full
from cave.cave_vs_cave.turns import (
    BLUE,
    LIMITS,
    PROSPECTING,
    TILES,
    additional_effects,
    repeat_effect,
    turns_each,
    walls_left,
)
from cave.codec import Place

STEPS = 12
"""Search depth in actions, not counting exchanges at any time."""
SPACES = 2
"""Number of the best spaces to try for a room, and of walls."""
EARLY = 0.02
"""Bonus for each action after digging up a room, which may be one to furnish at once."""
_CONVERTED = tuple((NUMBER[good], act.Anytime(good)) for good in components().anytime)


class PlanningNode(Struct, gc=False):
    """A moment of a turn: goods, shape, the tile's finished actions, and the actions so far."""

    goods: Goods
    shape: CaveShape
    done: frozenset[int] = frozenset()
    used: frozenset[str] = frozenset()
    additional: bool = False
    prospected: bool = False
    actions: tuple[Action, ...] = ()
    early: float = 0.0
    value: float = 0.0

    def key(self) -> Hashable:
        """Return a key that identifies it within its turn."""
        return self.goods, self.shape.key, self.done, self.used, self.additional, self.prospected


class TurnPlanning:
    def __init__(self, state: State, seat: int, tile: str, mind: Judgement) -> None:
        turns = turns_each(state)
        self.mind = mind
        self.tile = tile
        self.actions = TILES[tile].actions[turns]
        self.kinds = components().kinds[state.era]
        self.cavern_free = not any(player.cavern for player in state.players)
        self.sides = components().cavern[state.settings.cavern]
        self.space = additional_effects(state, tile)
        self.may = BLUE[PROSPECTING].may if tile == BLUE[PROSPECTING].tile else None
        self.walls_left = walls_left(state, seat)
        self.shape = mind.shape
        self.start = state

    def begin(self, first: tuple[Action, ...] = ()) -> PlanningNode:
        """Return the node after taking the tile."""
        return PlanningNode(self.start.players[self.mind.seat].goods, self.shape, actions=first)

    def node_now(self) -> PlanningNode:
        state = self.start
        goods, used = state.players[self.mind.seat].goods, frozenset(state.used)
        return PlanningNode(goods, self.shape, state.done, used, state.additional, state.prospected)

    def resumed_nodes(self, node: PlanningNode, phase: str) -> Iterator[PlanningNode]:
        """Yield the nodes after required actions: a second room to dig up, a cavern to take."""
        if phase == "cavern":
            for side in self.sides:
                yield self._next_node(
                    node, None, (act.TakeCavern(side),), node.goods, node.shape.with_cavern(side), node.used
                )
            return
        for at in node.shape.excavatable_rooms:
            goods = self._goods_after_retting(node.shape, node.goods, self._with_space_bonus(node.goods, at))
            shape = node.shape.without_cover(at)
            yield self._next_node(node, None, (act.Excavate(at),), goods, shape, node.used, dug=True)

    def ends(self, starts: Sequence[PlanningNode], width: int) -> list[PlanningNode]:
        """Return the distinct nodes of the beam at which the turn can end, unordered."""
        value = self.mind.position_points
        for node in starts:
            node.value = value(node.goods, node.shape)
        seen = {node.key() for node in starts}
        found = list(starts)
        running = found
        for _ in range(STEPS):
            ahead: list[PlanningNode] = []
            for node in running:
                for after in self.next_nodes(node):
                    key = after.key()
                    if key not in seen:
                        seen.add(key)
                        after.value = value(after.goods, after.shape) + after.early
                        ahead.append(after)
            if not ahead:
                break
            running = nlargest(width, ahead, key=attrgetter("value")) if len(ahead) > width else ahead
            found += running
        return found

    # Steps

    def next_nodes(self, node: PlanningNode) -> Iterator[PlanningNode]:
        """Yield the nodes after one more action."""
        for number, effects in enumerate(self.actions):
            fresh = number not in node.done
            for effect in effects:
                if fresh or (effect.rooms and node.used):
                    yield from _STEPS[effect.kind](self, node, number, effect)
        if self.space and not node.additional:
            yield from self._additional_steps(node)
        if self.may is not None and not node.prospected and PROSPECTING in node.shape.blue_rooms:
            yield from self._prospect_steps(node, self.may)

    def _next_node(
        self,
        node: PlanningNode,
        number: int | None,
        actions: tuple[Action, ...],
        goods: Goods,
        shape: CaveShape | None = None,
        used: frozenset[str] = frozenset(),
        additional: bool = False,
        prospected: bool = False,
        dug: bool = False,
    ) -> PlanningNode:
        return PlanningNode(
            goods,
            node.shape if shape is None else shape,
            node.done if number is None else node.done | {number},
            used,
            node.additional or additional,
            node.prospected or prospected,
            node.actions + actions,
            node.early + EARLY * (dug or node.early > 0),
        )

    def _pay(self, goods: Goods, price: Amounts) -> tuple[Goods, tuple[Action, ...]] | None:
        """Return the goods with enough food for a price, and the exchanges needed (rule 3.5); None if it
        cannot be paid.
        """
        missing = 0
        for good, many in price:
            if goods[good] < many:
                if good != FOOD:
                    return None
                missing = many - goods[FOOD]
        if not missing:
            return goods, ()
        left = list(goods)
        kept = dict(price)
        exchanges = []
        for _ in range(missing):
            best, least = None, float("inf")
            for good, exchange in _CONVERTED:
                if left[good] > kept.get(good, 0):
                    loss = self.mind.loss_of_good(good, left[good])
                    if loss < least:
                        best, least = (good, exchange), loss
            if best is None:
                return None
            left[best[0]] -= 1
            left[FOOD] += 1
            exchanges.append(best[1])
        return tuple(left), tuple(exchanges)

    def _goods_after_retting(self, shape: CaveShape, before: Goods, after: Goods) -> Goods:
        """Return the goods with the bonus for more flax (rule 5.5)."""
        more = after[FLAX] - before[FLAX]
        if more > 0:
            for room in shape.blue_rooms:
                flax = BLUE[room].flax
                if flax and flax[0] <= more <= flax[1]:
                    return g.gain_goods(after, BLUE[room].get, LIMITS)
        return after

    def _goods_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rule 3.4."""
        paid = self._pay(node.goods, effect.pay)
        if paid is None:
            return
        goods, exchanges = paid
        after = self._goods_after_retting(node.shape, goods, apply_effect(effect, goods, LIMITS, self.kinds))
        action: Action
        if effect.kind == "collect":
            action = act.Collect(effect.good)
        else:
            assert effect.good is not None
            action = act.Exchange(effect.good)
        yield self._next_node(node, number, (*exchanges, action), after)

    def _furnish_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rules 4.4 and 4.9."""
        shape = node.shape
        for room, spaces in shape.fitting_rooms:
            paid = self._pay(node.goods, g.add_amounts(room.cost, effect.pay))
            if paid is None:
                continue
            goods, exchanges = paid
            after = g.pay_goods(g.pay_goods(goods, room.cost), effect.pay)
            pay = g.amounts_by_name(effect.pay)
            for at in self._distinct_spaces(shape, spaces):
                there = shape.with_room(room.id, at)
                actions = (*exchanges, act.Furnish(room.id, at, pay))
                cave = there.player
                if self.cavern_free and not cave.cavern and at != act.CAVERN and is_full(cave, there.era):
                    for side in self.sides:
                        taken = (*actions, act.TakeCavern(side))
                        yield self._next_node(node, number, taken, after, there.with_cavern(side))
                else:
                    yield self._next_node(node, number, actions, after, there)

    def _distinct_spaces(self, shape: CaveShape, spaces: Sequence[Space]) -> Sequence[Space]:
        """Return spaces with different numbers of walls around them, the fewest first."""
        if len(spaces) < 2:
            return spaces
        by_walls: dict[int, Space] = {}
        for at in spaces:
            by_walls.setdefault(walls_of_space(shape, at).bit_count(), at)
        return [by_walls[number] for number in sorted(by_walls)[:SPACES]]

    def _excavate_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rules 4.1 to 4.3."""
        shape = node.shape
        if not shape.player.covered:
            return
        paid = self._pay(node.goods, effect.pay)
        if paid is None:
            return
        goods, exchanges = paid
        left = g.pay_goods(goods, effect.pay)
        for at in shape.excavatable_through_walls() if effect.through_walls else shape.excavatable_rooms:
            after = self._goods_after_dig(shape, left, at)
            there = shape.without_cover(at)
            actions: tuple[Action, ...] = (*exchanges, act.Excavate(at, effect.dig))
            if effect.dig > 1 and there.excavatable_rooms:
                for second in there.excavatable_rooms:
                    more = self._with_space_bonus(after, second)
                    yield self._next_node(
                        node,
                        number,
                        (*actions, act.Excavate(second)),
                        self._goods_after_retting(shape, goods, more),
                        there.without_cover(second),
                        dug=True,
                    )
            else:
                yield self._next_node(
                    node, number, actions, self._goods_after_retting(shape, goods, after), there, dug=True
                )

    def _with_space_bonus(self, goods: Goods, at: Place) -> Goods:
        bonus = components().spaces[at].bonus
        return g.gain_goods(goods, bonus, LIMITS) if bonus else goods

    def _goods_after_dig(self, shape: CaveShape, goods: Goods, at: Place) -> Goods:
        """Return the goods after digging up a room (rules 4.1 and 5.7)."""
        goods = self._with_space_bonus(goods, at)
        for get in shape.paid_by_blue("dig"):
            goods = g.gain_goods(goods, get, LIMITS)
        return goods

    def _build_wall_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rule 4.6."""
        if self.walls_left <= len(node.shape.player.walls) - len(self.shape.player.walls):
            return
        goods = node.goods
        for get in node.shape.paid_by_blue("wall"):
            goods = g.gain_goods(goods, get, LIMITS)
        shapes = [(node.shape.with_or_without_wall(edge), edge) for edge in node.shape.buildable_edges()]
        for there, edge in self._best_walls(goods, shapes):
            yield self._next_node(node, number, (act.BuildWall(edge),), goods, there)

    def _best_walls(self, goods: Goods, shapes: list[tuple[CaveShape, Edge]]) -> list[tuple[CaveShape, Edge]]:
        shapes.sort(key=lambda each: -self.mind.position_points(goods, each[0]))
        return shapes[:SPACES]

    def _raze_wall_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rule 4.7."""
        goods = apply_effect(effect, node.goods, LIMITS, self.kinds)
        shapes = [(node.shape.with_or_without_wall(edge), edge) for edge in sorted(node.shape.player.walls)]
        for there, edge in self._best_walls(goods, shapes):
            yield self._next_node(node, number, (act.RazeWall(edge),), goods, there)

    def _use_room_steps(self, node: PlanningNode, number: int, effect: Effect) -> Iterator[PlanningNode]:
        """Rules 5.1 to 5.4."""
        shape, size = node.shape, effect.rooms
        assert size is not None
        first = number not in node.done
        last = len(node.used) + 1 >= shape.count_room_uses(size)
        for room in shape.orange_rooms:
            if room.id in node.used:
                continue
            used = frozenset[str]() if last else node.used | {room.id}
            for actions, goods, there in self._ways_to_use_room(node, room, size if first else None):
                yield self._next_node(node, number, actions, goods, there, used, dug=there is not shape)

    def _ways_to_use_room(
        self, node: PlanningNode, room: Room, begins: Size | None
    ) -> Iterator[tuple[tuple[Action, ...], Goods, CaveShape]]:
        """Yield each way to use a room; ``begins``: the size of the room action that begins with it."""
        shape = node.shape
        # Goods from blue rooms come first and can help to pay.
        brought = self._goods_when_begun(shape, node.goods, begins)
        any_three = self._cheapest_three(brought) if room.effects[0].goods is not None else None
        for effect in room.effects:
            if effect.goods != any_three:
                continue
            goods = node.goods
            exchanges: tuple[Action, ...] = ()
            if not g.can_pay(brought, effect.pay):
                paid = self._pay(goods, effect.pay)
                if paid is None:
                    continue
                goods, exchanges = paid
            start = goods
            goods = apply_effect(effect, self._goods_when_begun(shape, goods, begins), LIMITS, self.kinds)
            use = act.UseRoom(room.id, effect.option, effect.good, effect.goods)  # type: ignore[arg-type]
            if not effect.dig:
                yield (*exchanges, use), self._goods_after_retting(shape, start, goods), shape
                continue
            for at in shape.excavatable_rooms:
                dug = self._goods_after_retting(shape, start, self._goods_after_dig(shape, goods, at))
                yield (*exchanges, act.UseRoom(room.id, at=at)), dug, shape.without_cover(at)

    def _goods_when_begun(self, shape: CaveShape, goods: Goods, begins: Size | None) -> Goods:
        """Return the goods at the start of a room action of this size (rule 5.4)."""
        if begins is not None:
            for room in shape.blue_rooms:
                if begins in BLUE[room].rooms and BLUE[room].get:
                    goods = g.gain_goods(goods, BLUE[room].get, LIMITS)
        return goods

    def _cheapest_three(self, goods: Goods) -> tuple[str, ...]:
        own = sorted((self.mind.loss_of_good(good, goods[good]), good) for good in range(self.kinds) if goods[good])
        return tuple(g.GOODS[good] for good in sorted(good for _, good in own[:3]))

    def _additional_steps(self, node: PlanningNode) -> Iterator[PlanningNode]:
        """Rule 7.5."""
        for effect in self.space:
            most = node.goods[effect.pay[0][0]] // effect.pay[0][1] if effect.repeats else 1
            for times in {1, most} - {0}:
                done = repeat_effect(effect, times) if effect.repeats else effect
                if g.can_pay(node.goods, done.pay):
                    goods = self._goods_after_retting(
                        node.shape, node.goods, apply_effect(done, node.goods, LIMITS, self.kinds)
                    )
                    action = act.Additional(effect.good, effect.ore, times if effect.repeats else None)
                    yield self._next_node(node, None, (action,), goods, additional=True)

    def _prospect_steps(self, node: PlanningNode, effect: Effect) -> Iterator[PlanningNode]:
        """Rule 5.8."""
        paid = self._pay(node.goods, effect.pay)
        if paid is not None:
            goods, exchanges = paid
            after = apply_effect(effect, goods, LIMITS, self.kinds)
            yield self._next_node(node, None, (*exchanges, act.Prospect()), after, used=node.used, prospected=True)


_STEPS = {
    "collect": TurnPlanning._goods_steps,
    "exchange": TurnPlanning._goods_steps,
    "furnish": TurnPlanning._furnish_steps,
    "excavate": TurnPlanning._excavate_steps,
    "build_wall": TurnPlanning._build_wall_steps,
    "raze_wall": TurnPlanning._raze_wall_steps,
    "use_room": TurnPlanning._use_room_steps,
}
