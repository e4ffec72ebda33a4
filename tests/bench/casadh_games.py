"""Games of bots in The Caves of Casadh: how long they are, who dies, how much is explored and won.

Run: ``python -m tests.bench.casadh_games [--games 1000] [--level rookie] [--against novice]``. The games are
shared out among tables of two to six; ``--against`` seats the two levels by turns and compares them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import mean, quantiles

from msgspec import Struct

from cave import bots
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json


class Played(Struct, frozen=True):
    """A game that bots played: its levels by seat, its end, and how many turns and actions it had."""

    levels: tuple[str, ...]
    end: State
    turns: int
    actions: int


def play(levels: Sequence[str], seed: str, settings: Json = None) -> Played:
    """Play a game of these bots to its end."""
    state = GAME.new(len(levels), settings or {}, seed)
    turns = actions = 0
    while state.seat is not None:
        seat = state.seat
        view = GAME.view_json(GAME.view(state, seat))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
        chosen = bots.choose(GAME.name, levels[seat], view, choices, f"{seed}/{actions}")
        step = GAME.apply(state, seat, GAME.decode(state, seat, chosen))
        turns += sum(event.type == "turn_began" for event in step.events)
        actions, state = actions + 1, step.state
    return Played(tuple(levels), state, turns + 1, actions)


def row(title: str, games: Sequence[Played]) -> str:
    """Return a line of the table for some games."""
    turns = quantiles([game.turns for game in games], n=10)
    players = [player for game in games for player in game.end.players]
    totals = [line.total for game in games for line in GAME.standing(game.end) if not line.note]
    deaths = mean(player.state == "dead" for player in players)
    hexes = mean(len(game.end.map) - 1 for game in games)
    actions = mean(game.actions for game in games)
    return (
        f"{title:>14} {len(games):5} {turns[0]:7.0f} {turns[4]:4.0f} {turns[8]:4.0f} {hexes:7.0f}"
        f" {deaths:7.0%} {mean(totals or [0]):8.0f} {actions:9.0f}"
    )


def versus(games: Sequence[Played]) -> str:
    """Return how often each level won, a shared win counting as its part, and its points, 0 for the dead."""
    told = []
    for level in sorted({level for game in games for level in game.levels}):
        won, points, seats = 0.0, 0.0, 0
        for game in games:
            lines = GAME.standing(game.end)
            winners = [line.seat for line in lines if line.winner]
            own = [seat for seat, each in enumerate(game.levels) if each == level]
            won += sum(seat in winners for seat in own) / max(1, len(winners))
            points += sum(lines[seat].total or 0 for seat in own)
            seats += len(own)
        told.append(f"{level}: wins {won / len(games):.0%}, {points / seats:.0f} points a seat")
    return "; ".join(told)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--level", default="rookie")
    parser.add_argument("--against", default="")
    asked = parser.parse_args()
    print(f"{'players':>14} games   turns p10/50/90   hexes  deaths  points  actions")
    everything = []
    for seats in GAME.seats:
        levels = [asked.level, asked.against or asked.level]
        number = asked.games // len(GAME.seats)
        games = [
            play([levels[(seat + game) % 2] for seat in range(seats)], f"{seats}/{game}")
            for game in range(number)
        ]
        everything += games
        print(row(f"{seats}", games), flush=True)
    print(row("all", everything))
    if asked.against:
        print(versus(everything))


if __name__ == "__main__":
    main()
