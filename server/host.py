"""The sockets and the event loop of a host, and nothing else: what to do, the house says."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import time
from collections import deque
from collections.abc import Coroutine, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import zmq
import zmq.asyncio

from cave import codec, keys, protocol, record
from cave.game import Json
from server import memory
from server.access import Access
from server.bots import Thinkers
from server.effects import Cut, Effect, Finished, Keep, Publish, Send, Show, Think
from server.house import House
from server.keys import KeyPair
from server.logs import event, stumble
from server.opening import game_list
from server.ports import HostError, Ports
from server.topics import Topics
from server.wires import Wires

LOG = logging.getLogger("cave.host")

FRAMES = 4
"""Frames of a message that are looked at: more than a good one has."""
FILES = 4096
TICK = 0.5
MOMENT = 1.0
"""Seconds in which one whose connection ended may come back before others are told that it is away."""
SUBSCRIPTION_PAUSE = 0.01
"""Seconds in which many new subscriptions are answered by one beat."""
WATCH_EVERY = 0.1
"""Seconds between two looks at connections that send too much."""
STATS_EVERY = 5.0
RELIEF = 5.0
"""Seconds for memory to go down once connections have been cut."""
DOOR_GUESTS = 100
DOOR_PATIENCE = 3.0
GALLERY_FLOW = (1024.0, 32 * 1024.0)
"""Bytes a second and at once of one who only says what to hear of."""


@attrs.frozen
class Options:
    """How a host runs. ``port`` 0 picks three free ports; ``bot_pause`` is the least time in
    seconds a bot takes; finished games are written to the folder ``records``.

    With ``pair`` None nothing is encrypted, which is for this machine only unless ``forced``. ``stats``:
    tell in the log every few seconds what was counted.
    """

    port: int = protocol.DEFAULT_PORT
    bind: str = "127.0.0.1"
    records: Path | None = None
    bot_pause: float = 0.0
    bot_workers: int = 1
    pair: KeyPair | None = None
    forced: bool = False
    stats: bool = False


class Host:
    """A running host: ``open`` it, let it ``serve``, and ``close`` it."""

    def __init__(self, house: House, options: Options, access: Access | None = None) -> None:
        self._house = house
        self._options = options
        self._access = access or Access(counts=house.counts)
        self._ports = Ports(
            options.bind, pair=options.pair, forced=options.forced, message=house.limits.message
        )
        self._context = zmq.asyncio.Context()
        # Bound first: without an answer here nobody gets in.
        self._zap = self._context.socket(zmq.REP)
        self._zap.bind("inproc://zeromq.zap.01")
        self._desk = self._ports.desk(self._context)
        self._gallery = self._ports.gallery(self._context)
        flow, each = house.limits.flow, house.limits.links_each
        self._desk_wires = Wires(self._desk, "desk", house.counts, each=each, rate=flow, burst=8 * flow)
        self._gallery_wires = Wires(
            self._gallery, "gallery", house.counts, each=each, rate=GALLERY_FLOW[0], burst=GALLERY_FLOW[1],
        )  # fmt: skip
        self._topics = Topics()
        self._wire_of: dict[bytes, int] = {}
        self._relieved_at = 0.0
        self._door_guests = 0
        self._door: asyncio.Server | None = None
        self._line: dict[str, Json] = {}
        self._thinkers = Thinkers(options.bot_workers)
        self._thoughts: set[asyncio.Task[None]] = set()
        self._writings: set[asyncio.Task[None]] = set()
        self._beats_due: set[str] = set()
        self._trouble = ""
        self._told_tables: dict[str, str] = {}

    async def open(self) -> dict[str, Json]:
        """Bind the ports and return the door's line; raises HostError."""
        if self._options.records is not None:
            try:
                self._options.records.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise HostError(
                    f"The folder for records can not be made ({error.strerror}): choose another one."
                ) from None
        memory.allow_files(FILES)
        listening, port, desk, gallery = self._ports.bind(self._options.port, self._desk, self._gallery)
        self._door = await asyncio.start_server(self._serve_door, sock=listening)
        pair = self._options.pair
        self._line = {
            "type": "host",
            "protocol": list(protocol.VERSIONS),
            "name": self._house.name,
            "public_key": pair.public if pair else "",
            "fingerprint": keys.fingerprint(pair.public) if pair else "",
            "port": port,
            "desk": desk,
            "gallery": gallery,
            "encrypted": pair is not None,
            "games": game_list(),
        }
        return self._line

    async def serve(self, stop: asyncio.Event) -> None:
        """Do what clients ask for until ``stop`` is set."""
        self._tell("open", port=self._line["port"], encrypted=self._line["encrypted"])
        self._do(self._house.wake(time.monotonic()))
        services = [
            asyncio.create_task(work)
            for work in (
                self._serve_zap(), self._serve_desk(), self._serve_gallery(), self._keep_time(),
                self._watch_wires(), self._desk_wires.serve(time.monotonic, self._wire_ended),
                self._gallery_wires.serve(time.monotonic), self._tell_stats(),
            )
        ]  # fmt: skip
        stopped = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait((*services, stopped), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (*services, stopped, *self._thoughts):
                task.cancel()
            await asyncio.gather(*services, stopped, *self._thoughts, return_exceptions=True)

    async def close(self) -> None:
        """Tell everybody, and let go of ports and processes."""
        self._tell_tables()
        self._tell("closing", tables=len(self._house.tables))
        self._do(self._house.closing())
        self._thinkers.close()
        await asyncio.gather(*self._writings)
        if self._door is not None:
            self._door.close()
        self._desk_wires.close()
        self._gallery_wires.close()
        for each in (self._desk, self._gallery, self._zap):
            each.close()
        await asyncio.to_thread(self._context.term)

    # What comes in

    async def _serve_desk(self) -> None:
        while True:
            # A receive that need not wait does not let others run: take turns now and then.
            for _ in range(100):
                parts = await self._desk.recv_multipart(copy=False)
                with _surviving():
                    self._receive(parts)
            await asyncio.sleep(0)

    def _receive(self, parts: list[zmq.Frame]) -> None:
        link, *frames = [part.bytes for part in parts[:FRAMES]]
        peer = str(parts[-1].get("User-Id")) if self._options.pair else None
        # What libzmq tells under this name is the connection's descriptor.
        self._wire_of[link] = int(parts[-1].get("__fd"))
        self._do(self._house.receive(link, frames, time.monotonic(), peer))

    async def _serve_zap(self) -> None:
        while True:
            request = await self._zap.recv_multipart()
            await self._zap.send_multipart(self._access.answer(request, time.monotonic()))

    async def _serve_gallery(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            for _ in range(100):
                frame, *_rest = await self._gallery.recv_multipart(copy=False)
                self._note_listener(frame)
                table = self._topics.heard(frame.bytes)
                if self._topics.too_many:
                    self._clear_gallery()
                if table in self._house.tables:
                    if not self._beats_due:
                        loop.call_later(SUBSCRIPTION_PAUSE, self._greet)
                    self._beats_due.add(table)
            await asyncio.sleep(0)

    def _note_listener(self, frame: zmq.Frame) -> None:
        """Whose connection it is that asks for a topic; what libzmq says for those who left has no owner."""
        if self._options.pair:
            with contextlib.suppress(zmq.ZMQError):
                self._gallery_wires.belongs(int(frame.get("__fd")), str(frame.get("User-Id")))

    def _clear_gallery(self) -> None:
        """Let all watchers go: libzmq forgets their topics, and those who mean well come back."""
        self._topics.forget()
        self._house.counts.add("cut_gallery_topics")
        LOG.warning(event("topics", what="watchers cut"))
        self._gallery_wires.cut_all()
        asyncio.get_running_loop().call_later(TICK, memory.give_back)

    def _greet(self) -> None:
        """The first message for new subscribers, which tells them that they are heard."""
        due, self._beats_due = self._beats_due, set()
        for table in due:
            self._do(self._house.beat(table, time.monotonic()))

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self._do(self._house.tick(time.monotonic()))
            self._tell_trouble()
            self._tell_tables()
            self._wire_of = {link: wire for link, wire in self._wire_of.items() if self._house.knows(link)}
            self._note()

    def _wire_ended(self, number: int) -> None:
        """Who was at the other end is away, unless it comes back in a moment."""
        gone = [link for link, wire in self._wire_of.items() if wire == number]
        asyncio.get_running_loop().call_later(MOMENT, self._try, gone)

    def _try(self, links: Iterable[bytes]) -> None:
        if not self._desk.closed:
            for link in links:
                self._do(self._house.doubt(link, time.monotonic()))

    async def _watch_wires(self) -> None:
        """Cut who sends without end, before it costs much memory."""
        while True:
            await asyncio.sleep(WATCH_EVERY)
            now = time.monotonic()
            if self._desk_wires.check(now) + self._gallery_wires.check(now):
                LOG.warning(event("flood", what="connection cut"))
                asyncio.get_running_loop().call_later(TICK, memory.give_back)
            self._bound_memory(now)

    def _bound_memory(self, now: float) -> None:
        """At the ceiling let all connections go that hold no seat; where that is no help, stop."""
        held = memory.resident()
        if held <= self._house.limits.memory:
            self._relieved_at = 0.0
        elif not self._relieved_at:
            self._relieved_at = now
            LOG.warning(event("memory", held_mib=held >> 20, what="guests cut"))
            self._house.counts.add("cut_for_memory")
            seated = [wire for link, wire in self._wire_of.items() if self._house.is_seated(link)]
            self._desk_wires.cut_all(but=seated)
            self._gallery_wires.cut_all()
            asyncio.get_running_loop().call_later(TICK, memory.give_back)
        elif now - self._relieved_at > RELIEF:
            raise HostError(
                f"The host holds {held >> 20} MiB of memory, more than it may, and stops. Start it again; "
                "a higher limit allows more (--limit memory=MIB)."
            )

    def _note(self) -> None:
        counts = self._house.counts
        counts.note("memory_mib", memory.resident() >> 20)
        counts.note("files", memory.descriptors())
        counts.note("links_desk", len(self._desk_wires))
        counts.note("links_gallery", len(self._gallery_wires))
        counts.note("topics", len(self._topics))
        counts.note("tables", len(self._house.tables))

    def _tell_tables(self) -> None:
        """What has become of tables since the last look, for those who asked for numbers."""
        if not self._options.stats:
            return
        before = self._told_tables
        now: dict[str, str] = {name: table.status for name, table in self._house.tables.items()}
        self._told_tables = now
        for name in {**before, **now}:
            if now.get(name) != before.get(name):
                self._tell("table", id=name, status=now.get(name, "gone"))

    def _tell(self, name: str, **fields: object) -> None:
        """What only those want to read who asked for numbers."""
        if self._options.stats:
            LOG.info(event(name, **fields))

    async def _tell_stats(self) -> None:
        while True:
            await asyncio.sleep(STATS_EVERY)
            self._tell("stats", **self._house.counts.facts())

    def _tell_trouble(self) -> None:
        """Say once that the games can not be saved, and once that they can again."""
        trouble = self._house.trouble
        if trouble != self._trouble:
            LOG.warning(event("not-saved", why=trouble) if trouble else event("saved"))
            self._trouble = trouble

    async def _serve_door(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._door_guests >= DOOR_GUESTS:
            self._house.counts.add("cut_door_crowd")
            writer.transport.abort()
            return
        self._door_guests += 1
        try:
            async with asyncio.timeout(DOOR_PATIENCE):
                writer.write(codec.encode(self._line) + b"\n")
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            writer.transport.abort()
        finally:
            self._door_guests -= 1

    # What goes out

    def _do(self, effects: Iterable[Effect]) -> None:
        todo = deque(effects)
        while todo:
            match todo.popleft():
                case Send(link, frames) | Show(link=link, frames=frames):
                    if not self._send(link, frames):
                        todo.extend(self._house.lost(link, time.monotonic()))
                case Publish(table, message):
                    topic = protocol.topic(table).encode()
                    _sent(self._gallery.send_multipart((topic, message), zmq.DONTWAIT))
                case Think() as think:
                    _start(self._think(think), self._thoughts)
                case Finished(table, lines):
                    _start(self._write_record(table, lines), self._writings)
                case Cut(link, peer, seconds):
                    self._cut(link, peer, seconds)
                case Keep(peer, out):
                    self._keep(peer, out=out)

    def _send(self, link: bytes, frames: tuple[bytes, ...]) -> bool:
        """Send to one client; False when it is gone. A client too slow to read misses messages: it
        asks again.
        """
        problem = _sent(self._desk.send_multipart((link, *frames), zmq.DONTWAIT))
        if problem is not None and problem.errno == errno.EAGAIN:
            # It reads nothing any more. Cut, it frees its queue, and comes back if it is alive.
            self._house.counts.add("cut_desk_slow")
            self._desk_wires.cut(self._wire_of.get(link, -1))
        return problem is None or problem.errno != errno.EHOSTUNREACH

    def _cut(self, link: bytes, peer: str, seconds: float | None) -> None:
        if seconds is not None and self._options.pair:
            self._access.hold_off(peer, time.monotonic() + seconds)
        # Where it listens it is not told apart from others but by its key.
        self._gallery_wires.cut_client(peer)
        if self._desk_wires.cut(self._wire_of.pop(link, -1)):
            self._house.counts.add("cut_desk_banned")
            LOG.warning(event("cut", client=keys.fingerprint(peer)))

    def _keep(self, peer: str, *, out: bool) -> None:
        if out:
            self._gallery_wires.cut_client(peer)
        try:
            (self._access.ban if out else self._access.pardon)(peer)
        except OSError as error:
            LOG.warning(event("list-not-written", why=error.strerror))
        LOG.info(event("ban" if out else "pardon", client=keys.fingerprint(peer)))

    async def _think(self, think: Think) -> None:
        pause = asyncio.create_task(asyncio.sleep(self._options.bot_pause))
        action = await self._thinkers.choose(think)
        await pause
        with _surviving():
            now = time.monotonic()
            self._do(self._house.bot_chose(think.table, think.seat, think.seq, action, now))

    async def _write_record(self, table: str, lines: list[Json]) -> None:
        if self._options.records is not None:
            day = str(lines[0].get("created", ""))[:10]
            file = self._options.records / f"{day}-{table}.jsonl"
            try:
                await asyncio.to_thread(file.write_bytes, record.write(lines))
            except OSError as error:
                LOG.warning(event("record-not-written", file=file.name, why=error.strerror))


def _start(work: Coroutine[Any, Any, None], running: set[asyncio.Task[None]]) -> None:
    task = asyncio.get_running_loop().create_task(work)
    running.add(task)
    task.add_done_callback(running.discard)


@contextlib.contextmanager
def _surviving() -> Iterator[None]:
    """A mistake of this program's that one message brings to light must not end all games."""
    try:
        yield
    except Exception as error:
        LOG.error(stumble(error))


def _sent(sending: object) -> zmq.ZMQError | None:
    """What went wrong with a send that did not wait, so that its future is done already."""
    assert isinstance(sending, asyncio.Future)
    problem = sending.exception()
    if problem is None or isinstance(problem, zmq.ZMQError):
        return problem
    raise problem
