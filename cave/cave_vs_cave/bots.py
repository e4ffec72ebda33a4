"""The bots of Cave vs Cave, and the game's part of the search.

All plan a whole turn with each tile they look at. The novice overlooks most tiles, and takes the first good
plan. The rookie plans a turn with each of five tiles. The guide also considers its next turn and the tiles
left to the rival; the expert compares its best turns by playouts. All see only the view.

In the quick start (rule 8) rooms of the draft count until the end, and empty spaces can be furnished in Era
II. So a cave should have its points in few rooms, and fit the rooms of the display.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from math import exp, fsum
from random import Random
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, judge, search
from cave.cave_vs_cave.actions import Action, Choice, Cover, Draft, EndTurn, Excavate, Space, Take, UseRoom
from cave.cave_vs_cave.checks import check_take_tile
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.game import CAVE_VS_CAVE, View
from cave.cave_vs_cave.judgement import BY_HAND, FITTED, Judgement, Weights, judge_turn_end
from cave.cave_vs_cave.planning import PlanningNode, TurnPlanning
from cave.cave_vs_cave.rounds import ERA, fewest_walls
from cave.cave_vs_cave.scoring import count_all_turns, rooms_points, solo_goal, turns_left
from cave.cave_vs_cave.state import Player, State, accessible_rooms, empty_spaces, fitting_spaces, with_player
from cave.cave_vs_cave.turns import BLUE, ROOMS, spare_orange_rooms, turns_each
from cave.game import Idea, Json
from cave.score import win_shares

Kind = TypeVar("Kind")
_ONLY_END = (EndTurn(),)


class Option(Struct, frozen=True):
    """Consecutive actions of a seat, and their value."""

    actions: tuple[Action, ...]
    value: float


class _End(Struct, frozen=True):
    node: PlanningNode
    value: float
    loss: float
    tile: str = ""
    theirs: str = ""


class Style(Struct, frozen=True):
    """Search parameters of a level."""

    glance: int | None = None
    """Number of tiles to look at, chosen at random; None for all."""
    width: int = 1
    """Beam width: positions kept after each step of a turn."""
    denied: float = 0.0
    """Weight of the rival's best gain from the remaining tiles, as a loss."""
    ends: int = 1
    """Ends of the turn to keep for each tile."""
    ahead: int = 0
    """Options to rate again with the best next turn after them."""
    narrow: int = 2
    """Beam width for those next turns and the rival's turns."""
    weights: Weights = BY_HAND


GUIDE = Style(width=5, denied=0.5, ends=2, ahead=5)


Memory = dict[Hashable, list[PlanningNode]]
"""Cache of the best ends of planned turns."""


def turn_options(state: State, seat: int, style: Style, rng: Random, memory: Memory | None = None) -> list[Option]:
    """Return a seat's options up to the end of its turn, the best first. Reads nothing hidden, so the state
    of a view works, too. ``rng`` picks the actions to overlook. Use a ``memory`` with one style only.
    """
    if state.drafting:
        return _draft_and_cover_options(state, seat, style, rng)
    mind = judge_turn_end(state, seat, style.weights)
    if state.phase == "take":
        ends = _tiles_to_take(state, seat, mind, style, rng, {} if memory is None else memory)
    else:
        turn = TurnPlanning(state, seat, state.tile, mind)
        now = turn.node_now()
        starts = [now] if state.phase == "actions" else list(turn.resumed_nodes(now, state.phase))
        found = turn.ends(starts, style.width)
        ends = [_End(node, node.value, 0.0) for node in _best_by_value(found, style.ahead or style.ends)]
    return _look_ahead(state, seat, ends, style) if style.ahead else _as_options(ends)


def _as_options(ends: Sequence[_End]) -> list[Option]:
    return [Option(end.node.actions or _ONLY_END, end.value) for end in ends]


def _notice_kinds(actions: list[Kind], style: Style, rng: Random) -> list[Kind]:
    if style.glance is None or len(actions) <= style.glance:
        return actions
    return rng.sample(actions, style.glance)


def _best_by_value(nodes: Sequence[PlanningNode], most: int) -> list[PlanningNode]:
    """Return the best nodes, one for each value: equal ones mostly differ in the order of actions."""
    found: dict[float, PlanningNode] = {}
    for node in nodes:
        found.setdefault(round(node.value, 6), node)
    return [found[value] for value in sorted(found, reverse=True)[:most]]


def _tiles_to_take(state: State, seat: int, mind: Judgement, style: Style, rng: Random, memory: Memory) -> list[_End]:
    rival_follows = not state.alone and len(state.taken) + 1 < turns_each(state) * len(state.players)
    left = _tile_values_for_rival(state, seat, style) if style.denied and rival_follows else {}
    found = []
    takes = [each.action for each in offers(state, seat) if isinstance(each.action, Take)]
    takes = _notice_kinds(takes, style, rng)
    # A rival's cave is the same in many worlds and plans.
    here = (seat, state.era, state.round, state.up, len(state.taken), mind.key)
    for take in takes:
        tile = take.tile
        turn = TurnPlanning(state, seat, tile, mind)
        loss = style.denied * max((gain for other, gain in left.items() if other != tile), default=0.0)
        theirs = max((other for other in left if other != tile), key=lambda each: left[each], default="")
        key = (tile, here, turn.walls_left, turn.cavern_free)
        nodes = memory.get(key)
        if nodes is None:
            nodes = memory[key] = _best_by_value(turn.ends([turn.begin((take,))], style.width), style.ends)
        for node in nodes:
            found.append(_End(node, node.value - loss, loss, tile, theirs))
    return sorted(found, key=lambda end: -end.value)


def _look_ahead(state: State, seat: int, ends: Sequence[_End], style: Style) -> list[Option]:
    """Return the best plans with the value of the best next turn after them, then the rest."""
    after = turns_left(state, seat) - 1
    first = ends[: style.ahead]
    if not after or len(first) < 2:
        return _as_options(ends)
    here = turns_each(state) * len(state.players) - len(state.taken) - (state.phase == "take")
    # Whether the next turn is in the next round.
    new = here < len(state.players)
    found = []
    for end in first:
        taken = () if new else (*state.taken, end.tile, end.theirs)
        player = replace(end.node.shape.player, goods=end.node.goods)
        then = replace(
            state,
            players=with_player(state.players, seat, player),
            display=end.node.shape.display,
            round=min(state.round + new, len(components().turns[state.era, state.alone])),
            phase="take",
            taken=(),
        )
        mind = judge_turn_end(then, seat, style.weights, after - 1, end.node.shape)
        worths = [
            _tile_worth(then, seat, tile, mind, style)
            for tile in state.up
            if tile not in taken and not check_take_tile(then, player, tile)
        ]
        best = max(worths, default=end.value + end.loss)
        found.append(_End(end.node, best - end.loss, end.loss))
    found.sort(key=lambda end: -end.value)
    behind = found[-1].value - ends[len(first) - 1].value
    return _as_options(found) + [
        Option(end.node.actions or _ONLY_END, end.value + behind) for end in ends[style.ahead :]
    ]


def _tile_worth(state: State, seat: int, tile: str, mind: Judgement, style: Style) -> float:
    turn = TurnPlanning(state, seat, tile, mind)
    return max(node.value for node in turn.ends([turn.begin()], style.narrow))


def _tile_values_for_rival(state: State, seat: int, style: Style) -> dict[str, float]:
    rival = 1 - seat
    mind = judge_turn_end(state, rival, style.weights)
    goods = state.players[rival].goods
    base = mind.position_points(goods, mind.shape)
    found = {}
    for tile in state.up:
        if tile not in state.taken:
            found[tile] = _tile_worth(state, rival, tile, mind, style) - base
    return found


def _draft_and_cover_options(state: State, seat: int, style: Style, rng: Random) -> list[Option]:
    """Return the rooms to draft or the spaces to cover, or the side of a cavern tile to take."""
    actions = _notice_kinds([each.action for each in offers(state, seat)], style, rng)
    found = []
    for action in actions:
        worth = 0.0  # Before the first turn both sides of a cavern tile are about equally good.
        if isinstance(action, Draft):
            worth = draft_worth(state, seat, action)
        elif isinstance(action, Cover):
            worth = cover_worth(state, seat, action)
        found.append(Option((action,), worth))
    return sorted(found, key=lambda option: -option.value)


WALL = 1.5  # points of a wall while rooms are still to be placed
USEFUL = 1.0  # points of a room that can be used
NEXT = 0.1  # factor for the points of the best next room
BONUS = 0.6  # points of a good gained when the room is dug up
NEAR = 1.0  # points of a room that can be dug up soon
BEST = 0.35  # factor for the points of the best room that still fits
OTHERS = 0.1  # factor for the points of each room that still fits


def draft_worth(state: State, seat: int, action: Draft) -> float:
    """Return the worth of a room on its space, in points."""
    room, player = ROOMS[action.room], state.players[seat]
    worth = room.vp + USEFUL * (action.room not in BLUE)
    if rooms_points(player) + room.vp >= components().draft_goal:
        return worth
    after = replace(player, rooms={**player.rooms, action.at: action.room}, walls=player.walls.union(action.walls))
    shown = [each for each in state.display if each != action.room]
    return worth - WALL * len(action.walls) + NEXT * _next_draft_worth(after, shown, state.settings.cavern)


def _next_draft_worth(player: Player, display: Sequence[str], cavern: str) -> float:
    """Return the points of the best next room, minus the worth of its walls."""
    best, left = 0.0, components().draft_walls - len(player.walls)
    blue = spare_orange_rooms(player) > 1
    for room in display:
        walls = fewest_walls(room, player, cavern) if blue or room not in BLUE else None
        if walls is not None and walls <= left:
            best = max(best, ROOMS[room].vp - WALL * walls)
    return best


def cover_worth(state: State, seat: int, action: Cover) -> float:
    """Return the worth of covering a space: easy to dig up, and leaving useful spaces."""
    player = state.players[seat]
    after = replace(player, covered={**player.covered, action.at: None})
    bonus = sum(many for _, many in components().spaces[action.at].bonus)
    near = action.at in accessible_rooms(after, ERA)
    return BONUS * bonus + NEAR * near + _accessible_worth(state, after)


def _accessible_worth(state: State, player: Player) -> float:
    spaces: tuple[Space, ...] = empty_spaces(player, ERA)
    points = [
        ROOMS[room].vp
        for room in state.display
        if fitting_spaces(room, spaces, player.walls, state.settings.cavern, player.cavern)
    ]
    return BEST * max(points, default=0) + OTHERS * sum(points)


THOROUGH = replace(GUIDE, width=8, ends=3, ahead=10, weights=FITTED)
QUICK = Style(width=2, weights=FITTED)
SURE = 1.7  # scale from a lead to a chance to win: the spread of the points still to come
SPREAD = 3.0
SPREAD_A_TURN = 0.4
_END = EndTurn()
_END_JSON = codec.to_json(_END)


class VersusAdvice(search.Advice[State, Action, Choice, View]):
    """The guide's advice. It caches the turns of playouts, so use one for each decision."""

    game = CAVE_VS_CAVE
    most = 5
    turns = 2
    budget = 24
    confirms = True

    def __init__(self) -> None:
        self._memory: Memory = {}

    def plans(self, view: View, choices: Sequence[Choice], rng: Random, most: int) -> list[search.Plan[Action]]:
        """Return the best turns, up to the first dug-up room, without duplicates.

        In the draft and while covering, return only the guide's choice: points say too little there.
        """
        assert view.viewer is not None
        most = 1 if view.cave.drafting else most
        found: dict[str, search.Plan[Action]] = {}
        for option in turn_options(view.cave, view.viewer, THOROUGH, rng):
            plan = _actions_up_to_chance(view.cave, option.actions)
            found.setdefault(repr(plan), plan)
            if len(found) == most:
                break
        return list(found.values())

    def plan_with(self, view: View, action: Action, rng: Random) -> search.Plan[Action]:
        """Return the best turn that begins with an action; digging up a room ends what can be planned."""
        assert view.viewer is not None
        if view.cave.drafting or action == _END or len(_actions_up_to_chance(view.cave, (action, _END))) == 1:
            return (action,)
        after = CAVE_VS_CAVE.apply(view.cave, view.viewer, action).state
        return (action, *_actions_up_to_chance(after, turn_options(after, view.viewer, THOROUGH, rng)[0].actions))

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return the action of a fast guide, which reads nothing hidden."""
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        return _actions_up_to_chance(state, turn_options(state, seat, QUICK, rng, self._memory)[0].actions)

    def value(self, state: State) -> list[float]:
        """Return each seat's chance to win; in a solo game, to reach the goal."""
        left = [turns_left(state, seat) for seat in range(len(state.players))]
        hoped = [self.expected_final_points(state, seat) for seat in range(len(state.players))]
        spread = SPREAD + SPREAD_A_TURN * sum(left)
        if state.alone:
            # Points beyond the goal count as well, so the chance is never 1.
            return [_chance_to_win(hoped[0] - solo_goal(state), 10 + spread)]
        if state.phase == "over":
            return win_shares(CAVE_VS_CAVE.standing(state))
        return [_chance_to_win(mine - hoped[1 - seat], spread) for seat, mine in enumerate(hoped)]

    def left(self, state: State) -> float:
        """Return the share of the turns still to come."""
        seats = range(len(state.players))
        return fsum(turns_left(state, seat) for seat in seats) / (count_all_turns(state) * len(seats))

    def needed(self, state: State) -> float | None:
        """Return the points that the goal of a solo game requires (rule 9.4)."""
        return solo_goal(state) if state.alone else None

    def expected_final_points(self, state: State, seat: int) -> float:
        """Return the expected points; the score at the end."""
        if state.phase == "over":
            return super().expected_final_points(state, seat)
        mind = judge_turn_end(state, seat, FITTED, turns_left(state, seat))
        return mind.position_points(state.players[seat].goods, mind.shape)

    def turn(self, state: State) -> Hashable:
        """Return a value that changes with each turn: a seat may have two in a row (rule 3.6)."""
        return state.era, state.round, len(state.taken) - (state.phase in ("actions", "dig", "cavern"))


def _chance_to_win(lead: float, spread: float) -> float:
    return 1 / (1 + exp(-SURE * lead / spread))


def _actions_up_to_chance(state: State, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions of a turn up to the first dug-up room, or including its end."""
    for number, action in enumerate(actions, 1):
        if isinstance(action, Excavate) or (isinstance(action, UseRoom) and action.at is not None):
            return tuple(actions[:number])
    if state.drafting or isinstance(actions[-1], EndTurn):
        return tuple(actions)
    return (*actions, _END)


def ideas(view: Json, choices: Sequence[Json], *asked: Any) -> list[Idea]:
    """Return only planned turns, or ending this one: other actions gain nothing. In the draft, any action."""
    if not CAVE_VS_CAVE.view_from_json(view).cave.drafting:
        choices = [each for each in choices if each["action"]["type"] == "end_turn"] or choices[:1]
    found = judge.judge_ideas(VersusAdvice(), view, choices, *asked)
    # Digging comes before an equally good end of the turn, but is no idea in the last turn.
    best = [idea for idea in found if (idea.chance, idea.points) == (found[0].chance, found[0].points)]
    return sorted(found, key=lambda idea: idea not in best or idea.action != _END_JSON)


NOVICE = Style(width=1, glance=3)
ROOKIE = Style(width=3, glance=5)


def _choose_by_style(style: Style, view: Json, choices: list[Json], seed: str) -> Json:
    shown = CAVE_VS_CAVE.view_from_json(view)
    assert shown.viewer is not None
    found = turn_options(shown.cave, shown.viewer, style, Random(seed))
    return codec.to_json(found[0].actions[0])


novice = partial(_choose_by_style, NOVICE)
rookie = partial(_choose_by_style, ROOKIE)
guide = partial(_choose_by_style, GUIDE)
"""Deterministic: it ignores the seed."""


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the expert's action in its public form."""
    # A new advice for each decision, as its cache would make the action depend on earlier ones.
    advice = VersusAdvice()
    return search.decide_by_search(advice, view, choices, search.SEED, advice.budget)
