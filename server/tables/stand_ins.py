"""Absent players: who is away, and who acts for them under the table's rule for absence."""

from __future__ import annotations

from server.tables.table import Table


def look(table: Table, now: float) -> None:
    """Note who is away, and which seats get a stand-in now.

    Time counts only while somebody else is present: if nobody waits, nobody plays for the others. An empty
    seat in a running game counts as away.
    """
    absence = table.setup.absence
    if absence.then == "wait" or table.status != "playing":
        return
    people = [seat for seat in table.seats if seat.kind != "bot"]
    company = any(seat.present for seat in people)
    for seat in people:
        if seat.present or not company:
            seat.returned()
            continue
        if seat.away_since is None:
            seat.away_since = now
        if now - seat.away_since >= absence.after:
            seat.stand_in = absence.then
            if absence.then == "bot":
                seat.bot = absence.level or next(iter(table.game.bots), "")
