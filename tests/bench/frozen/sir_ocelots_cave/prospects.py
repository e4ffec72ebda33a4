"""Gains of a placement: for bots, and for advice to players.

It uses open information only, so that a view's state is enough.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cave.codec import Place
from cave.sir_ocelots_cave.components import KEPT, KINDS, RIM, TOOLS, Squares, Tool, components
from cave.sir_ocelots_cave.scoring import POINTS
from cave.sir_ocelots_cave.state import LaidTool, State, seen_enough, with_tool

GEODE = 5
"""Approximate worth of an amethyst: the mean of their values."""
_WORTH = (*(POINTS[gem] for gem in KEPT), GEODE)
_SIDES_OF = components().tools


class Prospect(Struct, frozen=True):
    """Gems for the player, and then, with one more tool, for the rival."""

    gains: Squares
    hands_over: Squares


def worth(state: State, of: Squares) -> int:
    """Return the points of the gems on these squares, with a guess for geodes."""
    return sum(each * (where & of).bit_count() for each, where in zip(_WORTH, state.gems, strict=True))


def tools_left(state: State, seat: int) -> tuple[Tool, ...]:
    """The tools that a seat can still lay."""
    left = [kind for kind, number in zip(KINDS, state.players[seat].tools, strict=True) if number]
    return tuple(tool for tool in TOOLS if any(tool in _SIDES_OF[kind] for kind in left))


def gains(state: State, seat: int, at: Place, tool: Tool) -> Squares:
    """Return the gems that a seat could collect if it laid a tool there (rule 4)."""
    sight = with_tool(state.sight, at, tool)
    return seen_enough(state.settings, sight, state.players[seat].companion) & state.with_gems


def one_tool_short(state: State, seat: int) -> Squares:
    """The gems that a seat can collect by laying just one of its tools."""
    found = 0
    for tool in tools_left(state, seat):
        for at in RIM:
            if at not in state.tools:
                found |= gains(state, seat, at, tool)
    return found & ~seen_enough(state.settings, state.sight, state.players[seat].companion)


def prospect(state: State, seat: int, at: Place, tool: Tool) -> Prospect:
    """Return the gain of laying a tool, and the gems that the rival could then collect in its next turn."""
    mine = gains(state, seat, at, tool)
    left = replace(
        state,
        gems=tuple(where & ~mine for where in state.gems),
        tools={**state.tools, at: LaidTool(KINDS[0], tool)},
        sight=with_tool(state.sight, at, tool),
    )
    rival = 1 - seat
    ready = seen_enough(left.settings, left.sight, left.players[rival].companion) & left.with_gems
    return Prospect(mine, ready | one_tool_short(left, rival))
