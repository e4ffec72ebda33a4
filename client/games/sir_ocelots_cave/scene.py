"""Everything that this keyboard's user sees, computed once per state of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict

from cave.codec import Place
from cave.sir_ocelots_cave.actions import Advance, Choice, Collecting, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import RIM, Squares, Tool
from cave.sir_ocelots_cave.game import View
from cave.sir_ocelots_cave.state import PIECES, SEATS, TURNS, Player, State
from client.games.sir_ocelots_cave.previews import gems_out_of_reach, tools_needed_by_square
from client.present.scene import CaveScene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState

COMPANION = "companion"
"""What the first steps of a lesson hide: companions come later."""
Mode = Literal["acting", "collecting", "waiting", "watching", "over"]


class OcelotScene(CaveScene[State, Player], frozen=True, kw_only=True):
    mode: Mode = "watching"
    choices: tuple[Choice, ...] = ()
    lays: Mapping[Place, tuple[LayTool, ...]] = msgspec.field(default_factory=dict)  # by rim space
    ways: Mapping[Place, Advance | PlaceCompanion] = msgspec.field(default_factory=dict)
    collectable: tuple[Place, ...] = ()  # the gems to choose from now, in reading order
    needs: Mapping[Place, tuple[Tool, ...]] = msgspec.field(default_factory=dict)  # one of them collects it
    out_of_reach: Squares = 0  # gems that nobody can collect any more
    recent: frozenset[Place] = frozenset()  # new pieces of others since the displayed seat's last turn

    @property
    def rival_seat(self) -> int:
        return 1 - self.seat

    @property
    def turn_number(self) -> int:
        """The turn of the active player, of 16."""
        return min(PIECES, (TURNS - self.cave.turns_left) // SEATS + 1)

    @property
    def free_rim_places(self) -> tuple[Place, ...]:
        return tuple(at for at in RIM if at not in self.cave.tools)

    @property
    def companion_must_come(self) -> bool:
        return self.mode == "acting" and not self.lays

    @property
    def shares_keyboard(self) -> bool:
        """Whether both players share this keyboard, so that amethysts are hidden until a player asks."""
        return self.state.hot_seat


def scene(state: TableState, last: int | None, turns: Turns) -> OcelotScene:
    base = plain_scene(state, last, turns)
    view: View = base.view
    lays: dict[Place, tuple[LayTool, ...]] = {}
    ways: dict[Place, Advance | PlaceCompanion] = {}
    collectable: tuple[Place, ...] = ()
    asked: Mode = "acting"
    knows_companion = state.lesson is None or COMPANION not in state.lesson.hidden
    for choice in base.choices:
        match choice:
            case LayTool(at=at):
                lays[at] = (*lays.get(at, ()), choice)
            case Advance(to) if knows_companion:
                ways[to] = choice
            case PlaceCompanion(at) if knows_companion:
                ways[at] = choice
            case Collecting(gems):
                asked, collectable = "collecting", gems
    return OcelotScene(
        **asdict(base) | {"mode": base.why_passive or asked},
        lays=lays,
        ways=ways,
        collectable=collectable,
        out_of_reach=gems_out_of_reach(view.cave),
        needs=tools_needed_by_square(view.cave, base.seat),
        recent=frozenset(_places_since(state, base.since, base.seat)),
    )


def _places_since(state: TableState, since: int, seat: int) -> list[Place]:
    events: list[Any] = [line.event for line in state.log[since:]]
    own = {seat} & {*state.my_seats}
    found = [event.get("at") or event.get("to") for event in events if event.get("seat") not in own]
    return [(at[0], at[1]) for at in found if at]
