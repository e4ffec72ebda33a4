"""Ways to a table: on a local host that runs as long as the game, or on another one."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cave.protocol import TableLine
from cave.wire import MAX_TITLE, clean_text
from client.launch import host_tables
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.host_tables import OwnTable, check_sitting
from client.launch.join_table import JoinedTable, RoundAfter, follow_way, limit_request_time, open_and_sit, resume_seats
from client.launch.new_game import GamePlan, record_name
from client.launch.opening import ResumedGame, farewell_sentence
from client.launch.own_host import HostFailed, OwnHost
from client.net.known_hosts import Address, Keys, lan_addresses, parse_address
from client.table import Closed, Rejected, Session, TableState

if TYPE_CHECKING:
    from client.net.connection import Connection

__all__ = ["HostFailed", "JoinedTable", "Launcher"]

LOCAL = "127.0.0.1"
HOLD_AGAIN = 0.2  # seconds
UNSAVED = "This game cannot be saved and is lost when you quit. {why}"
NO_REMATCHES = "This host is of an earlier version, which has no rematches. Open a new table in its place."


class Launcher:
    """Opens one table at a time, and cleans up after it.

    ``host_command`` returns the command of a local host; true asks for one that others can reach. ``records``
    is the folder for records; None if nothing can be saved: then local games end with this program. ``keys``
    has this client's identity and its known hosts; ``find`` returns how to resume a game in which this user
    has seats, or raises ConnectionError; ``name`` is this user's name. ``prepared`` is a local host that was
    already started, for the next game that others need not reach. ``round_after`` returns the round of a
    table's game after events, ``pace`` the bots' pace at new tables. ``seats`` are the seats of this user.
    """

    def __init__(
        self,
        host_command: Callable[[bool], Sequence[str]],
        records: Path | None,
        keys: Keys | None = None,
        *,
        find: Callable[[str], ResumedGame] | None = None,
        name: str = "",
        prepared: OwnHost | None = None,
        round_after: RoundAfter = lambda before, _state, _events: before,
        pace: Callable[[], str] = lambda: "usual",
    ) -> None:
        self._host_command = host_command
        self._round_after = round_after
        self._pace = pace
        self._keys = keys
        self.seats = SeatBook(keys.folder if keys is not None else None)
        self._find = find
        self._name = name
        self._records = records
        self.host: OwnHost | None = None
        self._prepared = prepared
        self._begun: tuple[GamePlan, asyncio.Task[JoinedTable]] | None = None
        self._anew: GamePlan | None = None  # of a rematch that the host would start from the same position
        self.connection: Connection | None = None
        self.table: JoinedTable | None = None
        self._keeping: asyncio.Task[str] | None = None
        self._holding: asyncio.TimerHandle | None = None
        self._minding: asyncio.Task[None] | None = None

    def begin(self, plan: GamePlan) -> None:
        """Start ``play`` for this plan, to be finished when the screens are loaded."""
        self._begun = (plan, asyncio.create_task(self._open_locally(plan)))

    async def play(self, plan: GamePlan) -> JoinedTable:
        """Start a host, open the game, sit down; raises ConnectionError or Rejected."""
        if self._begun is not None and self._begun[0] == plan:
            # Keep the task until it is done, so that leaving can stop it.
            try:
                return await self._begun[1]
            finally:
                self._begun = None
        await self._leave_everything()
        return await self._open_locally(plan)

    async def _open_locally(self, plan: GamePlan) -> JoinedTable:
        from client.net.connection import connect

        async with self._all_or_nothing():
            await self._leave_table()
            shared = bool(plan.open_seats)
            door = await self._start_host(shared=shared)
            port, key = door["port"], str(door.get("public_key", ""))
            # The local host's door line works as a ticket.
            connection = self.connection = await connect(
                Address(LOCAL, port, key).ticket, name=next(iter(plan.people_here), ""), keys=self._keys
            )
            seed = plan.seed or os.urandom(8).hex()
            title = plan.title or _cut_title(", ".join(plan.people_here)) or "bots"
            seed = "" if plan.open_seats and not plan.seed else seed
            session = await open_and_sit(connection, plan, title, seed, self._pace())
            path = self._record_path([seat.name for seat in plan.seats if seat.name], session.state.table)
            there = Address(lan_addresses()[0] if shared else LOCAL, port, key)
            why = clean_text(str(door.get("unsaved", "")))
            public = str(replace(there, key="")) if shared else ""
            self._anew = replace(plan, position=None, continues=False) if plan.continues else None
            saved, warning = path is not None and not why, why and UNSAVED.format(why=why)
            return self._begin_table(
                JoinedTable(session, public, there.ticket, path, local=True, saved=saved, warning=warning)
            )

    async def tables(self, address: str) -> list[TableLine]:
        """Return the tables at an address; raises ConnectionError, or ValueError for an invalid address."""
        connection = await self._visit_host(address)
        tables = await connection.ask_for_tables()
        mine = [held for held in self.own_held_seats(live=True) if held.table in connection.shelved]
        return [*tables, *host_tables.shelved_tables(mine)]

    async def join(
        self, address: str, table: str, names: Sequence[str], code: str = "", seats: Sequence[int] = ()
    ) -> JoinedTable:
        """Sit down, or watch without names; ValueError for names or seats taken, or too many names."""
        async with self._all_or_nothing():
            connection = await self._visit_host(address)
            session: Session | None = None
            async with limit_request_time(connection):
                if names:
                    check_sitting(await connection.ask_for_tables(), table, names, seats)
                for name, seat in zip_longest(names, seats):
                    session = await connection.sit(table, name, seat=seat, code=code or None)
                if session is None:
                    session = await connection.watch(table)
            path = self._record_path(["joined"], table) if names else None
            return self._begin_table(JoinedTable(session, address, connection.ticket, path))

    async def open(self, address: str, plan: GamePlan) -> JoinedTable:
        """Open a table at the host at this address, and sit down; raises ConnectionError or Rejected."""
        async with self._all_or_nothing():
            connection = await self._visit_host(address)
            async with limit_request_time(connection):
                whose = next(iter(plan.people_here), "")
                title = plan.title or (f"{whose}'s table" if whose else "")
                session = await open_and_sit(connection, plan, title, plan.seed, self._pace())
            path = self._record_path(["joined"], session.state.table) if plan.people_here else None
            return self._begin_table(JoinedTable(session, address, connection.ticket, path))

    @property
    def may_open(self) -> bool:
        """Whether the current host lets this client open tables."""
        return self.connection is None or self.connection.may_open

    async def resume(self, wanted: ResumedGame) -> JoinedTable:
        """Resume a game, on our own host that has it or on the host where it is played."""
        return await follow_way(wanted, self._resume_game)

    async def _resume_game(self, wanted: ResumedGame) -> JoinedTable:
        from client.net.connection import connect
        from client.net.discovery import visit_wherever_host_is

        async with self._all_or_nothing():
            if wanted.command:
                await self._leave_table()
                self.host = OwnHost(wanted.command)
                door = await self._wait_for_host(self.host)
                there = Address(LOCAL, door["port"], str(door.get("public_key", "")))
                connection = self.connection = await connect(there.ticket, keys=self._keys)
            elif wanted.again:
                connection = await self._visit_host(wanted.address, wanted)
            else:
                connection = await visit_wherever_host_is(wanted.address, lambda there: self._visit_host(there, wanted))
            session = await resume_seats(connection, wanted, self.seats)
            path = self._record_path(["resumed"], session.state.table)
            borrowed = wanted.local and not wanted.command
            local = wanted.local or bool(wanted.command)
            found_at = wanted.shared or connection.ticket
            public = wanted.address and connection.address
            return self._begin_table(JoinedTable(session, public, found_at, path, local=local, borrowed=borrowed))

    async def find(self, table: str) -> ResumedGame:
        """Return how to resume a game in which this user has seats, on any host."""
        assert self._find is not None
        return await asyncio.to_thread(self._find, table)

    def _begin_table(self, table: JoinedTable) -> JoinedTable:
        self.table = table
        table.session.listen(self._keep_finished_record)
        self._keep_finished_record(table.session.state)
        if self.host is not None:
            self._minding = asyncio.create_task(self._watch_own_host(self.host))
        return table

    async def _watch_own_host(self, host: OwnHost) -> None:
        """Restart a local host once if it dies. Ports and keys stay, so every client reconnects."""
        await host.wait_until_gone()
        await host.end()
        if self.table is not None and self.table.saved:
            with contextlib.suppress(HostFailed):
                self.host = host.restart_host()
                await self._wait_for_host(self.host)
                await self.host.wait()
        if self.connection is not None:
            await self.connection.close("died")

    async def rematch(self) -> JoinedTable:
        """Join the rematch that the host opens, as a watcher if no seat is reserved. Raises as ``join``. A
        game that continued a lesson or a record is followed by a new one.
        """
        if self._anew is not None:
            return await self._open_locally(self._anew)
        async with self._all_or_nothing():
            last, connection = self.table, self.connection
            if last is None or connection is None:
                raise HostFailed("There is no game to play again.")
            before, keys = last.session.state, last.keys_held
            places = {**getattr(last.session, "places", {})}
            if before.series and before.series.players:
                places |= {before.seats[seat].name: key for seat, key in keys.items()}
            try:
                table, kept = await connection.ask_for_rematch(before.table, {*keys.values(), *places.values()})
            except Rejected as no:
                raise Rejected(no.code, NO_REMATCHES) if no.code == "unknown_type" else no from None
            await self._finish_table()
            self.seats.forget(before.table)
            session = await connection.watch(table)
            if places:
                session.note_robin_players(places)
            # In a series the players change seats.
            people = [(each.kept, seat) for seat, each in enumerate(session.state.seats) if seat in kept]
            if people:
                key_of = places | {before.seats[seat].name: key for seat, key in keys.items()}
                held = {seat: key_of[name] for name, seat in people if name in key_of}
                session = await connection.sit_together(table, people, keys=held)
            path = self._record_path(["rematch"], table) if people else None
            again = JoinedTable(session, last.address, last.found_at, path, last.local, last.borrowed, last.saved)
            return self._begin_table(again)

    async def leave(self, *, to_menu: bool = False) -> str:
        """Leave the table and its host; return a sentence about how to see or resume it. Never raises."""
        await self._leave_everything()
        if self.table is not None and self.table.is_own_series:
            # The local host ends with this program, and saves only unfinished games.
            with contextlib.suppress(ConnectionError, Rejected):
                await self.rematch()
        sentence = await self._leave_table(to_menu=to_menu)
        prepared, self._prepared = self._prepared, None
        if prepared is not None:
            await prepared.end()
        return sentence

    @contextlib.asynccontextmanager
    async def _all_or_nothing(self) -> AsyncIterator[None]:
        """Leave no host and no connection behind if opening a table fails or is cancelled."""
        try:
            yield
        except BaseException:
            await self._leave_table()
            raise

    async def _leave_everything(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            begun[1].cancel()
            await asyncio.gather(begun[1], return_exceptions=True)

    async def _leave_table(self, *, to_menu: bool = False) -> str:
        self._anew = None
        sentence = await self._finish_table(to_menu=to_menu)
        self.seats.live.hold(())
        connection, self.connection = self.connection, None
        if connection is not None:
            with contextlib.suppress(ConnectionError, OSError):
                await connection.close()
        host, self.host = self.host, None
        if host is not None:
            await host.end()
        return sentence

    async def _finish_table(self, *, to_menu: bool = False) -> str:
        table, self.table = self.table, None
        sentence = ""
        if self._minding is not None:
            if self.host is not None and self.host.alive:
                self._minding.cancel()
            await asyncio.wait([self._minding])
            self._minding = None
        await self.record_kept()
        self._keeping = None
        if table is not None:
            record, held = await table.keep_record(), self._remember_seats(table)
            kept = table.saved and self._records is not None
            state, saved = table.session.state, kept or not table.local
            here = kept and table.local and not table.seat_keys
            sentence = farewell_sentence(
                state, record, held=held and kept, saved=saved, here=here, local=table.local, to_menu=to_menu
            )
            await table.stand_up(self.seats)
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                await table.session.close()
        return sentence

    # ------------------------------------------------------------ seats held

    async def own_tables(self) -> list[OwnTable]:
        """Return the user's tables at all hosts, those waiting for the user first."""
        return await host_tables.look_at_own_tables(self.seats, self._keys or Keys())

    def own_held_seats(self, *, live: bool = False) -> list[HeldSeats]:
        """Return the user's own seats at the host; if none and ``live``, those of other terminals."""
        here = self.connection
        return [] if here is None else self.seats.seats_at_host(here.key, here.address, live=live)

    def _remember_seats(self, table: JoinedTable) -> bool:
        saving = table.saved and self._records is not None
        return table.remember_seats(self.seats, self.connection, saving=saving)

    # ------------------------------------------------------------ records

    def _keep_finished_record(self, state: TableState) -> None:
        """Save the record of a finished game at once, and so the seats."""
        table = self.table
        if table is None:
            return
        # A local game without any action is not offered again.
        lasts = state.touched or not table.local
        if lasts:
            self._hold_seats(table)
        if table.borrowed and self._minding is None and (state.closed == "stopped" or state.missing):
            assert self.connection is not None
            why: Closed = "left" if state.closed == "stopped" else "died"
            self._minding = asyncio.create_task(self.connection.close(why))
        ended = state.ended or state.link == "closed"
        round_began = table.count_rounds(state, self._round_after)
        undone = table.remembered and not lasts
        if not table.remembered or undone or ended or round_began or state.freed != table.freed:
            table.remembered, table.freed = self._remember_seats(table), state.freed
        if state.ended and table.kept != state.seq:
            table.kept = state.seq
            self._keeping = asyncio.create_task(table.keep_record())

    def _hold_seats(self, table: JoinedTable) -> None:
        """Hold the seats, so that no other terminal offers them.

        If a terminal has lost a seat to this one, it holds the seat until it notices.
        """
        if self._holding is not None:
            self._holding.cancel()
            self._holding = None
        if table is self.table and not self.seats.live.hold(table.seat_keys.values()):
            self._holding = asyncio.get_running_loop().call_later(HOLD_AGAIN, self._hold_seats, table)

    def _record_path(self, who: Sequence[str], table: str) -> Path | None:
        return self._records and self._records / record_name(who, datetime.now(), table)

    async def record_kept(self) -> None:
        """Wait until the record of a finished game is on disk, or writing it has failed."""
        if self._keeping is not None:
            await asyncio.wait([self._keeping])

    # ------------------------------------------------------------ hosts

    async def _visit_host(self, address: str, wanted: ResumedGame | None = None) -> Connection:
        from client.net.connection import connect

        where = parse_address(address)
        here = self.connection
        if here is not None and here.address == str(where) and where.key in ("", here.key):
            return here
        await self._leave_table()
        keys = self._keys
        if keys is not None and wanted is not None:
            keys = replace(keys, accept_new=keys.accept_new or wanted.accept_new, plain=keys.plain or wanted.plain)
        self.connection = await connect(address, name=self._name, keys=keys)
        return self.connection

    async def _start_host(self, *, shared: bool) -> dict[str, Any]:
        prepared = None
        if not shared:
            # A prepared host listens only on this machine.
            prepared, self._prepared = self._prepared, None
        self.host = prepared or OwnHost(self._host_command(shared))
        return await self._wait_for_host(self.host)

    async def _wait_for_host(self, host: OwnHost) -> dict[str, Any]:
        """Wait until a local host is ready. Without open seats it admits only this client."""
        assert self._keys is not None
        return await host.wait_for_door((await asyncio.to_thread(self._keys.identity)).public)


def _cut_title(title: str) -> str:
    """Truncate a title that is too long for a table, as with many names."""
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1].rstrip()}…"
