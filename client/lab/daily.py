"""The cave of the day: the same game for everybody on each day (UTC), alone or against the guide.

A day's game is the first of the series named by the date, so ``cave simulate the-cave --seed 2026-11-28 ...``
plays it, too. The par is the guide's result in the first seat. A record with this seed is an attempt, and the
first one started on the day itself counts. Nothing is sent anywhere.
"""

from __future__ import annotations

import calendar
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec

from cave import games
from cave.game import BadData, chosen_values
from cave.record import Header
from client.face import Face
from client.launch.opening import QuickGame
from client.present.records import RecordLine, record_line
from client.replay import Summary, read_record
from client.wording import count

LEVEL = "guide"
REACHED, BELOW, PLAYED, BY_BOT, MISSED = "+", "-", "o", "b", "."
SIGN_ROLES = {REACHED: "won", BELOW: "loud", PLAYED: "turn", BY_BOT: "slot", MISSED: "dim"}
LEGEND = "+ par reached   - below par   o played   b finished by a bot   . missed"
FINISHED_BY_BOT = "finished by a bot"


class DailyTry(msgspec.Struct, frozen=True):
    """An attempt at a game of a day; ``points`` is None if the player resigned. With ``by_bot`` a bot
    finished it for the player: it is the attempt that counts, but not a result of the player.
    """

    game: str
    day: date
    points: float | None
    path: Path
    by_bot: bool = False

    @property
    def key(self) -> str:
        return key(self.game, self.day)


def today_in_utc() -> date:
    return datetime.now(UTC).date()


def key(game: str, day: date) -> str:
    return f"{day.isoformat()} {game}"


def daily_game(game: str, day: date, *, ranked: bool) -> QuickGame:
    """Return the game of a day; the attempt that counts has no hints."""
    return QuickGame(_rival_levels(game), seed=f"{day.isoformat()}:0", game=game, hints=not ranked)


def _rival_levels(game: str) -> tuple[str, ...]:
    return (LEVEL,) * (min(games.game_info(game).seats) - 1)


def compute_par(game: str, day: date) -> float:
    """Let the guide play the day's game in a separate process; takes seconds. Raises LabFailed."""
    from client.lab.series import Series, play_all

    series = Series(game, (LEVEL, *_rival_levels(game)), seed=day.isoformat())
    (played,) = play_all(series, [0], jobs=2)
    return played.seats[0].total or 0


def ranked_tries(found: Iterable[Summary]) -> dict[str, DailyTry]:
    """Return the attempt that counts for each game and day: the first started on the day."""
    tries: dict[str, DailyTry] = {}
    for summary in sorted(found, key=lambda each: each.outline.header.created if each.outline else ""):
        if (known := daily_try_of_record(summary)) is not None:
            tries.setdefault(known.key, known)
    return tries


def daily_try_of_record(found: Summary) -> DailyTry | None:
    """Return the attempt in a record, if it is a whole game of its day."""
    if found.outline is None or found.outline.header.game not in games.game_names():
        return None
    head, scores = found.outline.header, found.outline.scores
    with suppress(ValueError, OverflowError, BadData):
        day = date.fromisoformat((head.seed or "").removesuffix(":0"))
        options = games.game_info(head.game).options
        seats = [seat.level if seat.kind == "bot" else seat.kind for seat in head.seats]
        as_usual = chosen_values(options, head.settings) == chosen_values(options, {}) and head.start is None
        whole = bool(scores) or head.resigned is not None
        if as_usual and whole and day_of(head) == day and seats == ["person", *_rival_levels(head.game)]:
            points = None if head.resigned is not None else scores[0].total
            return DailyTry(head.game, day, points, found.path, bool(head.seats[0].level))
    return None


def record_line_of(found: Summary) -> RecordLine:
    """Return a record as a line, marked if it is an attempt."""
    return record_line(found, daily=daily_try_of_record(found) is not None)


def day_of(head: Header) -> date | None:
    """Return the day (UTC) on which a record's game started; None if unknown."""
    with suppress(ValueError, OverflowError):
        day = datetime.fromisoformat(head.created).astimezone(UTC).date()
        return day if day > date.min else None  # A streak looks at the day before.
    return None


def current_streak(days: Collection[date], until: date) -> int:
    """Return the number of consecutive days among these, up to this day or the day before."""
    last = until if until in days else until - timedelta(1)
    length = 0
    while last - timedelta(length) in days:
        length += 1
    return length


def days_of(tries: Iterable[DailyTry]) -> set[date]:
    """Return the days on which the player finished an attempt."""
    return {each.day for each in tries if not each.by_bot}


def longest_streak(days: Collection[date]) -> int:
    return max((current_streak(days, day) for day in days), default=0)


def calendar_lines(tries: Mapping[str, DailyTry], pars: Mapping[str, float | None], day: date) -> list[str]:
    """Return the month up to a day: a line per game, with a sign for each day and the streak."""
    room = max(len(games.game_info(name).title) for name in games.game_names())
    first = day.replace(day=1)
    last = calendar.monthrange(day.year, day.month)[1]
    ruler = "".join(f"{number:<5}" for number in range(1, day.day - 2, 5))
    lines = [f"{f'{first:%B}':<{room}}  {ruler:<{day.day - 1}.{day.day - 1}}{day.day}"]
    for game in games.game_names():
        signs = "".join(
            try_sign(tries.get(key(game, at)), pars.get(key(game, at)))
            for at in (first + timedelta(number) for number in range(day.day))
        )
        run = current_streak(days_of(each for each in tries.values() if each.game == game), day)
        row = f"{games.game_info(game).title:<{room}}  {signs:<{last}}"
        lines.append(f"{row}  {count(run, 'day')} in a row" if run > 1 else row)
    return [*lines, LEGEND]


def try_sign(done: DailyTry | None, par: float | None) -> str:
    if done is None:
        return MISSED
    if par is None or done.by_bot:
        return BY_BOT if done.by_bot else PLAYED
    return REACHED if (done.points or 0) >= par else BELOW


def result_line(done: DailyTry, par: float | None, feats: Sequence[str] = ()) -> str:
    """Return one line to share: ``The Cave, 28 Nov: 54 points (par 47), 3 photos``."""
    made = "resigned" if done.points is None else count(done.points, "point")
    more = "" if par is None else f" (par {par:g})"
    found = [FINISHED_BY_BOT] if done.by_bot else feats
    return ", ".join((f"{games.game_info(done.game).title}, {done.day.day} {done.day:%b}: {made}{more}", *found))


def feats_of_record(face: Face, path: Path) -> Sequence[str]:
    """Return the remarkable facts of a record's game; nothing if it is unreadable."""
    with suppress(BadData):
        played = read_record(path)
        return face.feats(played.game.review(played.final_state, played.names), 0)
    return ()
