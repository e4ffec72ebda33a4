"""The host's logic: tables, clients, and their permissions. No sockets and no clock: returns effects."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, protocol
from cave.game import BadData, Refused
from cave.strict_json import BadMessage
from server import absence, agreements
from server.clients.clients import Peer
from server.context import Context
from server.journal.restore import restore_all, restore_replies
from server.requests import ANSWERS
from server.table_changes import SET_ASIDE
from server.tables.effects import Disconnect, Effect, Mistake, NotKept, Publish, Send, SendView, TooLarge
from server.tables.opening import Setup
from server.tables.rematch import free_robin_place
from server.tables.table import Table


class Service(Context):
    """A host without sockets: handles messages and returns effects."""

    _open_table: OpenTable | None = None

    def keep_table_open(self, options: OpenTableOptions) -> None:
        self._open_table = OpenTable(options, self)

    # An earlier run

    def restore(self) -> list[str]:
        """Restore the tables from the journal; return a sentence for each that cannot be restored."""
        lines = list(self.journal.read_lines())
        found = restore_all(lines, self.journal.read_snapshot)
        for table in found.tables:
            self.clients.tables[table.id] = table
        self.clients.unrestored = found.unrestored
        self.clients.shelved = found.shelved
        for peer in restore_replies(lines, self.clients.guests.replies, self.secret):
            self.clients.guests.expect_client(peer)
        return found.problems

    @property
    def has_unfinished_games(self) -> bool:
        """Whether there is a game to continue, now or (if set aside) with another version."""
        tables = self.clients.tables.values()
        return bool(self.clients.unrestored or self.clients.shelved) or any(
            ((table.touched or table.aside or table.follows_a_game) and not table.ended) or table.waits_for_next_game
            for table in tables
        )

    def wake_tables(self, now: float) -> list[Effect]:
        """Continue after a restart: ask bots to choose, and write records."""
        effects: list[Effect] = []
        idle, unchanged = self.journal.seconds_since("touched"), self.journal.seconds_since("changed")
        for table in list(self.clients.tables.values()):
            table.idle_since = now - idle.get(table.id, 0.0)
            table.changed_since = now - unchanged.get(table.id, 0.0)
            if absence.has_expired(table, now, self._expire):
                effects += self.changes.work_safely(table, now, self.changes.shelve_game)
            else:
                effects += self.changes.work_safely(table, now, self.changes.wake_table)
        return effects + self._look_after_open_table(now)

    # Incoming messages

    def handle_message(
        self, link: bytes, frames: Sequence[bytes], now: float, peer: str | None = None, address: str = ""
    ) -> list[Effect]:
        """Handle a client's message from the connection ``link``; return the reply and all other effects.
        ``address`` is the client's (see ``addresses``), ``peer`` its own key, if any.
        """
        self.counts.add("received")
        effects: list[Effect] = []
        known = link in self.clients.guests
        if not known and self.clients.guests.is_full:
            keepers = self.keys_of_keepers()
            effects += self.clients.disconnect_most_silent(keepers, now)
            if self.clients.guests.is_full and (peer or link.hex()) not in keepers:
                self.counts.add("refused_full")
                no_room = _error_message(None, "full", "This host is full. Try again later.")
                return [*effects, Send(link, (*split_envelope(frames), codec.encode(no_room)))]
        here = self.clients.guests.add_connection(link, peer or link.hex(), now, address)
        here.heard = now
        who = self.clients.guests.client_behind(link)
        if now < who.banned_until:
            return [*effects, Disconnect(link, here.peer, who.banned_until - now)]
        here.envelope = split_envelope(frames)
        if here.quiet or not known:
            effects += self.clients.mark_present(link, now)
        try:
            if len(frames) != 1 + len(here.envelope):
                raise BadMessage("bad_message", "A message must be one frame.")
            re, message = protocol.decode_message(frames[-1], self.limits.message)
            if not (who.messages.take(now) and self._has_message_tokens(link, now)):
                raise BadMessage("too_fast", "Too many messages at once. Wait a moment, then try again.", re)
        except BadMessage as error:
            self._count_client_error(who, error.code, now)
            return [*effects, self.clients.send(link, _error_message(error.re, error.code, error.message))]
        saved = self.clients.guests.replies.stored_reply(here.peer, re)
        if saved is not None:
            return [*effects, Send(link, (*here.envelope, saved))]
        if isinstance(message, _CHANGING) and self.clients.guests.replies.is_done(here.peer, re):
            self.counts.add("refused_repeated")
            return [*effects, self.clients.send(link, _error_message(re, "repeated", REPEATED))]
        try:
            return [*effects, *self._answer_request(link, who, re, message, now)]
        except Exception as mistake:
            # A game that raises on a request cannot continue.
            table = self._table_of_message(message)
            if table is None:
                reply = _error_message(re, "bad_message", MISTAKEN)
                return [*effects, Mistake(mistake), self.clients.send(link, reply)]
            reply = _error_message(re, "set_aside", SET_ASIDE)
            return [*effects, *self.changes.set_aside(table, mistake, now), self.clients.send(link, reply)]

    def _has_message_tokens(self, link: bytes, now: float) -> bool:
        """Return whether this connection's address may send another message now. Others there cannot silence
        the owner and seat holders, or anybody else for more than a moment.
        """
        here = self.clients.guests[link]
        return (
            self._messages.take(here.address, now)
            or self.is_owner(self.clients.key_of(link))
            or (here.peer in self.keys_of_keepers() and self._messages_of_keepers.take(here.address, now))
            or here.own.take(now)
        )

    def _answer_request(
        self, link: bytes, who: Peer, re: str, message: protocol.ClientMessage, now: float
    ) -> list[Effect]:
        final = True
        self.clients.guests[link].asking = re
        following: list[Effect] = []
        try:
            reply, following = ANSWERS[type(message)](self, link, message, now)
        except (Refused, BadMessage) as error:
            reply = _error_message(None, error.code, error.message)
            if error.code in _GUESSES:
                self._count_client_error(who, error.code, now)
            elif error.code in protocol.CODES:
                self.counts.add(f"refused_{error.code}")
        except BadData as error:
            self.counts.add("refused_bad_message")
            reply = _error_message(None, "bad_message", f"The message cannot be read: {error.sentence}.")
        except NotKept as error:
            self.counts.add("refused_not_saved")
            reply, final = _error_message(None, "not_saved", str(error)), False
        table = self._table_of_message(message)
        if table is not None:
            if isinstance(message, _TOUCHING) and not isinstance(reply, protocol.Error):
                table.idle_since = now
            following += self.changes.work_safely(table, now, self.changes.rouse_bots)
        encoded = codec.encode(replace(reply, re=re))
        # A message that changes nothing is handled again each time. One that was not saved can be repeated.
        if final and isinstance(message, _CHANGING):
            peer = self.clients.guests[link].peer
            self.clients.guests.replies.store_reply(peer, re, encoded)
            if not isinstance(reply, protocol.Error):
                self.clients.guests.replies.mark_done(peer, re)
        try:
            sent: Effect = Send(link, (*self.clients.guests[link].envelope, encoded))
        except TooLarge:
            sent = self.clients.send(link, _error_message(re, "too_large", TOO_LARGE))
        # Broadcasts go out before views are encoded. A client gets its own views before its reply, so that it
        # has seen the effects by then.
        return sorted([sent, *following], key=lambda effect: _effect_order(effect, link, sent))

    def _table_of_message(self, message: protocol.ClientMessage) -> Table | None:
        return self.tables.get(getattr(message, "table", None) or "")

    def _count_client_error(self, who: Peer, code: str, now: float) -> None:
        self.counts.add(f"refused_{code}")
        if not who.mistakes.take(now):
            who.banned_until = now + self.limits.ban
            self.counts.add("banned")

    def do_timed_work(self, now: float) -> list[Effect]:
        effects = self.changes.retry_unsaved(now)
        for link in self.clients.guests.connections_to_check(now):
            self.clients.guests[link].tried = now
            effects += self.check_connection(link, now)
        for table in list(self.clients.tables.values()):
            effects += self.changes.work_safely(table, now, self._tick_table)
        return effects + self.changes.shelve_excess_games(now) + self._look_after_open_table(now)

    def _look_after_open_table(self, now: float) -> list[Effect]:
        try:
            return [] if self._open_table is None else self._open_table.open_if_due(now)
        except Exception as mistake:
            return [Mistake(mistake)]

    def _tick_table(self, table: Table, now: float) -> list[Effect]:
        if absence.has_expired(table, now, self._expire):
            return self.changes.shelve_game(table, now)
        effects = [
            *self.changes.release_kept_seats(table, now),
            *self.changes.rouse_bots(table, now),
            *self.changes.act_for_absent(table, now),
            *agreements.settle_overdue_question(self, table, now),
        ]
        if now - table.told_at >= self.limits.beat:
            effects += self.clients.publish_beat(table, now)
        return effects

    def say_host_closes(self) -> list[Effect]:
        sent: list[Effect] = [self.clients.send(link, protocol.Closing()) for link in self.clients.guests]
        tables = self.clients.tables
        return sent + [Publish(table, codec.encode(protocol.Closing(table=table))) for table in tables]

    def check_connection(self, link: bytes, now: float) -> list[Effect]:
        """Check whether a connection is alive by sending a view again, which is harmless."""
        if link not in self.clients.guests:
            return []
        held = [table for table in self.clients.tables.values() if table.held_by(link)]
        playing = [table for table in held if table.status == "playing" and not table.aside]
        views = partial(self._resend_views, link)
        sent = [effect for table in playing for effect in self.changes.work_safely(table, now, views)]
        return sent or self.clients.mark_away_or_forget(link, now)

    def _resend_views(self, link: bytes, table: Table, now: float) -> list[Effect]:
        return [self.clients.send_view(table, seat) for seat in table.held_by(link)]

    def beat_at_table(self, table: str, now: float) -> list[Effect]:
        here = self.clients.tables.get(table)
        return [] if here is None else self.changes.work_safely(here, now, self.clients.publish_beat)

    def set_failed_table_aside(self, table: str, mistake: Exception, now: float) -> list[Effect]:
        here = self.clients.tables.get(table)
        return [] if here is None else self.changes.set_aside(here, mistake, now)

    # Facts

    @property
    def tables(self) -> Mapping[str, Table]:
        return self.clients.tables


def _effect_order(effect: Effect, link: bytes, reply: Effect) -> int:
    if isinstance(effect, Publish):
        return 0
    if effect is reply:
        return 2
    return 1 if isinstance(effect, Send | SendView) and effect.link == link else 3


def split_envelope(frames: Sequence[bytes]) -> tuple[bytes, ...]:
    return (b"",) if len(frames) > 1 and not frames[0] else ()


def _error_message(re: str | None, code: str, message: str) -> protocol.Error:
    return protocol.Error(code, message, re=re)


REPEATED = "This was already done, or it is too late. Nothing has changed; check the table."

TOO_LARGE = "The answer is too large to be sent. The host keeps the records of finished games."
"""The refusal if the reply is larger than the protocol allows, such as a very long record."""

MISTAKEN = "An error in the host's program prevents this, and nothing has changed. Its log names the error."

_GUESSES = ("wrong_code", "wrong_key", "not_owner", "too_fast")
"""Refusals that may be guessing, and count against the client."""

_CHANGING = (
    protocol.Open, protocol.Sit, protocol.Rematch, protocol.Resume, protocol.Reopen, protocol.Stand,
    protocol.Act, protocol.Undo, protocol.Propose, protocol.Agree, protocol.Say, protocol.Close,
    protocol.Free, protocol.Ban, protocol.Pardon, protocol.Allow,
)  # fmt: skip

_TOUCHING = (
    protocol.Sit, protocol.Resume, protocol.Stand, protocol.Act, protocol.Undo, protocol.Propose,
    protocol.Agree, protocol.Say,
)  # fmt: skip


_SAME = ("game", "title", "seats", "start", "hints", "settings", "series")
"""The fields, besides the code, by which to recognise a table opened by the same request."""


class OpenTableOptions(Struct, frozen=True):
    """The request that opens the table. With ``once`` it is not replaced."""

    message: protocol.Open
    once: bool = False

    @property
    def opens_another(self) -> bool:
        """Whether a full or closed table is replaced."""
        # A game of bots alone would be over before anybody joins.
        return not self.once and any(seat.kind == "open" for seat in self.message.seats)


class OpenTable:
    """The table that a host keeps open, replaced when it is full. Raises BadData or BadMessage."""

    def __init__(self, options: OpenTableOptions, host: Context) -> None:
        self._message = options.message
        self._once = not options.opens_another
        self._host = host
        self._clients = host.clients
        self._wanted = self._make_table().setup
        self._done = False

    def _make_table(self) -> Table:
        return self._host.make_table(self._message, by_owner=True)

    def open_if_due(self, now: float) -> list[Effect]:
        own = [table for table in self._clients.tables.values() if self._is_owners(table.setup)]
        if self._once and self._done:
            return []
        effects: list[Effect] = []
        if not self._done:
            with contextlib.suppress(NotKept):
                self._close_untouched_tables()
        if self._is_due(own):
            try:
                self._close_left_games(own)
                effects = self._host.changes.open_table(self._make_table(), now)
            except (Refused, NotKept):
                return []  # Retry next time: there may be room then.
        self._done = True
        return effects

    def _is_due(self, own: list[Table]) -> bool:
        running = [table for table in own if not table.ended and not table.aside]
        if self._once:
            return not running
        if any(
            free_robin_place(table) is not None or (table.status == "waiting" and not table.full) for table in running
        ):
            return False
        # With people at all tables, the host is really full.
        return sum(_has_people(table) for table in running) < self._clients.limits.tables

    def _is_owners(self, setup: Setup) -> bool:
        code, lock = self._message.code, setup.lock
        same_code = setup.is_right_code(code) if code and lock else not (code or lock)
        same = all(getattr(setup, name) == getattr(self._wanted, name) for name in _SAME)
        return setup.by_owner and same_code and same

    def _close_untouched_tables(self) -> None:
        """Delete the owner's earlier tables at which nobody ever sat; raises NotKept."""
        for table in [*self._clients.tables.values()]:
            others = table.setup.by_owner and not self._is_owners(table.setup)
            sat = any(seat.kind == "person" for seat in table.seats) or table.chat
            if others and table.status == "waiting" and not sat:
                self._host.changes.remove_table(table.id)

    def _close_left_games(self, own: list[Table]) -> None:
        """Delete finished games that everybody has left; raises NotKept."""
        followed = {name for link in self._clients.guests for name in self._clients.guests[link].watching}
        for table in own:
            if table.ended and not table.waits_for_next_game and not _has_people(table) and table.id not in followed:
                self._host.changes.remove_table(table.id)


def _has_people(table: Table) -> bool:
    return any(seat.kind == "person" and seat.present for seat in table.seats)
