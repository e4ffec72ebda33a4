"""The values a game of The Cave consists of. All are frozen; a change makes a new value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cave.the_cave.geometry import ALL_OPEN, Coord, Edge

Kind = Literal["plain", "water", "wonder", "squeeze", "descent", "choke", "base"]
Phase = Literal["packing", "actions", "placing", "starving", "over"]
CampState = Literal["beside", "packed", "pitched", "abandoned"]
ItemName = Literal["consumable", "rope", "oxygen", "half_oxygen", "camera", "raft"]

ITEM_NAMES: tuple[ItemName, ...] = ("consumable", "rope", "oxygen", "half_oxygen", "camera", "raft")
UNIQUE_ITEMS: tuple[ItemName, ...] = ("camera", "raft")
TOKEN_KINDS: tuple[Kind, ...] = ("water", "wonder", "squeeze")

MIN_TEAMS = 2
MAX_TEAMS = 5
BACKPACK_SLOTS = 8  # rule 2.3
CAMP_SLOTS = 4  # rule 2.3
CAMP_FILLS = 2  # rule 2.3: slots of the backpack a packed camp takes
TURN_AP = 5  # rule 3.3
LEVEL = 25  # metres of depth to a level
TANKS_PER_OXYGEN = 2  # rule 2.3


class Items(Struct, frozen=True, cache_hash=True):
    """How many of each thing; every piece fills one slot (rule 2.3)."""

    consumable: int = 0
    rope: int = 0
    oxygen: int = 0
    half_oxygen: int = 0
    camera: int = 0
    raft: int = 0

    @property
    def slots(self) -> int:
        """Slots these things fill."""
        return self.consumable + self.rope + self.oxygen + self.half_oxygen + self.camera + self.raft

    @property
    def tanks(self) -> int:
        """Tanks of oxygen: a full token is two, a half-used one is one (rule 5.4)."""
        return TANKS_PER_OXYGEN * self.oxygen + self.half_oxygen

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in the order of ITEM_NAMES."""
        return (self.consumable, self.rope, self.oxygen, self.half_oxygen, self.camera, self.raft)

    def __add__(self, other: Items) -> Items:
        return Items(*[a + b for a, b in zip(self.counts(), other.counts(), strict=True)])

    def __sub__(self, other: Items) -> Items:
        return Items(*[a - b for a, b in zip(self.counts(), other.counts(), strict=True)])

    def holds(self, other: Items) -> bool:
        """Return whether ``other`` is a part of this."""
        return all(a >= b for a, b in zip(self.counts(), other.counts(), strict=True))

    def use_tank(self) -> Items:
        """Return one tank less: half-used tokens first, a full one becomes half-used (rule 5.4)."""
        if self.half_oxygen:
            return replace(self, half_oxygen=self.half_oxygen - 1)
        return replace(self, oxygen=self.oxygen - 1, half_oxygen=1)


NOTHING = Items()


class TileKind(Struct, frozen=True):
    """A tile as it lies in a stack or in the hand: what it is and which sides are open."""

    kind: Kind
    open: str
    level: int = 0
    """1 to 3 for a squeeze, else 0."""


CHOKE = TileKind("choke", ALL_OPEN)


class Tile(Struct, frozen=True):
    """A tile of the cave; ``depth`` in metres, ``token`` while its exploration token lies there."""

    kind: Kind
    open: str
    level: int
    depth: int
    token: bool
    start: bool

    @property
    def discoverable(self) -> bool:
        """Whether new tiles may be discovered from here (rules 4.1 and 4.4)."""
        return self.kind != "base" and self.kind != "choke"


class Camp(Struct, frozen=True):
    """A team's camp: never taken yet, packed, pitched somewhere, or gone (rule 6)."""

    state: CampState = "beside"
    at: Coord | None = None
    items: Items = NOTHING


class Tokens(Struct, frozen=True):
    """Exploration tokens a team has collected; ``squeeze`` by level, ``depth`` in metres, rising."""

    traverse: int = 0
    photo: int = 0
    water: int = 0
    squeeze: tuple[int, int, int] = (0, 0, 0)
    depth: tuple[int, ...] = ()


class Team(Struct, frozen=True):
    """A team of speleologists: where it stands, what it carries and what it has found."""

    at: Coord
    backpack: Items = NOTHING
    camp: Camp = Camp()
    tokens: Tokens = Tokens()
    lost: tuple[ItemName, ...] = ()
    """Camera and raft that are gone for good, in the order of UNIQUE_ITEMS (rules 6.7 and 6.8)."""

    @property
    def slots_used(self) -> int:
        """Slots of the backpack in use, a packed camp included."""
        return self.backpack.slots + (CAMP_FILLS if self.camp.state == "packed" else 0)


class Settings(Struct, frozen=True):
    """The switches of rule 8; an edition is a named set of them."""

    edition: Literal["english", "french"] = "english"
    choke_cost: int = 1
    final_phase: Literal["three_rounds", "one_turn"] = "three_rounds"
    stranded_score_nothing: bool = True
    camp_feeds: bool = True


EDITIONS: Mapping[str, Settings] = {
    "english": Settings(),
    "french": Settings("french", 2, "one_turn", False, False),
}


class State(Struct, frozen=True, gc=False):
    """A whole game, hidden order included.

    ``board`` and ``ropes`` are never changed in place. ``turns_left`` is None until the end is
    triggered, then the turns still to be played, the running one included. ``seat`` is None when
    the game is over.
    """

    settings: Settings
    teams: tuple[Team, ...]
    board: Mapping[Coord, Tile]
    ropes: Mapping[Edge, int]
    stacks: tuple[tuple[TileKind, ...], ...]
    open_exits: int
    """Unexplored exits from which something could be discovered, all over the cave (rule 7.1)."""
    seat: int | None
    ap: int
    phase: Phase
    first_seat: int
    turns_left: int | None = None
    drawn: TileKind | None = None
    packed: frozenset[int] = frozenset()
    """While packing: the seats that are done."""

    @property
    def to_act(self) -> frozenset[int]:
        """While packing all who have not packed, then the running turn's seat; nobody at the end."""
        if self.phase == "packing":
            return frozenset(range(len(self.teams))) - self.packed
        return frozenset() if self.seat is None else frozenset({self.seat})

    @property
    def tiles_left(self) -> bool:
        """Whether any stack still holds a tile."""
        return any(self.stacks)
