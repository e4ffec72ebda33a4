"""The effect of each action. ``apply`` is the only way from one state to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import Action, Space
from cave.cave_vs_cave.board import CAVERN, accessible, as_edge, is_full
from cave.cave_vs_cave.checks import check
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.drafting import end_draft_turn, next_to_cover
from cave.cave_vs_cave.events import (
    CavernTaken,
    Covered,
    Drafted,
    Event,
    Excavated,
    Furnished,
    GoodsChanged,
    Revealed,
    RoomUsed,
    Took,
    WallBuilt,
    WallRazed,
)
from cave.cave_vs_cave.gains import flow, meant
from cave.cave_vs_cave.goods import changes
from cave.cave_vs_cave.rounds import end_turn
from cave.cave_vs_cave.state import State, with_player
from cave.cave_vs_cave.turns import PROSPECTING, allowed, room_action_of
from cave.codec import Place
from cave.game import Step

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    """Return the state after the action and what happened; raises Refused, and then nothing changed."""
    if refused := check(state, seat, action):
        raise refused
    events: list[Event] = []
    after = _DO[type(action)](state, seat, action, events)
    return Step(after, tuple(events))


def _take(state: State, seat: int, action: act.Take, events: list[Event]) -> State:
    """Rule 3.2."""
    events.append(Took(seat, action.tile))
    return replace(state, taken=(*state.taken, action.tile), phase="actions")


def _goods(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Return the state with the goods of the seat as they are after the action; nothing else has changed."""
    before = state.players[seat].goods
    for source, goods in flow(state, seat, action):
        if goods != before:
            events.append(GoodsChanged(seat, source, changes(before, goods)))
            before = goods
    return _changed(state, seat, goods=before)


def _changed(state: State, seat: int, **fields: Any) -> State:
    """Return the state with other values in these fields of a player."""
    player = replace(state.players[seat], **fields)
    return replace(state, players=with_player(state.players, seat, player))


def _begun(state: State, action: Action) -> State:
    """Return the state once an action of the tile has begun, which ends a running room action (rule 5.1)."""
    chosen = meant(state, action)
    assert chosen is not None
    assert chosen[0] is not None
    return replace(state, done=state.done | {chosen[0]}, used=())


def _simple(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Rule 3.4."""
    return _begun(_goods(state, seat, action, events), action)


def _furnish(state: State, seat: int, action: act.Furnish, events: list[Event]) -> State:
    """Rule 4.4."""
    after = _begun(_goods(state, seat, action, events), action)
    events.append(Furnished(seat, action.room, action.at))
    return _with_room(after, seat, action.room, action.at)


def _with_room(state: State, seat: int, room: str, at: Space) -> State:
    """Return the state with a room of the display in a cave; the first full one gets a cavern (rule 4.9)."""
    after = _changed(state, seat, rooms={**state.players[seat].rooms, at: room})
    players = after.players
    due = at != CAVERN and is_full(players[seat], state.era) and not any(each.cavern for each in players)
    return replace(
        after,
        display=tuple(each for each in state.display if each != room),
        phase="cavern" if due else state.phase,
    )


def _excavate(state: State, seat: int, action: act.Excavate, events: list[Event]) -> State:
    """Rules 4.1 to 4.3."""
    after = _dig(_goods(state, seat, action, events), seat, action.at, events)
    if state.phase == "dig":
        return replace(after, phase="actions")
    after = _begun(after, action)
    if action.spaces > 1 and accessible(after.players[seat], state.era):
        return replace(after, phase="dig")
    return _reveal(after, seat, action.at, events)


def _dig(state: State, seat: int, at: Place, events: list[Event]) -> State:
    covered = state.players[seat].covered
    room = covered[at]
    assert room is not None, "a view is not played on"
    events.append(Excavated(seat, at, room))
    left = {each: there for each, there in covered.items() if each != at}
    return replace(_changed(state, seat, covered=left), display=(*state.display, room))


def _reveal(state: State, seat: int, at: Place, events: list[Event]) -> State:
    """Rule 9.2: alone, the pile of that board's era turns up its top room."""
    if not state.alone:
        return state
    era = components().spaces[at].era
    piles = list(state.piles)
    if not piles[era - 1]:
        return state
    room, *rest = piles[era - 1]
    piles[era - 1] = tuple(rest)
    events.append(Revealed(seat, room))
    return replace(state, display=(*state.display, room), piles=(piles[0], piles[1]))


def _build_wall(state: State, seat: int, action: act.BuildWall, events: list[Event]) -> State:
    """Rule 4.6."""
    edge = as_edge(*action.between)
    events.append(WallBuilt(seat, edge))
    after = _begun(_goods(state, seat, action, events), action)
    return _changed(after, seat, walls=after.players[seat].walls | {edge})


def _raze_wall(state: State, seat: int, action: act.RazeWall, events: list[Event]) -> State:
    """Rule 4.7."""
    edge = as_edge(*action.between)
    events.append(WallRazed(seat, edge))
    after = _begun(_goods(state, seat, action, events), action)
    return _changed(after, seat, walls=after.players[seat].walls - {edge})


def _use_room(state: State, seat: int, action: act.UseRoom, events: list[Event]) -> State:
    """Rules 5.1 and 5.9."""
    running = room_action_of(state)
    assert running is not None
    events.append(RoomUsed(seat, action.room))
    after = _goods(state, seat, action, events)
    used = (*state.used, action.room)
    if len(used) >= allowed(state.players[seat], running[1]):
        used = ()
    after = replace(after, done=state.done | {running[0]}, used=used)
    if action.at is None:
        return after
    return _reveal(_dig(after, seat, action.at, events), seat, action.at, events)


def _anytime(state: State, seat: int, action: act.Anytime, events: list[Event]) -> State:
    """Rule 3.5."""
    return _goods(state, seat, action, events)


def _additional(state: State, seat: int, action: act.Additional, events: list[Event]) -> State:
    """Rule 7.5."""
    return replace(_goods(state, seat, action, events), additional=True, used=())


def _prospect(state: State, seat: int, action: act.Prospect, events: list[Event]) -> State:
    """Rule 5.8."""
    events.append(RoomUsed(seat, PROSPECTING))
    return replace(_goods(state, seat, action, events), prospected=True)


def _take_cavern(state: State, seat: int, action: act.TakeCavern, events: list[Event]) -> State:
    """Rule 4.9."""
    events.append(CavernTaken(seat, action.walls))
    after = _changed(state, seat, cavern=action.walls)
    return end_draft_turn(after, seat, events) if state.drafting else replace(after, phase="actions")


def _draft(state: State, seat: int, action: act.Draft, events: list[Event]) -> State:
    """Rule 8.2."""
    new = tuple(sorted(as_edge(*edge) for edge in action.walls))
    events.append(Drafted(seat, action.room, action.at, new))
    walled = _changed(state, seat, walls=state.players[seat].walls.union(new))
    placed = _with_room(walled, seat, action.room, action.at)
    return placed if placed.phase == "cavern" else end_draft_turn(placed, seat, events)


def _cover(state: State, seat: int, action: act.Cover, events: list[Event]) -> State:
    """Rule 8.5."""
    (room, *pile), later = state.piles
    events.append(Covered(seat, action.at))
    after = _changed(state, seat, covered={**state.players[seat].covered, action.at: room})
    return next_to_cover(replace(after, piles=(tuple(pile), later)), 1 - seat, events)


def _end_turn(state: State, seat: int, action: act.EndTurn, events: list[Event]) -> State:
    """Rule 3.6."""
    return end_turn(state, seat, events)


_DO: dict[type, Callable[[State, int, Any, list[Event]], State]] = {
    act.Take: _take,
    act.Anytime: _anytime,
    act.Collect: _simple,
    act.Exchange: _simple,
    act.Furnish: _furnish,
    act.Excavate: _excavate,
    act.BuildWall: _build_wall,
    act.RazeWall: _raze_wall,
    act.UseRoom: _use_room,
    act.Additional: _additional,
    act.Prospect: _prospect,
    act.TakeCavern: _take_cavern,
    act.Draft: _draft,
    act.Cover: _cover,
    act.EndTurn: _end_turn,
}
