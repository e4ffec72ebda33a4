"""Choices of a seat with their prices, and why the rest is not possible."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import checks, lairs, routes
from cave.caves_of_casadh.actions import Action, Choice, Collecting, Priced
from cave.caves_of_casadh.components import ITEMS, Hex, ItemKind
from cave.caves_of_casadh.exploring import origin_of, rotations
from cave.caves_of_casadh.geometry import HOME, around, beyond
from cave.caves_of_casadh.refusals import sentence
from cave.caves_of_casadh.state import Laid, Player, State, here, where
from cave.caves_of_casadh.turns import may_deploy

_COLLECT_TREASURE = Priced(act.CollectTreasure(), checks.PRICES["collect_treasure"])
_LEAVE = Priced(act.Leave(), checks.PRICES["leave"])
_USE_MEDKIT = Priced(act.UseMedkit(), 0)
_DEPLOY = Priced(act.Deploy(), 0)
_GIVE_UP = Priced(act.GiveUp(), 0)
_END_TURN = Priced(act.EndTurn(), 0)
_MOVE_GRUE = Priced(act.MoveGrue(), 0)


@lru_cache(maxsize=4096)
def _priced(action: Action, mp: int) -> Priced:
    return Priced(action, mp)


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return every legal action of the seat in a stable order; empty when it is not to act.

    Order: ways by side, slides, treasure, items, leaving, what is free, giving up, the end of the turn.
    """
    if seat != state.seat:
        return ()
    match state.phase:
        case "actions":
            return tuple(_actions(state, seat))
        case "placing":
            assert state.drawn is not None
            origin = origin_of(where(state, seat), state.drawn.to)
            return tuple(_priced(act.Place(each), 0) for each in rotations(state.drawn.hex, origin))
        case "keeping":
            assert state.offer is not None
            values = sorted({value for value in state.offer.values if value is not None})
            return tuple(_priced(act.Keep(value), 0) for value in values)
        case "fleeing":
            price = min(1, state.mp)
            return tuple(_priced(act.Flee(to), price) for to in routes.first_steps(state, seat))
        case "driving":
            return tuple(_priced(act.Drive(to), 0) for to in lairs.lairs(state))
        case "haunting":
            return (_MOVE_GRUE, _END_TURN)
        case "taking_lantern":
            return tuple(_priced(act.TakeLantern(each), 0) for each in lairs.lantern_holders(state, seat))
        case _:
            return tuple(_priced(act.PlaceGrue(start, to), 0) for start, to in lairs.sendings(state))


def _actions(state: State, seat: int) -> Iterator[Choice]:
    player, laid = state.players[seat], here(state, seat)
    shape = laid.layout.hex
    if state.mp:
        yield from _ways(state, player, laid)
    for passage in routes.slides(shape, player.passage, "rope" in player.items):
        yield _priced(act.Slide(passage), 0)
    if state.mp and shape.marker == player.passage:
        if laid.treasures:
            yield _COLLECT_TREASURE
        kinds = takable(player, laid)
        if kinds:
            yield Collecting(kinds)
    if state.mp and player.at == HOME:
        yield _LEAVE
    if "medkit" in player.items:
        yield _USE_MEDKIT
    if "dynamite" in player.items and may_deploy(laid):
        yield _DEPLOY
    for owner in sorted({*laid.dynamite}):
        yield _priced(act.Defuse(owner), 0)
    yield _GIVE_UP
    yield _END_TURN


def _ways(state: State, player: Player, laid: Laid) -> Iterator[Choice]:
    """Give the moves and explorations through the pawn's passage."""
    assert player.at is not None
    for side in laid.layout.sides[player.passage]:
        to = beyond(player.at, side)
        if to not in state.map:
            if state.hexes:
                yield _priced(act.Explore(to), 1)
        elif routes.may_enter(state, to, player.items):
            yield _priced(act.Move(to), 1)


def takable(player: Player, laid: Laid) -> tuple[ItemKind, ...]:
    """Return the kinds of items on a hex that a spelunker does not have, in the order of the table."""
    return tuple(kind for kind in ITEMS if kind in laid.items and kind not in player.items)


def sample(choice: Choice, rng: Random) -> Action:
    """Return the action, or any part of the items that may be taken."""
    if isinstance(choice, Collecting):
        return act.CollectItems(tuple(rng.sample(choice.items, rng.randint(1, len(choice.items)))))
    return choice.action


def idle(state: State, seat: int) -> Action:
    """Return what does least: end the turn, or else what is listed first."""
    found = choices(state, seat)
    if _END_TURN in found:
        return _END_TURN.action
    return sample(found[0], Random(0))


def _attempts(state: State, seat: int) -> Iterator[Action]:
    """Give actions that a person might try: each neighbour, each slope, and one of each sort."""
    if state.phase != "actions":
        yield act.EndTurn()
        return
    player, laid = state.players[seat], here(state, seat)
    for to in around(where(state, seat)):
        yield act.Move(to) if to in state.map else act.Explore(to)
    for passage in _beside(laid.layout.hex, player.passage):
        yield act.Slide(passage)
    yield from (act.CollectTreasure(), act.CollectItems(laid.items[:1] or ITEMS[:1]), act.Leave())
    yield from (act.UseMedkit(), act.Deploy(), act.Defuse(seat))


def _beside(shape: Hex, passage: int) -> Iterator[int]:
    """Give the other passages of a hex that has slopes."""
    return (each for each in range(len(shape.passages)) if shape.slopes and each != passage)


def why_not(state: State, seat: int) -> list[tuple[Action, str, str]]:
    """Give (action, code, sentence) for what might be tried in vain; empty when the seat is not to act."""
    if seat != state.seat:
        return []
    tried = ((action, checks.check(state, seat, action)) for action in _attempts(state, seat))
    return [(action, code, sentence(state, seat, action, code)) for action, code in tried if code]
