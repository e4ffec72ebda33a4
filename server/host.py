"""The sockets and the event loop of a host, and nothing else: what to do, the house says."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import time
from collections import deque
from collections.abc import Coroutine, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import zmq
import zmq.asyncio

from cave import codec, protocol, record
from cave.game import Json
from server.bots import Thinkers
from server.effects import Effect, Finished, Publish, Send, Think
from server.house import House
from server.opening import game_list

LOG = logging.getLogger("cave.host")

# A message over the limit is answered with an error; only a frame far over it costs the connection.
FRAME_LIMIT = 2 * protocol.MAX_MESSAGE
HIGH_WATER = 500
HEARTBEAT = 1000
HEARTBEAT_TIMEOUT = 3000
HANDSHAKE = 3000
LINGER = 200
TICK = 0.5
SUBSCRIPTION_PAUSE = 0.01
"""Seconds in which many new subscriptions are answered by one beat."""
PORT_TRIES = 20


class HostError(Exception):
    """The host can not run; the text is one sentence that says what to do."""


@attrs.frozen
class Options:
    """How a host runs. ``port`` 0 picks three free ports; ``bot_pause`` is the least time in
    seconds a bot takes; finished games are written to the folder ``records``.
    """

    port: int = protocol.DEFAULT_PORT
    bind: str = "127.0.0.1"
    records: Path | None = None
    bot_pause: float = 0.0
    bot_workers: int = 1


class Host:
    """A running host: ``open`` it, let it ``serve``, and ``close`` it."""

    def __init__(self, house: House, options: Options) -> None:
        self._house = house
        self._options = options
        self._address = loopback(options.bind)
        self._context = zmq.asyncio.Context()
        self._desk = _socket(self._context, zmq.ROUTER)
        self._desk.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._desk.setsockopt(zmq.MAXMSGSIZE, FRAME_LIMIT)
        self._gallery = _socket(self._context, zmq.XPUB)
        # Each new subscription is seen, also a second one, so that each is answered by a beat.
        self._gallery.setsockopt(zmq.XPUB_VERBOSE, 1)
        self._gallery.setsockopt(zmq.MAXMSGSIZE, protocol.MAX_MESSAGE)
        self._door: asyncio.Server | None = None
        self._line: dict[str, Json] = {}
        self._thinkers = Thinkers(options.bot_workers)
        self._thoughts: set[asyncio.Task[None]] = set()
        self._writings: set[asyncio.Task[None]] = set()
        self._beats_due: set[str] = set()

    async def open(self) -> dict[str, Json]:
        """Bind the ports and return the door's line; raises HostError."""
        if self._options.records is not None:
            try:
                self._options.records.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise HostError(
                    f"The folder for records can not be made ({error.strerror}): choose another one."
                ) from None
        port, desk, gallery = await self._bind()
        self._line = {
            "type": "host",
            "protocol": list(protocol.VERSIONS),
            "name": self._house.name,
            "public_key": "",
            "fingerprint": "",
            "port": port,
            "desk": desk,
            "gallery": gallery,
            "encrypted": False,
            "games": game_list(),
        }
        return self._line

    async def serve(self, stop: asyncio.Event) -> None:
        """Do what clients ask for until ``stop`` is set."""
        services = [
            asyncio.create_task(work)
            for work in (self._serve_desk(), self._serve_gallery(), self._keep_time())
        ]
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
        self._do(self._house.closing())
        self._thinkers.close()
        await asyncio.gather(*self._writings)
        if self._door is not None:
            self._door.close()
        self._desk.close()
        self._gallery.close()
        await asyncio.to_thread(self._context.term)

    # What comes in

    async def _serve_desk(self) -> None:
        while True:
            # A receive that need not wait does not let others run: take turns now and then.
            for _ in range(100):
                link, *frames = await self._desk.recv_multipart()
                with _surviving():
                    self._do(self._house.receive(link, frames, time.monotonic()))
            await asyncio.sleep(0)

    async def _serve_gallery(self) -> None:
        loop = asyncio.get_running_loop()
        prefix = b"\x01" + protocol.topic("").encode()
        while True:
            for _ in range(100):
                frame, *_rest = await self._gallery.recv_multipart()
                table = frame.removeprefix(prefix).decode("utf-8", "replace")
                if frame.startswith(prefix) and table in self._house.tables:
                    if not self._beats_due:
                        loop.call_later(SUBSCRIPTION_PAUSE, self._greet)
                    self._beats_due.add(table)
            await asyncio.sleep(0)

    def _greet(self) -> None:
        """The first message for new subscribers, which tells them that they are heard."""
        due, self._beats_due = self._beats_due, set()
        for table in due:
            self._do(self._house.beat(table, time.monotonic()))

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self._do(self._house.tick(time.monotonic()))

    async def _serve_door(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(codec.encode(self._line) + b"\n")
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    # What goes out

    def _do(self, effects: Iterable[Effect]) -> None:
        todo = deque(effects)
        while todo:
            match todo.popleft():
                case Send(link, frames):
                    if not self._send(link, frames):
                        todo.extend(self._house.lost(link, time.monotonic()))
                case Publish(table, message):
                    topic = protocol.topic(table).encode()
                    _sent(self._gallery.send_multipart((topic, message), zmq.DONTWAIT))
                case Think() as think:
                    _start(self._think(think), self._thoughts)
                case Finished(table, lines):
                    _start(self._write_record(table, lines), self._writings)

    def _send(self, link: bytes, frames: tuple[bytes, ...]) -> bool:
        """Send to one client; False when it is gone. A client too slow to read misses messages: it
        asks again.
        """
        problem = _sent(self._desk.send_multipart((link, *frames), zmq.DONTWAIT))
        return problem is None or problem.errno != errno.EHOSTUNREACH

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
                LOG.warning("The record %s can not be written: %s.", file.name, error.strerror)

    # Ports

    async def _bind(self) -> tuple[int, int, int]:
        wanted = self._options.port
        if wanted:
            await self._open_door(wanted)
            self._bind_socket(self._desk, wanted + 1)
            self._bind_socket(self._gallery, wanted + 2)
            return wanted, wanted + 1, wanted + 2
        port = await self._open_door(0)
        return port, self._bind_free(self._desk, port + 1), self._bind_free(self._gallery, port + 2)

    async def _open_door(self, port: int) -> int:
        try:
            self._door = await asyncio.start_server(self._serve_door, self._address, port)
        except (OSError, OverflowError) as error:
            raise _port_error(port, getattr(error, "errno", None)) from None
        return int(self._door.sockets[0].getsockname()[1])

    def _bind_socket(self, socket: zmq.asyncio.Socket, port: int) -> None:
        try:
            socket.bind(f"tcp://{self._address}:{port}")
        except zmq.ZMQError as error:
            raise _port_error(port, error.errno) from None

    def _bind_free(self, socket: zmq.asyncio.Socket, port: int) -> int:
        try:
            socket.bind(f"tcp://{self._address}:{port}")
        except zmq.ZMQError:
            return socket.bind_to_random_port(f"tcp://{self._address}")
        return port


def loopback(bind: str) -> str:
    """The address to bind; raises HostError for one that others could reach, as long as hosts do
    not encrypt.
    """
    if bind == "localhost":
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(bind)
    except ValueError:
        raise HostError(f"{bind!r} is not an address to listen on: use 127.0.0.1.") from None
    if address.version != 4 or not address.is_loopback:
        raise HostError(
            "This host does not encrypt yet, so it listens on this machine only: use --bind 127.0.0.1."
        )
    return bind


def _socket(context: zmq.asyncio.Context, kind: int) -> zmq.asyncio.Socket:
    socket = context.socket(kind)
    for option, value in (
        (zmq.LINGER, LINGER),
        (zmq.SNDHWM, HIGH_WATER),
        (zmq.RCVHWM, HIGH_WATER),
        (zmq.HEARTBEAT_IVL, HEARTBEAT),
        (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT),
        (zmq.HEARTBEAT_TTL, HEARTBEAT_TIMEOUT),
        (zmq.HANDSHAKE_IVL, HANDSHAKE),
    ):
        socket.setsockopt(option, value)
    return socket


def _start(work: Coroutine[Any, Any, None], running: set[asyncio.Task[None]]) -> None:
    task = asyncio.get_running_loop().create_task(work)
    running.add(task)
    task.add_done_callback(running.discard)


@contextlib.contextmanager
def _surviving() -> Iterator[None]:
    """A mistake of this program's that one message brings to light must not end all games."""
    try:
        yield
    except Exception:
        LOG.exception("Something went wrong in this host; the games go on.")


def _sent(sending: object) -> zmq.ZMQError | None:
    """What went wrong with a send that did not wait, so that its future is done already."""
    assert isinstance(sending, asyncio.Future)
    problem = sending.exception()
    if problem is None or isinstance(problem, zmq.ZMQError):
        return problem
    raise problem


def _port_error(port: int, number: int | None) -> HostError:
    if number == errno.EADDRINUSE:
        return HostError(
            f"Port {port} is taken. Perhaps a host runs already; "
            "if not, choose another with --port, or --port 0 for any that is free."
        )
    if number == errno.EACCES:
        return HostError(f"Port {port} is not allowed here: choose one above 1024 with --port.")
    return HostError(f"Port {port} can not be used: choose another one with --port.")
