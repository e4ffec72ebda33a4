"""The guide of a first game: it explains each thing once, when it first matters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

from client.present.scene import Scene

SceneT = TypeVar("SceneT", bound=Scene)


class Guide(Generic[SceneT]):
    """A newcomer's guide: ``matters`` says of each tip when it is due, the most urgent first, and ``words``
    has its sentence, keys in braces.
    """

    def __init__(self, matters: Mapping[str, Callable[[SceneT], bool]], words: Mapping[str, str]) -> None:
        self._matters = matters
        self._words = words
        self._tip = ""
        self._seen = set[str]()
        self._told_at: int | None = None

    @property
    def text(self) -> str:
        """The sentence to show now; empty where nothing is to be explained."""
        return self._words[self._tip] if self._tip else ""

    def follow(self, scene: SceneT, *, wanted: bool) -> None:
        """Tell what matters now; what was told before the table went on is not told again."""
        state = scene.state
        # What the seat sees may come a moment before what all see: its own number counts.
        seq = state.seen.get(scene.seat, state.seq)
        if self._tip and seq != self._told_at:
            self._seen.add(self._tip)
        self._told_at = seq
        self._tip = self.tip(scene, self._seen) if wanted and state.my_seats else ""

    def tip(self, scene: SceneT, seen: Collection[str] = ()) -> str:
        """Return the name of the first tip that matters and was not ``seen`` before, or nothing."""
        due = (name for name, matters in self._matters.items() if name not in seen and matters(scene))
        return next(due, "")
