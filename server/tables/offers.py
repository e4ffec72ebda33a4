"""Bots that offer to resign to the only other player, who then need not play a decided game to its end."""

from __future__ import annotations

from math import inf

from server.tables.agreement import Proposal
from server.tables.table import Table


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
