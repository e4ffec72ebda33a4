"""The commands that look at a place that is named."""

from __future__ import annotations

from cave.the_cave.geometry import BASE
from client.games.the_cave.lines import places
from client.games.the_cave.scene import CaveScene

NO_PLACE = "Type a place as two numbers, such as 2,0, or a side, such as west."


def look(scene: CaveScene, rest: str) -> list[str]:
    """One place, or what lies around."""
    if not rest:
        return places.neighbours(scene)
    at = places.find(scene.cave, scene.team_at, rest)
    return [NO_PLACE] if at is None else [places.tile(scene, at)]


def route(scene: CaveScene, rest: str) -> list[str]:
    """The cheapest way to a place."""
    at = places.find(scene.cave, scene.team_at, rest)
    return [NO_PLACE] if at is None else places.way(scene, at)


def home(scene: CaveScene) -> list[str]:
    """The cheapest way home."""
    return places.way(scene, BASE) if scene.team_at != BASE else [f"{places.who(scene)} at the base."]
