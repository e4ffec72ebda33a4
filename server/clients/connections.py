"""Connections: the clients behind them, replies already sent, and remaining rate credit. No clock."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import attrs

from server.clients.addresses import site
from server.clients.limits import OWN, Bucket, Limits
from server.clients.replies import Replies


class Peer:
    """A client, known by its key (without encryption: by its connection), and its rate credit."""

    def __init__(self, limits: Limits, now: float) -> None:
        self.messages = Bucket(limits.rate, limits.burst, now)
        self.mistakes = Bucket(1.0, limits.patience, now)
        self.banned_until = now
        self.opened: set[str] = set()
        self.address = ""


@attrs.define
class Link:
    """A connection from an ``address``, which is empty if not known.

    ``envelope`` is the empty frame that some sockets put in front. ``tried`` is when the host last sent
    something to see whether the client is there, ``quiet`` is set while it may be gone, and ``asking`` is
    the id of the message being answered. ``own`` is the credit for messages that it has whatever others at
    its address send.
    """

    peer: str
    heard: float
    own: Bucket
    address: str = ""
    envelope: tuple[bytes, ...] = ()
    watching: set[str] = attrs.field(factory=set)
    tried: float = 0.0
    quiet: bool = False
    name: str = ""
    asking: str = ""


class Guests:
    """All connections and the clients behind them."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.replies = Replies(limits)
        self._links: dict[bytes, Link] = {}
        self._peers: dict[str, Peer] = {}
        # Clients with a key that left. One that comes back is recognised.
        self._departed: OrderedDict[str, Peer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._links)

    def __contains__(self, link: bytes | None) -> bool:
        return link in self._links

    def __getitem__(self, link: bytes) -> Link:
        return self._links[link]

    def __iter__(self) -> Iterator[bytes]:
        return iter(tuple(self._links))

    @property
    def full(self) -> bool:
        """Whether the host has its maximum of connections."""
        return len(self._links) >= self._limits.links

    def arrive(self, link: bytes, peer: str, now: float, address: str = "") -> Link:
        """Return the connection, added if it is new."""
        here = self._links.get(link)
        if here is None:
            here = self._links[link] = Link(peer, now, Bucket(*OWN, now, left=0.0), address)
            if peer not in self._peers:
                self._peers[peer] = (
                    self._departed.pop(peer) if peer in self._departed else Peer(self._limits, now)
                )
        if address:
            here.address = address
            if address != self._peers[peer].address:
                self._peers[peer].address = address
                self.replies.come_from(peer, site(address))
        return here

    def expect(self, peer: str) -> None:
        """Recognise a client with this key, known from an earlier run of the host."""
        known = self._departed.pop(peer) if peer in self._departed else Peer(self._limits, 0.0)
        self._depart(peer, known)

    def _depart(self, peer: str, left: Peer) -> None:
        self._departed[peer] = left
        while len(self._departed) > self._limits.departed:
            forgotten, _ = self._departed.popitem(last=False)
            self.replies.forget(forgotten)

    def peer(self, link: bytes) -> Peer:
        """Return the client behind a connection."""
        return self._peers[self._links[link].peer]

    def leave(self, link: bytes, *, may_return: bool) -> Link | None:
        """Forget a connection, and the client behind it unless it ``may_return``."""
        gone = self._links.pop(link, None)
        if gone is None or may_return or any(each.peer == gone.peer for each in self._links.values()):
            return gone
        left = self._peers.pop(gone.peer)
        if gone.peer != link.hex():
            self._depart(gone.peer, left)
        else:
            self.replies.forget(gone.peer)
        return gone

    def address_of(self, peer: str) -> str:
        """Return the address that a client was last heard from; empty if not known."""
        here = self._peers.get(peer) or self._departed.get(peer)
        return here.address if here is not None else ""

    def at(self, address: str) -> list[bytes]:
        """Return the connections from an address."""
        return [name for name, link in self._links.items() if link.address == address]

    def of(self, peer: str) -> list[bytes]:
        """Return the connections of a client."""
        return [name for name, link in self._links.items() if link.peer == peer]

    def inherit(self, former: bytes, link: bytes, *, may_return: bool) -> None:
        """Give a connection the replies of a former one: a seat's key has proved that both belong to the
        same client.
        """
        old = self._links[former].peer if former in self._links else former.hex()
        new = self._links[link].peer
        if old == new or old not in self._peers:
            return
        self.replies.inherit(new, old)
        if former not in self._links and not may_return:
            del self._peers[old]
            self.replies.forget(old)

    def silent(self, now: float) -> list[bytes]:
        """Return the connections to check: nothing came from or went to them for a while."""
        limit = now - self._limits.silence
        return [name for name, link in self._links.items() if max(link.heard, link.tried) <= limit]
