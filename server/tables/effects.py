"""Effects that the service asks the host for. Messages are ready to send."""

from __future__ import annotations

import math

from msgspec import Struct

from cave.game import Json
from cave.wire import MAX_NEWS, MAX_REPLY
from server.tables.seat_view import SeatView

FOR_EVER = math.inf
"""Seconds of a ban that does not end."""


class TooLarge(Exception):
    """A message that has more bytes than the protocol allows."""


def _check(message: bytes, most: int) -> None:
    if len(message) > most:
        raise TooLarge(f"a message has more than {most} bytes")


class Send(Struct, frozen=True):
    """Send frames to one connection; raises TooLarge."""

    link: bytes
    frames: tuple[bytes, ...]

    def __post_init__(self) -> None:
        _check(self.frames[-1], MAX_REPLY)


class SendView(Struct, frozen=True):
    """Send a seat's view to the connection that holds the seat. The view is encoded only when it is
    sent, so that earlier messages do not wait for it.
    """

    link: bytes
    envelope: tuple[bytes, ...]
    seat_view: SeatView

    @property
    def frames(self) -> tuple[bytes, ...]:
        """The frames to send; raises TooLarge, and whatever the game raises."""
        frame = self.seat_view.frame()
        _check(frame, MAX_REPLY)
        return (*self.envelope, frame)


class Publish(Struct, frozen=True):
    """Send a message to everybody who follows a table; raises TooLarge."""

    table: str
    message: bytes

    def __post_init__(self) -> None:
        _check(self.message, MAX_NEWS)


class AskBot(Struct, frozen=True):
    """Ask a bot to choose. It gets its seat's view and choices, and nothing else. It takes ``pace`` times
    the host's pause at least.
    """

    table: str
    seat: int
    seq: int
    game: str
    level: str
    view: Json
    choices: list[Json]
    seed: str
    pace: float = 1.0

    @property
    def question(self) -> Json:
        """What its process is asked."""
        return {
            "ask": "action",
            "game": self.game,
            "level": self.level,
            "view": self.view,
            "choices": self.choices,
            "seed": self.seed,
        }


class AskWhetherLost(Struct, frozen=True):
    """Ask whether a bot's seat can still win. It gets its seat's view, and nothing else."""

    table: str
    seat: int
    game: str
    view: Json

    @property
    def question(self) -> Json:
        """What its process is asked."""
        return {"ask": "lost", "game": self.game, "view": self.view}


class Finished(Struct, frozen=True):
    """A game has ended. ``record`` holds the lines of its record, and ``guest`` is the address of the guest
    who opened the table; empty if that was the host's owner or is not known.
    """

    table: str
    record: list[Json]
    guest: str = ""


class Ended(Struct, frozen=True):
    """A game has just ended: the names of its winners, and who resigned, if it ended so. For the log."""

    table: str
    game: str
    won: tuple[str, ...]
    resigned: str = ""


class SetAside(Struct, frozen=True):
    """A table has been stopped for good because of an error in the program."""

    table: str
    mistake: Exception


class Mistake(Struct, frozen=True):
    """An error in the program that stops no game. It is logged."""

    mistake: Exception


class Disconnect(Struct, frozen=True):
    """End a connection, and refuse its client's key ``peer`` for this many seconds; None: for ever."""

    link: bytes
    peer: str
    seconds: float | None


class Leave(Struct, frozen=True):
    """End a connection to make room. It may come back."""

    link: bytes


class SetBan(Struct, frozen=True):
    """Ban a client's key ``peer`` for good, and an ``address`` for this many ``seconds``. If ``banned`` is
    false, lift these bans. Either may be empty.
    """

    peer: str
    banned: bool
    address: str = ""
    seconds: float = FOR_EVER


Effect = (
    Send
    | SendView
    | Publish
    | AskBot
    | AskWhetherLost
    | Finished
    | Ended
    | SetAside
    | Mistake
    | Disconnect
    | Leave
    | SetBan
)
