"""Sentences for both screens and lines. Usual keys stand in braces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from client.face import LETTERS
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.said import result

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo what was turned up or dug, nor a turn that has ended."
PARTS: Mapping[str, str] = {
    "era_1": "Era I",
    "rooms": "rooms",
    "gold": "gold",
    "iron": "iron",
    "weapon": "weap.",
}
"""The parts of the points so far, in five letters."""
FIRST, SECOND = 9, 6
"""The columns of the points so far: of a part and the first player's points, and of the other's."""
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
    if scene.over:
        return f"{era}round {cave.round} of {rounds}"
    return f"{era}round {cave.round} of {rounds}, turn {min(scene.turn_number, scene.turns)} of {scene.turns}"


def points_lines(scene: VersusScene) -> list[str]:
    """Return the points so far, a line for each part, with a column for each player."""
    standing = scene.view.standing
    lines = [f"{LETTERS[0]:>{FIRST}}" + "".join(f"{LETTERS[each.seat]:>{SECOND}}" for each in standing[1:])]
    for part, title in PARTS.items():
        values = [score.points.get(part, 0) for score in standing]
        if any(values):
            lines.append(_figures(title, values))
    lines.append(_figures("total", [score.total or 0 for score in standing]))
    return [*lines, *([f"goal {goal_figure(scene):>4}"] if scene.cave.alone else [])]


def goods_lines(scene: VersusScene) -> list[str]:
    """Return the goods, a line for each: how many the shown player has, and then the other."""
    others = [(LETTERS[seat], each) for seat, each in enumerate(scene.cave.players) if seat != scene.seat]
    return [
        f"{name:<6} {scene.me.goods[good]:>2}"
        + "".join(f" {letter}{each.goods[good]}" for letter, each in others)
        for good, name in enumerate(GOODS[: components().kinds[scene.cave.era]])
    ]


def goal_figure(scene: VersusScene) -> str:
    """The goal of who plays alone, as a figure."""
    more = "" if scene.cave.settings.edition == "era-1" else ">"
    return f"{more}{result.goal_points(scene.cave)}"


def _figures(title: str, values: Sequence[float]) -> str:
    first, *others = (f"{value:g}" for value in values)
    shown = title if len(title) + len(first) < FIRST else title[:3]
    return f"{shown}{first:>{FIRST - len(shown)}}" + "".join(f"{other:>{SECOND}}" for other in others)


def track_lines(scene: VersusScene, signs: str) -> list[str]:
    """Return the track of rounds and that of turns; ``signs`` are one that has come, and one to come."""
    cave = scene.cave
    if cave.drafting or cave.phase == "cover":
        return []
    rounds = len(components().turns[cave.era, cave.alone])
    tracks = {"round": (cave.round, rounds), "turn": (min(scene.turn_number, scene.turns), scene.turns)}
    return [
        f"{title:<6}{signs[0] * there}{signs[1] * (most - there)}" for title, (there, most) in tracks.items()
    ]


def offers_more(scene: VersusScene) -> bool:
    """Whether the tile still offers something, so that the turn ends early."""
    return any(kind not in ("end_turn", "anytime") for kind in scene.kinds)


def goal(scene: VersusScene) -> str:
    """The goal of who plays alone."""
    return result.goal(scene.cave)


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
