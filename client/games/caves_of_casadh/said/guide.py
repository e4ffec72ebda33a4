"""The tips for a first game, and when each of them matters."""

from __future__ import annotations

from collections.abc import Callable

from cave.caves_of_casadh import prospects
from cave.caves_of_casadh.components import ItemKind
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.present.guide import Guide


def _acting(holds: Callable[[CasadhScene], bool]) -> Callable[[CasadhScene], bool]:
    return lambda scene: scene.mode == "actions" and holds(scene)


def _leads_home_with(scene: CasadhScene, item: ItemKind) -> bool:
    """Return whether there is no way home now, but would be with this item."""
    if scene.home is not None or item in scene.me.items:
        return False
    return (scene.at, scene.me.passage) in prospects.homeward(scene.cave, (*scene.me.items, item))


# The most urgent first.
_MATTERS: dict[str, Callable[[CasadhScene], bool]] = {
    "placing": lambda scene: scene.mode == "placing",
    "keeping": lambda scene: scene.mode == "keeping" and len(scene.choices) > 1,
    "keeping one": lambda scene: scene.mode == "keeping" and len(scene.choices) == 1,
    "fleeing": lambda scene: scene.mode == "fleeing",
    "haunting": lambda scene: scene.mode == "haunting",
    "grue on the way": _acting(lambda scene: _leads_home_with(scene, "lantern")),
    "slope on the way": _acting(lambda scene: _leads_home_with(scene, "rope")),
    "cut off": _acting(lambda scene: scene.home is None),
    "deadly": _acting(lambda scene: scene.home is not None and scene.home.damage >= scene.me.hp),
    "weak": _acting(lambda scene: scene.me.hp <= 2),
    "first turn": _acting(lambda scene: len(scene.cave.map) == 1),
    "collect": _acting(lambda scene: scene.can("collect_treasure") and scene.can("collect_items")),
    "treasure": _acting(lambda scene: scene.can("collect_treasure")),
    "items": _acting(lambda scene: scene.can("collect_items")),
    "rope": _acting(lambda scene: scene.can("slide") and "rope" in scene.me.items),
    "slope": _acting(lambda scene: scene.can("slide")),
    "explore": _acting(lambda _scene: True),
    "waiting": lambda scene: scene.mode == "waiting",
}
WORDS = {
    "placing": "You lay the hex any way round: {r} turns it, {enter} lays it and steps on it.",
    "keeping": "You keep one of these treasures: type its number. Nobody else sees them.",
    "keeping one": "You keep this treasure: {1} or {enter}. Nobody else sees it.",
    "fleeing": "A grue! You flee to the nearest hex without one; each grue on the way takes 1 HP.",
    "haunting": "You are out, but not out of the game: {1} tries to move a grue.",
    "grue on the way": "A grue bars the way home: find a Brass Lantern, or explore another way.",
    "slope on the way": "The way home leads up a slope: find a Rope, or explore another way.",
    "cut off": "No known way leads home from here: explore on to find one.",
    "deadly": "The way home takes all your HP: find another way, or a thing that protects you.",
    "weak": "Few HP mean few MP: look at the way home below the map, and turn round in time.",
    "first turn": "Nothing is explored yet: the number of a side goes there; {y} gives a hint.",
    "collect": "There is something in your passage: {c} looks for treasure, {i} takes items.",
    "treasure": "There is treasure in your passage: {c} looks at all of it, and you keep one.",
    "items": "There are items in your passage: {i} takes them, which ends the turn.",
    "rope": "A slope leads from your passage to another one: free, and with your Rope both ways.",
    "slope": "A slope leads from your passage to another one: it is free, but only downwards.",
    "explore": "The ways out of the passage that you are in have numbers, with what they cost.",
    "waiting": "It is not your turn. Look around; {o} shows what has happened.",
}
"""The sentences, by the name of the tip; keys stand in braces, by their usual names."""


_ENDS = {
    "placing": ("hex_placed",),
    "keeping": ("treasure_kept",),
    "keeping one": ("treasure_kept",),
    "first turn": ("hex_placed",),
    "collect": ("treasure_kept", "items_collected"),
    "treasure": ("treasure_kept",),
    "items": ("items_collected",),
    "rope": ("slid",),
    "slope": ("slid",),
}
_WARNINGS = ("grue on the way", "slope on the way", "cut off", "deadly", "weak")


def guide() -> Guide[CasadhScene]:
    """Make a guide for one person at one table."""
    return Guide(_MATTERS, WORDS, _ENDS, _WARNINGS)
