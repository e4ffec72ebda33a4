"""A seat's options in a turn: the effects of its tile, walls left, goods gained and paid.

Goods change step by step, including blue rooms (rules 3.4, 3.5, 4 and 5).
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action
from cave.cave_vs_cave.components import SIZES, Additional, Blue, Effect, Size, apply_effect, components
from cave.cave_vs_cave.goods import FLAX, Amounts, Goods, read_amounts
from cave.cave_vs_cave.state import Player, State
from cave.codec import Place

Way = tuple[int, Effect]
"""The number of a tile's action, and one of its effects."""

TILES = components().tiles
ROOMS = components().rooms
LIMITS: Goods = components().limits
BLUE: dict[str, Blue] = {room.id: room.blue for room in ROOMS.values() if room.blue is not None}
"""The effects of blue rooms."""
PROSPECTING = next(room for room, blue in BLUE.items() if blue.may is not None)
"""The blue room with an optional effect (rule 5.8)."""


def turns_each(state: State) -> int:
    """Return the turns of each player in this round (rules 3.1, 7.4 and 9.1)."""
    return components().turns[state.era, state.alone][state.round - 1]


@lru_cache(maxsize=512)
def _tile_ways(tile: str, turns: int, kind: str) -> tuple[Way, ...]:
    actions = TILES[tile].actions[turns]
    return tuple((number, effect) for number, action in enumerate(actions) for effect in action if effect.kind == kind)


def ways_on_tile(state: State, kind: str) -> tuple[Way, ...]:
    """Return the effects of this type on the tile in hand."""
    return _tile_ways(state.tile, turns_each(state), kind)


def room_action_of(state: State) -> tuple[int, Size] | None:
    for number, effect in ways_on_tile(state, "use_room"):
        assert effect.rooms is not None
        return number, effect.rooms
    return None


def additional_space(state: State, tile: str) -> Additional | None:
    """Return the space of Era II's action board with a face-up tile; None for a tile of Era I."""
    if TILES[tile].era == 1:
        return None
    new = [each for each in state.up if TILES[each].era > 1]
    return components().additional[new.index(tile)]


def additional_effects(state: State, tile: str) -> tuple[Effect, ...]:
    """Return the effects of a face-up tile's Additional Action (rule 7.5); none for a tile of Era I."""
    space = additional_space(state, tile)
    return () if space is None else space.effects


def good_needed_more(state: State, tile: str) -> int | None:
    """Return the good that you need more of than the opponent to take a tile (rules 3.2, 7.6 and 9.3)."""
    if state.alone:
        return None
    space = additional_space(state, tile)
    return TILES[tile].needs_more if space is None else space.needs_more


def allowed_room_uses(player: Player, size: Size) -> int:
    """Return how many rooms a room action may use (rules 5.1 and 5.6)."""
    more = sum(BLUE[room].more_rooms for room in player.rooms.values() if room in BLUE and size in BLUE[room].rooms)
    return SIZES[size] + more


def spare_orange_rooms(player: Player) -> int:
    """Return how many more orange than blue rooms there are, including the entrance (rule 4.8)."""
    blue = sum(room in BLUE for room in player.rooms.values())
    return 1 + len(player.rooms) - 2 * blue


def walls_left(state: State, seat: int) -> int:
    """Return the walls that a seat could build now (rules 1.3, 7.3 and 8.2)."""
    box = components()
    if state.drafting:
        return box.draft_walls - len(state.players[seat].walls)
    built = sum(len(player.walls) for player in state.players)
    return all_walls(state) - built


def all_walls(state: State) -> int:
    """Return the number of walls; Era II adds some for two players only (rules 1.3, 7.3 and 9.1)."""
    walls = components().walls
    return walls[1] + (walls[2] if state.era > 1 and not state.alone else 0)


Flow = tuple[tuple[str, Goods], ...]
"""The goods after each step, with their source: a tile, a room or a word of the rules."""
BONUS = "bonus"
"""The source of goods printed under an excavated room."""
ANYTIME = "anytime"


Meant = tuple[int | None, Effect]
"""The effect that an action chooses, and the number of the tile's action, if any."""


def chosen_effect(state: State, action: Action) -> Meant | None:
    """Return the effect of a tile, space or room that the action's fields choose, or None."""
    number: int | None = None
    effects: tuple[Effect, ...]
    match action:
        case act.UseRoom(room):
            running = room_action_of(state)
            number, effects = running and running[0], ROOMS[room].effects
            if action.goods is not None:
                action = replace(action, goods=tuple(sorted(action.goods, key=g.GOODS.index)))
        case act.Additional(times=times):
            for effect in additional_effects(state, state.tile):
                if _is_chosen(action, effect):
                    return None, repeat_effect(effect, times) if times else effect
            return None
        case act.Prospect():
            may = BLUE[PROSPECTING].may
            assert may is not None
            return None, may
        case _:
            return next((way for way in ways_on_tile(state, action.type) if _is_chosen(action, way[1])), None)
    return next(((number, effect) for effect in effects if _is_chosen(action, effect)), None)


def _is_chosen(action: Action, effect: Effect) -> bool:
    match action:
        case act.UseRoom(_, option, good, goods, at):
            alike = option == effect.option and good == effect.good and goods == effect.goods
            return alike and (at is not None) == (effect.dig > 0)
        case act.Furnish():
            return read_amounts(action.pay) == effect.pay
        case act.Excavate():
            return action.spaces == effect.dig
        case act.Collect(good) | act.Exchange(good):
            return good == effect.good
        case act.Additional(good, ore, times):
            alike = good == effect.good and ore == effect.ore
            return alike and (times is not None) == effect.repeats and times != 0
    return True


def repeat_effect(effect: Effect, number: int) -> Effect:
    """Return an effect repeated this many times in one action."""
    return Effect(effect.kind, pay=g.multiply_amounts(effect.pay, number), get=g.multiply_amounts(effect.get, number))


def price_of_action(state: State, action: Action) -> Amounts:
    """Return all goods that a legal action costs."""
    match action:
        case act.Anytime(good):
            return ((g.NUMBER[good], 1),)
        case act.Furnish(room):
            return g.add_amounts(ROOMS[room].cost, read_amounts(action.pay))
        case act.Excavate() if state.phase == "dig":
            return ()
        case act.Take() | act.TakeCavern() | act.Draft() | act.Cover() | act.EndTurn():
            return ()
    chosen = chosen_effect(state, action)
    return () if chosen is None else chosen[1].pay


def blue_gains_before_rooms(state: State, player: Player) -> Flow:
    """Return the gains from blue rooms when the tile's room action begins (rule 5.4)."""
    running = room_action_of(state)
    if running is None or running[0] in state.done:
        return ()
    steps, goods = [], player.goods
    for room in BLUE:
        if running[1] in BLUE[room].rooms and BLUE[room].get and room in player.rooms.values():
            goods = g.gain_goods(goods, BLUE[room].get, LIMITS)
            steps.append((room, goods))
    return tuple(steps)


def goods_in_room_action(state: State, player: Player) -> Goods:
    """Return the goods available to use a room, including gains from blue rooms (rule 5.4)."""
    steps = blue_gains_before_rooms(state, player)
    return steps[-1][1] if steps else player.goods


def goods_flow(state: State, seat: int, action: Action) -> Flow:
    """Return the goods of the seat after each step of a legal action. Reads nothing hidden."""
    player = state.players[seat]
    goods = player.goods
    steps: Flow
    match action:
        case act.Anytime():
            paid = g.pay_goods(goods, price_of_action(state, action))
            return ((ANYTIME, g.gain_goods(paid, components().anytime_get, LIMITS)),)
        case act.Furnish():
            return ((action.room, g.pay_goods(goods, price_of_action(state, action))),)
        case act.BuildWall():
            return _blue_room_gains(player, goods, "wall")
        case act.Excavate(at):
            paid = g.pay_goods(goods, price_of_action(state, action))
            steps = () if paid == goods else ((state.tile, paid),)
            return (*steps, *excavation_gains(player, paid, at, again=state.phase == "dig"))
        case act.UseRoom(room, at=at):
            steps = blue_gains_before_rooms(state, player)
            step = _goods_after_effect(state, goods_in_room_action(state, player), action)
            steps = (*steps, (room, step))
            if at is not None:
                steps = (*steps, *excavation_gains(player, step, at, again=False))
        case act.Collect() | act.Exchange() | act.RazeWall() | act.Additional():
            steps = ((state.tile, _goods_after_effect(state, goods, action)),)
        case act.Prospect():
            steps = ((PROSPECTING, _goods_after_effect(state, goods, action)),)
        case _:
            return ()
    return (*steps, *_retting_bonus(player, goods, steps[-1][1]))


def _goods_after_effect(state: State, goods: Goods, action: Action) -> Goods:
    chosen = chosen_effect(state, action)
    assert chosen is not None, "the action is legal"
    return apply_effect(chosen[1], goods, LIMITS, components().kinds[state.era])


def excavation_gains(player: Player, goods: Goods, at: Place, *, again: bool) -> Flow:
    """Return the gain of an excavation: the bonus of the space, and gains from blue rooms, once for both
    excavations of one action (rules 4.1 and 5.7).
    """
    steps: Flow = ()
    bonus = components().spaces[at].bonus
    if bonus:
        goods = g.gain_goods(goods, bonus, LIMITS)
        steps = ((BONUS, goods),)
    return steps if again else (*steps, *_blue_room_gains(player, goods, "dig"))


def _blue_room_gains(player: Player, goods: Goods, moment: str) -> Flow:
    steps = []
    for room in BLUE:
        if getattr(BLUE[room], moment) and room in player.rooms.values():
            goods = g.gain_goods(goods, BLUE[room].get, LIMITS)
            steps.append((room, goods))
    return tuple(steps)


def _retting_bonus(player: Player, before: Goods, after: Goods) -> Flow:
    """Rule 5.5: a bonus if flax increased."""
    more = after[FLAX] - before[FLAX]
    if more > 0:
        for room, blue in BLUE.items():
            if blue.flax and blue.flax[0] <= more <= blue.flax[1] and room in player.rooms.values():
                return ((room, g.gain_goods(after, blue.get, LIMITS)),)
    return ()


def goods_after_action(state: State, seat: int, action: Action) -> Goods:
    steps = goods_flow(state, seat, action)
    return steps[-1][1] if steps else state.players[seat].goods
