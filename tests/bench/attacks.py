"""Attacks on a host, each a small class with a name, for ``python -m tests.bench attacks``.

An attack runs in a separate process (``python -m tests.bench.attacks NAME DOOR SOURCE SECONDS``), only
against a host on loopback, and is limited in number as well as time. To add one, write a class here.
"""

from __future__ import annotations

import contextlib
import json
import random
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
import zmq

from cave import codec
from tests.server.raw import GREETING, greet

MIB = 1 << 20
BOTH = [{"kind": "open"}, {"kind": "open"}]


@attrs.define
class Target:
    """A host on loopback, attacked from the address ``source`` until the time ``until``."""

    door: dict[str, Any]
    source: str
    until: float
    context: zmq.Context[Any] = attrs.field(factory=zmq.Context)

    def over(self) -> bool:
        return time.monotonic() >= self.until

    def client(
        self, kind: int = zmq.DEALER, port: str = "desk", *, through: int = 0, source: str = "", routing_id: bytes = b""
    ) -> zmq.Socket[Any]:
        """Return a client with a fresh key, directly or ``through`` a port in between."""
        made = self.context.socket(kind)
        made.linger = 0
        made.rcvtimeo = made.sndtimeo = 1000
        made.reconnect_ivl = -1
        if routing_id:
            made.routing_id = routing_id
        if self.door["encrypted"]:
            made.curve_publickey, made.curve_secretkey = zmq.curve_keypair()
            made.curve_serverkey = self.door["public_key"].encode()
        made.connect(
            f"tcp://127.0.0.1:{through}" if through else f"tcp://{source or self.source}:0;127.0.0.1:{self.door[port]}"
        )
        return made

    def tcp(self, port: str) -> socket.socket:
        address = ("127.0.0.1", self.door[port])
        return socket.create_connection(address, timeout=1, source_address=(self.source, 0))

    def rounds(self, most: int) -> Iterator[int]:
        """Yield numbers until the time is over, at most so many."""
        for number in range(most):
            if self.over():
                return
            yield number


def ask(client: zmq.Socket[Any], kind: str, /, **fields: Any) -> Any:
    """Return the reply to a message, or None."""
    with contextlib.suppress(zmq.ZMQError):
        client.send(codec.encode({"type": kind, "id": f"{kind}-{random.random()}", **fields}))
        while True:
            message = json.loads(client.recv())
            if "re" in message:
                return message
    return None


class Attack:
    """Actions of one attacker; ``plain`` against a host without encryption."""

    name: ClassVar[str]
    plain: ClassVar[bool] = False

    def run(self, target: Target) -> None:
        """Run until the target's time is over."""
        raise NotImplementedError


class Nothing(Attack):
    """For comparison."""

    name = "nothing"

    def run(self, target: Target) -> None:
        while not target.over():
            time.sleep(0.1)


class Visits(Attack):
    """Short visits, each with a fresh key: more than a host has room for."""

    name = "visits"

    def run(self, target: Target) -> None:
        for _ in target.rounds(2000):
            client = target.client()
            ask(client, "hello", protocol=1, client="x", name="x")
            client.close()


class Crowd(Attack):
    """Many more connections than an address may have, which all keep talking."""

    name = "crowd"

    def run(self, target: Target) -> None:
        clients = [target.client() for _ in range(200)]
        for _ in target.rounds(10_000):
            for number, client in enumerate(clients):
                with contextlib.suppress(zmq.ZMQError):
                    client.send(b'{"type":"ping","id":"1"}', zmq.DONTWAIT)
                if random.random() < 0.02:
                    client.close()
                    clients[number] = target.client()
            time.sleep(0.1)


class HalfOpen(Attack):
    """Silent connections, opened as fast as possible."""

    name = "half-open"

    def run(self, target: Target) -> None:
        kept: list[socket.socket] = []
        for number in target.rounds(50_000):
            with contextlib.suppress(OSError):
                kept.append(target.tcp(("desk", "gallery", "port")[number % 3]))
            if len(kept) > 500:
                kept.pop(0).close()


class Handshakes(Attack):
    """Complete handshakes, each with a fresh key, many at a time."""

    name = "handshakes"

    def run(self, target: Target) -> None:
        for number in target.rounds(1000):
            port, kind = (("desk", zmq.DEALER), ("gallery", zmq.SUB))[number % 2]
            clients = [target.client(kind, port) for _ in range(30)]
            time.sleep(0.05)
            for client in clients:
                client.close()


class Garbage(Attack):
    """Random bytes at every port."""

    name = "garbage"

    def run(self, target: Target) -> None:
        chance = random.Random(7)
        for number in target.rounds(20_000):
            with contextlib.suppress(OSError), target.tcp(("port", "desk", "gallery")[number % 3]) as out:
                out.sendall(chance.choice((b"", GREETING)) + chance.randbytes(chance.randrange(2000)))


class Flood(Attack):
    """Messages as fast as possible, with a fresh key after each disconnect."""

    name = "flood"

    def run(self, target: Target) -> None:
        clients = [target.client() for _ in range(16)]
        for number in target.rounds(1_000_000):
            which = number % len(clients)
            try:
                clients[which].send(b'{"type":"tables","id":"%d"}' % number, zmq.DONTWAIT)
            except zmq.ZMQError:
                clients[which].close()
                clients[which] = target.client()
                time.sleep(0.05)


class Large(Attack):
    """Messages of one frame, slightly too large, from many connections."""

    name = "large"

    def run(self, target: Target) -> None:
        large = zmq.Frame(b"x" * 120_000)
        clients = [target.client() for _ in range(60)]
        for number in target.rounds(20_000):
            which = number % len(clients)
            if not which:
                time.sleep(0.02)
            try:
                clients[which].send(large, zmq.DONTWAIT, copy=False)
            except zmq.ZMQError:
                clients[which].close()
                clients[which] = target.client()
                time.sleep(0.01)


class Frames(Attack):
    """Messages of very many frames of one byte."""

    name = "frames"

    def run(self, target: Target) -> None:
        frames = [b"x"] * 180_000
        for _ in target.rounds(40):
            clients = [target.client() for _ in range(4)]
            for client in clients:
                with contextlib.suppress(zmq.ZMQError):
                    client.send_multipart(frames)
            # it takes about that long to arrive
            time.sleep(0.5)
            for client in clients:
                client.close()


class Deaf(Attack):
    """Clients that request much and read nothing."""

    name = "deaf"

    def run(self, target: Target) -> None:
        host = target.client()
        table = (ask(host, "open", game="the-cave", seats=BOTH) or {}).get("table", "")
        for name in ("Al", "Bo"):
            ask(host, "sit", table=table, name=name)
        clients = [target.client() for _ in range(60)]
        for client in clients:
            client.rcvhwm = 1
        for number in target.rounds(10_000):
            for which, client in enumerate(clients):
                try:
                    message = {"type": "sync", "id": str(number), "table": table}
                    client.send(codec.encode(message), zmq.DONTWAIT)
                except zmq.ZMQError:
                    client.close()
                    clients[which] = target.client()
            time.sleep(0.06)


class Subscriptions(Attack):
    """Thousands of topics, from connections that each stay within their limit."""

    name = "topics"

    def run(self, target: Target) -> None:
        for _ in target.rounds(100):
            clients = [target.client(zmq.XSUB, "gallery") for _ in range(30)]
            for topic in range(200):
                for number, client in enumerate(clients):
                    with contextlib.suppress(zmq.ZMQError):
                        client.send(f"\x01{number} {topic}".encode(), zmq.DONTWAIT)
            time.sleep(1)
            for client in clients:
                client.close()


class LongTopics(Attack):
    """Topics of the largest frame size: each costs fifty times its length."""

    name = "long-topics"

    def run(self, target: Target) -> None:
        for _ in target.rounds(100):
            clients = [target.client(zmq.XSUB, "gallery") for _ in range(60)]
            for number in range(30):
                for client in clients:
                    with contextlib.suppress(zmq.ZMQError):
                        topic = b"\x01" + random.randbytes(4).hex().encode() + b"x" * 900 + b"%d" % number
                        client.send(topic, zmq.DONTWAIT)
            time.sleep(1)
            for client in clients:
                client.close()


class TopicFlood(Attack):
    """Unique topics, as fast as possible."""

    name = "topic-flood"

    def run(self, target: Target) -> None:
        clients = [target.client(zmq.XSUB, "gallery") for _ in range(30)]
        for number in target.rounds(500_000):
            which = number % len(clients)
            try:
                clients[which].send(b"\x01" + random.randbytes(12).hex().encode(), zmq.DONTWAIT)
            except zmq.ZMQError:
                clients[which].close()
                clients[which] = target.client(zmq.XSUB, "gallery")
                time.sleep(0.05)


class Quotes(Attack):
    """Long texts that a refusal could quote, each with a fresh key: the host might keep them."""

    name = "quotes"

    def run(self, target: Target) -> None:
        for number in target.rounds(500):
            client = target.client()
            for which in range(40):
                words = f"{number}-{which}".ljust(50_000, "x")
                fields = ({"game": words}, {"game": "the-cave", "seats": BOTH, "settings": {words: 1}})[which % 2]
                ask(client, "open", **fields)
                if target.over():
                    break
            client.close()


class Codes(Attack):
    """Guesses at a table's code, each with a fresh key."""

    name = "codes"

    def run(self, target: Target) -> None:
        host = target.client()
        opened = ask(host, "open", game="the-cave", seats=BOTH, code="a word") or {}
        for number in target.rounds(10_000):
            client = target.client()
            ask(client, "sit", table=opened.get("table", ""), name="x", code=str(number))
            client.close()


class Opens(Attack):
    """Tables as fast as possible, each with a fresh key, and a seat at every table."""

    name = "opens"

    def run(self, target: Target) -> None:
        kept: list[zmq.Socket[Any]] = []
        for number in target.rounds(2000):
            kept.append(target.client())
            ask(kept[-1], "open", game="the-cave", seats=BOTH, title=str(number))
            for table in (ask(kept[-1], "tables") or {}).get("tables", ()):
                ask(kept[-1], "sit", table=table["id"], name=f"x{number}")
            if len(kept) > 30:
                kept.pop(0).close()


class Orders(Attack):
    """Commands reserved for the host's owner, and others' seats and keys."""

    name = "orders"

    def run(self, target: Target) -> None:
        clients = [target.client() for _ in range(8)]
        for number in target.rounds(100_000):
            client = clients[number % len(clients)]
            for table in (ask(client, "tables") or {}).get("tables", ())[:4]:
                where = {"table": table["id"], "seat": 0}
                ask(client, "close", table=table["id"])
                ask(client, "free", **where)
                ask(client, "ban", **where)
                ask(client, "resume", key="x" * 40, **where)
                ask(client, "stand", **where)
            time.sleep(0.05)


class Endless(Attack):
    """An endless message from each of many seated clients, within the limit of a connection."""

    name = "endless"
    frame = b"x" * 64_000
    burst = 7.5 * MIB
    rate = 0.9 * MIB
    clients = 60

    def run(self, target: Target) -> None:
        relay = Relay(target)
        frames = [zmq.Frame(self.frame)] * (16 * MIB // max(100, len(self.frame)))
        tables = list(self._tables(target, relay))
        clients = [self._seated(target, relay, tables) for _ in range(self.clients)]
        relay.hold_back(self.burst, self.rate)
        for client in clients:
            client.sndtimeo = 0
            with contextlib.suppress(zmq.ZMQError):
                client.send_multipart(frames, copy=False)
        for _ in target.rounds(1000):
            time.sleep(0.1)
            # A disconnected client returns with another key, if the relay is still needed.
            for number, client in enumerate(clients[:8]):
                if relay.lost > self.clients and random.random() < 0.1:
                    client.close()
                    clients[number] = self._seated(target, relay, tables)
                    with contextlib.suppress(zmq.ZMQError):
                        clients[number].send_multipart(frames, copy=False)
        relay.close()

    def _tables(self, target: Target, relay: Relay) -> Iterator[str]:
        """Yield tables, each once per seat, as many as an address may open."""
        client = target.client(through=relay.port)
        for _ in range(8):
            opened = ask(client, "open", game="the-cave", seats=BOTH * 2) or {}
            yield from [opened["table"]] * 4 if "table" in opened else ()

    def _seated(self, target: Target, relay: Relay, tables: list[str]) -> zmq.Socket[Any]:
        """Return a client, seated while seats are left."""
        client = target.client(through=relay.port)
        if tables:
            ask(client, "sit", table=tables.pop(), name=f"x{len(tables)}")
        return client


class EndlessSmall(Endless):
    """The same in frames of one byte, which cost the host more than the sender."""

    name = "endless-small"
    frame = b"x"
    clients = 10


class PlainEndless(Attack):
    """The same without encryption, where an empty frame has two bytes and costs the host 64."""

    name = "plain-endless"
    plain = True

    def run(self, target: Target) -> None:
        attackers: dict[int, socket.socket] = {}
        frames = b"\x01\x00" * 32_000
        sent = dict.fromkeys(range(60), 0)
        for number in target.rounds(10_000_000):
            which = number % 60
            try:
                if which not in attackers:
                    attackers[which] = target.tcp("desk")
                    greet(attackers[which])
                    attackers[which].setblocking(False)
                    sent[which] = 0
                if sent[which] < 7 * MIB:
                    sent[which] += attackers[which].send(frames)
                else:
                    time.sleep(0.001)
            except BlockingIOError:
                pass
            except OSError:
                attackers.pop(which, None)
                time.sleep(0.01)
        for attacker in attackers.values():
            attacker.close()


FIRST_ID = 0xE43C9869
"""Where libzmq starts to count its routing ids unless the C library is seeded."""


class RoutingIds(Attack):
    """Connections that choose libzmq's next ids, and ordinary ones that advance its counter."""

    name = "routing-ids"

    def run(self, target: Target) -> None:
        taken: list[zmq.Socket[Any]] = []
        for number in target.rounds(5000):
            if len(taken) < 20:
                chosen = b"\0" + (FIRST_ID + 10 * number).to_bytes(4, "big")
                taken.append(target.client(routing_id=chosen))
                ask(taken[-1], "ping")
            client = target.client()
            ask(client, "ping")
            client.close()
            if number % 200 == 199:
                taken.pop(0).close()


class PlainRoutingIds(Attack):
    """The same without encryption or a message: a connection need not send one."""

    name = "plain-routing-ids"
    plain = True

    def run(self, target: Target) -> None:
        taken: list[socket.socket] = []
        for number in target.rounds(5000):
            with contextlib.suppress(OSError):
                if len(taken) < 20:
                    taken.append(target.tcp("desk"))
                    greet(taken[-1], b"\0" + (FIRST_ID + number % 100).to_bytes(4, "big"))
                client = target.tcp("desk")
                greet(client)
                client.close()
            if number % 20 == 19:
                taken.pop(0).close()


class Fills(Attack):
    """Games started and left, from eight addresses, until the host is full."""

    name = "fills"

    def run(self, target: Target) -> None:
        seats = [{"kind": "open"}, {"kind": "bot", "level": "rookie"}]
        for number in target.rounds(2000):
            client = target.client(source=f"127.0.2.{1 + number % 8}")
            ask(client, "open", game="the-cave", seats=seats, title=str(number))
            client.close()


class Relay:
    """Forwards everything to the desk, from the target's source, but from some moment on at a limited rate: a
    message that libzmq sends whole arrives endlessly.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = int(self._listening.getsockname()[1])
        self.lost = 0
        self._since: float | None = None
        self._burst = self._rate = 0.0
        self._sent: dict[socket.socket, int] = {}
        self._other: dict[socket.socket, socket.socket] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def hold_back(self, burst: float, rate: float) -> None:
        """Forward only this burst of each connection, and then this rate."""
        self._burst, self._rate, self._since = burst, rate, time.monotonic()

    def close(self) -> None:
        self._closed = True
        self._thread.join()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._listening, selectors.EVENT_READ)
            while not self._closed:
                for key, _ in waiting.select(0.1):
                    self._one(waiting, key.fileobj)
                if self._since is not None:
                    time.sleep(0.002)
        for each in (*self._other, self._listening):
            each.close()

    def _one(self, waiting: selectors.BaseSelector, ready_one: Any) -> None:
        if ready_one is self._listening:
            near, _ = self._listening.accept()
            with contextlib.suppress(OSError):
                far = self._target.tcp("desk")
                for one, other in ((near, far), (far, near)):
                    self._other[one] = other
                    waiting.register(one, selectors.EVENT_READ)
                self._sent[near] = 0
            return
        other = self._other.get(ready_one)
        if other is None:
            return
        size = self._allowed(ready_one) if ready_one in self._sent else 1 << 16
        if size <= 0:
            return
        try:
            data = ready_one.recv(size)
            other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self.lost += 1
            for each in (ready_one, other):
                waiting.unregister(each)
                self._other.pop(each)
                self._sent.pop(each, None)
                each.close()
        elif ready_one in self._sent and self._since is not None:
            self._sent[ready_one] += len(data)

    def _allowed(self, near: socket.socket) -> int:
        if self._since is None:
            return 1 << 16
        most = self._burst + self._rate * (time.monotonic() - self._since)
        return min(1 << 16, int(most) - self._sent[near])


def _all(kind: type[Attack]) -> Iterator[type[Attack]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all(each)


ATTACKS = {attack.name: attack for attack in _all(Attack)}


def main() -> None:
    """Run an attack: its name, the door's line, the source address, and seconds."""
    name, door, source, seconds = sys.argv[1:]
    assert source.startswith("127."), "only on loopback"
    ATTACKS[name]().run(Target(json.loads(door), source, time.monotonic() + float(seconds)))


if __name__ == "__main__":
    main()
