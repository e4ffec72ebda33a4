"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave.the_cave import actions as act
from cave.the_cave.actions import Action, Choice
from cave.the_cave.geometry import turned
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import LABELS
from client.games.the_cave.known.scene import CaveScene
from client.present.wording import count

_AIMS: dict[type[Any], str] = {
    act.Discover: "it is the way to an unexplored exit",
    act.Dive: "it is the way to a dive",
    act.Photograph: "it is the way to a photo",
}


def words(scene: CaveScene, action: Action) -> str:
    """Say what an action is, with its price in AP."""
    price = _ap(scene, action)
    return f"{_words(scene, action)}{f' ({price} AP)' if price else ''}"


def _words(scene: CaveScene, action: Action) -> str:
    match action:
        case act.Move(to, by):
            tile = scene.cave.board[to]
            verb = "force a way" if by == "force" else "move"
            means = "" if by == "force" else f" {terms.WAYS[by]}"
            return f"{verb} {_side(scene, to)} to {terms.a_tile(tile.kind, tile.level)}{means}".rstrip()
        case act.Place(at, rotation):
            drawn = scene.cave.drawn
            exits = ""
            if rotation is not None and drawn is not None:
                exits = f", its exits {' '.join(turned(drawn.open, rotation))}"
            return f"place the tile {_side(scene, at)}{exits}"
        case act.Pack(backpack, camp):
            filled = "" if camp is None else f", and in the camp {terms.items(camp)}"
            return f"pack {terms.items(backpack)}{filled}"
        case act.Exchange(to_camp, to_backpack):
            given = f"put {terms.items(to_camp)} into the camp" if to_camp.slots else ""
            taken = f"take {terms.items(to_backpack)} out of the camp" if to_backpack.slots else ""
            return " and ".join(filter(None, (given, taken)))
        case act.Discard(items):
            return f"discard {terms.items(items)}"
    return LABELS[action.type]


def reason(scene: CaveScene, action: Action, then: Sequence[Action] = ()) -> str:
    """Say what an action brings or leads to."""
    choice = _choice(scene, action)
    points = choice.price.points if choice is not None else 0
    leads = next((words for kind, words in _AIMS.items() if then and isinstance(then[-1], kind)), "")
    return f"it brings {count(points, 'point')}" if points else leads


def _side(scene: CaveScene, to: tuple[int, int]) -> str:
    return terms.SIDE_WORDS[terms.toward(scene.team_at, to)]


def _choice(scene: CaveScene, action: Action) -> Choice | None:
    return next((each for each in scene.choices if isinstance(each, Choice) and each.action == action), None)


def _ap(scene: CaveScene, action: Action) -> int:
    choice = _choice(scene, action)
    return choice.price.ap if choice is not None else 0
