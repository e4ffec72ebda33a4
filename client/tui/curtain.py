"""The curtain: hides a seat's secrets at a shared keyboard until its person is there."""

from __future__ import annotations

from msgspec.structs import replace

from client.present.scene import has_secrets
from client.table import TableState


class Curtain:
    """Hides what the shown seat alone may know, from the moment another person takes the keyboard."""

    def __init__(self) -> None:
        self.closed = False
        self.passed = False
        """Whether the keyboard was passed, and nobody has been asked for yet."""
        self._seat: int | None = None
        self._mine: frozenset[int] = frozenset()

    def before(self, state: TableState, seat: int) -> TableState:
        """Return the state as it may be shown for a seat."""
        held, self._mine = self._mine, frozenset(state.my_seats)
        # Seats that come back from another terminal may come to anybody.
        if seat != self._seat or not self._mine <= held:
            self._seat, self.closed, self.passed = seat, True, True
        self.closed = self.closed and has_secrets(state, seat)
        if not self.closed:
            return state
        if state.game.secret_choices:
            return replace(state, views={}, choices={}, refusals={})
        return replace(state, views={})
