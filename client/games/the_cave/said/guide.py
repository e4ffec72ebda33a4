"""The tips for a first game, and when each of them matters."""

from __future__ import annotations

from collections.abc import Callable

from cave.the_cave.geometry import around
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.state import TURN_AP, Settings, State, Team
from client.games.the_cave.known import actions
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said.help import goal
from client.present.guide import Guide

PACKING = "Consumables are turns, ropes levels, tanks water. enter takes it, y hints."


def packing(rules: Settings) -> tuple[str, ...]:
    """Return what to know at the first packing, the first screen of a game: what it is about, then the
    kit.
    """
    return (*goal(rules), PACKING)


def _team(scene: CaveScene) -> Team:
    return scene.cave.teams[scene.seat]


def _can(kind: str) -> Callable[[CaveScene], bool]:
    return lambda scene: scene.mode == "acting" and actions.find(scene.choices, kind) is not None


def _acting(holds: Callable[[CaveScene], bool]) -> Callable[[CaveScene], bool]:
    return lambda scene: scene.mode == "acting" and holds(scene)


def _exit_here(scene: CaveScene) -> bool:
    return bool(unexplored_exits(scene.cave.board, scene.team_at)) and scene.cave.ap > 0


def _beside(kind: str) -> Callable[[CaveScene], bool]:
    def holds(scene: CaveScene) -> bool:
        board = scene.cave.board
        here = board[scene.team_at]
        return any(
            near.side in here.open and near.at in board and board[near.at].kind == kind
            for near in around(scene.team_at)
        )

    return holds


def _fits_in_one_place(scene: CaveScene, *, turns: bool) -> bool:
    one = scene.mode == "placing" and len(scene.spots) == 1
    return one and turns == (len(scene.spots[0].turns) > 1)


def _short_of_consumables(scene: CaveScene) -> bool:
    return scene.supplies is not None and bool(scene.supplies.verdict)


def _ending(scene: CaveScene) -> bool:
    cave: State = scene.cave
    return cave.turns_left is not None and cave.phase != "over"


# The most urgent first.
_MATTERS: dict[str, Callable[[CaveScene], bool]] = {
    "end": _ending,
    "starving": lambda scene: scene.mode == "starving",
    "placing": lambda scene: scene.mode == "placing" and len(scene.spots) > 1,
    "placing turned": lambda scene: _fits_in_one_place(scene, turns=True),
    "placing here": lambda scene: _fits_in_one_place(scene, turns=False),
    "first turn": _acting(lambda _scene: True),
    "exits": _acting(_exit_here),
    "photograph": _can("photograph"),
    "dive": _can("dive"),
    "descent": _acting(_beside("descent")),
    "water": _acting(_beside("water")),
    "squeeze": _acting(_beside("squeeze")),
    "consumables": _acting(_short_of_consumables),
    "no AP": _acting(lambda scene: not scene.cave.ap),
    "undo": _acting(lambda scene: 0 < scene.cave.ap < TURN_AP),
    "camp": _acting(lambda scene: _team(scene).camp.state == "packed"),
    "waiting": lambda scene: scene.mode == "waiting",
}
WORDS = {
    "end": "The end is near: the line below the map counts your turns. Be home in time.",
    "starving": "No consumables: a turn is one forced step. Point at a tile, {enter} goes.",
    "placing": "Your new tile: {tab} picks the place, {r} rotates it, {enter} places it.",
    "placing turned": "Your new tile fits in one place: {r} rotates it, {enter} places it.",
    "placing here": "Your new tile fits only one way here: {enter} places it.",
    "first turn": "A turn is 5 AP, {y} hints. A number is a price: arrows point, {enter} goes.",
    "exits": "A ? is an unexplored exit: {x} discovers a tile for 1 AP; you cannot undo it.",
    "photograph": "A wonder: {s} takes a photo of it, 1 AP for 2 points. The camera stays with you.",
    "dive": "Water: {w} dives for its token, 1 AP and half an oxygen for 3 points.",
    "descent": "A descent: your ropes bring points and stay there for everybody to use.",
    "water": "Water: with a tank 2 AP, and a dive gets 3 points; by raft 1 AP, no dive.",
    "squeeze": "A squeeze costs 1 AP more a level; its token goes to whoever enters first.",
    "consumables": "See the line below the map: your consumables must last until you are home.",
    "no AP": "No AP left: {e} ends the turn. Away from the base each turn eats 1 consumable.",
    "undo": "{u} undoes a step, {U} the whole turn, back to the last discovered tile.",
    "camp": "Your camp: {c} pitches it, 2 AP. Consumables in it feed you where it stands.",
    "waiting": "It is not your turn. Point at any tile to see the way there and home again.",
}
"""The sentences, by the name of the tip; keys stand in braces, by their usual names."""


_ENDS = {
    "placing": ("placed",),
    "placing turned": ("placed",),
    "placing here": ("placed",),
    "first turn": ("moved",),
    "exits": ("drew",),
    "photograph": ("took",),
    "dive": ("took",),
    "no AP": ("turn_ended",),
    "camp": ("pitched",),
}
_WARNINGS = ("starving", "end", "consumables")


def guide() -> Guide[CaveScene]:
    """Make a guide for one person at one table."""
    return Guide(_MATTERS, WORDS, _ENDS, _WARNINGS)
