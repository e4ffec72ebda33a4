"""What follows from a change: journal entries, seats' views, and effects to carry out. No I/O, no clock."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from cave import codec, protocol, wire
from cave.game import AnyGame, Json
from cave.wire import MAX_NEWS, MAX_REPLY

FOR_EVER = math.inf  # seconds of a ban that does not end


class TooLarge(Exception): ...


def _check_message_size(message: bytes, most: int) -> None:
    if len(message) > most:
        raise TooLarge(f"a message has more than {most} bytes")


class Send(Struct, frozen=True):
    """Send frames to one connection; raises TooLarge."""

    link: bytes
    frames: tuple[bytes, ...]

    def __post_init__(self) -> None:
        _check_message_size(self.frames[-1], MAX_REPLY)


class SendView(Struct, frozen=True):
    """Send a seat's view. It is encoded when sent, so that earlier messages do not wait for it."""

    link: bytes
    envelope: tuple[bytes, ...]
    seat_view: SeatView

    @property
    def frames(self) -> tuple[bytes, ...]:
        """The frames to send; raises TooLarge, and whatever the game raises."""
        frame = self.seat_view.padded_frame()
        _check_message_size(frame, MAX_REPLY)
        return (*self.envelope, frame)


class Publish(Struct, frozen=True):
    """Send a message to everybody who follows a table; raises TooLarge."""

    table: str
    message: bytes

    def __post_init__(self) -> None:
        _check_message_size(self.message, MAX_NEWS)


class AskBot(Struct, frozen=True):
    """Ask a bot for an action, from its seat's view alone; ``pace`` times the host's pause at least."""

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
        return {"ask": "lost", "game": self.game, "view": self.view}


class Finished(Struct, frozen=True):
    """A game has ended, with its ``record``. ``guest`` is the guest's address who opened it, or empty."""

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
    table: str
    mistake: Exception


class Mistake(Struct, frozen=True):
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
    """Ban a key ``peer`` for good and an ``address`` for ``seconds``, or lift that. Either may be empty."""

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


class Entry(Struct, frozen=True):
    """One event at a table. ``kind`` is ``opened``, ``sat``, ``resumed``, ``stood``, ``started``, ``acted``,
    ``undid``, ``handed``, ``resigned``, ``ended``, ``said``, ``set_aside``, ``shelved``, ``reopened`` or
    ``rematch``; ``data`` has all it takes to replay it, and ``seq`` the table's step after it. ``retraced``
    stands for steps of a seat that it undid. ``folded`` is many events in one entry, compressed; ``story``
    (versions 2 to 5) is the same uncompressed, from the opening on. ``asked`` belongs to no table: it keeps
    the message ids that a client used.
    """

    table: str
    kind: str
    data: Json
    seq: int = 0

    @property
    def steps(self) -> int:
        if self.kind == "story":
            return self.seq
        return int(self.data["steps"]) if self.kind in ("retraced", "folded") else int(self.kind in STEPS)


STEPS = ("started", "acted", "undid")


WATCHER = b'{"viewer":null'


class SeatView(msgspec.Struct, frozen=True):
    """Everything a seat's holder needs at step ``seq``, encoded on demand: later changes do not affect it.
    ``public`` is the watcher's view as it is sent, ``choices`` are the game's values.
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
        return codec.decode(self._view())

    def _view(self) -> bytes:
        if self.state is None:
            return b"null"
        if self.game.sees_as_watcher(self.state, self.seat):
            return b'{"viewer":%d' % self.seat + self.public[len(WATCHER) :]
        return self.game.view_bytes(self.game.view(self.state, self.seat, self.names))

    def offered_choices(self) -> list[Json]:
        return [self.game.choice_json(choice) for choice in self.choices]

    def padded_frame(self) -> bytes:
        """Return the message as it is sent, padded so that its size reveals nothing hidden."""
        view = self._view()
        choices = self.offered_choices()
        refused = self.game.why_not(self.state, self.seat) if self.choices else ()
        message = protocol.View(
            self.seat, self.seq, msgspec.Raw(view), choices, refused, self.undo, table=self.table
        )
        secret = len(view) - len(self.public)
        if not self.game.secret_choices:
            return wire.padded(codec.encode(message), secret)
        secret += len(codec.encode(choices)) + len(codec.encode(refused))
        return wire.padded(codec.encode(message), secret, wire.SECRET_CHOICES)


class SavedReply(Struct, frozen=True):
    """The reply to the message ``re``, kept with its entry; ``peer`` is the client's key, if encrypted."""

    re: str
    body: bytes
    peer: str = ""
    seat: int | None = None


class Line(Struct, frozen=True):
    """A line. Written ones have a ``number`` and the Unix time ``at``, read ones a ``checksum``."""

    entry: Entry
    reply: SavedReply | None = None
    at: float = 0.0
    number: int = 0
    checksum: int = 0


class Snapshot(Struct, frozen=True):
    """The game of a table at step ``seq``, after which none undoes an earlier one: a restart begins there."""

    seq: int
    data: Json


class NotKept(Exception):
    """The journal cannot be written now, and nothing has changed; the text is one sentence."""


class Journal:
    """A journal that keeps nothing; ``SqliteJournal`` keeps all. A table changes only after
    ``append_entries`` has returned. If it raises, nothing has changed and nothing is published.
    """

    lasting = False

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Save the entries and the reply, all or nothing. They are on disk then. Raises NotKept."""

    def forget_table(self, table: str) -> None:
        """Forget this table; raises NotKept."""

    def check_writable(self) -> None:
        """Check that the journal can be written, and leave it as it is; raises NotKept."""

    @property
    def unsettled(self) -> bool:
        """Whether ``sync_unsettled`` has something to sync."""
        return False

    def sync_unsettled(self) -> None:
        """Sync what need not be on disk at once; may be called from another thread."""

    def read_lines(self) -> Iterable[Line]:
        """Return all lines, in the order they were written."""
        return ()

    def read_story(self, table: str) -> list[Line]:
        """Return the lines of one table; raises NotKept."""
        return []

    def write_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep the snapshot; it replaces the table's previous one. Raises NotKept."""

    def read_snapshot(self, table: str) -> Snapshot | None:
        """Return the table's snapshot, if there is one that can be read."""
        return None

    def seconds_since_touched(self) -> Mapping[str, float]:
        """Return the seconds since each table was touched, counted from when the journal was opened."""
        return {}


def journal_lines(
    entries: tuple[Entry, ...], reply: SavedReply | None, at: float = 0.0, first: int = 0
) -> Iterator[Line]:
    """Return the lines of one change, numbered from ``first`` on. The reply goes with the first entry."""
    for number, entry in enumerate(entries):
        yield Line(entry, None if number else reply, at, first + number)
