"""The setup that a table is opened with."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from cave import games, keys, protocol
from cave.game import Json
from server.tables.seat import Claim


class Setup(Struct, frozen=True):
    """The setup of a table. ``start`` is a checked position or None. ``set_up`` says that the
    opener chose the seed or the position, and so may know what is hidden. ``lock`` is the hash of the code
    needed to sit. ``opener`` is the address it was opened from, empty if not known; ``by_owner`` says that
    the host's owner opened it. ``pace`` is that of its bots. ``hints`` says whether clients may suggest
    moves to their players. A rematch has the code of the previous game, hashed with its ``salt`` (empty:
    ``created``), and its seats are ``kept`` for the players of that game.
    """

    game: str
    settings: Json
    seats: tuple[protocol.SeatSpec, ...]
    seed: str
    created: str
    title: str = ""
    lock: str | None = None
    start: Json = None
    set_up: bool = False
    absence: protocol.Absence = protocol.Absence()
    opener: str = ""
    by_owner: bool = False
    pace: protocol.Pace = "usual"
    hints: bool = True
    salt: str = ""
    kept: tuple[Claim | None, ...] = ()

    @property
    def guest(self) -> str:
        """The address of the guest who opened the table; empty if the owner did, or if it is not known."""
        return "" if self.by_owner else self.opener

    def opens(self, code: str) -> bool:
        """Return whether this is the code needed to sit."""
        return self.lock is None or keys.opens(code, self.lock, self.salt or self.created)

    def begin(self) -> Any:
        """Return the state that the game starts from; raises BadData."""
        game = games.get(self.game)
        if self.start is None:
            return game.new(len(self.seats), self.settings, self.seed)
        return game.from_position(self.start)
