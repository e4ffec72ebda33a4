"""The strength of a bot against another: games of two levels, each seed with every rotation of the seats.

Run: ``python -m tests.bench ladder GAME A B [--games 100] [--seats 2] [--settings JSON] [--jobs 1] [--keep
FILE]``, such as ``the-cave guide frozen-rookie``. With ``--keep`` finished games are saved to a file, and
saved ones are not played again. B sits in all seats but one. Besides the levels of the game, those of
``tests/bench/frozen``, and ``search:8`` is the search with a budget of 8 playouts, if a game has one:
``the-cave search:24 search:8``. Times are CPU time, JSON included. The interval is 95 % over seeds, as games
of one seed are alike.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from time import process_time
from typing import Any

import msgspec
from msgspec import Struct

from cave import codec, games, search
from cave.cave_vs_cave.bots import VersusAdvice
from cave.game import Chooser, Json
from cave.the_cave.bots import CaveAdvice
from tests.bench.frozen import FROZEN

MOST_ACTIONS = 5000
"""Longer games count as unfinished."""


class Played(Struct, frozen=True):
    """A game: A's share of the win and its points, the mean points of the others, and the details."""

    share: float
    points: float
    others: float
    finished: bool
    actions: int
    out: int
    """Seats of A that the score sheet has a note for, such as a stranded team."""
    times: dict[str, list[float]]
    """Milliseconds of CPU for each decision, by level."""


class Pair(Struct, frozen=True):
    """The games of a seed, A in each seat."""

    seed: str
    games: list[Played]


def chooser(game: str, level: str) -> Chooser:
    """Return the bot of a level, including frozen ones and searches with a budget."""
    name, _, budget = level.partition(":")
    if name == "search":
        return SEARCHES[game](int(budget))
    return {**games.game_info(game).bots, **FROZEN.get(game, {})}[level]


def _searching(advice: Callable[[], Any]) -> Callable[[int], Chooser]:
    """Return a function that makes a searching bot with a budget in playouts."""

    def bot(budget: int) -> Chooser:
        return lambda view, choices, seed: search.decide_by_search(advice(), view, choices, seed, budget)

    return bot


SEARCHES: dict[str, Callable[[int], Chooser]] = {
    "the-cave": _searching(CaveAdvice),
    "cave-vs-cave": _searching(VersusAdvice),
}


def play(game_name: str, levels: tuple[str, ...], seat: int, settings: Json, seed: str) -> Played:
    """Play a game; ``seat`` is A's."""
    game = games.get_game(game_name)
    state = game.new(len(levels), settings, seed)
    bots = [chooser(game_name, level) for level in levels]
    times: dict[str, list[float]] = {level: [] for level in levels}
    actions = 0
    while (ready := game.to_act(state)) and actions < MOST_ACTIONS:
        acting = min(ready)
        # As over the wire: the bot gets no object of the game itself.
        view = codec.decode(codec.encode(game.view_json(game.view(state, acting))))
        choices = codec.decode(codec.encode([game.choice_json(each) for each in game.choices(state, acting)]))
        begun = process_time()
        chosen = bots[acting](view, choices, f"{seed}/{actions}")
        times[levels[acting]].append(1000 * (process_time() - begun))
        state = game.apply(state, acting, game.decode(state, acting, chosen)).state
        actions += 1
    lines = game.standing(state)
    winners = [line.seat for line in lines if line.winner]
    return Played(
        (seat in winners) / len(winners) if winners else 0.0,
        lines[seat].total or 0,
        mean(line.total or 0 for line in lines if line.seat != seat),
        not game.to_act(state),
        actions,
        int(bool(lines[seat].note)),
        times,
    )


def _pair(game: str, a: str, b: str, seats: int, settings: Json, seed: str) -> Pair:
    """Return the games of a seed, A in each seat."""
    played = [
        play(game, tuple(a if each == seat else b for each in range(seats)), seat, settings, seed)
        for seat in range(seats)
    ]
    return Pair(seed, played)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=games.game_names())
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--settings", type=json.loads, default={})
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    seeds = [f"{asked.seed} {number}" for number in range(max(2, asked.games // asked.seats))]
    pair = partial(_pair, asked.game, asked.a, asked.b, asked.seats, asked.settings)
    known = _kept(asked.keep)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for future in as_completed([pool.submit(pair, seed) for seed in seeds if seed not in known]):
            each = future.result()
            known[each.seed] = each
            if asked.keep:
                with asked.keep.open("ab") as file:
                    file.write(msgspec.json.encode(each) + b"\n")
    _report(asked, [known[seed].games for seed in seeds if seed in known])


def _kept(path: Path | None) -> dict[str, Pair]:
    """Return the games in a file, by their seeds; skips a truncated line."""
    found = {}
    for line in path.read_bytes().splitlines() if path is not None and path.exists() else []:
        with suppress(msgspec.DecodeError):
            pair = msgspec.json.decode(line, type=Pair)
            found[pair.seed] = pair
    return found


def _report(asked: argparse.Namespace, pairs: list[list[Played]]) -> None:
    if len(pairs) < 2:
        print("An interval needs the games of two seeds.")
        return
    played = [game for each in pairs for game in each]
    shares = [mean(game.share for game in each) for each in pairs]
    half = 1.96 * stdev(shares) / sqrt(len(shares))
    won = mean(shares)
    print(
        f"{asked.game}, {asked.seats} seats, {len(played)} games: {asked.a} has {won:.1%} of the wins"
        f" against {asked.b} ({max(0.0, won - half):.1%} to {min(1.0, won + half):.1%})"
    )
    print(
        f"  points {mean(game.points for game in played):.1f} to {mean(game.others for game in played):.1f};"
        f" {mean(game.actions for game in played):.0f} actions a game;"
        f" unfinished {sum(not game.finished for game in played)};"
        f" {asked.a} out {sum(game.out for game in played)} times"
    )
    for level in dict.fromkeys((asked.a, asked.b)):
        times = [time for game in played for time in game.times.get(level, [])]
        p99 = quantiles(times, n=100)[-1]
        print(
            f"  {level}: {len(times)} decisions, CPU ms: mean {mean(times):.2f}, median {median(times):.2f},"
            f" p99 {p99:.1f}, most {max(times):.1f}"
        )


if __name__ == "__main__":
    main()
