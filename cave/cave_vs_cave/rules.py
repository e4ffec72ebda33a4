"""The effect of each action. ``apply`` is the only way from one state to the next."""

from __future__ import annotations

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
    return Step(_after(state, seat, action, events), tuple(events))


def _after(state: State, seat: int, action: Action, events: list[Event]) -> State:
    player = state.players[seat]
    match action:
        case act.Take(tile):
            events.append(Took(seat, tile))
            return replace(state, taken=(*state.taken, tile), phase="actions")
        case act.EndTurn():
            return end_turn(state, seat, events)
        case act.TakeCavern(walls):
            events.append(CavernTaken(seat, walls))
            after = _changed(state, seat, cavern=walls)
            return end_draft_turn(after, seat, events) if state.drafting else replace(after, phase="actions")
        case act.Draft(room, at):
            new = tuple(sorted(as_edge(*edge) for edge in action.walls))
            events.append(Drafted(seat, room, at, new))
            after = _with_room(_changed(state, seat, walls=player.walls.union(new)), seat, room, at)
            return after if after.phase == "cavern" else end_draft_turn(after, seat, events)
        case act.Cover(at):
            (top, *pile), later = state.piles
            events.append(Covered(seat, at))
            after = _changed(state, seat, covered={**player.covered, at: top})
            return next_to_cover(replace(after, piles=(tuple(pile), later)), 1 - seat, events)
        case act.UseRoom(room):
            events.append(RoomUsed(seat, room))
        case act.Prospect():
            events.append(RoomUsed(seat, PROSPECTING))
        case act.BuildWall(between):
            events.append(WallBuilt(seat, as_edge(*between)))
        case act.RazeWall(between):
            events.append(WallRazed(seat, as_edge(*between)))
    return _of_turn(state, seat, action, _goods(state, seat, action, events), events)


def _of_turn(state: State, seat: int, action: Action, after: State, events: list[Event]) -> State:
    """Return the state after an action for goods: ``after`` is the one in which they have changed."""
    match action:
        case act.Anytime():
            return after
        case act.Prospect():
            return replace(after, prospected=True)
        case act.Additional():
            return replace(after, additional=True, used=())
        case act.UseRoom(room, at=at):
            return _used(after, seat, room, at, events)
        case act.Excavate(at) if state.phase == "dig":
            return replace(_dig(after, seat, at, events), phase="actions")
    chosen = meant(state, action)
    assert chosen is not None
    assert chosen[0] is not None
    # Another action ends a running room action (rule 5.1).
    after = replace(after, done=state.done | {chosen[0]}, used=())
    match action:
        case act.Furnish():
            events.append(Furnished(seat, action.room, action.at))
            return _with_room(after, seat, action.room, action.at)
        case act.BuildWall(between) | act.RazeWall(between):
            return _changed(after, seat, walls=after.players[seat].walls ^ {as_edge(*between)})
        case act.Excavate(at, spaces):
            after = _dig(after, seat, at, events)
            if spaces > 1 and accessible(after.players[seat], state.era):
                return replace(after, phase="dig")
            return _reveal(after, seat, at, events)
    return after


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


def _dig(state: State, seat: int, at: Place, events: list[Event]) -> State:
    """Rule 4.1."""
    covered = dict(state.players[seat].covered)
    room = covered.pop(at)
    assert room is not None, "a view is not played on"
    events.append(Excavated(seat, at, room))
    return replace(_changed(state, seat, covered=covered), display=(*state.display, room))


def _reveal(state: State, seat: int, at: Place, events: list[Event]) -> State:
    """Rule 9.2: alone, the pile of that board's era turns up its top room."""
    era = components().spaces[at].era
    piles = list(state.piles)
    if not state.alone or not piles[era - 1]:
        return state
    room, *rest = piles[era - 1]
    piles[era - 1] = tuple(rest)
    events.append(Revealed(seat, room))
    return replace(state, display=(*state.display, room), piles=(piles[0], piles[1]))


def _used(state: State, seat: int, room: str, at: Place | None, events: list[Event]) -> State:
    """Rules 5.1 and 5.9."""
    running = room_action_of(state)
    assert running is not None
    used = (*state.used, room)
    over = len(used) >= allowed(state.players[seat], running[1])
    after = replace(state, done=state.done | {running[0]}, used=() if over else used)
    return after if at is None else _reveal(_dig(after, seat, at, events), seat, at, events)
