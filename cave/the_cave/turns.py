"""The turn and the end of the game (rules 3, 7.1 and 7.2)."""

from __future__ import annotations

from msgspec.structs import replace

from cave.the_cave.events import (
    Ate,
    Began,
    Ended,
    EndTriggered,
    Event,
    Starved,
    TurnBegan,
)
from cave.the_cave.geometry import BASE
from cave.the_cave.packing import camp_here
from cave.the_cave.state import TURN_AP, Phase, State

FINAL_ROUNDS = 3  # rule 7.2, English edition


def begin_turn(state: State, seat: int) -> tuple[State, list[Event]]:
    """Return the state at the start of a seat's turn, upkeep paid (rules 3.1 to 3.3)."""
    events: list[Event] = [TurnBegan(seat)]
    team = state.teams[seat]
    phase: Phase = "actions"
    if team.at != BASE:
        pack, camp = team.backpack, team.camp
        if pack.consumable:
            team = replace(team, backpack=replace(pack, consumable=pack.consumable - 1))
            events.append(Ate(seat, "backpack"))
        elif state.settings.camp_feeds and camp_here(team) and camp.items.consumable:
            items = replace(camp.items, consumable=camp.items.consumable - 1)
            team = replace(team, camp=replace(camp, items=items))
            events.append(Ate(seat, "camp"))
        else:
            phase = "starving"
            events.append(Starved(seat))
    return state.with_team(seat, team, seat=seat, ap=TURN_AP, phase=phase), events


def end_turn(state: State) -> tuple[State, list[Event]]:
    """Return the state after the running turn: the next team's turn, or the end (rule 7.2)."""
    seat, left = state.seat, state.turns_left
    assert seat is not None
    if left is not None:
        left -= 1
        if left == 0:
            over = replace(state, seat=None, ap=0, phase="over", turns_left=0)
            return over, [Ended(seat)]
        state = replace(state, turns_left=left)
    return begin_turn(state, (seat + 1) % len(state.teams))


def begin_game(state: State) -> tuple[State, list[Event]]:
    """Begin the first team's turn, as all have packed (rules 2.3, 2.4)."""
    begun = replace(state, packed=frozenset())
    state, events = begin_turn(begun, state.first_seat)
    return state, [Began(state.first_seat), *events]


def final_turns(state: State) -> int:
    """Return turns still to be played if the end is triggered now, the running one included (rule 7.2)."""
    assert state.seat is not None
    seats = len(state.teams)
    if state.settings.final_phase == "one_turn":
        return 1 + seats
    return seats - (state.seat - state.first_seat) % seats + FINAL_ROUNDS * seats


def check_trigger(state: State) -> tuple[State, list[Event]]:
    """Return the end, if it is triggered as things stand (rule 7.1)."""
    if state.turns_left is not None or state.phase == "placing" or state.seat is None:
        return state, []
    if state.tiles_left and state.open_exits:
        return state, []
    left = final_turns(state)
    reason = "sealed" if state.tiles_left else "last_tile"
    return replace(state, turns_left=left), [EndTriggered(state.seat, reason, left)]  # type: ignore[arg-type]
