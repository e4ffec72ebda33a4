"""The score of a series of games at one table: most wins, then most points. In a round robin all players meet
once, and those who sit out watch.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cave.protocol import PlayerLine, SeriesLine
from cave.score import plain_number


def series_before_first_game(best_of: int, seats: int) -> SeriesLine:
    return SeriesLine(best_of, 1, (0,) * seats, (0,) * seats)


def round_robin_schedule(players: int) -> list[tuple[int, ...]]:
    """Return the two players of each game by the circle method. Each sits first and second equally often,
    give or take one.
    """
    circle: list[int] = [*range(players)]
    if players % 2:
        circle.insert(0, -1)  # the rival of -1 sits out
    else:
        circle.insert(0, circle.pop())
    games = []
    for _ in circle[1:]:
        half = len(circle) // 2
        pairs = [*zip(circle[:half], reversed(circle[half:]), strict=True)]
        games += [sorted(pair, reverse=sum(pair) % 2 == 0) for pair in reversed(pairs) if -1 not in pair]
        circle.insert(1, circle.pop())
    return [*map(tuple, games)]


def round_robin_score(players: Sequence[PlayerLine], game: int) -> SeriesLine:
    """Return the score of a round robin before this game (from 1)."""
    games = round_robin_schedule(len(players))
    sits = games[game - 1]
    return SeriesLine(
        len(games),
        game,
        tuple(players[number].wins for number in sits),
        tuple(players[number].points for number in sits),
        players=tuple(players),
        sits=sits,
        next=next(iter(games[game:]), ()),
    )


def series_after_game(score: SeriesLine, won: Sequence[int], totals: Sequence[float]) -> SeriesLine:
    """Return the score after a game: ``won`` counts if not shared; ``totals`` are by seat."""
    wins = tuple(before + ([seat] == [*won]) for seat, before in enumerate(score.wins))
    points = tuple(plain_number(sum(each)) for each in zip(score.points, totals, strict=True))
    score = replace(score, wins=wins, points=points)
    if score.players:
        return _after_pair(score)
    both = [*zip(wins, points, strict=True)]
    decided = 2 * max(wins) > score.of or score.game == score.of
    winners = tuple(seat for seat, each in enumerate(both) if decided and each == max(both))
    return replace(score, winners=winners)


def _after_pair(score: SeriesLine) -> SeriesLine:
    players = [*score.players]
    for seat, number in enumerate(score.sits):
        before = players[number]
        wins, points = score.wins[seat], score.points[seat]
        players[number] = replace(before, games=before.games + 1, wins=wins, points=points)
    most = max((player.wins, player.points) for player in players)
    if score.game == score.of:
        players = [replace(each, won=(each.wins, each.points) == most) for each in players]
    winners = tuple(seat for seat, number in enumerate(score.sits) if players[number].won)
    return replace(score, players=tuple(players), winners=winners)


def series_before_next_game(score: SeriesLine, order: Sequence[int]) -> SeriesLine:
    """Return the score before the next game, with the seats in a new ``order``; after the last game, a new
    series. A round robin has its own schedule.
    """
    if score.players and score.game < score.of:
        return round_robin_score(score.players, score.game + 1)
    if score.players:
        return round_robin_score([PlayerLine(player.name, player.bot) for player in score.players], 1)
    if score.winners:
        return series_before_first_game(score.of, len(order))
    wins, points = (tuple(each[seat] for seat in order) for each in (score.wins, score.points))
    return replace(score, game=score.game + 1, wins=wins, points=points)
