"""Room for tables: how many an address has, and which table is removed when the host is full.

An unfinished table of the host's owner is never removed, nor is a game that people have begun.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from server.tables.table import Table


def tables_of(tables: Iterable[Table], address: str) -> list[Table]:
    """The unfinished tables opened from this address; none for an unknown address."""
    return [each for each in tables if address and each.setup.opener == address and each.status != "over"]


def bots_of(tables: Iterable[Table], address: str) -> int:
    """The bots at those tables."""
    return sum(seat.kind == "bot" for table in tables_of(tables, address) for seat in table.seats)


def first_to_go(tables: Iterable[Table], address: str) -> Table | None:
    """The table to remove for a new one opened from this address; None if all are needed.

    This is the oldest table that nobody would miss. Otherwise it is the oldest waiting table of the address
    with the most tables, if that address has more than the one that asks.
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
    """Whether nobody would miss the table. A game with players is kept while they are away."""
    people = [seat for seat in table.seats if seat.kind == "person"]
    return (
        table.status == "over"
        or not people
        or (table.status == "waiting" and not any(seat.present for seat in people))
    )
