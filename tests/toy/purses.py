"""Purses, a second toy: what one draws is one's own secret, and so is what it is worth.

1. In turns each player takes a coin of 1 to 6 points out of a bag, unseen by the others, or stops.
2. A purse holds two coins, by the option *long* three; one player alone plays the short game.
3. When all have stopped or their purses are full, the purses are opened, and most points win.

It writes no more than a game has to, and stands for what Lanterns has not: a total that a view hides, an
option that hangs on the number of seats, news for one seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.codec import Count, JsonForm
from cave.game import BadData, Chooser, Game, Json, Option, Step, chosen
from cave.names import check_name
from cave.score import Score

COINS = tuple(range(1, 7)) * 3
HIDDEN = 0
LENGTH = Option(
    "length", "Length", (("short", "Short"), ("long", "Long")), "short", seats={"long": range(2, 5)}
)


class Take(Struct, frozen=True):
    type: ClassVar[str] = "take"


class Stop(Struct, frozen=True):
    type: ClassVar[str] = "stop"


class Took(Struct, frozen=True):
    """``number`` is the place of the coin in the purse, ``coin`` None to all but who took it."""

    type: ClassVar[str] = "took"
    seat: Count
    number: Count
    coin: Count | None


class Stopped(Struct, frozen=True):
    type: ClassVar[str] = "stopped"
    seat: Count


class Opened(Struct, frozen=True):
    """All purses, at the end: the event of no seat."""

    type: ClassVar[str] = "opened"
    purses: tuple[tuple[Count, ...], ...]


class Purse(JsonForm, frozen=True):
    coins: tuple[Count, ...] = ()
    stopped: bool = False


class State(JsonForm, frozen=True):
    """Value and form of a position at once; ``seat`` is None at the end."""

    settings: dict[str, Json]
    players: tuple[Purse, ...]
    bag: tuple[Count, ...]
    seat: Count | None
    format: str = "cave-position"
    version: int = 1
    game: str = "purses"

    def free(self, seat: int) -> bool:
        """Whether a seat can take another coin."""
        size = 3 if self.settings.get("length") == "long" else 2
        return not self.players[seat].stopped and len(self.players[seat].coins) < size


class View(JsonForm, frozen=True):
    """The form of a view; ``position`` is the state with HIDDEN where the viewer may not look."""

    viewer: Count | None
    names: tuple[str, ...]
    position: State
    hidden: tuple[Count, ...] = ()

    @property
    def acting(self) -> frozenset[int]:
        return acting(self.position)

    @property
    def over(self) -> bool:
        return self.position.seat is None

    @property
    def standing(self) -> tuple[Score, ...]:
        return standing(self.position)


def acting(state: State) -> frozenset[int]:
    return frozenset(() if state.seat is None else (state.seat,))


def standing(state: State) -> tuple[Score, ...]:
    """A purse that is not known has no total, and while there is one nobody is known to lead."""
    totals = [None if HIDDEN in each.coins else sum(each.coins) for each in state.players]
    best = None if None in totals else max(total or 0 for total in totals)
    return tuple(
        Score(seat, total, {} if total is None else {"coins": total}, {}, total is not None and total == best)
        for seat, total in enumerate(totals)
    )


def taker(view: Json, choices: list[Json], seed: str) -> Json:
    return choices[0]["action"]


class Purses(Game[State, Any, Any, Any, View]):
    name: ClassVar[str] = "purses"
    title: ClassVar[str] = "Purses"
    seats: ClassVar[range] = range(1, 5)
    options: ClassVar[tuple[Option, ...]] = (LENGTH,)
    bots: ClassVar[Mapping[str, Chooser]] = {"taker": taker}
    actions: ClassVar[tuple[type[Any], ...]] = (Take, Stop)
    events: ClassVar[tuple[type[Any], ...]] = (Took, Stopped, Opened)
    views: ClassVar[type[Any]] = View

    to_act = staticmethod(acting)
    standing = staticmethod(standing)

    def new(self, seats: int, settings: Json, seed: str) -> State:
        if seats not in self.seats:
            raise BadData("seats", "must be 1 to 4")
        bag, _ = Chance(seed).shuffled(COINS)
        return State(self.settings(settings, seats), (Purse(),) * seats, bag, 0)

    def choices(self, state: State, seat: int) -> tuple[Any, ...]:
        return (Take(), Stop()) if seat in acting(state) else ()

    def apply(self, state: State, seat: int, action: Any) -> Step[State, Any]:
        self.check_turn(state, seat)
        mine, bag, told = state.players[seat], state.bag, [Stopped(seat)]
        if isinstance(action, Stop):
            mine = replace(mine, stopped=True)
        else:
            told = [Took(seat, len(mine.coins), bag[0])]
            mine, bag = replace(mine, coins=(*mine.coins, bag[0])), bag[1:]
        players = (*state.players[:seat], mine, *state.players[seat + 1 :])
        state = replace(state, players=players, bag=bag, seat=None)
        turn = [(seat + 1 + ahead) % len(players) for ahead in range(len(players))]
        after = next((each for each in turn if state.free(each)), None)
        if after is None:
            told.append(Opened(tuple(each.coins for each in players)))
        return Step(replace(state, seat=after), tuple(told))

    def is_barrier(self, event: Any) -> bool:
        return not isinstance(event, Stopped)

    def public_event(self, event: Any) -> Any:
        return replace(event, coin=None) if isinstance(event, Took) else event

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        others = () if state.seat is None else {*range(len(state.players))} - {seat}
        players = tuple(
            replace(each, coins=(HIDDEN,) * len(each.coins)) if number in others else each
            for number, each in enumerate(state.players)
        )
        hidden = tuple(sorted(number for number in others if players[number].coins))
        seen = replace(state, players=players, bag=(HIDDEN,) * len(state.bag))
        return View(seat, self.called(names, len(players)), seen, hidden)

    def imagine(self, view: View, seed: str) -> State:
        seen = view.position
        known = Counter(coin for each in seen.players for coin in each.coins)
        order, _ = Chance(seed).shuffled(sorted((Counter(COINS) - known).elements()))
        deal = iter(order)
        players = tuple(
            replace(each, coins=tuple(coin or next(deal) for coin in each.coins)) for each in seen.players
        )
        return replace(seen, players=players, bag=tuple(deal))

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return {**codec.fields(state), "names": [*self.called(names, len(state.players))]}

    def names_in(self, position: Json) -> tuple[str, ...]:
        return tuple(position["names"])

    def from_position(self, data: Json) -> State:
        data = dict(data)
        for seat, name in enumerate(data.pop("names")):
            check_name(name, f"names[{seat}]")
        state = codec.document(data, State, format="cave-position", version=1, game=self.name)
        chosen(self.options, state.settings, len(state.players))
        if HIDDEN in (*state.bag, *(coin for each in state.players for coin in each.coins)):
            raise BadData("bag", "must all be known")
        return state


PURSES = Purses()
