"""Ways to a table: on a host of our own that lives as long as the game, or on somebody else's.

The only thing this module knows of the host is how its child process talks: one line of JSON when
it is ready, and it ends when its input is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from cave import codec
from cave.game import BadData, Json
from client import seats
from client.address import Address, parse_address
from client.present.opening import Resumed, farewell
from client.present.setup import GamePlan, SeatPlan
from client.table_state import Rejected, Session, TableState

if TYPE_CHECKING:
    from client.connection import Connection
    from client.keys import Keys

GAME = "the-cave"
PATIENCE = 15.0  # seconds a host of our own may take to be ready


class HostFailed(ConnectionError):
    """The host of our own could not start; one sentence."""


@attrs.frozen
class Played:
    """A table one sits or looks at. ``address`` is what others type to join, or empty;
    ``record_path`` is where the record is kept, or empty.
    """

    session: Session
    address: str = ""
    record_path: str = ""


@attrs.define
class _Table:
    """The table being played, and what is needed to keep its record."""

    session: Session
    path: Path | None = None
    kept: int = -1


class Launcher:
    """Opens tables and cleans up behind them; one table at a time.

    ``host_command`` gives the command of a local host; true asks for one that others can reach.
    ``keys`` is who this client is, and which hosts it knows.
    """

    def __init__(
        self, host_command: Callable[[bool], Sequence[str]], records: Path, keys: Keys | None = None
    ) -> None:
        self._host_command = host_command
        self._keys = keys
        self._records = records
        self._host: asyncio.subprocess.Process | None = None
        self._prepared: asyncio.subprocess.Process | None = None
        self._connection: Connection | None = None
        self._table: _Table | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def prepare(self) -> None:
        """Let the host of the next game start meanwhile; raises ConnectionError."""
        self._prepared = await self._spawn(self._host_command(False))

    async def play(self, plan: GamePlan) -> Played:
        """Start a host, open the game, sit down; raises ConnectionError or Rejected."""
        from client.connection import connect

        await self._leave_table()
        shared = bool(plan.open_seats)
        door = await self._start_host(shared=shared)
        port, key = door["port"], str(door.get("public_key", ""))
        # What a host of our own says of itself is as good as a ticket, and only others need to
        # know this client again.
        connection = self._connection = await connect(
            Address("127.0.0.1", port, key).ticket,
            name=next(iter(plan.people), ""),
            keys=self._keys if shared else None,
        )
        seed = plan.seed or secrets.token_hex(8)
        table = await connection.open(
            GAME,
            seats=[seat_json(seat) for seat in plan.seats],
            settings=plan.settings,
            title=plan.title or ", ".join(plan.people) or "bots",
            start=plan.position,
            seed=None if plan.position or (plan.open_seats and not plan.seed) else seed,
        )
        session: Session | None = None
        for number, seat in enumerate(plan.seats):
            if seat.kind == "person":
                session = await connection.sit(table, seat.name, seat=number)
        if session is None:
            session = await connection.watch(table)
        self._remember_seats(session)
        path = self._records / record_name(plan, datetime.now())
        self._table = _Table(session, path)
        session.listen(self._changed)
        shown = str(Address(lan_addresses()[0], port)) if shared else ""
        return Played(session, shown, str(path))

    async def tables(self, address: str) -> list[Json]:
        """The tables at an address; raises ConnectionError, or ValueError for a wrong address."""
        connection = await self._visit(address)
        return list(await connection.tables())

    async def join(self, address: str, table: str, names: Sequence[str]) -> Played:
        """Sit down with these names, or watch where there are none."""
        connection = await self._visit(address)
        session: Session | None = None
        for name in names:
            session = await connection.sit(table, name)
        if session is None:
            session = await connection.watch(table)
        self._remember_seats(session)
        path = self._records / f"{datetime.now():%Y-%m-%d-%H%M%S}-joined.jsonl"
        self._table = _Table(session, path if names else None)
        session.listen(self._changed)
        return Played(session, address, str(path) if names else "")

    async def resume(self, wanted: Resumed) -> Played:
        """Take a game up again, on a host of our own that has it or on the one where it is played."""
        from client.connection import connect

        if wanted.command:
            await self._leave_table()
            self._host = await self._spawn(wanted.command)
            door = await self._door()
            ticket = Address("127.0.0.1", door["port"], str(door.get("public_key", ""))).ticket
            connection = self._connection = await connect(ticket, keys=self._keys)
        else:
            connection = await self._visit(wanted.address)
        session: Session | None = None
        for seat, key in sorted(wanted.keys.items()):
            session = await connection.resume(wanted.table, seat, key)
        if session is None:
            session = await connection.watch(wanted.table)
        path = self._records / f"{datetime.now():%Y-%m-%d-%H%M%S}-resumed.jsonl"
        self._table = _Table(session, path)
        session.listen(self._changed)
        return Played(session, wanted.address, str(path))

    async def leave(self) -> str:
        """Leave the table: its record is kept, the hosts of our own end.

        Gives a sentence about how to see the game again or to play it on, or nothing where there was
        none. Never raises.
        """
        sentence = await self._leave_table()
        prepared, self._prepared = self._prepared, None
        await _end(prepared)
        return sentence

    async def _leave_table(self) -> str:
        table, self._table = self._table, None
        sentence = ""
        if self._keeping is not None:
            await asyncio.wait([self._keeping])
            self._keeping = None
        if table is not None:
            sentence = farewell(table.session.state, await self._keep(table))
            await self._stand_up(table.session)
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                await table.session.close()
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(ConnectionError, OSError):
                await connection.close()
        host, self._host = self._host, None
        await _end(host)
        return sentence

    # ------------------------------------------------------------ records

    def _changed(self, state: TableState) -> None:
        """The record of a finished game is kept at once, whatever happens after."""
        table = self._table
        if table is not None and state.status == "over" and table.kept != state.seq:
            table.kept = state.seq
            self._keeping = asyncio.create_task(self._keep_quietly(table))

    async def _keep_quietly(self, table: _Table) -> None:
        await self._keep(table)

    async def _keep(self, table: _Table) -> str:
        if table.path is None or table.session.state.status != "over":
            return ""  # Without the seed, which would tell what is still hidden, it could not be replayed.
        try:
            async with asyncio.timeout(3):
                lines = await table.session.record()
        except (ConnectionError, Rejected, TimeoutError):
            return str(table.path) if table.path.exists() else ""
        try:
            table.path.parent.mkdir(parents=True, exist_ok=True)
            scratch = table.path.with_suffix(".part")
            scratch.write_bytes(b"".join(codec.encode(line) + b"\n" for line in lines))
            scratch.replace(table.path)
        except OSError:
            return ""
        return str(table.path)

    def _remember_seats(self, session: Session) -> None:
        """Who has the key has the seat, also when this program has ended in between."""
        if self._keys is not None and self._keys.folder is not None and self._connection is not None:
            keys: Mapping[int, str] = getattr(session, "keys", {})
            seats.remember(self._keys.folder, session.state.table, self._connection.address, keys)

    async def _stand_up(self, session: Session) -> None:
        """Give up the seats of a game that has not begun; in a running one they are kept for us."""
        stand = getattr(session, "stand", None)
        if stand is not None and session.state.status == "waiting":
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                for seat in session.state.my_seats:
                    await stand(seat)

    # ------------------------------------------------------------ hosts

    async def _visit(self, address: str) -> Connection:
        from client.connection import connect

        where = str(parse_address(address))
        if self._connection is not None and self._connection.address == where:
            return self._connection
        await self._leave_table()
        self._connection = await connect(address, keys=self._keys)
        return self._connection

    async def _spawn(self, command: Sequence[str]) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise HostFailed(f"The game's host could not be started: {error.strerror}.") from None

    async def _start_host(self, *, shared: bool) -> dict[str, Any]:
        prepared = None
        if not shared:
            # One that is ready listens on this machine only.
            prepared, self._prepared = self._prepared, None
        self._host = prepared or await self._spawn(self._host_command(shared))
        return await self._door()

    async def _door(self) -> dict[str, Any]:
        """What the host of our own says when it is ready."""
        assert self._host is not None
        assert self._host.stdout is not None
        assert self._host.stderr is not None
        try:
            async with asyncio.timeout(PATIENCE):
                line = await self._host.stdout.readline()
            door = codec.decode(line)
        except TimeoutError:
            raise HostFailed("The game's host did not become ready; please try again.") from None
        except BadData:
            last = (await self._host.stderr.read()).decode(errors="replace").strip().splitlines()
            raise HostFailed(last[-1] if last else "The game's host could not be started.") from None
        if not isinstance(door, dict) or not isinstance(door.get("port"), int):
            raise HostFailed("The game's host said something unknown; is it of this version?")
        return door


async def _end(host: asyncio.subprocess.Process | None) -> None:
    """Close the child's input, which ends it; one that does not end is killed."""
    if host is None:
        return
    if host.stdin is not None:
        host.stdin.close()
    try:
        async with asyncio.timeout(3):
            await host.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            host.kill()
        await host.wait()


def seat_json(seat: SeatPlan) -> Json:
    """A seat as the host's ``open`` wants it; people sit down themselves."""
    return {"kind": "bot", "level": seat.level} if seat.kind == "bot" else {"kind": "open"}


def record_name(plan: GamePlan, now: datetime) -> str:
    """The file name of a game's record: when, and who."""
    who = "-".join(seat.name for seat in plan.seats if seat.name)
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in who)
    return f"{now:%Y-%m-%d-%H%M%S}-{plain[:60] or 'game'}.jsonl"


def lan_addresses() -> list[str]:
    """The addresses of this machine in its networks, else its name. Nothing is sent for it."""
    found = []
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # A datagram socket that is connected only looks up which way it would go.
            probe.connect((anywhere, 9))
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not address.startswith("127.")] or [socket.gethostname()]
