"""What the search has to know of The Cave: the guide's plans, its quick play for all, and chances to win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erf, exp, sqrt
from random import Random

from msgspec.structs import replace

from cave import judge, search
from cave.game import Idea, Json, Stop
from cave.score import shares
from cave.the_cave import guide, routes
from cave.the_cave.actions import Action, AnyChoice, EndTurn
from cave.the_cave.components import components
from cave.the_cave.game import THE_CAVE
from cave.the_cave.geometry import BASE
from cave.the_cave.guide import Look
from cave.the_cave.scoring import BONUS_CATEGORIES, MOST_BONUS, counts, points
from cave.the_cave.state import State
from cave.the_cave.view import View

QUICK = Look(width=5, patient=False, all_kits=False)
EVERY = Look(every=True)
# About the weights that fit who wins games of guides: ``python -m tests.bench cave-value``.
AHEAD_HOPED = 0.4  # of the score of a team's best trip, while there are tiles to draw
AHEAD_AT_THE_END = 0.7  # when there are none
STRANDED = -60.0
SURE = 1.2  # how a lead becomes a chance to win: over the spread of what is still to come
SPREAD = 3.0
SPREAD_A_TILE = 0.35
BONUS_SPREAD = 0.3
BONUS_SPREAD_A_TILE = 0.12
TILES = sum(map(len, components().stacks))


class CaveAdvice(search.Advice[State, Action, AnyChoice, View]):
    """The advice of the guide."""

    game = THE_CAVE
    most = 5
    turns = 1
    budget = 24
    decided = 0.02

    def plans(
        self, view: View, choices: Sequence[AnyChoice], rng: Random, most: int
    ) -> list[search.Plan[Action]]:
        """Return the guide's choice and the best plans that begin otherwise. Before the end is near a team
        neither waits at the base, nor turns home, nor strolls about unless the guide would: others would do
        so as well, and for ever.
        """
        assert view.viewer is not None
        state, seat = guide.blank(view), view.viewer
        first, *others = guide.stirred(state, seat, guide.options(state, seat, EVERY), rng)
        if state.phase == "actions" and state.turns_left is None:
            idle = ((EndTurn(),), guide.homeward(state, seat))
            others = [option for option in others if option.score > 0 and option.actions not in idle]
        return [option.actions + option.later for option in (first, *others)[:most]]

    def settle(self, state: State, viewer: int, rng: Random) -> State:
        """Return the state with a kit for every team whose pack is hidden (rule 2.3)."""
        if state.phase != "packing":
            return state
        teams = tuple(
            team
            if seat == viewer or seat not in state.packed
            else replace(team, backpack=rng.choice(guide.fresh_kits(team)))
            for seat, team in enumerate(state.teams)
        )
        return replace(state, teams=teams)

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return what a hasty guide does."""
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        """Return what a hasty guide does up to a discovery or the turn's end."""
        return guide.options(state, seat, QUICK)[0].actions

    def value(self, state: State) -> list[float]:
        """Return for each seat its chance to win."""
        if state.phase == "over":
            return shares(THE_CAVE.standing(state))
        hoped = [self._hoped(state, seat) for seat in range(len(state.teams))]
        tiles = sum(len(stack) for stack in state.stacks)
        spread = SPREAD + SPREAD_A_TILE * tiles
        return [
            1 / (1 + exp(-SURE * (mine - max(hoped[:seat] + hoped[seat + 1 :])) / spread))
            for seat, mine in enumerate(hoped)
        ]

    def _hoped(self, state: State, seat: int) -> float:
        """Return the points that a team may hope for."""
        has, ahead = self.assets(state, seat)
        return has + (AHEAD_HOPED if state.tiles_left else AHEAD_AT_THE_END) * ahead

    def assets(self, state: State, seat: int) -> tuple[float, float]:
        """Return what a team has, bonuses included that it may hope for, and the score of its best trip."""
        team = state.teams[seat]
        has = float(sum(points(team.tokens).values())) + self._bonus(state, seat)
        if not self._gets_home(state, seat):
            return has + STRANDED, 0.0
        return has, guide.prospect(state, seat, QUICK)

    def _gets_home(self, state: State, seat: int) -> bool:
        """Return whether a team can be home in time, as far as that matters yet (rule 7.1)."""
        if state.turns_left is None or not state.settings.stranded_score_nothing:
            return True
        if state.phase == "over":
            return state.teams[seat].at == BASE
        home = routes.way_home(state, seat)
        return home is not None and home.turns - (seat != state.seat) < guide.turns_left(state, seat)

    def left(self, state: State) -> float:
        """Return the share of the tiles that are still to be drawn."""
        return sum(map(len, state.stacks)) / TILES

    def points(self, state: State, seat: int) -> float:
        """Return the points that a team may hope for; the score at the end."""
        return super().points(state, seat) if state.phase == "over" else self._hoped(state, seat)

    def events(self, state: State, seat: int) -> Mapping[str, bool]:
        """Return whether a team gets home in time, once the end is triggered."""
        return {} if state.turns_left is None else {"home": self._gets_home(state, seat)}

    def _bonus(self, state: State, seat: int) -> float:
        """Return the bonuses that a team may hope for (rule 7.4)."""
        rows = [counts(team.tokens) for team in state.teams]
        tiles = sum(len(stack) for stack in state.stacks)
        spread = sqrt(2 * (BONUS_SPREAD + BONUS_SPREAD_A_TILE * tiles))
        bonus = 0.0
        for category in BONUS_CATEGORIES:
            best = max(row[category] for other, row in enumerate(rows) if other != seat)
            bonus += MOST_BONUS / 4 * erf((rows[seat][category] - best) / spread)
        return bonus


ADVICE = CaveAdvice()


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the expert takes: the guide's plans, played out."""
    return search.decide(ADVICE, view, choices, search.SEED, ADVICE.budget)


def ideas(
    view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    """Return what the judge says of them."""
    return judge.ideas(ADVICE, view, choices, also, stop, effort)
