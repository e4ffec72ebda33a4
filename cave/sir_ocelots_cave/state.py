"""The values a game of Sir Ocelot's Cave consists of. All are frozen; a change makes a new value.

Places are ``(x, y)``. Gems and what is seen are sets of squares (``board.Squares``), so that a change costs
little and undo, search and replay can share the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from cave.codec import JsonForm, Place
from cave.sir_ocelots_cave.board import BIT, Squares, places
from cave.sir_ocelots_cave.components import GEMS, KEPT, KINDS, BagName, Gem, Kind, Tool, Value, components

Phase = Literal["advancing", "placing", "collecting", "over"]
Edition = Literal["standard"]
CompanionSight = Literal["line", "cave"]
First = Literal["random", "seat_0", "seat_1"]

SEATS = 2
BLUE = 0
"""The bag from which celestites draw (rule 5.2)."""
COMPANIONS = ("moth", "bat")
PIECES = len(KINDS) * components().tools_of_each_kind + 1  # rule 1.6: tools and the companion
TURNS = SEATS * PIECES  # rule 6.1


class Settings(Struct, frozen=True):
    """The house rules (rule 7)."""

    edition: Edition = "standard"
    companion_sight: CompanionSight = "line"
    count_geodes_left: bool = True
    first: First = "random"


class Amethyst(JsonForm, frozen=True, omit_defaults=True):
    """An amethyst that somebody drew; its value is None to those who may not know it (rule 5.4)."""

    bag: BagName
    value: Value | None = None


class LaidTool(Struct, frozen=True):
    """A tool on the rim, with the side that lies up."""

    kind: Kind
    side: Tool


SIDES_OF = components().tools
LAID = {(kind, side): LaidTool(kind, side) for kind, sides in SIDES_OF.items() for side in sides}
"""The ways that tools can lie."""
_NO_TOOLS = (0,) * len(KINDS)


class Player(Struct, frozen=True, gc=False):
    """The things of a player: tools left of each kind, the companion's square, gems, amethysts in order."""

    tools: tuple[int, ...]
    companion: Place | None = None
    collected: tuple[int, ...] = (0,) * len(KEPT)
    """How many of each gem, in the order of ``KEPT``."""
    amethysts: tuple[Amethyst, ...] = ()

    @property
    def pieces(self) -> int:
        """Pieces not yet placed (rule 1.6)."""
        return sum(self.tools) + (self.companion is None)

    @property
    def has_pieces(self) -> bool:
        """Whether it has a piece left to place."""
        return self.companion is None or self.tools != _NO_TOOLS

    @property
    def sets(self) -> int:
        """Complete sets of celestites (rule 5.2)."""
        return complete_sets(self.collected)

    def has(self, gem: Gem) -> int:
        """Return how many of a gem it has collected."""
        return self.collected[GEMS.index(gem)]


Sight = tuple[Squares, ...]
"""The squares that each tool sees from each side: compass, lamp, pickaxe from N, then from E, S and W."""
BLIND: Sight = (0,) * 12


class State(Struct, frozen=True, gc=False):
    """A whole game, hidden order included. ``seat`` is None when the game is over."""

    settings: Settings
    players: tuple[Player, ...]
    gems: tuple[Squares, ...]
    """Where each gem lies, in the order of ``GEMS``."""
    tools: Mapping[Place, LaidTool]
    """The tools on the rim; never changed in place."""
    sight: Sight
    """The sight of the tools on the rim; follows from ``tools``."""
    bags: tuple[tuple[Value, ...], ...]
    """Amethysts left in the bags blue, green and red, the top first."""
    seat: int | None
    phase: Phase
    first_seat: int

    @property
    def to_act(self) -> frozenset[int]:
        """The running turn's seat; nobody at the end."""
        return _NOBODY if self.seat is None else _ALONE[self.seat]

    @property
    def turns_left(self) -> int:
        """Turns still to be played, the running one included: each uses up a piece (rule 6.1)."""
        return sum(player.pieces for player in self.players) + (self.phase == "collecting")

    def gem_at(self, at: Place) -> Gem | None:
        """Return the gem on a square."""
        bit = BIT[at]
        return next((gem for gem, where in zip(GEMS, self.gems, strict=True) if where & bit), None)

    @property
    def with_gems(self) -> Squares:
        """The squares on which a gem lies."""
        return gems_on(self.gems)

    def board(self) -> dict[Place, Gem]:
        """Return the gems by square."""
        return {at: gem for gem, where in zip(GEMS, self.gems, strict=True) for at in places(where)}


def complete_sets(collected: Sequence[int]) -> int:
    """Return sets of sun, crescent and star among the collected gems (rule 5.2)."""
    return min(collected[1:4])


def gems_on(gems: tuple[Squares, ...]) -> Squares:
    """Return the squares on which any of these gems lies."""
    one, two, three, four, five, six, seven, eight = gems
    return one | two | three | four | five | six | seven | eight


_NOBODY = frozenset[int]()
_ALONE = tuple(frozenset({seat}) for seat in range(SEATS))


def with_player(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """Return the players with one of them replaced."""
    return (player, players[1]) if seat == 0 else (players[0], player)
