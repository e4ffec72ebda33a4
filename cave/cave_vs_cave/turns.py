"""What a seat has in a turn: the tile in hand and what it offers, the walls that are left."""

from __future__ import annotations

from functools import lru_cache

from cave.cave_vs_cave.components import Additional, Blue, components
from cave.cave_vs_cave.effects import SIZES, Effect, Size
from cave.cave_vs_cave.goods import Goods
from cave.cave_vs_cave.state import Player, State

Way = tuple[int, Effect]
"""An action of the tile by its number, and one of its effects."""

TILES = components().tiles
ROOMS = components().rooms
LIMITS: Goods = components().limits
BLUE: dict[str, Blue] = {room.id: room.blue for room in ROOMS.values() if room.blue is not None}
"""What blue rooms do."""
PROSPECTING = next(room for room, blue in BLUE.items() if blue.may is not None)
"""The blue room that is used by its owner's choice (rule 5.8)."""


def turns_each(state: State) -> int:
    """Return the turns that each player has in this round (rules 3.1, 7.4 and 9.1)."""
    return components().turns[state.era, state.alone][state.round - 1]


@lru_cache(maxsize=512)
def _ways(tile: str, turns: int, kind: str) -> tuple[Way, ...]:
    actions = TILES[tile].actions[turns]
    return tuple(
        (number, effect) for number, action in enumerate(actions) for effect in action if effect.kind == kind
    )


def ways(state: State, kind: str) -> tuple[Way, ...]:
    """Return what the tile in hand offers of this type."""
    return _ways(state.tile, turns_each(state), kind)


def room_action_of(state: State) -> tuple[int, Size] | None:
    """Return the number of the tile's room action and its size; None where it has none."""
    for number, effect in ways(state, "use_room"):
        assert effect.rooms is not None
        return number, effect.rooms
    return None


def space_of(state: State, tile: str) -> Additional | None:
    """Return the space of Era II's action board on which a face-up tile lies; None for a tile of Era I."""
    if TILES[tile].era == 1:
        return None
    new = [each for each in state.up if TILES[each].era > 1]
    return components().additional[new.index(tile)]


def effects_of_space(state: State, tile: str) -> tuple[Effect, ...]:
    """Return the effects of a face-up tile's Additional Action (rule 7.5); none for a tile of Era I."""
    space = space_of(state, tile)
    return () if space is None else space.effects


def needs_more(state: State, tile: str) -> int | None:
    """Return the good of which one needs more than the opponent to take a tile (rules 3.2, 7.6 and 9.3)."""
    if state.alone:
        return None
    space = space_of(state, tile)
    return TILES[tile].needs_more if space is None else space.needs_more


def allowed(player: Player, size: Size) -> int:
    """Return how many rooms a room action may use (rules 5.1 and 5.6)."""
    more = sum(
        BLUE[room].more_rooms for room in player.rooms.values() if room in BLUE and size in BLUE[room].rooms
    )
    return SIZES[size] + more


def balance(player: Player) -> int:
    """Return how many more orange than blue rooms there are, the entrance counted (rule 4.8)."""
    blue = sum(room in BLUE for room in player.rooms.values())
    return 1 + len(player.rooms) - 2 * blue


def walls_left(state: State, seat: int) -> int:
    """Return the walls that a seat could build now (rules 1.3, 7.3 and 8.2)."""
    box = components()
    if state.drafting:
        return box.draft_walls - len(state.players[seat].walls)
    built = sum(len(player.walls) for player in state.players)
    return all_walls(state) - built


def all_walls(state: State) -> int:
    """Return the walls in the game: those of Era II come for two players only (rules 1.3, 7.3 and 9.1)."""
    walls = components().walls
    return walls[1] + (walls[2] if state.era > 1 and not state.alone else 0)
