"""From a connection to a table of the host: open one, sit down, take seats up again, go on with a game."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from cave.game import Json
from client.launch.held_seats import SeatBook
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import Resumed
from client.program import typed
from client.table import Rejected, Session

if TYPE_CHECKING:
    from client.net.connection import Connection
    from client.net.session import NetSession

PATIENCE = 10.0
"""Seconds for a host to let us sit down."""
LOOKS = 3
"""How often it is looked whether another terminal holds a seat."""
MOMENT = 0.05
"""Seconds between two looks."""
HOST_HAS_NOT = "The host at {address} no longer has this game."
IN_USE = (
    "Another program on this machine has the game {table} open and does not answer. "
    "Quit it there, then type: {resume}"
)
SHARING = 8.0
"""Seconds for a program that has the game open to let us in, or to leave it."""
AGAIN = 0.1
"""Seconds until the game is looked at again."""
Found = TypeVar("Found")
NOT_YOURS = "Somebody else has the seat now, or the key is wrong. To watch, type: {watch}"


@contextlib.asynccontextmanager
async def soon(connection: Connection) -> AsyncIterator[None]:
    """Limit the time of a few requests in a row, each of which may take its own."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise ConnectionError(f"The host at {connection.address} does not answer.") from None


async def opened(connection: Connection, plan: GamePlan, title: str, seed: str, pace: str) -> Session:
    """Return a table opened for this plan, at which its people sit; to watch where there are none."""
    table = await connection.open(
        plan.game,
        seats=[seat_json(seat) for seat in plan.seats],
        settings=plan.settings,
        title=title,
        start=plan.position,
        absence=plan.absence,
        pace=pace,
        hints=plan.hints,
        seed=None if plan.position or not seed else seed,
    )
    people = [(seat.name, number) for number, seat in enumerate(plan.seats) if seat.kind == "person"]
    return await (connection.sit_together(table, people) if people else connection.watch(table))


def seat_json(seat: SeatPlan) -> Json:
    """Return a seat as the host's ``open`` wants it; people sit down themselves."""
    return {"kind": "bot", "level": seat.level} if seat.kind == "bot" else {"kind": "open"}


async def take_up(
    connection: Connection,
    table: str,
    keys: Mapping[int, str],
    book: SeatBook,
    *,
    over: bool = False,
    reopen: bool = False,
) -> Session:
    """Take these seats up again, as far as they are still one's own. Those that another terminal here
    holds are left to it, unless they are to be taken ``over``; they can be asked for then. With ``reopen`` a
    shelved game is opened again.
    """
    session: NetSession | None = None
    refused: Rejected | None = None
    left: dict[int, str] = {}
    async with soon(connection):
        for seat, key in sorted(keys.items()):
            if not (over or await _may_take(book, key)):
                left[seat] = key
                continue
            try:
                if reopen:
                    await connection.reopen(table, seat, key)
                session = await connection.resume(table, seat, key)
            except Rejected as no:
                if no.code not in ("no_table", "no_seat", "wrong_key"):
                    raise
                refused = no
                book.drop(table, [seat])
        if session is None and refused is None:
            session = await connection.watch(table)
    if session is None and refused is not None:
        words = HOST_HAS_NOT if refused.code == "no_table" else NOT_YOURS
        raise Rejected(
            refused.code,
            words.format(address=connection.address, watch=typed(f"watch {connection.address}")),
        )
    assert session is not None
    session.leave_to_another(left)
    return session


async def _may_take(book: SeatBook, key: str) -> bool:
    """Return whether no other terminal holds the seat with this key; from now on this one does."""
    for _ in range(LOOKS):
        if book.live.take(key):
            return True
        await asyncio.sleep(MOMENT)  # Perhaps another one has only looked just now.
    return False


def in_use(table: str) -> ConnectionError:
    """Say that somebody else has the game and does not share it, and what to do."""
    return ConnectionError(IN_USE.format(table=table, resume=typed(f"resume {table}")))


async def go_on(wanted: Resumed, way: Callable[[Resumed], Awaitable[Found]]) -> Found:
    """Follow the way to a game. Where it is barred, look at the game anew: the host at work with it
    may have ended since, or another one have begun. Raises ConnectionError.
    """
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
            raise in_use(wanted.table) from None
        except ConnectionError:
            found = await asyncio.to_thread(look)
            if wanted.command and found.command:
                raise  # Nobody else has it, so something else is wrong.
            wanted = replace(found, reopen=wanted.reopen)
        await asyncio.sleep(AGAIN)
