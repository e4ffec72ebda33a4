"""Room for tables: how many an address may have, and which table goes when the host is full.

A table of the host's owner never goes while it is not over, and no game goes that people have begun.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from server.tables.table import Table


def tables_of(tables: Iterable[Table], address: str) -> list[Table]:
    """The tables that are not over and were opened from this address; none for an unknown one."""
    return [each for each in tables if address and each.setup.opener == address and each.status != "over"]


def bots_of(tables: Iterable[Table], address: str) -> int:
    """The bots at those tables."""
    return sum(seat.kind == "bot" for table in tables_of(tables, address) for seat in table.seats)


def first_to_go(tables: Iterable[Table], address: str) -> Table | None:
    """The table that makes room for one that somebody at this address opens; None where all are needed.

    That is the oldest that nobody would miss, else the oldest that has not begun of the address that has
    most tables, as long as it has more than the one that asks.
    """
    ordered = [each for each in tables if not (each.setup.by_owner and each.status != "over")]
    share = Counter(each.setup.opener for each in ordered if each.status != "over")

    def most_first(table: Table) -> int:
        return -share[table.setup.opener]

    needless = [each for each in ordered if _needless(each)]
    if needless:
        # A finished game goes before one that could still be played.
        return min(needless, key=lambda each: (each.status != "over", most_first(each)))
    greedy = [
        each for each in ordered if each.status == "waiting" and share[each.setup.opener] > share[address] + 1
    ]
    return min(greedy, key=most_first, default=None)


def _needless(table: Table) -> bool:
    """Whether nobody would miss the table. A game that people play is kept while they are away."""
    people = [seat for seat in table.seats if seat.kind == "person"]
    return (
        table.status == "over"
        or not people
        or (table.status == "waiting" and not any(seat.present for seat in people))
    )
