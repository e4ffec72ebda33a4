"""All that the person at this keyboard looks at, worked out once for each new state of the table."""

from __future__ import annotations

from typing import Literal

import msgspec

from cave.caves_of_casadh import prospects
from cave.caves_of_casadh.actions import Choice
from cave.caves_of_casadh.components import HAZARDS, Hazard, components
from cave.caves_of_casadh.geometry import HOME, Cell
from cave.caves_of_casadh.legal import out_of_phase
from cave.caves_of_casadh.prospects import Journey
from cave.caves_of_casadh.state import Phase, Player, State
from cave.caves_of_casadh.view import View
from client.games.caves_of_casadh.known.tasks import Task, tasks
from client.present.scene import Scene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState

Mode = Phase | Literal["waiting", "watching"]


class Track(msgspec.Struct, frozen=True):
    """A hazard: its icons on the map, its tokens, and the odds of the next roll in per cent.

    ``vengeance`` are the steps of the grue track that no icon stands for (rule 7.2).
    """

    hazard: Hazard
    icons: int
    tokens: int
    percent: int
    vengeance: int = 0


class CasadhScene(Scene, frozen=True, kw_only=True):
    """The table as the shown seat sees it."""

    mode: Mode = "watching"
    choices: tuple[Choice, ...] = ()
    tasks: tuple[Task, ...] = ()
    home: Journey | None = None
    """The way home of the shown seat; None where it knows of none, or is not in the caves."""
    tracks: tuple[Track, ...] = ()

    @property
    def cave(self) -> State:
        """The visible part of the game."""
        cave: State = self.view.cave
        return cave

    @property
    def me(self) -> Player:
        """The player whose things are shown."""
        return self.cave.players[self.seat]

    @property
    def at(self) -> Cell:
        """The cell of the shown seat's pawn, or Base Camp where it has none."""
        return self.me.at or HOME

    @property
    def rotations(self) -> tuple[Task, ...]:
        """The ways in which the drawn hex can be laid."""
        return self.tasks if self.mode == "placing" else ()

    def can(self, kind: str) -> bool:
        """Tell whether something of this kind can be done now."""
        return any(each.type == kind for each in self.choices)

    def why_not(self, kind: str) -> str:
        """Return why no action of this type is possible now: in the midst of another one, what comes
        first.
        """
        found = super().why_not(kind)
        if found or not self.can_act or self.cave.phase == "actions":
            return found
        refused = out_of_phase(self.cave, kind)
        return refused.message if refused else ""

    def why_not_there(self, at: Cell) -> str:
        """Return why nobody gets to a hex from here, as the rules say it; empty where they say nothing."""
        return next((each.message for each in self.refusals if each.action.get("to") == [*at]), "")

    def task(self, key: str) -> Task | None:
        """Return what is done with a key now."""
        return next((each for each in self.tasks if each.key == key), None)


def scene(state: TableState, last: int | None, turns: Turns) -> CasadhScene:
    """Return what is shown for a state of the table; ``last`` is the seat shown before."""
    base = plain_scene(state, last, turns)
    view: View = base.view
    choices: tuple[Choice, ...] = base.choices
    cave = view.cave
    return CasadhScene(
        state=state,
        seat=base.seat,
        view=view,
        choices=choices,
        refusals=base.refusals,
        since=base.since,
        mode=_mode(state, cave, choices, over=base.over),
        tasks=tasks(cave, base.seat, choices, view.names) if choices else (),
        home=prospects.way_home(cave, base.seat),
        tracks=tuple(_track(cave, hazard) for hazard in HAZARDS),
    )


def _mode(state: TableState, cave: State, choices: tuple[Choice, ...], *, over: bool) -> Mode:
    if over:
        return "over"
    if not choices:
        return "waiting" if state.my_seats else "watching"
    return cave.phase


def _track(cave: State, hazard: Hazard) -> Track:
    of_kind = [laid for laid in cave.map.values() if components().hexes[laid.hex].hazard == hazard]
    tokens = sum(laid.token for laid in of_kind)
    if hazard == "grue":
        tokens = sum(laid.grues for laid in cave.map.values())
    percent = round(100 * prospects.odds(cave, hazard))
    return Track(hazard, len(of_kind), tokens, percent, cave.vengeance if hazard == "grue" else 0)
