"""What a seat may do now, and why the rest is not possible."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
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
from cave.sir_ocelots_cave.board import CAVE, LEVEL, RIM, SQUARES, Squares, places, squares
from cave.sir_ocelots_cave.components import GEMS, KINDS, LEVELS, Gem
from cave.sir_ocelots_cave.refusals import sentence
from cave.sir_ocelots_cave.sight import collectable
from cave.sir_ocelots_cave.state import State

_LAYING: Mapping[tuple[bool, ...], Mapping[Place, tuple[LayTool, ...]]] = {
    left: {
        at: tuple(
            LayTool(kind, side, at)
            for kind, some in zip(KINDS, left, strict=True)
            if some
            for side in checks.SIDES_OF[kind]
        )
        for at in RIM
    }
    for left in product((False, True), repeat=len(KINDS))
}
"""For each set of kinds that a player may have left: all that can be laid on each rim space, ready-made."""
_ADVANCES = {at: Advance(at) for at in SQUARES if LEVEL[at] != LEVELS[0]}
_PLACINGS = {at: PlaceCompanion(at) for at in SQUARES if LEVEL[at] == LEVELS[0]}


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Every legal action of the seat in a stable order; empty when it is not to act.

    Order: ways of the companion by square, then tools by rim space, kind and side.
    """
    if seat != state.seat:
        return ()
    if state.phase == "collecting":
        return (Collecting(places(collectable(state, seat))),)
    player = state.players[seat]
    found: list[Choice] = []
    if player.companion is None:
        found += [_PLACINGS[at] for at in places(_free(state, LEVELS[0], checks.ENTERED))]
    elif state.phase == "advancing" and (level := LEVEL[player.companion]) < LEVELS[-1]:
        found += [_ADVANCES[at] for at in places(_free(state, level + 1, checks.PASSED))]
    one, two, three = player.tools
    if one or two or three:
        laying = _LAYING[one > 0, two > 0, three > 0]
        laid = state.tools
        for at in RIM:
            if at not in laid:
                found += laying[at]
    return tuple(found)


def _free(state: State, level: int, takes: tuple[Gem, ...]) -> Squares:
    """The squares of a level on which a companion may go (rules 3.2 and 3.4)."""
    kept = sum(where for gem, where in zip(GEMS, state.gems, strict=True) if gem not in takes)
    kept |= squares(player.companion for player in state.players if player.companion)
    return CAVE[level] & ~kept


def sample(choice: Choice, rng: Random) -> Action:
    """The action, or any part of what may be collected."""
    if isinstance(choice, Collecting):
        return Collect(tuple(at for at in choice.gems if rng.random() < 0.5))
    return choice


def idle(state: State, seat: int) -> Action:
    """What does least: collect nothing, or else the first tool that can be laid."""
    found = choices(state, seat)
    if isinstance(found[0], Collecting):
        return Collect(())
    laying = [choice for choice in found if isinstance(choice, LayTool)]
    return laying[0] if laying else next(each for each in found if isinstance(each, PlaceCompanion))


def _attempts(state: State) -> list[Action]:
    """One action of each sort that a person might try."""
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
