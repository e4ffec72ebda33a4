"""Limits on the TCP connections under a ZeroMQ socket: their number by address, and their traffic.

libzmq limits the size of a frame, but not the frames of a message or the connections of an address, and it
cannot close a single connection. But its monitor reports the descriptor of each connection. With it the
kernel reports the bytes received, and ``shutdown`` closes the connection as if the peer had.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import attrs
import zmq
import zmq.asyncio
from msgspec import Struct
from zmq.utils.monitor import parse_monitor_message

from cave.tcp import Wire
from server import system
from server.clients.limits import KIB, Recent, TokenBucket, address_key, site_of
from server.logs import LogCounts

NEWEST_SHARE = 2
"""The newest half of an address's connections always stay, as they may not have sent anything yet."""
KEPT_EACH = 4  # connections of a client that its seats protect
ALLOWANCE = 128.0  # bytes per second outside messages, such as heartbeats
LOOKS = 4  # consecutive checks without a read before unread bytes count as unfinished
PATIENCE = 1.0  # seconds allowed to read a burst
OFFENDER_SHARE = 4  # an address that is held off may have a quarter of the usual connections
FRAME = 64  # the most bytes of overhead for a frame
_NUMBER = 8  # bytes of a connection's number, the suffix of its link
MUCH = 32 * KIB  # bytes between two checks that make the next one sooner
BUSY, CALM, IDLE = 0.01, 0.1, 10.0
"""Seconds until the next check: with much, some or no incoming data."""


class Bounds(Struct, frozen=True):
    """Limits for the connections of a port: ``most`` in all, ``each`` per address; for a connection ``rate``
    bytes per second, ``burst`` at once, and ``unfinished`` bytes of an incomplete message.
    """

    most: int
    each: int
    rate: float
    burst: float
    unfinished: int


class TcpConnections:
    """The connections of one bound socket.

    ``name`` is used in counts. ``keepers`` returns the keys of clients that are never disconnected because of
    others at their address. ``held_off`` returns whether an address is held off. ``ended`` is called with the
    link of each closed connection, ``found`` with the descriptor of each new one.
    """

    def __init__(
        self,
        bound: zmq.asyncio.Socket,
        name: str,
        counts: LogCounts,
        bounds: Bounds,
        *,
        keepers: Callable[[], Collection[str]] = frozenset,
        ended: Callable[[bytes], None] = lambda _link: None,
        held_off: Callable[[str], bool] = lambda _address: False,
        found: Callable[[int], None] = lambda _number: None,
    ) -> None:
        self._name = name
        self._counts = counts
        self._bounds = bounds
        self._keepers = keepers
        self._ended = ended
        self._held_off = held_off
        self._found = found
        self._connections: dict[int, TcpConnection] = {}
        self._of: dict[str, dict[int, TcpConnection]] = {}
        self._by_routing_id: dict[bytes, TcpConnection] = {}
        # Messages of closed connections may be read when their descriptors are already reused.
        self._gone: Recent[bytes, tuple[bytes, str]] = Recent()
        self._numbers = itertools.count()
        self.port: int
        self.pause = IDLE  # seconds until the next check without data
        self._bound = bound
        self._monitor: zmq.asyncio.Socket = bound.get_monitor_socket(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED)

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[TcpConnection]:
        return iter(tuple(self._connections.values()))

    async def read_socket_events(self) -> None:
        event = parse_monitor_message(await self._monitor.recv_multipart())
        number = int(event["value"])
        if event["event"] == zmq.EVENT_ACCEPTED:
            self._counts.add(f"accepted_{self._name}")
            self._find_or_add(number, time.monotonic())
        else:
            self._counts.add(f"ended_{self._name}")
            connection = self._connections.get(number)
            # The event comes just before libzmq closes the descriptor. A connection that still exists was
            # accepted since, or is found missing at the next check.
            if connection is not None and not connection.wire.is_connected():
                self._end_connection(connection)

    def close(self) -> None:
        self._bound.disable_monitor()
        self._monitor.close()

    def note_heard(
        self, number: int, address: str, routing_id: bytes, key: str | None, now: float, frames: Sequence[bytes]
    ) -> TcpConnection | None:
        """Note a message; return None if its connection is gone. Without a key a client is identified by its
        link.
        """
        # Without a key, another client may have taken both the routing id and the descriptor.
        connection = self._connections.get(number) if key is not None else self._find_or_add(number, now)
        if (
            connection is None
            or connection.routing_id != routing_id
            or (key is not None and connection.key != key)
            or connection.address != address
        ):
            if routing_id in self._gone:
                return None
            connection = self._find_or_add(number, now)
            if connection is None or connection.address != address:
                return None
            if connection.routing_id:
                # The other connection is gone: its last message was attributed to this one.
                self._forget_routing_id(connection)
            connection.routing_id = routing_id
            if routing_id:
                connection.link = routing_id + next(self._numbers).to_bytes(_NUMBER, "big")
                self._by_routing_id[routing_id] = connection
            connection.key = connection.link.hex() if key is None else key
        connection.heard = now
        connection.read += sum(map(len, frames)) + FRAME * len(frames)
        return connection

    def by_link(self, link: bytes) -> TcpConnection | None:
        connection = self._by_routing_id.get(link[:-_NUMBER])
        return connection if connection is not None and connection.link == link else None

    def forget_ended(self, routing_id: bytes) -> tuple[bytes, str]:
        """Return link and key of the closed connection that had this routing id; empty if there is none."""
        return self._gone.get(routing_id, (b"", ""))

    def by_routing_id(self, routing_id: bytes) -> TcpConnection | None:
        return self._by_routing_id.get(routing_id)

    def by_descriptor(self, number: int) -> TcpConnection | None:
        return self._find_or_add(number, time.monotonic())

    def at_address(self, address: str) -> Collection[TcpConnection]:
        return self._of.get(site_of(address), {}).values()

    # Ending connections

    def end_those_over_limit(self, now: float) -> list[TcpConnection]:
        """Close the connections that send too much; return them."""
        came = 0
        cut = []
        for connection in self:
            received = connection.bytes_received()
            if received is None:
                self._end_connection(connection)
                continue
            new = received - connection.received
            came += new
            excess = self._exceeded_limit(connection, new, now)
            connection.received, connection.looked = received, now
            if excess and self.disconnect(connection):
                self._counts.add(f"cut_{self._name}_{excess}")
                cut.append(connection)
        if came > MUCH:
            self.pause = BUSY
        else:
            self.pause = CALM if any(each.over_since is not None for each in self) else IDLE
        return cut

    def _exceeded_limit(self, connection: TcpConnection, new: int, now: float) -> str:
        """Return the name of the limit that a connection exceeds with ``new`` bytes, or ""."""
        leak = ALLOWANCE * (now - connection.looked)
        connection.unfinished = max(0.0, connection.unfinished + new - connection.read - leak)
        connection.since_heard = 0 if connection.read else connection.since_heard + new
        read, connection.read = connection.read, 0
        over = connection.unfinished > self._bounds.unfinished
        connection.stuck = connection.stuck + 1 if over and not read else 0
        if not over:
            connection.over_since = None
        elif connection.over_since is None:
            connection.over_since = now
        if not connection.flow.take(now, new):
            return "flood"
        too_long = connection.over_since is not None and now - connection.over_since >= PATIENCE
        return "unfinished" if too_long or connection.stuck >= LOOKS else ""

    def disconnect(self, connection: TcpConnection) -> bool:
        """Close a connection; return False if already closed."""
        if connection.cut:
            return False
        connection.cut = connection.wire.end()
        return connection.cut

    def disconnect_link(self, link: bytes) -> bool:
        connection = self.by_link(link)
        return connection is not None and self.disconnect(connection)

    def disconnect_client(self, key: str) -> int:
        return sum(self.disconnect(connection) for connection in self if connection.key == key)

    def disconnect_address(self, address: str) -> int:
        """Close the connections from an address, except keepers'; return their number."""
        there = (connection for connection in self.at_address(address) if connection.address == address)
        return sum(self.disconnect(connection) for connection in self._without_keepers(there))

    def free_bytes_under_way(self, excess: int) -> int:
        """Close the connections with the most bytes under way, until that frees ``excess`` bytes. If none has
        many, close all except keepers'. Return their number.
        """
        amounts = {connection: connection.bytes_under_way() for connection in self if not connection.cut}
        cut, relief = 0, 0.0
        for connection in sorted(amounts, key=amounts.__getitem__, reverse=True):
            if relief >= excess or amounts[connection] <= self._bounds.unfinished // 4:
                break
            relief += amounts[connection]
            cut += self.disconnect(connection)
        return cut or sum(self.disconnect(connection) for connection in self._without_keepers(self))

    # Arrivals and departures

    def _find_or_add(self, number: int, now: float) -> TcpConnection | None:
        known = self._connections.get(number)
        if known is not None:
            if known.wire.is_connected():
                return known
            self._end_connection(known)
        try:
            wire = Wire(number)
        except OSError:
            return None
        if not isinstance(wire.peer, tuple) or wire.own[1] != self.port:
            return None
        # As libzmq writes it, with the interface of a link-local address.
        address = address_key(socket.getnameinfo(wire.peer, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0])
        flow = TokenBucket(self._bounds.rate, self._bounds.burst, now)
        connection = TcpConnection(wire, address, flow, since=now, heard=now, looked=now)
        self._connections[number] = connection
        self._of.setdefault(site_of(address), {})[number] = connection
        self._found(number)
        self._make_room(address)
        return connection

    def _make_room(self, address: str) -> None:
        """If there are too many connections, close the longest-silent ones, except keepers' and the newest.
        Above the total limit, start with the address that has the most.
        """
        each, most = self._bounds.each, self._bounds.most
        if self._held_off(address):
            each = max(2, each // OFFENDER_SHARE)
        here = self.at_address(address)
        if len(here) > each:
            self._end_most_silent(here, _count_live_connections(here) - each, max(1, each // NEWEST_SHARE))
        if len(self._connections) > most:
            too_many = _count_live_connections(self) - most
            for crowd in sorted(self._of.values(), key=len, reverse=True):
                too_many -= self._end_most_silent(crowd.values(), too_many, 1)

    def _end_most_silent(self, crowd: Iterable[TcpConnection], too_many: int, newest: int) -> int:
        if too_many <= 0:
            return 0
        spare = self._without_keepers(connection for connection in crowd if not connection.cut)
        may_go = sorted(spare[newest:], key=lambda connection: connection.heard)
        cut = sum(self.disconnect(connection) for connection in may_go[:too_many])
        self._counts.add(f"cut_{self._name}_crowd", cut)
        return cut

    def _without_keepers(self, connections: Iterable[TcpConnection]) -> list[TcpConnection]:
        keepers = self._keepers()
        kept: Counter[str] = Counter()
        spare = []
        for connection in sorted(connections, key=lambda connection: connection.since, reverse=True):
            if connection.key in keepers:
                kept[connection.key] += 1
            if not 0 < kept[connection.key] <= KEPT_EACH:
                spare.append(connection)
        return spare

    def _end_connection(self, connection: TcpConnection) -> None:
        del self._connections[connection.wire.number]
        crowd = self._of[site_of(connection.address)]
        del crowd[connection.wire.number]
        if not crowd:
            del self._of[site_of(connection.address)]
        self._forget_routing_id(connection)

    def _forget_routing_id(self, connection: TcpConnection) -> None:
        routing_id = connection.routing_id
        if routing_id and self._by_routing_id.get(routing_id) is connection:
            del self._by_routing_id[routing_id]
            self._gone[routing_id] = connection.link, connection.key
            self._ended(connection.link)


def _count_live_connections(connections: Iterable[TcpConnection]) -> int:
    return sum(not connection.cut for connection in connections)


@attrs.define(eq=False)
class TcpConnection:
    """A TCP connection and its traffic.

    ``routing_id`` and ``key`` are set once it has sent a message; ``heard`` is the time of the last one.
    ``link`` is that id and a number, and so never reused. At the last check it had sent ``received`` bytes:
    an estimated ``unfinished`` bytes of an incomplete message, and ``since_heard`` after its last message.
    ``read`` bytes of messages were read since then. Too much has been unread since ``over_since``, and
    nothing was read at the last ``stuck`` checks.
    """

    wire: Wire
    address: str
    flow: TokenBucket
    since: float
    heard: float
    looked: float
    routing_id: bytes = b""
    link: bytes = b""
    key: str = ""
    received: int = 0
    unfinished: float = 0.0
    since_heard: int = 0
    read: int = 0
    stuck: int = 0
    over_since: float | None = None
    cut: bool = False
    topics: set[int] = attrs.field(factory=set)

    def bytes_received(self) -> int | None:
        """Return the number of bytes received, if the system reports it; None if the connection is gone."""
        return self.wire.bytes_received(self.received)

    def bytes_under_way(self) -> float:
        """Return the bytes of unfinished messages and of messages not yet acknowledged by the peer."""
        waiting = 0
        with contextlib.suppress(OSError), self.wire.borrowed() as handle:
            if handle is not None:
                waiting = system.count_unsent_bytes(handle)
        return max(self.unfinished, self.since_heard) + waiting
