"""Absent and idle players, for whom a stand-in acts by the table's rule, and bots that offer to resign.

Thanks to such an offer the only other player need not play a decided game to its end.
"""

from __future__ import annotations

from math import inf

from server.tables.seat import Proposal
from server.tables.table import Table


def look(table: Table, now: float) -> None:
    """Note who is away or idle, and which seats get a stand-in now.

    Time counts only while somebody else is present: if nobody waits, nobody plays for the others. An empty
    seat in a running game counts as away. A player is idle until the turn ends or the player acts; what a
    stand-in does in that turn does not count.
    """
    absence = table.setup.absence
    if absence.then == "wait" or table.status != "playing":
        return
    people = [(number, seat) for number, seat in enumerate(table.seats) if seat.kind != "bot"]
    present = [seat for _, seat in people if seat.present]
    for number, seat in people:
        idle = absence.idle and number in table.to_act and not seat.handed
        if (seat.present and not idle) or present in ([], [seat]):
            seat.returned()
            continue
        step = table.changed_at(number) if seat.present else None
        if seat.away_since is None or (seat.idle_at != step and not seat.stand_in):
            seat.away_since, seat.idle_at = now, step
        if now - seat.away_since >= absence.after:
            seat.stand_in = absence.then
            if absence.then == "bot":
                seat.bot = absence.level or next(iter(table.game.bots), "")


def end_with_turn(table: Table) -> bool:
    """End the stand-ins of idle players whose turn is over; return whether there were any."""
    over = [
        seat
        for number, seat in enumerate(table.seats)
        if seat.present and seat.stand_in and number not in table.to_act
    ]
    for seat in over:
        seat.returned()
    return bool(over)


def may_offer(table: Table, seat: int) -> bool:
    """Return whether the bot of this seat may ask now: once a game, and only a person who is there."""
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


def offer(table: Table, seat: int) -> None:
    """Ask the other player."""
    table.offered.add(seat)
    table.proposal = Proposal(table.next_proposal(), seat, "resign", "", "", frozenset((1 - seat,)))
