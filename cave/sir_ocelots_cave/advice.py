"""What the judge has to know of Sir Ocelot's Cave: the expert's moves, quick play, chances to win."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from cave import judge, search
from cave.game import Idea, Json, Stop
from cave.score import shares
from cave.sir_ocelots_cave.actions import Action, Choice
from cave.sir_ocelots_cave.bots import EXPERT, Level, moves
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE
from cave.sir_ocelots_cave.leaf import Leaf, learned
from cave.sir_ocelots_cave.node import node_of
from cave.sir_ocelots_cave.search import Plies
from cave.sir_ocelots_cave.stakes import worth
from cave.sir_ocelots_cave.state import TURNS, State
from cave.sir_ocelots_cave.view import View

QUICK = Level(Plies(8, (4,)), round=1)
SPREAD = 3.0  # how a lead becomes a chance to win
SPREAD_A_PIECE = 0.5


class OcelotAdvice(search.Advice[State, Action, Choice, View]):
    """The advice of the expert."""

    game = SIR_OCELOTS_CAVE
    most = 4
    # Without a race: the expert looks deeper than playouts do.

    def plans(
        self, view: View, choices: Sequence[Choice], rng: Random, most: int
    ) -> list[search.Plan[Action]]:
        """Return the moves that the expert likes best."""
        return [(each,) for each in moves(view.cave, EXPERT, rng, exact=True)[:most]]

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return what an expert in a hurry does."""
        return moves(state, QUICK, rng)[0]

    def value(self, state: State) -> list[float]:
        """Return for each seat its chance to win."""
        if state.seat is None:
            return shares(SIR_OCELOTS_CAVE.standing(state))
        hoped = [self.points(state, seat) for seat in range(len(state.players))]
        pieces = sum(player.pieces for player in state.players)
        chance = 1 / (1 + exp((hoped[1] - hoped[0]) / (SPREAD + SPREAD_A_PIECE * pieces)))
        return [chance, 1 - chance]

    def points(self, state: State, seat: int) -> float:
        """Return the points that a seat has, and half of the lead that the leaf promises it."""
        points = super().points(state, seat)
        if state.seat is None:
            return points
        promise = Leaf(worth(state), learned()[EXPERT.round]).promise(node_of(state)) / 2
        return points + (promise if seat == state.seat else -promise)

    def left(self, state: State) -> float:
        """Return the share of the pieces that are still to be placed."""
        return sum(player.pieces for player in state.players) / TURNS


def ideas(
    view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    """Return what the judge says of them."""
    return judge.ideas(OcelotAdvice(), view, choices, also, stop, effort)
