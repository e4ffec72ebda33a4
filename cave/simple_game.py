"""The public form of views, and ``SimpleGame``: a game whose state is its own JSON.

Such a state is a ``JsonForm`` with ``settings`` (the value of each option), ``players`` (a ``JsonForm`` for
each seat), ``to_act`` and ``standing``.
"""

# No quoted types here: msgspec would have to compile each string at every start.
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from cave import codec
from cave.codec import BadData, Count, Json, JsonForm, reject_field_if, within
from cave.game import ActionT, CaveView, EventT, Game, chosen_values
from cave.names import check_name
from cave.score import Score, score_json

MARKS: dict[str, Json] = {"format": "cave-position", "version": 1}


class ViewForm(JsonForm, frozen=True):
    viewer: Count | None
    position: Json
    hidden: tuple[Count, ...]
    standing: Json


def view_json(view: CaveView[Any], position: Json, hidden: Iterable[int] = ()) -> Json:
    """Return the public form of a view. ``hidden`` are the seats that are partly hidden from the viewer."""
    standing = [score_json(line) for line in view.standing]
    return {"viewer": view.viewer, "position": position, "hidden": list(hidden), "standing": standing}


class State(Protocol):
    """The required parts of a state."""

    @property
    def settings(self) -> dict[str, Json]:
        """The value of each option."""

    @property
    def players(self) -> tuple[Any, ...]:
        """The state of each seat."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act; none at the end."""

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now."""


StateT = TypeVar("StateT", bound=State)


class Seen(CaveView[StateT], Generic[StateT], frozen=True):
    """A view; ``hidden`` are the seats with secrets."""

    hidden: tuple[int, ...] = ()


class SimpleGame(Game[StateT, ActionT, EventT, ActionT, Seen[StateT]], Generic[StateT, ActionT, EventT]):
    """The contract for a game of such states. Positions have the names of the seats in ``players``."""

    states: ClassVar[type[Any]]
    """The class of the game's states."""

    def hide(self, state: StateT, viewer: int | None) -> StateT:
        """Return the state as a viewer sees it. Default: nothing is hidden."""
        return state

    def check_position(self, state: StateT) -> None:
        """Raise BadData for an impossible state of the right form, or one with hidden parts."""

    def dealt(self, settings: Json, seats: int) -> dict[str, Json]:
        """Return the value of each option for a new game; raises BadData, also for the number of seats."""
        reject_field_if(seats not in self.seats, "seats", f"must be {self.seats[0]} to {self.seats[-1]}")
        return self._chosen_settings(settings, seats)

    def standing(self, state: StateT) -> tuple[Score, ...]:
        return state.standing

    def view(self, state: StateT, seat: int | None, names: Sequence[str] = ()) -> Seen[StateT]:
        """Return the state filtered by ``hide``."""
        seen = self.hide(state, seat)
        pairs = enumerate(zip(seen.players, state.players, strict=True))
        hidden = tuple(number for number, (shown, whole) in pairs if shown != whole)
        return Seen(seat, self.called(names, len(state.players)), seen, hidden)

    def imagine(self, view: Seen[StateT], seed: str) -> StateT:
        """Return a state that fits the view; a game with secrets must make up the hidden parts."""
        return view.cave

    def position(self, state: StateT, names: Sequence[str] = ()) -> Json:
        """Return the JSON of the state, with the names."""
        form = codec.to_json(state)
        called = zip(self.called(names, len(state.players)), form["players"], strict=True)
        players = [{"name": name, **player} for name, player in called]
        settings = self.settings(state.settings, len(players))
        return {**MARKS, "game": self.name, **form, "settings": settings, "players": players}

    def from_position(self, data: Json) -> StateT:
        state, _ = self._read(data)
        self.check_position(state)
        return state

    def _read(self, data: Json) -> tuple[StateT, tuple[str, ...]]:
        """Return the state and the names of a position, or of a view's part of one."""
        if not isinstance(data, dict):
            raise BadData("", "must be an object")
        for name, value in {**MARKS, "game": self.name}.items():
            reject_field_if(data.get(name) != value, name, f"must be {value!r}")
        players, names = [], []
        found = data.get("players")
        for seat, each in enumerate(found if isinstance(found, list) else ()):
            if not isinstance(each, dict) or not isinstance(each.get("name"), str):
                raise BadData(f"players[{seat}].name", "must be text")
            check_name(each["name"], f"players[{seat}].name")
            names.append(each["name"])
            players.append({field: value for field, value in each.items() if field != "name"})
        reject_field_if(len(players) not in self.seats, "players", f"must be {self.seats[0]} to {self.seats[-1]}")
        settings = self._chosen_settings(data.get("settings", {}), len(players))
        rest = {name: value for name, value in data.items() if name not in (*MARKS, "game")}
        return codec.parse({**rest, "settings": settings, "players": players}, self.states), tuple(names)

    def _chosen_settings(self, settings: Json, seats: int) -> dict[str, Json]:
        with within("settings"):
            return chosen_values(self.options, settings, seats)

    def view_json(self, view: Seen[StateT]) -> Json:
        return view_json(view, self.position(view.cave, view.names), view.hidden)

    def view_from_json(self, data: Json) -> Seen[StateT]:
        form = codec.parse(data, ViewForm)
        state, names = self._read(form.position)
        return Seen(form.viewer, names, state, form.hidden)
