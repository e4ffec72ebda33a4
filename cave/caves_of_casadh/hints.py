"""Advice for hints: rookies play each action on, in worlds that fit the view."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp
from random import Random

from cave import games, search
from cave.caves_of_casadh.actions import Action, Choice
from cave.caves_of_casadh.bots import acts
from cave.caves_of_casadh.choices import choices as offers
from cave.caves_of_casadh.prospects import homeward
from cave.caves_of_casadh.scoring import treasure
from cave.caves_of_casadh.state import State, where
from cave.caves_of_casadh.view import View
from cave.caves_of_casadh.view import view as seen_by
from cave.game import Idea, Json, Stop

PLAYOUTS = 60
ASKED_FOR = ("give_up", "deploy", "defuse", "end_turn")
"""Actions that are compared only where the rookie or a person means to do them."""
RISK = 0.06  # a MP of the way home, with 1 HP: the chance not to get out
CUT_OFF = 0.3  # the chance to get out where there is no way now
TO_COME = 5.0  # treasure that a spelunker with 3 HP or more still hopes for
SPREAD = 10.0  # of the treasure that is still to come


class CasadhAdvice(search.Advice[State, Action, Choice, View]):
    """The advice of the rookie, and a guess of who gets out with how much."""

    game = games.get("caves-of-casadh")
    most = 6
    turns = 8

    def plans(
        self, view: View, choices: Sequence[Choice], rng: Random, most: int
    ) -> list[search.Plan[Action]]:
        """Return what the rookie does, then the other actions."""
        assert view.viewer is not None
        own = acts(view.cave, view.viewer, choices, rng)
        sane = [choice for choice in choices if choice.type not in ASKED_FOR]
        others = [action for action in search.sampled(self.game, sane, rng, most) if action != own]
        plans: list[search.Plan[Action]] = [(own,), *((action,) for action in others)]
        return plans[:most]

    def play(self, state: State, seat: int, rng: Random) -> Action:
        """Return what the rookie does, which sees no hidden treasure."""
        return acts(seen_by(state, seat, ()).cave, seat, offers(state, seat), rng)

    def value(self, state: State) -> list[float]:
        """Return for each seat its chance to win."""
        if state.phase == "over":
            winners = [line.winner for line in self.game.standing(state)]
            return [each / max(1, sum(winners)) for each in winners]
        hoped = [self._hoped(state, seat) for seat in range(len(state.players))]
        return [
            1 / (1 + exp((max(hoped[:seat] + hoped[seat + 1 :]) - mine) / SPREAD))
            for seat, mine in enumerate(hoped)
        ]

    def turn(self, state: State) -> Hashable:
        """Return round and seat: where the others are out, one plays several turns in a row."""
        return state.round, state.seat

    def _hoped(self, state: State, seat: int) -> float:
        """Return the treasure that a spelunker may hope to bring out."""
        player = state.players[seat]
        if player.state == "dead":
            return 0.0
        held = float(treasure(player))
        if player.state == "out":
            return held
        away = homeward(state, player.items).get((where(state, seat), player.passage))
        out = CUT_OFF if away is None else (1 - RISK / player.hp) ** away
        return out * (held + TO_COME * min(1.0, player.hp / 3))


ADVICE = CasadhAdvice()


def ideas(
    view: Json, choices: list[Json], seed: str, also: Sequence[Json] = (), stop: Stop | None = None
) -> list[Idea]:
    """Return the actions that were played on, with the chances to win."""
    return search.ideas(ADVICE.game, ADVICE, view, choices, seed, PLAYOUTS, also, stop)
