"""Everything that this keyboard's user sees, computed once per state of the table."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from cave.the_cave.actions import AnyChoice
from cave.the_cave.routes import next_reach, reachable_places, way_home
from cave.the_cave.state import Coord, State
from cave.the_cave.tiles import unexplored_exits
from client.games.the_cave import actions, supplies
from client.games.the_cave.actions import Spot, TileAim, placing_lines, spots_for_tile, trial_spots
from client.games.the_cave.supplies import Mode, Supplies
from client.present.scene import Scene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState

PLAYING = frozenset(actions.LABELS) | {"enter", "place", "moves", "go", "camp", "undo", "reset"}
"""The words for requests to the host, or for lists of requests."""


class CaveScene(Scene, frozen=True, kw_only=True):
    mode: Mode
    choices: tuple[AnyChoice, ...] = ()
    reach: Mapping[Coord, int] = msgspec.field(default_factory=dict)
    supplies: Supplies | None = None
    spots: tuple[Spot, ...] = ()

    @property
    def cave(self) -> State:
        cave: State = self.view.cave
        return cave

    @property
    def team_at(self) -> Coord:
        return self.cave.teams[self.seat].at

    @property
    def can_act(self) -> bool:
        return self.mode in ("acting", "starving", "placing")

    @property
    def waits_for(self) -> str:
        if self.cave.phase != "packing":
            return super().waits_for
        return f"Packing: {', '.join(self.view.names[seat] for seat in sorted(self.view.acting))}."

    def plays(self, word: str) -> bool:
        """Return whether this word acts in the game, and does not only look at the table."""
        return word in PLAYING and self.mode != "over"

    def recent_places(self) -> tuple[Coord, ...]:
        events = (line.event for line in self.state.log[self.since :])
        return tuple((event["at"][0], event["at"][1]) for event in events if event["type"] == "placed")

    def target_places(self) -> tuple[Coord, ...]:
        """Return the places for single-key actions, in a stable order: moves, then places to discover."""
        found = {
            choice.action.to: None for choice in actions.move_choices(self.choices) if hasattr(choice.action, "to")
        }
        if actions.choice_of_kind(self.choices, "discover") is not None:
            found.update(dict.fromkeys(unexplored_exits(self.cave.board, self.team_at)))
        return tuple(found)

    def enter_action_at(self, at: Coord) -> actions.EnterAction:
        return actions.enter_action(self.cave, self.seat, self.choices, self.refusals, at)

    def lines(self, at: Coord, aim: TileAim | None) -> tuple[actions.ActionLine, ...]:
        """List the choices of the displayed team with the cursor at a place and this rotation of the tile."""
        if self.state.ended_early or self.step_is_done:
            return ()
        if self.mode == "placing":
            return placing_lines(aim) if aim is not None else ()
        if not self.can_act:
            return ()
        return actions.with_obvious(self.all_lines(), self.enter_action_at(at))

    def all_lines(self) -> tuple[actions.ActionLine, ...]:
        """List all actions; while waiting none is legal, and all have the reason."""
        if self.mode == "waiting":
            return actions.waiting_lines(self.waits_for)
        return actions.lines(self.cave, self.seat, self.choices, self.refusals)

    def words_without_effect(self, aim: TileAim | None) -> frozenset[str]:
        """Return the words that would do nothing now, so that no hint offers them; ``aim`` is the position of
        the drawn tile. ``choose`` is for the arrows that choose between its places.
        """
        found = set[str]()
        if self.mode == "placing":
            if len(self.spots) < 2:
                found |= {"next", "choose"}
            if aim is not None and len(aim.spot.turns) < 2:
                found.add("rotate")
        elif self.can_act and not self.target_places():
            found.add("next")
        if not any(unexplored_exits(self.cave.board, at) for at in self.cave.board):
            found.add("exit")
        return frozenset(found)

    def unexplored_exit_places(self) -> tuple[Coord, ...]:
        board, (x, y) = self.cave.board, self.team_at
        found = {to for at in board for to in unexplored_exits(board, at)}
        return tuple(sorted(found, key=lambda at: (abs(at[0] - x) + abs(at[1] - y), at)))


def scene(state: TableState, last: int | None, turns: Turns) -> CaveScene:
    base = plain_scene(state, last, turns)
    seat, view, cave = base.seat, base.view, base.view.cave
    mode = supplies.mode(state, seat)
    hidden = cave.phase in ("packing", "over")
    reached = {"acting": reachable_places, "waiting": next_reach}.get(mode)
    return CaveScene(
        state=state,
        seat=seat,
        mode=mode,
        view=view,
        choices=base.choices,
        refusals=base.refusals,
        reach={} if reached is None else reached(cave, seat),
        supplies=None if hidden else supplies.supplies_of_team(cave, seat, way_home(cave, seat)),
        spots=spots_for_tile(cave, seat, base.choices) if mode == "placing" else trial_spots(cave),
        since=base.since,
    )
