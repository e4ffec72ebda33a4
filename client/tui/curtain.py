"""The curtain: hides a seat's secrets at a shared keyboard until its person is there."""

from __future__ import annotations

from msgspec.structs import replace

from client.table import TableState


class Curtain:
    """Hides what the shown seat alone may know, from the moment another person takes the keyboard."""

    def __init__(self) -> None:
        self.closed = False
        self.passed = False
        """Whether the keyboard was passed, and nobody has been asked for yet."""
        self._seat: int | None = None

    def before(self, state: TableState, seat: int) -> TableState:
        """Return the state as it may be shown for a seat."""
        if seat != self._seat:
            self._seat, self.closed, self.passed = seat, True, True
        self.closed = self.closed and has_secrets(state, seat)
        if not self.closed:
            return state
        if state.game.secret_choices:
            return replace(state, views={}, choices={}, refusals={})
        return replace(state, views={})


def has_secrets(state: TableState, seat: int) -> bool:
    """Whether a seat of this shared keyboard knows what not all may know."""
    own = state.views.get(seat)
    if len(state.my_seats) < 2 or own is None:
        return False
    hand = state.game.secret_choices and state.choices.get(seat)
    return bool(hand) or replace(own, viewer=None) != state.view
