"""The guide of a first game: it explains each thing when it matters, until the person has done it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

from client.present.scene import Scene
from client.table import LogLine, TableState

SceneT = TypeVar("SceneT", bound=Scene)


class Guide(Generic[SceneT]):
    """Tips and warnings. ``matters`` says when each is due, the most urgent first; ``words`` has its
    sentence, keys in braces.

    ``ends`` has the types of events that complete a tip; any other tip ends with the player's next action.
    ``warnings`` are shown to everybody whenever they are due.
    """

    def __init__(
        self,
        matters: Mapping[str, Callable[[SceneT], bool]],
        words: Mapping[str, str],
        ends: Mapping[str, Collection[str]] | None = None,
        warnings: Collection[str] = (),
    ) -> None:
        self._matters = matters
        self._words = words
        self._ends = ends or {}
        self._warnings = warnings
        self._tip = ""
        self._shown = Counter[str]()
        self._told_at: int | None = None
        self._log_length: int | None = None

    @property
    def text(self) -> str:
        return self._words[self._tip] if self._tip else ""

    @property
    def warns(self) -> bool:
        return self._tip in self._warnings

    def follow(self, scene: SceneT, *, wanted: bool, done: Collection[str] = ()) -> frozenset[str]:
        """Choose what to say now; return the tips whose things the person has done since the last call."""
        state = scene.state
        did = self._did(state)
        ended = frozenset(
            tip
            for tip in self._matters
            if tip not in done and not did.isdisjoint(self._ends.get(tip, did if tip == self._tip else ()))
        )
        # What the seat sees may come a moment before what all see: its own number counts.
        seq = state.seen.get(scene.seat, state.seq)
        if seq != self._told_at:
            self._shown[self._tip] += 1
        self._told_at = seq
        self._tip = ""
        if state.my_seats:
            self._tip = self.warning(scene) or (self.tip(scene, {*done, *ended}) if wanted else "")
        return ended - {*self._warnings}

    def _did(self, state: TableState) -> set[str]:
        """Return the types of this person's events since the last call, without those of stand-in bots."""
        start, self._log_length = self._log_length, len(state.log)
        fresh = () if start is None else state.log[start:]
        return {line.event["type"] for line in fresh if _is_ours(state, line)}

    def warning(self, scene: SceneT) -> str:
        due = (name for name in self._matters if name in self._warnings and self._matters[name](scene))
        return next(due, "")

    def tip(self, scene: SceneT, seen: Collection[str] = ()) -> str:
        """Return the tip to show that is not ``seen``: the least shown, then the most urgent; or nothing."""
        due = [name for name, matters in self._matters.items() if name not in seen and matters(scene)]
        return min(due, key=lambda name: self._shown[name], default="")


def _is_ours(state: TableState, line: LogLine) -> bool:
    seat = line.event.get("seat")
    return bool(line.seq) and seat in state.my_seats and not state.seats[seat].level
