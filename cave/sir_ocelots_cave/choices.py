"""Choices of a seat, and why the rest is not possible."""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random

from cave.codec import Place
from cave.sir_ocelots_cave import checks
from cave.sir_ocelots_cave.actions import (
    Action,
    Advance,
    Choice,
    Collect,
    Collecting,
    LayTool,
    PlaceCompanion,
)
from cave.sir_ocelots_cave.board import BIT, CAVE, LEVEL, RIM, SQUARES, Squares, places
from cave.sir_ocelots_cave.checks import ENTERED, PASSED
from cave.sir_ocelots_cave.components import KINDS, LEVELS, Gem
from cave.sir_ocelots_cave.refusals import sentence
from cave.sir_ocelots_cave.sight import collectable
from cave.sir_ocelots_cave.state import Player, State


@cache
def _laying(*left: bool) -> dict[Place, tuple[LayTool, ...]]:
    """Return, for each rim space, all that can be laid there by who has tools of these kinds left."""
    sides = [
        (kind, side) for kind, some in zip(KINDS, left, strict=True) if some for side in checks.SIDES_OF[kind]
    ]
    return {at: tuple(LayTool(kind, side, at) for kind, side in sides) for at in RIM}


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return every legal action of the seat in a stable order; empty when it is not to act.

    Order: ways of the companion by square, then tools by rim space, kind and side.
    """
    if seat != state.seat:
        return ()
    if state.phase == "collecting":
        return (Collecting(places(collectable(state, seat))),)
    player = state.players[seat]
    found = [*_ways(state, player)]
    one, two, three = player.tools
    laying = _laying(one > 0, two > 0, three > 0).copy()
    for at in state.tools:
        del laying[at]
    for each in laying.values():
        found += each
    return tuple(found)


def _ways(state: State, player: Player) -> tuple[Choice, ...]:
    """Return the ways of its companion."""
    if player.companion is None:
        return _placings(CAVE[LEVELS[0]] & ~_stays(state, ENTERED))
    if state.phase == "advancing" and (level := LEVEL[player.companion]) < LEVELS[-1]:
        return _advances(CAVE[level + 1] & ~_stays(state, PASSED))
    return ()


def _stays(state: State, takes: tuple[Gem, ...]) -> Squares:
    """Return the squares on which a companion may not go: those with other gems, or with the other
    companion.
    """
    found = 0
    for where in state.gems[len(takes) :]:
        found |= where
    for player in state.players:
        if player.companion is not None:
            found |= BIT[player.companion]
    return found


# The squares on which a companion may go are the same for many steps.


@lru_cache(maxsize=1024)
def _placings(where: Squares) -> tuple[PlaceCompanion, ...]:
    return tuple(map(PlaceCompanion, places(where)))


@lru_cache(maxsize=1024)
def _advances(where: Squares) -> tuple[Advance, ...]:
    return tuple(map(Advance, places(where)))


def sample(choice: Choice, rng: Random) -> Action:
    """Return the action, or any part of what may be collected."""
    if isinstance(choice, Collecting):
        return Collect(tuple(at for at in choice.gems if rng.random() < 0.5))
    return choice


def idle(state: State, seat: int) -> Action:
    """Return what does least: collect nothing, or else lay the first tool that can be laid."""
    found = choices(state, seat)
    if isinstance(found[0], Collecting):
        return Collect(())
    laying = [choice for choice in found if isinstance(choice, LayTool)]
    return laying[0] if laying else next(each for each in found if isinstance(each, PlaceCompanion))


def _attempts(state: State) -> list[Action]:
    """Return one action of each sort that a person might try."""
    free = next(at for at in RIM if at not in state.tools)
    tools = [LayTool(kind, sides[0], free) for kind, sides in checks.SIDES_OF.items()]
    ways = [Advance(places(CAVE[level])[0]) for level in LEVELS[1:]]
    return [*ways, PlaceCompanion(SQUARES[0]), *tools, Collect(())]


def why_not(state: State, seat: int) -> list[tuple[Action, str, str]]:
    """(action, code, sentence) for each sort of action that is not possible now; empty when not to act."""
    if seat != state.seat:
        return []
    tried = ((action, checks.check(state, seat, action)) for action in _attempts(state))
    return [(action, code, sentence(state, seat, action, code)) for action, code in tried if code]
