"""A seat's cave and the display as they may be after some actions of a turn, with what a plan asks of them
again and again: what fits where, what can be dug up, which rooms can be used.

Everything here is as all may see it. A room that a plan digs up stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.board import BUILDABLE, CAVERN, accessible, empty, fits, is_full
from cave.cave_vs_cave.components import ENTRANCE, Room
from cave.cave_vs_cave.effects import SIZES, Size
from cave.cave_vs_cave.goods import Amounts
from cave.cave_vs_cave.state import Player
from cave.cave_vs_cave.turns import BLUE, ROOMS, balance
from cave.codec import Place

T = TypeVar("T")


class kept(Generic[T]):  # noqa: N801
    """A property that is worked out once. The one of the library takes a lock each time it does so."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__

    def __get__(self, owner: Any, kind: type) -> T:
        found = owner.__dict__[self._name] = self._work_out(owner)
        return found


class Shape:
    """A cave without its goods, and the display. A change makes a new one, the same one each time."""

    def __init__(self, player: Player, display: tuple[str, ...], era: int, cavern: str) -> None:
        self.player = player
        self.display = display
        self.era = era
        self.cavern = cavern
        self._next: dict[Hashable, Shape] = {}
        self.value = 0.0
        """What a judgement thinks of it; kept here, as it is asked for with many goods."""
        self.judged: object = None
        """By what scale the value is."""

    @kept
    def key(self) -> Hashable:
        """Return what tells it from others of the same turn."""
        player = self.player
        rooms = frozenset(player.rooms.items())
        return rooms, frozenset(player.covered), player.walls, player.cavern, len(self.display)

    @kept
    def spaces(self) -> tuple[Space, ...]:
        """Return the empty spaces."""
        return empty(self.player, self.era)

    @kept
    def fitting(self) -> tuple[tuple[Room, tuple[Space, ...]], ...]:
        """Return the rooms of the display that could be furnished (rules 4.5 and 4.8), with their spaces."""
        if not self.spaces:
            return ()
        blue = balance(self.player) > 1
        player = self.player
        found = (
            (ROOMS[room], fits(room, self.spaces, player.walls, self.cavern, player.cavern))
            for room in self.display
            if blue or room not in BLUE
        )
        return tuple((room, there) for room, there in found if there)

    @kept
    def hoped(self) -> tuple[tuple[float, Amounts], ...]:
        """Return the points and costs of the rooms that could be furnished, those with the most points
        first.
        """
        return tuple(
            sorted(((float(room.vp), room.cost) for room, _ in self.fitting), key=lambda each: -each[0])
        )

    @kept
    def orange(self) -> tuple[Room, ...]:
        """Return the rooms that a room action can use (rule 5.1)."""
        own = {*self.player.rooms.values()}
        return (ROOMS[ENTRANCE], *(room for name, room in ROOMS.items() if name in own and room.effects))

    @kept
    def blue(self) -> tuple[str, ...]:
        """Return its blue rooms, in the order of the data."""
        own = {*self.player.rooms.values()}
        return tuple(room for room in BLUE if room in own)

    @kept
    def reach(self) -> tuple[Place, ...]:
        """Return the face-down rooms that can be excavated."""
        return accessible(self.player, self.era)

    def reach_through_walls(self) -> tuple[Place, ...]:
        """Return those that Undermining can excavate (rule 4.3)."""
        return accessible(self.player, self.era, through=True)

    def uses(self, size: Size) -> int:
        """Return how many rooms a room action may use (rules 5.1 and 5.6)."""
        return SIZES[size] + sum(BLUE[room].more_rooms for room in self.blue if size in BLUE[room].rooms)

    def paid_by_blue(self, moment: str) -> Iterator[Amounts]:
        """Yield what blue rooms pay at this moment: ``dig`` or ``wall`` (rule 5.7)."""
        return (BLUE[room].get for room in self.blue if getattr(BLUE[room], moment))

    def with_room(self, room: str, at: Space) -> Shape:
        """Return it with a room of the display on a space."""
        change = (room, at)
        if change not in self._next:
            player = replace(self.player, rooms={**self.player.rooms, at: room})
            display = tuple(each for each in self.display if each != room)
            self._next[change] = Shape(player, display, self.era, self.cavern)
        return self._next[change]

    def fills(self, at: Space) -> bool:
        """Return whether a room on this space fills the boards (rule 4.9)."""
        return at != CAVERN and is_full(self.player, self.era)

    def with_cavern(self, walls: int) -> Shape:
        """Return it with the Additional Cavern."""
        return self._changed(("cavern", walls), cavern=walls)

    def without_cover(self, at: Place) -> Shape:
        """Return it with a room dug up."""
        left = {each: there for each, there in self.player.covered.items() if each != at}
        return self._changed(("dig", at), covered=left)

    def with_wall(self, edge: Edge) -> Shape:
        """Return it with a wall built."""
        return self._changed(("wall", edge), walls=self.player.walls | {edge})

    def without_wall(self, edge: Edge) -> Shape:
        """Return it with a wall razed."""
        return self._changed(("raze", edge), walls=self.player.walls - {edge})

    def _changed(self, change: Hashable, **fields: Any) -> Shape:
        if change not in self._next:
            self._next[change] = Shape(replace(self.player, **fields), self.display, self.era, self.cavern)
        return self._next[change]

    def buildable(self) -> list[Edge]:
        """Return the edges on which a wall can be built: those of empty spaces, or else any one of them."""
        edges = [edge for edge in BUILDABLE[self.era] if edge not in self.player.walls]
        spaces = {*self.spaces}
        return [edge for edge in edges if not spaces.isdisjoint(edge)] or edges[:1]
