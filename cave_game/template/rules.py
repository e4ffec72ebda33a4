"""The values of Lanterns, and what an action does; ``game.py`` makes a game of it.

A toy game with what makes games hard: hidden hands, secret choices at once, chance, half points. ``RULES.md``
has its rules, by whose numbers they are cited here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cave.chance import Chance
from cave.codec import Count, Points, Tagged
from cave.game import Json, Step
from cave.score import Score, plain

DECK = tuple(range(1, 7)) * 6  # rule 1
GEMS = tuple(range(1, 6)) * 2  # rule 2
HIDDEN = 0
"""In the state that a view holds: a lantern or a gem that the viewer may not know."""

Lantern = Annotated[int, msgspec.Meta(ge=HIDDEN, le=max(DECK))]
Gem = Annotated[int, msgspec.Meta(ge=HIDDEN, le=max(GEMS))]

# Values. All of them are frozen; their fields have the names of the public forms.


class Light(Tagged, frozen=True):
    """The only action. As it has no price it is its own choice."""

    lantern: Lantern


class Player(Struct, frozen=True):
    """One seat; ``lit`` is the lantern it has chosen for this round, None before."""

    hand: tuple[int, ...]
    lit: int | None = None
    burnt: tuple[int, ...] = ()
    points: float = 0

    @property
    def hides(self) -> bool:
        """Whether there is something of it that the viewer may not know."""
        return HIDDEN in (*self.hand, self.lit)


class State(Struct, frozen=True):
    """The first gem lies open, the others are still to be found; at the end there are none."""

    settings: Mapping[str, Json]
    players: tuple[Player, ...]
    gems: tuple[int, ...]

    @property
    def acting(self) -> frozenset[int]:
        """Those who have not chosen yet."""
        return frozenset(seat for seat, each in enumerate(self.players) if self.gems and each.lit is None)


class View(Struct, frozen=True):
    """What a viewer sees: the state, with HIDDEN where it may not look."""

    viewer: int | None
    names: tuple[str, ...]
    seen: State

    @property
    def acting(self) -> frozenset[int]:
        return self.seen.acting

    @property
    def over(self) -> bool:
        return not self.seen.gems

    @property
    def standing(self) -> tuple[Score, ...]:
        return standing(self.seen)


# What happens.


class Chose(Tagged, frozen=True):
    """Somebody chose; which lantern, only that player may know (None for others)."""

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


# Rules.


def light(state: State, seat: int, lantern: int) -> Step[State, Event]:
    """Light a lantern; the last one to do so ends the round."""
    player = state.players[seat]
    at = player.hand.index(lantern)
    player = replace(player, hand=player.hand[:at] + player.hand[at + 1 :], lit=lantern)
    state = replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))
    told = Chose(seat, lantern)
    if state.acting:
        return Step(state, (told,))
    end = end_round(state)
    return Step(end.state, (told, *end.events))


def end_round(state: State) -> Step[State, Event]:
    """Show what was lit, share the gem out and find the next one (rules 3 and 4)."""
    lit = tuple(player.lit or 0 for player in state.players)
    winners = [seat for seat, lantern in enumerate(lit) if lantern == max(lit)]
    if len(winners) > 1 and state.settings["ties"] == "nobody":
        winners = []
    share = plain(2 * state.gems[0] // max(1, len(winners)) / 2)
    players = tuple(
        replace(
            player,
            lit=None,
            burnt=(*player.burnt, lit[seat]),
            points=plain(player.points + share * (seat in winners)),
        )
        for seat, player in enumerate(state.players)
    )
    found = [Found(gem) for gem in state.gems[1:2]]
    events: tuple[Event, ...] = (Shown(lit), *(Won(seat, share) for seat in winners), *found)
    return Step(replace(state, players=players, gems=state.gems[1:]), events)


def standing(state: State) -> tuple[Score, ...]:
    """Return the points so far."""
    best = max(player.points for player in state.players)
    return tuple(
        Score(seat, each.points, {"gems": each.points}, {}, each.points == best)
        for seat, each in enumerate(state.players)
    )


# Secrets. Whoever adds a field to Player or State thinks of ``hide``; ``imagine`` is the way back.


def hide(state: State, viewer: int | None) -> State:
    """Return the state as a viewer sees it."""
    players = (
        replace(each, hand=(HIDDEN,) * len(each.hand), lit=None if each.lit is None else HIDDEN)
        for each in state.players
    )
    shown = tuple(
        mine if seat == viewer else other
        for seat, (mine, other) in enumerate(zip(state.players, players, strict=True))
    )
    return replace(state, players=shown, gems=(*state.gems[:1], *(HIDDEN for _ in state.gems[1:])))


def imagine(seen: State, seed: str) -> State:
    """Return a state that looks like that; what is hidden is dealt anew, from what the viewer has not
    seen.
    """
    hidden, chance = Chance(seed).shuffled(left_in(DECK, dealt_in(seen)))
    gems, _ = chance.shuffled(left_in(GEMS, seen.gems))
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


def dealt_in(state: State) -> list[int]:
    """Return every lantern that was dealt, as far as it is known."""
    dealt = chain.from_iterable((*each.hand, each.lit or HIDDEN, *each.burnt) for each in state.players)
    return [lantern for lantern in dealt if lantern != HIDDEN]


def left_in(box: Sequence[int], taken: Sequence[int]) -> list[int]:
    """Return what is left in the box."""
    return sorted((Counter(box) - Counter(taken)).elements())
