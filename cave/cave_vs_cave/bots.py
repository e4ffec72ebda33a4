"""The bots of Cave vs Cave.

The novice does whatever it comes across, as long as its tile offers something. The rookie thinks through its
whole turn with each tile, and judges what it has then: rooms, goods for later, and space to go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from cave import codec
from cave.cave_vs_cave import forms
from cave.cave_vs_cave.actions import (
    Action,
    Anytime,
    Choice,
    Draft,
    EndTurn,
    Furnish,
    Take,
    TakeCavern,
    UseRoom,
)
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.judgement import WORTH, Judgement, judgement
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import BLUE, ROOMS
from cave.cave_vs_cave.view import from_json as read_view
from cave.cave_vs_cave.view import imagine
from cave.game import Json

WALL = 1.5  # points that a wall of the draft is worth
EXCHANGES = 4  # anytime exchanges that it thinks ahead


def novice(view: Json, choices: list[Json], seed: str) -> Json:
    """The public form of the action the novice takes; ``choices`` are those of the view's seat."""
    rng = Random(seed)
    busy = [choice for choice in choices if choice["action"]["type"] not in ("anytime", "end_turn")]
    ends = [choice for choice in choices if choice["action"]["type"] == "end_turn"]
    return rng.choice(busy or ends or choices)["action"]


def rookie(view: Json, choices: list[Json], seed: str) -> Json:
    """The public form of the action the rookie takes."""
    shown = read_view(view)
    assert shown.viewer is not None
    rng = Random(seed)
    state, seat = imagine(shown, seed), shown.viewer
    offered = [forms.choice_from_json(choice) for choice in choices]
    mind = _Mind(seat, judgement(state, seat))
    if isinstance(offered[0].action, Draft):
        best = max(offered, key=lambda each: (_drafted(each), rng.random())).action
    elif isinstance(offered[0].action, TakeCavern):
        best = max(offered, key=lambda each: mind.after(state, each.action)).action
    elif any(isinstance(each.action, Take) for each in offered):
        tiles = [each.action for each in offered if isinstance(each.action, Take)]
        best = max(tiles, key=lambda tile: (mind.turn(apply(state, seat, tile).state), rng.random()))
    else:
        best = mind.next(state, offered) or offered[0].action
    return codec.typed_json(best)


def _drafted(choice: Choice) -> float:
    action = choice.action
    assert isinstance(action, Draft)
    return ROOMS[action.room].vp + (action.room not in BLUE) - WALL * len(action.walls)


class _Mind(Struct, frozen=True):
    """The rookie's thoughts in one turn of a seat."""

    seat: int
    judgement: Judgement

    def turn(self, state: State) -> float:
        """Return what the rest of the turn comes to, if at each step what looks best is done."""
        while state.seat == self.seat and state.phase != "take":
            action = self.next(state, offers(state, self.seat))
            if action is None or isinstance(action, EndTurn):
                break
            state = apply(state, self.seat, action).state
        return self.judgement.value(state)

    def next(self, state: State, offered: Sequence[Choice]) -> Action | None:
        """Return the action that looks best, the end of the turn if nothing is better than that."""
        must = not any(isinstance(each.action, EndTurn) for each in offered)
        best: Action | None = None if must else EndTurn()
        most = float("-inf") if must else self.judgement.value(state)
        for each in _worth_a_thought(state, self.seat, offered):
            if isinstance(each.action, Anytime):
                value = self.exchange(state, each.action)
            else:
                value = self.after(state, each.action)
            if value > most:
                most, best = value, each.action
        return best

    def exchange(self, state: State, action: Anytime) -> float:
        """Return what some exchanges come to when a room can be furnished after them."""
        most = float("-inf")
        for _ in range(EXCHANGES):
            offered = offers(state, self.seat)
            if all(each.action != action for each in offered):
                break
            state = apply(state, self.seat, action).state
            rooms = (each.action for each in offers(state, self.seat) if isinstance(each.action, Furnish))
            most = max([most, *(self.after(state, room) for room in rooms)])
        return most

    def after(self, state: State, action: Action) -> float:
        """Return the value of the state after an action."""
        return self.judgement.value(apply(state, self.seat, action).state)


def _worth_a_thought(state: State, seat: int, offered: Sequence[Choice]) -> list[Choice]:
    """Return the choices but the end of the turn; of those that pay any three goods the cheapest only."""
    goods = state.players[seat].goods
    rest, any_three = [], []
    for each in offered:
        if isinstance(each.action, UseRoom) and each.action.goods:
            any_three.append(each)
        elif not isinstance(each.action, EndTurn):
            rest.append(each)
    # One that the Wood Storeroom is about to bring may be among them.
    any_three.sort(key=lambda each: sum(WORTH[good] / (goods[good] + 1) for good, _ in each.price))
    return rest + any_three[:1]
