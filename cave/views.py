"""What the views of this program's games have in common, and their public form."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from cave import game
from cave.codec import Count, JsonForm
from cave.data import Json
from cave.score import score_json


class _State(Protocol):
    @property
    def phase(self) -> str: ...

    @property
    def to_act(self) -> frozenset[int]: ...


StateT = TypeVar("StateT", bound=_State)


class CaveView(Struct, Generic[StateT], frozen=True):
    """A game as ``viewer`` (a seat, None for a watcher) sees it: ``cave`` is what it sees of the state."""

    viewer: int | None
    names: tuple[str, ...]
    cave: StateT

    @property
    def acting(self) -> frozenset[int]:
        """The seats that may act now."""
        return self.cave.to_act

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.cave.phase == "over"


class ViewForm(JsonForm, frozen=True):
    """The public form of a view."""

    viewer: Count | None
    position: Json
    hidden: tuple[Count, ...]
    standing: Json


def view_json(view: game.View, position: Json, hidden: Iterable[int] = ()) -> Json:
    """Return the public form of a view. ``hidden`` are the seats of which the viewer does not know all."""
    standing = [score_json(line) for line in view.standing]
    return {"viewer": view.viewer, "position": position, "hidden": list(hidden), "standing": standing}
