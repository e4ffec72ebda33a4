"""The TCP connections under a ZeroMQ socket: how many from where, how much they send, and the scissors.

libzmq bounds the size of a frame, but neither how many frames a message has nor how many connections
an address makes, and it offers no way to close one connection. Its monitor tells the descriptor of
each; through that the kernel says how many bytes came in, and ``shutdown`` ends it as if the other side
had.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import attrs
import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from server.clients.addresses import plain_address
from server.clients.limits import KIB, Bucket
from server.clients.tcp import TCP_INFO, Wire
from server.stats import Counts

NEWEST_SHARE = 2
"""Half of an address's connections, the newest, stay in any case: they may have yet to say who they are."""
KEPT_EACH = 4
"""Connections of a client that stay because of its seats."""
ALLOWANCE = 128.0
"""Bytes a second that are no part of a message: signs of life."""
LOOKS = 4
"""Looks in a row at which nothing was read of what is unread: only then it counts as unfinished."""
PATIENCE = 1.0
"""Seconds in which it may take to read what somebody sent at once."""
REMEMBERED = 4096
"""Connections that have ended and are remembered."""
OFFENDER_SHARE = 4
"""An address that is held off has a quarter of its connections, so that those it keeps out hold up nobody."""
FRAME = 64
"""Bytes that come with a frame at most."""
BUSY = 32 * KIB
"""Bytes between two looks after which the next one comes soon."""


@attrs.frozen
class Bounds:
    """What the connections of a port may do: so many in all (``most``) and from an address (``each``).

    One may send ``rate`` bytes a second and ``burst`` at once, and of a message that has no end yet as many
    as ``unfinished``.
    """

    most: int
    each: int
    rate: float
    burst: float
    unfinished: int


class Wires:
    """The connections of one bound socket.

    ``name`` is for the counts. ``keepers`` tells the keys of those who are never shut out because of what
    others from their address do, ``held_off`` whether an address did too much of that. ``ended`` is called
    with the link of each connection that is gone.
    """

    def __init__(
        self,
        bound: zmq.asyncio.Socket,
        name: str,
        counts: Counts,
        bounds: Bounds,
        *,
        keepers: Callable[[], Collection[str]] = frozenset,
        ended: Callable[[bytes], None] = lambda _link: None,
        held_off: Callable[[str], bool] = lambda _address: False,
    ) -> None:
        self._name = name
        self._counts = counts
        self._bounds = bounds
        self._keepers = keepers
        self._ended = ended
        self._held_off = held_off
        self._wires: dict[int, Wire] = {}
        self._of: dict[str, dict[int, Wire]] = {}
        self._by_link: dict[bytes, Wire] = {}
        # What those said who left may be read when their descriptors are others' already.
        self._gone: OrderedDict[bytes, None] = OrderedDict()
        self.port = 0
        """The number of the port, once it is known."""
        self.busy = False
        """Whether much came in between the last two looks."""
        self._bound = bound
        self._monitor: zmq.asyncio.Socket = bound.get_monitor_socket(
            zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED
        )

    def __len__(self) -> int:
        return len(self._wires)

    def __iter__(self) -> Iterator[Wire]:
        return iter(tuple(self._wires.values()))

    async def hear(self) -> None:
        """Take note of the next connection that begins or ends."""
        event = parse_monitor_message(await self._monitor.recv_multipart())
        number = int(event["value"])
        if event["event"] == zmq.EVENT_ACCEPTED:
            self._counts.add(f"accepted_{self._name}")
            self._find(number, time.monotonic())
        else:
            self._counts.add(f"ended_{self._name}")
            wire = self._wires.get(number)
            # It is told just before libzmq lets go of the descriptor. One that is still there was either
            # accepted since, or is missed at the next look.
            if wire is not None and not wire.lasts():
                self._end(wire)

    def close(self) -> None:
        """Look no more."""
        self._bound.disable_monitor()
        self._monitor.close()

    def heard(
        self, number: int, address: str, link: bytes, key: str, now: float, frames: Sequence[bytes]
    ) -> Wire | None:
        """A message came by this descriptor from this address; None when that connection is gone."""
        wire = self._wires.get(number)
        if wire is None or wire.link != link or wire.key != key or wire.address != address:
            if link in self._gone:
                return None
            wire = self._find(number, now)
            if wire is None or wire.address != address:
                return None
            if wire.link not in (b"", link):
                # The other one is gone: its last words were taken for this one's.
                self._forget(wire)
            wire.link, wire.key = link, key
            self._by_link[link] = wire
        wire.heard = now
        wire.read += sum(map(len, frames)) + FRAME * len(frames)
        return wire

    def of(self, link: bytes) -> Wire | None:
        """The connection of this name."""
        return self._by_link.get(link)

    def at(self, number: int) -> Wire | None:
        """The connection that has this descriptor now."""
        return self._find(number, time.monotonic())

    def of_address(self, address: str) -> Collection[Wire]:
        """The connections from an address."""
        return self._of.get(address, {}).values()

    # The scissors

    def check(self, now: float) -> list[Wire]:
        """Cut those who send too much; returns them."""
        if TCP_INFO is None:
            return []
        came = 0
        cut = []
        for wire in self:
            received = wire.bytes_received()
            if received is None:
                self._end(wire)
                continue
            new = received - wire.received
            came += new
            excess = self._excess(wire, new, now)
            wire.received, wire.looked = received, now
            if excess and self.cut(wire):
                self._counts.add(f"cut_{self._name}_{excess}")
                cut.append(wire)
        self.busy = came > BUSY
        return cut

    def _excess(self, wire: Wire, new: int, now: float) -> str:
        """What is too much about a connection that sent so many new bytes, in a word."""
        leak = ALLOWANCE * (now - wire.looked)
        wire.unfinished = max(0.0, wire.unfinished + new - wire.read - leak)
        wire.since_heard = 0 if wire.read else wire.since_heard + new
        read, wire.read = wire.read, 0
        over = wire.unfinished > self._bounds.unfinished
        wire.stuck = wire.stuck + 1 if over and not read else 0
        if not over:
            wire.over_since = None
        elif wire.over_since is None:
            wire.over_since = now
        if not wire.flow.take(now, new):
            return "flood"
        too_long = wire.over_since is not None and now - wire.over_since >= PATIENCE
        return "unfinished" if too_long or wire.stuck >= LOOKS else ""

    def cut(self, wire: Wire) -> bool:
        """End a connection, unless it was ended before."""
        if not wire.cut:
            with contextlib.suppress(OSError), wire.borrowed() as handle:
                if handle is not None:
                    handle.shutdown(socket.SHUT_RDWR)
                    wire.cut = True
                    return True
        return False

    def cut_link(self, link: bytes) -> bool:
        """End a connection by its name, unless it was ended before."""
        wire = self._by_link.get(link)
        return wire is not None and self.cut(wire)

    def cut_client(self, key: str) -> int:
        """End all connections of a client; returns how many."""
        return sum(self.cut(wire) for wire in self if wire.key == key)

    def cut_address(self, address: str) -> int:
        """End the connections from an address, but for those of the keepers; returns how many."""
        return sum(self.cut(wire) for wire in self._spare(self._of.get(address, {}).values()))

    def relieve(self, excess: int) -> int:
        """Let those go that have most bytes under way, until that makes up for so many too many; where
        nobody has, all that are no keepers. Returns how many.
        """
        amounts = {wire: wire.under_way() for wire in self if not wire.cut}
        cut, relief = 0, 0.0
        for wire in sorted(amounts, key=amounts.__getitem__, reverse=True):
            if relief >= excess or amounts[wire] <= self._bounds.unfinished // 4:
                break
            relief += amounts[wire]
            cut += self.cut(wire)
        return cut or sum(self.cut(wire) for wire in self._spare(self))

    # Coming and going

    def _find(self, number: int, now: float) -> Wire | None:
        """The connection that has this descriptor now, if it is one of this port."""
        known = self._wires.get(number)
        if known is not None:
            if known.lasts():
                return known
            self._end(known)
        try:
            handle = socket.socket(fileno=number)
        except (OSError, ValueError):
            return None
        try:
            peer, own, inode = handle.getpeername(), handle.getsockname(), os.fstat(number).st_ino
        except OSError:
            return None
        finally:
            handle.detach()
        if not isinstance(peer, tuple) or own[1] != self.port:
            return None
        # As libzmq tells it, with the interface of a link-local address.
        address = plain_address(socket.getnameinfo(peer, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0])
        flow = Bucket(self._bounds.rate, self._bounds.burst, now)
        wire = Wire(number, inode, handle.family, peer, address, now, flow, heard=now, looked=now)
        self._wires[number] = wire
        self._of.setdefault(address, {})[number] = wire
        self._make_room(address)
        return wire

    def _make_room(self, address: str) -> None:
        """Let somebody go where there are too many: the longest silent one of no keeper, and none of the
        newest. In all there are too many where the crowd is.
        """
        each, most = self._bounds.each, self._bounds.most
        if self._held_off(address):
            each = max(2, each // OFFENDER_SHARE)
        if len(self._of[address]) > each:
            here = self.of_address(address)
            self._let_go(here, _live(here) - each, max(1, each // NEWEST_SHARE))
        if len(self._wires) > most:
            too_many = _live(self) - most
            for crowd in sorted(self._of.values(), key=len, reverse=True):
                too_many -= self._let_go(crowd.values(), too_many, 1)

    def _let_go(self, crowd: Iterable[Wire], too_many: int, newest: int) -> int:
        """Let so many of the longest silent ones go; returns how many could."""
        if too_many <= 0:
            return 0
        spare = self._spare(wire for wire in crowd if not wire.cut)
        may_go = sorted(spare[newest:], key=lambda wire: wire.heard)
        cut = sum(self.cut(wire) for wire in may_go[:too_many])
        self._counts.add(f"cut_{self._name}_crowd", cut)
        return cut

    def _spare(self, wires: Iterable[Wire]) -> list[Wire]:
        """Those of no keeper, the newest first."""
        keepers = self._keepers()
        kept: Counter[str] = Counter()
        spare = []
        for wire in sorted(wires, key=lambda wire: wire.since, reverse=True):
            if wire.key in keepers:
                kept[wire.key] += 1
            if not 0 < kept[wire.key] <= KEPT_EACH:
                spare.append(wire)
        return spare

    def _end(self, wire: Wire) -> None:
        del self._wires[wire.number]
        crowd = self._of[wire.address]
        del crowd[wire.number]
        if not crowd:
            del self._of[wire.address]
        self._forget(wire)

    def _forget(self, wire: Wire) -> None:
        """The connection's name is nobody's any more."""
        if wire.link and self._by_link.get(wire.link) is wire:
            del self._by_link[wire.link]
            self._gone[wire.link] = None
            while len(self._gone) > REMEMBERED:
                self._gone.popitem(last=False)
            self._ended(wire.link)


def _live(wires: Iterable[Wire]) -> int:
    return sum(not wire.cut for wire in wires)
