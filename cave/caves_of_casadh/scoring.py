"""Points and winners (rule 9.4), and prospects: exits, the way home, hazard odds.

Prospects are for bots and for previews. They read only open information, so the state of a view works, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Literal

from msgspec import Struct

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import routes
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HOME, Cell, Hazard, ItemKind, hazard_damage, next_cell
from cave.caves_of_casadh.routes import Spot, ways_home
from cave.caves_of_casadh.state import Player, State, cell_of, hex_of
from cave.score import Score

CATEGORY = "treasure"
"""The line of the score sheet."""
DEAD = "dead"
HP, ITEMS = "more HP", "fewer items"
"""Tie-breakers for equal treasure."""
Rank = tuple[int, int, int]
"""Sort key of a player: treasure, HP, and minus the number of items, as few are better."""


def standing(state: State) -> tuple[Score, ...]:
    """Return the score if the game ended now and all spelunkers in the caves got out with their treasures."""
    ranks = sorted((_win_rank(player) for player in state.players if player.state != "dead"), reverse=True)
    by = _deciding_tie_breaker(ranks)

    def line(seat: int, player: Player) -> Score:
        winner = player.state != "dead" and _win_rank(player) == ranks[0]
        return _score_line(seat, player, winner, by if winner else "")

    return tuple(line(seat, player) for seat, player in enumerate(state.players))


def _deciding_tie_breaker(ranks: Sequence[Rank]) -> str:
    """Return the tie-breaker that decided the win; empty without one or if the win is shared."""
    if len(ranks) < 2 or ranks[0][0] != ranks[1][0] or ranks[0] == ranks[1]:
        return ""
    return HP if ranks[0][1] != ranks[1][1] else ITEMS


def standing_for(state: State, viewer: int | None) -> tuple[Score, ...]:
    """Return the score for a seat or a watcher: before the end only its own total (rule 6.3)."""
    if state.phase == "over":
        return standing(state)
    return tuple(
        _score_line(seat, player) if seat == viewer or player.state == "dead" else Score(seat, None, {}, {}, False)
        for seat, player in enumerate(state.players)
    )


def _score_line(seat: int, player: Player, winner: bool = False, by: str = "") -> Score:
    """Return the score of a player; the dead hold nothing (rule 9.1)."""
    total = treasure_value(player)
    return Score(seat, total, {CATEGORY: total}, {}, winner, DEAD if player.state == "dead" else "", by)


def treasure_value(player: Player) -> int:
    """Return the value of all treasures held; those of unknown value count 0."""
    return sum(filter(None, player.treasures))


def _win_rank(player: Player) -> Rank:
    """Return the sort key of winners: treasure, then HP, then few items."""
    return treasure_value(player), player.hp, -len(player.items)


class ReachableWay(Struct, frozen=True):
    """A neighbour that a pawn can reach now, by moving to a known hex or by exploring.

    ``slides`` are the passages to slide to first. ``damage`` is done by tokens on entry. Exploring costs at
    least 1; the card has the price.
    """

    to: Cell
    side: int
    kind: Literal["move", "explore"]
    mp: int
    damage: int
    slides: tuple[int, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        step = act.Move(self.to) if self.kind == "move" else act.Explore(self.to)
        return (*map(act.Slide, self.slides), step)


class Journey(Struct, frozen=True):
    """A way through known hexes: the hexes entered, their MP, and the damage on the way."""

    hexes: tuple[Cell, ...]
    mp: int
    damage: int


def reachable_ways(state: State, seat: int) -> tuple[ReachableWay, ...]:
    """Return the neighbours that a spelunker can move to or explore now, by side; none without MP."""
    player, laid = state.players[seat], hex_of(state, seat)
    if not state.mp or state.seat != seat or state.phase != "actions":
        return ()
    found = []
    for passage, slid in routes.slides_from(laid.layout.hex, player.passage, "rope" in player.items).items():
        for side in laid.layout.sides[passage]:
            to = next_cell(cell_of(state, seat), side)
            if to not in state.map:
                if state.hexes:
                    found.append(ReachableWay(to, side, "explore", 1, 0, slid))
            elif routes.may_enter(state, to, player.items):
                found.append(ReachableWay(to, side, "move", 1, damage_at(state, to, player.items), slid))
    return tuple(sorted(found, key=lambda way: way.side))


def damage_at(state: State, to: Cell, items: tuple[ItemKind, ...]) -> int:
    """Return the damage of the token on a hex to a spelunker with these items (rule 7.3)."""
    laid = state.map[to]
    return hazard_damage(laid.layout.hex.hazard, items) if laid.token else 0


def way_home(state: State, seat: int) -> Journey | None:
    """Return the way to Base Camp with the fewest MP, then with the least damage.

    None if there is no way now, or if the spelunker is not in the caves.
    """
    if state.players[seat].state != "in":
        return None
    return next((way for (at, _), way in _journeys_by_price(state, seat) if at == HOME), None)


def reachable_passages(state: State, seat: int) -> dict[Spot, Journey]:
    return dict(_journeys_by_price(state, seat))


def _journeys_by_price(state: State, seat: int) -> Iterator[tuple[Spot, Journey]]:
    """Yield the reachable passages, the cheapest first, with the way there."""
    player = state.players[seat]
    start: Spot = (cell_of(state, seat), player.passage)
    queue: list[tuple[int, int, Spot, tuple[Cell, ...]]] = [(0, 0, start, ())]
    done: set[Spot] = set()
    while queue:
        mp, damage, spot, path = heappop(queue)
        if spot in done:
            continue
        done.add(spot)
        yield spot, Journey(path, mp, damage)
        for slid in routes.slides_of_slope(state.map[spot[0]].layout.hex, spot[1], "rope" in player.items):
            heappush(queue, (mp, damage, (spot[0], slid), path))
        for there in _open_exits(state, spot, player.items):
            if there not in done:
                hurt = damage_at(state, there[0], player.items)
                heappush(queue, (mp + 1, damage + hurt, there, (*path, there[0])))


def mp_home_by_passage(state: State, items: tuple[ItemKind, ...]) -> dict[Spot, int]:
    """Return the MP to Base Camp with these items from each passage that has a way."""
    return {spot: leg.mp for spot, leg in ways_home(state, items, hurting=()).items()}


def _open_exits(state: State, spot: Spot, items: tuple[ItemKind, ...]) -> Iterator[Spot]:
    return (each for each in routes.exits(state, spot, "rope" in items) if routes.may_enter(state, each[0], items))


def hazard_odds(state: State, hazard: Hazard) -> Fraction:
    """Return the odds that one more icon of a hazard places its tokens (rules 7.1 and 7.2)."""
    number = len(routes.cells_with_icon(state, hazard)) + 1 + (state.vengeance if hazard == "grue" else 0)
    sides = state.settings.die_sides
    return Fraction(min(number - 1, sides), sides)
