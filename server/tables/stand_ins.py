"""Who is away, and for how long: then somebody else may play, as the table was opened with."""

from __future__ import annotations

from server.tables.table import Table


def look(table: Table, now: float) -> None:
    """Note who is away, and who stands in for whom from now on.

    Time counts only while somebody else is there: with nobody waiting, nobody plays for the others.
    An empty seat of a running game is away, too.
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
