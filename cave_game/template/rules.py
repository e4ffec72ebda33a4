"""The values of Lanterns, and the effects of actions; ``game.py`` has the contract.

A toy game with the hard parts of games: hidden hands, simultaneous secret choices, chance, half points.
Comments cite rule numbers of ``RULES.md``. Values are frozen, and their fields are their JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from cave.chance import Chance
from cave.codec import Count, JsonForm, Points, Tagged
from cave.game import Json, Step
from cave.score import Score, plain_number

DECK = tuple(range(1, 7)) * 6  # rule 1
GEMS = tuple(range(1, 6)) * 2  # rule 2
HIDDEN = 0  # in the state of a view: a hidden lantern or gem

Lantern = Annotated[int, Meta(ge=HIDDEN, le=max(DECK))]
Gem = Annotated[int, Meta(ge=HIDDEN, le=max(GEMS))]


class Light(Tagged, frozen=True):
    """The only action. It has no price, so it is its own choice."""

    lantern: Lantern


class Player(JsonForm, frozen=True):
    """A seat; ``lit`` is the lantern chosen for this round, or None."""

    hand: tuple[Lantern, ...]
    lit: Lantern | None = None
    burnt: tuple[Lantern, ...] = ()
    points: Points = 0


class State(JsonForm, frozen=True):
    """The first of ``gems`` is face up, the others are still to be found; at the end there are none."""

    settings: dict[str, Json]
    players: tuple[Player, ...]
    gems: tuple[Gem, ...]

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that have not chosen yet."""
        return frozenset(seat for seat, each in enumerate(self.players) if self.gems and each.lit is None)

    @property
    def standing(self) -> tuple[Score, ...]:
        """The points so far."""
        best = max(player.points for player in self.players)
        return tuple(
            Score(seat, each.points, {"gems": each.points}, {}, each.points == best)
            for seat, each in enumerate(self.players)
        )

    @property
    def dealt(self) -> list[int]:
        """All lanterns dealt, unless hidden."""
        rows = ((*each.hand, each.lit or HIDDEN, *each.burnt) for each in self.players)
        return [lantern for row in rows for lantern in row if lantern != HIDDEN]


class Chose(Tagged, frozen=True):
    """A player chose a lantern, which is None for others."""

    seat: Count
    lantern: Lantern | None


class Shown(Tagged, frozen=True):
    """The lantern of each seat in a round."""

    lit: tuple[Lantern, ...]


class Won(Tagged, frozen=True):
    """A gem was won, or shared."""

    seat: Count
    points: Points


class Found(Tagged, frozen=True):
    """The next gem."""

    gem: Gem


Event = Chose | Shown | Won | Found


def light(state: State, seat: int, lantern: int) -> Step[State, Event]:
    """Light a lantern; the last one to do so ends the round."""
    player = state.players[seat]
    at = player.hand.index(lantern)
    player = replace(player, hand=player.hand[:at] + player.hand[at + 1 :], lit=lantern)
    state = replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))
    told = Chose(seat, lantern)
    if state.to_act:
        return Step(state, (told,))
    end = end_round(state)
    return Step(end.state, (told, *end.events))


def end_round(state: State) -> Step[State, Event]:
    """Show the lit lanterns, award the gem and find the next one (rules 3 and 4)."""
    lit = tuple(player.lit or 0 for player in state.players)
    winners = [seat for seat, lantern in enumerate(lit) if lantern == max(lit)]
    if len(winners) > 1 and state.settings["ties"] == "nobody":
        winners = []
    share = plain_number(2 * state.gems[0] // max(1, len(winners)) / 2)
    players = tuple(
        Player(each.hand, None, (*each.burnt, lit[seat]), plain_number(each.points + share * (seat in winners)))
        for seat, each in enumerate(state.players)
    )
    won, found = (Won(seat, share) for seat in winners), map(Found, state.gems[1:2])
    return Step(replace(state, players=players, gems=state.gems[1:]), (Shown(lit), *won, *found))


# Secrets. New fields of Player or State may need lines in ``hide``, and in ``imagine``, its inverse.


def hide(state: State, viewer: int | None) -> State:
    """Return the state as a viewer sees it."""
    players = tuple(
        each
        if seat == viewer
        else replace(each, hand=(HIDDEN,) * len(each.hand), lit=None if each.lit is None else HIDDEN)
        for seat, each in enumerate(state.players)
    )
    return replace(state, players=players, gems=(*state.gems[:1], *(HIDDEN for _ in state.gems[1:])))


def imagine(seen: State, seed: str) -> State:
    """Return a random full state that fits ``seen``; hidden parts are dealt from the rest of the box."""
    hidden, chance = Chance(seed).shuffle(left_in(DECK, seen.dealt))
    gems, _ = chance.shuffle(left_in(GEMS, seen.gems))
    deal, find = iter(hidden), iter(gems)
    players = tuple(
        replace(
            each,
            hand=tuple(sorted(lantern or next(deal) for lantern in each.hand)),
            lit=next(deal) if each.lit == HIDDEN else each.lit,
        )
        for each in seen.players
    )
    return replace(seen, players=players, gems=tuple(gem or next(find) for gem in seen.gems))


def left_in(box: Sequence[int], taken: Sequence[int]) -> list[int]:
    return sorted((Counter(box) - Counter(taken)).elements())
