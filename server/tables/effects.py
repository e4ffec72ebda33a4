"""What the service asks the host to do. Messages are ready to send."""

from __future__ import annotations

import attrs

from cave.game import Json
from server.clients.bans import FOR_EVER
from server.tables.seat_view import Sight


@attrs.frozen(repr=False)
class Send:
    """Frames for one client's connection."""

    link: bytes
    frames: tuple[bytes, ...]


@attrs.frozen(repr=False)
class Show:
    """What a seat sees, for the connection that holds it. It is worked out when it is sent: what was to
    be sent before has left by then.
    """

    link: bytes
    envelope: tuple[bytes, ...]
    sight: Sight

    @property
    def frames(self) -> tuple[bytes, ...]:
        """What is to be sent."""
        return (*self.envelope, self.sight.frame())


@attrs.frozen(repr=False)
class Publish:
    """A message for all who follow a table."""

    table: str
    message: bytes


@attrs.frozen(repr=False)
class Think:
    """A bot is to choose: from what its seat may see, and no more."""

    table: str
    seat: int
    seq: int
    game: str
    level: str
    view: Json
    choices: list[Json]
    seed: str


@attrs.frozen(repr=False)
class Finished:
    """A game has ended; these are the lines of its record."""

    table: str
    record: list[Json]


@attrs.frozen(repr=False)
class SetAside:
    """A table is set aside because of this mistake of the program's."""

    table: str
    mistake: Exception


@attrs.frozen(repr=False)
class Cut:
    """Cut a client's connection, and keep its key ``peer`` out for so many seconds; None: for ever."""

    link: bytes
    peer: str
    seconds: float | None


@attrs.frozen(repr=False)
class Leave:
    """Cut a connection that may come back: there is no room for it now."""

    link: bytes


@attrs.frozen(repr=False)
class Keep:
    """Ban a client's key, and an ``address`` for so many ``seconds``; or (``out`` false) lift the bans on
    them. Either may be empty.
    """

    peer: str
    out: bool
    address: str = ""
    seconds: float = FOR_EVER


Effect = Send | Show | Publish | Think | Finished | SetAside | Cut | Leave | Keep
