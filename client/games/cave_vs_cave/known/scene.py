"""All that the person at this keyboard looks at, worked out once for each new state of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from cave.cave_vs_cave.actions import Choice, Space
from cave.cave_vs_cave.board import ENTRANCE
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import turns_each
from cave.cave_vs_cave.view import View
from client.present.scene import Scene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState

Mode = Literal["draft", "cover", "take", "actions", "dig", "cavern", "waiting", "watching", "over"]


class VersusScene(Scene, frozen=True, kw_only=True):
    """The table as the shown seat sees it."""

    mode: Mode = "watching"
    kinds: Mapping[str, tuple[Choice, ...]] = msgspec.field(default_factory=dict)
    """The choices by the type of their action."""
    at: Mapping[Space, tuple[Choice, ...]] = msgspec.field(default_factory=dict)
    """The choices that are about a space."""

    @property
    def cave(self) -> State:
        """The visible part of the game."""
        cave: State = self.view.cave
        return cave

    @property
    def me(self) -> Player:
        """The player whose things are shown."""
        return self.cave.players[self.seat]

    def room_at(self, seat: int, at: Space) -> str:
        """Return the room on a space of a player's cave, empty where there is none."""
        return "cave_entrance" if at == ENTRANCE else self.cave.players[seat].rooms.get(at, "")

    @property
    def turn_number(self) -> int:
        """Which turn of the seat in this round it is, from 1."""
        players = len(self.cave.players)
        begun = self.cave.phase in ("actions", "dig", "cavern")
        return max(1, (len(self.cave.taken) - begun) // players + 1)

    @property
    def turns(self) -> int:
        """The turns of each player in this round; 0 in the draft."""
        return 0 if self.cave.drafting else turns_each(self.cave)


def scene(state: TableState, last: int | None, turns: Turns) -> VersusScene:
    """Return what is shown for a state of the table; ``last`` is the seat shown before."""
    base = plain_scene(state, last, turns)
    view: View = base.view
    choices: tuple[Choice, ...] = () if base.over else base.choices
    kinds: dict[str, list[Choice]] = {}
    at: dict[Space, list[Choice]] = {}
    for choice in choices:
        kinds.setdefault(choice.action.type, []).append(choice)
        where = getattr(choice.action, "at", None)
        if where is not None:
            at.setdefault(where, []).append(choice)
    return VersusScene(
        state=state,
        seat=base.seat,
        view=view,
        choices=choices,
        refusals=base.refusals,
        since=base.since,
        mode=_mode(state, view.cave, choices, over=base.over),
        kinds={kind: tuple(found) for kind, found in kinds.items()},
        at={where: tuple(found) for where, found in at.items()},
    )


def _mode(state: TableState, cave: State, choices: tuple[Choice, ...], *, over: bool) -> Mode:
    if over or cave.phase == "over":
        return "over"
    if not choices:
        return "waiting" if state.my_seats else "watching"
    return cave.phase
