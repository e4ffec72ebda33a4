"""The bots of The Caves of Casadh except the guide, and the game's part of the search.

The novice walks about, takes all it finds, and defuses dynamite if success is likely; it turns home when it
is hurt or has a few treasures. The planner plans its ways, keeps a way back, and rates hazards, items and
grues; the rookie mixes planner and guide. The expert is a guide with better estimates of the value of things
and of slow or dangerous ways. Novice and planner give up after a long time without a way home, so that every
game ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import fsum, inf
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cave import judge, search
from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import guide
from cave.caves_of_casadh.actions import Action, Choice, Collecting
from cave.caves_of_casadh.components import HOME, Cell, ItemKind, components, distance, layout, neighbours_of, next_cell
from cave.caves_of_casadh.game import CAVES_OF_CASADH, View
from cave.caves_of_casadh.guide import KEEN, LATE, TOO_LATE, Look, worth_of_lantern
from cave.caves_of_casadh.legal import origin_of, takable_items
from cave.caves_of_casadh.outlook import TO_THE_END, Outlook, chance_to_beat
from cave.caves_of_casadh.routes import Spot, slides_from
from cave.caves_of_casadh.scoring import (
    Journey,
    damage_at,
    mp_home_by_passage,
    reachable_passages,
    reachable_ways,
    way_home,
)
from cave.caves_of_casadh.state import Laid, State, cell_of, hex_of
from cave.codec import to_json
from cave.game import Json
from cave.score import win_shares

PURSE = 3  # number of treasures with which the novice turns home
BOLD = 0.1  # probability that it lays its dynamite
HURRY = 40  # the round from which the novice and the planner only want to get out
UNKNOWN = 4.5  # expected points of an unseen treasure
NEW_HEX = {1: 3.0, 2: 5.0}  # points of exploring from a hex of this level
ENOUGH = 50  # points from which a planner goes home
PER_MP = 0.8  # points that 1 MP is worth
PER_HP = 5.0  # points that 1 HP is worth
FAR = 5  # maximum MP to Base Camp for each HP
ITEMS: dict[ItemKind, float] = {
    "lantern": 6,
    "medkit": 6,
    "helmet": 4,
    "boots": 4,
    "gas_mask": 4,
    "rope": 4,
    "battery": 2,
    "canteen": 2,
    "dynamite": 0.2,
}
"""Points that an item is worth."""


def _action_of_choice(choice: Choice) -> Action:
    return act.CollectItems(choice.items) if isinstance(choice, Collecting) else choice.action


def _all_actions(offered: Sequence[Choice], *types: str) -> list[Action]:
    return [_action_of_choice(choice) for choice in offered if choice.type in types]


def _is_lost_in_caves(state: State, seat: int) -> bool:
    """Return whether a spelunker without a way home gives up, as it is late."""
    return state.round >= TOO_LATE or (state.round >= HURRY and way_home(state, seat) is None)


def _choose_as_novice(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    if state.phase == "keeping":
        return guide.keep_highest_treasure(state)
    if state.phase != "actions":
        return _action_of_choice(rng.choice(offered))
    player = state.players[seat]
    if _is_lost_in_caves(state, seat):
        return act.GiveUp()
    sticks = _all_actions(offered, "defuse") if 2 * player.hp > state.settings.die_sides else []
    if sticks:
        return sticks[0]
    satisfied = len(player.treasures) >= PURSE or player.hp <= 1 or state.round >= HURRY
    if satisfied:
        home = _all_actions(offered, "leave") or _steps_home(state, seat)
        if home:
            return home[0]
    deploys = _all_actions(offered, "deploy") if rng.random() < BOLD else []
    found = deploys or _all_actions(offered, "collect_treasure", *(["use_medkit"] if player.hp <= 2 else []))
    if state.mp == 1:
        found += _all_actions(offered, "collect_items")
    strolls = _all_actions(offered, "explore") * 2 + _all_actions(offered, "move")
    tame = found or strolls or (_all_actions(offered, "slide") if rng.random() < 0.5 else [])
    return rng.choice(tame) if tame else act.EndTurn()


def _steps_home(state: State, seat: int) -> list[Action]:
    home = way_home(state, seat)
    return _steps_towards(state, seat, home.hexes[0]) if home and home.hexes else []


def _steps_towards(state: State, seat: int, to: act.Target) -> list[Action]:
    """Return the next action towards a neighbour: a slide, or the step itself."""
    return [way.actions[0] for way in reachable_ways(state, seat) if way.to == to]


class Goal(Struct, frozen=True):
    """A goal: the hexes on the way, perhaps a new one at the end, and the passage there.

    Without hexes, something to pick up in a passage of the current hex.
    """

    hexes: tuple[Cell, ...]
    passage: int
    worth: float


class BotPlan:
    """A spelunker's ways and their worth, computed once for an action."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.player = state.players[seat]
        self._home = mp_home_by_passage(state, self.player.items)

    # Getting out

    def wants_medkit(self) -> bool:
        return self.player.hp <= 2

    def wants_out(self, *, late: bool) -> bool:
        """Return whether it goes home now: it has enough, is weak, or is getting too far away."""
        player = self.player
        value = sum(filter(None, player.treasures))
        away = self._home.get((cell_of(self.state, self.seat), player.passage))
        if late or value >= ENOUGH or not self.state.hexes:
            return True
        if away is None:
            return False
        strength = player.hp + 2 * ("medkit" in player.items)
        return (strength <= 2 and (value > 0 or player.hp == 1)) or away > FAR * strength

    # Where to go

    def best_goal(self, rng: Random) -> Goal | None:
        """Return the goal with the highest worth for its MP; None if none is worthwhile."""
        goals = [
            goal
            for spot, way in reachable_passages(self.state, self.seat).items()
            for goal in self._goals_at(spot, way)
        ]
        return max(goals, key=lambda goal: (goal.worth, rng.random()), default=None)

    def _goals_at(self, spot: Spot, way: Journey) -> list[Goal]:
        """Return the goals at a passage: things to pick up there, and the empty cells beyond it."""
        if way.damage >= self.player.hp:
            return []
        at, passage = spot
        laid = self.state.map[at]
        cut_off = spot not in self._home and bool(self._home)
        price = PER_MP * way.mp + PER_HP * way.damage + (12 if cut_off and self._is_home_now() else 0)
        found = []
        if laid.layout.hex.marker == passage:
            loot = self._worth_of_loot(laid, self.state.mp - way.mp)
            if loot > price:
                found.append(Goal(way.hexes, passage, loot - price))
        if self.state.hexes:
            value = NEW_HEX[max(1, laid.layout.hex.level)]
            for side in laid.layout.sides[passage]:
                to = next_cell(at, side)
                if to not in self.state.map:
                    found.append(Goal((*way.hexes, to), passage, value - price - 0.05 * distance(to, HOME)))
        return found

    def _is_home_now(self) -> bool:
        return (cell_of(self.state, self.seat), self.player.passage) in self._home

    def _worth_of_loot(self, laid: Laid, mp_left: int) -> float:
        """Return the worth of a hex's treasures and items; items cost the rest of the turn."""
        values = [UNKNOWN if each.value is None else each.value for each in laid.treasures]
        best = max(values, default=0) - PER_MP
        items = fsum(ITEMS[kind] for kind in takable_items(self.player, laid)) - PER_MP * max(1, mp_left)
        return max(best, 0) + max(items, 0)

    # Other decisions

    def worth_of_action(self, action: Action) -> float:
        """Rate an action outside the normal phase of a turn."""
        state, items = self.state, self.player.items
        match action:
            case act.Place(rotation):
                return self._worth_of_rotation(rotation)
            case act.Flee(to):  # Little damage, and near to Base Camp.
                pain = damage_at(state, to, items) + (state.map[to].grues > 0)
                return -PER_HP * pain - distance(to, HOME)
            case act.Drive(to):  # Far away is good.
                return distance(to, cell_of(state, self.seat))
            case act.TakeLantern(holder):
                return worth_of_lantern(state, holder)
            case act.PlaceGrue(_, to):  # Hurts players there, or blocks their way home.
                hurt = [player for player in state.players if player.at == to]
                near = sum(player.at in neighbours_of(to) for player in state.players)
                return fsum(len(player.treasures) + 8 / player.hp for player in hurt) + 0.5 * near
        return 0.0

    def _worth_of_rotation(self, rotation: int) -> float:
        drawn = self.state.drawn
        assert drawn is not None
        lie = layout(drawn.hex, rotation)
        passage = lie.owner[origin_of(cell_of(self.state, self.seat), drawn.to)]
        empty = sum(next_cell(drawn.to, each) not in self.state.map for each in lie.sides[passage])
        return 3 * (lie.hex.marker == passage) + empty + 0.5 * (lie.hex.water == passage)


def choose_as_planner(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    """Return the planner's action, from its seat's information."""
    match state.phase:
        case "keeping":
            return guide.keep_highest_treasure(state)
        case "actions":
            return _choose_in_turn(state, seat, offered, rng)
        case "haunting":
            return act.MoveGrue()
    plan = BotPlan(state, seat)
    return max(map(_action_of_choice, offered), key=lambda action: (plan.worth_of_action(action), rng.random()))


def _choose_in_turn(state: State, seat: int, offered: Sequence[Choice], rng: Random) -> Action:
    plan, player = BotPlan(state, seat), state.players[seat]
    if _is_lost_in_caves(state, seat):
        return act.GiveUp()
    if plan.wants_medkit() and "medkit" in player.items:
        return act.UseMedkit()
    if hex_of(state, seat).dynamite:
        if player.hp >= state.settings.die_sides:  # Every roll succeeds.
            return act.Defuse(hex_of(state, seat).dynamite[0])
        return guide.flee_dynamite(state, seat)
    if not state.mp:
        return act.EndTurn()
    if plan.wants_out(late=state.round >= HURRY):
        homewards = _all_actions(offered, "leave") or _steps_home(state, seat)
        if homewards:
            return homewards[0]
    best = plan.best_goal(rng)
    if best is None:
        return act.EndTurn()
    if best.hexes:
        return next(iter(_steps_towards(state, seat, best.hexes[0])), act.EndTurn())
    if best.passage != player.passage:
        slides = slides_from(hex_of(state, seat).layout.hex, player.passage, "rope" in player.items)
        return act.Slide(slides[best.passage][0])
    # Treasures first, as items end the turn.
    return next(iter(_all_actions(offered, "collect_treasure") + _all_actions(offered, "collect_items")), act.EndTurn())


def _choose_by(
    decided: Callable[[State, int, Sequence[Choice], Random], Action], view: Json, choices: list[Json], seed: str
) -> Json:
    shown = CAVES_OF_CASADH.view_from_json(view)
    assert shown.viewer is not None
    offered = [act.choice_from_json(choice) for choice in choices]
    return to_json(decided(shown.cave, shown.viewer, offered, Random(seed)))


novice = partial(_choose_by, _choose_as_novice)
planner = partial(_choose_by, choose_as_planner)


EXPERT = Look(expects=TO_THE_END, patience=LATE, taste=KEEN, careful=True)
QUICK = replace(EXPERT, within=8)
EVERY = replace(EXPERT, every=True)
HEXES = sum(map(len, components().pile))
LEAST = 0.01  # chances with a smaller sum are not normalised


class CasadhAdvice(search.Advice[State, Action, Choice, View]):
    game = CAVES_OF_CASADH
    most = 4
    turns = inf
    # No race: playouts choose worse.

    def plans(self, view: View, choices: Sequence[Choice], rng: Random, most: int) -> list[search.Plan[Action]]:
        """Return the guide's choice and the best plans with other first actions."""
        assert view.viewer is not None
        is_dead = view.cave.players[view.viewer].state == "dead"
        # The dead cannot win.
        return guide.plan_for_seat(view.cave, view.viewer, EVERY)[: 1 if is_dead else most]

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return the action of a guide with a short horizon."""
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        return guide.plan_for_seat(state, seat, QUICK)[0]

    def value(self, state: State) -> list[float]:
        if state.phase == "over":
            return win_shares(CAVES_OF_CASADH.standing(state))
        chances = [_chance_to_win(state, seat) for seat in range(len(state.players))]
        return [chance / max(LEAST, fsum(chances)) for chance in chances]

    def turn(self, state: State) -> Hashable:
        """Return the seat to act and the round, as the last spelunker in the caves takes every turn."""
        return state.seat, state.round

    def left(self, state: State) -> float:
        """Return the share of the hexes still in the pile."""
        return len(state.hexes) / HEXES

    def events(self, state: State, seat: int) -> Mapping[str, bool]:
        return {"out": state.players[seat].state == "out"}


def _chance_to_win(state: State, seat: int) -> float:
    player = state.players[seat]
    if player.state == "dead":
        return 0.0
    outlook = Outlook(state, seat, TO_THE_END, open_hands=True)
    if player.state == "out":
        return chance_to_beat(outlook.rivals, outlook.gold)
    return outlook.chance_staying(outlook.gold, outlook.strength)


ADVICE = CasadhAdvice()
expert = partial(guide.choose, look=EXPERT)
"""A guide that expects rivals to stay to the end, with better estimates of worth. Deterministic: it ignores
the seed.
"""
ideas = partial(judge.judge_ideas, ADVICE)
