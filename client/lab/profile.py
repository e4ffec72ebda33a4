"""A player's profile, computed only from the records: wins, points, rating, streaks. Nothing is sent
anywhere.

The rating is the most likely Elo, with a 95% interval, against bots with fixed ratings. Each rival at a table
counts as a separate game, won by the player with more points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import exp, log, sqrt
from statistics import fmean

import msgspec

from cave import games
from cave.puzzle import SOLVED
from cave.record import Outline
from client.games import get_face as face_of
from client.lab import daily
from client.lab.daily import DailyTry
from client.lab.series_figures import Z
from client.present.records import has_won, seat_of
from client.replay import Summary
from client.settings.schema import Settings
from client.wording import begun, count, told_apart

NOTHING = "You have not finished a game yet. Play one, and look again."
NATURAL = log(10) / 400  # a difference of one in Elo, in natural logarithms of the odds


class Against(msgspec.Struct, frozen=True):
    """Games against a level of bots, or against a person."""

    rival: str
    games: int
    won: int


class Rating(msgspec.Struct, frozen=True):
    """Elo with the bounds of its 95% interval, from a number of ``games`` against bots."""

    elo: int
    low: int
    high: int
    games: int


class GameProfile(msgspec.Struct, frozen=True):
    """A player's results in a game. ``points`` are from the games with a result, oldest first; ``best`` are
    the records, each with its words; ``streak`` and ``longest`` count consecutive wins, now and at most.
    ``dailies`` were played, ``reached`` of them made par, and a bot finished ``by_bot``, which count nowhere
    else. ``solved`` counts puzzles.
    """

    game: str
    games: int
    won: int
    streak: int
    longest: int
    points: tuple[float, ...]
    best: dict[str, str]
    against: tuple[Against, ...]
    rating: Rating | None
    dailies: int
    reached: int
    by_bot: int = 0
    solved: int = 0


class Profile(msgspec.Struct, frozen=True):
    """``days`` are consecutive days with a finished game, now and at most; ``games`` those played."""

    name: str
    days: int
    longest: int
    games: tuple[GameProfile, ...]


class _Result(msgspec.Struct, frozen=True):
    outline: Outline
    seat: int

    @property
    def won(self) -> bool:
        return has_won(self.outline, self.seat)

    @property
    def rivals_beaten_share(self) -> list[tuple[str, float]]:
        """Each rival, a level or a name, with the player's share of the win against it."""
        head, scores = self.outline.header, self.outline.scores
        totals = [each.total for each in scores] or [at != head.resigned for at in range(len(head.seats))]
        mine = totals[self.seat]
        return [
            (
                form.level if form.kind == "bot" else told_apart(form.name, form.kind),
                0.5 if theirs == mine else float(theirs < mine),
            )
            for at, (form, theirs) in enumerate(zip(head.seats, totals, strict=True))
            if at != self.seat
        ]


def make_profile(found: Iterable[Summary], memory: Settings, today: date | None = None) -> Profile:
    """Return the profile of the player named in these settings, with their saved results."""
    name = memory.person_name
    outlines = {each.digest or each.path: each for each in found if each.outline}.values()
    results = [
        _Result(each.outline, seat)
        for each in sorted(outlines, key=lambda each: each.when)
        if each.outline and (seat := seat_of(each.outline, name)) is not None
    ]
    days = {day for result in results if (day := daily.day_of(result.outline.header))}
    tries = daily.ranked_tries(outlines)
    by_game = {game: [each for each in results if each.outline.header.game == game] for game in games.game_names()}
    return Profile(
        name,
        daily.current_streak(days, today or daily.today_in_utc()),
        daily.longest_streak(days),
        tuple(_game_profile(game, mine, tries, memory) for game, mine in by_game.items() if mine),
    )


def _game_profile(
    game: str, results: Sequence[_Result], tries: Mapping[str, DailyTry], memory: Settings
) -> GameProfile:
    won = [result.won for result in results]
    rivals: dict[str, list[bool]] = {}
    for result in results:
        for rival in dict(result.rivals_beaten_share):
            rivals.setdefault(rival, []).append(result.won)
    done = {key: each for key, each in tries.items() if each.game == game}
    signs = [daily.try_sign(each, memory.daily_pars.get(key)) for key, each in done.items()]
    return GameProfile(
        game,
        len(won),
        sum(won),
        _wins_in_a_row(won),
        max(_wins_in_a_row(won[:end]) for end in range(len(won) + 1)),
        tuple(result.outline.scores[result.seat].total for result in results if result.outline.scores),
        _best_results(game, [result for result in results if result.outline.scores]),
        tuple(Against(rival, len(wins), sum(wins)) for rival, wins in rivals.items()),
        likely_rating([each for result in results for each in result.rivals_beaten_share], face_of(game).ratings),
        len(done),
        signs.count(daily.REACHED),
        signs.count(daily.BY_BOT),
        sum(state == SOLVED and key.startswith(f"{game} ") for key, state in memory.puzzles.items()),
    )


def _wins_in_a_row(won: Sequence[bool]) -> int:
    return next((back for back, win in enumerate(reversed(won)) if not win), len(won))


def _best_results(game: str, results: Sequence[_Result]) -> dict[str, str]:
    if not results:
        return {}
    mine = [result.outline.scores[result.seat] for result in results]
    best = {"Most": count(max(score.total for score in mine), "point")}
    won = [result.outline.steps for result in results if result.won]
    if won:
        best["Fastest win"] = count(min(won), "step")
    titles = face_of(game).sheet.categories
    for name, title in titles.items() if len(titles) > 1 else ():
        most = max(score.points.get(name, 0) + score.bonus.get(name, 0) for score in mine)
        if most > 0:
            best[title] = count(most, "point")
    return best


def likely_rating(results: Sequence[tuple[str, float]], levels: Mapping[str, float]) -> Rating | None:
    """Return the most likely rating after these results (level, share of the win) against levels with these
    ratings; None without any. A draw against the weakest level is added, so that the rating is finite.

    >>> likely_rating([("novice", 1.0)] * 3 + [("novice", 0.0)], {"novice": 1000})
    Rating(elo=1147, low=815, high=1479, games=4)
    """
    known = [(levels[level], share) for level, share in results if level in levels]
    if not known:
        return None
    facts = [*known, (min(levels.values()), 0.5)]
    low, high = min(levels.values()) - 2000, max(levels.values()) + 2000
    for _ in range(40):
        middle = (low + high) / 2
        too_low = sum(share - _expected_share(middle, theirs) for theirs, share in facts) > 0
        low, high = (middle, high) if too_low else (low, middle)
    spread = sum((chance := _expected_share(low, theirs)) * (1 - chance) for theirs, _ in facts)
    half = Z / (NATURAL * sqrt(spread))
    return Rating(round(low), round(low - half), round(low + half), len(known))


def _expected_share(mine: float, theirs: float) -> float:
    return 1 / (1 + exp((theirs - mine) * NATURAL))


def figure_lines(of: GameProfile) -> list[tuple[str, str]]:
    rows = [("Won", f"{of.won} of {of.games}, {of.won / of.games:.0%}")]
    rows.append(("In a row", f"{of.streak}, most {of.longest}"))
    if of.rating is not None:
        rows.append(("Rating", f"{of.rating.elo} ({of.rating.low}-{of.rating.high})"))
    if of.points:
        rows.append(("Mean", count(round(fmean(of.points)), "point")))
    rows += [(begun(each.rival), f"{each.won} of {each.games}") for each in of.against]
    if of.dailies:
        by_bot = f", {of.by_bot} {daily.FINISHED_BY_BOT}" if of.by_bot else ""
        rows.append(("Daily caves", f"{of.dailies}, {of.reached} at par{by_bot}"))
    if of.solved:
        rows.append(("Puzzles", f"{of.solved} solved"))
    return rows


def streak_words(of: Profile) -> str:
    if not of.games:
        return NOTHING
    return f"{count(of.days, 'day')} in a row with a finished game, at most {of.longest}."


def points_bars(points: Sequence[float], bar: str, *, rows: int = 7, room: int = 10) -> list[tuple[str, str]]:
    """Return a histogram of the points, with equal ranges and bars of at most ``room`` cells."""
    low = int(min(points))
    width = max(1, -(-(int(max(points)) + 1 - low) // rows))
    counts = [0] * -(-(int(max(points)) + 1 - low) // width)
    for each in points:
        counts[(int(each) - low) // width] += 1
    most = max(counts)
    return [
        (
            f"{low + at * width}" + (f" to {low + (at + 1) * width - 1}" if width > 1 else ""),
            f"{bar * -(-number * room // most)} {number}" if number else "",
        )
        for at, number in enumerate(counts)
    ]


def points_columns(points: Sequence[float]) -> str:
    low, extent = min(points), max(points) - min(points) or 1
    return " ".join("▁▂▃▄▅▆▇█"[int(7 * (each - low) / extent)] for each in points)


def profile_lines(of: Profile) -> list[str]:
    told = [streak_words(of)]
    for each in of.games:
        told += ["", games.game_info(each.game).title]
        told += [f"  {title}: {text}" for title, text in (*figure_lines(each), *each.best.items())]
    return told
