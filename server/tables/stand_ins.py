"""Absent and idle players: when a stand-in acts for them under the table's rule."""

from __future__ import annotations

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
