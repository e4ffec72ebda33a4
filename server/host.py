"""The sockets and the event loop of a host. The service decides what to do."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import time
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Any

import zmq
import zmq.asyncio

from cave import codec, keys, protocol, wire
from cave.files import make_private
from cave.game import Json
from server import system
from server.clients.access import ZAP_PAUSE, Access, KeyPair, seed_routing_ids
from server.clients.guard import ConnectionGuard
from server.clients.limits import MIB, TokenBuckets, address_key, is_loopback, site_of
from server.clients.tcp_connections import Bounds, TcpConnection, TcpConnections
from server.gallery import Gallery
from server.journal.saved_games import RecordFolder
from server.logs import LoggedMistakes, error_line, event_line
from server.options import Options
from server.ports import FAR_OVER, Desk, Door, HostError, Ports
from server.service import Service, split_envelope
from server.tables import effects
from server.tables.bots import BotPool
from server.tables.effects import Effect
from server.tables.opening import game_list

LOG = logging.getLogger("cave.host")

FILES = 4096
IO_THREADS = 2
"""Encryption threads. With one, a table with many watchers is slow."""
TICK = 1.0  # seconds between two ticks of the service
MOMENT = 1.0  # seconds a client has to reconnect before others see it as away
STATS_EVERY = 5.0
RESTLESS = frozenset({"memory_mib", "files", "received"})  # counts that change in an idle host
LAST_WORDS = 60  # messages to read from a closed connection
UNFINISHED = FAR_OVER + 0.25
"""Maximum unread bytes of a connection, as a multiple of the largest message; fits what gets an error."""
ROOM = 32 * MIB  # minimum memory for guests, in bytes


CHOSEN_ID = codec.encode(
    protocol.Error(
        "bad_message", "This connection set its own routing id. Do not set ZMQ_ROUTING_ID: the host chooses it."
    )
)
"""The reply to a connection that chose its own id, before it is closed."""


class Host:
    """A running host: call ``open``, ``serve`` and ``close``."""

    def __init__(
        self, service: Service, options: Options, pair: KeyPair | None = None, access: Access | None = None
    ) -> None:
        self._service = service
        self._options = options
        self._pair = pair
        self._mistakes = LoggedMistakes(service.counts)
        self._access = access or Access(bans=service.bans, counts=service.counts, keeps=service.is_keeper)
        self._ports = Ports(options.bind, pair=pair, forced=options.forced, message=service.limits.message)
        seed_routing_ids()
        self._context = zmq.asyncio.Context(IO_THREADS)
        # Bind first: every connection needs an answer from here.
        self._zap = self._context.socket(zmq.ROUTER)
        self._zap.bind("inproc://zeromq.zap.01")
        self._socket = self._ports.make_desk(self._context)
        self._desk = Desk(zmq.Socket.shadow(self._socket.underlying), self._receive, self._refuse_message)
        self._gallery = self._ports.make_gallery(self._context)
        limits = service.limits
        bounds = Bounds(limits.links, limits.links_each, limits.flow, 8 * limits.flow, int(UNFINISHED * limits.message))
        self._guard = ConnectionGuard(self._access, limits, service.counts)
        self._connections = TcpConnections(
            self._socket, "desk", service.counts, bounds,
            keepers=service.keys_of_keepers, ended=self._connection_ended, held_off=self._guard.is_held_off,
            found=self._guard.connection_accepted,
        )  # fmt: skip
        self._listeners = Gallery(self._context, self._gallery, service, self._greet_subscribers, self._guard)
        self._guard.ports = (self._connections, self._listeners.connections)
        self._last_words = TokenBuckets(0.0, LAST_WORDS)
        self._door = Door(service.counts)
        service.counts.measure = self._measure_stats
        self._line: dict[str, Json] = {}
        self._records: RecordFolder | None = None
        if options.records is not None:
            self._records = RecordFolder(options.records, limits.records, limits.records_address, service.secret)
        self._bots = BotPool()
        self._bot_tasks: set[asyncio.Task[None]] = set()
        self._writings: set[asyncio.Task[None]] = set()
        self._trouble = ""

    async def open(self) -> dict[str, Json]:
        """Bind the ports and return the door's line; raises HostError."""
        if self._options.records is not None:
            try:
                make_private(self._options.records)
            except OSError as error:
                raise HostError(
                    f"The folder for records cannot be made ({error.strerror}): choose another one."
                ) from None
        least = system.resident_memory() + ROOM
        if self._service.limits.memory < least:
            raise HostError(
                f"The host needs about {(least - ROOM) // MIB} MiB of memory for itself and more for guests: "
                f"use --limit memory={-(-least // MIB)} or more."
            )
        system.raise_open_files_limit(FILES)
        listening, port, desk, gallery = self._ports.bind(self._options.port, self._socket, self._gallery)
        pair = self._pair
        self._line = {
            "type": "host",
            "protocol": list(wire.VERSIONS),
            "name": self._service.name,
            "public_key": pair.public if pair else "",
            "fingerprint": keys.fingerprint(pair.public) if pair else "",
            "port": port,
            "desk": desk,
            "gallery": gallery,
            "encrypted": pair is not None,
            "games": game_list(),
        }
        self._connections.port, self._listeners.connections.port = desk, gallery
        self._listeners.open()
        await self._door.open(listening, codec.encode(self._line) + b"\n")
        return self._line

    async def serve(self, stop: asyncio.Event) -> None:
        self._log_stats_line("open", port=self._line["port"], encrypted=self._line["encrypted"])
        self.do_effects(self._service.wake_tables(time.monotonic()))
        self._desk.open()
        tasks = [
            asyncio.create_task(self._mistakes.run_logging_errors(work))
            for work in (
                self._serve_zap, self._run_timed_work, self._guard.watch,
                self._connections.read_socket_events, self._listeners.connections.read_socket_events,
                *([self._log_stats] if self._options.stats else []),
            )
        ]  # fmt: skip
        stopped = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait((*tasks, stopped), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (*tasks, stopped, *self._bot_tasks):
                task.cancel()
            await asyncio.gather(*tasks, stopped, *self._bot_tasks, return_exceptions=True)

    async def close(self) -> None:
        self._desk.close()
        self._log_stats_line("closing", tables=len(self._service.tables))
        self.do_effects(self._service.say_host_closes())
        await self._bots.close()
        await asyncio.gather(*self._writings)
        self._door.close()
        self._connections.close()
        await self._listeners.close()
        self._guard.close()
        for each in (self._socket, self._gallery, self._zap):
            each.close()
        await asyncio.to_thread(self._context.term)

    # Incoming messages

    def _receive(self, parts: list[zmq.Frame]) -> None:
        with self._mistakes.log_errors():
            self._read_message(parts)

    def _read_message(self, parts: list[zmq.Frame]) -> None:
        routing_id, *frames = [part.bytes for part in parts]
        last, now = parts[-1], time.monotonic()
        peer = str(last.get("User-Id")) if self._pair else None
        address = address_key(str(last.get("Peer-Address")))
        # libzmq's name for the connection's descriptor.
        number = int(last.get("__fd"))
        connection = self._connections.note_heard(number, address, routing_id, peer, now, frames)
        if not self._access.ids.is_genuine(routing_id, peer):
            self._refuse_chosen_id(routing_id, frames, connection)
        elif connection is None:
            self._read_last_messages(routing_id, frames, now, peer, address)
        elif not connection.cut:
            self.do_effects(self._service.handle_message(connection.link, frames, now, peer, address))

    def _read_last_messages(
        self, routing_id: bytes, frames: list[bytes], now: float, peer: str | None, address: str
    ) -> None:
        """Read the last messages of a closed connection, up to a limit.

        Without encryption there are none: another client may have taken its routing id, and be closed, too.
        """
        link, key = self._connections.forget_ended(routing_id)
        if link and key == peer and self._last_words.take(link.hex(), now):
            self.do_effects(self._service.handle_message(link, frames, now, peer, address))
            self.do_effects(self._service.clients.connection_lost(link, now))
        elif peer is None:
            self._refuse_chosen_id(routing_id, frames, None)

    def _refuse_chosen_id(self, routing_id: bytes, frames: list[bytes], connection: TcpConnection | None) -> None:
        with contextlib.suppress(zmq.ZMQError):
            self._desk.send(routing_id, (*split_envelope(frames), CHOSEN_ID))
        if connection is not None:
            asyncio.get_running_loop().call_later(MOMENT, self._connections.disconnect, connection)

    def _refuse_message(self, parts: list[zmq.Frame]) -> None:
        with self._mistakes.log_errors():
            connection = self._connections.by_routing_id(parts[0].bytes) or self._connections.by_descriptor(
                int(parts[-1].get("__fd"))
            )
            if connection is not None and self._connections.disconnect(connection):
                self._service.counts.add("cut_desk_frames")
                self._guard.disconnect_offender(connection, "frames")

    async def _serve_zap(self) -> None:
        sender, empty, *request = await self._zap.recv_multipart()
        reply = [sender, empty, *self._access.answer_zap(request, time.monotonic())]
        asyncio.get_running_loop().call_later(ZAP_PAUSE, self._send_zap_reply, reply)

    def _send_zap_reply(self, reply: list[bytes]) -> None:
        if not self._zap.closed:
            self._zap.send_multipart(reply, zmq.DONTWAIT)

    def _greet_subscribers(self, tables: Iterable[str]) -> None:
        """Send new subscribers a first beat, which confirms their subscription."""
        with self._mistakes.log_errors():
            for table in tables:
                self.do_effects(self._service.beat_at_table(table, time.monotonic()))

    async def _run_timed_work(self) -> None:
        await asyncio.sleep(TICK)
        with self._mistakes.log_errors():
            self.do_effects(self._service.do_timed_work(time.monotonic()))
        self._guard.check_connections(time.monotonic())
        if self._service.journal.unsettled:
            await asyncio.to_thread(self._service.journal.sync_unsettled)
        self._log_trouble()

    def _connection_ended(self, link: bytes) -> None:
        if self._service.clients.holds_seat(link):
            asyncio.get_running_loop().call_later(MOMENT, self._check_silent_link, link)
        else:
            self.do_effects(self._service.clients.connection_lost(link, time.monotonic()))

    def _check_silent_link(self, link: bytes) -> None:
        if not self._socket.closed:
            with self._mistakes.log_errors():
                self.do_effects(self._service.check_connection(link, time.monotonic()))

    def _measure_stats(self) -> dict[str, int]:
        return {
            "memory_mib": system.resident_memory() >> 20,
            "files": system.count_open_descriptors(),
            "links_desk": len(self._connections),
            "links_gallery": len(self._listeners.connections),
            "topics": self._listeners.count_topics(),
            "tables": len(self._service.tables),
            "replies_kib": self._service.clients.guests.replies.size >> 10,
        }

    def _log_stats_line(self, name: str, **fields: object) -> None:
        """Log a line, with ``--stats`` only."""
        if self._options.stats:
            LOG.info(event_line(name, **fields))

    async def _log_stats(self) -> None:
        told: dict[str, int] = {}
        while True:
            await asyncio.sleep(STATS_EVERY)
            facts = self._service.counts.as_dict()
            changing = {name: number for name, number in facts.items() if name not in RESTLESS}
            if changing != told:
                self._log_stats_line("stats", **facts)
                told = changing

    def _log_trouble(self) -> None:
        trouble = self._service.changes.trouble
        if trouble != self._trouble:
            where = {"folder": self._options.data} if self._options.data else {}
            LOG.warning(event_line("not-saved", why=trouble, **where) if trouble else event_line("saved"))
            self._trouble = trouble

    # Outgoing messages

    def do_effects(self, due: Iterable[Effect]) -> None:
        todo = deque(due)
        while todo:
            match todo.popleft():
                case effects.Send(link, frames):
                    if not self.send(link, frames):
                        todo.extend(self._service.clients.connection_lost(link, time.monotonic()))
                case effects.SendView() as effect:
                    todo.extend(self._send_view(effect))
                case effects.Publish(table, message):
                    self._listeners.publish(wire.gallery_topic(table).encode(), message)
                case effects.AskBot() as effect:
                    _start_task(self._ask_bot(effect), self._bot_tasks)
                case effects.AskWhetherLost() as effect:
                    _start_task(self._ask_whether_lost(effect), self._bot_tasks)
                case effects.Finished() as effect:
                    _start_task(self._write_record(effect), self._writings)
                case effects.Ended(table, game, won, resigned):
                    left = {"resigned": resigned} if resigned else {}
                    self._log_stats_line("ended", table=table, game=game, **left, won=", ".join(won))
                case effects.SetAside(table, mistake):
                    LOG.error(error_line(mistake, f"the table {table} is set aside, the others continue"))
                case effects.Mistake(mistake):
                    self._mistakes.note(mistake)
                case effects.Disconnect(link, peer, seconds):
                    self._disconnect(link, peer, seconds)
                case effects.Leave(link):
                    if self._connections.disconnect_link(link):
                        self._service.counts.add("cut_desk_crowd")
                case effects.SetBan() as effect:
                    self._set_ban(effect)

    def _send_view(self, effect: effects.SendView) -> list[Effect]:
        now = time.monotonic()
        try:
            frames = effect.frames
        except Exception as mistake:
            return self._service.set_failed_table_aside(effect.seat_view.table, mistake, now)
        gone = not (self._is_there(effect.link) and self.send(effect.link, frames))
        return self._service.clients.connection_lost(effect.link, now) if gone else []

    def send(self, link: bytes, frames: tuple[bytes, ...]) -> bool:
        """Send to one client; False if it is gone. A client that reads too slowly is disconnected."""
        connection = self._connections.by_link(link)
        if connection is None:
            return False
        try:
            self._desk.send(connection.routing_id, frames)
        except zmq.Again:
            # It has stopped reading. Disconnecting frees its queue; a live client reconnects.
            self._service.counts.add("cut_desk_slow")
            self._connections.disconnect_link(link)
        except zmq.ZMQError as problem:
            return problem.errno != errno.EHOSTUNREACH
        return True

    def _is_there(self, link: bytes) -> bool:
        """Return whether the connection still has its routing id. The host's own ids are unique; for others,
        libzmq closes the descriptor before another connection can take the id.
        """
        connection = self._connections.by_link(link)
        return connection is not None and (self._pair is not None or connection.wire.owns_descriptor())

    def _disconnect(self, link: bytes, peer: str, seconds: float | None) -> None:
        if seconds is not None:
            self._access.hold_off(peer, time.monotonic() + seconds)
        # The gallery knows a client by its key only.
        self._listeners.connections.disconnect_client(peer)
        connection = self._connections.by_link(link)
        if self._connections.disconnect_link(link):
            self._service.counts.add("cut_desk_banned")
            self._guard.log_line(
                event_line("cut", client=keys.fingerprint(peer)), connection.address if connection else ""
            )

    def _set_ban(self, effect: effects.SetBan) -> None:
        now = time.monotonic()
        try:
            if effect.banned:
                self._access.ban(effect.peer, effect.address, now + effect.seconds, now)
            else:
                self._access.lift_ban(effect.peer, effect.address)
        except OSError as error:
            LOG.warning(event_line("list-not-written", why=error.strerror))
        if effect.banned:
            self._listeners.connections.disconnect_client(effect.peer)
            if effect.address:
                self._listeners.connections.disconnect_address(effect.address)
                self._connections.disconnect_address(effect.address)
        who = {"client": keys.fingerprint(effect.peer)} if effect.peer else {}
        where = {"address": effect.address} if effect.address else {}
        LOG.info(event_line("ban" if effect.banned else "pardon", **who, **where))

    async def _ask_bot(self, effect: effects.AskBot) -> None:
        pause = asyncio.create_task(asyncio.sleep(effect.pace * self._options.bot_pause))
        action = await self._bots.choose_action(effect)
        await pause
        with self._mistakes.log_errors():
            now = time.monotonic()
            self.do_effects(self._service.changes.play_bot(effect.table, effect.seat, effect.seq, action, now))

    async def _ask_whether_lost(self, effect: effects.AskWhetherLost) -> None:
        if await self._bots.is_lost(effect):
            with self._mistakes.log_errors():
                self.do_effects(self._service.changes.offer_to_resign(effect.table, effect.seat, time.monotonic()))

    async def _write_record(self, game: effects.Finished) -> None:
        if self._records is not None:
            # A local game's host has no owner. Players on this machine are not guests.
            own = not self._options.owner and is_loopback(game.guest)
            try:
                await system.run_in_thread(
                    self._records.write, game.table, game.record, "" if own else site_of(game.guest)
                )
            except OSError as error:
                LOG.warning(event_line("record-not-written", table=game.table, why=error.strerror))


def _start_task(work: Coroutine[Any, Any, None], running: set[asyncio.Task[None]]) -> None:
    task = asyncio.get_running_loop().create_task(work)
    running.add(task)
    task.add_done_callback(running.discard)
