"""Sentences for both screens and lines. Usual keys stand in braces."""

from __future__ import annotations

from cave.cave_vs_cave.components import components
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo what was turned up or dug, nor a turn that has ended."
CONFIRM_END = "The tile still offers something. End the turn?"


def moment(scene: VersusScene) -> str:
    """Era, round and turn, or what happens before them."""
    cave = scene.cave
    if cave.phase == "draft" or (cave.drafting and cave.phase == "cavern"):
        return "draft"
    if cave.phase == "cover":
        return "covering"
    rounds = len(components().turns[cave.era, cave.alone])
    era = "" if cave.settings.edition == "era-1" else f"Era {'I' * cave.era}, "
    return f"{era}round {cave.round} of {rounds}, turn {min(scene.turn_number, scene.turns)} of {scene.turns}"


def goal(scene: VersusScene) -> str:
    """The goal of who plays alone."""
    if scene.cave.settings.edition == "era-1":
        return f"at least {components().goal_era_1} points"
    return f"more than {components().goal_both} points"


def asked(scene: VersusScene) -> str:
    """What is to be done now, in a few words."""
    cave = scene.cave
    match scene.mode:
        case "take":
            return "Take a tile that nobody took in this round."
        case "actions":
            return f"{terms.tile_name(cave.tile)}: any order, each once"
        case "dig":
            return "Dig the second room: point at it."
        case "cavern":
            return "Your cave is full: choose the side of the Additional Cavern."
        case "draft":
            return "Place one of the rooms on show, with as few new walls as can be."
        case "cover":
            return "Cover an empty space with a face-down room."
    return ""
