"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import Action, Choice
from cave.cave_vs_cave.gains import goods_after
from cave.cave_vs_cave.goods import changes
from client.games.cave_vs_cave.known import doings, terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.wording import count, joined

MOST = 3
"""Actions of a turn that are told."""
_VERBS: dict[type[Action], str] = {
    act.Anytime: "change",
    act.Furnish: "furnish",
    act.UseRoom: "use",
    act.BuildWall: "build the",
    act.Prospect: "change",
    act.TakeCavern: "take",
    act.Draft: "place",
}


def words(scene: VersusScene, action: Action) -> str:
    """Say what an action is."""
    if isinstance(action, act.Take):
        return f"take {terms.tile_name(action.tile)}"
    choice = _choice(scene, action)
    told = f"{_VERBS.get(type(action), '')} {doings.choice_words(scene, choice)}".strip()
    if isinstance(action, act.Furnish) and sum(_furnishes_as(action, each) for each in scene.choices) > 1:
        return f"{told} for {joined([f'{many} {good}' for good, many in choice.price.items()])}"
    return told


def reason(scene: VersusScene, action: Action, then: Sequence[Action] = ()) -> str:
    """Say what an action is done for: what comes after it in the turn, else what it brings and costs."""
    following = [words(scene, each) for each in then if not isinstance(each, act.EndTurn)]
    if following and isinstance(action, act.Take | act.Anytime):
        return f"then {joined(following[:MOST])}"
    if isinstance(action, act.EndTurn):
        return "you keep your goods: nothing that they can do this turn is worth more"
    if isinstance(action, act.Furnish | act.Draft):
        return f"it is worth {count(terms.room(action.room).vp, 'point')}"
    before, choice = scene.me.goods, _choice(scene, action)
    gained = [f"space for {count(action.spaces, 'room')}"] if isinstance(action, act.Excavate) else []
    if not isinstance(action, doings.QUIET):
        more = changes(before, goods_after(scene.cave, scene.seat, action))
        gained += [f"{many} {good}" for good, many in more.items() if many > 0]
    cost = [f"{many} {good}" for good, many in choice.price.items()]
    costs = f" and costs {joined(cost)}" if cost else ""
    return f"it brings {joined(gained)}{costs}" if gained else ""


def _furnishes_as(action: act.Furnish, choice: Choice) -> bool:
    other = choice.action
    return isinstance(other, act.Furnish) and (other.room, other.at) == (action.room, action.at)


def _choice(scene: VersusScene, action: Action) -> Choice:
    return next((each for each in scene.choices if each.action == action), Choice(action))
