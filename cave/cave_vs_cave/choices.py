"""Choices of a seat with their prices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action, Choice, Space
from cave.cave_vs_cave.checks import check_action, check_take_tile
from cave.cave_vs_cave.components import ENTRANCE, Effect, components
from cave.cave_vs_cave.goods import NUMBER, Amounts, Goods
from cave.cave_vs_cave.rounds import coverable_spaces, placements_in_draft_phase
from cave.cave_vs_cave.state import BUILDABLE, Player, State, accessible_rooms, empty_spaces, fitting_spaces
from cave.cave_vs_cave.turns import (
    BLUE,
    PROSPECTING,
    ROOMS,
    TILES,
    additional_effects,
    goods_in_room_action,
    repeat_effect,
    spare_orange_rooms,
    turns_each,
    walls_left,
)
from cave.codec import Place

END_TURN = Choice(act.EndTurn())
_ANYTIME = tuple((NUMBER[good], Choice(act.Anytime(good), {good: 1})) for good in components().anytime)
_TAKE = {tile: Choice(act.Take(tile)) for tile in TILES}


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return the legal actions of the seat in a stable order; empty if it is not its turn.

    Order: tiles, or the actions of the tile in hand as printed, the Additional Action, the Prospecting Site,
    anytime exchanges, the end of the turn.
    """
    if seat != state.seat:
        return ()
    player = state.players[seat]
    match state.phase:
        case "take":
            found = [_TAKE[tile] for tile in state.up if not check_take_tile(state, player, tile)]
            return (*found, *_exchange_choices(player.goods))
        case "actions":
            return tuple(_choices_in_turn(state, seat, player))
        case "dig":
            return (*_excavate_choices(accessible_rooms(player, state.era), 1, ()), *_exchange_choices(player.goods))
        case "cavern":
            sides = components().cavern[state.settings.cavern]
            return tuple(Choice(act.TakeCavern(side)) for side in sides)
        case "draft":
            return tuple(
                Choice(act.Draft(room, at, walls)) for room, (at, walls) in placements_in_draft_phase(state, seat)
            )
    return tuple(Choice(act.Cover(at)) for at in coverable_spaces(player))


def _choices_in_turn(state: State, seat: int, player: Player) -> Iterator[Choice]:
    for number, action in enumerate(TILES[state.tile].actions[turns_each(state)]):
        for effect in action:
            # An action in ``done`` is over, unless it may use more rooms.
            if number not in state.done or (effect.rooms and state.used):
                yield from _tile_choices(state, seat, player, effect)
    if not state.additional:
        yield from _additional_choices(state, player)
    if state.tile == BLUE[PROSPECTING].tile and not check_action(state, seat, _PROSPECT.action):
        yield _PROSPECT
    yield from _exchange_choices(player.goods)
    yield END_TURN


def _exchange_choices(goods: Goods) -> Iterator[Choice]:
    return (choice for good, choice in _ANYTIME if goods[good])


def _tile_choices(state: State, seat: int, player: Player, effect: Effect) -> Iterator[Choice]:
    if effect.kind == "use_room":
        yield from _use_choices(state, player)
    elif effect.kind == "build_wall":
        if walls_left(state, seat):
            yield from (Choice(act.BuildWall(edge)) for edge in BUILDABLE[state.era] if edge not in player.walls)
    elif effect.kind == "raze_wall":
        yield from (Choice(act.RazeWall(edge)) for edge in sorted(player.walls))
    elif not g.can_pay(player.goods, effect.pay):
        return
    elif effect.kind == "furnish":
        yield from _furnish_choices(state, player, effect.pay)
    elif effect.kind == "excavate":
        there = accessible_rooms(player, state.era, through=effect.through_walls)
        yield from _excavate_choices(there, effect.dig, effect.pay)
    else:
        yield _effect_choice(effect)


@lru_cache(maxsize=256)
def _effect_choice(effect: Effect) -> Choice:
    if effect.kind == "collect":
        return Choice(act.Collect(effect.good))
    if effect.kind == "exchange":
        assert effect.good is not None
        return Choice(act.Exchange(effect.good), g.amounts_by_name(effect.pay))
    return Choice(act.Additional(effect.good, effect.ore), g.amounts_by_name(effect.pay))


def _additional_choices(state: State, player: Player) -> Iterator[Choice]:
    """Rule 7.5."""
    for effect in additional_effects(state, state.tile):
        number, more = 1, effect
        while g.can_pay(player.goods, more.pay):
            if not effect.repeats:
                yield _effect_choice(effect)
                break
            yield Choice(act.Additional(times=number), g.amounts_by_name(more.pay))
            number += 1
            more = repeat_effect(effect, number)


def _furnish_choices(state: State, player: Player, pay: Amounts) -> Iterator[Choice]:
    """Rules 4.4, 4.5 and 4.8."""
    spaces = empty_spaces(player, state.era)
    blue = spare_orange_rooms(player) > 1
    for room in state.display if spaces else ():
        if (blue or room not in BLUE) and g.can_pay(player.goods, g.add_amounts(ROOMS[room].cost, pay)):
            there = fitting_spaces(room, spaces, player.walls, state.settings.cavern, player.cavern)
            if there:
                yield from _furnish_choices_of_room(room, there, pay)


@lru_cache(maxsize=4096)
def _furnish_choices_of_room(room: str, spaces: tuple[Space, ...], pay: Amounts) -> tuple[Choice, ...]:
    cost, named = g.amounts_by_name(g.add_amounts(ROOMS[room].cost, pay)), g.amounts_by_name(pay)
    return tuple(Choice(act.Furnish(room, at, named), cost) for at in spaces)


@lru_cache(maxsize=2048)
def _excavate_choices(spaces: tuple[Place, ...], number: int, pay: Amounts) -> tuple[Choice, ...]:
    return tuple(Choice(act.Excavate(at, number), g.amounts_by_name(pay)) for at in spaces)


def _own_rooms(player: Player) -> tuple[str, ...]:
    """Return the rooms of a cave in the order of the data."""
    return (ENTRANCE, *(room for room in ROOMS if room in player.rooms.values()))


def _use_choices(state: State, player: Player) -> Iterator[Choice]:
    """Rules 5.1, 5.2 and 5.9."""
    goods = goods_in_room_action(state, player)
    for room in _own_rooms(player):
        for effect, choice in _USES[room] if room not in state.used else ():
            if not g.can_pay(goods, effect.pay):
                continue
            if choice is not None:
                yield choice
            else:
                for at in accessible_rooms(player, state.era):
                    yield Choice(act.UseRoom(room, at=at), g.amounts_by_name(effect.pay))


def _use_choice(room: str, effect: Effect) -> tuple[Effect, Choice | None]:
    """Return the choice for an effect of a room; None if it also needs a space to excavate."""
    if effect.dig:
        return effect, None
    action = act.UseRoom(room, effect.option, effect.good, effect.goods)  # type: ignore[arg-type]
    return effect, Choice(action, g.amounts_by_name(effect.pay))


_USES = {room: tuple(_use_choice(room, effect) for effect in each.effects) for room, each in ROOMS.items()}
_PROSPECT = Choice(act.Prospect(), g.amounts_by_name(BLUE[PROSPECTING].may.pay))  # type: ignore[union-attr]


def idle(state: State, seat: int) -> Action:
    """Return the action that changes least: the end of the turn, or the first choice."""
    found = choices(state, seat)
    return END_TURN.action if END_TURN in found else found[0].action


def attempts(state: State, seat: int) -> Iterator[Action]:
    """Yield an action of each type that a player might try."""
    player = state.players[seat]
    if state.phase == "take":
        yield from (act.Take(tile) for tile in state.up)
        yield act.EndTurn()
    if state.phase in ("take", "actions"):
        kinds = components().kinds[state.era]
        yield from (act.Anytime(good) for good in components().anytime if NUMBER[good] < kinds)
    if state.phase in ("dig", "cavern"):
        yield act.EndTurn()
    if state.phase == "actions":
        for action in TILES[state.tile].actions[turns_each(state)]:
            for effect in action:
                yield from _attempts_of_effect(state, player, effect)
        for effect in additional_effects(state, state.tile):
            yield act.Additional(effect.good, effect.ore, 1 if effect.repeats else None)
        if PROSPECTING in player.rooms.values():
            yield act.Prospect()
        yield act.Take(state.tile)


def _attempts_of_effect(state: State, player: Player, effect: Effect) -> Iterator[Action]:
    match effect.kind:
        case "collect" | "exchange":
            yield _effect_choice(effect).action
        case "furnish":
            spaces = empty_spaces(player, state.era)
            for room in state.display if spaces else ():
                there = fitting_spaces(room, spaces, player.walls, state.settings.cavern, player.cavern)
                yield act.Furnish(room, (there or spaces)[0], g.amounts_by_name(effect.pay))
        case "excavate":
            yield from (act.Excavate(at, effect.dig) for at in sorted(player.covered))
        case "build_wall":
            yield act.BuildWall(BUILDABLE[state.era][0])
        case "raze_wall":
            yield from (act.RazeWall(edge) for edge in (sorted(player.walls) or BUILDABLE[state.era])[:1])
        case "use_room":
            for room in _own_rooms(player):
                for each, choice in _USES[room]:
                    if choice is None:
                        yield from (act.UseRoom(room, at=at) for at in sorted(player.covered)[:1])
                    elif each.goods is None:
                        yield choice.action
                if not _USES[room]:
                    yield act.UseRoom(room)
