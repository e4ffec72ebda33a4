"""The immutable values of a game of Sir Ocelot's Cave, and the gems collectable by sight (rule 4).

Places are ``(x, y)``. Gems and sight are sets of squares (``components.Squares``), so that changes are cheap.
Every placed piece adds its rays to ``State.sight``; a few ``&`` and ``|`` compute the collectable squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from cave.codec import JsonForm, Place
from cave.sir_ocelots_cave.components import (
    BIT,
    CAVE,
    GEMS,
    KEPT,
    KINDS,
    LEVEL,
    LINES,
    RAYS,
    SIDES,
    TOOLS,
    BagName,
    Gem,
    Kind,
    Ray,
    Squares,
    Tool,
    Value,
    components,
    squares_in_order,
)

Phase = Literal["advancing", "placing", "collecting", "over"]
Edition = Literal["standard"]
CompanionSight = Literal["line", "cave"]
First = Literal["random", "seat_0", "seat_1"]

SEATS = 2
BLUE = 0
"""The bag from which celestites draw (rule 5.2)."""
PIECES = len(KINDS) * components().tools_of_each_kind + 1  # rule 1.6: tools and the companion
TURNS = SEATS * PIECES  # rule 6.1


class Settings(Struct, frozen=True):
    """The house rules (rule 7)."""

    edition: Edition = "standard"
    companion_sight: CompanionSight = "line"
    count_geodes_left: bool = True
    first: First = "random"


class Amethyst(JsonForm, frozen=True, omit_defaults=True):
    """A drawn amethyst; its value is None if hidden from the viewer (rule 5.4)."""

    bag: BagName
    value: Value | None = None


class LaidTool(Struct, frozen=True):
    """A tool on the rim, with the side that is up."""

    kind: Kind
    side: Tool


SIDES_OF = components().tools
LAID = {(kind, side): LaidTool(kind, side) for kind, sides in SIDES_OF.items() for side in sides}
"""All possible tools on the rim."""
_NO_TOOLS = (0,) * len(KINDS)


class Player(Struct, frozen=True, gc=False):
    """A player's tools left of each kind, companion's square, gems, and amethysts in order."""

    tools: tuple[int, ...]
    companion: Place | None = None
    collected: tuple[int, ...] = (0,) * len(KEPT)
    """Number of each gem, in the order of ``KEPT``."""
    amethysts: tuple[Amethyst, ...] = ()

    @property
    def pieces_left(self) -> int:
        """Pieces not yet placed (rule 1.6)."""
        return sum(self.tools) + (self.companion is None)

    @property
    def has_pieces(self) -> bool:
        return self.companion is None or self.tools != _NO_TOOLS

    @property
    def celestite_sets(self) -> int:
        """Complete sets of celestites (rule 5.2)."""
        return complete_sets(self.collected)

    def count_collected(self, gem: Gem) -> int:
        return self.collected[GEMS.index(gem)]


Sight = tuple[Squares, ...]
"""The squares that each tool sees by side: compass, lamp, pickaxe from N, then from E, S and W."""
BLIND: Sight = (0,) * 12


class State(Struct, frozen=True, gc=False):
    """A complete game, including hidden order. ``seat`` is None when the game is over."""

    settings: Settings
    players: tuple[Player, ...]
    gems: tuple[Squares, ...]
    """The squares of each gem, in the order of ``GEMS``."""
    tools: Mapping[Place, LaidTool]
    """The tools on the rim; never changed in place."""
    sight: Sight
    """The sight of the tools on the rim, derived from ``tools``."""
    bags: tuple[tuple[Value, ...], ...]
    """Amethysts left in the bags blue, green and red, the next one first."""
    seat: int | None
    phase: Phase
    first_seat: int

    @property
    def to_act(self) -> frozenset[int]:
        """The seat whose turn it is; none at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]

    @property
    def turns_left(self) -> int:
        """Remaining turns, including the current one: each uses up a piece (rule 6.1)."""
        return sum(player.pieces_left for player in self.players) + (self.phase == "collecting")

    def gem_at(self, at: Place) -> Gem | None:
        bit = BIT[at]
        return next((gem for gem, where in zip(GEMS, self.gems, strict=True) if where & bit), None)

    @property
    def with_gems(self) -> Squares:
        return squares_of(self.gems)

    def gems_on_board(self) -> dict[Place, Gem]:
        return {at: gem for gem, where in zip(GEMS, self.gems, strict=True) for at in squares_in_order(where)}


def complete_sets(collected: Sequence[int]) -> int:
    """Return the number of sets of sun, crescent and star (rule 5.2)."""
    return min(collected[1:4])


def squares_of(gems: tuple[Squares, ...]) -> Squares:
    one, two, three, four, five, six, seven, eight = gems
    return one | two | three | four | five | six | seven | eight


_NOBODY = frozenset[int]()
_ALONE = tuple(frozenset({seat}) for seat in range(SEATS))


def with_player(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return (player, players[1]) if seat == 0 else (players[0], player)


def _by_side(rays: Iterable[Ray]) -> tuple[Squares, ...]:
    """Return the squares that rays see from N, E, S and W."""
    seen = dict.fromkeys(SIDES, 0)
    for ray in rays:
        seen[ray.side] |= ray.squares
    return tuple(seen.values())


COMPANION_SIGHT: Mapping[Place, tuple[Squares, ...]] = {at: _by_side(rays) for at, rays in LINES.items()}
"""The squares that a companion on each square sees from N, E, S and W."""
TOOL_SIGHT: Mapping[tuple[Place, Tool], tuple[tuple[int, Squares], ...]] = {
    (at, tool): tuple((len(TOOLS) * side + TOOLS.index(tool), seen) for side, seen in enumerate(_by_side(rays)) if seen)
    for at, rays in RAYS.items()
    for tool in TOOLS
}
"""For a tool on a rim space: the changed parts of ``Sight``, with the squares added."""


def with_tool(sight: Sight, at: Place, tool: Tool) -> Sight:
    """Return the sight with this tool added to the rim."""
    seen = list(sight)
    for part, more in TOOL_SIGHT[at, tool]:
        seen[part] |= more
    return tuple(seen)


def sight_of(tools: Mapping[Place, LaidTool]) -> Sight:
    sight = BLIND
    for at, tool in tools.items():
        sight = with_tool(sight, at, tool.side)
    return sight


def seen_by_tools(sight: Sight) -> Squares:
    """Return the squares that compass, lamp and pickaxe all see (rule 4.1). Tools on different rim spaces see
    a square from different sides.
    """
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = sight
    return (nc | ec | sc | wc) & (nl | el | sl | wl) & (np | ep | sp | wp)


# Cached: called several times in a turn.
@lru_cache(maxsize=1024)
def squares_completed_by_companion(sight: Sight, at: Place, reach: str) -> Squares:
    """Return the squares where a companion replaces a missing tool (rules 4.3 and 4.4)."""
    nc, nl, np, ec, el, ep, sc, sl, sp, wc, wl, wp = sight
    if reach == "cave":
        n, e, s, w = nc | nl | np, ec | el | ep, sc | sl | sp, wc | wl | wp
        three = (n & e & (s | w)) | (s & w & (n | e))
        two = _squares_within_two(nc | ec | sc | wc, nl | el | sl | wl, np | ep | sp | wp)
        return three & two & CAVE[LEVEL[at]]
    from_n, from_e, from_s, from_w = COMPANION_SIGHT[at]
    return (
        (from_n & _squares_within_two(ec | sc | wc, el | sl | wl, ep | sp | wp))
        | (from_e & _squares_within_two(nc | sc | wc, nl | sl | wl, np | sp | wp))
        | (from_s & _squares_within_two(nc | ec | wc, nl | el | wl, np | ep | wp))
        | (from_w & _squares_within_two(nc | ec | sc, nl | el | sl, np | ep | sp))
    )


def _squares_within_two(one: Squares, two: Squares, three: Squares) -> Squares:
    return (one & two) | (three & (one | two))


def collectable_gems(state: State, seat: int) -> Squares:
    """Return the gems that a seat may collect in step 3 of its turn (rule 4)."""
    return seen_enough(state.settings, state.sight, state.players[seat].companion) & squares_of(state.gems)


def seen_enough(settings: Settings, sight: Sight, companion: Place | None) -> Squares:
    """Return the squares from which a seat may collect with this sight and its companion there."""
    found = seen_by_tools(sight)
    if companion is not None:
        found |= squares_completed_by_companion(sight, companion, settings.companion_sight)
    return found


def tools_seeing(state: State, at: Place) -> dict[str, Tool]:
    bit, seen = BIT[at], {}
    for number, where in enumerate(state.sight):
        if where & bit:
            seen[SIDES[number // len(TOOLS)]] = TOOLS[number % len(TOOLS)]
    return seen


def missing_tools(state: State, at: Place) -> tuple[Tool, ...]:
    """Return the tools that do not see a square yet (rule 4.1)."""
    seen = tools_seeing(state, at).values()
    return tuple(tool for tool in TOOLS if tool not in seen)


def companion_sees(state: State, seat: int, at: Place) -> bool:
    """Return whether a seat's companion may replace a tool for that square (rules 4.3 and 4.4)."""
    stands = state.players[seat].companion
    if stands is None or LEVEL[stands] != LEVEL[at]:
        return False
    return state.settings.companion_sight == "cave" or any(at in ray.line for ray in LINES[stands])
