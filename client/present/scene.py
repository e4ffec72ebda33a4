"""The scene that a user sees: one frozen value per state of a game that has begun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from cave.game import Json, Refusal
from client.face import LETTERS
from client.table import LogLine, TableState
from client.wording import without_rule

StateT = TypeVar("StateT")
PlayerT = TypeVar("PlayerT")


class Turns(Protocol):
    """Finds the turns in a log, like a game's face."""

    def turn(self, event: Json) -> int | None:
        """Return the seat whose turn begins with this event."""
        ...

    def ends_turn(self, event: Json) -> bool: ...


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The table as the displayed seat sees it; games add their own fields. The lobby has no scene. ``since``
    is the index in the log of the first event after that seat's last turn.
    """

    state: TableState
    seat: int = 0
    view: Any
    choices: tuple[Any, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    since: int = 0
    mode: str = ""  # the request, if a turn has several

    @property
    def over(self) -> bool:
        return self.state.ended or self.view.over

    @property
    def can_act(self) -> bool:
        return bool(self.choices) and not self.over

    @property
    def step_is_done(self) -> bool:
        """Whether a step of a lesson is done, which may be before the turn's last action."""
        return self.state.lesson is not None and self.state.lesson.done

    @property
    def why_passive(self) -> Literal["over", "waiting", "watching", ""]:
        """Why the user can do nothing now; empty if they can."""
        if self.choices and not self.over:
            return ""
        return "over" if self.over else "waiting" if self.state.my_seats else "watching"

    @property
    def name_needed(self) -> bool:
        """Whether to name the owner of the things shown: at a shared keyboard, or for watchers."""
        return len(self.state.my_seats) != 1

    @property
    def shown_seat_words(self) -> str:
        return self._called_seat(self.seat)

    @property
    def waits_for(self) -> str:
        if (lesson := self.state.lesson) is not None and (lesson.shows or lesson.plays):
            return "The lesson shows what would happen." if lesson.shows else "The lesson plays."
        acting, seats = sorted(self.view.acting), self.state.seats
        away = [f" ({each.absence_words})" if each.absence_words else "" for each in seats] or [""] * len(
            self.view.names
        )
        who = [f"{self._called_seat(seat)}{away[seat]}" for seat in acting]
        return f"{'Waiting for' if self.state.my_seats else 'Turn of'} {', '.join(who)}."

    def _called_seat(self, seat: int) -> str:
        return f"{LETTERS[seat]} {self.view.names[seat]}"

    def why_not(self, kind: str) -> str:
        """Return the rules' reason why no action of this type is possible now; empty without one."""
        return next((each.message for each in self.refusals if each.action.get("type") == kind), "")

    @property
    def turn(self) -> tuple[Any, ...]:
        """Return a value that changes when the turn passes to another seat."""
        return (self.seat, self.can_act, self.view.acting)


class CaveScene(Scene, Generic[StateT, PlayerT], frozen=True, kw_only=True):
    @property
    def cave(self) -> StateT:
        cave: StateT = self.view.cave
        return cave

    @property
    def me(self) -> PlayerT:
        me: PlayerT = self.view.cave.players[self.seat]
        return me


def scene(state: TableState, last: int | None, turns: Turns) -> Scene:
    """Return the scene of a game that adds nothing; ``last`` is the seat shown before."""
    acting = state.view.acting
    seat = shown_seat(state, last, min(acting) if len(acting) == 1 else None)
    found = Scene(
        state=state,
        seat=seat,
        view=view_for(state, seat),
        refusals=tuple(replace(each, message=without_rule(each.message)) for each in state.refusals.get(seat, ())),
        since=index_since_last_turn(state.log, seat, turns),
    )
    return found if found.over else replace(found, choices=tuple(state.choices.get(seat, ())))


def shown_seat(state: TableState, last: int | None, turn: int | None) -> int:
    """Return the user's active seat, else the ``last`` one shown or their first; for watchers ``turn``."""
    mine = state.my_seats
    ready = [seat for seat in mine if state.choices.get(seat)]
    if ready:
        return last if last in ready else ready[0]
    if mine:
        return last if last in mine else mine[0]
    return turn if turn is not None else last if last is not None else 0


def view_for(state: TableState, seat: int) -> Any:
    return state.views.get(seat, state.view)


def has_secrets(state: TableState, seat: int) -> bool:
    """Return whether a seat of this shared keyboard has secrets from the others."""
    own = state.views.get(seat)
    if len(state.my_seats) < 2 or own is None:
        return False
    hand = state.game.secret_choices and state.choices.get(seat)
    return bool(hand) or replace(own, viewer=None) != state.view


def index_since_last_turn(log: Sequence[LogLine], seat: int, turns: Turns) -> int:
    """Return the index in the log of the first event after this seat's last finished turn; 0 without one. In
    a game without turns it is the first event after the seat's last action. Turns played by a stand-in do not
    count. A game may start in the middle of a turn.
    """
    found, mine, turned = 0, False, False
    for index, line in enumerate(log):
        mine = mine and not line.stand_in
        began = turns.turn(line.event)
        if began is not None:
            found, mine, turned = index if mine else found, began == seat, True
        elif (mine or (not turned and line.event.get("seat") == seat)) and turns.ends_turn(line.event):
            found, mine = index + 1, False
    if turned:
        return found
    own = (at for at in range(len(log), 0, -1) if not log[at - 1].stand_in)
    return next((at for at in own if log[at - 1].event.get("seat") == seat), 0)


BY_HOST = "The host skipped your last turn, because you did not act in time."
BY_RULES = "Your last turn passed by itself, because you could do nothing in it."


def skipped_turn_words(state: TableState, seat: int, turns: Turns) -> str:
    """Say that the last turn of a user's seat was skipped, until the seat acts again."""
    after: LogLine | None = None  # the line with which the following turn began
    skips = state.seats[seat].stand_in == "skip" if state.seats else False
    for line in reversed(state.log if seat in state.my_seats and not state.ended else ()):
        began, own = turns.turn(line.event), line.event.get("seat") == seat
        skips = skips or (own and line.event["type"] == "stand_in_skip")
        if began is not None and (began != seat or after is None):
            after = line
        elif began is not None and after is not None:
            # A turn that passes by itself begins and ends with the same action.
            return BY_RULES if line.seq == after.seq else BY_HOST if after.stand_in and skips else ""
        elif own and after is None and line.seq and not line.stand_in:
            return ""
    return ""


class Curtain:
    """Hides the displayed seat's secrets while the keyboard passes to another player."""

    def __init__(self) -> None:
        self.closed = False
        self.passed = False  # whether the keyboard was passed, and no player has been asked for yet
        self._seat: int | None = None
        self._mine: frozenset[int] = frozenset()

    def before(self, state: TableState, seat: int) -> TableState:
        held, self._mine = self._mine, frozenset(state.my_seats)
        # Seats taken back from another terminal may belong to any player.
        if seat != self._seat or not self._mine <= held:
            self._seat, self.closed, self.passed = seat, True, True
        self.closed = self.closed and has_secrets(state, seat)
        if not self.closed:
            return state
        if state.game.secret_choices:
            return replace(state, views={}, choices={}, refusals={})
        return replace(state, views={})
