"""The goods that an action costs and brings, step by step, blue rooms included (rules 3.4, 3.5, 4 and 5)."""

from __future__ import annotations

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.effects import Effect, gained
from cave.cave_vs_cave.goods import FLAX, Amounts, Goods, amounts
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import BLUE, LIMITS, PROSPECTING, ROOMS, effects_of_space, room_action_of, ways
from cave.codec import Place

Flow = tuple[tuple[str, Goods], ...]
"""The goods after each step, with the tile, the room or the word of the rule that changed them."""
BONUS = "bonus"
"""The source of what is printed under an excavated room."""
ANYTIME = "anytime"


Meant = tuple[int | None, Effect]
"""The effect that an action asks for, and the number of the tile's action that it belongs to, if any."""


def meant(state: State, action: Action) -> Meant | None:
    """Return the effect of tile, space or room that the action's words choose; None if there is none such."""
    number: int | None = None
    effects: tuple[Effect, ...]
    match action:
        case act.UseRoom(room):
            running = room_action_of(state)
            number, effects = running and running[0], ROOMS[room].effects
            if action.goods is not None:
                action = replace(action, goods=tuple(sorted(action.goods, key=g.GOODS.index)))
        case act.Additional(times=times):
            for effect in effects_of_space(state, state.tile):
                if _says(action, effect):
                    return None, repeated(effect, times) if times else effect
            return None
        case act.Prospect():
            may = BLUE[PROSPECTING].may
            assert may is not None
            return None, may
        case _:
            return next((way for way in ways(state, action.type) if _says(action, way[1])), None)
    return next(((number, effect) for effect in effects if _says(action, effect)), None)


def _says(action: Action, effect: Effect) -> bool:
    """Return whether the words of an action choose an effect."""
    match action:
        case act.UseRoom(_, option, good, goods, at):
            alike = option == effect.option and good == effect.good and goods == effect.goods
            return alike and (at is not None) == (effect.dig > 0)
        case act.Furnish():
            return amounts(action.pay) == effect.pay
        case act.Excavate():
            return action.spaces == effect.dig
        case act.Collect(good) | act.Exchange(good):
            return good == effect.good
        case act.Additional(good, ore, times):
            alike = good == effect.good and ore == effect.ore
            return alike and (times is not None) == effect.repeats and times != 0
    return True


def repeated(effect: Effect, number: int) -> Effect:
    """Return an effect that is done this many times in one action."""
    return Effect(effect.kind, pay=g.times(effect.pay, number), get=g.times(effect.get, number))


def price(state: State, action: Action) -> Amounts:
    """Return all goods that a legal action costs."""
    match action:
        case act.Anytime(good):
            return ((g.NUMBER[good], 1),)
        case act.Furnish(room):
            return g.both(ROOMS[room].cost, amounts(action.pay))
        case act.Excavate() if state.phase == "dig":
            return ()
        case act.Take() | act.TakeCavern() | act.Draft() | act.Cover() | act.EndTurn():
            return ()
    chosen = meant(state, action)
    return () if chosen is None else chosen[1].pay


def before_rooms(state: State, player: Player) -> Flow:
    """Return what blue rooms pay when the room action of the tile begins (rule 5.4)."""
    running = room_action_of(state)
    if running is None or running[0] in state.done:
        return ()
    steps, goods = [], player.goods
    for room in BLUE:
        if running[1] in BLUE[room].rooms and BLUE[room].get and room in player.rooms.values():
            goods = g.with_more(goods, BLUE[room].get, LIMITS)
            steps.append((room, goods))
    return tuple(steps)


def in_room_action(state: State, player: Player) -> Goods:
    """Return the goods with which a room can be paid: with what blue rooms bring first (rule 5.4)."""
    steps = before_rooms(state, player)
    return steps[-1][1] if steps else player.goods


def flow(state: State, seat: int, action: Action) -> Flow:
    """Return the goods of the seat after each step of a legal action. Nothing hidden is looked at."""
    player = state.players[seat]
    goods = player.goods
    steps: Flow
    match action:
        case act.Anytime():
            paid = g.without(goods, price(state, action))
            return ((ANYTIME, g.with_more(paid, components().anytime_get, LIMITS)),)
        case act.Furnish():
            return ((action.room, g.without(goods, price(state, action))),)
        case act.BuildWall():
            return _by_blue(player, goods, "wall")
        case act.Excavate(at):
            paid = g.without(goods, price(state, action))
            steps = () if paid == goods else ((state.tile, paid),)
            return (*steps, *dug(player, paid, at, again=state.phase == "dig"))
        case act.UseRoom(room, at=at):
            steps = before_rooms(state, player)
            step = _effect(state, in_room_action(state, player), action)
            steps = (*steps, (room, step))
            if at is not None:
                steps = (*steps, *dug(player, step, at, again=False))
        case act.Collect() | act.Exchange() | act.RazeWall() | act.Additional():
            steps = ((state.tile, _effect(state, goods, action)),)
        case act.Prospect():
            steps = ((PROSPECTING, _effect(state, goods, action)),)
        case _:
            return ()
    return (*steps, *_retting(player, goods, steps[-1][1]))


def _effect(state: State, goods: Goods, action: Action) -> Goods:
    chosen = meant(state, action)
    assert chosen is not None, "the action is legal"
    return gained(chosen[1], goods, LIMITS, components().kinds[state.era])


def dug(player: Player, goods: Goods, at: Place, *, again: bool) -> Flow:
    """Return what an excavation brings: the bonus of the space, and what blue rooms pay, once for two
    excavations of one action (rules 4.1 and 5.7).
    """
    steps: Flow = ()
    bonus = components().spaces[at].bonus
    if bonus:
        goods = g.with_more(goods, bonus, LIMITS)
        steps = ((BONUS, goods),)
    return steps if again else (*steps, *_by_blue(player, goods, "dig"))


def _by_blue(player: Player, goods: Goods, moment: str) -> Flow:
    steps = []
    for room in BLUE:
        if getattr(BLUE[room], moment) and room in player.rooms.values():
            goods = g.with_more(goods, BLUE[room].get, LIMITS)
            steps.append((room, goods))
    return tuple(steps)


def _retting(player: Player, before: Goods, after: Goods) -> Flow:
    """Rule 5.5: flax really rose."""
    more = after[FLAX] - before[FLAX]
    if more > 0:
        for room, blue in BLUE.items():
            if blue.flax and blue.flax[0] <= more <= blue.flax[1] and room in player.rooms.values():
                return ((room, g.with_more(after, blue.get, LIMITS)),)
    return ()


def goods_after(state: State, seat: int, action: Action) -> Goods:
    """Return the goods of the seat after a legal action."""
    steps = flow(state, seat, action)
    return steps[-1][1] if steps else state.players[seat].goods
