"""What the search has to know of Cave vs Cave: the guide's turns, quick play for all, and chances to win."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp, fsum
from random import Random

from msgspec.structs import replace

from cave import judge, search
from cave.cave_vs_cave.actions import Action, Choice, EndTurn, Excavate, UseRoom
from cave.cave_vs_cave.game import CAVE_VS_CAVE
from cave.cave_vs_cave.guide import GUIDE, Memory, Style, options
from cave.cave_vs_cave.judgement import FITTED, judgement
from cave.cave_vs_cave.prospects import goal, turns_in_all, turns_left
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.view import View
from cave.game import Idea, Json, Stop
from cave.score import shares

THOROUGH = replace(GUIDE, width=8, ends=3, ahead=10, weights=FITTED)
QUICK = Style(width=2, weights=FITTED)
SURE = 1.7  # how a lead becomes a chance to win: over the spread of what is still to come
SPREAD = 3.0
SPREAD_A_TURN = 0.4
_END = EndTurn()


class VersusAdvice(search.Advice[State, Action, Choice, View]):
    """The advice of the guide. It remembers the turns of quick play, so it is for one decision."""

    game = CAVE_VS_CAVE
    most = 5
    turns = 2
    budget = 24

    def __init__(self) -> None:
        self._memory: Memory = {}

    def plans(
        self, view: View, choices: Sequence[Choice], rng: Random, most: int
    ) -> list[search.Plan[Action]]:
        """Return the turns that look best, up to where a room is dug up; of those alike up to there one.

        In the draft and while covering it is the guide's choice alone: points say too little there.
        """
        assert view.viewer is not None
        most = 1 if view.cave.drafting else most
        found: dict[str, search.Plan[Action]] = {}
        for option in options(view.cave, view.viewer, THOROUGH, rng):
            plan = _to_chance(view.cave, option.actions)
            found.setdefault(repr(plan), plan)
            if len(found) == most:
                break
        return list(found.values())

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return what a hasty guide does, without a look at what is hidden."""
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        """Return the same with what comes after it."""
        return _to_chance(state, options(state, seat, QUICK, rng, self._memory)[0].actions)

    def value(self, state: State) -> list[float]:
        """Return for each seat its chance to win; alone, to reach the goal."""
        left = [turns_left(state, seat) for seat in range(len(state.players))]
        hoped = [self.points(state, seat) for seat in range(len(state.players))]
        spread = SPREAD + SPREAD_A_TURN * sum(left)
        if state.alone:
            # Points beyond the goal count as well, so nothing here is ever sure.
            target = goal(state)
            assert target is not None
            return [_chance(hoped[0] - target.needed, 10 + spread)]
        if state.phase == "over":
            return shares(CAVE_VS_CAVE.standing(state))
        return [_chance(mine - hoped[1 - seat], spread) for seat, mine in enumerate(hoped)]

    def left(self, state: State) -> float:
        """Return the share of the turns that are still to come."""
        seats = range(len(state.players))
        return fsum(turns_left(state, seat) for seat in seats) / (turns_in_all(state) * len(seats))

    def needed(self, state: State) -> float | None:
        """Return the points that the goal of a solo game requires (rule 9.4)."""
        target = goal(state)
        return None if target is None else target.needed

    def points(self, state: State, seat: int) -> float:
        """Return the expected points; the score at the end."""
        if state.phase == "over":
            return super().points(state, seat)
        mind = judgement(state, seat, FITTED, turns_left(state, seat))
        return mind.value(state.players[seat].goods, mind.shape)

    def turn(self, state: State) -> Hashable:
        """Return what changes with each turn: a seat may have two in a row (rule 3.6)."""
        return state.era, state.round, len(state.taken) - (state.phase in ("actions", "dig", "cavern"))


def _chance(lead: float, spread: float) -> float:
    return 1 / (1 + exp(-SURE * lead / spread))


def _to_chance(state: State, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions of a turn up to where a room is dug up, or with the end of the turn."""
    for number, action in enumerate(actions, 1):
        if isinstance(action, Excavate) or (isinstance(action, UseRoom) and action.at is not None):
            return tuple(actions[:number])
    if state.drafting or isinstance(actions[-1], EndTurn):
        return tuple(actions)
    return (*actions, _END)


def ideas(
    view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    """Return what the judge says of them."""
    return judge.ideas(VersusAdvice(), view, choices, also, stop, effort)
