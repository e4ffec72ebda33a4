"""The connection to a host, for all its tables and seats; finds a host again after a lost link."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import zmq

from cave import protocol, wire
from cave.game import BadData, Json
from client.net import messages
from client.net.discovery import find_moved_host
from client.net.known_hosts import Address, Identity, Keys, parse_address
from client.net.messages import UNCLEAR, Door, read_door
from client.net.session import NetSession, Request, Requests
from client.net.sockets import Sockets
from client.system import command_as_typed
from client.table import Closed, Rejected

__all__ = ["Address", "Connection", "NetSession", "connect", "parse_address"]

CLIENT = "cave"
PATIENCE = 10.0  # seconds to wait for a reply, including lost links
GREETING = 4.0  # seconds to wait for a host's first reply
PING_EVERY = 4.0
RESEND_AFTER = 2.5  # seconds without a reply on a live link before a request is sent again
SEND_PAUSE = 0.01
SEARCH_AFTER = 2.0  # seconds without a link before the host is searched for elsewhere
KNOCK_AFTER = 3.0  # seconds before another attempt at a host that did not readmit this client
MISSING_AFTER = 10.0  # seconds until the user sees what to do
CLOSED = "The connection was closed."
MOST_TABLES = 1000


async def connect(address: str, *, name: str = "", keys: Keys | None = None) -> Connection:
    """Connect to the host at ``address`` (``host``, ``host:port`` or a ticket).

    ``keys`` holds this client's own key and those of known hosts; without it the client is new, and trusts
    the host. Raises ValueError for an invalid address, ConnectionError for a host that is down, not a host,
    has the wrong key, admits nobody, or has another version; Rejected if it refuses.
    """
    where = parse_address(address)
    door = await read_door(where)
    keys = keys or Keys()
    trusted = await asyncio.to_thread(keys.trusted_key, where, door.ip, door.key)
    identity = await asyncio.to_thread(keys.identity) if trusted else None
    connection = Connection(where, door, trusted, identity)
    try:
        async with asyncio.timeout(GREETING):
            await connection.greet(name)
    except BaseException as error:
        await connection.close()
        if isinstance(error, TimeoutError):
            raise ConnectionError(connection.why_not()) from None
        raise
    return connection


class Connection:
    def __init__(self, address: Address, door: Door, trusted: str, identity: Identity | None) -> None:
        self._where, self._door = msgspec.structs.replace(address, key=trusted), door
        self.host = door.name
        self.key = trusted
        self.may_open = True  # whether the host lets this client open tables, by its last message
        self.shelved: frozenset[str] = frozenset()
        self._name = ""
        self._turned_away = self._unproven = False
        self.sockets = Sockets(door, trusted, identity)
        self._sessions: dict[str, NetSession] = {}
        self._requests = Requests()
        self._linked = False
        self._astray = False
        self._greeted = False
        self._closed = False
        self._finding_back: asyncio.Task[None] | None = None
        self._searching: asyncio.Task[None] | None = None
        self._knocking: asyncio.Task[None] | None = None
        self._tasks = [
            asyncio.create_task(work)
            for work in (
                self._read_desk(), self._read_gallery(), self._watch_link(), self._send_heartbeats(),
                self.sockets.watch_gallery(), self.sockets.watch_inflow(),
            )
        ]  # fmt: skip

    @property
    def address(self) -> str:
        return str(self._where)

    @property
    def ticket(self) -> str:
        return self._where.ticket

    # Requests to a host

    async def greet(self, name: str) -> None:
        self._name = name
        welcome = await self.ask("hello", protocol=wire.VERSION, client=CLIENT, name=name)
        self.may_open = welcome.may_open
        self._greeted = True

    def why_not(self) -> str:
        if self._turned_away:
            return (
                f"The host at {self.address} does not let you in. If it is for invited people, send its "
                f"owner your key. To see your key, type: {command_as_typed('key')}"
            )
        if self._unproven:
            return (
                f"The host at {self.address} cannot be reached on port {self._door.desk}: its key does "
                "not match, or it is not accepting connections. Try again in a "
                "minute. If that does not help, somebody may be pretending to be that host."
            )
        return (
            f"The host at {self.address} cannot be reached on port {self._door.desk}. "
            "Perhaps a firewall is in the way; it must let three ports through."
        )

    async def ask_for_tables(self) -> Sequence[protocol.TableLine]:
        reply = await self.ask("tables")
        self.may_open, self.shelved = reply.may_open, frozenset(reply.shelved)
        tables: Sequence[protocol.TableLine] = reply.tables
        return tables[:MOST_TABLES]

    async def open(self, game: str, seats: list[Json], **more: Json) -> str:
        """Open a table; return its id. ``seats`` and ``more`` are fields of ``protocol.Open``."""
        return str((await self.ask("open", game=game, seats=seats, **more)).table)

    async def sit(self, table: str, name: str, *, seat: int | None = None, code: str | None = None) -> NetSession:
        """Take a seat, by default any free one. A second seat at the table has the same session."""
        return await self.sit_together(table, [(name, seat)], code=code)

    async def sit_together(
        self,
        table: str,
        people: Iterable[tuple[str, int | None]],
        *,
        code: str | None = None,
        keys: Mapping[int, str] | None = None,
    ) -> NetSession:
        """Take seats for several people, each a name and a seat; ``keys`` are those of the game before a
        rematch. Raises Rejected if one of them is refused; the others keep their seats.
        """
        session = await self.watch(table)
        known = {} if keys is None else keys
        wanted: list[dict[str, Json]] = [
            {
                "name": name,
                "seat": seat,
                "code": code,
                "key": None if seat is None else known.get(seat),
                "later": seat is None,
            }
            for name, seat in people
        ]
        return await self._take_seat(session, "sit", wanted)

    async def ask_for_rematch(self, table: str, keys: Iterable[str]) -> tuple[str, list[int]]:
        """Ask for a rematch, with the keys of seats; return its table and the seats reserved there."""
        reply = await self.ask("rematch", table=table, keys=[*keys])
        return str(reply.table), list(reply.seats)

    async def reopen_table(self, table: str, seat: int, key: str) -> None:
        await self.ask("reopen", table=table, seat=seat, key=key)

    async def resume(self, table: str, seat: int, key: str) -> NetSession:
        session = await self.watch(table)
        return await self._take_seat(session, "resume", [{"seat": seat, "key": key}])

    async def close(self, why: Closed = "") -> None:
        """Leave the host; seats stay taken until their players stand up."""
        if self._closed:
            return
        self._closed = True
        more = (self._finding_back, self._searching, self._knocking)
        tasks = [*self._tasks, *(task for task in more if task)]
        for task in tasks:
            task.cancel()
        self._requests.fail(CLOSED)
        for session in self._sessions.values():
            session.note_lost_link("closed", why)
        # Before any await, which may be cancelled: ending a context waits for its sockets.
        self.sockets.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.sockets.end()

    async def ask(self, kind: str, *, insist: bool = False, **fields: Json) -> Any:
        """Send a request and return its reply. It survives lost links, for any time with ``insist``, and is
        applied once. Raises Rejected if the host refuses, ConnectionError if it does not answer.
        """
        if self._closed:
            raise ConnectionError(CLOSED)
        asked = protocol.MESSAGES[kind]
        request = self._requests.new(asked(**fields))
        # After a lost link, the requests that restore the connection go first; the rest waits for them.
        if not self._astray or asyncio.current_task() is self._finding_back:
            self.send(request)
        try:
            while not request.reply.done():
                await asyncio.wait((request.reply,), timeout=PATIENCE)
                if not request.reply.done() and not (insist and self._astray):
                    raise ConnectionError(f"The host at {self.address} does not answer.")
            reply = protocol.read_reply(asked, request.reply.result())
        except BadData:
            raise ConnectionError(UNCLEAR.format(address=self.address)) from None
        finally:
            self._requests.forget(request)
        if isinstance(reply, protocol.Error):
            raise Rejected(reply.code, wire.clean_text(reply.message))
        return reply

    def leave(self, session: NetSession) -> None:
        if self._sessions.get(session.table) is session:
            del self._sessions[session.table]
            if not self._closed:
                self.sockets.unsubscribe(wire.gallery_topic(session.table))

    # Joining

    async def watch(self, table: str) -> NetSession:
        """Return the complete session of a table: with a snapshot, and a message of the gallery."""
        session = self._sessions.get(table)
        fresh = session is None
        if session is None:
            session = self._sessions[table] = NetSession(self, table)
            self.sockets.subscribe(wire.gallery_topic(table))
        try:
            if fresh:
                await session.watch()
            async with asyncio.timeout(PATIENCE):
                await session.complete.wait()
        except BaseException as error:
            if fresh:
                self.leave(session)
            if isinstance(error, TimeoutError):
                raise ConnectionError(f"The host at {self.address} does not answer.") from None
            raise
        return session

    async def _take_seat(self, session: NetSession, kind: str, wanted: list[dict[str, Json]]) -> NetSession:
        asked = (self.ask(kind, table=session.table, **fields) for fields in wanted)
        replies = await asyncio.gather(*asked, return_exceptions=True)
        for reply, fields in zip(replies, wanted, strict=True):
            if not isinstance(reply, BaseException):
                if reply.seat is None:
                    session.note_robin_players({fields["name"]: reply.key})
                else:
                    session.take(reply.seat, reply.key)
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply
        # A seat's view may have arrived before its seat was known to be ours: ask again for all of them.
        await session.sync()
        return session

    # Reading

    async def _read_desk(self) -> None:
        while True:
            frames = await self.sockets.replies.read()
            message = _read_message(frames[-1])
            table = message.get("table")
            if self._requests.answer(message):
                continue
            if message.get("type") == "closing":
                for session in self._sessions.values():
                    session.fold_message(message)
            elif isinstance(table, str):
                self.fold_message(table, message, len(frames[-1]))

    async def _read_gallery(self) -> None:
        while True:
            topic, *frames = await self.sockets.news.read()
            table = topic.decode("utf-8", "replace").removeprefix(wire.gallery_topic(""))
            if frames:
                self.fold_message(table, _read_message(frames[0]), len(frames[0]))

    def fold_message(self, table: str, message: dict[str, Json], size: int) -> None:
        session = self._sessions.get(table)
        if session is not None:
            session.fold_message(message, size)

    # The link

    def send(self, request: Request) -> None:
        if not self._linked:
            return  # sent in its turn when the link is back
        request.sent_at = asyncio.get_running_loop().time()
        if not self.sockets.send(request.message) and self._linked:
            # A new link is not writable at once.
            asyncio.get_running_loop().call_later(SEND_PAUSE, self._send_if_open, request)

    def _send_if_open(self, request: Request) -> None:
        if not request.reply.done() and not self._closed:
            self.send(request)

    async def _watch_link(self) -> None:
        while True:
            match await self.sockets.link_event():
                case zmq.EVENT_CONNECTED:
                    pass
                case zmq.EVENT_DISCONNECTED:
                    self._link_lost()
                case zmq.EVENT_HANDSHAKE_SUCCEEDED:
                    self._link_found()
                case zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                    self._fail_open_requests()
                case _:
                    self._unproven = True

    def _fail_open_requests(self) -> None:
        """Fail the open requests: the host does not admit this client. If it was connected before, it tries
        again, as a ban may end, and libzmq stops reconnecting by itself.
        """
        self._turned_away = True
        self._requests.fail(self.why_not())
        if not self._linked:
            self._report_missing_host()
        if self._greeted:
            self._knocking = asyncio.create_task(self._retry_desk())

    async def _retry_desk(self) -> None:
        await asyncio.sleep(KNOCK_AFTER)
        await self.sockets.move(self._door, self._door)

    def _link_lost(self) -> None:
        if not self._linked:
            return
        self._linked = self._unproven = False
        self._astray = True
        for session in self._sessions.values():
            session.note_lost_link("lost")
        self._searching = asyncio.create_task(self._search_moved_host())

    async def _search_moved_host(self) -> None:
        """Follow the host to its new address; report it if that takes long."""
        telling = asyncio.get_running_loop().call_later(MISSING_AFTER, self._report_missing_host)
        try:
            await self.sockets.renew(self._door)
            while True:
                await asyncio.sleep(SEARCH_AFTER)
                address, door = await find_moved_host(self._where, self._door, self.key)
                await self.sockets.move(self._door, door)
                self._where, self._door = msgspec.structs.replace(address, key=self.key), door
                for session in self._sessions.values():
                    session.note_moved_host(self.address)
        finally:
            telling.cancel()

    def _report_missing_host(self) -> None:
        for session in self._sessions.values():
            session.note_missing_host("refused" if self._turned_away else "unproven" if self._unproven else "nowhere")

    def _link_found(self) -> None:
        self._linked, self._turned_away = True, False
        if self._searching is not None:
            self._searching.cancel()
            self._searching = None
        if not self._greeted:
            for request in self._requests:
                self.send(request)
            return
        if self._finding_back is not None:
            self._finding_back.cancel()
        self._astray = True
        self._finding_back = asyncio.create_task(self._restore_on_new_link())

    async def _restore_on_new_link(self) -> None:
        """Restore everything on a new link: seats first, then tables, then open requests."""
        # From Python 3.12 on, Textual's loop starts tasks eagerly, before the caller stores this one.
        self._finding_back = asyncio.current_task()
        try:
            await self.greet(self._name)
            for session in list(self._sessions.values()):
                await session.find_back()
        except (ConnectionError, Rejected):
            return
        self._astray = False
        for request in self._requests:
            self._send_if_open(request)

    async def _send_heartbeats(self) -> None:
        """Send heartbeats; also resend requests without a reply."""
        loop, pinged = asyncio.get_running_loop(), True
        while True:
            await asyncio.sleep(PING_EVERY / 2)
            if not self._linked or (self._finding_back is not None and not self._finding_back.done()):
                continue
            if self._astray:
                self._link_found()
                continue
            now = loop.time()
            for request in self._requests:
                if now - request.sent_at >= RESEND_AFTER:
                    self.send(request)
            pinged = not pinged
            if not pinged:
                continue
            with contextlib.suppress(ConnectionError, Rejected, TimeoutError):
                async with asyncio.timeout(PING_EVERY):
                    await self.ask("ping")


def _read_message(frame: bytes) -> dict[str, Json]:
    try:
        return messages.read_object(frame)
    except BadData:
        return {}
