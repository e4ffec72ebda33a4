"""Turns, rounds and eras, as they follow each other (rules 3.1, 3.6, 7 and 8.6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cave.cave_vs_cave.board import MARKED, NEW_SPACES
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.effects import gained
from cave.cave_vs_cave.events import (
    Ended,
    EraBegan,
    Event,
    GoodsChanged,
    RoundEnded,
    TurnedUp,
    TurnEnded,
)
from cave.cave_vs_cave.goods import GOLD, GOODS, Goods, changes
from cave.cave_vs_cave.scoring import points, rank, rooms_points
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import LIMITS, TILES, turns_each

HAULED = "donkeys"
"""The source of the ore that donkeys haul (rule 7.7)."""


def end_turn(state: State, seat: int, events: list[Event]) -> State:
    """Return the state after a turn (rule 3.6)."""
    events.append(TurnEnded(seat))
    state = replace(state, phase="take", done=frozenset(), additional=False, prospected=False, used=())
    if len(state.taken) < turns_each(state) * len(state.players):
        return replace(state, seat=next_seat(state, len(state.taken)))
    return _end_round(state, events)


def next_seat(state: State, taken: int) -> int:
    """Return whose turn it is in this round when the number of tiles taken is ``taken``."""
    return (state.first + taken) % len(state.players)


def rounds(state: State) -> int:
    """Return the rounds of the running era (rules 3.1, 7.4 and 9.1)."""
    return len(components().turns[state.era, state.alone])


def _end_round(state: State, events: list[Event]) -> State:
    events.append(RoundEnded(state.round))
    state = replace(state, taken=())
    if state.era > 1 and state.round in components().ore_rounds:
        state = replace(state, players=_haul(state.players, events))
    if state.round < rounds(state):
        return _begin_round(replace(state, first=(state.first + 1) % len(state.players)), events)
    if state.era == 1 and state.settings.edition == "era-1-2":
        return _begin_era_2(state, events)
    events.append(Ended())
    return replace(state, seat=None, phase="over")


def _begin_round(state: State, events: list[Event]) -> State:
    """Rule 3.1."""
    tile, *down = state.down
    events.append(TurnedUp(tile))
    return replace(
        state, round=state.round + 1, up=(*state.up, tile), down=tuple(down), seat=state.first, phase="take"
    )


def _haul(players: tuple[Player, ...], events: list[Event]) -> tuple[Player, ...]:
    """Rule 7.7."""
    box = components()
    hauled = []
    for seat, player in enumerate(players):
        goods = gained(box.haul, player.goods, LIMITS, len(GOODS))
        if goods != player.goods:
            events.append(GoodsChanged(seat, HAULED, changes(player.goods, goods)))
        hauled.append(replace(player, goods=goods))
    return tuple(hauled)


def _begin_era_2(state: State, events: list[Event]) -> State:
    """Rules 7.1 to 7.3."""
    first = (state.first + 1) % len(state.players)
    ranks = [(*rank(player, state.era), seat == first) for seat, player in enumerate(state.players)]
    players = [
        replace(
            player,
            era_1=int(sum(points(player, state.era).values())),
            goods=tuple(many or components().start for many in player.goods),
        )
        for player in state.players
    ]
    kept = tuple(tile for tile in state.up if TILES[tile].needs_more is None)
    winner = ranks.index(max(ranks))
    return _set_up(replace(state, first=first, up=kept), players, winner, events)


def begin_era_2_after_draft(state: State, winner: int, events: list[Event]) -> State:
    """Return the state when Era II begins after draft and cover (rule 8.6)."""
    kept = [tile.id for tile in TILES.values() if tile.era == 1 and tile.needs_more is None]
    scores = [rooms_points(player) for player in state.players]
    players = [
        replace(player, goods=_draft_goods(max(scores) - score))
        for player, score in zip(state.players, scores, strict=True)
    ]
    return _set_up(replace(state, up=tuple(kept), piles=((), ()), out=frozenset()), players, winner, events)


def _draft_goods(behind: int) -> Goods:
    """Return the goods after the draft for who is this many points behind (rule 8.6)."""
    box = components()
    gold = min(LIMITS[GOLD], box.draft_gold + behind)
    return tuple(gold if good == GOLD else box.start for good in range(len(GOODS)))


def _set_up(state: State, players: Sequence[Player], winner: int, events: list[Event]) -> State:
    """Return the state with the parts of Era II, in its first round (rules 7.1 to 7.3)."""
    later = state.later
    assert later is not None, "a view is not played on"
    events.append(EraBegan(2))
    rooms = list(later.rooms)
    dealt = []
    for seat, player in enumerate(players):
        spaces = [at for at in NEW_SPACES if seat == winner or at != MARKED]
        new, rooms = rooms[: len(spaces)], rooms[len(spaces) :]
        dealt.append(replace(player, covered={**player.covered, **dict(zip(spaces, new, strict=True))}))
    state = replace(
        state,
        era=2,
        round=0,
        players=tuple(dealt),
        display=(*state.display, *later.light),
        down=later.tiles,
        piles=(state.piles[0], tuple(rooms)),
        later=None,
    )
    return _begin_round(state, events)
