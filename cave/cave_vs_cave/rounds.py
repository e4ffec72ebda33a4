"""The sequence of turns, rounds and eras (rules 3.1, 3.6, 7 and 8.6), and the quick start (8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import CAVERN, Event
from cave.cave_vs_cave.components import apply_effect, components
from cave.cave_vs_cave.goods import GOLD, GOODS, Goods, changed_goods
from cave.cave_vs_cave.scoring import points_by_category, rank_of_player, rooms_points
from cave.cave_vs_cave.state import (
    BESIDE,
    MARKED,
    NEW_SPACES,
    Player,
    State,
    accepted_wall_sets,
    empty_spaces,
    wall_between,
    walls_round,
)
from cave.cave_vs_cave.turns import BLUE, LIMITS, ROOMS, TILES, spare_orange_rooms, turns_each, walls_left
from cave.codec import Place

HAULED = "donkeys"
"""The source of ore hauled by donkeys (rule 7.7)."""


def end_turn(state: State, seat: int, events: list[Event]) -> State:
    """Return the state after a turn (rule 3.6)."""
    events.append(act.TurnEnded(seat))
    state = replace(state, phase="take", done=frozenset(), additional=False, prospected=False, used=())
    if len(state.taken) < turns_each(state) * len(state.players):
        return replace(state, seat=next_seat(state, len(state.taken)))
    return _end_round(state, events)


def next_seat(state: State, taken: int) -> int:
    """Return whose turn it is after ``taken`` tiles of this round."""
    return (state.first + taken) % len(state.players)


def count_rounds(state: State) -> int:
    """Return the number of rounds of the current era (rules 3.1, 7.4 and 9.1)."""
    return len(components().turns[state.era, state.alone])


def _end_round(state: State, events: list[Event]) -> State:
    events.append(act.RoundEnded(state.round))
    state = replace(state, taken=())
    if state.era > 1 and state.round in components().ore_rounds:
        state = replace(state, players=_haul_goods(state.players, events))
    if state.round < count_rounds(state):
        return _begin_round(replace(state, first=(state.first + 1) % len(state.players)), events)
    if state.era == 1 and state.settings.edition == "era-1-2":
        return _begin_era_2(state, events)
    events.append(act.Ended())
    return replace(state, seat=None, phase="over")


def _begin_round(state: State, events: list[Event]) -> State:
    """Rule 3.1."""
    tile, *down = state.down
    events.append(act.TurnedUp(tile))
    return replace(state, round=state.round + 1, up=(*state.up, tile), down=tuple(down), seat=state.first, phase="take")


def _haul_goods(players: tuple[Player, ...], events: list[Event]) -> tuple[Player, ...]:
    """Rule 7.7."""
    box = components()
    hauled = []
    for seat, player in enumerate(players):
        goods = apply_effect(box.haul, player.goods, LIMITS, len(GOODS))
        if goods != player.goods:
            events.append(act.GoodsChanged(seat, HAULED, changed_goods(player.goods, goods)))
        hauled.append(replace(player, goods=goods))
    return tuple(hauled)


def _begin_era_2(state: State, events: list[Event]) -> State:
    """Rules 7.1 to 7.3."""
    first = (state.first + 1) % len(state.players)
    ranks = [(*rank_of_player(player, state.era), seat == first) for seat, player in enumerate(state.players)]
    players = [
        replace(
            player,
            era_1=int(sum(points_by_category(player, state.era).values())),
            goods=tuple(many or components().start for many in player.goods),
        )
        for player in state.players
    ]
    kept = tuple(tile for tile in state.up if TILES[tile].needs_more is None)
    winner = ranks.index(max(ranks))
    return _set_up(replace(state, first=first, up=kept), players, winner, events)


def begin_era_2_after_draft(state: State, winner: int, events: list[Event]) -> State:
    """Begin Era II after draft and cover (rule 8.6)."""
    kept = [tile.id for tile in TILES.values() if tile.era == 1 and tile.needs_more is None]
    scores = [rooms_points(player) for player in state.players]
    players = [
        replace(player, goods=_draft_goods(max(scores) - score))
        for player, score in zip(state.players, scores, strict=True)
    ]
    return _set_up(replace(state, up=tuple(kept), piles=((), ()), out=frozenset()), players, winner, events)


def _draft_goods(behind: int) -> Goods:
    """Return the goods after the draft for a player this many points behind (rule 8.6)."""
    box = components()
    gold = min(LIMITS[GOLD], box.draft_gold + behind)
    return tuple(gold if good == GOLD else box.start for good in range(len(GOODS)))


def _set_up(state: State, players: Sequence[Player], winner: int, events: list[Event]) -> State:
    """Return the state with the parts of Era II, in its first round (rules 7.1 to 7.3)."""
    later = state.later
    assert later is not None, "a view is not played on"
    events.append(act.EraBegan(2))
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


ERA = 1
"""The draft uses only the boards of Era I."""
Placing = tuple[act.Space, tuple[act.Edge, ...]]
"""A space for a room, and the walls to build around it."""


def room_placings(room: str, player: Player, cavern: str) -> tuple[Placing, ...]:
    """Return the placements of a room that need the fewest new walls, on any empty space (rule 8.2)."""
    return _room_placings(room, empty_spaces(player, ERA), player.walls, cavern, player.cavern)


@lru_cache(maxsize=4096)
def _room_placings(
    room: str, spaces: tuple[act.Space, ...], walls: frozenset[act.Edge], cavern: str, side: int
) -> tuple[Placing, ...]:
    wanted = accepted_wall_sets(ROOMS[room].walls)
    most = 0 if not spaces else 4
    for number in range(most + 1):
        found = [
            (at, new)
            for at in spaces
            for new in combinations(_free_edges(at, walls), number)
            if walls_round(at, walls.union(new), cavern, side) in wanted
        ]
        if found:
            return tuple(found)
    return ()


def _free_edges(at: act.Space, walls: frozenset[act.Edge]) -> tuple[act.Edge, ...]:
    if at == CAVERN:
        return ()
    assert not isinstance(at, str)
    return tuple(sorted(edge for _, _, edge in BESIDE[ERA][at] if not wall_between(edge, walls)))


def fewest_walls(room: str, player: Player, cavern: str) -> int | None:
    """Return the minimum number of new walls for a room; None if it fits nowhere."""
    found = room_placings(room, player, cavern)
    return len(found[0][1]) if found else None


def placements_in_draft_phase(state: State, seat: int) -> tuple[tuple[str, Placing], ...]:
    """Return every placement of a seat: the room, its space and the new walls."""
    player, left = state.players[seat], walls_left(state, seat)
    return tuple(
        (room, placing)
        for room in state.display
        if room not in BLUE or spare_orange_rooms(player) > 1
        for placing in room_placings(room, player, state.settings.cavern)
        if len(placing[1]) <= left
    )


def is_out_of_draft(player: Player) -> bool:
    """Return whether the draft ends for a player after its turn (rule 8.4)."""
    return rooms_points(player) >= components().draft_goal or not empty_spaces(player, ERA)


def end_draft_turn(state: State, seat: int, events: list[Event]) -> State:
    """End a turn of the draft: the next seat draws (rules 8.3 and 8.4)."""
    other = 1 - seat
    out = state.out
    if is_out_of_draft(state.players[seat]):
        out |= {seat}
        events.append(act.Out(seat))
    behind = rooms_points(state.players[other]) < rooms_points(state.players[seat])
    state = replace(state, out=out, phase="draft")
    if other not in out and (behind or seat in out):
        return begin_draft_turn(state, other, events)
    return begin_draft_turn(state, seat, events)


def begin_draft_turn(state: State, seat: int, events: list[Event]) -> State:
    """Let a seat draw, or the other if it can place nothing (rules 8.1 and 8.4)."""
    for each in (seat, 1 - seat):
        if each in state.out:
            continue
        first, second = state.piles
        if first:
            events.append(act.Drawn(each, first[0]))
            state = replace(state, display=(*state.display, first[0]), piles=(first[1:], second))
        state = replace(state, seat=each)
        if placements_in_draft_phase(state, each):
            return state
        events.append(act.Out(each))
        state = replace(state, out=state.out | {each})
    return next_to_cover(replace(state, phase="cover", out=frozenset()), higher_draft_score(state), events)


def higher_draft_score(state: State) -> int:
    """Return the seat with the higher draft score; if equal, the one that began (rules 8.5 and 8.6)."""
    scores = [rooms_points(player) for player in state.players]
    return state.first if scores[0] == scores[1] else scores.index(max(scores))


def next_to_cover(state: State, seat: int, events: list[Event]) -> State:
    """Let this seat, or else the other, cover a space; begin Era II if nothing is left."""
    if state.piles[0]:
        for each in (seat, 1 - seat):
            if coverable_spaces(state.players[each]):
                return replace(state, seat=each)
    return begin_era_2_after_draft(state, higher_draft_score(state), events)


def coverable_spaces(player: Player) -> tuple[Place, ...]:
    """Return the empty spaces of the board (rule 8.5)."""
    return tuple(at for at in empty_spaces(player, ERA) if not isinstance(at, str))
