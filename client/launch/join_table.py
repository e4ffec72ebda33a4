"""A table: opening, sitting down, resuming seats; saves its record and the keys of its seats."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from cave import files, record
from cave.files import make_private
from cave.game import Json
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import ResumedGame
from client.net.known_hosts import parse_address
from client.system import command_as_typed
from client.table import Rejected, Session, TableState
from client.wording import told_apart

if TYPE_CHECKING:
    from client.net.connection import Connection
    from client.net.session import NetSession


PATIENCE = 10.0  # seconds for a host to let us sit down
LOOKS = 3
MOMENT = 0.05  # seconds between two checks
HOST_HAS_NOT = "The host at {address} no longer has this game."
STILL_HELD = " Your seat is kept: without encryption this may be another host."
IN_USE = (
    "Another program on this machine has the game {table} open and does not answer. Quit it there, then type: {resume}"
)
SHARING = 8.0  # seconds for another program that has the game open to admit us, or to close it
AGAIN = 0.1  # seconds until the next look at the game
Found = TypeVar("Found")
NOT_YOURS = "Somebody else has the seat now, or the key is wrong. To watch, type: {watch}"


@contextlib.asynccontextmanager
async def limit_request_time(connection: Connection) -> AsyncIterator[None]:
    """Limit the time of a few consecutive requests, each of which has its own timeout."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise ConnectionError(f"The host at {connection.address} does not answer.") from None


async def open_and_sit(connection: Connection, plan: GamePlan, title: str, seed: str, pace: str) -> Session:
    """Open a table for this plan and seat its people; without people, watch it."""
    table = await connection.open(
        plan.game,
        seats=[seat_json(seat) for seat in plan.seats],
        settings=plan.settings,
        title=title,
        start=plan.position,
        absence=plan.absence,
        pace=pace,
        hints=plan.hints,
        best_of=plan.best_of,
        round_robin=bool(plan.round_robin),
        seed=None if plan.position or not seed else seed,
    )
    seats = [None] * len(plan.seats) if plan.round_robin else range(len(plan.seats))  # by the schedule
    people = [(each.name, seat) for each, seat in zip(plan.seats, seats, strict=True) if each.kind == "person"]
    return await (connection.sit_together(table, people) if people else connection.watch(table))


def seat_json(seat: SeatPlan) -> Json:
    return {"kind": "bot", "level": seat.level} if seat.kind == "bot" else {"kind": "open"}


async def resume_seats(connection: Connection, wanted: ResumedGame, book: SeatBook) -> Session:
    """Resume the wanted seats that are still the user's own; the rest can be requested later."""
    table = wanted.table
    session: NetSession | None = None
    refused: Rejected | None = None
    left: dict[int, str] = {}
    unsure = not (wanted.local or connection.key)
    async with limit_request_time(connection):
        for seat, key in sorted(wanted.keys.items()):
            if not (wanted.over or await _take_live_seat(book, key)):
                left[seat] = key
                continue
            try:
                if wanted.reopen:
                    await connection.reopen_table(table, seat, key)
                session = await connection.resume(table, seat, key)
            except Rejected as no:
                if no.code not in ("no_table", "no_seat", "wrong_key"):
                    raise
                refused = no
                if not (unsure and no.code == "no_table"):
                    book.drop(table, [seat])
        if session is None and refused is None:
            session = await connection.watch(table)
    if session is None and refused is not None:
        here = f"{HOST_HAS_NOT}{STILL_HELD if unsure else ''}"
        words, address = here if refused.code == "no_table" else NOT_YOURS, connection.address
        raise Rejected(refused.code, words.format(address=address, watch=command_as_typed(f"watch {address}")))
    assert session is not None
    session.leave_seats_to_terminal(left)
    if wanted.places:
        session.note_robin_players(wanted.places)
    return session


async def _take_live_seat(book: SeatBook, key: str) -> bool:
    """Claim the seat with this key for this terminal; False if another terminal holds it."""
    for _ in range(LOOKS):
        if book.live.hold_seat_too(key):
            return True
        await asyncio.sleep(MOMENT)  # another terminal may have locked it only to check
    return False


def game_in_use_error(table: str) -> ConnectionError:
    """Return an error: another program has the game and does not share it; and what to do."""
    return ConnectionError(IN_USE.format(table=table, resume=command_as_typed(f"resume {table}")))


async def follow_way(wanted: ResumedGame, way: Callable[[ResumedGame], Awaitable[Found]]) -> Found:
    """Resume a game; if that fails, look at the game again. Raises ConnectionError."""
    look = wanted.again
    if look is None:
        return await way(wanted)
    give_up = asyncio.get_running_loop().time() + SHARING
    while True:
        try:
            # OwnHost has its own timeout.
            async with asyncio.timeout_at(None if wanted.command else give_up):
                return await way(wanted)
        except TimeoutError:
            raise game_in_use_error(wanted.table) from None
        except ConnectionError:
            found = await asyncio.to_thread(look)
            if wanted.command and found.command:
                raise  # nobody else has it, so something else is wrong
            wanted = replace(found, reopen=wanted.reopen)
        await asyncio.sleep(AGAIN)


RECORD_PATIENCE = 3.0  # seconds to wait for the record of a game
RoundAfter = Callable[[int, TableState, Sequence[Json]], int]
"""Returns the round after these events at a table, given the round before them."""


class JoinedTable(msgspec.Struct):
    """A table played or watched, and where to save its record. ``address`` is for others to type to join, or
    empty; ``found_at`` is the address of its seats. A ``borrowed`` host was started by another program on
    this machine, and ends with it; a game that is not ``saved`` ends with its host, and ``warning`` says why,
    if that was not known before.
    """

    session: Session
    address: str = ""
    found_at: str = ""
    path: Path | None = None
    local: bool = False
    borrowed: bool = False
    saved: bool = True
    warning: str = ""
    kept: int = -1
    remembered: bool = False
    freed: tuple[int, ...] = ()
    round: int = 0
    _counted: int = 0

    @property
    def record_path(self) -> str:
        return str(self.path or "")

    def count_rounds(self, state: TableState, after: RoundAfter) -> bool:
        """Count the rounds that began in new log lines; return whether any did."""
        if state.view is None:
            self._counted = 0
            return False
        fresh = [line.event for line in state.log[self._counted :]]
        before, self.round = self.round, after(self.round, state, fresh)
        # Undone events never began a round: a past turn cannot be undone.
        self._counted = len(state.log)
        return self.round > before

    @property
    def seat_keys(self) -> Mapping[int, str]:
        """The keys of the seats that this terminal holds."""
        keys: Mapping[int, str] = getattr(self.session, "keys", {})
        return keys

    @property
    def keys_held(self) -> Mapping[int, str]:
        """``keys``, and those of seats that bots took over after this user resigned."""
        keys: Mapping[int, str] = getattr(self.session, "keys_held", self.seat_keys)
        return keys

    @property
    def is_own_series(self) -> bool:
        """Whether this user can start the next game of a series: nobody else plays, and the host is ours."""
        state = self.session.state
        alone = all(seat.mine or seat.kind == "bot" for seat in state.seats)
        here = self.local and self.saved and not self.borrowed and not state.cut_off
        return here and alone and state.ended and state.series_goes_on

    async def keep_record(self) -> str:
        """Write the record of a finished game; return its file, or "" without one."""
        if self.path is None or not self.session.state.ended:
            return ""  # without the seed, which reveals secrets, it could not be replayed
        try:
            async with asyncio.timeout(RECORD_PATIENCE):
                lines = await self.session.record()
        except (ConnectionError, Rejected, TimeoutError):
            return str(self.path) if self.path.exists() else ""
        try:
            make_private(self.path.parent)
            files.replace_file(self.path, record.write(lines), 0o666)
        except OSError:
            return ""
        return str(self.path)

    def remember_seats(self, book: SeatBook, connection: Connection | None, *, saving: bool) -> bool:
        """Save the seats' keys, in case this program is killed; False if there are none."""
        state = self.session.state
        keys = self.seat_keys
        # Another program's host may have moved meanwhile.
        address = self.found_at if self.local or connection is None else connection.ticket
        if state.closed == "gone" and not self.local and not parse_address(address).key:
            return bool(keys)  # without a key, another host may have the address now
        untouched = self.local and not (state.touched or state.ended)
        # A local host keeps no game in which the user has undone everything.
        ended = state.ended and not (self.local and state.series_goes_on)
        if ended or state.closed in ("ended", "gone") or (untouched and self.remembered):
            book.forget(state.table)
            return False
        if state.freed:
            book.drop(state.table, state.freed)
        if not keys or untouched or (self.local and not saving):
            return False
        names = {seat: state.seats[seat].name for seat in keys}
        others = (told_apart(seat.name, seat.kind) for n, seat in enumerate(state.seats) if n not in keys)
        book.remember(
            HeldSeats(
                state.table,
                address,
                dict(keys),
                names=names,
                title=state.title,
                local=self.local,
                game=state.game.name,
                others=tuple(filter(None, others)),
                round=self.round,
                places=dict(getattr(self.session, "places", {})),
            )
        )
        return True

    async def stand_up(self, book: SeatBook) -> None:
        """Give up the seats of a game that has not begun; in a running one the host reserves them."""
        stand = getattr(self.session, "stand_up", None)
        if stand is not None and self.session.state.status == "waiting":
            with contextlib.suppress(ConnectionError, Rejected, OSError):
                for seat in self.session.state.my_seats:
                    await stand(seat)
                    book.drop(self.session.state.table, [seat])
