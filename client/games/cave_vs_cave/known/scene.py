"""All that the person at this keyboard looks at, worked out once for each new state of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import msgspec

from cave.cave_vs_cave.actions import Choice, Space
from cave.cave_vs_cave.board import ENTRANCE
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, Good
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import turns_each
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

    @property
    def goods(self) -> tuple[Good, ...]:
        """The goods that there are in this era."""
        return GOODS[: components().kinds[self.cave.era]]

    def room_at(self, seat: int, at: Space) -> str:
        """Return the room on a space of a player's cave, empty where there is none."""
        return "cave_entrance" if at == ENTRANCE else self.cave.players[seat].rooms.get(at, "")

    @property
    def turn_number(self) -> int:
        """Which turn of the seat in this round it is, from 1."""
        begun = self.cave.phase in ("actions", "dig", "cavern")
        number = (len(self.cave.taken) - begun) // len(self.cave.players) + 1
        return min(max(1, number), self.turns)

    @property
    def turns(self) -> int:
        """The turns of each player in this round; 0 in the draft."""
        return 0 if self.cave.drafting else turns_each(self.cave)


def scene(state: TableState, last: int | None, turns: Turns) -> VersusScene:
    """Return what is shown for a state of the table; ``last`` is the seat shown before."""
    base = plain_scene(state, last, turns)
    choices: tuple[Choice, ...] = base.choices
    more = {
        "mode": _mode(state, base.view.cave, choices, over=base.over),
        "kinds": grouped(choices, lambda choice: choice.action.type),
        "at": grouped(choices, lambda choice: getattr(choice.action, "at", None)),
    }
    return VersusScene(**{name: getattr(base, name) for name in base.__struct_fields__} | more)


def grouped(choices: Iterable[Choice], key: Callable[[Choice], Any]) -> dict[Any, tuple[Choice, ...]]:
    """Return the choices by a key; those without one are left out."""
    found: dict[Any, tuple[Choice, ...]] = {}
    for choice in choices:
        if (name := key(choice)) is not None:
            found[name] = (*found.get(name, ()), choice)
    return found


def _mode(state: TableState, cave: State, choices: tuple[Choice, ...], *, over: bool) -> Mode:
    if over or cave.phase == "over":
        return "over"
    if not choices:
        return "waiting" if state.my_seats else "watching"
    return cave.phase
