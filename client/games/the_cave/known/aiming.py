"""The tile in hand: over which of its places it is held, and how it is turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cave.the_cave.actions import FREE, AnyChoice, Choice, Place
from cave.the_cave.state import LEVEL, Coord, State, turned
from cave.the_cave.tiles import placements
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.picture import Ghost
from client.wording import count


class Spot(msgspec.Struct, frozen=True):
    """A place where the drawn tile may lie, and the legal quarter turns there (None for a choke)."""

    at: Coord
    side: str
    turns: tuple[int | None, ...]


def spots(cave: State, seat: int, choices: Sequence[AnyChoice]) -> tuple[Spot, ...]:
    """Return the legal places of the drawn tile, each with its legal quarter turns."""
    by_place: dict[Coord, list[int | None]] = {}
    for choice in choices:
        if isinstance(choice, Choice) and isinstance(choice.action, Place):
            by_place.setdefault(choice.action.at, []).append(choice.action.rotation)
    here = cave.teams[seat].at
    return tuple(Spot(at, terms.toward(here, at), tuple(turns)) for at, turns in by_place.items())


def trial_spots(cave: State) -> tuple[Spot, ...]:
    """Return the places of a tile that somebody has discovered, for all who look on (rule 4.2)."""
    if cave.phase != "placing" or cave.drawn is None or cave.seat is None:
        return ()
    found = placements(cave.board, cave.teams[cave.seat].at, cave.drawn)
    return spots(cave, cave.seat, [FREE.choice(place) for place in found])


class Aim(msgspec.Struct, frozen=True):
    """The tile over the ``place``-th of its ``spots``, in the ``turn``-th of its legal rotations there."""

    spots: tuple[Spot, ...]
    place: int = 0
    turn: int = 0

    @property
    def spot(self) -> Spot:
        return self.spots[self.place]

    @property
    def action(self) -> Place:
        return Place(self.spot.at, self.spot.turns[self.turn])

    def over(self, place: int) -> Aim:
        """Return the tile over another place; over the same one it stays turned as it is."""
        return self if place == self.place else Aim(self.spots, place)

    def over_next(self) -> Aim:
        return self.over((self.place + 1) % len(self.spots))

    def over_at(self, at: Coord) -> Aim | None:
        return next((self.over(place) for place, spot in enumerate(self.spots) if spot.at == at), None)

    def to_side(self, side: str) -> Aim | None:
        return next((self.over(place) for place, spot in enumerate(self.spots) if spot.side == side), None)

    def rotated(self) -> Aim:
        return Aim(self.spots, self.place, (self.turn + 1) % len(self.spot.turns))

    def ghost(self) -> Ghost:
        return Ghost(self.spot.at, self.spot.turns[self.turn])

    def numbers(self) -> Mapping[Coord, str]:
        return {spot.at: str(place + 1) for place, spot in enumerate(self.spots) if place != self.place}


def first_aim(spots: Sequence[Spot], wish: Coord | None) -> Aim | None:
    """Return the tile over the wished place, or else over its first one; None where there is none."""
    if not spots:
        return None
    aim = Aim(tuple(spots))
    return (aim.over_at(wish) if wish is not None else None) or aim


class Hand(msgspec.Struct, frozen=True):
    """The tile in hand and where its ghost is: what the screen says while placing."""

    title: str
    place: str
    turns: str
    open: str
    entering: str


def hand(cave: State, aim: Aim | None) -> Hand | None:
    drawn = cave.drawn
    if aim is None or drawn is None or cave.seat is None:
        return None
    here, spot = cave.board[cave.teams[cave.seat].at], aim.spot
    depth = here.depth + (LEVEL if drawn.kind == "descent" else 0)
    title = f"{terms.kind(drawn.kind, drawn.level)}, depth {terms.depth(depth)}"
    turns = f"rotation {aim.turn + 1} of {len(spot.turns)}" if len(spot.turns) > 1 else ""
    sides = "" if drawn.kind == "choke" else "open " + " ".join(turned(drawn.open, spot.turns[aim.turn] or 0))
    ropes = abs(depth - here.depth) // LEVEL
    entering = f"entering it then takes {count(ropes, 'rope')}" if ropes else ""
    place = f"place {aim.place + 1} of {len(aim.spots)} ({spot.side})"
    return Hand(title, place, turns, sides, entering)


def placing_lines(aim: Aim) -> tuple[ActionLine, ...]:
    side = terms.SIDE_WORDS[aim.spot.side]
    found = [ActionLine("enter", "enter", f"place it here, {side}", "place it here")]
    if len(aim.spot.turns) > 1:
        found.append(ActionLine("rotate", "r", "rotate it", "rotate it"))
    if len(aim.spots) > 1:
        found.append(ActionLine("next", "tab", "next place", "next place"))
    return tuple(found)
