"""Absent players: stand-ins, and removing tables to make room. Tables of the host's owner are never removed.
A game that people have begun is shelved instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import inf

from server.clients.limits import site_of
from server.tables.opening import Proposal
from server.tables.table import Table

LEFT_FOR = 600.0
"""Seconds that all players of a game may be away before it may be shelved."""


def tables_opened_from(tables: Iterable[Table], address: str, *, ended: bool = False) -> list[Table]:
    """Return an address's unfinished tables, or the ``ended`` ones; none for an unknown address."""
    here = site_of(address)
    return [each for each in tables if address and site_of(each.setup.opener) == here and each.ended == ended]


def count_bots_from(tables: Iterable[Table], address: str) -> int:
    return sum(seat.kind == "bot" for table in tables_opened_from(tables, address) for seat in table.seats)


def table_to_remove(tables: Iterable[Table], address: str) -> Table | None:
    """Return the table to remove for a new one from this address: the oldest abandoned one, else the oldest
    waiting one of the address with the most tables, if it has more than this address; None if all are needed.
    """
    ordered = [each for each in tables if not (each.setup.by_owner and not each.ended)]
    share = Counter(site_of(each.setup.opener) for each in ordered if not each.ended)

    def most_first(table: Table) -> int:
        return -share[site_of(table.setup.opener)]

    needless = [each for each in ordered if _is_missed_by_nobody(each)]
    if needless:
        # Remove finished games first.
        return min(needless, key=lambda each: (not each.ended, most_first(each)))
    greedy = [
        each
        for each in ordered
        if each.status == "waiting" and share[site_of(each.setup.opener)] > share[site_of(address)] + 1
    ]
    return min(greedy, key=most_first, default=None)


def game_to_shelve(tables: Iterable[Table], idle_since: float) -> Table | None:
    """Return the game to shelve: the longest-abandoned one of the address with the most abandoned games; or
    None.
    """
    left = [
        each
        for each in tables
        if each.status == "playing" and {*_people_present(each)} == {False} and each.idle_since <= idle_since
    ]
    share = Counter(site_of(each.setup.opener) for each in left)
    return min(left, key=lambda each: (-share[site_of(each.setup.opener)], each.idle_since), default=None)


def shelved_to_drop(shelved: Mapping[str, str], most: int, each: int) -> str | None:
    """Return the oldest shelved game of the address with the most ("": the owner), if over the limits."""
    share = Counter(map(site_of, shelved.values()))
    crowded = [name for name in shelved if shelved[name] and share[site_of(shelved[name])] > each]
    spare = crowded or (list(shelved) if len(shelved) > most else [])
    return max(spare, key=lambda name: share[site_of(shelved[name])], default=None)


def ended_to_remove(tables: Iterable[Table], address: str, most: int) -> Table | None:
    """Return the oldest finished game from this address's site if it has ``most`` or more."""
    ended = tables_opened_from(tables, address, ended=True)
    return ended[0] if len(ended) >= most else None


def has_expired(table: Table, now: float, expire: float) -> bool:
    """Return whether a game of people was untouched for ``expire`` seconds (0: never expires), plus its time
    limit if turns may take days.
    """
    absence = table.setup.absence
    expire += absence.after if expire and absence.always else 0
    begun = not table.ended and any(seat.kind == "person" for seat in table.seats)
    return 0 < expire <= now - table.idle_since and begun


def _people_present(table: Table) -> list[bool]:
    return [seat.present for seat in table.seats if seat.kind == "person"]


def _is_missed_by_nobody(table: Table) -> bool:
    """Return whether the table is abandoned. A game with players is kept while they are away."""
    present = _people_present(table)
    return table.ended or not present or (table.status == "waiting" and not any(present))


def mark_absent_seats(table: Table, now: float) -> None:
    """Mark seats that are away or idle, and give them stand-ins.

    Time counts only while other players are present and wait. An empty seat in a running game counts as away.
    A player is idle until the turn ends or the player acts; the stand-in's actions in that turn do not count.
    With ``always`` time counts only for seats that are to act, even if nobody is present.
    """
    absence = table.setup.absence
    if absence.then == "wait" or table.status != "playing":
        return
    people = [(number, seat) for number, seat in enumerate(table.seats) if seat.kind != "bot"]
    present = [seat for _, seat in people if seat.present]
    for number, seat in people:
        due = number in table.to_act and not seat.handed
        idle = absence.idle and due
        waited_for = (due or seat.stand_in) if absence.always else present not in ([], [seat])
        if (seat.present and not idle) or not waited_for:
            seat.end_stand_in()
            continue
        step = table.changed_at(number) if seat.present else None
        if seat.away_since is None or (seat.idle_at != step and not seat.stand_in):
            seat.away_since, seat.idle_at = table.changed_since if absence.always else now, step
        if now - seat.away_since >= absence.after:
            seat.stand_in = absence.then
            if absence.then == "bot":
                seat.bot = absence.level or next(iter(table.game.bots), "")


def end_stand_ins(table: Table) -> bool:
    """End the stand-ins of idle players whose turn is over; return whether there were any."""
    over = [
        seat for number, seat in enumerate(table.seats) if seat.present and seat.stand_in and number not in table.to_act
    ]
    for seat in over:
        seat.end_stand_in()
    return bool(over)


def may_offer_resignation(table: Table, seat: int) -> bool:
    """Return whether the bot of this seat may offer to resign: once a game, to a person who is present."""
    if table.game.resigns_behind == inf or len(table.seats) != 2:
        return False
    if table.status != "playing" or table.aside:
        return False
    other = table.seats[1 - seat]
    return (
        table.seats[seat].kind == "bot"
        and other.kind == "person"
        and other.present
        and not other.plays_itself
        and table.proposal is None
        and seat not in table.offered
    )


def offer_resignation(table: Table, seat: int) -> None:
    table.offered.add(seat)
    table.proposal = Proposal(table.next_proposal(), seat, "resign", "", "", frozenset((1 - seat,)))
