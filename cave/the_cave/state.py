"""The immutable values of a game of The Cave.

Most are their own JSON, with the fields of a position. x grows east, y grows south; the home base is (0, 0).
"""

# No quoted types here: msgspec would have to compile each string at every start.
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import astuple, replace

from cave.codec import Count, JsonForm, Place, Size, Whole, default_in_json

Kind = Literal["plain", "water", "wonder", "squeeze", "descent", "choke", "base"]
Phase = Literal["packing", "actions", "placing", "starving", "over"]
CampState = Literal["beside", "packed", "pitched", "abandoned"]
Unique = Literal["camera", "raft"]
ItemName = Literal["consumable", "rope", "oxygen", "half_oxygen", "camera", "raft"]

ITEM_NAMES: tuple[ItemName, ...] = ("consumable", "rope", "oxygen", "half_oxygen", "camera", "raft")
UNIQUE_ITEMS: tuple[Unique, ...] = ("camera", "raft")
TOKEN_KINDS: tuple[Kind, ...] = ("water", "wonder", "squeeze")

MIN_TEAMS = 2
MAX_TEAMS = 5
BACKPACK_SLOTS = 8  # rule 2.3
CAMP_SLOTS = 4  # rule 2.3
MOST_PIECES = BACKPACK_SLOTS + CAMP_SLOTS
"""The most items of one kind that a team can carry."""
CAMP_FILLS = 2  # rule 2.3: backpack slots of a packed camp
TURN_AP = 5  # rule 3.3
LEVEL = 25  # metres of depth per level
TANKS_PER_OXYGEN = 2  # rule 2.3


Coord = Place
Edge = tuple[Coord, Coord]
"""The border between two neighbouring places, the smaller place first."""

BASE: Coord = (0, 0)
FARTHEST = 99
"""The largest coordinate of a position: more than all tiles in a line."""
MOST_TILES = 400
"""The most tiles on the board of a position, and in its stacks: five times the game's."""
SIDES = "NESW"
_STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ALL_OPEN = SIDES
OPEN_SIDES = frozenset("".join(sides) for number in range(1, 5) for sides in combinations(SIDES, number))
"""All possible combinations of open sides."""


class Neighbour(NamedTuple):
    """A neighbouring place: its side, its coordinates, and its side that faces back."""

    side: str
    at: Coord
    facing: str
    edge: Edge


@lru_cache(maxsize=4096)
def neighbours_of(at: Coord) -> tuple[Neighbour, ...]:
    x, y = at
    found = []
    for side in SIDES:
        dx, dy = _STEP[side]
        there = (x + dx, y + dy)
        found.append(Neighbour(side, there, OPPOSITE[side], edge(at, there)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def open_neighbours(at: Coord, open_sides: str) -> tuple[Neighbour, ...]:
    """Return the neighbours at these sides of a place, in the order N, E, S, W."""
    return tuple(each for each in neighbours_of(at) if each.side in open_sides)


def edge(a: Coord, b: Coord) -> Edge:
    return min(a, b), max(a, b)


@lru_cache(maxsize=1024)
def turn_sides(open_sides: str, quarters: int) -> str:
    """Return the open sides after this many quarter turns clockwise, in the order N, E, S, W."""
    moved = {SIDES[(SIDES.index(side) + quarters) % 4] for side in open_sides}
    return "".join(side for side in SIDES if side in moved)


@lru_cache(maxsize=64)
def distinct_rotations(open_sides: str) -> tuple[tuple[int, str], ...]:
    """Return the different ways to lay a tile: (smallest quarter turns, open sides then)."""
    seen: dict[str, int] = {}
    for quarters in range(4):
        seen.setdefault(turn_sides(open_sides, quarters), quarters)
    return tuple((quarters, sides) for sides, quarters in seen.items())


def smallest_turn(open_sides: str) -> str:
    """Return the alphabetically first rotation of the open sides: a canonical form."""
    return min(sides for _, sides in distinct_rotations(open_sides))


def is_within(at: Coord, farthest: int) -> bool:
    return max(abs(at[0]), abs(at[1])) <= farthest


class Items(JsonForm, frozen=True, omit_defaults=True, cache_hash=True):
    """Number of each item; every piece fills one slot (rule 2.3)."""

    consumable: Count = 0
    rope: Count = 0
    oxygen: Count = 0
    half_oxygen: Count = 0
    camera: Count = 0
    raft: Count = 0

    @property
    def slots_filled(self) -> int:
        return self.consumable + self.rope + self.oxygen + self.half_oxygen + self.camera + self.raft

    @property
    def oxygen_tanks(self) -> int:
        """Tanks of oxygen: 2 for a full token, 1 for a half-used one (rule 5.4)."""
        return TANKS_PER_OXYGEN * self.oxygen + self.half_oxygen

    def counts(self) -> tuple[int, ...]:
        """Return the numbers in the order of ITEM_NAMES."""
        return astuple(self)

    def __add__(self, other: Self) -> "Items":
        return Items(*[a + b for a, b in zip(astuple(self), astuple(other), strict=True)])

    def __sub__(self, other: Self) -> "Items":
        return Items(*[a - b for a, b in zip(astuple(self), astuple(other), strict=True)])

    def holds(self, other: Self) -> bool:
        return all(a >= b for a, b in zip(astuple(self), astuple(other), strict=True))

    def use_tank(self) -> "Items":
        """Use one tank: half-used tokens first; a full one becomes half-used (rule 5.4)."""
        if self.half_oxygen:
            return replace(self, half_oxygen=self.half_oxygen - 1)
        return replace(self, oxygen=self.oxygen - 1, half_oxygen=1)


NOTHING = Items()


class TileKind(JsonForm, frozen=True, omit_defaults=True):
    """A tile in a stack or in the hand: its kind, its open sides, 1 to 3 for a squeeze."""

    kind: Kind
    open: str = ""
    level: Count = 0


CHOKE = TileKind("choke", ALL_OPEN)


class Tile(JsonForm, frozen=True, omit_defaults=True, kw_only=True):
    """A tile of the cave; ``depth`` in metres, ``token``: it still has its exploration token."""

    at: Coord
    kind: Kind
    open: str = ""
    depth: Count
    level: Count = 0
    token: bool = False
    start: bool = False

    @property
    def can_discover_from(self) -> bool:
        """Whether new tiles may be discovered from here (rules 4.1 and 4.4)."""
        return self.kind != "base" and self.kind != "choke"


class Camp(JsonForm, frozen=True, omit_defaults=True):
    """A team's camp: never taken yet, packed, pitched somewhere, or gone (rule 6)."""

    state: CampState = default_in_json("beside")
    at: Coord | None = None
    items: Items = NOTHING


class Tokens(JsonForm, frozen=True):
    """Exploration tokens of a team; ``squeeze`` by level, ``depth`` in metres, ascending."""

    traverse: Size = 0
    photo: Size = 0
    water: Size = 0
    squeeze: tuple[Size, Size, Size] = (0, 0, 0)
    depth: tuple[Count, ...] = ()


class Team(JsonForm, frozen=True, omit_defaults=True):
    """A team of speleologists: its place, items and tokens.

    ``lost``: camera and raft if gone for good, in the order of UNIQUE_ITEMS (rules 6.7 and 6.8).
    """

    at: Coord
    backpack: Items = default_in_json(NOTHING)
    camp: Camp = default_in_json(Camp())
    tokens: Tokens = default_in_json(Tokens())
    lost: tuple[Unique, ...] = ()

    @property
    def slots_used(self) -> int:
        """Slots of the backpack in use, a packed camp included."""
        return self.backpack.slots_filled + (CAMP_FILLS if self.camp.state == "packed" else 0)


class Settings(JsonForm, frozen=True):
    """The house rules of rule 8; an edition is a named set of them."""

    edition: Literal["english", "french"] = "english"
    choke_cost: Whole = 1
    final_phase: Literal["three_rounds", "one_turn"] = "three_rounds"
    stranded_score_nothing: bool = True
    camp_feeds: bool = True


EDITIONS: Mapping[str, Settings] = {"english": Settings(), "french": Settings("french", 2, "one_turn", False, False)}


class State(Struct, frozen=True, gc=False):
    """A complete game, including hidden order.

    ``board`` and ``ropes`` are never changed in place. ``turns_left`` is None until the end is triggered,
    then the remaining turns, including the current one. ``seat`` is None when the game is over.
    """

    settings: Settings
    teams: tuple[Team, ...]
    board: Mapping[Coord, Tile]
    ropes: Mapping[Edge, int]
    stacks: tuple[tuple[TileKind, ...], ...]
    open_exits: int
    """Number of exits of the whole cave from which a tile can be discovered (rule 7.1)."""
    seat: int | None
    ap: int
    phase: Phase
    first_seat: int
    turns_left: int | None = None
    drawn: TileKind | None = None
    packed: frozenset[int] = frozenset()
    """While packing: the seats that have packed."""

    def with_team(self, seat: int, team: Team, /, **changes: Any) -> "State":
        return replace(self, teams=(*self.teams[:seat], team, *self.teams[seat + 1 :]), **changes)

    @property
    def to_act(self) -> frozenset[int]:
        """While packing, the seats that have not packed; then the seat whose turn it is; none at the end."""
        if self.phase == "packing":
            return frozenset(range(len(self.teams))) - self.packed
        return frozenset() if self.seat is None else frozenset({self.seat})

    @property
    def tiles_left(self) -> bool:
        """Whether any stack has a tile."""
        return any(self.stacks)
