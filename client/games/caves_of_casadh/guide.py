"""Tips for a first game, and the words of a hint: an action and its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import scoring as prospects
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import (
    HAZARDS,
    ItemKind,
    beyond,
    components,
    distance,
    layout,
    side_towards,
)
from cave.caves_of_casadh.exploring import origin_of
from cave.caves_of_casadh.scoring import treasure_value
from cave.caves_of_casadh.state import State, cell_of, hex_of
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.scene import CasadhScene
from client.games.caves_of_casadh.tasks import WORDS
from client.present.advice import Guide
from client.wording import count, joined


def _acting(holds: Callable[[CasadhScene], bool]) -> Callable[[CasadhScene], bool]:
    return lambda scene: scene.mode == "actions" and holds(scene)


def _leads_home_with(scene: CasadhScene, item: ItemKind) -> bool:
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
TIPS = {
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
    "first turn": "{1} to {6} explore. Health points (HP, beside your name) are also your moves (MP).",
    "collect": "There is something in your passage: {c} looks for treasure, {i} takes items.",
    "treasure": "There is treasure in your passage: {c} looks at all of it, and you keep one.",
    "items": "There are items in your passage: {i} takes them, which ends the turn.",
    "rope": "A slope leads to another passage. With your Rope you can climb it, too: free, both ways.",
    "slope": "A slope leads to another passage: sliding is free, but only a Rope takes you back up.",
    "explore": "The ways out of the passage that you are in have numbers, with what they cost.",
    "waiting": "It is not your turn. Look around; {o} shows what has happened.",
}

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
    return Guide(_MATTERS, TIPS, _ENDS, _WARNINGS)


def words(scene: CasadhScene, action: Action) -> str:
    match action:
        case act.Move(to):
            return f"go {_side(scene, to)}to {terms.hex_name(scene.cave, to)}"
        case act.Explore(to):
            return f"explore {_side(scene, to)}".rstrip()
        case act.Place(rotation):
            task = next((each for each in scene.tasks if each.actions == (action,)), None)
            how = f" ({task.words})" if task else f", turned {rotation} times"
            return f"lay the hex{how}"
        case act.CollectItems(items):
            return f"take items: {terms.items(items)}"
        case act.EndTurn():
            return WORDS["end_turn"]
    found = next((each.words for each in scene.tasks if each.actions == (action,)), "")
    return found or WORDS.get(action.type, action.type.replace("_", " "))


def reason(scene: CasadhScene, action: Action, then: Sequence[Action] = ()) -> str:
    cave = scene.cave
    match action:
        case act.Move() | act.Slide():
            aim = then[-1] if then else action
            found = terms.items(aim.items) if isinstance(aim, act.CollectItems) else ""
            return f"it is the way to items ({found})" if found else ""
        case act.Keep(value):
            offered = filter(None, cave.offer.values) if cave.offer else ()
            return "it is the highest of them" if value == max(offered, default=0) else ""
        case act.EndTurn():
            return "nothing else is worth its MP" if cave.mp else "no MP are left"
        case act.UseMedkit():
            return f"you have {cave.players[scene.seat].hp} HP left, and it gives you all of them back"
        case act.CollectTreasure():
            lie = len(hex_of(cave, scene.seat).treasures)
            return f"you keep the best of {lie} treasures" if lie > 1 else "a treasure lies here"
        case act.CollectItems(items):
            return _helps(items)
        case act.Place(rotation):
            return _laid(cave, scene.seat, rotation)
        case act.Leave():
            return f"you are safe then with {count(treasure_value(cave.players[scene.seat]), 'point')}"
        case act.MoveGrue():
            return "a grue can hurt those who are still in the caves"
        case act.PlaceGrue(_, to):
            there = [scene.view.names[seat] for seat, each in enumerate(cave.players) if each.at == to]
            return f"{joined(there)} {'is' if len(there) == 1 else 'are'} there" if there else ""
        case act.Drive(to):
            return f"it is {count(distance(to, cell_of(cave, scene.seat)), 'hex')} away from you then"
        case act.GiveUp():
            return "there is no way out any more"
    return ""


def _helps(items: Sequence[ItemKind]) -> str:
    box = components()
    found = [terms.HAZARDS[name].lower() for name in HAZARDS if box.hazards[name].immune_item in items]
    found += [each.name for each in box.misfortunes.values() if {*each.immune_items} & {*items}]
    return f"it helps against {joined(found)}" if found else ""


def _laid(cave: State, seat: int, rotation: int) -> str:
    assert cave.drawn is not None
    lie, origin = layout(cave.drawn.hex, rotation), origin_of(cell_of(cave, seat), cave.drawn.to)
    passage = lie.owner[origin]
    if lie.hex.marker == passage:
        return "the finds are in the passage that you enter"
    ends = [side for side in lie.sides[passage] if beyond(cave.drawn.to, side) not in cave.map]
    if ends:
        return f"the passage that you enter leads to {count(len(ends), 'unexplored side')}"
    return ""


def _side(scene: CasadhScene, to: tuple[int, int]) -> str:
    side = side_towards(cell_of(scene.cave, scene.seat), to)
    return "" if side is None else f"{terms.WAYS[side]} "
