"""The tables of a host as lines to choose from, who can sit down there, and the user's own tables at all hosts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave import games, names, protocol
from cave.game import Json
from cave.wire import clean_text
from client.face import LETTERS
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.new_game import NameProblem, names_problem
from client.net.known_hosts import Keys
from client.table import Rejected
from client.wording import error_sentence, joined, local_time, told_apart


class ShelvedTable(protocol.TableLine, frozen=True):
    """A game that the host has saved and closed because nobody played it."""


class TableLine(msgspec.Struct, frozen=True):
    """A table of a host as a line to choose from. ``names`` are its players, ``code``: sitting down needs
    one, ``kept`` are the players with reserved seats of a rematch. With ``held`` the line is only for the
    user's own seats. ``free`` are the open seats, ``places`` the open places of a round robin. A table
    ``waits`` if a player is present and its game has not begun.
    """

    table: str
    title: str
    text: str
    free: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    code: bool = False
    playing: bool = False
    held: HeldSeats | None = None
    kept: tuple[str, ...] = ()
    waits: bool = False
    places: int = 0

    @property
    def open_seats(self) -> int:
        return len(self.free) + self.places

    @property
    def free_letters(self) -> str:
        return ", ".join(LETTERS[seat] for seat in self.free)

    def expects_people(self, people: Sequence[str]) -> bool:
        """Return whether seats are reserved for all of these people, who then need no code."""
        return bool(people) and all(any(names.names_look_alike(name, each) for each in self.kept) for name in people)

    @property
    def owners_of_own_seats(self) -> str:
        """The owners of the user's own seats, if the line has such seats."""
        return "" if self.held is None else " and ".join(self.held.players_here)

    @property
    def seats_words(self) -> str:
        if self.held is not None:
            return f"your seat{'s' * (len(self.held.keys) > 1)}"
        return f"{len(self.kept)} expected" if self.kept and not self.free else _open_seats(self.open_seats)

    def is_of(self, name: str) -> bool:
        """Return whether one of the user's own seats has this name."""
        return self.held is not None and any(names.names_look_alike(name, other) for other in self.held.players_here)

    def has_player(self, name: str, elsewhere: Sequence[str] = ()) -> bool:
        """Return whether a player there or ``elsewhere`` has this name, or one that looks the same."""
        return bool(name) and any(names.names_look_alike(name, other) for other in (*self.names, *elsewhere))


def check_seats(line: TableLine, seats: Sequence[int], people: Sequence[str]) -> None:
    """Check that these people can have these seats; raises ValueError, one sentence."""
    if seats and (len(seats) != len(people) or len({*seats}) < len(seats)):
        raise ValueError("Name one seat for each person, or none.")
    taken = [LETTERS[seat] for seat in seats if seat not in line.free]
    if taken:
        raise ValueError(f"Seat {taken[0]} is not free. Free: {line.free_letters}.")


def check_sitting(
    tables: Sequence[protocol.TableLine], table: str, people: Sequence[str], seats: Sequence[int] = ()
) -> None:
    """Raise NameProblem or ValueError unless these people can sit down at the table, on these seats."""
    line = next((line for line in table_lines(tables) if line.table == table), None)
    if wrong := names_problem(people, line.names if line is not None else ()):
        raise NameProblem(wrong)
    if line is None:
        return
    if few := too_few_seats(line, people):
        raise ValueError(f"{few}. You can watch it.")
    check_seats(line, seats, people)


def too_few_seats(line: TableLine, people: Sequence[str]) -> str:
    """Return that a table has too few open seats for these people, without a full stop; or nothing."""
    if len(people) <= line.open_seats or line.expects_people(people):
        return ""
    many = f", too few for {len(people)} people" if people[1:] else ""
    kept = f"; it expects {joined(line.kept)}" if line.kept else ""
    return f"This table has {_open_seats(line.open_seats)}{many}{kept}"


def _open_seats(number: int) -> str:
    return {0: "no open seat", 1: "1 open seat"}.get(number, f"{number} open seats")


def table_lines(
    tables: Sequence[protocol.TableLine],
    held: Sequence[HeldSeats] = (),
    *,
    people: Sequence[str] = (),
    watching: bool = False,
) -> tuple[TableLine, ...]:
    """Return the tables of a host, preceded by a line for the seats of each terminal in ``held``, latest
    first; with ``people``, only the lines with their names. Tables with waiting players come first, then
    those with the most open seats; with ``watching``, tables in play come first.
    """
    found = [_table_line(table) for table in tables if not isinstance(table, ShelvedTable)]
    mine = [_own_line(table, each) for each in reversed(held) for table in tables]
    titles = Counter(_table_title(table) for table in tables)
    own = [line for line in mine if line is not None and (not people or any(map(line.is_of, people)))]
    # A player at a full table gets only the line of their own seats.
    seated = {line.table for line in own}
    others = [line for line in found if line.open_seats or line.table not in seated]
    others.sort(key=lambda line: not line.playing if watching else (not line.waits, -line.open_seats))
    return tuple(
        line if titles[line.title] < 2 else replace(line, text=f"{line.text}, table {line.table}")
        for line in (*own, *others)
    )


def shelved_tables(held: Sequence[HeldSeats]) -> list[ShelvedTable]:
    names: dict[str, dict[int, str]] = defaultdict(dict)
    for each in held:
        names[each.table] |= {seat: each.names.get(seat, "?") for seat in each.keys}
    return [
        ShelvedTable(
            id=each.table,
            title=each.title,
            game=each.game,
            status="waiting",
            # A faulty host may have given any number.
            seats=[
                protocol.SeatLine(known.get(seat, "?"), "person", False)
                for seat in range(max(known) + 1)[: len(LETTERS)]
            ],
            settings={},
        )
        for each in {each.table: each for each in held}.values()
        if (known := names[each.table])
    ]


def tables_with_open_seats(lines: Sequence[TableLine], seats: int, *, watching: bool) -> tuple[TableLine, ...]:
    """Return the tables with at least this many open seats; for watching, those in play, or else all."""
    if watching:
        return tuple(line for line in lines if line.playing) or tuple(lines)
    return tuple(line for line in lines if line.held is None and seats <= line.open_seats)


def only_fitting_table(
    lines: Sequence[TableLine], seats: int, *, watching: bool, people: Sequence[str] = ()
) -> TableLine | None:
    """Return the only table with seats reserved for these people, else the only one with enough open seats
    (or to watch); None if the user has seats there.
    """
    expecting = [line for line in lines if line.expects_people(people)]
    if len(expecting) == 1 and not watching:
        return expecting[0]
    found = tables_with_open_seats(lines, seats, watching=watching)
    own = any(line.held is not None for line in lines)
    return found[0] if len(found) == 1 and not own else None


def status_of(table: protocol.TableLine) -> protocol.Status:
    """Return the status of a table; a game is also over after a resignation."""
    return "over" if table.resigned else table.status


def _table_line(table: protocol.TableLine, held: HeldSeats | None = None) -> TableLine:
    state = status_of(table)
    # A faulty host may list more seats than there are letters.
    lettered = enumerate(() if state == "over" else table.seats[: len(LETTERS)])
    free = tuple(n for n, seat in lettered if seat.kind == "open" and not seat.kept)
    there = any(seat.kind == "person" and seat.present for seat in table.seats)
    mine = () if held is None else held.keys
    names = [clean_text(seat.name) for seat in table.seats]
    shown = (told_apart(name, seat.kind) for name, seat in zip(names, table.seats, strict=True))
    who = ", ".join(
        f"{name} (you)" if number in mine else name or free_seat_words(seat)
        for number, (seat, name) in enumerate(zip(table.seats, shown, strict=True))
    )
    status = "saved" if isinstance(table, ShelvedTable) else "finished" if state == "over" else state
    code = table.code and held is None
    game = games.game_info(table.game).title if table.game in games.game_names() else clean_text(table.game)
    score = table.series
    series = f"game {score.game} of {score.of}" if score else ""
    out = [each for number, each in enumerate(score.players) if number not in score.sits] if score else []
    if score and score.players:
        series += " of a round robin"
        who += "; then " + ", ".join(
            told_apart(clean_text(each.name), "bot" if each.bot else "person") or "free place" for each in out
        )
    text = f"{status:<9} {', '.join(filter(None, (game, series, 'with a code' if code else '', who)))}"
    return TableLine(
        table.id,
        _table_title(table),
        text,
        free,
        names=tuple(filter(None, names)),
        code=code,
        playing=state == "playing",
        held=held,
        kept=tuple(filter(None, (clean_text(seat.kept) for seat in table.seats))),
        waits=state == "waiting" and there and bool(free),
        places=0 if state == "over" else sum(not each.name for each in out),
    )


def _table_title(table: protocol.TableLine) -> str:
    return clean_text(table.title) or clean_text(table.id)


def free_seat_words(seat: protocol.SeatLine) -> str:
    kept = clean_text(seat.kept)
    return f"{kept} (expected)" if kept else "open seat"


def still_held(table: protocol.TableLine, held: HeldSeats) -> HeldSeats | None:
    """Return the seats that, by their names, have no other players now; None without any."""
    there = {number: clean_text(seat.name) for number, seat in enumerate(table.seats)}
    return held.with_these_seats([seat for seat, name in there.items() if name and held.names.get(seat, name) == name])


def _own_line(table: protocol.TableLine, held: HeldSeats) -> TableLine | None:
    if table.id != held.table or status_of(table) == "over":
        return None
    still = still_held(table, held)
    return None if still is None else _table_line(table, still)


def game_words(held: Sequence[HeldSeats], now: datetime | None = None, room: int = 0) -> str:
    """Return an unfinished game in words: name, rivals, time, round, place, and the seats by terminal; with
    ``room`` only those that fit, at least the first two.
    """
    last, mine = held[0], [name for each in held for name in each.players_here]
    game = games.game_info(last.game).title if last.game in games.game_names() else "a game"
    rivals = [clean_text(name) for name in last.others if name not in mine]
    others = f" against {joined(rivals)}" if rivals else ""
    people = " or ".join(joined([*map(clean_text, each.players_here)]) for each in held)
    seats = f"seat{'s' * (len(last.players_here) > 1)} {people}"
    where = "on this machine" if last.local else f"{clean_text(last.title)[:20] or 'a table'} at {last.host_address}"
    played = (f"{game}{others}", _time_words(last.at, now), f"round {last.round}" if last.round else "")
    told = [*filter(None, (*played, where, seats))]
    while room and told[1:] and len(", ".join(told)) > room:
        told.pop()
    return ", ".join(told)


def _time_words(at: float, now: datetime | None) -> str:
    played = local_time(at)
    days = ((now or datetime.now()).date() - played.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{played:%Y-%m-%d}")
    return f"{day} {played:%H:%M}"


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
    import asyncio

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
    import asyncio

    from client.net.connection import Connection, connect
    from client.net.discovery import visit_wherever_host_is

    keys = replace(keys, plain=keys.plain or not seats[0].host_address.key)
    tables: dict[str, protocol.TableLine] = {}

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
