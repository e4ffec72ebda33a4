"""What an analysis finds, in words."""

from __future__ import annotations

from typing import Any

from cave.game import Json
from cave.record import Replay
from client.face import Face
from client.lab.analysis import Other
from client.present import advice
from client.table import Seat, TableState


def mistake(other: Other, actions: ActionWords, face: Face) -> str:
    """Return what was done, what it lost, and what would have been better and why, as the tutor says it."""
    done, better = (actions(other.step, each.action) for each in (other.done, other.better))
    why = advice.reason(face, actions.scene(other.step), other.better)
    told = f" ({why})" if why else ""
    return f"Played: {done}; {advice.fall(other.better, other.done)}. Better: {better}{told}."


class ActionWords:
    """Says what an action of a game that was played is, as a hint would have said it at its step."""

    def __init__(self, face: Face, played: Replay) -> None:
        self._face = face
        self._played = played
        self._scenes: dict[int, Any] = {}

    def __call__(self, step: int, action: Json) -> str:
        """Return the words for an action of the seat that acted at a step, counted from 0."""
        return self._face.action_words(self.scene(step), action)

    def scene(self, step: int) -> Any:
        """Return the scene of the seat that acted at a step."""
        if step not in self._scenes:
            self._scenes[step] = self._face.scene(self._table(step), None)
        return self._scenes[step]

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
