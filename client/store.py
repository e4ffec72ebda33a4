"""What this client knows of one table, from messages alone. No socket and no clock.

Messages are folded in as they come; ``state`` makes a value of what is known when it is asked for,
so that a burst of messages costs one decoding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from cave import games, wire
from cave.game import AnyGame, BadData, Json, Refusal
from client.table_state import ChatLine, Closed, Link, LogLine, Seat, TableState

MAX_AHEAD = 200
"""Updates kept that came before those between; beyond, a snapshot is quicker."""
LOG_LENGTH = 500
CHAT_LENGTH = 200


class _SeatKnowledge(msgspec.Struct):
    """The latest ``view`` message of a seat held, and its values once they were asked for."""

    message: Mapping[str, Json]
    view: Any = None
    choices: tuple[Any, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    decoded: bool = False


class Store:
    """One table as its messages tell it.

    ``wants_sync`` is True when something is missing or does not fit: the connection then asks for a
    snapshot. Messages of a wrong form change nothing and ask for one, too.
    """

    def __init__(self, table: str, *, address: str = "") -> None:
        self.table = table
        self.wants_sync = True
        self._address = address
        self._game: AnyGame | None = None
        self._title = ""
        self._status: Literal["waiting", "playing", "over"] = "waiting"
        self._seq = -1
        self._view_json: Json = None
        self._view: Any = None
        self._view_decoded = True
        self._seats: list[Seat] = []
        self._held: dict[int, _SeatKnowledge | None] = {}
        self._log: list[LogLine] = []
        self._chat: list[ChatLine] = []
        self._watchers = 0
        self._link: Link = "syncing"
        self._closed: Closed = ""
        self._missing = False
        self._taken: set[int] = set()
        self._gallery_heard = False
        self._ahead: dict[int, Mapping[str, Json]] = {}
        self._state: TableState | None = None

    # What comes in

    def fold(self, message: Mapping[str, Json]) -> None:
        """Take in a message of the host's about this table, from either socket."""
        handler = _FOLDS.get(str(message.get("type")))
        if handler is None:
            return
        before, link, self._state = self._state, self._link, None
        try:
            handler(self, message)
        except (BadData, KeyError, TypeError, ValueError, AttributeError):
            self.wants_sync = True
        if self._link == "syncing" and self.ready:
            self._link = "live"
        if message["type"] == "beat" and self._link == link:
            # It only tells whether something is missing.
            self._state = before

    def hold(self, seat: int) -> None:
        """Take note that this client holds the seat from now on."""
        self._held.setdefault(seat, None)
        self._taken.discard(seat)
        self._state = None

    def release(self, seat: int, *, taken: bool = False) -> None:
        """Take note that this client does not hold the seat any more; it gave it up, or it was
        ``taken``.
        """
        if seat in self._held and taken:
            self._taken.add(seat)
        self._held.pop(seat, None)
        self._state = None

    def lose(self, link: Link, closed: Closed = "") -> None:
        """The link is lost (or closed): nothing is known to be current any more."""
        # A host that said goodbye is not only out of sight.
        if not (self._link == "closed" and link == "lost"):
            self._link, self._closed = link, closed
        self._gallery_heard = False
        self._ahead.clear()
        self.wants_sync = True
        self._state = None

    def find(self) -> None:
        """The link is there again: what is missing is being asked for."""
        self._link, self._closed = "syncing", ""
        self._missing = False
        self._state = None

    def miss(self) -> None:
        """The host is long in coming back."""
        self._missing = True
        self._state = None

    def move(self, address: str) -> None:
        """The host is elsewhere now."""
        self._address = address
        self._state = None

    # What is known

    @property
    def held(self) -> tuple[int, ...]:
        """The seats this client holds."""
        return tuple(sorted(self._held))

    @property
    def known(self) -> bool:
        """Whether a snapshot has come."""
        return self._game is not None

    @property
    def ready(self) -> bool:
        """Whether nothing is missing: a snapshot has come, and the gallery has been heard."""
        return self._seq >= 0 and self._gallery_heard and not self.wants_sync

    def chosen_at(self, seat: int) -> int:
        """The sequence number of what the seat chooses from."""
        known = self._held.get(seat)
        return max(0, self._seq) if known is None else int(known.message["seq"])

    @property
    def state(self) -> TableState:
        """All that is known, as one value; raises LookupError before the first snapshot.

        A view or a choice that this version of the game can not read is left out.
        """
        if self._state is None:
            self._state = self._make_state()
        return self._state

    def _make_state(self) -> TableState:
        game = self._game
        if game is None:
            raise LookupError("nothing is known of the table yet")
        if not self._view_decoded:
            self._view = _value(game.view_from_json, self._view_json)
            self._view_decoded = True
        held = {seat: known for seat, known in self._held.items() if known is not None}
        for known in held.values():
            self._decode(game, known)
        return TableState(
            table=self.table,
            title=self._title,
            game=game,
            seq=max(0, self._seq),
            status=self._status,
            seats=tuple(
                msgspec.structs.replace(seat, mine=number in self._held)
                for number, seat in enumerate(self._seats)
            ),
            view=self._view,
            views={seat: known.view for seat, known in held.items()},
            choices={seat: known.choices for seat, known in held.items()},
            refusals={seat: known.refusals for seat, known in held.items()},
            undoable={seat: int(known.message.get("undo", 0)) for seat, known in held.items()},
            seen={seat: int(known.message["seq"]) for seat, known in held.items()},
            log=tuple(self._log),
            chat=tuple(self._chat),
            watchers=self._watchers,
            link=self._link,
            closed=self._closed,
            missing=self._missing,
            taken=tuple(sorted(self._taken)),
            address=self._address,
        )

    @staticmethod
    def _decode(game: AnyGame, known: _SeatKnowledge) -> None:
        if known.decoded:
            return
        message = known.message
        known.view = _value(game.view_from_json, message.get("view"))
        choices = [_value(game.choice_from_json, each) for each in message["choices"]]
        known.choices = tuple(choice for choice in choices if choice is not None)
        refusals = [_value(_refusal, each) for each in message["refused"]]
        known.refusals = tuple(refusal for refusal in refusals if refusal is not None)
        known.decoded = True

    # One method for each type of message

    def _fold_snapshot(self, message: Mapping[str, Json]) -> None:
        seq = _whole(message["seq"])
        game = games.get(message["game"])
        seats = _seats(message["seats"])
        log = [LogLine(_whole(line["seq"]), line["event"]) for line in message["log"]]
        chat = [_chat(line) for line in message["chat"]]
        if seq < self._seq and self._link == "live":
            # It was overtaken by updates; what it could tell is known.
            self.wants_sync = False
            self._catch_up()
            return
        self._game = game
        self._title = str(message["title"])
        self._status = _status(message["status"])
        self._seats = seats
        self._log = log
        self._chat = chat
        self._watchers = _whole(message["watchers"])
        self._show(seq, message["view"])
        self.wants_sync = False
        self._catch_up()

    def _fold_update(self, message: Mapping[str, Json]) -> None:
        self._gallery_heard = True
        seq = _whole(message["seq"])
        if seq <= self._seq:
            return
        self._ahead[seq] = message
        self._catch_up()

    def _catch_up(self) -> None:
        """Take in the updates that follow on what is known; ask for a snapshot where one is missing."""
        self._ahead = {seq: message for seq, message in self._ahead.items() if seq > self._seq}
        while self._seq >= 0 and (update := self._ahead.pop(self._seq + 1, None)) is not None:
            status, view = _status(update["status"]), update["view"]
            lines = [LogLine(self._seq + 1, event) for event in update["events"]]
            undid = update.get("undid")
            kept = [line for line in self._log if line.seq != undid]
            self._log = [*kept, *lines][-LOG_LENGTH:]
            self._status = status
            self._show(self._seq + 1, view)
        if self._ahead:
            self.wants_sync = True
        if len(self._ahead) > MAX_AHEAD:
            self._ahead.clear()

    def _show(self, seq: int, view: Json) -> None:
        self._seq = seq
        self._view_json = view
        self._view = None
        self._view_decoded = view is None

    def _fold_beat(self, message: Mapping[str, Json]) -> None:
        self._gallery_heard = True
        seq = _whole(message["seq"])
        if self._seq < 0:
            return
        # A beat of a past moment says nothing: the snapshot came by the other, quicker socket.
        if seq > self._seq or (seq == self._seq and message["digest"] != wire.digest(self._view_json)):
            self.wants_sync = True

    def _fold_presence(self, message: Mapping[str, Json]) -> None:
        self._gallery_heard = True
        seats = _seats(message["seats"])
        self._watchers = _whole(message["watchers"])
        self._log += [LogLine(0, event) for event in _comings_and_goings(self._seats, seats)]
        self._seats = seats

    def _fold_chat(self, message: Mapping[str, Json]) -> None:
        self._gallery_heard = True
        self._chat.append(_chat(message))
        del self._chat[:-CHAT_LENGTH]

    def _fold_view(self, message: Mapping[str, Json]) -> None:
        seat, seq = _whole(message["seat"]), _whole(message["seq"])
        if seat not in self._held:
            return
        if not isinstance(message["choices"], list) or not isinstance(message["refused"], list):
            raise ValueError("not lists")
        known = self._held[seat]
        if known is not None and self._link == "live" and _whole(known.message["seq"]) > seq:
            return
        self._held[seat] = _SeatKnowledge(message)

    def _fold_taken_over(self, message: Mapping[str, Json]) -> None:
        self.release(_whole(message["seat"]), taken=True)

    def _fold_closing(self, message: Mapping[str, Json]) -> None:
        self.lose("closed", "ended" if message.get("ended") is True else "stopped")


_FOLDS: dict[str, Callable[[Store, Mapping[str, Json]], None]] = {
    "snapshot": Store._fold_snapshot,
    "update": Store._fold_update,
    "beat": Store._fold_beat,
    "presence": Store._fold_presence,
    "chat": Store._fold_chat,
    "view": Store._fold_view,
    "taken_over": Store._fold_taken_over,
    "closing": Store._fold_closing,
}


def _whole(value: Json) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("not a whole number")
    return value


def _status(value: Json) -> Literal["waiting", "playing", "over"]:
    match value:
        case "waiting":
            return "waiting"
        case "playing":
            return "playing"
        case "over":
            return "over"
    raise ValueError("no status")


def _seats(data: Json) -> list[Seat]:
    seats = []
    for seat in data:
        if seat["kind"] not in ("person", "bot", "open"):
            raise ValueError("no kind of seat")
        stand_in = seat.get("stand_in", "")
        seats.append(
            Seat(
                wire.clean_text(seat["name"]),
                seat["kind"],
                bool(seat["present"]),
                stand_in=stand_in if stand_in in ("bot", "skip") else "",
            )
        )
    return seats


def _chat(line: Mapping[str, Json]) -> ChatLine:
    return ChatLine(str(line["name"]), str(line["text"]), line.get("watcher") is True)


def _comings_and_goings(before: list[Seat], after: list[Seat]) -> list[Json]:
    """What the log tells of people who keep their seats: who is away, who is back, who plays for whom."""
    notes: list[Json] = []
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if (old.kind, old.name) != (new.kind, new.name) or new.kind != "person":
            continue
        if old.present != new.present:
            notes.append({"type": "back" if new.present else "away", "seat": number})
        if new.stand_in and new.stand_in != old.stand_in:
            notes.append({"type": f"stand_in_{new.stand_in}", "seat": number})
    return notes


def _value(read: Callable[[Json], Any], data: Json) -> Any:
    """What ``read`` makes of the data, None for what it can not read."""
    try:
        return read(data)
    except (BadData, KeyError, TypeError, ValueError, AttributeError):
        return None


def _refusal(data: Json) -> Refusal:
    return Refusal(data["action"], str(data["code"]), str(data["message"]))
