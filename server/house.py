"""All tables of a host, who is connected, and what each may do. No socket and no clock: every
method takes the time and returns what is to be done, in order.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from cave import bots, codec, keys, protocol
from cave.game import BadData, Json, Refused
from cave.protocol import BadMessage
from server import absence, opening, owner
from server.effects import Cut, Effect, Finished, Publish, Send, Think
from server.guests import Guests, Peer
from server.journal import Entry, Journal, NoJournal, NotKept, Told
from server.limits import Limits
from server.restore import restore
from server.stats import Counts
from server.table import Change, Table

Reply = dict[str, Json]
Answer = tuple[Reply, list[Effect]]


class House:
    """Everything a host knows. ``random_text`` makes keys, seeds and ids that nobody can guess,
    ``stamp`` the date and time written into records; clients with a key in ``owners`` may ask for
    what the host's owner may.
    """

    def __init__(
        self,
        name: str,
        *,
        random_text: Callable[[], str],
        stamp: Callable[[], str],
        journal: Journal | None = None,
        limits: Limits | None = None,
        owners: Iterable[str] = (),
        counts: Counts | None = None,
    ) -> None:
        self.name = name
        self.session = random_text()
        self.tables: dict[str, Table] = {}
        self.counts = counts or Counts()
        self._owners = frozenset(owners)
        self._random_text = random_text
        self._stamp = stamp
        self._journal = journal or NoJournal()
        self._limits = limits or Limits()
        self._guests = Guests(self._limits)
        self._last_heard_of: dict[str, float] = {}
        self._unsaved: list[tuple[str, int, int, Json]] = []
        self.trouble = ""
        """Why nothing can change now, in one sentence; empty while all is well."""

    # An earlier run

    def restore(self) -> list[str]:
        """Take up what the journal holds; returns a sentence about each table that it could not.

        Nobody is there yet: those who held seats come back with the keys of their seats.
        """
        found = restore(self._journal.lines())
        for table in found.tables:
            self.tables[table.id] = table
            self._last_heard_of[table.id] = float("-inf")
        for peer, replies in found.told.items():
            self._guests.expect(peer, replies)
        return found.problems

    @property
    def unfinished(self) -> bool:
        """Whether there is a game that somebody may want to play on."""
        return any(table.status == "playing" and table.seq > 1 for table in self.tables.values())

    def wake(self, now: float) -> list[Effect]:
        """What was left to do when the earlier run ended: bots think, records are written."""
        effects: list[Effect] = []
        for table in self.tables.values():
            if table.status == "over":
                effects.append(Finished(table.id, table.record()))
            elif table.status == "playing":
                waited_for = [seat for seat in sorted(table.to_act) if table.seats[seat].kind == "bot"]
                effects += self._think(table, waited_for)
            elif table.full:
                with contextlib.suppress(NotKept):
                    effects += self._begin(table, now)
        return effects

    # What comes in

    def receive(
        self, link: bytes, frames: Sequence[bytes], now: float, peer: str | None = None
    ) -> list[Effect]:
        """A message of a client: the reply, and whatever follows from it.

        ``link`` is the connection it came by, ``peer`` the client's own key where it has one.
        """
        self.counts.add("received")
        effects = self._changed_hands(link, peer or link.hex(), now)
        known = link in self._guests
        here = self._guests.arrive(link, peer or link.hex(), now)
        if here is None:
            return [_send(link, (), _error(None, "full", "This host has no room for more clients."))]
        here.heard = now
        who = self._guests.peer(link)
        if now < who.banned_until:
            return [*effects, Cut(link, here.peer, who.banned_until - now)]
        here.envelope = (b"",) if len(frames) > 1 and not frames[0] else ()
        if here.quiet or not known:
            effects += self._returned(link, now)
        try:
            if len(frames) != 1 + len(here.envelope):
                raise BadMessage("bad_message", "A message is one frame.")
            re, message = protocol.decode(frames[-1])
            if not who.messages.take(now):
                raise BadMessage("too_fast", "That was too much at once. Wait a moment.", re)
        except BadMessage as error:
            self._mistake(who, error.code, now)
            return [*effects, self._send(link, _error(error.re, error.code, error.message))]
        told = who.told(re)
        if told is not None:
            return [*effects, Send(link, (*here.envelope, told))]
        return [*effects, *self._answer(link, who, re, message, now)]

    def _answer(
        self, link: bytes, who: Peer, re: str, message: protocol.ClientMessage, now: float
    ) -> list[Effect]:
        changes, final = isinstance(message, _CHANGING), True
        self._guests[link].asking = re
        following: list[Effect] = []
        try:
            reply, following = _ANSWERS[type(message)](self, link, message, now)
        except (Refused, BadMessage) as error:
            reply = _error(None, error.code, error.message)
            if error.code in _GUESSES:
                self._mistake(who, error.code, now)
        except BadData as error:
            reply = _error(None, "bad_message", f"The message can not be read: {error}.")
        except NotKept as error:
            reply, final = _error(None, "not_saved", str(error)), False
        encoded = codec.encode({**reply, "re": re})
        # What could not be saved may be asked for again: that was not the last word.
        if final and (changes or len(encoded) <= self._limits.reply_size):
            who.remember(re, encoded)
        sent: Effect = Send(link, (*self._guests[link].envelope, encoded))
        # One's own views come before the reply: who has the reply has seen what it led to.
        own: list[Effect] = []
        others: list[Effect] = []
        for effect in following:
            mine = isinstance(effect, Send) and effect.link == link
            (own if mine else others).append(effect)
        return [*own, sent, *others]

    def _mistake(self, who: Peer, code: str, now: float) -> None:
        """Count what a client did wrong; one that goes on and on is not listened to for a while."""
        self.counts.add(f"refused_{code}")
        if not who.mistakes.take(now):
            who.banned_until = now + self._limits.ban
            self.counts.add("banned")

    def _changed_hands(self, link: bytes, peer: str, now: float) -> list[Effect]:
        """A connection's name that another client has now gives it nothing of the former one's."""
        if link in self._guests:
            if self._guests[link].peer == peer:
                return []
            self.counts.add("changed_hands")
            effects = self.lost(link, now)
        else:
            effects = []
        for table in self.tables.values():
            if any(table.seats[number].owner not in ("", peer) for number in table.held_by(link)):
                table.let_go(link)
        return effects

    def lost(self, link: bytes, now: float) -> list[Effect]:
        """A connection is gone; its seats are kept, and shown as away."""
        # Who holds a seat may come back by its key and ask again: those replies are kept.
        gone = self._guests.leave(link, may_return=self._holds(link))
        return [] if gone is None else self._presence(gone.watching | self._set_present(link, False), now)

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: a look after silent links, and beats where nothing happened."""
        effects = self._try_unsaved(now)
        for link in self._guests.silent(now):
            self._guests[link].tried = now
            effects += self._try(link, now)
        for table in self.tables.values():
            effects += self._stand_in(table, now)
            if now - self._last_heard_of[table.id] >= self._limits.beat:
                effects += self.beat(table.id, now)
        return effects

    def beat(self, table: str, now: float) -> list[Effect]:
        """Tell all who follow the table where it stands."""
        if table not in self.tables:
            return []
        here = self.tables[table]
        return [self._publish(here, {"type": "beat", "seq": here.seq, "digest": here.digest()}, now)]

    def closing(self) -> list[Effect]:
        """The host goes down: tell everybody."""
        message = {"type": "closing"}
        told: list[Effect] = [self._send(link, message) for link in self._guests]
        return told + [Publish(table, codec.encode({**message, "table": table})) for table in self.tables]

    def bot_chose(self, table: str, seat: int, seq: int, action: Json, now: float) -> list[Effect]:
        """A bot has chosen. What it may not do becomes a legal choice at random, so that no game
        hangs. What it chose from an old view is dropped: it was asked anew when that view changed.
        """
        here = self.tables.get(table)
        if here is None or seat not in here.to_act or not here.current(seat, seq):
            return []
        if not here.seats[seat].plays_itself:
            return []  # Its owner came back while the bot was thinking.
        try:
            change = here.act(seat, here.seq, action)
        except Refused:
            change = here.any_change(seat, Random(_bot_seed(here, seat)))
        try:
            return self._change(here, change, now)
        except NotKept:
            self._unsaved.append((table, seat, seq, action))
            return []

    def _try_unsaved(self, now: float) -> list[Effect]:
        """What bots chose while the journal could not be written."""
        unsaved, self._unsaved = self._unsaved, []
        return [effect for each in unsaved for effect in self.bot_chose(*each, now)]

    # Answers, one for each type of message

    def _hello(self, link: bytes, message: protocol.Hello, now: float) -> Answer:
        first, last = opening.versions(message.protocol)
        if not first <= protocol.VERSION <= last:
            raise Refused(
                "version",
                f"This host speaks version {protocol.VERSION} of the protocol. Update the older one.",
            )
        self._guests[link].name = protocol.clean_text(message.name)[: protocol.MAX_NAME]
        return {
            "type": "welcome",
            "protocol": protocol.VERSION,
            "host": self.name,
            "session": self.session,
            "games": opening.game_list(),
            "bots": list(bots.LEVELS),
            "tables": self.facts(),
        }, []

    def _tables(self, link: bytes, message: protocol.Tables, now: float) -> Answer:
        return {"type": "tables", "tables": self.facts()}, []

    def _open(self, link: bytes, message: protocol.Open, now: float) -> Answer:
        setup = opening.read(message, self._random_text, self._stamp(), self._limits.absence)
        opened = self._guests.peer(link).opened
        opened.intersection_update(self.tables)
        if len(opened) >= self._limits.tables_each:
            raise Refused("full", "You have opened as many tables here as one client may.")
        self._make_room()
        table = Table(self._random_text()[:8].lower(), setup)
        reply: Reply = {"type": "opened", "table": table.id}
        entry = Entry(table.id, "opened", opening.entry_data(setup))
        start = table.start() if table.full else None
        self._write(entry, *_entries(table, start), told=self._told(link, reply))
        self.tables[table.id] = table
        self._last_heard_of[table.id] = now
        opened.add(table.id)
        return reply, [] if start is None else self._happen(table, start, now)

    def _sit(self, link: bytes, message: protocol.Sit, now: float) -> Answer:
        table = self._table(message.table)
        seat = table.find_seat(message.seat, message.code)
        name = protocol.clean_name(message.name)
        if sum(len(each.held_by(link)) for each in self.tables.values()) >= self._limits.seats_each:
            raise Refused("full", "You hold as many seats here as one client may. Stand up somewhere.")
        key = self._random_text()
        lock, who = keys.locked(key), self._key(link)
        reply: Reply = {"type": "seated", "table": table.id, "seat": seat, "key": key}
        sat = Entry(table.id, "sat", {"seat": seat, "name": name, "lock": lock, "owner": who}, table.seq)
        free = table.seats[seat]
        table.sit(seat, name, lock, link, who)
        try:
            start = table.start() if table.full and table.status == "waiting" else None
            self._write(sat, *_entries(table, start), told=self._told(link, reply, seat))
        except BaseException:
            table.seats[seat] = free
            raise
        effects = self._presence((table.id,), now)
        if start is not None:
            effects += self._happen(table, start, now)
        elif table.status != "waiting":
            effects.append(self._view(table, seat))
        return reply, effects

    def _resume(self, link: bytes, message: protocol.Resume, now: float) -> Answer:
        table = self._table(message.table)
        seat = table.check_seat(message.seat)
        if not seat.lock or not keys.opens(message.key, seat.lock):
            raise Refused("wrong_key", "That key does not fit this seat.")
        former = seat.holder
        if message.again and former is not None and former != link and seat.owner != self._key(link):
            raise Refused("seat_taken", "This seat was taken over from another terminal.")
        seat.holder, seat.present, seat.owner = link, True, self._key(link)
        seat.returned()
        self._guests.peer(link).remember_all(seat.told)
        seat.told = {}
        effects: list[Effect] = []
        if former is not None and former != link:
            self._guests.inherit(former, link, may_return=self._holds(former))
            if former in self._guests:
                told = {"type": "taken_over", "table": table.id, "seat": message.seat}
                effects.append(self._send(former, told))
        effects += self._presence((table.id,), now)
        if table.status != "waiting":
            effects.append(self._view(table, message.seat))
        return {
            "type": "seated", "table": table.id, "seat": message.seat, "key": message.key
        }, effects  # fmt: skip

    def _stand(self, link: bytes, message: protocol.Stand, now: float) -> Answer:
        table = self._own(link, message.table, message.seat)
        reply: Reply = {"type": "stood", "table": table.id, "seat": message.seat}
        stood = Entry(table.id, "stood", {"seat": message.seat}, table.seq)
        self._write(stood, told=self._told(link, reply, message.seat))
        table.stand(message.seat)
        return reply, self._presence((table.id,), now)

    def _watch(self, link: bytes, message: protocol.Watch, now: float) -> Answer:
        table = self._table(message.table)
        before = self._watchers(table)
        self._guests[link].watching.add(table.id)
        changed = self._watchers(table) != before
        return self._snapshot(table), self._presence((table.id,), now) if changed else []

    def _sync(self, link: bytes, message: protocol.Sync, now: float) -> Answer:
        table = self._table(message.table)
        started = table.status != "waiting"
        views = [self._view(table, seat) for seat in table.held_by(link)] if started else []
        return self._snapshot(table), [*views]

    def _act(self, link: bytes, message: protocol.Act, now: float) -> Answer:
        table = self._own(link, message.table, message.seat)
        change = table.act(message.seat, message.seq, message.action)
        reply: Reply = {"type": "done", "table": table.id, "seq": change.seq}
        return reply, self._change(table, change, now, self._told(link, reply, message.seat))

    def _undo(self, link: bytes, message: protocol.Undo, now: float) -> Answer:
        table = self._own(link, message.table, message.seat)
        change = table.undo(message.seat, message.seq)
        reply: Reply = {"type": "done", "table": table.id, "seq": change.seq}
        return reply, self._change(table, change, now, self._told(link, reply, message.seat))

    def _say(self, link: bytes, message: protocol.Say, now: float) -> Answer:
        table = self._table(message.table)
        seats = table.held_by(link)
        watching = self._limits.watchers_chat and table.id in self._guests[link].watching
        if not seats and not watching:
            raise Refused("not_seated", "Only those who sit at the table can talk there.")
        name = table.seats[seats[0]].name if seats else self._guests[link].name or "somebody"
        said: Json = {"name": name, "text": protocol.clean_chat(message.text)}
        if not seats:
            said["watcher"] = True
        reply: Reply = {"type": "said"}
        told = self._told(link, reply, seats[0] if seats else None)
        self._write(Entry(table.id, "said", said, table.seq), told=told)
        table.chat.append(said)
        return reply, [self._publish(table, {"type": "chat", **said}, now)]

    def _record(self, link: bytes, message: protocol.Record, now: float) -> Answer:
        table = self._table(message.table)
        lines = table.record(table.held_by(link))
        return {"type": "record", "table": table.id, "lines": lines}, []

    def _ping(self, link: bytes, message: protocol.Ping, now: float) -> Answer:
        watched = self._guests[link].watching
        followed = {t.id: t.seq for t in self.tables.values() if t.id in watched or t.held_by(link)}
        return {"type": "pong", "seq": followed}, []

    # For the host

    def knows(self, link: bytes) -> bool:
        """Whether this connection is known."""
        return link in self._guests

    def is_seated(self, link: bytes) -> bool:
        """Whether the client on this connection holds a seat."""
        return self._holds(link)

    # For the host's owner

    def owns(self, key: str) -> bool:
        """Whether this client's key is that of the host's owner."""
        return key in self._owners

    def client_on(self, link: bytes | None) -> str:
        """The key of the client on a link, or nothing."""
        return self._key(link) if link is not None and link in self._guests else ""

    def turn_away(self, peer: str, now: float) -> list[Effect]:
        """Cut all connections of a client."""
        effects: list[Effect] = []
        for link in self._guests.of(peer):
            effects += [Cut(link, peer, None), *self.lost(link, now)]
        return effects

    def free_seat(self, table: Table, seat: int, now: float) -> list[Effect]:
        """Free a seat for somebody else; whoever holds it is told."""
        holder = table.seats[seat].holder
        self._journal.append(Entry(table.id, "stood", {"seat": seat}))
        table.stand(seat)
        told = {"type": "taken_over", "table": table.id, "seat": seat}
        effects: list[Effect] = []
        if holder is not None and holder in self._guests:
            effects.append(self._send(holder, told))
        return [*effects, *self._presence((table.id,), now)]

    def close_table(self, table: Table) -> list[Effect]:
        """End the game at a table, tell all who follow it, and forget the table."""
        message = codec.encode({"type": "closing", "table": table.id, "ended": True})
        told: list[Effect] = [Publish(table.id, message)]
        if table.status == "playing":
            told.append(Finished(table.id, table.record()))
        self._remove(table.id)
        return told

    def _remove(self, table: str) -> None:
        self._journal.forget(table)
        del self.tables[table]
        del self._last_heard_of[table]
        for link in self._guests:
            self._guests[link].watching.discard(table)

    def _key(self, link: bytes) -> str:
        """The client's own key; nothing where the connection is plain."""
        peer = self._guests[link].peer
        return "" if peer == link.hex() else peer

    # Changes of a table

    def _begin(self, table: Table, now: float) -> list[Effect]:
        """Start the game if every seat is taken."""
        return self._change(table, table.start(), now) if table.full else []

    def _write(self, *entries: Entry, told: Told | None = None) -> None:
        """Write down what is to happen; raises NotKept, and then it must not happen."""
        try:
            self._journal.append(*entries, told=told)
        except NotKept as error:
            self.trouble = str(error)
            raise
        self.trouble = ""

    def _told(self, link: bytes, reply: Reply, seat: int | None = None) -> Told:
        """The reply, to be written down with what it tells of."""
        re = self._guests[link].asking
        return Told(re, codec.encode({**reply, "re": re}), self._key(link), seat)

    def _change(self, table: Table, change: Change, now: float, told: Told | None = None) -> list[Effect]:
        """Write the change down, let it take place, and tell everybody."""
        self._write(*_entries(table, change), told=told)
        return self._happen(table, change, now)

    def _happen(self, table: Table, change: Change, now: float) -> list[Effect]:
        """Let a change take place that is written down, and tell everybody."""
        table.commit(change)
        effects: list[Effect] = [
            self._view(table, number)
            for number, seat in enumerate(table.seats)
            if seat.holder in self._guests
        ]
        effects.append(self._publish(table, table.update(change), now))
        if table.status == "over":
            return [*effects, Finished(table.id, table.record())]
        return effects + self._think(table, _fresh_bots(table, change))

    def _think(self, table: Table, seats: Iterable[int]) -> list[Effect]:
        thoughts: list[Effect] = []
        for seat in seats:
            view = table.seat_view(seat)
            thoughts.append(
                Think(
                    table.id,
                    seat,
                    table.seq,
                    table.game.name,
                    table.seats[seat].level or bots.LEVELS[0],
                    view["view"],
                    view["choices"],
                    _bot_seed(table, seat),
                )
            )
        return thoughts

    # Who is there

    def _stand_in(self, table: Table, now: float) -> list[Effect]:
        """Let somebody play for those who have been away for long, as the table was opened with."""
        before = [seat.stand_in for seat in table.seats]
        absence.look(table, now)
        after = [seat.stand_in for seat in table.seats]
        effects = self._presence((table.id,), now) if after != before else []
        for seat in sorted(table.to_act):
            begins = after[seat] == "bot" != before[seat]
            # Where there is but one thing to do, such as to pack, no bot is needed.
            if after[seat] == "skip" or (begins and len(table.options(seat)) == 1):
                # What can not be written down now is tried again with the next tick.
                with contextlib.suppress(NotKept):
                    effects += self._change(table, table.idle_change(seat), now)
            elif begins:
                effects += self._think(table, [seat])
        return effects

    def _try(self, link: bytes, now: float) -> list[Effect]:
        """See whether a silent link is still there."""
        held = [(table, seat) for table in self.tables.values() for seat in table.held_by(link)]
        views = [self._view(table, seat) for table, seat in held if table.status == "playing"]
        if views:
            # A view sent again harms nobody, and to a link that is gone it can not be sent.
            return views
        here = self._guests[link]
        if not held and now - here.heard >= self._limits.forget:
            return self.lost(link, now)
        if here.quiet:
            return []
        here.quiet = True
        return self._presence(here.watching | self._set_present(link, False), now)

    def _returned(self, link: bytes, now: float) -> list[Effect]:
        """A sign of life of one who was thought away."""
        here = self._guests[link]
        here.quiet = False
        return self._presence(here.watching | self._set_present(link, True), now)

    def _set_present(self, link: bytes, present: bool) -> set[str]:
        """Note whether the holder of seats is there; returns the tables where that changed."""
        changed = set()
        for table in self.tables.values():
            for number in table.held_by(link):
                if table.seats[number].present != present:
                    table.seats[number].present = present
                    if present:
                        table.seats[number].returned()
                    changed.add(table.id)
        return changed

    def _holds(self, link: bytes) -> bool:
        return any(table.held_by(link) for table in self.tables.values())

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            raise Refused("no_table", "There is no such table here.")
        return self.tables[name]

    def _own(self, link: bytes, table: str, seat: int) -> Table:
        """The table, if this link holds the seat."""
        here = self._table(table)
        if here.check_seat(seat).holder != link:
            raise Refused("not_seated", "You do not sit there; only who sits there acts.")
        return here

    def _make_room(self) -> None:
        """Let the oldest table go that nobody needs any more; raises Refused when there is none."""
        if len(self.tables) < self._limits.tables:
            return
        for table in self.tables.values():
            if _needless(table):
                self._remove(table.id)
                return
        raise Refused("full", "This host has no room for another table.")

    def _watchers(self, table: Table) -> int:
        holders = {seat.holder for seat in table.seats}
        return sum(
            table.id in self._guests[link].watching
            for link in self._guests
            if link not in holders and not self._guests[link].quiet
        )

    # What goes out

    def facts(self) -> list[Json]:
        """A line about each table, as anybody may hear it."""
        return [{**table.facts(), "watchers": self._watchers(table)} for table in self.tables.values()]

    def _snapshot(self, table: Table) -> Reply:
        return {**table.snapshot(), "watchers": self._watchers(table)}

    def _presence(self, tables: Iterable[str], now: float) -> list[Effect]:
        return [
            self._publish(
                table,
                {
                    "type": "presence",
                    "seats": [seat.public() for seat in table.seats],
                    "watchers": self._watchers(table),
                },
                now,
            )
            for table in (self.tables[name] for name in tables if name in self.tables)
        ]

    def _view(self, table: Table, seat: int) -> Effect:
        holder = table.seats[seat].holder
        assert holder is not None
        return self._send(holder, table.seat_view(seat))

    def _send(self, link: bytes, message: Json) -> Send:
        return _send(link, self._guests[link].envelope, message)

    def _publish(self, table: Table, message: dict[str, Json], now: float) -> Publish:
        self._last_heard_of[table.id] = max(now, self._last_heard_of[table.id])
        return Publish(table.id, codec.encode({"table": table.id, **message}))


def _send(link: bytes, envelope: tuple[bytes, ...], message: Json) -> Send:
    return Send(link, (*envelope, codec.encode(message)))


def _error(re: str | None, code: str, message: str) -> Reply:
    return {"type": "error", "re": re, "code": code, "message": message}


def _entries(table: Table, change: Change | None) -> list[Entry]:
    """What is written down of a change: its entry, and that the game ends with it."""
    if change is None:
        return []
    ends = not table.game.to_act(change.state)
    return [change.entry, *([Entry(table.id, "ended", {}, change.seq)] if ends else [])]


def _needless(table: Table) -> bool:
    """Whether nobody would miss the table. A game that people play is kept while they are away."""
    people = [seat for seat in table.seats if seat.kind == "person"]
    return (
        table.status == "over"
        or not people
        or (table.status == "waiting" and not any(seat.present for seat in people))
    )


def _fresh_bots(table: Table, change: Change) -> list[int]:
    """The bots whose choices this change has brought."""
    return sorted(
        seat
        for seat in table.to_act
        if table.seats[seat].plays_itself and not table.current(seat, change.seq - 1)
    )


def _bot_seed(table: Table, seat: int) -> str:
    """A seed for a bot's thought: the same in every run, and no way back to the game's own."""
    text = f"bot {seat} at {table.seq} of {table.setup.seed}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_GUESSES = ("wrong_code", "wrong_key", "not_owner")
"""Refusals that count as mistakes: trying on is guessing."""

_CHANGING = (
    protocol.Open, protocol.Sit, protocol.Resume, protocol.Stand, protocol.Act, protocol.Undo,
    protocol.Say, protocol.Close, protocol.Free, protocol.Ban, protocol.Pardon,
)  # fmt: skip

_ANSWERS: dict[type, Callable[[House, bytes, Any, float], Answer]] = {
    protocol.Hello: House._hello,
    protocol.Tables: House._tables,
    protocol.Open: House._open,
    protocol.Sit: House._sit,
    protocol.Resume: House._resume,
    protocol.Stand: House._stand,
    protocol.Watch: House._watch,
    protocol.Sync: House._sync,
    protocol.Act: House._act,
    protocol.Undo: House._undo,
    protocol.Say: House._say,
    protocol.Record: House._record,
    protocol.Ping: House._ping,
    **owner.ANSWERS,
}
