"""The TCP connections under a ZeroMQ socket: how many from where, how much they send, and the scissors.

libzmq bounds the size of a frame, but neither how many frames a message has nor how many connections
an address makes, and it offers no way to close one connection. Its monitor tells the descriptor of
each; through that the kernel says how many bytes came in, and ``shutdown`` ends it as if the other side
had. A descriptor may be closed and used again at any moment, so the other end's address is compared
before each use.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs
import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from server.limits import Bucket
from server.stats import Counts

_TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
_RECEIVED = struct.Struct("Q")
_RECEIVED_AT = 128  # where Linux's tcp_info has the number of bytes received


@attrs.define
class _Wire:
    family: int
    peer: Any
    address: str
    flow: Bucket
    received: int = 0
    cut: bool = False

    @contextlib.contextmanager
    def borrowed(self, number: int) -> Iterator[socket.socket | None]:
        """The connection with this descriptor for a moment; None when it is gone or another by now."""
        try:
            handle = socket.socket(self.family, socket.SOCK_STREAM, 0, fileno=number)
        except OSError:
            yield None
            return
        try:
            yield handle if handle.getpeername() == self.peer else None
        finally:
            handle.detach()


class Wires:
    """The connections of one bound socket.

    ``each`` connections an address may have; a connection may send ``rate`` bytes a second and
    ``burst`` at once. ``name`` is for the counts.
    """

    def __init__(
        self, bound: zmq.asyncio.Socket, name: str, counts: Counts, *, each: int, rate: float, burst: float
    ) -> None:
        self._name = name
        self._counts = counts
        self._each = each
        self._rate = rate
        self._burst = burst
        self._wires: dict[int, _Wire] = {}
        self._of: Counter[str] = Counter()
        self._clients: dict[int, str] = {}
        self._bound = bound
        self._monitor: zmq.asyncio.Socket = bound.get_monitor_socket(
            zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED
        )

    def __len__(self) -> int:
        return len(self._wires)

    async def serve(self, clock: Any, ended: Callable[[int], None] = lambda _number: None) -> None:
        """Keep track of connections for ever; ``clock`` gives the time in seconds, ``ended`` is called with
        the descriptor that a connection had.
        """
        while True:
            event = parse_monitor_message(await self._monitor.recv_multipart())
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._accepted(event["value"], clock())
            elif event["event"] == zmq.EVENT_DISCONNECTED:
                self._counts.add(f"ended_{self._name}")
                self._forget(event["value"])
                self._clients.pop(event["value"], None)
                ended(event["value"])

    def close(self) -> None:
        """Look no more."""
        self._bound.disable_monitor()
        self._monitor.close()

    def check(self, now: float) -> int:
        """Cut those who send too much; returns how many."""
        if _TCP_INFO is None:
            return 0
        cut = 0
        for number, wire in list(self._wires.items()):
            received = self._received(number, wire)
            if received is None:
                self._forget(number)
            elif not wire.flow.take(now, received - wire.received):
                if self.cut(number):
                    cut += 1
                    self._counts.add(f"cut_{self._name}_flood")
            else:
                wire.received = received
        return cut

    def cut(self, number: int) -> bool:
        """End the connection with this descriptor, if it is one of these and was not ended before."""
        wire = self._wires.get(number)
        if wire is None or wire.cut:
            return False
        with contextlib.suppress(OSError), wire.borrowed(number) as handle:
            if handle is not None:
                handle.shutdown(socket.SHUT_RDWR)
                wire.cut = True
        return wire.cut

    def belongs(self, number: int, client: str) -> None:
        """Take note of the client whose connection has this descriptor."""
        self._clients[number] = client

    def cut_client(self, client: str) -> int:
        """End all connections of a client; returns how many."""
        mine = [number for number, key in self._clients.items() if key == client]
        return sum(self.cut(number) for number in mine)

    def cut_all(self, but: Iterable[int] = ()) -> None:
        """End all connections except these."""
        for number in set(self._wires) - set(but):
            self.cut(number)

    def _accepted(self, number: int, now: float) -> None:
        self._forget(number)
        try:
            handle = socket.socket(fileno=number)
        except OSError:
            return
        try:
            peer, family = handle.getpeername(), handle.family
        except OSError:
            return
        finally:
            handle.detach()
        address = plain_address(peer[0])
        self._wires[number] = _Wire(family, peer, address, Bucket(self._rate, self._burst, now))
        self._of[address] += 1
        self._counts.add(f"accepted_{self._name}")
        if self._of[address] > self._each and self.cut(number):
            self._counts.add(f"cut_{self._name}_crowd")

    def _forget(self, number: int) -> None:
        wire = self._wires.pop(number, None)
        if wire is not None:
            self._of[wire.address] -= 1
            if not self._of[wire.address]:
                del self._of[wire.address]

    def _received(self, number: int, wire: _Wire) -> int | None:
        """How many bytes came in; None for a connection that is gone."""
        with contextlib.suppress(OSError), wire.borrowed(number) as handle:
            if handle is not None and _TCP_INFO is not None:
                told = handle.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _RECEIVED_AT + _RECEIVED.size)
                # An old kernel tells less; then nothing is known of the flow.
                known = len(told) > _RECEIVED_AT
                return _RECEIVED.unpack_from(told, _RECEIVED_AT)[0] if known else wire.received
        return None


def plain_address(text: str) -> str:
    """An address without zone, and IPv4 as such; IPv6 addresses of one network count as one."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not address.is_loopback and not address.is_link_local:
            return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)
