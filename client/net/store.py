"""A table as this client knows it, computed only from messages. No socket and no clock. ``state`` is computed
on demand, so that a burst of messages is decoded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from cave import codec, games, protocol, wire
from cave.codec import reject_field_if
from cave.game import AnyGame, BadData, Facts, Json, Refusal
from client.net import messages
from client.table import ChatLine, Closed, Link, LogLine, Lost, Missing, Seat, TableState

NOTHING = protocol.Snapshot(
    game="", title="", seats=(), status="waiting", watchers=0, seq=0, view=None, log=(), chat=()
)
MAX_AHEAD = 200  # updates to keep that arrived ahead of a gap; beyond that, a snapshot is quicker
MAX_AHEAD_BYTES = 4 * 1024 * 1024
LOG_LENGTH = 500
CHAT_LENGTH = 200


class _SeatKnowledge(msgspec.Struct):
    """The latest ``view`` message of a held seat, and its values once they were read."""

    message: protocol.View
    view: Any = None
    choices: tuple[Any, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    decoded: bool = False


class Store:
    """The state of a table, from its messages; ignores malformed ones. ``wants_sync`` is True if something is
    missing or inconsistent: the connection then requests a snapshot.
    """

    def __init__(self, table: str, *, address: str = "") -> None:
        self.table = table
        self.wants_sync = True
        self._address = address
        self._game: AnyGame | None = None
        self._told = NOTHING
        """The host's facts about the table, except those with their own attribute below."""
        self._seq = -1
        self._view_json: Json = None
        self._view: Any = None
        self._view_decoded = True
        self._unclear = False
        self._seats: list[Seat] = []
        self._held: dict[int, _SeatKnowledge | None] = {}
        self._log: list[LogLine] = []
        self._chat: list[ChatLine] = []
        self._link: Link = "syncing"
        self._closed: Closed = ""
        self._missing: Missing = ""
        self._lost: dict[int, Lost] = {}
        self._gallery_heard = False
        self._overtaken: set[str] = set()
        """Types of gallery messages about people since a snapshot was requested."""
        self._in_doubt: set[str] = set()
        """Messages that the snapshot contradicts. Either may be newer; the next message decides."""
        self.ahead: dict[int, tuple[protocol.Update, int]] = {}
        self._doubted: tuple[int, str] | None = None
        self._coming: set[int] = set()
        """Seats whose players may be about to return, like this client after a lost link."""
        self._plays_later = False
        self._state: TableState | None = None

    # Incoming messages

    def note_snapshot_asked(self) -> None:
        """Note that a snapshot is requested. Later gallery messages may be newer than it."""
        self._overtaken.clear()

    def fold_message(self, message: Mapping[str, Json] | protocol.Snapshot, size: int = 0) -> None:
        """Process a host's message about this table, of this many bytes, from either socket."""
        kind = "snapshot" if isinstance(message, protocol.Snapshot) else message.get("type")
        if not isinstance(kind, str) or kind not in protocol.NEWS:
            return
        before, link, self._state = self._state, self._link, None
        if kind in _OF_PEOPLE:
            self._overtaken.add(kind)
        try:
            self._take_message(codec.parse(message, protocol.NEWS[kind]), size)
        except BadData:
            self.wants_sync = True
        if self._link == "syncing" and self.is_complete:
            self._link = "live"
        if kind == "beat" and self._link == link:
            # A beat only shows whether something is missing.
            self._state = before

    def _take_message(self, message: protocol.Part, size: int) -> None:
        if not isinstance(message, protocol.Snapshot | protocol.View | protocol.TakenOver):
            self._gallery_heard = True  # those three come from the desk
        match message:
            case protocol.Snapshot():
                self._fold_snapshot(message)
            case protocol.Update():
                self._fold_update(message, size)
            case protocol.Beat():
                self._fold_beat(message)
            case protocol.Presence():
                self._fold_presence(message)
            case protocol.ChatLine():
                self._chat = [*self._chat, messages.read_chat_line(message)][-CHAT_LENGTH:]
            case protocol.View():
                self._fold_view(message)
            case protocol.TakenOver(seat, freed):
                self.release(seat, "freed" if freed else "taken")
            case protocol.AgreementLine():
                self._update_facts(agreement=protocol.AgreementLine(message.proposal, message.hurry))
            case protocol.RematchLine():
                self._update_facts(rematch=protocol.RematchLine(message.next, message.seat))
            case protocol.SetAside(sentence, resigned, series):
                self._update_facts(set_aside=sentence, resigned=resigned, series=series or self._told.series)
            case protocol.Shelved():
                self.note_lost_link("closed", "shelved")
            case protocol.Closing(ended):
                self.note_lost_link("closed", "ended" if ended else "stopped")

    def note_robin_players(self) -> None:
        self._plays_later, self._state = True, None

    def hold(self, seat: int) -> None:
        # Presence may have arrived before its seat was known to be ours.
        self._log = [line for line in self._log if line.seq or line.event != {"type": "back", "seat": seat}]
        self._held.setdefault(seat, None)
        if self._lost.pop(seat, None) == "taken":
            self._add_notes({"type": "taken_back", "seat": seat})
        self._state = None

    def release(self, seat: int, how: Lost = "") -> None:
        """Note that this client no longer holds the seat, and how it was lost."""
        if seat in self._held and how:
            self._lost[seat] = how
            if how == "taken":
                self._add_notes({"type": "taken_over", "seat": seat})
        self._held.pop(seat, None)
        self._state = None

    def give_seat_away(self, seat: int) -> None:
        """Note that another terminal holds a seat that could be this client's."""
        self._lost[seat] = "taken"
        self._state = None

    def _add_notes(self, *events: Json) -> None:
        """Add events to the log about people, or that only this client knows."""
        self._log = [*self._log, *(LogLine(0, event) for event in events)][-LOG_LENGTH:]

    def note_lost_link(self, link: Link, closed: Closed = "") -> None:
        """Note that the link is lost (or closed): the data may be out of date."""
        # A host that closed the connection is not just unreachable.
        if not (self._link == "closed" and link == "lost"):
            self._link, self._closed = link, closed
        self._gallery_heard = False
        self.ahead.clear()
        self.wants_sync = True
        self._state = None

    def note_found_link(self) -> None:
        """Note that the link is back and that a sync is under way."""
        self._link, self._closed = "syncing", ""
        self._missing = ""
        self._state = None

    def note_missing_host(self, why: Missing) -> None:
        """Note that the host is taking long to return, or does not admit this client."""
        self._missing = why
        self._state = None

    def note_moved_host(self, address: str) -> None:
        self._address = address
        self._state = None

    # Known state

    @property
    def held_seats(self) -> tuple[int, ...]:
        return tuple(sorted(self._held))

    @property
    def has_snapshot(self) -> bool:
        return self._game is not None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing: a snapshot has arrived, and a gallery message."""
        return self._seq >= 0 and self._gallery_heard and not self.wants_sync

    @property
    def cut_off(self) -> bool:
        return self._link in ("lost", "closed")

    def choice_seq(self, seat: int) -> int:
        known = self._held.get(seat)
        return max(0, self._seq) if known is None else known.message.seq

    @property
    def state(self) -> TableState:
        """The whole state as one value; raises LookupError before the first snapshot. Invalid parts are left
        out; the last valid public view stays, and the table counts as closed.
        """
        if self._state is None:
            self._state = self._make_state()
        return self._state

    def _make_state(self) -> TableState:
        game = self._game
        if game is None:
            raise LookupError("nothing is known about the table yet")
        if not self._view_decoded:
            view = self._read_view(game, self._view_json, None)
            self._unclear = view is None
            self._view = view or self._view
            self._view_decoded = True
        begun = self._view is not None
        held = {seat: known for seat, known in self._held.items() if begun and known is not None}
        for seat, known in held.items():
            self._decode_view(game, seat, known)
        # If a bot finishes the game for a seat's owner, the owner has no choices.
        played = {seat: known for seat, known in held.items() if not self._seats[seat].handed}
        gone = self._link == "closed" and self._closed != "stopped"
        told = self._told
        offered = {} if told.set_aside or gone else played
        unclear = self._unclear or (told.status != "waiting" and not begun)
        return TableState(
            table=self.table,
            title=told.title,
            game=game,
            seq=self._seq,
            status=told.status if begun else "waiting",
            seats=tuple(replace(seat, mine=number in self._held) for number, seat in enumerate(self._seats)),
            view=self._view,
            views={seat: known.view for seat, known in held.items() if known.view is not None},
            choices={seat: known.choices for seat, known in offered.items()},
            refusals={seat: known.refusals for seat, known in offered.items()},
            undoable={seat: known.message.undo for seat, known in offered.items()},
            seen={seat: known.message.seq for seat, known in held.items()},
            log=tuple(self._log),
            chat=tuple(self._chat),
            watchers=told.watchers,
            unsaved=told.unsaved,
            watchers_chat=told.watchers_chat,
            link="closed" if unclear else self._link,
            closed="unclear" if unclear else self._closed,
            missing=self._missing,
            taken=self._seats_lost_by("taken"),
            freed=self._seats_lost_by("freed"),
            left_to_bots=self._seats_lost_by("resigned"),
            rematch_by=None if told.rematch is None else told.rematch.seat,
            plays_later=self._plays_later,
            series=told.series,
            set_aside=told.set_aside,
            resigned=told.resigned and bool(told.set_aside),
            hints=told.hints,
            code=told.code,
            proposal=messages.read_proposal(told.agreement.proposal, len(self._seats)),
            hurry=told.agreement.hurry,
            address=self._address,
        )

    def _read_view(self, game: AnyGame, data: Json, viewer: int | None) -> Any:
        """Return the view if it is valid, with the names of the current players."""
        view = _read_value(game.view_from_json, data)
        if view is None or view.viewer != viewer or len(view.names) != len(self._seats):
            return None
        names = zip(self._seats, view.names, strict=True)
        return replace(view, names=tuple(seat.name_as_shown or name for seat, name in names))

    def _seats_lost_by(self, how: Lost) -> tuple[int, ...]:
        lost = (seat for seat, why in self._lost.items() if why == how and seat < len(self._seats))
        return tuple(sorted(lost))

    def _decode_view(self, game: AnyGame, seat: int, known: _SeatKnowledge) -> None:
        if known.decoded:
            return
        message = known.message
        known.view = view = self._read_view(game, message.view, seat)
        if view is not None:
            choices = [_read_value(game.choice_from_json, each) for each in message.choices]
            known.choices = tuple(each for each in choices if each is not None and game.may_offer(view, each))
            refusals = [_read_value(_read_refusal, (game, each)) for each in message.refused]
            known.refusals = tuple(refusal for refusal in refusals if refusal is not None)
        known.decoded = True

    # A method for each type of message

    def _fold_snapshot(self, message: protocol.Snapshot) -> None:
        game = games.get_game(message.game)
        reject_field_if(len(message.seats) not in game.seats, "seats", f"must be {game.seats[0]} to {game.seats[-1]}")
        if message.seq < self._seq and self._link == "live":
            # Updates are newer than this snapshot.
            self.wants_sync = False
            self._apply_updates()
            return
        seats = messages.read_seats(message.seats)
        # The other fields have their own attributes.
        told = _clean_snapshot(replace(message, log=(), chat=(), seats=(), view=None), len(seats))
        log = [
            LogLine(line.seq, check_event(game, line.event, len(seats)), line.stand_in)
            for line in message.log[-LOG_LENGTH:]
        ]
        notes = self._missed_notes(seats)
        self._log = [*self._log_with_notes(log), *notes][-LOG_LENGTH:]
        before = self._news_of_people()
        self._game = game
        self._store_seats(seats)
        self._told = told
        self._chat = [messages.read_chat_line(line) for line in message.chat[-CHAT_LENGTH:]]
        self._show_view(message.seq, message.view)
        now = self._news_of_people()
        self._in_doubt = {kind for kind in self._overtaken if now[kind] != before[kind]}
        self.wants_sync = False
        self._apply_updates()

    def _update_facts(self, **news: Any) -> None:
        self._told = _clean_snapshot(replace(self._told, **news), len(self._seats))

    def _log_with_notes(self, log: list[LogLine]) -> list[LogLine]:
        """Return the host's log with this client's own notes at their places."""
        notes, seq = [], 0
        for line in self._log:
            seq = line.seq or seq
            if not line.seq:
                notes.append((seq, line))
        lines = [*((line.seq, line) for line in log), *notes]
        return [line for _, line in sorted(lines, key=lambda each: (each[0], not each[1].seq))]

    def _missed_notes(self, seats: list[Seat]) -> list[LogLine]:
        """Return notes of changes while the link was down."""
        if self._told.status == "waiting" or len(seats) != len(self._seats):
            return []
        return [LogLine(0, note) for note in self._comings_and_goings(seats)]

    def _comings_and_goings(self, seats: list[Seat]) -> list[Json]:
        """Return notes of players who come and go, except those who return later than this client after a
        lost link: the host was down.
        """
        notes = messages.comings_and_goings(self._seats, seats, self._held)
        if self._link != "live":
            self._coming |= {note["seat"] for note in notes if note["type"] == "away"}
        told = [note for note in notes if note["type"] not in ("away", "back") or note["seat"] not in self._coming]
        self._coming = {seat for seat in self._coming if not seats[seat].present}
        return told

    def _news_of_people(self) -> dict[str, object]:
        """Return the news of people, by the type of the gallery's messages."""
        return {
            "presence": (self._seats, self._told.watchers, self._told.unsaved),
            "chat": self._chat,
            "set_aside": self._told.set_aside,
            "agreement": self._told.agreement,
            "rematch": self._told.rematch,
        }

    def _fold_update(self, message: protocol.Update, size: int) -> None:
        if message.seq > self._seq:
            self.wants_sync |= bool(self._in_doubt)
            self.ahead[message.seq] = (message, size)
            self._apply_updates()

    def _apply_updates(self) -> None:
        """Apply the updates that follow the known state; request a snapshot after a gap."""
        self.ahead = {seq: update for seq, update in self.ahead.items() if seq > self._seq}
        while self._seq >= 0 and self._seq + 1 in self.ahead:
            assert self._game is not None
            update, _ = self.ahead.pop(self._seq + 1)
            events = [check_event(self._game, event, len(self._seats)) for event in update.events]
            lines = [LogLine(self._seq + 1, event, update.stand_in) for event in events]
            kept = [line for line in self._log if line.seq != update.undid]
            self._log = [*kept, *lines][-LOG_LENGTH:]
            self._update_facts(status=update.status, series=update.series or self._told.series)
            self._show_view(self._seq + 1, update.view)
        if self.ahead:
            self.wants_sync = True
        if len(self.ahead) > MAX_AHEAD or sum(size for _, size in self.ahead.values()) > MAX_AHEAD_BYTES:
            self.ahead.clear()

    def _store_seats(self, seats: list[Seat]) -> None:
        """Store the seats; if a team was renamed, decode the views again."""
        before, self._seats = self._seats, seats
        for number, seat in enumerate(seats):
            if seat.kind == "bot":
                self.release(number, "resigned")
        if [seat.known_name for seat in before] != [seat.known_name for seat in seats]:
            self._view_decoded = self._view_json is None
            for known in self._held.values():
                if known is not None:
                    known.decoded = False

    def _show_view(self, seq: int, view: Json) -> None:
        self._seq = seq
        self._view_json = view
        self._view_decoded = view is None
        if view is None:
            self._view, self._unclear = None, False

    def _fold_beat(self, message: protocol.Beat) -> None:
        if self._seq < 0 or message.seq < self._seq:
            # An outdated beat is meaningless: the snapshot came by the other, quicker socket.
            return
        told = (message.seq, message.digest)
        if message.seq > self._seq or self._in_doubt:
            self.wants_sync = True
        elif told != self._doubted and message.digest != wire.view_digest(self._view_json):
            # This client may clean text that a newer host allows: ask once, not at every beat.
            self._doubted = told
            self.wants_sync = True

    def _fold_presence(self, message: protocol.Presence) -> None:
        if self._game is not None and len(message.seats) != len(self._seats):
            raise BadData("seats", "must be as many as before")
        seats = messages.read_seats(message.seats)
        series = message.series or self._told.series
        self._update_facts(watchers=message.watchers, unsaved=message.unsaved, series=series)
        if self._told.status != "waiting":
            self._add_notes(*self._comings_and_goings(seats))
        self._store_seats(seats)
        # Presence in a newer snapshot arrives here, too, in order.
        self._in_doubt.discard("presence")

    def _fold_view(self, message: protocol.View) -> None:
        if message.seat not in self._held:
            return
        known = self._held[message.seat]
        if known is not None and self._link == "live" and known.message.seq > message.seq:
            return
        self._held[message.seat] = _SeatKnowledge(message)


_OF_PEOPLE = ("presence", "chat", "set_aside", "agreement", "rematch")
"""Messages of the gallery without a number: they may be newer than a snapshot that arrives later."""


def _clean_snapshot(told: protocol.Snapshot, seats: int) -> protocol.Snapshot:
    """Return facts that are safe to display; raises BadData for a seat that does not exist."""
    messages.read_proposal(told.agreement.proposal, seats)
    if told.rematch is not None and told.rematch.seat >= seats:
        raise BadData("seat", f"must be 0 to {seats - 1}")
    series = told.series and _clean_series(told.series, seats)
    title = wire.clean_text(told.title)[: wire.MAX_TITLE]
    set_aside, unsaved = wire.clean_text(told.set_aside), wire.clean_text(told.unsaved)
    return replace(told, title=title, set_aside=set_aside, unsaved=unsaved, series=series)


def _clean_series(series: protocol.SeriesLine, seats: int) -> protocol.SeriesLine:
    odd = [each for each in (series.wins, series.points) if len(each) != seats]
    reject_field_if(bool(odd) or not {*series.winners} <= {*range(seats)}, "series", f"must be of {seats} seats")
    sits, many = (*series.sits, *series.next), len(series.players)
    known = {*sits} <= {*range(many)} and len(series.sits) == (seats if many else 0)
    reject_field_if(not known or many > protocol.ROUND_ROBIN[-1], "series", "must be of its players")
    names = (wire.clean_text(player.name)[: wire.MAX_NAME] for player in series.players)
    called = (replace(each, name=name) for each, name in zip(series.players, names, strict=True))
    return replace(series, players=tuple(called))


def check_event(game: AnyGame, event: Json, seats: int) -> Json:
    """Return the event if it belongs to this game and to one of its seats or none; raises BadData."""
    game.event_from_json(event)
    reject_field_if((codec.parse(event, Facts).seat or 0) >= seats, "seat", f"must be 0 to {seats - 1}")
    return event


def _read_value(read: Callable[[Json], Any], data: Json) -> Any:
    try:
        return read(data)
    except BadData:
        return None


def _read_refusal(told: tuple[AnyGame, Refusal]) -> Refusal:
    game, line = told
    game.action_from_json(line.action)
    return Refusal(line.action, line.code, line.message)
