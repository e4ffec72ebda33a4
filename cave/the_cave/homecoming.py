"""The way home from where a trip turns back, by the rules' own count and not as the trip estimates it."""

from __future__ import annotations

from msgspec.structs import replace

from cave.the_cave import routes
from cave.the_cave.actions import Action, Move
from cave.the_cave.geometry import BASE, Coord, edge
from cave.the_cave.prices import levels
from cave.the_cave.state import TANKS_PER_OXYGEN, TURN_AP, State
from cave.the_cave.trips import Label, Start, Trail, Trip

CHECKED = 16  # trips whose way home is looked at


class Checked:
    """Trips whose way home is checked by the rules' own count, and the places from where there is none."""

    def __init__(self, state: State, seat: int, start: Start) -> None:
        self._of = state, seat, start
        self._lost: dict[tuple[Coord, int, int], int] = {}
        self._left = CHECKED
        self.failed = False

    def comes_home(self, trip: Trip) -> bool:
        """Return whether the team comes home fed and in time from where a trip turns home."""
        state, seat, start = self._of
        label = trip.label
        if trip.at == BASE or not start.must_return:
            return True
        where = (trip.at, label.ropes, label.tanks)
        if not self._left or (where in self._lost and self._lost[where] <= trip.time):
            return False
        self._left -= 1
        home = routes.way_home(_there(state, seat, start, trip.time, label), seat)
        if home is not None and TURN_AP * (_turn_of(start, trip.time) + home.turns + 1) <= start.until:
            return True
        self._lost[where] = trip.time
        self.failed = True
        return False


def _turn_of(start: Start, time: int) -> int:
    """Return the turn in which the clock reaches a time, the last moment of a turn included."""
    return (time - 1) // TURN_AP if time > start.time else time // TURN_AP


def _there(state: State, seat: int, start: Start, time: int, label: Label) -> State:
    """Return the state where a trip turns home: ropes placed, things used up, meals eaten."""
    ropes, at = dict(state.ropes), start.at
    for action in _path(label.trail):
        if isinstance(action, Move):
            here, there = state.board[at], state.board[action.to]
            border = edge(at, action.to)
            if here.depth != there.depth and border not in ropes:
                ropes[border] = levels(here, there)
            at = action.to
    turn = _turn_of(start, time)
    begins = start.time // TURN_AP if start.at == BASE else 0
    eaten = turn - begins
    kit = replace(
        start.kit,
        consumable=max(0, start.kit.consumable - eaten),
        rope=label.ropes,
        oxygen=label.tanks // TANKS_PER_OXYGEN,
        half_oxygen=label.tanks % TANKS_PER_OXYGEN,
    )
    team = replace(state.teams[seat], at=at, backpack=kit)
    teams = (*state.teams[:seat], team, *state.teams[seat + 1 :])
    ap = TURN_AP * (turn + 1) - time
    return replace(state, teams=teams, ropes=ropes, seat=seat, ap=ap, phase="actions")


def _path(trail: Trail | None) -> list[Action]:
    actions = []
    while trail is not None:
        actions.append(trail.action)
        trail = trail.before
    return actions[::-1]
