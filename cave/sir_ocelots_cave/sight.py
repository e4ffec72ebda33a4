"""Sight and what may be collected by it (rule 4), as sets of squares.

Every piece that is placed adds its rays to ``State.sight``. What is collectable follows from it by a few
``&`` and ``|``, whatever lies on the rim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from cave.codec import Place
from cave.sir_ocelots_cave.board import BIT, CAVE, LEVEL, LINES, RAYS, SIDES, Ray, Squares
from cave.sir_ocelots_cave.components import TOOLS, Tool
from cave.sir_ocelots_cave.state import BLIND, LaidTool, Settings, Sight, State, gems_on


def _by_side(rays: Iterable[Ray]) -> tuple[Squares, ...]:
    """Return the squares that rays see from N, E, S and W."""
    seen = dict.fromkeys(SIDES, 0)
    for ray in rays:
        seen[ray.side] |= ray.squares
    return tuple(seen.values())


RIM_SIGHT: Mapping[Place, tuple[Squares, ...]] = {at: _by_side(rays) for at, rays in RAYS.items()}
"""The squares that each rim space sees from N, E, S and W."""
_COMPANION_SIGHT: Mapping[Place, tuple[Squares, ...]] = {at: _by_side(rays) for at, rays in LINES.items()}
"""The squares that a companion on each square sees from N, E, S and W."""
_TOOL_SIGHT: Mapping[tuple[Place, Tool], tuple[tuple[int, Squares], ...]] = {
    (at, tool): tuple(
        (len(TOOLS) * side + TOOLS.index(tool), seen) for side, seen in enumerate(by_side) if seen
    )
    for at, by_side in RIM_SIGHT.items()
    for tool in TOOLS
}
"""The squares that a tool on each rim space adds to which parts of a ``Sight``."""


def with_tool(sight: Sight, at: Place, tool: Tool) -> Sight:
    """Return the sight once this tool lies on the rim as well."""
    seen = list(sight)
    for part, more in _TOOL_SIGHT[at, tool]:
        seen[part] |= more
    return tuple(seen)


def sight_of(tools: Mapping[Place, LaidTool]) -> Sight:
    """Return the sight of these tools."""
    sight = BLIND
    for at, tool in tools.items():
        sight = with_tool(sight, at, tool.side)
    return sight


def by_tools(sight: Sight) -> Squares:
    """Return the squares that compass, lamp and pickaxe see (rule 4.1); as they lie on different rim spaces,
    they see a square from different sides.
    """
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = sight
    return (nc | ec | sc | wc) & (nl | el | sl | wl) & (np | ep | sp | wp)


# Asked when a piece has been placed, for what can be collected then, and for what is.
@lru_cache(maxsize=1024)
def by_companion(sight: Sight, at: Place, reach: str) -> Squares:
    """Return the squares for which a companion stands in for a missing tool (rules 4.3 and 4.4)."""
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = sight
    if reach == "cave":
        n, e, s, w = nc | nl | np, ec | el | ep, sc | sl | sp, wc | wl | wp
        three = (n & e & (s | w)) | (s & w & (n | e))
        two = _two_of(nc | ec | sc | wc, nl | el | sl | wl, np | ep | sp | wp)
        return three & two & CAVE[LEVEL[at]]
    from_n, from_e, from_s, from_w = _COMPANION_SIGHT[at]
    return (
        (from_n & _two_of(ec | sc | wc, el | sl | wl, ep | sp | wp))
        | (from_e & _two_of(nc | sc | wc, nl | sl | wl, np | sp | wp))
        | (from_s & _two_of(nc | ec | wc, nl | el | wl, np | ep | wp))
        | (from_w & _two_of(nc | ec | sc, nl | el | sl, np | ep | sp))
    )


def _two_of(one: Squares, two: Squares, three: Squares) -> Squares:
    return (one & two) | (three & (one | two))


def collectable(state: State, seat: int) -> Squares:
    """Return the gems that a seat may collect at step 3 of its turn (rule 4)."""
    return seen_enough(state.settings, state.sight, state.players[seat].companion) & gems_on(state.gems)


def seen_enough(settings: Settings, sight: Sight, companion: Place | None) -> Squares:
    """Return the squares from which a seat may collect with these tools and its companion there."""
    found = by_tools(sight)
    if companion is not None:
        found |= by_companion(sight, companion, settings.companion_sight)
    return found


def tools_seeing(state: State, at: Place) -> dict[str, Tool]:
    """Return the tool that sees a square from each side, where one does."""
    bit, seen = BIT[at], {}
    for number, where in enumerate(state.sight):
        if where & bit:
            seen[SIDES[number // len(TOOLS)]] = TOOLS[number % len(TOOLS)]
    return seen


def missing(state: State, at: Place) -> tuple[Tool, ...]:
    """Return the tools that do not see a square yet (rule 4.1)."""
    seen = tools_seeing(state, at).values()
    return tuple(tool for tool in TOOLS if tool not in seen)


def companion_sees(state: State, seat: int, at: Place) -> bool:
    """Return whether a seat's companion may stand in for a tool at that square (rules 4.3 and 4.4)."""
    stands = state.players[seat].companion
    if stands is None or LEVEL[stands] != LEVEL[at]:
        return False
    return state.settings.companion_sight == "cave" or any(at in ray.line for ray in LINES[stands])
