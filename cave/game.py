"""The contract every game keeps; host, clients, bots, records and tests know games only through it.

A game is a set of pure functions over frozen values. The conformance kit in
``tests/cave/conformance.py`` runs any game through what is promised here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import attrs

Json = Any
"""A value as ``json.loads`` gives it: dict, list, str, int, float, bool or None."""


class Refused(Exception):
    """An action that the rules do not allow; nothing has changed.

    ``code`` is one of the stable words of the format's table of refusals, ``message`` one sentence
    for the person who tried, which ends with the number of the rule where there is one.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class BadData(Exception):
    """Data from outside that has not the promised form.

    ``field`` is the path to the culprit (``teams[1].backpack.rope``), ``problem`` what is wrong.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem

    def under(self, prefix: str) -> BadData:
        """The same problem, with the path of the enclosing value put in front."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return BadData(f"{prefix}{joint}{self.field}", self.problem)


@attrs.frozen
class Refusal:
    """An action that a person might try in vain, and why it is not possible now."""

    action: Json
    code: str
    message: str


def refusal_json(refusal: Refusal) -> Json:
    """The public form of a refusal."""
    return {"action": refusal.action, "code": refusal.code, "message": refusal.message}


@attrs.frozen
class SeatResult:
    """One line of the result: the seat's points, line by line.

    ``points`` and ``bonus`` map a category to victory points. ``winner`` marks every seat that
    shares the win; before the end it marks who leads.
    """

    seat: int
    total: int
    points: Mapping[str, int]
    bonus: Mapping[str, int]
    stranded: bool
    winner: bool


def result_json(line: SeatResult) -> Json:
    """The public form of one seat's line of the score sheet."""
    return {
        "seat": line.seat,
        "total": line.total,
        "points": dict(line.points),
        "bonus": dict(line.bonus),
        "stranded": line.stranded,
        "winner": line.winner,
    }


StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
ChoiceT = TypeVar("ChoiceT")
ViewT = TypeVar("ViewT")


@attrs.frozen
class Step(Generic[StateT, EventT]):
    """What an accepted action led to."""

    state: StateT
    events: tuple[EventT, ...]


class Game(Protocol[StateT, ActionT, EventT, ChoiceT, ViewT]):
    """The contract. All methods are pure; states, actions, events, choices and views are frozen."""

    name: ClassVar[str]
    """The word that names the game in files and messages, such as ``the-cave``."""
    title: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    editions: ClassVar[tuple[str, ...]]

    def new(self, names: Sequence[str], settings: Json, seed: str) -> StateT:
        """A complete start state for teams of these names; all chance follows from ``seed``.

        Raises BadData for settings that do not exist or a number of seats the game is not for.
        """
        ...

    def settings(self, settings: Json) -> Json:
        """The settings in their shortest form: what is a default is left out; raises BadData."""
        ...

    def to_act(self, state: StateT) -> frozenset[int]:
        """The seats that may act now: several when choosing is simultaneous, none at the end."""
        ...

    def choices(self, state: StateT, seat: int) -> tuple[ChoiceT, ...]:
        """Every legal action with its price and what it brings, in a stable order.

        Actions with free content (a pack, an exchange) appear once, as a form with its limits.
        Empty for a seat that is not to act.
        """
        ...

    def why_not(self, state: StateT, seat: int) -> tuple[Refusal, ...]:
        """For the actions a person might try in vain now: the reason. Empty when not to act."""
        ...

    def sample(self, choice: ChoiceT, rng: Random) -> ActionT:
        """An action of this choice: the action itself, or a form filled at random, always legal."""
        ...

    def idle(self, state: StateT, seat: int) -> ActionT:
        """The legal action that does least for a seat that is to act and whose owner is away."""
        ...

    def decode(self, state: StateT, seat: int, data: Json) -> ActionT:
        """The action that ``data`` describes; raises Refused in the promised order of codes."""
        ...

    def apply(self, state: StateT, seat: int, action: ActionT) -> Step[StateT, EventT]:
        """The state after the action and what happened; raises Refused and changes nothing."""
        ...

    def is_barrier(self, event: EventT) -> bool:
        """Whether the event revealed a secret or used chance: nothing before it can be undone."""
        ...

    def view(self, state: StateT, seat: int | None) -> ViewT:
        """All that this seat, or a watcher (None), may know, and nothing more."""
        ...

    def sees_as_watcher(self, state: StateT, seat: int) -> bool:
        """Whether the seat knows just what a watcher does now: only ``viewer`` of its view differs."""
        ...

    def see(self, event: EventT, seat: int | None) -> EventT:
        """The event as this seat, or a watcher, may see it."""
        ...

    def may_know(self, state: StateT, by: int, action: ActionT, viewer: int | None) -> bool:
        """Whether, as things stand in ``state``, the viewer may know that ``by`` did ``action``."""
        ...

    def imagine(self, view: ViewT, seed: str) -> StateT:
        """A full state that fits the view; the only way a bot gets a state."""
        ...

    def standing(self, state: StateT) -> tuple[SeatResult, ...]:
        """The score if the game ended now; at the end the result itself."""
        ...

    def result(self, state: StateT) -> tuple[SeatResult, ...] | None:
        """None while the game runs, else one line a seat, in the order of the seats."""
        ...

    def status(self, state: StateT) -> Json:
        """The few facts every reply of the referee carries (for The Cave: seat, ap, phase)."""
        ...

    def position(self, state: StateT) -> Json:
        """The readable form of a state; ``from_position`` gives an equal state back."""
        ...

    def from_position(self, data: Json) -> StateT:
        """The state of a position; raises BadData with the field's path."""
        ...

    def action_json(self, action: ActionT) -> Json:
        """The public form of an action."""
        ...

    def choice_json(self, choice: ChoiceT) -> Json:
        """The public form of a choice."""
        ...

    def choice_from_json(self, data: Json) -> ChoiceT:
        """The choice of its public form; raises BadData."""
        ...

    def event_json(self, event: EventT) -> Json:
        """The public form of an event."""
        ...

    def view_json(self, view: ViewT) -> Json:
        """The public form of a view."""
        ...

    def view_from_json(self, data: Json) -> ViewT:
        """The view of its public form; raises BadData."""
        ...


AnyGame = Game[Any, Any, Any, Any, Any]
