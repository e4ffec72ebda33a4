"""The connected clients, their tables, and the messages for them. No sockets and no clock."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable
from typing import Any

import attrs
from msgspec import Raw

from cave import codec, protocol
from cave.game import Refused
from server.clients.limits import OWN, Limits, TokenBucket, site_of
from server.clients.replies import Replies
from server.logs import LogCounts
from server.tables.effects import Disconnect, Effect, Leave, Publish, Send, SendView, TooLarge
from server.tables.table import Table

SHELVED = (
    "Nobody has played this game for a while, so the host has saved and closed it. "
    "Players with a seat there can open it again."
)


class Clients:
    def __init__(self, limits: Limits, counts: LogCounts) -> None:
        self.tables: dict[str, Table] = {}
        self.unrestored: dict[str, str] = {}
        """Saved tables that cannot be continued, each with the reason as one sentence."""
        self.shelved: dict[str, str] = {}
        """The shelved games, with the addresses they were opened from."""
        self.limits = limits
        self.guests = Guests(limits)
        self.unsaved = ""
        """Why games cannot be saved and must wait, as shown to players, or ""."""
        self._counts = counts

    # Arrivals and departures

    def mark_present(self, link: bytes, now: float) -> list[Effect]:
        """Mark a client as present again, as it has sent something."""
        here = self.guests[link]
        here.quiet = False
        return self.tell_presence(here.watching | self.set_present(link, True), now)

    def mark_away_or_forget(self, link: bytes, now: float) -> list[Effect]:
        """Show a silent client as away, or forget it if it has been silent for long and holds no seat."""
        here = self.guests[link]
        if not self.holds_seat(link) and now - here.heard >= self.limits.forget:
            return self.connection_lost(link, now)
        if here.quiet:
            return []
        here.quiet = True
        return self.tell_presence(here.watching | self.set_present(link, False), now)

    def connection_lost(self, link: bytes, now: float) -> list[Effect]:
        """Keep the seats of a lost connection, and show them as away."""
        # A player may return with the seat's key and repeat a request, so keep the replies.
        gone = self.guests.remove_connection(link, may_return=self.holds_seat(link))
        return [] if gone is None else self.tell_presence(gone.watching | self.set_present(link, False), now)

    def disconnect_most_silent(self, keepers: Collection[str], now: float) -> list[Effect]:
        """Disconnect the longest-silent client at the most crowded address, except keepers."""
        spare = [link for link in self.guests if self.guests[link].peer not in keepers]
        if not spare:
            return []
        crowd = Counter(site_of(self.guests[link].address) for link in spare)
        first = min(spare, key=lambda link: (-crowd[site_of(self.guests[link].address)], self.guests[link].heard))
        return [Leave(first), *self.connection_lost(first, now)]

    def disconnect_client(self, peer: str, now: float) -> list[Effect]:
        effects: list[Effect] = []
        for link in self.guests.connections_of(peer):
            effects += [Disconnect(link, peer, None), *self.connection_lost(link, now)]
        return effects

    def set_present(self, link: bytes, present: bool) -> set[str]:
        """Set whether a holder of seats is present; return the tables that changed."""
        changed = set()
        for table in self.tables.values():
            for number in table.held_by(link):
                if table.seats[number].present != present:
                    table.seats[number].present = present
                    if present:
                        table.seats[number].end_stand_in()
                    changed.add(table.id)
        return changed

    # Lookups

    def key_of(self, link: bytes) -> str:
        """Return the client's own key; empty without encryption."""
        peer = self.guests[link].peer
        return "" if peer == link.hex() else peer

    def seats_from(self, address: str) -> int:
        """Return the number of seats held by this address's site in unfinished games."""
        return sum(
            seat.holder in self.guests and site_of(self.guests[seat.holder].address) == site_of(address)
            for table in self.tables.values()
            for seat in table.seats
            if address and seat.holder is not None and not table.ended
        )

    def names_from(self, address: str, *, but: str) -> list[str]:
        return [
            seat.name
            for table in self.tables.values()
            for seat in table.seats
            if seat.owner not in ("", but) and self.guests.address_of(seat.owner) == address
        ]

    def seat_holders(self) -> frozenset[str]:
        """Return the keys (without encryption: connections) of clients that hold seats."""
        seats = [seat for table in self.tables.values() for seat in table.seats if seat.kind == "person"]
        return frozenset(seat.owner or (seat.holder or b"").hex() for seat in seats) - {""}

    def holds_seat(self, link: bytes) -> bool:
        return any(table.held_by(link) for table in self.tables.values())

    def get_table(self, name: str) -> Table:
        if name not in self.tables:
            if name in self.shelved:
                raise Refused("shelved", SHELVED)
            if name in self.unrestored:
                raise Refused("set_aside", self.unrestored[name])
            raise Refused("no_table", "There is no such table on this host.")
        return self.tables[name]

    def check_owns_seat(self, link: bytes, table: str, seat: int) -> Table:
        here = self.get_table(table)
        if here.check_seat(seat).holder != link:
            raise Refused("not_seated", "That is not your seat: only its player can act for it.")
        return here

    def count_watchers(self, table: Table) -> int:
        holders = {seat.holder for seat in table.seats}
        return sum(
            table.id in self.guests[link].watching
            for link in self.guests
            if link not in holders and not self.guests[link].quiet
        )

    def is_followed(self, table: Table) -> bool:
        """Return whether anybody plays or watches here now; otherwise bots pause."""
        return any(seat.kind == "person" and seat.present for seat in table.seats) or (self.count_watchers(table) > 0)

    def seat_holder_list(self) -> list[tuple[str, int, str]]:
        """Return table, seat and key of each person with a seat, present or not, for the owner."""
        return [
            (table.id, number, seat.owner)
            for table in self.tables.values()
            for number, seat in enumerate(table.seats)
            if seat.kind == "person" and seat.owner
        ]

    def guest_line(self, link: bytes) -> protocol.Guest:
        here = self.guests[link]
        held = [(table, seat) for table in self.tables.values() for seat in table.held_by(link)]
        return protocol.Guest(
            name=here.name or next((table.seats[seat].name for table, seat in held), ""),
            key=self.key_of(link),
            address=here.address,
            seats=[(table.id, seat) for table, seat in held],
            watching=sorted(here.watching),
        )

    def table_lines(self) -> list[protocol.TableLine]:
        return [
            protocol.TableLine(**table.public_facts(), **self._table_line(table), to_act=sorted(table.to_act))
            for table in self.tables.values()
        ]

    def _table_line(self, table: Table) -> dict[str, Any]:
        return {
            "watchers": self.count_watchers(table),
            "watchers_chat": self.limits.watchers_chat,
            "unsaved": self.unsaved,
            "rematch": table.rematch if self.rematch_of(table) is not None else None,
        }

    def rematch_of(self, table: Table) -> Table | None:
        """Return the table of the rematch; None without one, or if it is closed."""
        return None if table.rematch is None else self.tables.get(table.rematch.next)

    # Outgoing messages

    def publish_beat(self, table: Table, now: float) -> list[Effect]:
        """Publish the table's step and digest, so that clients notice missed updates."""
        return [self.publish(table, self._make_beat(table), now)]

    def _make_beat(self, table: Table) -> protocol.Beat:
        return protocol.Beat(table.seq, table.digest(), table=table.id)

    def snapshot_of(self, table: Table) -> protocol.Snapshot:
        return protocol.Snapshot(
            **table.public_facts(),
            **self._table_line(table),
            table=table.id,
            view=Raw(table.public_view()),
            log=table.log(),
            chat=[*table.chat],
            agreement=table.agreement_line(),
        )

    def tell_presence(self, tables: Iterable[str], now: float) -> list[Effect]:
        effects: list[Effect] = []
        for table in (self.tables[name] for name in tables if name in self.tables):
            seats = [seat.as_line() for seat in table.seats]
            series = table.series if table.setup.players else None
            message = protocol.Presence(seats, self.count_watchers(table), self.unsaved, series, table=table.id)
            effects.append(self.publish(table, message, now))
        return effects

    def publish_agreement(self, table: Table, now: float) -> Publish:
        here = table.agreement_line()
        return self.publish(table, protocol.Agreement(here.proposal, here.hurry, table.id), now)

    def send_view(self, table: Table, seat: int) -> Effect:
        holder = table.seats[seat].holder
        assert holder is not None
        return SendView(holder, self.guests[holder].envelope, table.seat_view(seat))

    def send(self, link: bytes, message: protocol.Message) -> Send:
        return Send(link, (*self.guests[link].envelope, codec.encode(message)))

    def publish(self, table: Table, message: protocol.Part, now: float) -> Publish:
        table.told_at = max(now, table.told_at)
        try:
            return Publish(table.id, codec.encode(message))
        except TooLarge:
            # Clients notice the gap, and ask for a snapshot.
            return self.publish(table, self._make_beat(table), now)


class Peer:
    """A client, identified by its key (without encryption: its connection), and its rate credit."""

    def __init__(self, limits: Limits, now: float) -> None:
        self.messages = TokenBucket(limits.rate, limits.burst, now)
        self.mistakes = TokenBucket(1.0, limits.patience, now)
        self.banned_until = now
        self.opened: set[str] = set()
        self.address = ""


@attrs.define
class Link:
    """A connection from an ``address``, which is "" if unknown.

    ``envelope`` is the empty delimiter frame that some sockets send first. ``tried`` is when the host last
    sent something to check the connection, ``quiet`` is set while the client may be gone, and ``asking`` is
    the id of the message being handled. ``own`` is its message credit regardless of others at its address.
    """

    peer: str
    heard: float
    own: TokenBucket
    address: str = ""
    envelope: tuple[bytes, ...] = ()
    watching: set[str] = attrs.field(factory=set)
    tried: float = 0.0
    quiet: bool = False
    name: str = ""
    asking: str = ""


class Guests(dict[bytes, Link]):
    """The connections, by their links."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits
        self.replies = Replies(limits)
        self._peers: dict[str, Peer] = {}
        # Clients with a key that left, to recognise them if they return.
        self._departed: OrderedDict[str, Peer] = OrderedDict()

    @property
    def is_full(self) -> bool:
        return len(self) >= self._limits.links

    def add_connection(self, link: bytes, peer: str, now: float, address: str = "") -> Link:
        here = self.get(link)
        if here is None:
            here = self[link] = Link(peer, now, TokenBucket(*OWN, now, left=0.0), address)
            if peer not in self._peers:
                self._peers[peer] = self._departed.pop(peer) if peer in self._departed else Peer(self._limits, now)
        if address:
            here.address = address
            if address != self._peers[peer].address:
                self._peers[peer].address = address
                self.replies.set_address(peer, site_of(address))
        return here

    def expect_client(self, peer: str) -> None:
        """Recognise a client with this key, known from an earlier run of the host."""
        known = self._departed.pop(peer) if peer in self._departed else Peer(self._limits, 0.0)
        self._remove_client(peer, known)

    def _remove_client(self, peer: str, left: Peer) -> None:
        self._departed[peer] = left
        while len(self._departed) > self._limits.departed:
            forgotten, _ = self._departed.popitem(last=False)
            self.replies.forget_client(forgotten)

    def client_behind(self, link: bytes) -> Peer:
        return self._peers[self[link].peer]

    def remove_connection(self, link: bytes, *, may_return: bool) -> Link | None:
        """Forget a connection, and the client behind it unless it ``may_return``."""
        gone = self.pop(link, None)
        if gone is None or may_return or any(each.peer == gone.peer for each in self.values()):
            return gone
        left = self._peers.pop(gone.peer)
        if gone.peer != link.hex():
            self._remove_client(gone.peer, left)
        else:
            self.replies.forget_client(gone.peer)
        return gone

    def address_of(self, peer: str) -> str:
        """Return the last address of a client, "" if unknown."""
        here = self._peers.get(peer) or self._departed.get(peer)
        return here.address if here is not None else ""

    def connections_from(self, address: str) -> list[bytes]:
        return [name for name, link in self.items() if link.address == address]

    def connections_of(self, peer: str) -> list[bytes]:
        return [name for name, link in self.items() if link.peer == peer]

    def inherit_replies(self, former: bytes, link: bytes, *, may_return: bool) -> None:
        """Move the replies of a former connection of the same client, proved by a seat's key."""
        old = self[former].peer if former in self else former.hex()
        new = self[link].peer
        if old == new or old not in self._peers:
            return
        self.replies.inherit(new, old)
        if former not in self and not may_return:
            del self._peers[old]
            self.replies.forget_client(old)

    def connections_to_check(self, now: float) -> list[bytes]:
        """Return the connections to check: those without traffic for a while."""
        limit = now - self._limits.silence
        return [name for name, link in self.items() if max(link.heard, link.tried) <= limit]
