"""A seat's view of its table at one moment. No socket and no clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from cave import codec, protocol, wire
from cave.game import AnyGame, Json


class SeatView(msgspec.Struct, frozen=True):
    """Everything a seat's holder needs at step ``seq``. It is encoded on demand, and later changes at the
    table do not affect it.

    ``watched`` is the watcher's view as JSON. ``fields`` holds the same, encoded field by field, so that
    what all seats see is encoded once. ``public`` is its size in bytes; ``choices`` are the game's values.
    """

    table: str
    game: AnyGame
    state: Any
    names: tuple[str, ...]
    seq: int
    seat: int
    watched: Json
    fields: Mapping[str, msgspec.Raw]
    public: int
    choices: tuple[Any, ...]
    undo: int

    def view(self) -> Json:
        """Return the seat's view of the game; None before the start."""
        if self.state is None:
            return None
        if self._sees_as_watcher():
            return {**self.watched, "viewer": self.seat}
        return self.game.view_json(self.game.view(self.state, self.seat, self.names))

    def _sees_as_watcher(self) -> bool:
        return self.state is not None and self.game.sees_as_watcher(self.state, self.seat)

    def _encoded_view(self) -> bytes:
        if self._sees_as_watcher():
            return codec.encode({**self.fields, "viewer": self.seat})
        return codec.encode(self.view())

    def offered(self) -> list[Json]:
        """Return the choices as JSON."""
        return [self.game.choice_json(choice) for choice in self.choices]

    def message(self, view: Json) -> protocol.View:
        """Return view, choices, refusals and undo steps, as they are sent."""
        refused = self.game.why_not(self.state, self.seat) if self.choices else ()
        return protocol.View(self.seat, self.seq, view, self.offered(), refused, self.undo, table=self.table)

    def frame(self) -> bytes:
        """Return the message as it is sent, padded so that its size reveals nothing hidden."""
        view = self._encoded_view()
        message = self.message(msgspec.Raw(view))
        whole = codec.encode(message)
        secret = len(view) - self.public
        if not self.game.secret_choices:
            return wire.padded(whole, secret)
        secret += len(codec.encode(message.choices)) + len(codec.encode(message.refused))
        return wire.padded(whole, secret, wire.SECRET_CHOICES)
