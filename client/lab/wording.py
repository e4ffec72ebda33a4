"""What an analysis finds, in words."""

from __future__ import annotations

from typing import Any

from cave.game import Json
from cave.record import Replay
from client.face import Face, SheetWords
from client.lab.analysis import Other
from client.table import Seat, TableState

LEAST = 0.5
"""Points from which a part of a difference is named."""


def mistake(other: Other, actions: ActionWords, words: SheetWords) -> str:
    """Return what was done, what would have been better, by how much, and where the difference comes from."""
    done, better = (actions(other.step, each) for each in (other.done, other.better))
    return f"Played: {done}. Better by {other.lost:.1f} points: {better}{_why(other, words)}."


def _why(other: Other, words: SheetWords) -> str:
    """Return where the difference comes from, in brackets: what the categories and the rival named leave over
    is the rest. Nothing where it is in no category.
    """
    gains = {
        category: points - other.after_done.parts.get(category, 0)
        for category, points in other.after_better.parts.items()
    }
    best = sorted((each for each, gain in gains.items() if gain >= LEAST), key=lambda each: -gains[each])
    parts = [f"{words.categories.get(each, each)} {gains[each]:+.1f}" for each in best[:2]]
    rest = other.lost - sum(gains[each] for each in best[:2])
    rival = (other.after_better.lead - other.after_better.points) - (
        other.after_done.lead - other.after_done.points
    )
    if rival >= LEAST:
        parts.append(f"the best other player {-rival:+.1f}")
        rest -= rival
    if parts and abs(rest) >= LEAST:
        parts.append(f"the rest {rest:+.1f}")
    return f" ({', '.join(parts)})" if parts else ""


class ActionWords:
    """Says what an action of a game that was played is, as a hint would have said it at its step."""

    def __init__(self, face: Face, played: Replay) -> None:
        self._face = face
        self._played = played
        self._scenes: dict[int, Any] = {}

    def __call__(self, step: int, action: Json) -> str:
        """Return the words for an action of the seat that acted at a step, counted from 0."""
        if step not in self._scenes:
            self._scenes[step] = self._face.scene(self._table(step), None)
        return self._face.action_words(self._scenes[step], action)

    def _table(self, step: int) -> TableState:
        """Return the table as it was for the seat that acted."""
        played, seat = self._played, self._played.steps[step].seat
        game, state = played.game, played.after(step)
        seats = tuple(
            Seat(each.name, each.kind, mine=number == seat) for number, each in enumerate(played.header.seats)
        )
        names = tuple(each.shown for each in seats)
        return TableState(
            table="analysis",
            title=game.title,
            game=game,
            status="playing",
            seats=seats,
            view=game.view(state, None, names),
            views={seat: game.view(state, seat, names)},
            choices={seat: game.choices(state, seat)},
        )
