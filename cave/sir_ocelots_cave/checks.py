"""Whether an action is legal: the code of the refusal, or nothing. Rule 8 has the codes and their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave.actions import Action
from cave.sir_ocelots_cave.board import BIT, LEVEL, RAYS
from cave.sir_ocelots_cave.components import GEMS, KINDS, LEVELS, Gem, components
from cave.sir_ocelots_cave.sight import collectable
from cave.sir_ocelots_cave.state import LAID, State

ALLOWED_IN: Mapping[str, tuple[str, ...]] = {
    "advancing": ("advance", "tool", "companion"),
    "placing": ("tool", "companion"),
    "collecting": ("collect",),
}
"""The actions of each phase (rule 3.1)."""
SIDES_OF = components().tools
ENTERED: tuple[Gem, ...] = GEMS[:4]
"""The gems that a companion takes when it comes into the cave: crystals and celestites (rule 3.4)."""
PASSED: tuple[Gem, ...] = GEMS[:1]
"""The gem that it takes when it advances: a rock crystal (rule 3.2)."""


def check_seat(state: State, seat: int) -> str:
    """Return whether the seat is to act (codes ``game_over`` and ``not_your_turn``)."""
    if state.phase == "over":
        return "game_over"
    return "" if seat == state.seat else "not_your_turn"


def check_phase(state: State, kind: str) -> str:
    """Return whether an action of this type has its place in the phase."""
    return "" if kind in ALLOWED_IN[state.phase] else "wrong_phase"


def check(state: State, seat: int, action: Action) -> str:
    """Return the code of the refusal of any action, or nothing when it is legal."""
    return (
        check_seat(state, seat)
        or check_phase(state, action.type)
        or _CHECKS[type(action)](state, seat, action)
    )


def _advance(state: State, seat: int, action: act.Advance) -> str:
    """Rule 3.2."""
    stands = state.players[seat].companion
    if stands is None:
        return "companion_not_placed"
    level = LEVEL[stands]
    if level == LEVELS[-1]:
        return "deepest_level"
    return _square(state, action.to, level + 1, PASSED)


def _companion(state: State, seat: int, action: act.PlaceCompanion) -> str:
    """Rule 3.4."""
    if state.players[seat].companion is not None:
        return "companion_placed"
    return _square(state, action.at, LEVELS[0], ENTERED)


def _square(state: State, at: act.Place, level: int, takes: tuple[Gem, ...]) -> str:
    """Return whether a companion may go to a square of that level, and take what lies there."""
    if at not in BIT:
        return "no_square"
    if LEVEL[at] != level:
        return "wrong_level"
    if any(player.companion == at for player in state.players):
        return "occupied"
    gem = state.gem_at(at)
    return "" if gem is None or gem in takes else "gem_there"


def _tool(state: State, seat: int, action: act.LayTool) -> str:
    """Rule 3.3."""
    if (action.kind, action.side) not in LAID:
        return "bad_action"
    if not state.players[seat].tools[KINDS.index(action.kind)]:
        return "none_left"
    if action.at not in RAYS:
        return "no_space"
    return "occupied" if action.at in state.tools else ""


def _collect(state: State, seat: int, action: act.Collect) -> str:
    """Rule 3.5."""
    if len(set(action.gems)) < len(action.gems):
        return "bad_action"
    seen = collectable(state, seat)
    if all(BIT.get(at, 0) & seen for at in action.gems):
        return ""
    gems = state.with_gems
    return "not_seen" if all(BIT.get(at, 0) & gems for at in action.gems) else "no_gem"


_CHECKS: Mapping[type, Callable[[State, int, Any], str]] = {
    act.Advance: _advance,
    act.LayTool: _tool,
    act.PlaceCompanion: _companion,
    act.Collect: _collect,
}
