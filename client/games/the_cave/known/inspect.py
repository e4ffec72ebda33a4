"""What lies under the cursor: kind, depth, exits, who is there, and every way in with its price."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from cave.game import Refusal
from cave.the_cave.actions import AnyChoice
from cave.the_cave.geometry import SIDES, Coord, around
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.state import State
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import Offer, offers, why_at
from client.games.the_cave.known.journey import Journey, journey, leading_to
from client.games.the_cave.known.walking import Walk, walk


class Inspection(msgspec.Struct, frozen=True):
    """``title`` names the place, ``facts`` describe it, ``ways`` lead there; ``why`` if none does."""

    title: str
    facts: tuple[str, ...]
    ways: tuple[Offer, ...] = ()
    why: str = ""
    journey: Journey | None = None


_TOKENS = {"water": "water token +3", "wonder": "photo token +2"}
_SQUEEZE_POINTS = ("", "+2", "+3", "+4")


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
    tile = cave.board.get(at)
    if tile is None:
        return _empty(cave, at, None if seat is None or seat in hidden else journey(cave, seat, at))
    facts = [_exits(cave, at)]
    if tile.token:
        facts.append(
            f"squeeze token {_SQUEEZE_POINTS[tile.level]}" if tile.kind == "squeeze" else _TOKENS[tile.kind]
        )
    facts += _who(cave, at, seat, names)
    title = f"{terms.kind(tile.kind, tile.level)}, depth {terms.depth(tile.depth)}"
    if seat is None or seat in hidden:
        return Inspection(title, tuple(facts))
    if not choices or cave.phase not in ("actions", "starving"):
        return Inspection(title, tuple(facts), journey=journey(cave, seat, at))
    here = cave.teams[seat].at
    if at == here:
        return Inspection(title, ("your team is here", *facts))
    found = tuple(offer for offer in offers(cave, seat, choices) if offer.choice.action.to == at)  # type: ignore[union-attr]
    there = journey(cave, seat, at)
    if not any(near.at == at for near in around(here)):
        return Inspection(title, tuple(facts), journey=there)
    if found and not all(offer.by_force for offer in found):
        return Inspection(title, tuple(facts), found, journey=_onward(there))
    walked = isinstance(walk(cave, seat, at), Walk)
    if found:
        # Rather than force its way in, the team walks round, if it can.
        return Inspection(title, tuple(facts), found, journey=there if walked else _onward(there))
    return Inspection(title, tuple(facts), why=why_at(refusals, at), journey=there if walked else None)


def _onward(found: Journey | None) -> Journey | None:
    """Return the way back alone, where the ways in are listed with their prices."""
    return None if found is None else msgspec.structs.replace(found, there="")


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


def _empty(cave: State, at: Coord, there: Journey | None) -> Inspection:
    if sides := [near.side for near in leading_to(cave, at)]:
        return Inspection("unexplored", (f"an exit leads here from {' '.join(sides)}",), journey=there)
    return Inspection("nothing here", ("no exit leads here yet",))
