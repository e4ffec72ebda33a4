"""The tips for a first game, and when each of them matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from client.games.cave_vs_cave.known.scene import VersusScene
from client.present.guide import Guide

# The most urgent first.
_MATTERS: Mapping[str, Callable[[VersusScene], bool]] = {
    "dig": lambda scene: scene.mode == "dig",
    "cavern": lambda scene: scene.mode == "cavern",
    "draft": lambda scene: scene.mode == "draft",
    "cover": lambda scene: scene.mode == "cover",
    "take": lambda scene: scene.mode == "take",
    "furnish": lambda scene: "furnish" in scene.kinds,
    "rooms": lambda scene: "use_room" in scene.kinds,
    "excavate": lambda scene: "excavate" in scene.kinds and not scene.cave.alone,
    "excavate alone": lambda scene: "excavate" in scene.kinds and scene.cave.alone,
    "wall": lambda scene: "build_wall" in scene.kinds,
    "actions": lambda scene: scene.mode == "actions",
    "food": lambda scene: "anytime" in scene.kinds and scene.me.goods[4] == 0,
    "waiting": lambda scene: scene.mode == "waiting",
}
WORDS = {
    "dig": "You paid for two: point at the second room, {enter} digs it.",
    "cavern": "The first full cave gets one more space: take the side that fits what you want there.",
    "draft": "Point at a space: the rooms that fit there come first. The fewest new walls have to do.",
    "cover": "The rest of the pile goes face down on your empty spaces; you dig it up in Era II.",
    "take": "Take a tile by its number. Each can be taken once a round. {y} gives a hint.",
    "furnish": "Point at an empty space: rooms on show that match its walls are listed, {enter} furnishes.",
    "rooms": "[1] uses one orange room, the Cave Entrance too. Blue rooms work by themselves.",
    "excavate": "Digging turns a room up for both of you to furnish, and makes space in your cave.",
    "excavate alone": "Digging turns a room up for you to furnish, and makes space in your cave.",
    "wall": "Rooms want walls round them just so: a wall makes a space fit, or spoils it.",
    "actions": "Do the tile's actions in any order, each once; {e} ends the turn.",
    "food": "Out of food: {x} turns emmer, flax or gold into food at any time.",
    "waiting": "Your opponent is playing. {tab} shows the other cave.",
}
"""The sentences, by the name of the tip; keys stand in braces, by their usual names."""


_ENDS = {
    "dig": ("excavated",),
    "cavern": ("cavern_taken",),
    "draft": ("drafted",),
    "cover": ("covered",),
    "take": ("took",),
    "furnish": ("furnished",),
    "rooms": ("room_used",),
    "excavate": ("excavated",),
    "excavate alone": ("excavated",),
    "wall": ("wall_built",),
    "actions": ("turn_ended",),
}


def guide() -> Guide[VersusScene]:
    """Make a guide for one person at one table."""
    return Guide(_MATTERS, WORDS, _ENDS)
