"""The tables where this user has seats, at all hosts, and whether they wait for the user."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave.game import Json
from cave.protocol import TableLine
from cave.wire import clean_text
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.host_tables import status_of, still_held
from client.net.known_hosts import Keys
from client.table import Rejected
from client.wording import error_sentence

PATIENCE = 3.0  # seconds for a host to answer
State = Literal["your turn", "playing", "waiting", "saved", "over", "open", "gone", "away"]
STATES: Mapping[State, str] = {
    "your turn": "your turn",
    "playing": "waits for others",
    "waiting": "waits for players",
    "saved": "saved by the host",
    "over": "over",
    "open": "open in another terminal",
    "gone": "no longer at the host",
    "away": "the host does not answer",
}


class OwnTable(msgspec.Struct, frozen=True):
    """The seats of a terminal at a table, the table's status, or why the host did not answer."""

    held: HeldSeats
    state: State
    why: str = ""

    @property
    def waits_for_user(self) -> bool:
        return self.state == "your turn"

    def as_json(self) -> dict[str, Json]:
        held = self.held
        return {
            "table": held.table,
            "state": self.state,
            "waits_for_you": self.waits_for_user,
            "game": clean_text(held.game),
            "title": clean_text(held.title),
            "host": None if held.local else str(held.host_address),
            "seats": [*map(clean_text, held.players_here)],
            "others": [*map(clean_text, held.others)],
            "played_at": held.at,
            "round": held.round,
        }


async def look_at_own_tables(book: SeatBook, keys: Keys) -> list[OwnTable]:
    """Ask all hosts at once; return the tables, those waiting for the user first, then the latest."""
    known = [*reversed(book.known())]
    hosts: dict[str, list[HeldSeats]] = {}
    for held in known:
        if not held.local:
            hosts.setdefault(held.address, []).append(held)
    there = await asyncio.gather(*(_ask_host(address, held, keys) for address, held in hosts.items()))
    # Only the user can continue a game of this machine.
    here = [OwnTable(held, "your turn") for held in known if held.local]
    found = [_mark_open_elsewhere(each, book) for each in (*here, *(mine for host in there for mine in host))]
    return sorted(found, key=lambda mine: (not mine.waits_for_user, -mine.held.at))


def _mark_open_elsewhere(mine: OwnTable, book: SeatBook) -> OwnTable:
    live = any(book.live.is_held_elsewhere(key) for key in mine.held.keys.values())
    return OwnTable(mine.held, "open") if live else mine


async def _ask_host(address: str, seats: Sequence[HeldSeats], keys: Keys) -> list[OwnTable]:
    from client.net.connection import Connection, connect
    from client.net.discovery import visit_wherever_host_is

    keys = replace(keys, plain=keys.plain or not seats[0].host_address.key)
    tables: dict[str, TableLine] = {}

    async def visit(there: str) -> Connection:
        async with asyncio.timeout(PATIENCE):
            connection = await connect(there, keys=keys)
            try:
                tables.update({table.id: table for table in await connection.ask_for_tables()})
            finally:
                await connection.close()
        return connection

    try:
        connection = await visit_wherever_host_is(address, visit)
    except TimeoutError:
        return [OwnTable(held, "away") for held in seats]
    except (ConnectionError, Rejected, OSError) as error:
        return [OwnTable(held, "away", error_sentence(error)) for held in seats]
    found = []
    for held in seats:
        state: State = "saved" if held.table in connection.shelved else "gone"
        table = tables.get(held.table)
        mine = table and still_held(table, held)
        if table and mine:
            state = "your turn" if {*table.to_act} & mine.keys.keys() else status_of(table)
        found.append(OwnTable(replace(held, address=connection.ticket), state))
    return found
