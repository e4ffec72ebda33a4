"""A place: kind, depth, exits, who is there, and every way in with its price."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from cave.game import Refusal
from cave.the_cave.actions import AnyChoice
from cave.the_cave.geometry import SIDES, Coord, around
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.prices import passages
from cave.the_cave.state import State
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import ActionLine, moves, offers, why_at
from client.games.the_cave.known.picture import token_points
from client.games.the_cave.known.ways import Plan, Way, leading_to, plan, tile_for, walk
from client.wording import count


class Inspection(msgspec.Struct, frozen=True):
    """``title`` names the place, ``facts`` describe it, ``ways`` lead there; ``why`` if none does.

    ``plan`` is the way there and home again, where there is one to go; ``onward`` if the ways tell how to get
    there.
    """

    title: str
    facts: tuple[str, ...]
    ways: tuple[ActionLine, ...] = ()
    why: str = ""
    plan: Plan | None = None
    onward: bool = False


_TOKENS = {"water": "water", "wonder": "photo"}


def inspect(
    cave: State,
    at: Coord,
    seat: int | None = None,
    choices: Sequence[AnyChoice] = (),
    refusals: Sequence[Refusal] = (),
    *,
    names: Sequence[str],
    hidden: Collection[int] = (),
) -> Inspection:
    """Return all there is to know of a place; prices for ``seat`` when it is to act, and how to get there and
    home again.
    """
    there = None
    if seat is not None and seat not in hidden and cave.phase not in ("packing", "over"):
        goal = tile_for(cave, seat, at)
        there = None if goal in (None, cave.teams[seat].at) else plan(cave, seat, at)
    tile = cave.board.get(at)
    if tile is None:
        if sides := [near.side for near in leading_to(cave, at)]:
            return Inspection("unexplored", (f"an exit leads here from {' '.join(sides)}",), plan=there)
        return Inspection("nothing here", ("no exit leads here yet",))
    facts = [_exits(cave, at)]
    if tile.token:
        facts.append(f"{_TOKENS.get(tile.kind, 'squeeze')} token {terms.gain(token_points(tile))}")
    facts += _who(cave, at, seat, names)
    facts += [f"{count(climb, 'rope')} needed {side}" for _, side, climb in _climbs(cave, at)]
    title = f"{terms.kind(tile.kind, tile.level)}, depth {terms.depth(tile.depth)}"
    if seat is None or not choices or cave.phase not in ("actions", "starving"):
        return Inspection(title, tuple(facts), plan=there)
    here = cave.teams[seat].at
    if at == here:
        return Inspection(title, ("your team is here", *facts))
    if not any(near.at == at for near in around(here)):
        return Inspection(title, tuple(facts), plan=there)
    found = offers(cave, seat, [choice for choice in moves(choices) if choice.action.to == at])  # type: ignore[union-attr]
    # Rather than force its way in, the team walks round, if it can.
    walked = not any(not offer.by_force for offer in found) and isinstance(walk(cave, seat, at), Way)
    if found:
        return Inspection(title, tuple(facts), found, plan=there, onward=not walked)
    return Inspection(title, tuple(facts), why=why_at(refusals, at), plan=there if walked else None)


def _climbs(cave: State, at: Coord) -> list[tuple[Coord, str, int]]:
    """Return the passages that need ropes."""
    sides = {near.at: near.side for near in around(at)}
    return [(to, sides[to], climb) for to, _, climb in passages(cave, at) if climb]


def _exits(cave: State, at: Coord) -> str:
    tile = cave.board[at]
    if tile.kind == "choke":
        return "open to all sides"
    new = unexplored_exits(cave.board, at)
    unexplored = [near.side for near in around(at) if near.at in new]
    known = [side for side in SIDES if side in tile.open and side not in unexplored]
    text = "exits " + (" ".join(known) or "none")
    return text + (f", ? {' '.join(unexplored)}" if unexplored else "")


def _who(cave: State, at: Coord, seat: int | None, names: Sequence[str]) -> list[str]:
    here = [
        f"{terms.letter(number)} {names[number]}"
        for number, team in enumerate(cave.teams)
        if team.at == at and number != seat
    ]
    camps = [
        f"camp {terms.letter(number).lower()}"
        for number, team in enumerate(cave.teams)
        if team.camp.state == "pitched" and team.camp.at == at
    ]
    return [", ".join(part) for part in (here, camps) if part]
