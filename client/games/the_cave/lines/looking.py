"""The commands that look at a place that is named."""

from __future__ import annotations

from cave.the_cave.geometry import BASE
from client.games.the_cave.lines import places
from client.games.the_cave.scene import Desk

NO_PLACE = "Type a place as two numbers, such as 2,0, or a side, such as west."


def look(desk: Desk, rest: str) -> list[str]:
    """One place, or what lies around."""
    if not rest:
        return places.neighbours(desk)
    at = places.find(desk.cave, desk.team_at, rest)
    return [NO_PLACE] if at is None else [places.tile(desk.cave, at)]


def route(desk: Desk, rest: str) -> list[str]:
    """The cheapest way to a place."""
    at = places.find(desk.cave, desk.team_at, rest)
    return [NO_PLACE] if at is None else places.way(desk, at)


def home(desk: Desk) -> list[str]:
    """The cheapest way home."""
    return places.way(desk, BASE) if desk.team_at != BASE else ["You are at the base."]
