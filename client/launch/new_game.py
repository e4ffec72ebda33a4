"""A game about to be opened: who sits where, which rules, which seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from cave import games, names, protocol
from cave.game import AnyGame, BadData, GameInfo, Json, chosen
from cave.wire import clean_text
from client.face import LETTERS
from client.launch.held_seats import Held
from client.launch.house_rules import word
from client.wording import a_bot, name_problem, told_apart

SeatKind = Literal["person", "bot", "open", "none"]

NAMELESS = "Player"
"""The name of who plays where nobody was asked for one."""
ABSENCE_PROBLEM = (
    "{text!r} is not a way to treat players who are away: "
    "use wait, bot:60, bot:60:LEVEL or skip:60 (seconds), the last three also with :idle at the end."
)


class SeatPlan(msgspec.Struct, frozen=True):
    """Who is to sit on a seat: ``name`` for a person, ``level`` for a bot, which names itself."""

    kind: SeatKind
    name: str = ""
    level: str = ""


class GamePlan(msgspec.Struct, frozen=True):
    """A local game as a person asks for it. ``settings`` hold what differs from the game's defaults;
    ``hints`` is whether they are allowed.
    """

    seats: tuple[SeatPlan, ...]
    settings: Json = msgspec.field(default_factory=dict)
    seed: str = ""
    title: str = ""
    position: Json = None
    absence: Json = None
    hints: bool = True
    game: str = msgspec.field(default_factory=games.default)

    @property
    def people(self) -> tuple[str, ...]:
        """The names of those at this keyboard."""
        return tuple(seat.name for seat in self.seats if seat.kind == "person")

    @property
    def named(self) -> tuple[str, ...]:
        """The names that somebody has chosen."""
        return tuple(name for name in self.people if name != NAMELESS)

    @property
    def open_seats(self) -> int:
        """Seats left for people on other machines."""
        return sum(seat.kind == "open" for seat in self.seats)


def seat_choices(game: GameInfo) -> tuple[tuple[SeatPlan, str], ...]:
    """Return the kinds of seat, with their words."""
    return (
        (SeatPlan("person"), "person here"),
        *((SeatPlan("bot", level=level), f"bot ({level})") for level in game.bots),
        (SeatPlan("open"), "open for others"),
        (SeatPlan("none"), f"no {game.side.lower()}"),
    )


def absences(game: GameInfo) -> tuple[tuple[Json, str], ...]:
    """Return the ways to treat players who are away, or idle, too, with their words."""
    bots = tuple(
        ({"then": "bot", "after": 60, "level": level}, f"{a_bot(level)} in 1 min") for level in game.bots
    )
    skipped = {"then": "skip", "after": 60}
    away = (*bots, (skipped, "is skipped after 1 min"))
    idle = (({**form, "idle": True}, f"{words}, or idle") for form, words in away)
    return ((None, "the game waits"), *away, *idle)


HINTS = ((True, "allowed"), (False, "not allowed"))
"""Whether a table allows hints, with the words."""


ALONE = "alone"
"""In place of the level of a bot, where one person can play without anybody else."""


def usual_seats(game: GameInfo) -> int:
    """Return how many seats a game has where nobody says it: two, or as near to that as it can be."""
    return min(max(2, game.seats[0]), game.seats[-1])


def alone(game: GameInfo) -> bool:
    """Return whether one person can play it without anybody else."""
    return 1 in game.seats


def weakest(game: GameInfo) -> list[str]:
    """Return the level of the weakest bot, in a list that is empty where there is no bot."""
    return list(game.bots)[:1]


def level(game: GameInfo, remembered: Mapping[str, str]) -> str:
    """Return the level that one played against last in this game, else the weakest; empty where there is no
    bot.
    """
    last = remembered.get(game.name, "")
    return last if last in game.bots else next(iter(game.bots), "")


def level_choices(game: GameInfo) -> tuple[tuple[str, str], ...]:
    """Return the levels, the weakest first, with what is said of them."""
    levels = list(game.bots)
    said = dict(zip(levels, ("a beginner", "overlooks much", "plans ahead"), strict=False))
    if len(levels) > 1:
        said[levels[-1]] = "the strongest"
    return tuple((level, said.get(level, "")) for level in levels)


def plan(
    people: Sequence[str],
    bots: Sequence[str] = (),
    open_seats: int = 0,
    settings: Json = None,
    seed: str = "",
    position: Json = None,
    absence: Json = None,
    game: str = "",
    *,
    hints: bool = True,
) -> GamePlan:
    """Return the plan of a game for these people, open seats and bots (their levels), in that order.

    Somebody alone gets the weakest bots to play against, unless it is a game that one can play alone.
    """
    info = games.info(game or games.default())
    levels = list(bots)
    if len(people) == 1 and not levels and not open_seats and not alone(info):
        levels = weakest(info) * (usual_seats(info) - 1)
    seats = [SeatPlan("person", name) for name in people]
    seats += [SeatPlan("open")] * open_seats
    seats += [SeatPlan("bot", level=level) for level in levels]
    return GamePlan(
        tuple(seats),
        settings or {},
        seed,
        position=position,
        absence=absence,
        hints=hints,
        game=info.name,
    )


def going_on(game: AnyGame, state: Any, names: Sequence[str], level: str, name: str) -> GamePlan:
    """Return the plan of a game that goes on from this state: ``name`` plays the seat that is to act, bots of
    this level all others.
    """
    mine = min(game.to_act(state))
    seats = tuple(
        SeatPlan("person", name) if seat == mine else SeatPlan("bot", level=level)
        for seat in range(len(names))
    )
    return GamePlan(seats, position=game.position(state, names), game=game.name)


def absence(text: str) -> Json:
    """Read ``wait``, ``bot:60``, ``bot:60:rookie`` or ``skip:60`` into the form that ``open`` wants; all but
    the first may end in ``:idle``. Raises ValueError.
    """
    away = text.removesuffix(":idle")
    idle = away != text
    then, colon, rest = away.partition(":")
    seconds, named, level = rest.partition(":")
    usual = protocol.Absence().after
    after = int(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 9 else None
    if then == "wait" and not colon and not idle:
        return {"then": "wait", "after": usual}
    if then not in ("bot", "skip") or (colon and after is None) or (named and (then != "bot" or not level)):
        raise ValueError(ABSENCE_PROBLEM.format(text=text))
    if after is not None and after > protocol.MAX_AFTER:
        raise ValueError(f"Wait at most a day for a player ({protocol.MAX_AFTER} seconds).")
    form: dict[str, Json] = {"then": then, "after": usual if after is None else after}
    return {**form, **({"level": level} if level else {}), **({"idle": True} if idle else {})}


class NameProblem(ValueError):
    """Somebody cannot sit down under the name that was typed."""


def problem(wanted: GamePlan) -> str:
    """Return the reason why the game cannot be opened, in one sentence, or nothing."""
    seats = [seat for seat in wanted.seats if seat.kind != "none"]
    game = games.info(wanted.game)
    if len(seats) not in game.seats:
        return f"A game is for {sides(game)}; this one has {len(seats)}."
    stand_in = (wanted.absence or {}).get("level", "")
    if stand_in and stand_in not in game.bots:
        return f"{game.title} has no bot of the level {stand_in}; its levels are {', '.join(game.bots)}."
    try:
        settings = chosen(game.options, wanted.settings)
    except BadData as wrong:
        return f"The rules cannot be so: {wrong.sentence}."
    for option in game.options:
        able = [value for value, _ in option.values_for(len(seats))]
        if settings[option.name] not in able:
            players = f"{len(seats)} {_side(game, len(seats))}"
            given, *others = map(word, (settings[option.name], *able))
            return f"With {players}, {option.name} cannot be {given}; it may be {' or '.join(others)}."
    return names_problem(wanted.people)


def sides(game: GameInfo) -> str:
    """Return how many may play: ``2 to 5 teams``."""
    least, most = game.seats[0], game.seats[-1]
    number = str(most) if least == most else f"{least} to {most}"
    return f"{number} {_side(game, most)}"


def _side(game: GameInfo, many: int) -> str:
    """Return the word for one who plays, or for many."""
    return f"{game.side.lower()}{'s' * (many > 1)}"


def names_problem(people: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return the reason why people of these names cannot sit at a table with the ``others``, in one sentence,
    or nothing.
    """
    for name in people:
        wrong = name_problem(name)
        if wrong:
            return wrong
    if any(names.alike(*pair) for pair in combinations(people, 2)):
        return "Two people have the same name, or names that look the same; please change one."
    taken = next((name for name in people if any(names.alike(name, other) for other in others)), "")
    return (
        f"Somebody at that table is already called {taken}, or something like it. Choose another name."
        if taken
        else ""
    )


def seats_typed(text: str) -> tuple[int, ...]:
    """Return the seats in a text such as ``A, C``; raises ValueError, one sentence."""
    letters = text.upper().replace(",", " ").split()
    wrong = next((each for each in letters if len(each) != 1 or each not in LETTERS), None)
    if wrong is not None:
        raise ValueError(f"{wrong[:20]} is not a seat. Seats are letters, such as A.")
    return tuple(map(LETTERS.index, letters))


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
    """Check that people of these names can sit down at one of the tables of a host, on these seats if any are
    chosen; raises NameProblem, and ValueError where there is no room for all of them.
    """
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
    if len(people) <= line.open_seats or line.expects(people):
        return ""
    many = f", too few for {len(people)} people" if people[1:] else ""
    kept = f"; it expects {_joined(line.kept)}" if line.kept else ""
    return f"This table has {_open_seats(line.open_seats)}{many}{kept}"


def _open_seats(number: int) -> str:
    return {0: "no open seat", 1: "1 open seat"}.get(number, f"{number} open seats")


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a line of names with commas between them."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


class ShelvedTable(protocol.TableLine, frozen=True):
    """A game that the host has saved and closed because nobody played it."""


class TableLine(msgspec.Struct, frozen=True):
    """A table of a host as a line to choose from; ``names`` are those of who sits there, ``code`` whether
    one is needed to sit down; in a rematch seats are ``kept`` for players of these names. With ``held`` the
    line is that of one's own seats there, and of no others. ``free`` are the open seats; at a table that
    ``waits`` somebody is there, and the game has not begun.
    """

    table: str
    title: str
    text: str
    free: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    code: bool = False
    playing: bool = False
    held: Held | None = None
    kept: tuple[str, ...] = ()
    waits: bool = False

    @property
    def open_seats(self) -> int:
        """How many seats are free."""
        return len(self.free)

    @property
    def free_letters(self) -> str:
        """The free seats as people read them."""
        return ", ".join(LETTERS[seat] for seat in self.free)

    def expects(self, people: Sequence[str]) -> bool:
        """Return whether seats are kept for all of these people, who need no code then."""
        return bool(people) and all(any(names.alike(name, each) for each in self.kept) for name in people)

    @property
    def mine(self) -> str:
        """Whose seats one's own are, as far as the line is of such."""
        return "" if self.held is None else " and ".join(self.held.people)

    @property
    def seats(self) -> str:
        """Return the words for its free seats."""
        if self.held is not None:
            return f"your seat{'s' * (len(self.held.keys) > 1)}"
        return f"{len(self.kept)} expected" if self.kept and not self.free else _open_seats(self.open_seats)

    def is_of(self, name: str) -> bool:
        """Return whether one of one's own seats has this name."""
        return self.held is not None and any(names.alike(name, other) for other in self.held.people)

    def has(self, name: str, elsewhere: Sequence[str] = ()) -> bool:
        """Return whether somebody there has this name, or one that looks the same, or one of those
        ``elsewhere``.
        """
        return bool(name) and any(names.alike(name, other) for other in (*self.names, *elsewhere))


def table_lines(
    tables: Sequence[protocol.TableLine],
    held: Sequence[Held] = (),
    *,
    people: Sequence[str] = (),
    watching: bool = False,
) -> tuple[TableLine, ...]:
    """Return the tables of a host, and before them a line for the seats of each terminal in ``held``, those
    played last first; where ``people`` come whose names are told, those of others are left out. Of the tables
    those come first where somebody waits for players, then those with the most open seats; for who is
    ``watching`` those that are played.
    """
    found = [_table_line(table) for table in tables if not isinstance(table, ShelvedTable)]
    mine = [_own_line(table, each) for each in reversed(held) for table in tables]
    titles = Counter(_title(table) for table in tables)
    own = [line for line in mine if line is not None and (not people or any(map(line.is_of, people)))]
    # A table without open seats has nothing but one's own for who sits there.
    seated = {line.table for line in own}
    others = [line for line in found if line.open_seats or line.table not in seated]
    others.sort(key=lambda line: not line.playing if watching else (not line.waits, -line.open_seats))
    return tuple(
        line if titles[line.title] < 2 else replace(line, text=f"{line.text}, table {line.table}")
        for line in (*own, *others)
    )


def shelved_tables(held: Sequence[Held]) -> list[ShelvedTable]:
    """Return the shelved games where this person has seats."""
    tables = {each.table: each for each in held}
    names: dict[str, dict[int, str]] = {table: {} for table in tables}
    for each in held:
        names[each.table] |= {seat: each.names.get(seat, "?") for seat in each.keys}
    seats = {
        table: [protocol.SeatLine(known.get(seat, "?"), "person", False) for seat in range(max(known) + 1)]
        for table, known in names.items()
        if known
    }
    return [
        ShelvedTable(
            id=table,
            title=tables[table].title,
            game=tables[table].game,
            status="waiting",
            seats=lines,
            settings={},
        )
        for table, lines in seats.items()
    ]


def fitting(lines: Sequence[TableLine], seats: int, *, watching: bool) -> tuple[TableLine, ...]:
    """Return the tables with at least this many open seats; to watch, those being played, or else all."""
    if watching:
        return tuple(line for line in lines if line.playing) or tuple(lines)
    return tuple(line for line in lines if line.held is None and seats <= line.open_seats)


def only_table(lines: Sequence[TableLine], seats: int, *, watching: bool) -> TableLine | None:
    """Return the table that is meant where there is no doubt: the only one with this many open seats, and no
    seats of one's own to go on with. To watch, the only one.
    """
    found = fitting(lines, seats, watching=watching)
    own = any(line.held is not None for line in lines)
    return found[0] if len(found) == 1 and not own else None


def status_of(table: protocol.TableLine) -> protocol.Status:
    """Return the status of a table; a game is over, too, when somebody has resigned."""
    return "over" if table.resigned else table.status


def _table_line(table: protocol.TableLine, held: Held | None = None) -> TableLine:
    """Return the line of a table, or of the seats ``held`` there."""
    state = status_of(table)
    # A wrong host may list more seats than there are letters.
    lettered = enumerate(() if state == "over" else table.seats[: len(LETTERS)])
    free = tuple(n for n, seat in lettered if seat.kind == "open" and not seat.kept)
    there = any(seat.kind == "person" and seat.present for seat in table.seats)
    mine = () if held is None else held.keys
    names = [clean_text(seat.name) for seat in table.seats]
    shown = (told_apart(name, seat.kind) for name, seat in zip(names, table.seats, strict=True))
    who = ", ".join(
        f"{name} (you)" if number in mine else name or free_seat(seat)
        for number, (seat, name) in enumerate(zip(table.seats, shown, strict=True))
    )
    status = "saved" if isinstance(table, ShelvedTable) else "finished" if state == "over" else state
    code = table.code and held is None
    game = games.info(table.game).title if table.game in games.names() else clean_text(table.game)
    text = f"{status:<9} {', '.join(filter(None, (game, 'with a code' if code else '', who)))}"
    return TableLine(
        table.id,
        _title(table),
        text,
        free,
        names=tuple(filter(None, names)),
        code=code,
        playing=state == "playing",
        held=held,
        kept=tuple(filter(None, (clean_text(seat.kept) for seat in table.seats))),
        waits=state == "waiting" and there and bool(free),
    )


def _title(table: protocol.TableLine) -> str:
    return clean_text(table.title) or clean_text(table.id)


def free_seat(seat: protocol.SeatLine) -> str:
    """Return the words for an empty seat; in a rematch it may be kept for a player."""
    kept = clean_text(seat.kept)
    return f"{kept} (expected)" if kept else "open seat"


def _own_line(table: protocol.TableLine, held: Held) -> TableLine | None:
    """Return the line of the seats held there, if any of them is still one's own as far as names tell."""
    if table.id != held.table or status_of(table) == "over":
        return None
    there = {number: clean_text(seat.name) for number, seat in enumerate(table.seats)}
    still = held.only([seat for seat, name in there.items() if name and held.names.get(seat, name) == name])
    return None if still is None else _table_line(table, still)


def last_game(held: Sequence[Held], now: datetime | None = None) -> str:
    """Return a game that one can go on with: which, against whom, how far and when it was played, and where,
    and the seats of each terminal that left it.
    """
    last, mine = held[0], [name for each in held for name in each.people]
    game = games.info(last.game).title if last.game in games.names() else "a game"
    rivals = [clean_text(name) for name in last.others if name not in mine]
    others = f" against {_joined(rivals)}" if rivals else ""
    people = " or ".join(_joined([*map(clean_text, each.people)]) for each in held)
    seats = f"seat{'s' * (len(last.people) > 1)} {people}"
    where = "on this machine" if last.local else f"{clean_text(last.title)[:20] or 'a table'} at {last.host}"
    played = (f"{game}{others}", _when(last.at, now), f"round {last.round}" if last.round else "")
    return ", ".join(filter(None, (*played, where, seats)))


def _joined(names: Sequence[str]) -> str:
    """Return ``Ann, Bea and Cyd``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _when(at: float, now: datetime | None) -> str:
    """Return ``today 10:57``, ``yesterday 10:57``, or the date."""
    played = datetime.fromtimestamp(at)
    days = ((now or datetime.now()).date() - played.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{played:%Y-%m-%d}")
    return f"{day} {played:%H:%M}"


def record_name(who: Sequence[str], now: datetime, table: str) -> str:
    """Return the file name of a game's record: when, who, and the table, so that no two games have the
    same.
    """
    names, number = (
        "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in text)
        for text in ("-".join(who), table)
    )
    return f"{now:%Y-%m-%d-%H%M%S}-{names[:60] or 'game'}-{number[:20]}.jsonl"
