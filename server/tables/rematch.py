"""The next game of a table: a rematch, the next game of a series, or of a round robin."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec.structs import replace

from cave import protocol
from cave.game import Json
from server.tables.opening import Claim, Setup, with_players
from server.tables.series import series_before_next_game
from server.tables.table import Table

SEEDS = 200  # seeds to try until the right player begins


def free_robin_place(table: Table) -> int | None:
    """Return the first free place for a player of later games of a round robin."""
    free = (number for number, each in table.absent.items() if each is None)
    return None if table.free or table.ended or table.aside else next(free, None)


def seats_played_by(table: Table, owner: str, link: bytes, given: Collection[str]) -> list[int]:
    """Return the seats a client plays or played, by its key, connection or ``given`` seat keys."""
    return [
        number
        for number, seat in enumerate(table.seats)
        if seat.holder == link or (seat.claimant is not None and seat.claimant.is_by(owner, given))
    ]


def rematch_seats(table: Table, owner: str, link: bytes, given: Collection[str]) -> dict[int, Claim | None] | None:
    """Return the seats of a client in the next game, with their players; None if it did not play."""
    sits, players = table.setup.players_at_seats, table.players
    mine = {sits[seat] for seat in seats_played_by(table, owner, link, given)}
    mine |= {number for number, each in table.absent.items() if each and each.is_by(owner, given)}
    order = _rematch_order(table, _rematch_score(table))
    found = {seat: players[number] for seat, number in enumerate(order) if number in mine}
    return found if mine else None


def rematch_setup(table: Table, seeds: Callable[[], str], created: str, opener: str) -> Setup:
    """Return the setup of a rematch: the same with a new seed, and the seats kept for the players. In a
    series the next player begins, on the seat of the previous first player.
    """
    setup, series, players = table.setup, _rematch_score(table), table.players
    order = _rematch_order(table, series)
    again = replace(
        setup,
        seed=seeds(),
        created=created,
        opener=opener,
        by_owner=False,
        set_up=setup.start is not None,
        salt=setup.salt or setup.created,
    )
    if series is not None and series.players:
        again = with_players(again, players, series)
    else:
        seats, kept = (tuple(each[seat] for seat in order) for each in (setup.seats, players))
        again = replace(again, seats=seats, kept=kept, series=series)
    if series is not None and setup.start is None:
        first = _seat_that_begins(table, setup.start_state())
        for _ in range(SEEDS):
            if _seat_that_begins(table, again.start_state()) == first:
                break
            again = replace(again, seed=seeds())
    return again


def _rematch_score(table: Table) -> protocol.SeriesLine | None:
    score = table.series
    return score and series_before_next_game(score, _seats_moved_up(table))


def _rematch_order(table: Table, series: protocol.SeriesLine | None) -> Sequence[int]:
    """Return the order of players in the next game; in a series they rotate by one seat."""
    if series is None:
        return table.setup.players_at_seats
    return series.sits if series.players else _seats_moved_up(table)


def _seats_moved_up(table: Table) -> list[int]:
    sits = table.setup.players_at_seats
    return [*sits[1:], *sits[:1]]


def _seat_that_begins(table: Table, start: Any) -> Json:
    """Return the seat that begins; None without turns."""
    turn = table.game.position(start, table.names).get("turn")
    return turn.get("seat") if isinstance(turn, dict) else None
