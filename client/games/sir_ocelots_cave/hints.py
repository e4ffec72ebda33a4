"""The words of a hint: an action as one would tell somebody to do it, and what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence

from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.board import BIT
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import Trial, gems_on, sight_from, trials, visit
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.present.wording import count


def words(scene: OcelotScene, action: Action) -> str:
    """Say what an action is."""
    match action:
        case LayTool(kind, side, at):
            return f"lay {terms.tool(kind, side)} at {terms.place(at)}"
        case PlaceCompanion(at):
            return f"bring your {terms.companion(scene.seat)} to {terms.place(at)}"
        case Advance(to):
            return f"advance your {terms.companion(scene.seat)} to {terms.place(to)}"
        case Collect(gems):
            if gems == scene.collectable:
                return "collect all gems"
            return f"collect {terms.gems(gems_on(scene.cave, _squares(gems)))}"


def reason(scene: OcelotScene, action: Action, _then: Sequence[Action] = ()) -> str:
    """Say what an action collects, and what the rival could collect by it."""
    cave = scene.cave
    match action:
        case LayTool(_, side, at):
            found = next((each for each in trials(cave, scene.seat, at) if each.tool == side), None)
            return "" if found is None else _trial(scene, found)
        case PlaceCompanion(at) | Advance(at):
            there = visit(cave, at)
            takes = f"it takes {terms.gem(there.gem)}" if there.gem else ""
            then = gems_on(cave, there.takes)
            sees = f"it sees {count(len(gems_on(cave, there.sees)), 'gem')}"
            lets = f"then you can collect {terms.gems(then)}" if then else sees
            return ", and ".join(filter(None, (takes, lets)))
        case Collect(gems):
            points = terms.points(gems_on(cave, _squares(gems)))
            return f"they bring {count(points, 'point')}" if points else ""


def _trial(scene: OcelotScene, found: Trial) -> str:
    takes, hands = gems_on(scene.cave, found.takes), gems_on(scene.cave, found.hands)
    points = terms.points(takes)
    worth = f", {count(points, 'point')}" if points else ""
    sees = count(len(gems_on(scene.cave, sight_from(scene.cave, found.at))), "gem")
    collects = f"it collects {terms.gems(takes)}{worth}" if takes else f"it sees {sees}"
    rival = scene.view.names[scene.rival]
    return f"{collects}, but {rival} could then take {terms.gems(hands)}" if hands else collects


def _squares(gems: tuple[tuple[int, int], ...]) -> int:
    return sum(BIT[at] for at in gems)
