"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.geometry import NAMES, side_towards
from cave.caves_of_casadh.state import where
from client.games.caves_of_casadh.known import terms
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.games.caves_of_casadh.known.tasks import WORDS

_AIMS = {
    "explore": "it is the way to an unexplored exit",
    "collect_treasure": "it is the way to a treasure",
    "collect_items": "it is the way to items",
    "leave": "it is the way out",
}


def words(scene: CasadhScene, action: Action) -> str:
    """Say what an action is."""
    match action:
        case act.Move(to):
            return f"go {_side(scene, to)}to {terms.hex_name(scene.cave, to)}"
        case act.Explore(to):
            return f"explore {_side(scene, to)}".rstrip()
        case act.Place(rotation):
            task = next((each for each in scene.tasks if each.actions == (action,)), None)
            how = f" so that you come {task.words}" if task else f", turned {rotation} times"
            return f"lay the hex{how}"
        case act.CollectItems(items):
            return f"take items: {terms.items(items)}"
        case act.EndTurn():
            return WORDS["end_turn"]
    found = next((each.words for each in scene.tasks if each.actions == (action,)), "")
    return found or WORDS.get(action.type, action.type.replace("_", " "))


def reason(_scene: CasadhScene, action: Action, then: Sequence[Action] = ()) -> str:
    """Say what a step leads to."""
    last = then[-1].type if then and isinstance(action, act.Move) else ""
    return _AIMS.get(last, "")


def _side(scene: CasadhScene, to: tuple[int, int]) -> str:
    side = side_towards(where(scene.cave, scene.seat), to)
    return "" if side is None else f"{NAMES[side]} "
