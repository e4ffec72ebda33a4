"""Tips for a first game, and the words of a hint: an action and its reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import Action, Choice
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, Good, Goods, changed_goods, missing_amounts
from cave.cave_vs_cave.scoring import turns_left
from cave.cave_vs_cave.turns import goods_after_action
from cave.games import get_game
from cave.score import plain_number
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
    "board": lambda scene: scene.mode == "take",
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
    "take": "Take a tile by its key, {y} hints. Furnish: put a room on show into an empty space. "
    "Use: do what your orange room says. 1W is 1 wood, emmer a grain.",
    "board": "? is a face-down room, ? dig one that you can dig up. * before a room: it fits, and "
    "you have its cost. +1 W/S/E/L: use the Entrance for one of these.",
    "furnish": "Point at an empty space: * marks the rooms that fit its walls, {enter} furnishes. You pay the "
    "tile's price and the cost of the room.",
    "rooms": "Use your orange rooms for goods, the Cave Entrance too. Most blue rooms, marked b, work by themselves: "
    "you must have fewer of them than orange.",
    "excavate": "Digging turns a room up for both of you to furnish, and makes space in your cave.",
    "excavate alone": "Digging turns a room up for you to furnish, and makes space in your cave.",
    "wall": "Rooms want walls round them just so: a wall makes a space fit, or spoils it.",
    "actions": "Do the tile's actions in any order, each once; {e} ends the turn.",
    "food": "Out of food: {x} turns emmer, flax or gold into food at any time.",
    "waiting": "Your opponent is playing. {tab} shows the other cave, {f} what the rooms on show do.",
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


def newcomer_guide() -> Guide[VersusScene]:
    """Return the tips, with one for each tile that is not there from the start."""
    from cave.glossary import load_glossary  # not needed for the first screen

    later = [tile for tile in components().tiles.values() if tile.stage or tile.era > 1]
    matters = {tile.id: partial(_is_free, tile.id) for tile in later}
    words = load_glossary(get_game("cave-vs-cave"))
    tips = {tile.id: f"New tile, {tile.name}: {words[tile.name.lower()].says.partition(': ')[2]}" for tile in later}
    return Guide({**_MATTERS, **matters}, {**TIPS, **tips}, _ENDS)


def _is_free(tile: str, scene: VersusScene) -> bool:
    return scene.mode == "take" and tile in scene.cave.up and tile not in scene.cave.taken


MOST = 3
Step = tuple[VersusScene, Action]
"""A planned action, and the scene that the ones before it lead to."""


def words(scene: VersusScene, action: Action) -> str:
    if isinstance(action, act.Take):
        return f"take {terms.tile_name(action.tile)}"
    choice = _choice_of_action(scene, action)
    told = tasks.task_words(scene, choice)
    if isinstance(action, act.Furnish) and sum(_furnishes_as(action, each) for each in scene.choices) > 1:
        return f"{told} for {joined([f'{many} {good}' for good, many in choice.price.items()])}"
    return told


def reason_for_hint(scene: VersusScene, action: Action, then: Sequence[Action] = ()) -> str:
    if isinstance(action, act.EndTurn):
        return "nothing else that you can do this turn gains points"
    if isinstance(action, act.Furnish | act.Draft):
        return f"it is worth {_points(scene, [(scene, action)])}"
    if isinstance(action, act.Take | act.Anytime) and (following := [*_following_steps(scene, action, then)]):
        brings = _brings(scene, following)
        return f"then {joined(_plan(following)[:MOST])}{brings and f'; that brings {brings}'}"
    brings = "" if isinstance(action, tasks.QUIET) else _brings(scene, [(scene, action)])
    price = {} if " for " in words(scene, action) else _choice_of_action(scene, action).price  # it is named already
    cost = [f"{many} {good}" for good, many in price.items()]
    return f"it {f'costs {joined(cost)} and ' if cost else ''}brings {brings}" if brings else ""


def _plan(steps: Sequence[Step]) -> list[str]:
    told: list[str] = []
    for trades, some in groupby(steps, lambda step: isinstance(step[1], act.Anytime)):
        alike = [_planned_words(*step) for step in some]
        told += [f"make {len(alike)} food"] if trades else alike
    return told


def _planned_words(scene: VersusScene, action: Action) -> str:
    """Return an action in few words: what it brings follows, and its place is in the next hint."""
    digs_two = isinstance(action, act.Excavate) and action.spaces == 2
    return "dig 2 rooms" if digs_two else re.split(": (?:trade|get|raise) ", words(scene, action))[0]


def _brings(scene: VersusScene, steps: Sequence[Step]) -> str:
    """Return what actions bring, each in its scene, and what that is for."""
    last, action = steps[-1]
    goods = goods_after_action(last.cave, last.seat, action)
    more = {good: many for good, many in changed_goods(scene.me.goods, goods).items() if many > 0}
    each_scores = dict(components().points[scene.cave.era])
    if not _is_to_come(last, "furnish", "use_room", "exchange"):
        more = {good: many for good, many in more.items() if good in each_scores}
    points = _points(scene, steps)
    dug = sum(each.spaces if isinstance(each, act.Excavate) else _digs(each) for _, each in steps)
    gained = [points] if points else []
    gained += [
        terms.goods_words({good: many})
        + (f" ({count(plain_number(many * each_scores[good]), 'point')})" if good in each_scores else "")
        for good, many in more.items()
    ]
    if not _is_to_come(last, "furnish"):
        return joined(gained)
    if dug:
        spaces = "an empty space" if dug == 1 else f"{dug} empty spaces"
        first = f" (at the risk that {last.view.names[1 - last.seat]} is first)" if _rival_can_furnish(last) else ""
        gained += [f"{'a new room' if dug == 1 else f'{dug} new rooms'} to furnish{first}", spaces]
    fits = [f"space for {_with_points(made)}" for made in tasks.rooms_made_to_fit(last, action)[:1]]
    return joined([*gained, *fits]) + ("" if points or dug or fits else _aim(scene, goods, more))


def _points(scene: VersusScene, steps: Sequence[Step]) -> str:
    """Return the points of furnished rooms, and those of the goods that the steps cost; empty without rooms."""
    last, action = steps[-1]
    points = sum(terms.room_of_name(each.room).vp for _, each in steps if isinstance(each, act.Furnish | act.Draft))
    spent = tasks.points_of_spent_goods(scene, goods_after_action(last.cave, last.seat, action))
    less = f", less {plain_number(sum(spent.values()))} for {joined([*spent])}" if spent else ""
    return f"{count(points, 'point')}{less}" if points else ""


def _rival_can_furnish(scene: VersusScene) -> bool:
    """Return whether the opponent can furnish before you: has the next turn, a free tile, and its price."""
    cave, turns = scene.cave, scene.turns_this_round
    if cave.alone or len(cave.taken) >= turns * len(cave.players) or _tile_offers(scene, "furnish"):
        return False
    free = [components().tiles[tile].actions[turns] for tile in cave.up if tile not in cave.taken]
    prices = [each.pay for actions in free for effects in actions for each in effects if each.kind == "furnish"]
    return any(not missing_amounts(cave.players[1 - scene.seat].goods, each) for each in prices)


def _is_to_come(scene: VersusScene, *kinds: str) -> bool:
    """Return whether this turn has such actions left, or the seat has another turn in this game."""
    cave = scene.cave
    return turns_left(cave, scene.seat) > 1 or cave.phase == "take" or _tile_offers(scene, *kinds)


def _tile_offers(scene: VersusScene, *kinds: str) -> bool:
    """Return whether the tile in hand has such actions left; furnishing only with enough for its price."""
    cave = scene.cave
    if cave.phase == "take":
        return False
    actions = enumerate(components().tiles[cave.tile].actions[scene.turns_this_round])
    food = sum(scene.me.goods[2:6])  # emmer, flax and gold become food
    return any(
        each.kind in kinds and (each.kind != "furnish" or sum(many for _, many in each.pay) <= food)
        for number, effects in actions
        if number not in cave.done
        for each in effects
    )


def _digs(action: Action) -> bool:
    return isinstance(action, act.UseRoom) and action.at is not None


def _aim(scene: VersusScene, goods: Goods, more: Collection[Good]) -> str:
    """Return what more goods are for: a room on show, or else points, one of your own rooms, or food."""
    for room in _best_first(scene):
        before, after = (_missing(each, room) for each in (scene.me.goods, goods))
        if after < before and tasks.spaces_for(scene, room):
            return f", {'towards' if after else 'enough for'} {_with_points(room)}"
    if "gold" in more:
        return ""
    for room in scene.me.rooms.values():
        for effect in terms.room_of_name(room).effects:
            if effect.get and any(GOODS[good] in more for good, _ in effect.pay):
                return f", which {terms.room_name(room)} trades for {terms.amounts_as_letters(effect.get)}"
    if {"emmer", "flax"} & {*more}:
        return ", which can become food at any time"
    return ", which many rooms cost" if {"wood", "stone"} & {*more} else ""


def _missing(goods: Goods, room: str) -> int:
    return sum(many for _, many in missing_amounts(goods, terms.room_of_name(room).cost))


def _best_first(scene: VersusScene) -> list[str]:
    return sorted(scene.cave.display, key=lambda room: -terms.room_of_name(room).vp)


def _with_points(room: str) -> str:
    return f"{terms.room_name(room)} ({count(terms.room_of_name(room).vp, 'point')})"


def _following_steps(scene: VersusScene, action: Action, then: Sequence[Action]) -> Iterator[Step]:
    for before, each in pairwise((action, *then)):
        scene = _after(scene, before)
        if isinstance(each, act.EndTurn) or not scene.choices:
            return
        yield scene, each


def _after(scene: VersusScene, action: Action) -> VersusScene:
    game = scene.state.game
    cave = game.apply(scene.cave, scene.seat, action).state
    return replace(scene, view=replace(scene.view, cave=cave), choices=tuple(game.choices(cave, scene.seat)))


def _furnishes_as(action: act.Furnish, choice: Choice) -> bool:
    other = choice.action
    return isinstance(other, act.Furnish) and (other.room, other.at) == (action.room, action.at)


def _choice_of_action(scene: VersusScene, action: Action) -> Choice:
    return next((each for each in scene.choices if each.action == action), Choice(action))
