"""What the search has to know of The Caves of Casadh: the guide's plans, its play for all, chances to win."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import fsum, inf
from random import Random

from msgspec.structs import replace

from cave import judge, search
from cave.caves_of_casadh import guide
from cave.caves_of_casadh.actions import Action, Choice
from cave.caves_of_casadh.components import components
from cave.caves_of_casadh.fortune import beats
from cave.caves_of_casadh.game import CAVES_OF_CASADH
from cave.caves_of_casadh.guide import LATE, Look, Taste
from cave.caves_of_casadh.outlook import TO_THE_END, Outlook
from cave.caves_of_casadh.state import State
from cave.caves_of_casadh.view import View
from cave.game import Idea, Json, Stop
from cave.score import shares

# What won most of 20,000 games against guides: ``python -m tests.bench casadh-taste`` tries other numbers.
KEEN = Taste(left=2.0, lantern=9.0, gear=7.0, light=4.0, weak=2, marker=4.0, water=0.2, shortcut=0.7)
EXPERT = Look(expects=TO_THE_END, patience=LATE, taste=KEEN)
QUICK = replace(EXPERT, within=8)
EVERY = replace(EXPERT, every=True)
HEXES = sum(map(len, components().pile))
LEAST = 0.01  # a sum of chances that is not made up to 1


class CasadhAdvice(search.Advice[State, Action, Choice, View]):
    """The advice of the guide."""

    game = CAVES_OF_CASADH
    most = 4
    turns = inf
    # Without a race: playouts make the worse choice.

    def plans(
        self, view: View, choices: Sequence[Choice], rng: Random, most: int
    ) -> list[search.Plan[Action]]:
        """Return the guide's choice and the best plans that begin otherwise."""
        assert view.viewer is not None
        is_dead = view.cave.players[view.viewer].state == "dead"
        # Nothing that the dead do makes them win.
        return guide.plans(view.cave, view.viewer, EVERY)[: 1 if is_dead else most]

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return what a guide does that looks only at what is near."""
        return self.follow(state, seat, rng)[0]

    def follow(self, state: State, seat: int, rng: Random) -> search.Plan[Action]:
        """Return the same with what comes after it."""
        return guide.plans(state, seat, QUICK)[0]

    def value(self, state: State) -> list[float]:
        """Return for each seat its chance to win."""
        if state.phase == "over":
            return shares(CAVES_OF_CASADH.standing(state))
        chances = [_chance(state, seat) for seat in range(len(state.players))]
        return [chance / max(LEAST, fsum(chances)) for chance in chances]

    def turn(self, state: State) -> Hashable:
        """Return whose turn it is, and in which round: who is alone in the caves acts again and again."""
        return state.seat, state.round

    def left(self, state: State) -> float:
        """Return the share of the hexes that are still in the pile."""
        return len(state.hexes) / HEXES

    def events(self, state: State, seat: int) -> Mapping[str, bool]:
        """Return whether a spelunker gets out alive."""
        return {"out": state.players[seat].state == "out"}


def _chance(state: State, seat: int) -> float:
    """Return the chance to win of a seat, all treasures being known."""
    player = state.players[seat]
    if player.state == "dead":
        return 0.0
    outlook = Outlook(state, seat, TO_THE_END, open_hands=True)
    if player.state == "out":
        return beats(outlook.rivals, outlook.gold)
    return outlook.staying(outlook.gold, outlook.strength)


ADVICE = CasadhAdvice()


def expert(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the public form of the action the expert takes: that of a guide who expects rivals to stay to
    the end, and knows better what things are worth.

    It draws no lots: the seed changes nothing.
    """
    shown = CAVES_OF_CASADH.view_from_json(view)
    assert shown.viewer is not None
    best = guide.plans(shown.cave, shown.viewer, EXPERT)[0]
    return CAVES_OF_CASADH.action_json(best[0])


def ideas(
    view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    """Return what the judge says of them."""
    return judge.ideas(ADVICE, view, choices, also, stop, effort)
