"""The values of Basalt, and the effects of actions."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from cave.chance import Chance
from cave.codec import Count, JsonForm, Place, Tagged
from cave.game import Json, Refused, Step
from cave.score import Score

BOX = tuple(range(1, 7)) * 6  # rule 1
HAND = 3  # rule 1
BAG = {"short": 12, "long": 18}  # rule 1
HIDDEN = 0
"""In a view: a column whose height the viewer may not know."""
FIRST = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
"""The hexes for the first column (rule 2)."""

Height = Annotated[int, Meta(ge=HIDDEN, le=6)]


class Put(Tagged, frozen=True):
    """``number`` is the column's index in the player's row: choices reveal nothing of its height."""

    number: Count
    at: Place


class Stood(Tagged, frozen=True):
    """A column was put on a hex."""

    seat: Count
    height: Height
    at: Place
    points: Count


class Drew(Tagged, frozen=True):
    """A column was drawn; only that player may know which (None for others)."""

    seat: Count
    number: Count
    height: Height | None


class Began(Tagged, frozen=True):
    seat: Count


class Shown(Tagged, frozen=True):
    """All columns left in the hands, at the end: the event of no seat."""

    hands: tuple[tuple[Height, ...], ...]


class Column(JsonForm, frozen=True):
    at: Place
    height: Height
    seat: Count


class Player(JsonForm, frozen=True):
    """All columns that a player has drawn, in order, and the places of those put."""

    drawn: tuple[Height, ...]
    put: tuple[Count, ...] = ()
    points: Count = 0

    @property
    def hand(self) -> dict[int, int]:
        """The columns still in hand, by index in the row."""
        return {number: height for number, height in enumerate(self.drawn) if number not in self.put}

    @property
    def held(self) -> int | None:
        """The points in its hand; None if unknown."""
        heights = self.hand.values()
        return None if HIDDEN in heights else sum(heights)

    @property
    def sources(self) -> dict[str, int]:
        """The sources of its points, if known."""
        return {"put": self.points} | ({} if self.held is None else {"hand": self.held})

    @property
    def covered(self) -> Player:
        hand = self.hand
        return replace(self, drawn=tuple(HIDDEN if n in hand else each for n, each in enumerate(self.drawn)))


class State(JsonForm, frozen=True):
    """``seat`` is None at the end."""

    settings: dict[str, Json]
    players: tuple[Player, ...]
    board: tuple[Column, ...]
    bag: tuple[Height, ...]
    seat: Count | None

    @property
    def to_act(self) -> frozenset[int]:
        return frozenset(() if self.seat is None else (self.seat,))

    @property
    def standing(self) -> tuple[Score, ...]:
        """An unknown hand has no points, and while there is one nobody is known to lead."""
        totals = [None if each.held is None else each.points + each.held for each in self.players]
        best = None if None in totals else max(total or 0 for total in totals)
        return tuple(
            Score(seat, total, each.sources, {}, total is not None and total == best)
            for seat, (total, each) in enumerate(zip(totals, self.players, strict=True))
        )


def beside(at: Place) -> tuple[Place, ...]:
    """The six hexes around one; each odd column is half a hex lower."""
    x, y = at
    up = y - 1 + x % 2
    return ((x, y - 1), (x + 1, up), (x + 1, up + 1), (x, y + 1), (x - 1, up + 1), (x - 1, up))


def free(state: State) -> tuple[Place, ...]:
    """The hexes on which a column can be put (rule 2), in a stable order."""
    taken = {column.at for column in state.board}
    return tuple(sorted({at for each in taken for at in beside(each)} - taken)) or FIRST


def brings(state: State, height: int, at: Place) -> int:
    """The points of a column on a hex (rule 2)."""
    near = beside(at)
    return sum(column.at in near and column.height <= height for column in state.board)


def check(state: State, seat: int, action: Put) -> None:
    """Raise Refused for what the rules do not allow."""
    if action.number not in state.players[seat].hand:
        raise Refused("not_in_hand", "You do not have that column (rule 1).")
    if any(column.at == action.at for column in state.board):
        raise Refused("taken", "A column stands there already (rule 2).")
    if action.at not in free(state):
        raise Refused("not_beside", "A column goes beside another one (rule 2).")


def put(state: State, seat: int, action: Put) -> Step[State, Any]:
    """Put a column, draw another, and pass the turn or end the game (rules 2 and 3)."""
    player = state.players[seat]
    height = player.drawn[action.number]
    points = brings(state, height, action.at)
    drawn, bag = state.bag[0], state.bag[1:]
    player = Player((*player.drawn, drawn), (*player.put, action.number), player.points + points)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    after = (seat + 1) % len(players) if bag else None
    last = Shown(tuple(tuple(each.hand.values()) for each in players)) if after is None else Began(after)
    board = (*state.board, Column(action.at, height, seat))
    told = (Stood(seat, height, action.at, points), Drew(seat, len(player.drawn) - 1, drawn), last)
    return Step(replace(state, players=players, board=board, bag=bag, seat=after), told)


# Secrets. If you add a field to Player or State, update ``hide``; ``imagine`` is the way back.


def hide(state: State, viewer: int | None) -> State:
    """The state as a viewer sees it; at the end everything is shown."""
    players = tuple(
        each if seat == viewer or state.seat is None else each.covered for seat, each in enumerate(state.players)
    )
    return replace(state, players=players, bag=(HIDDEN,) * len(state.bag))


def known_in(state: State) -> list[int]:
    """Every column whose height is known."""
    rows = (*(each.drawn for each in state.players), state.bag)
    return [height for row in rows for height in row if height != HIDDEN]


def imagine(seen: State, seed: str) -> State:
    """A state that fits the view; hidden parts are dealt anew, from the columns the viewer has not seen."""
    rest, _ = Chance(seed).shuffle(sorted((Counter(BOX) - Counter(known_in(seen))).elements()))
    deal = iter(rest)
    players = tuple(replace(each, drawn=tuple(height or next(deal) for height in each.drawn)) for each in seen.players)
    return replace(seen, players=players, bag=tuple(height or next(deal) for height in seen.bag))
