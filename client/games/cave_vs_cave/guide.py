"""Tips for a first game, and the words of a hint: an action and its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import Action, Choice
from cave.cave_vs_cave.goods import changed_goods
from cave.cave_vs_cave.turns import goods_after_action
from client.games.cave_vs_cave import tasks, terms
from client.games.cave_vs_cave.scene import VersusScene
from client.present.advice import Guide
from client.wording import count, joined

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
TIPS = {
    "dig": "You paid for two: point at the second room, {enter} digs it.",
    "cavern": "The first full cave gets one more space: take the side that fits what you want there.",
    "draft": "Point at a space: the rooms that fit there come first. The fewest new walls have to do.",
    "cover": "The rest of the pile goes face down on your empty spaces; you dig it up in Era II.",
    "take": "Take a tile by its number, {y} hints. Each can be taken once a round.",
    "furnish": "Point at an empty space: > marks the rooms that fit its walls, {enter} furnishes.",
    "rooms": "Use your orange rooms for goods, the Cave Entrance too. Blue rooms work by themselves.",
    "excavate": "Digging turns a room up for both of you to furnish, and makes space in your cave.",
    "excavate alone": "Digging turns a room up for you to furnish, and makes space in your cave.",
    "wall": "Rooms want walls round them just so: a wall makes a space fit, or spoils it.",
    "actions": "Do the tile's actions in any order, each once; {e} ends the turn.",
    "food": "Out of food: {x} turns emmer, flax or gold into food at any time.",
    "waiting": "Your opponent is playing. {tab} shows the other cave.",
}

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
    return Guide(_MATTERS, TIPS, _ENDS)


MOST = 3


def words(scene: VersusScene, action: Action) -> str:
    if isinstance(action, act.Take):
        return f"take {tasks.tile_number(scene, action.tile)} {terms.tile_name(action.tile)}"
    choice = _choice(scene, action)
    told = tasks.choice_words(scene, choice)
    if isinstance(action, act.Furnish) and sum(_furnishes_as(action, each) for each in scene.choices) > 1:
        return f"{told} for {joined([f'{many} {good}' for good, many in choice.price.items()])}"
    return told


def reason(scene: VersusScene, action: Action, then: Sequence[Action] = ()) -> str:
    if isinstance(action, act.Take | act.Anytime) and (following := [*_following(scene, action, then)]):
        return f"then {joined(following[:MOST])}"
    if isinstance(action, act.EndTurn):
        return "you keep your goods: nothing that they can do this turn is worth more"
    if isinstance(action, act.Furnish | act.Draft):
        return f"it is worth {count(terms.room(action.room).vp, 'point')}"
    before, choice = scene.me.goods, _choice(scene, action)
    gained = [f"space for {count(action.spaces, 'room')}"] if isinstance(action, act.Excavate) else []
    if not isinstance(action, tasks.QUIET):
        more = changed_goods(before, goods_after_action(scene.cave, scene.seat, action))
        gained += [f"{many} {good}" for good, many in more.items() if many > 0]
    cost = [f"{many} {good}" for good, many in choice.price.items()]
    costs = f" and costs {joined(cost)}" if cost else ""
    return f"it brings {joined(gained)}{costs}" if gained else ""


def _following(scene: VersusScene, action: Action, then: Sequence[Action]) -> Iterator[str]:
    """Yield the words of planned actions, each in the state after the ones before it."""
    game = scene.state.game
    for before, each in pairwise((action, *then)):
        cave = game.apply(scene.cave, scene.seat, before).state
        if isinstance(each, act.EndTurn) or scene.seat not in game.to_act(cave):
            return
        choices = tuple(game.choices(cave, scene.seat))
        scene = replace(scene, view=replace(scene.view, cave=cave), choices=choices)
        yield words(scene, each)


def _furnishes_as(action: act.Furnish, choice: Choice) -> bool:
    other = choice.action
    return isinstance(other, act.Furnish) and (other.room, other.at) == (action.room, action.at)


def _choice(scene: VersusScene, action: Action) -> Choice:
    return next((each for each in scene.choices if each.action == action), Choice(action))
