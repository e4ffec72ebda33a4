"""A connection without a host: when it sends, and how it handles replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import zmq

from cave import codec, wire
from client.net import connection
from client.net.connection import MOST_TABLES, Connection, NetSession
from client.net.known_hosts import Address
from client.net.messages import Door
from client.table import Rejected
from tests.client.test_store import beat, snapshot
from tests.server.kit import seated

DOOR = Door("Ann's host", "127.0.0.1", 7413, 7414)


class Inbox:
    """Incoming messages, in the order of the test."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[list[bytes]] = asyncio.Queue()

    async def read(self) -> list[bytes]:
        return await self._frames.get()

    def put(self, *frames: bytes) -> None:
        self._frames.put_nowait([*frames])


class Wires:
    """The sockets of a connection; the test is at the other end."""

    def __init__(self, *_: object) -> None:
        self.replies, self.news = Inbox(), Inbox()
        self.sent: list[dict[str, Any]] = []
        self.topics: list[str] = []
        self.writable = True
        self.closed = 0
        self._events: asyncio.Queue[int] = asyncio.Queue()

    def send(self, message: bytes) -> bool:
        if self.writable:
            self.sent.append(codec.decode(message))
        return self.writable

    def subscribe(self, topic: str) -> None:
        self.topics.append(topic)

    def unsubscribe(self, topic: str) -> None:
        self.topics.remove(topic)

    async def link_event(self) -> int:
        return await self._events.get()

    async def watch_gallery(self) -> None: ...

    watch_inflow = watch_gallery

    async def renew(self, _door: Door) -> None: ...

    def close(self) -> None:
        self.closed += 1

    async def end(self) -> None: ...

    async def happens(self, event: int) -> None:
        self._events.put_nowait(event)
        await moments()

    async def answer(self, kind: str, **fields: Any) -> None:
        """Reply to the last request."""
        self.replies.put(codec.encode({**fields, "type": kind, "re": self.sent[-1]["id"]}))
        await moments()

    @property
    def kinds(self) -> list[str]:
        return [each["type"] for each in self.sent]


async def moments() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
async def wires(monkeypatch: pytest.MonkeyPatch) -> Wires:
    made = Wires()
    monkeypatch.setattr(connection, "Sockets", lambda *_: made)
    return made


@pytest.fixture
async def there(wires: Wires) -> AsyncIterator[Connection]:
    """A connection after its greeting, with a live link."""
    made = Connection(Address("127.0.0.1", 7412), DOOR, "", None)
    hello = asyncio.create_task(made.greet("Ann"))
    await moments()
    assert wires.sent == [], "there is no link yet"
    await wires.happens(zmq.EVENT_CONNECTED)
    assert wires.sent == []
    await wires.happens(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    assert wires.kinds == ["hello"]
    said = wires.sent[0]
    assert (said["protocol"], said["client"], said["name"]) == (wire.VERSION, "cave", "Ann")
    await wires.answer("welcome", protocol=wire.VERSION, host="Ann's host", games=[])
    await hello
    wires.sent.clear()
    yield made
    await made.close()


def asking(made: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(made)


async def watching(there: Connection, wires: Wires) -> tuple[NetSession, str]:
    """A watched table, and its number."""
    desk, table = seated()
    following = asking(there.watch(table))
    await moments()
    await wires.answer("snapshot", **snapshot(desk, table))
    wires.news.put(wire.gallery_topic(table).encode(), codec.encode(beat(desk, table)))
    return await following, table


async def test_only_a_limited_number_of_listed_tables_is_read(there: Connection, wires: Wires) -> None:
    line = {
        "id": "t",
        "game": "g",
        "title": "",
        "settings": {},
        "seats": [],
        "status": "waiting",
        "watchers": 0,
        "seq": 0,
    }
    asked = asking(there.ask_for_tables())
    await moments()
    await wires.answer("tables", tables=[line] * (MOST_TABLES + 1), shelved=["s"])
    assert (len(await asked), there.shelved) == (MOST_TABLES, {"s"})


async def test_refusals_and_invalid_replies_are_reported(there: Connection, wires: Wires) -> None:
    asked = asking(there.ask("ping"))
    await moments()
    await wires.answer("error", code="busy", message="Try\x1b later.")
    with pytest.raises(Rejected) as refused:
        await asked
    assert (refused.value.code, refused.value.message) == ("busy", "Try later.")
    asked = asking(there.ask("ping"))
    await moments()
    await wires.answer("nonsense")
    with pytest.raises(ConnectionError, match="does not understand"):
        await asked


async def test_after_a_lost_link_hello_precedes_open_requests(there: Connection, wires: Wires) -> None:
    open_before = asking(there.ask("ping", insist=True))
    await moments()
    await wires.happens(zmq.EVENT_DISCONNECTED)
    await wires.happens(zmq.EVENT_DISCONNECTED)
    later = asking(there.ask("ping", insist=True))
    await moments()
    assert wires.kinds == ["ping"], "nothing is sent where there is no link"
    await wires.happens(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    assert wires.kinds == ["ping", "hello"]
    await wires.answer("welcome", protocol=wire.VERSION, host="Ann's host", games=[])
    assert wires.kinds == ["ping", "hello", "ping", "ping"]
    assert wires.sent[2]["id"] == wires.sent[0]["id"], "asked again, and done once"
    for task in (open_before, later):
        task.cancel()


async def test_a_rejected_client_learns_what_to_do(there: Connection, wires: Wires) -> None:
    asked = asking(there.ask("ping"))
    await moments()
    assert "Perhaps a firewall" in there.why_not()
    await wires.happens(zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
    assert "key does not match" in there.why_not()
    await wires.happens(zmq.EVENT_HANDSHAKE_FAILED_AUTH)
    with pytest.raises(ConnectionError, match="does not let you in"):
        await asked
    await wires.happens(zmq.EVENT_HANDSHAKE_SUCCEEDED)
    assert "does not let you in" not in there.why_not()


@pytest.mark.parametrize(
    ("event", "missing"),
    [
        (zmq.EVENT_CONNECTED, "nowhere"),
        (zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL, "unproven"),
        (zmq.EVENT_HANDSHAKE_FAILED_AUTH, "refused"),
    ],
)
async def test_the_reason_for_an_absent_host_is_the_last_failure(
    there: Connection, wires: Wires, monkeypatch: pytest.MonkeyPatch, event: int, missing: str
) -> None:
    monkeypatch.setattr(connection, "MISSING_AFTER", 0.05)
    session, _ = await watching(there, wires)
    await wires.happens(zmq.EVENT_DISCONNECTED)
    await wires.happens(event)
    assert (await session.wait_for_state(lambda state: state.missing)).missing == missing
