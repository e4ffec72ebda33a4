"""Results of changes: journal entries, seats' views, and effects to carry out. No I/O, no clock."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from cave import codec, protocol, wire
from cave.game import AnyGame, Json
from cave.wire import MAX_NEWS, MAX_REPLY

FOR_EVER = math.inf  # seconds of a ban that does not end


class TooLarge(Exception): ...


def _check_effect_size(message: bytes, most: int) -> None:
    if len(message) > most:
        raise TooLarge(f"a message has more than {most} bytes")


class Send(Struct, frozen=True):
    """Send frames to one connection; raises TooLarge."""

    link: bytes
    frames: tuple[bytes, ...]

    def __post_init__(self) -> None:
        _check_effect_size(self.frames[-1], MAX_REPLY)


class SendView(Struct, frozen=True):
    """Send a seat's view. It is encoded when sent, so that earlier messages do not wait for it."""

    link: bytes
    envelope: tuple[bytes, ...]
    seat_view: SeatView

    @property
    def frames(self) -> tuple[bytes, ...]:
        """The frames to send; raises TooLarge, and any error of the game."""
        frame = self.seat_view.padded_frame()
        _check_effect_size(frame, MAX_REPLY)
        return (*self.envelope, frame)


class Publish(Struct, frozen=True):
    """Send a message to everybody who follows a table; raises TooLarge."""

    table: str
    message: bytes

    def __post_init__(self) -> None:
        _check_effect_size(self.message, MAX_NEWS)


class AskBot(Struct, frozen=True):
    """Ask a bot for an action, from its seat's view alone; it waits ``pace`` times the host's pause."""

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
    """Ask whether a bot's seat can still win, from its seat's view alone."""

    table: str
    seat: int
    game: str
    view: Json

    @property
    def question(self) -> Json:
        return {"ask": "lost", "game": self.game, "view": self.view}


class Finished(Struct, frozen=True):
    """A game has ended, with its ``record``. ``guest`` is the address of the guest who opened it, or ""."""

    table: str
    record: list[Json]
    guest: str = ""


class Ended(Struct, frozen=True):
    """A game has just ended: the names of its winners, and who resigned, if anybody. For the log."""

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
    """Close a connection, and refuse its client's key ``peer`` for this many seconds; None: forever."""

    link: bytes
    peer: str
    seconds: float | None


class Leave(Struct, frozen=True):
    """Close a connection to make room. It may reconnect."""

    link: bytes


class SetBan(Struct, frozen=True):
    """Ban a key ``peer`` forever and an ``address`` for ``seconds``, or lift the bans. Either can be ""."""

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
    ``rematch``; ``data`` is enough to replay it, and ``seq`` is the table's step after it. ``retraced``
    replaces steps of a seat that were undone. ``folded`` is many events in one entry, compressed; ``story``
    (versions 2 to 5) is the same uncompressed, from the opening on. ``asked`` belongs to no table: it has the
    message ids that a client used.
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
    """A seat's view and choices at step ``seq``, encoded lazily: later changes do not affect it. ``public``
    is the watcher's view as it is sent, ``choices`` are the game's values.
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
        """Return the message as it is sent, padded so that its size reveals no secrets."""
        view = self._view()
        choices = self.offered_choices()
        refused = self.game.why_not(self.state, self.seat) if self.choices else ()
        message = protocol.View(self.seat, self.seq, msgspec.Raw(view), choices, refused, self.undo, table=self.table)
        secret = len(view) - len(self.public)
        if not self.game.secret_choices:
            return wire.pad_message(codec.encode(message), secret)
        secret += len(codec.encode(choices)) + len(codec.encode(refused))
        return wire.pad_message(codec.encode(message), secret, wire.SECRET_CHOICES)


class SavedReply(Struct, frozen=True):
    """The reply to the message ``re``, saved with its entry; ``peer`` is the client's key, if encrypted."""

    re: str
    body: bytes
    peer: str = ""
    seat: int | None = None


class Line(Struct, frozen=True):
    """A line of the journal. Written ones have a ``number`` and the Unix time ``at``, read ones a
    ``checksum``.
    """

    entry: Entry
    reply: SavedReply | None = None
    at: float = 0.0
    number: int = 0
    checksum: int = 0


class Snapshot(Struct, frozen=True):
    """The game of a table at step ``seq``, where a restart begins: no later step undoes an earlier one."""

    seq: int
    data: Json


class NotKept(Exception):
    """The journal cannot be written now, and nothing has changed; the message is one sentence."""


Past = Literal["touched", "changed"]


class Journal:
    """A journal that saves nothing; ``SqliteJournal`` saves all. A table changes only after
    ``append_entries`` has returned. If it raises, nothing has changed and nothing is published.
    """

    lasting = False

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Save the entries and the reply atomically. They are on disk when this returns. Raises NotKept."""

    def forget_table(self, table: str) -> None:
        """Delete this table; raises NotKept."""

    def check_writable(self) -> None:
        """Check that the journal can be written, without changing it; raises NotKept."""

    @property
    def unsettled(self) -> bool:
        """Whether ``sync_unsettled`` has something to sync."""
        return False

    def sync_unsettled(self) -> None:
        """Sync data that may reach the disk later; can be called from another thread."""

    def read_lines(self) -> Iterable[Line]:
        """Return all lines, in the order they were written."""
        return ()

    def read_story(self, table: str) -> list[Line]:
        """Return the lines of one table; raises NotKept."""
        return []

    def write_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Save the snapshot in place of the table's previous one; raises NotKept."""

    def read_snapshot(self, table: str) -> Snapshot | None:
        """Return the table's snapshot; None if missing or unreadable."""
        return None

    def seconds_since(self, what: Past) -> Mapping[str, float]:
        """Return by table the seconds between people's last request, or the game's last step, and the opening
        of the journal.
        """
        return {}


def journal_lines(
    entries: tuple[Entry, ...], reply: SavedReply | None, at: float = 0.0, first: int = 0
) -> Iterator[Line]:
    """Return the lines of one change, numbered from ``first``. The first entry has the reply."""
    for number, entry in enumerate(entries):
        yield Line(entry, None if number else reply, at, first + number)
