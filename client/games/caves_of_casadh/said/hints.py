"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HAZARDS, ItemKind, components, layout
from cave.caves_of_casadh.exploring import origin_of
from cave.caves_of_casadh.geometry import NAMES, beyond, distance, side_towards
from cave.caves_of_casadh.scoring import treasure
from cave.caves_of_casadh.state import State, here, where
from client.games.caves_of_casadh.known import terms
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.games.caves_of_casadh.known.tasks import WORDS
from client.wording import count, joined


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


def reason(scene: CasadhScene, action: Action, _then: Sequence[Action] = ()) -> str:
    """Say what an action brings at once."""
    cave = scene.cave
    match action:
        case act.Keep(value):
            offered = filter(None, cave.offer.values) if cave.offer else ()
            return "it is the highest of them" if value == max(offered, default=0) else ""
        case act.EndTurn():
            return "nothing else is worth its MP" if cave.mp else "no MP are left"
        case act.UseMedkit():
            return f"you have {cave.players[scene.seat].hp} HP left, and it gives you all of them back"
        case act.CollectTreasure():
            lie = len(here(cave, scene.seat).treasures)
            return f"you keep the best of {lie} treasures" if lie > 1 else "a treasure lies here"
        case act.CollectItems(items):
            return _helps(items)
        case act.Place(rotation):
            return _laid(cave, scene.seat, rotation)
        case act.Leave():
            return f"you are safe then with {count(treasure(cave.players[scene.seat]), 'point')}"
        case act.MoveGrue():
            return "a grue can hurt those who are still in the caves"
        case act.PlaceGrue(_, to):
            found = [scene.view.names[seat] for seat, each in enumerate(cave.players) if each.at == to]
            return f"{joined(found)} {'is' if len(found) == 1 else 'are'} there" if found else ""
        case act.Drive(to):
            return f"it is {count(distance(to, where(cave, scene.seat)), 'hex')} away from you then"
        case act.GiveUp():
            return "there is no way out any more"
    return ""


def _helps(items: Sequence[ItemKind]) -> str:
    """Say what items help against."""
    box = components()
    found = [terms.HAZARDS[name].lower() for name in HAZARDS if box.hazards[name].immune_item in items]
    found += [each.name for each in box.misfortunes.values() if {*each.immune_items} & {*items}]
    return f"it helps against {joined(found)}" if found else ""


def _laid(cave: State, seat: int, rotation: int) -> str:
    """Say what lies in the passage that is entered, or where it leads."""
    assert cave.drawn is not None
    lie, origin = layout(cave.drawn.hex, rotation), origin_of(where(cave, seat), cave.drawn.to)
    passage = lie.owner[origin]
    if lie.hex.marker == passage:
        return "what is found lies in the passage that you enter"
    ends = [side for side in lie.sides[passage] if beyond(cave.drawn.to, side) not in cave.map]
    if ends:
        return f"the passage that you enter leads to {count(len(ends), 'unexplored side')}"
    return ""


def _side(scene: CasadhScene, to: tuple[int, int]) -> str:
    side = side_towards(where(scene.cave, scene.seat), to)
    return "" if side is None else f"{NAMES[side]} "
