"""The tips for a first game, and when each of them matters."""

from __future__ import annotations

from collections.abc import Callable

from cave.sir_ocelots_cave.board import LEVEL
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.terms import LAST_TURNS
from client.present.guide import Guide


def _acting(holds: Callable[[OcelotScene], bool]) -> Callable[[OcelotScene], bool]:
    return lambda scene: scene.mode == "acting" and holds(scene)


def _can_advance(scene: OcelotScene) -> bool:
    return bool(scene.ways) and scene.me.companion is not None


def _below(scene: OcelotScene) -> bool:
    return scene.me.companion is not None and LEVEL[scene.me.companion] > 1


# The most urgent first.
_MATTERS: dict[str, Callable[[OcelotScene], bool]] = {
    "collecting": lambda scene: scene.mode == "collecting",
    "last turns": _acting(lambda scene: scene.cave.turns_left <= LAST_TURNS),
    "first turn": _acting(lambda _scene: True),
    "short": _acting(lambda scene: bool(scene.short)),
    "advance": _acting(_can_advance),
    "companion": _acting(lambda scene: scene.me.companion is None and scene.turn_number > 4),
    "amethyst": _acting(lambda scene: bool(scene.me.amethysts)),
    "below": _acting(_below),
    "waiting": lambda scene: scene.mode == "waiting",
}
WORDS = {
    "collecting": "You can collect these gems: {enter} takes all, {space} leaves one out.",
    "last turns": "The last turns: what is not collected by their end brings no points.",
    "first turn": "A gem seen by compass, lamp and pickaxe is collected: {enter} lays one, {y} hints.",
    "short": "A ! marks gems for which one tool is missing: {n} goes where you can lay it.",
    "advance": "Before you place a piece, your companion can go a level down: {m}.",
    "companion": "Your companion stands in for a tool, for you alone: {m} shows where it can go.",
    "amethyst": "Your amethysts are secret; what they are worth now stands beside them.",
    "below": "Deeper levels have better gems; your companion never comes back up.",
    "waiting": "It is not your turn. Point at any place to plan your next tool.",
}
"""The sentences, by the name of the tip; keys stand in braces, by their usual names."""


_ENDS = {
    "collecting": ("collected",),
    "first turn": ("tool_placed", "companion_placed"),
    "short": ("collected",),
    "advance": ("advanced",),
    "companion": ("companion_placed",),
}


def guide() -> Guide[OcelotScene]:
    """Make a guide for one person at one table."""
    return Guide(_MATTERS, WORDS, _ENDS)
