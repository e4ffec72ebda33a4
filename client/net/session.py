"""A table over the net, for screens, and the requests of a connection."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, Protocol

from msgspec import Struct

from cave import codec, protocol, wire
from cave.game import Json
from client.net.store import Store
from client.table import Closed, Link, Missing, Rejected, TableState
from client.wording import NO_LINK

Listener = Callable[[TableState], None]

FIRST, LONGEST = 0.1, 10.0  # seconds of the first and the longest pause
CALM = 30.0  # seconds without a request after which the pauses start over


class Pace:
    """Back-off for requests for the same thing: no pause at first, then ever longer ones."""

    def __init__(self) -> None:
        self._pause = 0.0
        self._asked_at = -inf

    def seconds_to_wait(self, now: float) -> float:
        """Return the seconds to wait from this time until the next request, which the caller then sends."""
        calm = now - self._asked_at > CALM
        self._pause = 0.0 if calm else min(max(2 * self._pause, FIRST), LONGEST)
        self._asked_at = now + self._pause
        return self._pause


class Request(Struct):
    number: str
    message: bytes
    reply: asyncio.Future[dict[str, Json]]
    sent_at: float


class Requests:
    """The requests of a connection. Their ids rise, so that the host does none of them twice."""

    def __init__(self) -> None:
        self._run = os.urandom(8).hex()
        self._count = itertools.count()
        self._open: dict[str, Request] = {}

    def __iter__(self) -> Iterator[Request]:
        return iter(list(self._open.values()))

    def new(self, asked: protocol.Request) -> Request:
        """Return a request to send; raises Rejected if it is too long."""
        number = f"{self._run}#{next(self._count)}"
        message = wire.pad_message(codec.encode({**codec.to_json(asked), "id": number}))
        if len(message) > wire.MAX_MESSAGE:
            raise Rejected("too_large", "That is too long to send.")
        loop = asyncio.get_running_loop()
        request = self._open[number] = Request(number, message, loop.create_future(), loop.time())
        return request

    def forget(self, request: Request) -> None:
        self._open.pop(request.number, None)

    def answer(self, message: dict[str, Json]) -> bool:
        number = message.get("re")
        request = self._open.get(number) if isinstance(number, str) else None
        if request is None:
            return False
        if not request.reply.done():
            request.reply.set_result(message)
        return True

    def fail(self, why: str) -> None:
        for request in self:
            if not request.reply.done():
                request.reply.set_exception(ConnectionError(why))
                # The caller may have been cancelled and not retrieve it.
                request.reply.exception()


class Host(Protocol):
    @property
    def address(self) -> str: ...

    async def ask(self, kind: str, *, insist: bool = False, **fields: Json) -> Any: ...

    def leave(self, session: NetSession) -> None: ...


class NetSession:
    """A table over the net: ``client.table.Session``. Created by a Connection."""

    def __init__(self, connection: Host, table: str) -> None:
        self.table = table
        self.keys: dict[int, str] = {}
        self.places: dict[str, str] = {}
        """The keys of this client's players of a round robin, by name."""
        self.complete = asyncio.Event()
        self._connection = connection
        self.store = Store(table, address=connection.address)
        self._listeners: list[Listener] = []
        self._notifying: asyncio.Handle | None = None
        self._told: TableState | None = None
        self.syncing: asyncio.Task[None] | None = None
        self._pace = Pace()
        self._former: dict[int, str] = {}
        """The keys of this client's former seats: another terminal or a bot took them over."""

    @property
    def state(self) -> TableState:
        return self.store.state

    @property
    def keys_held(self) -> Mapping[int, str]:
        """The keys of seats that this client has, or had until it resigned."""
        state = self.state
        return {seat: key for seat, key in (self._former | self.keys).items() if seat not in state.taken}

    def listen(self, listener: Listener) -> None:
        """Call ``listener(state)`` after every change; a burst of messages is one change."""
        self._listeners.append(listener)

    def unlisten(self, listener: Listener) -> None:
        self._listeners.remove(listener)

    async def wait_for_state(self, condition: Callable[[TableState], bool]) -> TableState:
        """Return the state as soon as it meets the condition; listeners are called first."""
        if self._notifying is not None:
            self._notifying.cancel()
            self._notify()
        fulfilled: asyncio.Future[TableState] = asyncio.get_running_loop().create_future()

        def look(state: TableState) -> None:
            if not fulfilled.done() and condition(state):
                fulfilled.set_result(state)

        look(self.state)
        self.listen(look)
        try:
            return await fulfilled
        finally:
            self.unlisten(look)

    async def act(self, seat: int, action: Json) -> None:
        """Do the action (its public form); returns when the host has accepted it."""
        seq = self.store.choice_seq(seat)
        await self._ask_until_answered("act", seat=seat, seq=seq, action=action)

    async def undo(self, seat: int, steps: int = 1) -> None:
        seq = self.store.choice_seq(seat)
        for _ in range(steps):
            seq = (await self._ask_until_answered("undo", seat=seat, seq=seq)).seq

    async def propose(self, seat: int, what: str, *, level: str = "", until: str = "") -> bool:
        """Request something that other players may have to agree to; return whether it took effect now."""
        asked = await self._ask_until_answered("propose", seat=seat, what=what, level=level, until=until)
        return bool(asked.done)

    async def agree(self, seat: int, number: int, *, agree: bool) -> None:
        await self._ask_until_answered("agree", seat=seat, number=number, agree=agree)

    async def say(self, text: str) -> None:
        await self._ask_until_answered("say", text=text)

    async def record(self) -> list[Json]:
        return list((await self._ask("record")).lines)

    async def take_back(self) -> None:
        for seat in self.state.taken:
            key = self._former.get(seat)
            if key is not None:
                await self._ask("resume", seat=seat, key=key)
                self.take(seat, key)
        await self.sync()

    def note_robin_players(self, places: Mapping[str, str]) -> None:
        """Save these players of a round robin, who may sit out this game, with their keys."""
        self.places |= places
        self.store.note_robin_players()
        self._note_change()

    def leave_seats_to_terminal(self, keys: Mapping[int, str]) -> None:
        for seat, key in keys.items():
            self._former[seat] = key
            self.store.give_seat_away(seat)
        self._note_change()

    async def stand_up(self, seat: int) -> None:
        await self._ask("stand", seat=seat)
        self.keys.pop(seat, None)
        self.store.release(seat)
        self._note_change()

    async def sync(self) -> None:
        await self._request_snapshot("sync")

    async def watch(self) -> None:
        await self._request_snapshot("watch")

    async def close(self) -> None:
        """Stop following the table; held seats stay this client's until their players stand up."""
        if self.syncing is not None:
            self.syncing.cancel()
        self._connection.leave(self)
        self.note_lost_link("closed")

    def take(self, seat: int, key: str) -> None:
        self.keys[seat] = key
        self.store.hold(seat)

    def fold_message(self, message: Mapping[str, Json] | protocol.Snapshot, size: int = 0) -> None:
        """Process a message about this table, of this many bytes."""
        self.store.fold_message(message, size)
        for seat in set(self.keys) - set(self.store.held_seats):
            self._former[seat] = self.keys.pop(seat)
        if self.store.is_complete:
            self.complete.set()
        store = self.store
        # While disconnected no request can be sent, and an eager task would have ended before it is stored
        # here.
        if store.wants_sync and store.has_snapshot and not store.cut_off and self.syncing is None:
            self.syncing = asyncio.create_task(self._sync_soon())
        self._note_change()

    def note_lost_link(self, link: Link, closed: Closed = "") -> None:
        self.store.note_lost_link(link, closed)
        self._note_change()

    def note_moved_host(self, address: str) -> None:
        self.store.note_moved_host(address)
        self._note_change()

    def note_missing_host(self, why: Missing) -> None:
        """Note that the host is taking long to return, or does not admit this client."""
        if self.state.missing != why:
            self.store.note_missing_host(why)
            self._note_change()

    async def find_back(self) -> None:
        self.store.note_found_link()
        for seat, key in list(self.keys.items()):
            try:
                await self._ask("resume", seat=seat, key=key, again=True)
            except Rejected as no:
                if no.code in ("shelved", "no_table"):
                    self.note_lost_link("closed", "shelved" if no.code == "shelved" else "gone")
                    return
                # Watching still works.
                self._former[seat] = self.keys.pop(seat)
                self.store.release(seat, "taken" if no.code == "seat_taken" else "freed")
        try:
            await self.watch()
            await self.sync()
        except Rejected as no:
            # Otherwise the host no longer has the table: it was restarted, or the table was removed.
            self.note_lost_link("closed", "shelved" if no.code == "shelved" else "gone")

    async def _request_snapshot(self, kind: str) -> None:
        self.store.note_snapshot_asked()
        self.fold_message(await self._ask(kind))

    async def _ask(self, kind: str, **fields: Json) -> Any:
        return await self._connection.ask(kind, table=self.table, **fields)

    async def _ask_until_answered(self, kind: str, **fields: Json) -> Any:
        """Send a player's request. If the link is lost, send it again when the link is back."""
        if self.state.expects_host:
            raise ConnectionError(NO_LINK)
        return await self._connection.ask(kind, insist=True, table=self.table, **fields)

    async def _sync_soon(self) -> None:
        """Request missing data until it is complete, ever more rarely."""
        try:
            while self.store.wants_sync and not self.store.cut_off:
                await asyncio.sleep(self._pace.seconds_to_wait(asyncio.get_running_loop().time()))
                try:
                    await self.sync()
                except Rejected as no:
                    if no.code == "shelved":
                        self.note_lost_link("closed", "shelved")
                        return
                except ConnectionError:
                    pass
        finally:
            self.syncing = None

    def _note_change(self) -> None:
        if self._notifying is None and self._listeners and self.store.has_snapshot:
            self._notifying = asyncio.get_running_loop().call_soon(self._notify)

    def _notify(self) -> None:
        self._notifying = None
        state = self.store.state
        if state is self._told:
            return  # for example after a beat
        self._told = state
        for listener in list(self._listeners):
            listener(state)
