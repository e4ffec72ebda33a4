"""The score sheet as rows of text, and the winner in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave.protocol import SeriesLine
from cave.score import Score
from client.face import SheetWords
from client.present.cells import cell_width
from client.table import TableState
from client.wording import a_bot, begun, count, joined, told_apart

POINTS_SO_FAR = "These are the points so far."  # under the sheet of a game that ended by resignation


class Cell(msgspec.Struct, frozen=True):
    """A seat's points in a line (None: unknown), the ``bonus`` on top, and ``tokens`` that count."""

    points: float | None
    bonus: float = 0
    tokens: int = 0


class Row(msgspec.Struct, frozen=True):
    name: str
    cells: tuple[Cell, ...]


class Sheet(msgspec.Struct, frozen=True):
    """The whole sheet. ``notes`` has a word for each seat under its total."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[float | None, ...]
    notes: tuple[str, ...]
    winners: tuple[int, ...]
    headline: str


def score_sheet(words: SheetWords, results: Sequence[Score], names: Sequence[str], *, resigned: str = "") -> Sheet:
    """Return the sheet of a result; after a resignation that sentence is its headline."""
    rows = tuple(
        Row(title, tuple(_score_cell(line, key, words.tokens.get(key)) for line in results))
        for key, title in words.categories.items()
    )
    winners = tuple(line.seat for line in results if line.winner)
    notes = tuple(
        words.notes.get(line.note, line.note) if line.note else "winner" if line.winner else "" for line in results
    )
    totals = tuple(line.total for line in results)
    if resigned:
        return Sheet(tuple(names), rows, totals, ("",) * len(names), (), resigned)
    return Sheet(tuple(names), rows, totals, notes, winners, result_headline(words, results, names))


def _score_cell(line: Score, category: str, tokens: Sequence[int] | None) -> Cell:
    unsaid = 0 if line.total is not None else None
    many = tokens[line.seat] if tokens else 0
    return Cell(line.points.get(category, unsaid), line.bonus.get(category, 0), many)


def points_as_shown(points: float | None) -> str:
    return "?" if points is None else f"{points:g}"


def result_headline(words: SheetWords, results: Sequence[Score], names: Sequence[str]) -> str:
    winners = [line for line in results if line.winner]
    if not winners:
        return words.no_winner
    total = winners[0].total
    points = "1 point" if total == 1 else f"{points_as_shown(total)} points"
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{joined([names[line.seat] for line in winners])} {verb} with {points}."


def series_words(state: TableState) -> str:
    """Return the state of a series, such as ``Game 2 of 3: Ann 1 win, 54 points; Bea 0 wins, 40 points``. For
    a round robin it has several lines.
    """
    now = state.series
    if now is None:
        return ""
    names = [seat.name_as_shown or seat.kept or "open seat" for seat in state.seats]
    if now.players:
        return _round_robin(now, names, over=state.ended)
    if now.game == 1 and not state.ended:
        return f"Game 1 of {now.of}."
    rows = zip(names, now.wins, now.points, strict=True)
    score = "; ".join(f"{name} {count(wins, 'win')}, {count(points, 'point')}" for name, wins, points in rows)
    if not now.winners:
        return f"Game {now.game} of {now.of}: {score}."
    verb = "wins" if len(now.winners) == 1 else "share"
    return f"{joined([names[seat] for seat in now.winners])} {verb} the series, best of {now.of}: {score}."


def _round_robin(now: SeriesLine, here: Sequence[str], *, over: bool) -> str:
    """Return the table of a round robin, the best player first, and the next game, in lines."""
    names = [told_apart(each.name, "bot" if each.bot else "person") or "free place" for each in now.players]
    for seat, number in enumerate(now.sits):
        names[number] = here[seat]
    best = [names[number] for number, each in enumerate(now.players) if each.won]
    head = f"Round robin, game {now.game} of {now.of}: {_pair(names, now.sits)}."
    if best:
        head = f"{joined(best)} {'wins' if len(best) == 1 else 'share'} the round robin."
    elif over:
        head = f"Round robin: {now.game} of {count(now.of, 'game')} played."
    order = sorted(range(len(names)), key=lambda number: _merit(now, number), reverse=True)
    longest = max(map(cell_width, names))
    rows = [
        f"{1 + sum(_merit(now, other) > _merit(now, number) for other in order)}. "
        f"{names[number]}{' ' * (longest - cell_width(names[number]))}  "
        f"{count(each.wins, 'win')} in {count(each.games, 'game')}, {count(each.points, 'point')}"
        for number, each in ((number, now.players[number]) for number in order)
    ]
    then = [f"Next: {_pair(names, now.next)}."] if now.next else []
    return "\n".join([head, *rows, *then])


def _merit(now: SeriesLine, number: int) -> tuple[int, float]:
    return now.players[number].wins, now.players[number].points


def _pair(names: Sequence[str], pair: Sequence[int]) -> str:
    return " against ".join(names[number] for number in pair)


def invited_words(state: TableState, how: str) -> str:
    """Return who has opened the next table, and how to go there."""
    what = "the next game" if state.series_goes_on else "a rematch"
    if state.series and state.series.players:
        return f"The table for {what} is open: {how}."
    return f"{state.rematch_inviter} has opened a table for {what}: {how}."


def bot_seats_words(state: TableState) -> str:
    return " ".join(
        f"{begun(a_bot(seat.level))} played to the end for {seat.name}." for seat in state.seats if seat.handed
    )


def won_here(state: TableState) -> bool:
    """Return whether a person at this keyboard has won the game, not a bot in their seat."""
    won = [line.seat for line in state.view.standing if line.winner and not state.resignation]
    return any(seat in state.my_seats and not state.seats[seat].level for seat in won)


def game_summary(rounds: int, more: str) -> str:
    return ", ".join(filter(None, (count(rounds, "round"), more)))


def signed_points(points: float) -> str:
    return f"{points:+g}" if points else ""
