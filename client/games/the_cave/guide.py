"""Tips for a first game, the words of a hint, and the rules for a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from cave.the_cave import actions as act
from cave.the_cave.actions import Action, Choice
from cave.the_cave.routes import way_home
from cave.the_cave.state import (
    BASE,
    CHOKE,
    TURN_AP,
    Coord,
    Kind,
    Settings,
    State,
    Team,
    neighbours_of,
    open_neighbours,
    turn_sides,
)
from cave.the_cave.tiles import laid_tile, unexplored_exits
from client.games.the_cave import actions, terms
from client.games.the_cave.actions import LABELS
from client.games.the_cave.packing import PackDraft, kit_name
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.supplies import supplies_of_team
from client.games.the_cave.texts import WAY_HOME, goal
from client.games.the_cave.walk_plans import leading_to
from client.present.advice import Guide
from client.wording import count, joined

PACKING = "A slot holds one thing. Consumables are turns, ropes levels, tanks water."


def first_packing_tips(rules: Settings) -> tuple[str, ...]:
    """Return tips for the first packing: the subject of the game, then the kit."""
    return (*goal(rules), PACKING)


def _team_of_scene(scene: CaveScene) -> Team:
    return scene.cave.teams[scene.seat]


def _when_can_do(kind: str) -> Callable[[CaveScene], bool]:
    return lambda scene: scene.mode == "acting" and actions.choice_of_kind(scene.choices, kind) is not None


def _when_acting(holds: Callable[[CaveScene], bool]) -> Callable[[CaveScene], bool]:
    return lambda scene: scene.mode == "acting" and holds(scene)


def _when_beside(kind: str) -> Callable[[CaveScene], bool]:
    def holds(scene: CaveScene) -> bool:
        board = scene.cave.board
        here = board[scene.team_at]
        return any(
            near.side in here.open and near.at in board and board[near.at].kind == kind
            for near in neighbours_of(scene.team_at)
        )

    return holds


def _fits_in_one_place(scene: CaveScene, *, turns: bool) -> bool:
    one = scene.mode == "placing" and len(scene.spots) == 1
    return one and turns == (len(scene.spots[0].turns) > 1)


# The most urgent first.
_MATTERS: dict[str, Callable[[CaveScene], bool]] = {
    "end": _when_acting(lambda scene: scene.cave.turns_left is not None and scene.cave.ap == TURN_AP),
    "starving": lambda scene: scene.mode == "starving",
    "placing boulders": lambda scene: scene.mode == "placing" and scene.cave.drawn == CHOKE,
    "placing": lambda scene: scene.mode == "placing" and len(scene.spots) > 1,
    "placing turned": lambda scene: _fits_in_one_place(scene, turns=True),
    "placing here": lambda scene: _fits_in_one_place(scene, turns=False),
    "first turn": _when_acting(lambda _scene: True),
    "exits": _when_acting(lambda scene: bool(unexplored_exits(scene.cave.board, scene.team_at)) and scene.cave.ap > 0),
    "photograph": _when_can_do("photograph"),
    "dive": _when_can_do("dive"),
    "descent": _when_acting(_when_beside("descent")),
    "water": _when_acting(_when_beside("water")),
    "squeeze": _when_acting(_when_beside("squeeze")),
    "no AP": _when_acting(lambda scene: not scene.cave.ap),
    "undo": _when_acting(lambda scene: 0 < scene.cave.ap < TURN_AP),
    "camp": _when_acting(lambda scene: _team_of_scene(scene).camp.state == "packed"),
    "waiting": lambda scene: scene.mode == "waiting",
}
WORDS = {
    "end": "The end is near: the line below the map counts your turns. Be home in time.",
    "starving": "No consumables: a turn is one forced step. Point at a tile, {enter} goes.",
    "placing boulders": "The tile fits no exit here: {enter} lays a boulder choke, open to all sides.",
    "placing": "Your new tile: {tab} picks the place, {r} rotates it, {enter} places it.",
    "placing turned": "Your new tile fits in one place: {r} rotates it, {enter} places it.",
    "placing here": "Your new tile fits only one way here: {enter} places it.",
    "first turn": "A turn is 5 action points (AP), {y} hints. Numbers are prices: arrows point, {enter} goes.",
    "exits": "A ? is an unexplored exit: {x} discovers a tile for 1 AP; you cannot undo it.",
    "photograph": "A wonder: {s} takes a photo of it, 1 AP for 2 points. The camera stays with you.",
    "dive": "Water: {w} dives for its token, 1 AP and half an oxygen for 3 points.",
    "descent": "A descent: your ropes score points and stay there for every team.",
    "water": "Water: with a tank 2 AP, and a dive gets 3 points; by raft 1 AP, no dive.",
    "squeeze": "Entering a squeeze costs its number in AP more, leaving it does not. First in gets its token.",
    "no AP": "No AP left: {e} ends the turn. Away from the base each turn eats 1 consumable.",
    "undo": "{u} undoes a step, {U} the whole turn, back to the last discovered tile.",
    "camp": "Your camp: {c} pitches it, 2 AP. Consumables in it feed you there.",
    "waiting": "It is not your turn. Point at any tile to see the way there and home again.",
}
"""The texts by the name of the tip; default keys are in braces."""


_ENDS = {
    "placing": ("placed",),
    "placing turned": ("placed",),
    "placing boulders": ("placed",),
    "placing here": ("placed",),
    "first turn": ("moved",),
    "exits": ("drew",),
    "photograph": ("took",),
    "dive": ("took",),
    "no AP": ("turn_ended",),
    "camp": ("pitched",),
}
_WARNINGS = ("starving", "end")


def newcomer_guide() -> Guide[CaveScene]:
    return Guide(_MATTERS, WORDS, _ENDS, _WARNINGS)


OF_ACTION: dict[str, tuple[str, ...]] = {
    "discover": ("4.1", "4.2", "4.3", "4.7"),
    "move": ("5",),
    "moves": ("5",),
    "dive": ("5.5", "5.4"),
    "photograph": ("5.6",),
    "pitch": ("6.4", "6.3", "3.1"),
    "strike": ("6.6",),
    "pack": ("6.1", "6.2", "6.9"),
    "exchange": ("6.5",),
    "discard": ("6.7",),
    "abandon": ("6.8",),
    "end_turn": ("3.3", "3.1"),
}
_OF_MODE = {
    "packing": ("2.3",),
    "placing": ("4.2", "4.3", "4.5", "4.6", "4.7"),
    "starving": ("3.2", "5.7"),
    "over": ("7.3", "7.4", "7.5", "7.6"),
}
_OF_KIND: dict[Kind, tuple[str, ...]] = {
    "base": ("3.1", "6.1", "4.1"),
    "plain": ("5",),
    "water": ("5.4", "5.5", "4.6"),
    "wonder": ("5.6", "4.6"),
    "squeeze": ("4.6", "5.7"),
    "descent": ("4.5", "5.1", "5.2", "5.3"),
    "choke": ("4.3", "4.4"),
}
_END = ("7.2", "7.3")


def rules_about(scene: CaveScene, at: Coord, message: str = "") -> tuple[str, ...]:
    """Return the rules that matter now: for the last refusal, the phase, the tile under the cursor."""
    refused = (each.action["type"] for each in scene.refusals if each.message == message)
    found = OF_ACTION.get(next(refused, ""), ()) + _OF_MODE.get(scene.mode, ())
    if not found:
        found = _rules_of_place(scene.cave, at)
    ending = scene.cave.turns_left is not None and scene.mode != "over"
    return (*found, *(_END if ending else ()))


def _rules_of_place(cave: State, at: Coord) -> tuple[str, ...]:
    tile = cave.board.get(at)
    if tile is not None:
        return _OF_KIND[tile.kind]
    return OF_ACTION["discover"] if leading_to(cave, at) else ()


NEW_TILE = "a new tile may bring points: a photo 2, a dive 3, a way down more"
_USES = {"camera": "photos", "oxygen": "dives", "rope": "climbs", "raft": "water"}
"""The use of things in a backpack, besides consumables."""


def words(scene: CaveScene, action: Action) -> str:
    price = _ap_of_action(scene, action)
    return f"{_plain_action_words(scene, action)}{f' ({price} AP)' if price else ''}"


def _plain_action_words(scene: CaveScene, action: Action) -> str:
    match action:
        case act.Move(to, by):
            tile = scene.cave.board[to]
            verb = "force a way" if by == "force" else "move"
            means = "" if by == "force" else f" {terms.WAYS[by]}"
            return f"{verb} {_direction_words(scene, to)} to {terms.a_tile(tile.kind, tile.level)}{means}".rstrip()
        case act.Place(at, rotation):
            drawn = scene.cave.drawn
            exits = ""
            if rotation is not None and drawn is not None:
                exits = f", with ways on {terms.sides_words(turn_sides(drawn.open, rotation))}"
            what = "boulder choke" if drawn == CHOKE else "tile"
            return f"place the {what} {_direction_words(scene, at)}{exits}"
        case act.Pack(backpack, camp):
            filled = "" if camp is None else f", and in the camp {terms.items_words(camp)}"
            kit = kit_name(PackDraft(backpack, camp))
            return f"pack {terms.items_words(backpack)}{filled}{kit and f' ({kit})'}"
        case act.Exchange(to_camp, to_backpack):
            given = f"put {terms.items_words(to_camp)} into the camp" if to_camp.slots_filled else ""
            taken = f"take {terms.items_words(to_backpack)} out of the camp" if to_backpack.slots_filled else ""
            return " and ".join(filter(None, (given, taken)))
        case act.Discard(items):
            return f"discard {terms.items_words(items)}"
    return LABELS[action.type]


def reason_for_hint(scene: CaveScene, action: Action, then: Sequence[Action] = ()) -> str:
    """Return the gain of an action, or that a plan only leads home."""
    choice = _choice_of_action(scene, action)
    if isinstance(choice, Choice) and choice.price.points:
        return f"it brings {count(choice.price.points, 'point')}"
    match action:
        case act.Place():
            return _joined_tiles_words(scene, action)
        case act.Pack(backpack):
            uses = [use for name, use in _USES.items() if getattr(backpack, name)]
            gear = f", and gear for {joined(uses)}" if uses else ""
            return f"it has consumables for {count(backpack.consumable, 'turn')} after the first one{gear}"
        case act.EndTurn():
            return "you set out with all AP next turn" if then else "nothing within reach is worth its AP"
    if found := _aim(scene, (action, *then)):
        return found
    goes = [each.to for each in (action, *then) if isinstance(each, act.Move)]
    return WAY_HOME if goes and goes[-1] == BASE else ""


def harm(scene: CaveScene, action: Action) -> str:
    """Return the way home after an action, if it makes the verdict on the supplies worse."""
    cave, seat = scene.cave, scene.seat
    match action:
        case act.EndTurn() | act.Discover():
            after = replace(cave, ap=cave.ap - 1 if isinstance(action, act.Discover) else 0)
        case act.Move() | act.Dive() | act.Photograph() | act.Discard():
            after = scene.state.game.apply(cave, seat, action).state
        case _:
            return ""
    now, then = (supplies_of_team(each, seat, way_home(each, seat)) for each in (cave, after))
    if then.home_ap is not None and then.verdict_words in ("", now.verdict_words):
        return ""
    return ", ".join(filter(None, (f"then {then.way_home_words}", then.verdict_words)))


def _aim(scene: CaveScene, plan: Sequence[Action]) -> str:
    """Return the first points or the exit that a plan leads to, its place, and the price if it takes one turn."""
    if isinstance(plan[0], act.Discover):
        return NEW_TILE
    game, cave, at, ap, later = scene.state.game, scene.cave, scene.team_at, 0, False
    for each in plan:
        found = () if later else game.choices(cave, scene.seat)
        choice = next((choice for choice in found if choice.action == each), None)
        points = 0
        if isinstance(choice, Choice):
            ap, points = ap + choice.price.ap, choice.price.points
            cave = cave if isinstance(each, act.Discover) else game.apply(cave, scene.seat, each).state
        at = each.to if isinstance(each, act.Move) else at
        later = later or isinstance(each, act.EndTurn)
        if points or type(each) in _GOALS:
            does = _GOALS.get(type(each)) or terms.a_tile(cave.board[at].kind, cave.board[at].level)
            brings = f"{count(points, 'point')} for " if points else ""
            price = ", in a later turn" if later else f": {brings}{ap} AP in all"
            first = plan[0].to if isinstance(plan[0], act.Move) else scene.team_at
            way = "way round" if _distance(first, at) > _distance(scene.team_at, at) else "way"
            return f"it is the {way} to {does}, {_from_team(scene, at)}{price}"
    return ""


_GOALS: dict[type[Action], str] = {act.Discover: "an unexplored exit", act.Photograph: "a photo", act.Dive: "a dive"}


def _distance(start: Coord, to: Coord) -> int:
    return abs(start[0] - to[0]) + abs(start[1] - to[1])


def _from_team(scene: CaveScene, at: Coord) -> str:
    """Return a place as seen from the team: ``2 north and 1 west``."""
    (x, y), (to_x, to_y) = scene.team_at, at
    steps = (("north", y - to_y), ("south", to_y - y), ("east", to_x - x), ("west", x - to_x))
    return joined([f"{many} {side}" for side, many in steps if many > 0]) or "here"


def _joined_tiles_words(scene: CaveScene, place: act.Place) -> str:
    cave = scene.cave
    if cave.drawn is None:
        return ""
    tile = laid_tile(cave.drawn, place.at, place.rotation, cave.board[scene.team_at])
    around = [(cave.board.get(to), facing) for _, to, facing, _ in open_neighbours(place.at, tile.open)]
    exits = sum(there is None for there, _ in around) if tile.can_discover_from else 0
    joins = sum(there is not None and facing in there.open for there, facing in around) - 1
    told = [f"opens {count(exits, 'new exit')}"] if exits else []
    told += [f"joins {count(joins, 'more passage')}"] if joins else []
    return f"it {joined(told)}" if told else ""


def _direction_words(scene: CaveScene, to: tuple[int, int]) -> str:
    return terms.SIDE_WORDS[terms.direction_words(scene.team_at, to)]


def _choice_of_action(scene: CaveScene, action: Action) -> Choice | None:
    return next((each for each in scene.choices if isinstance(each, Choice) and each.action == action), None)


def _ap_of_action(scene: CaveScene, action: Action) -> int:
    choice = _choice_of_action(scene, action)
    return choice.price.ap if choice is not None else 0
