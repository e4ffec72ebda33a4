"""What the house asks the host to do. Messages are ready to be sent as they are."""

from __future__ import annotations

import attrs

from cave.game import Json


@attrs.frozen
class Send:
    """Frames for one client's connection."""

    link: bytes
    frames: tuple[bytes, ...]


@attrs.frozen
class Publish:
    """A message for all who follow a table."""

    table: str
    message: bytes


@attrs.frozen
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


@attrs.frozen
class Finished:
    """A game has ended; these are the lines of its record."""

    table: str
    record: list[Json]


@attrs.frozen
class Cut:
    """Cut a client's connection, and keep its key ``peer`` out for so many seconds; None: for ever."""

    link: bytes
    peer: str
    seconds: float | None


@attrs.frozen
class Keep:
    """Keep a client's key out for ever, or (``out`` false) let it in again."""

    peer: str
    out: bool


Effect = Send | Publish | Think | Finished | Cut | Keep
