"""The guide of a first game: it explains each thing once, when it first matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from client.present.scene import Scene

SceneT = TypeVar("SceneT", bound=Scene)


class Guide(Generic[SceneT]):
    """Tells a newcomer each tip once.

    ``matters`` says by a tip's name when it matters, the most urgent first. ``words`` are the sentences, of
    at most 78 cells, with the usual keys in braces.
    """

    def __init__(self, matters: Mapping[str, Callable[[SceneT], bool]], words: Mapping[str, str]) -> None:
        self._matters = matters
        self._words = words
        self._now = ""
        self._seen = set[str]()
        self._told_at = 0

    @property
    def text(self) -> str:
        """The tip to show now."""
        return self._words[self._now] if self._now else ""

    def follow(self, scene: SceneT, *, wanted: bool) -> None:
        """Tell what matters now; what was told before the table went on is not told again."""
        state = scene.state
        # What the seat sees may come a moment before what all see: its own number counts.
        seq = state.seen.get(scene.seat, state.seq)
        if self._now and seq != self._told_at:
            self._seen.add(self._now)
        self._told_at = seq
        self._now = ""
        if wanted and state.my_seats and scene.view is not None:
            new = (name for name in self._matters if name not in self._seen)
            self._now = next((name for name in new if self._matters[name](scene)), "")
