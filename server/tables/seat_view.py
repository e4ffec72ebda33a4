"""A seat's view of its table at one moment. No socket and no clock."""

from __future__ import annotations

from typing import Any

import msgspec

from cave import codec, protocol, wire
from cave.game import AnyGame, Json

WATCHER = b'{"viewer":null'
"""How the encoded view of a watcher begins."""


class SeatView(msgspec.Struct, frozen=True):
    """Everything a seat's holder needs at step ``seq``. It is encoded on demand, and later changes at the
    table do not affect it.

    ``public`` is the watcher's view as it is sent, so that what all seats see is encoded once. ``choices``
    are the game's values.
    """

    table: str
    game: AnyGame
    state: Any
    names: tuple[str, ...]
    seq: int
    seat: int
    public: bytes
    choices: tuple[Any, ...]
    undo: int

    def view(self) -> Json:
        """Return the seat's view of the game; None before the start."""
        return codec.decode(self._view())

    def _view(self) -> bytes:
        if self.state is None:
            return b"null"
        if self.game.sees_as_watcher(self.state, self.seat):
            return b'{"viewer":%d' % self.seat + self.public[len(WATCHER) :]
        return self.game.view_bytes(self.game.view(self.state, self.seat, self.names))

    def offered(self) -> list[Json]:
        """Return the choices as JSON."""
        return [self.game.choice_json(choice) for choice in self.choices]

    def frame(self) -> bytes:
        """Return the message as it is sent, padded so that its size reveals nothing hidden."""
        view = self._view()
        choices = self.offered()
        refused = self.game.why_not(self.state, self.seat) if self.choices else ()
        message = protocol.View(
            self.seat, self.seq, msgspec.Raw(view), choices, refused, self.undo, table=self.table
        )
        secret = len(view) - len(self.public)
        if not self.game.secret_choices:
            return wire.padded(codec.encode(message), secret)
        secret += len(codec.encode(choices)) + len(codec.encode(refused))
        return wire.padded(codec.encode(message), secret, wire.SECRET_CHOICES)
