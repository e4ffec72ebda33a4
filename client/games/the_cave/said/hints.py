"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from cave.the_cave import actions as act
from cave.the_cave.actions import Action, Choice
from cave.the_cave.geometry import BASE, beyond, turned
from cave.the_cave.placing import laid
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import LABELS
from client.games.the_cave.known.scene import CaveScene
from client.wording import count, joined

_USES = {"camera": "photos", "oxygen": "dives", "rope": "climbs", "raft": "water"}
"""What things in a backpack are for, besides consumables."""


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
    """Say what an action brings, or that a plan only leads home."""
    choice = _choice(scene, action)
    if isinstance(choice, Choice) and choice.price.points:
        return f"it brings {count(choice.price.points, 'point')}"
    match action:
        case act.Place():
            return _joins(scene, action)
        case act.Pack(backpack):
            uses = [use for name, use in _USES.items() if getattr(backpack, name)]
            gear = f", and gear for {joined(uses)}" if uses else ""
            return f"it has consumables for {count(backpack.consumable, 'turn')} after the first one{gear}"
        case act.EndTurn():
            return "you set out with all AP next turn" if then else "nothing within reach is worth its AP"
    goes = [each.to for each in (action, *then) if isinstance(each, act.Move)]
    return "it is the way home" if goes and goes[-1] == BASE else ""


def _joins(scene: CaveScene, place: act.Place) -> str:
    """Say what a tile opens and joins."""
    cave = scene.cave
    if cave.drawn is None:
        return ""
    tile = laid(cave.drawn, place.at, place.rotation, cave.board[scene.team_at])
    around = [(cave.board.get(to), facing) for _, to, facing, _ in beyond(place.at, tile.open)]
    exits = sum(there is None for there, _ in around)
    joins = sum(there is not None and facing in there.open for there, facing in around) - 1
    told = [f"opens {count(exits, 'new exit')}"] if exits else []
    told += [f"joins {count(joins, 'more passage')}"] if joins else []
    return f"it {joined(told)}" if told else ""


def _side(scene: CaveScene, to: tuple[int, int]) -> str:
    return terms.SIDE_WORDS[terms.toward(scene.team_at, to)]


def _choice(scene: CaveScene, action: Action) -> Choice | None:
    return next((each for each in scene.choices if isinstance(each, Choice) and each.action == action), None)


def _ap(scene: CaveScene, action: Action) -> int:
    choice = _choice(scene, action)
    return choice.price.ap if choice is not None else 0
