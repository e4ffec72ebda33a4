"""Games of bots in Cave vs Cave: points, lengths, how they end, and how often who wins.

Run: ``python -m tests.bench.versus_games [--games 1000] [--edition era-1 --players 2]``. Each edition for two
is played by two rookies, by two novices, and by one of each, who change seats; each edition for one by either
level. A game that has not ended after ``MOST`` actions is left unfinished.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from statistics import mean, quantiles

from msgspec import Struct

from cave import bots
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.scoring import best_room
from cave.cave_vs_cave.state import State

EDITIONS = ((2, "era-1"), (2, "era-1-2"), (2, "era-2"), (1, "era-1"), (1, "era-1-2"))
MOST = 2000
"""The most actions of a game: far more than any needs."""


class Played(Struct, frozen=True):
    """A game that bots played: levels by seat, the seat that began, the end, and how many actions it had."""

    levels: tuple[str, ...]
    first: int
    end: State
    actions: int


def play(levels: Sequence[str], edition: str, seed: str) -> Played:
    """Play a game of these bots to its end."""
    state = GAME.new(len(levels), {"edition": edition}, seed)
    first, actions = state.first, 0
    while state.seat is not None and actions < MOST:
        seat = state.seat
        view = GAME.view_json(GAME.view(state, seat))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
        chosen = bots.choose(GAME.name, levels[seat], view, choices, f"{seed}/{actions}")
        state = GAME.apply(state, seat, GAME.decode(state, seat, chosen)).state
        actions += 1
    return Played(tuple(levels), first, state, actions)


def ending(state: State) -> str:
    """How a game ended: alone whether the goal was reached, else what decided."""
    lines = GAME.standing(state)
    if state.alone:
        return "goal" if lines[0].winner else "missed"
    if lines[0].total != lines[1].total:
        return "points"
    rooms = [best_room(player) for player in state.players]
    return "shared" if rooms[0] == rooms[1] else "best room"


def parts(games: Sequence[Played]) -> str:
    """Return the points of a seat by category, on average."""
    points = [line.points for game in games for line in GAME.standing(game.end)]
    names = dict.fromkeys(name for each in points for name, some in each.items() if some)
    return ", ".join(f"{name} {mean(each.get(name, 0) for each in points):.1f}" for name in names)


def first_seat(games: Sequence[Played]) -> str:
    """Return how often who began wins, a shared win counting as its part, and the mean lead in points."""
    won, leads = 0.0, []
    for game in games:
        lines = GAME.standing(game.end)
        won += lines[game.first].winner / sum(bool(line.winner) for line in lines)
        leads.append(lines[game.first].total - lines[1 - game.first].total)
    return f"who begins wins {won / len(games):.0%}, {mean(leads):+.1f} points"


def row(title: str, games: Sequence[Played]) -> str:
    """Return a line of the table for some games, and one for each level that met another."""
    totals = quantiles([line.total for game in games for line in GAME.standing(game.end)], n=10)
    lengths = quantiles([game.actions for game in games], n=10)
    ends = [ending(game.end) for game in games]
    told = ", ".join(f"{end} {ends.count(end) / len(ends):.0%}" for end in sorted({*ends}))
    owned = mean(any(player.cavern for player in game.end.players) for game in games)
    rooms = mean(len(player.rooms) for game in games for player in game.end.players)
    return (
        f"{title:34} {len(games):5} {totals[0]:6.0f} {totals[4]:4.0f} {totals[8]:4.0f}"
        f" {lengths[0]:8.0f} {lengths[4]:4.0f} {lengths[8]:4.0f} {rooms:6.1f} {owned:7.0%}  {told}"
    )


def versus(games: Sequence[Played]) -> str:
    """Return how often each level won, a shared win counting as its part, and its points a game."""
    told = []
    for level in sorted({level for game in games for level in game.levels}):
        won, points = 0.0, []
        for game in games:
            lines = GAME.standing(game.end)
            own = lines[game.levels.index(level)]
            won += own.winner / sum(bool(line.winner) for line in lines)
            points.append(own.total)
        told.append(f"{level} wins {won / len(games):.0%}, {mean(points):.0f} points")
    return "; ".join(told)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each edition and number of players")
    parser.add_argument("--edition", choices=sorted({edition for _, edition in EDITIONS}), default="")
    parser.add_argument("--players", type=int, choices=GAME.seats, default=0)
    asked = parser.parse_args()
    print(f"{'':34} games points p10/50/90  actions p10/50/90  rooms  cavern  decided by")
    for seats, edition in EDITIONS:
        if asked.edition not in ("", edition) or asked.players not in (0, seats):
            continue
        pairs = [*product(("novice", "rookie"), repeat=seats)]
        for levels in sorted({tuple(sorted(pair)) for pair in pairs}):
            # Who is named first changes seats with the other from game to game.
            played = [
                play(levels if game % 2 else levels[::-1], edition, f"{edition}/{game}")
                for game in range(asked.games // len(pairs) * (1 + (len({*levels}) > 1)))
            ]
            games = [game for game in played if game.end.seat is None]
            print(row(f"{edition}, {' and '.join(levels)}", games), flush=True)
            told = [parts(games), f"{len(played) - len(games)} unfinished"]
            told += [first_seat(games)] if seats > 1 else []
            told += [versus(games)] if len({*levels}) > 1 else []
            for line in told:
                print(f"{'':34} {line}", flush=True)


if __name__ == "__main__":
    main()
