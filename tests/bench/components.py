"""Whether a game's components make good games: measured in thousands of games, for each number of seats.

Run: ``python -m tests.bench components GAME [--games 10000] [--seats 2 3] [--level guide] [--settings JSON]
[--jobs 2] [--keep FILE]``. Bots of one level play; the games are shared out among the numbers of seats. With
``--keep`` each game is saved to a file at once, and saved ones are not played again. Shares have their 95 %
interval.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import fmean, pstdev, quantiles
from typing import Any

import msgspec

from cave import games
from cave.game import Json
from cave.score import win_shares
from client.games import get_face as face_of
from client.lab.series import bot_decision
from client.lab.series_figures import wilson_interval

MOST_ACTIONS = 5000
"""A longer game counts as unfinished."""
AT_LEAST = 50
"""A thing that decides fewer games is not reported."""


class Played(msgspec.Struct, frozen=True):
    """A game: the seat that began, each seat's points, share of the win and note, and what happened.

    ``leads`` are the changes of the lead from turn to turn. ``got`` has the number of each thing that each
    seat got.
    """

    seed: str
    seats: int
    finished: bool
    first: int
    turns: int
    actions: int
    leads: int
    totals: list[float]
    wins: list[float]
    notes: list[str]
    points: dict[str, float]
    happened: dict[str, int]
    got: dict[str, list[int]]


class Questions(msgspec.Struct, frozen=True):
    """What to look for in a game's events: what ``happened``, and which things a seat ``got``."""

    happened: Callable[[Json], str]
    got: Callable[[Json], Iterable[str]]


def _in_the_cave(event: Json) -> str:
    return "sealed caves" if event["type"] == "end_triggered" and event["reason"] == "sealed" else ""


def _tile_drawn(event: Json) -> list[str]:
    return [f"{event['tile']['kind']} drawn"] if event["type"] == "drew" else []


def _in_sir_ocelots_cave(event: Json) -> str:
    return f"amethysts by {event['by']}" if event["type"] == "drew" else ""


def _amethyst(event: Json) -> list[str]:
    return [f"amethyst {event['value']}"] if event["type"] == "drew" else []


CASADH = {
    "hex_placed": "hexes explored",
    "collapsed": "collapses",
    "grue_gone": "grues driven out",
    "treasure_kept": "treasures kept",
}


def _in_casadh(event: Json) -> str:
    return f"deaths by {event['by']}" if event["type"] == "died" else CASADH.get(event["type"], "")


def _treasure_or_item(event: Json) -> list[str]:
    if event["type"] == "treasure_kept":
        return [f"treasure {event['value']}"]
    return [f"item {item}" for item in event["items"]] if event["type"] == "items_collected" else []


VERSUS = {"furnished": "rooms furnished", "excavated": "rooms excavated", "cavern_taken": "caverns taken"}


def _in_cave_vs_cave(event: Json) -> str:
    return VERSUS.get(event["type"], "")


def _room(event: Json) -> list[str]:
    return [f"room {event['room']}"] if event["type"] == "furnished" else []


QUESTIONS = {
    "the-cave": Questions(_in_the_cave, _tile_drawn),
    "sir-ocelots-cave": Questions(_in_sir_ocelots_cave, _amethyst),
    "caves-of-casadh": Questions(_in_casadh, _treasure_or_item),
    "cave-vs-cave": Questions(_in_cave_vs_cave, _room),
}


def play(name: str, levels: Sequence[str], settings: Json, seed: str) -> Played:
    """Play a game of these bots."""
    game, face, asked = games.get_game(name), face_of(name), QUESTIONS[name]
    state = game.new(len(levels), settings, seed)
    first = _first(state)
    happened: Counter[str] = Counter()
    got: dict[str, list[int]] = {}
    actions, leads, leader = 0, 0, None
    turns = int(face.running_turn(game.view(state, None)) is not None)
    while (seats := game.to_act(state)) and actions < MOST_ACTIONS:
        seat = min(seats)
        action, _ = bot_decision(game, state, seat, levels[seat], f"{seed}/{actions}")
        step = game.apply(state, seat, game.decode(state, seat, action))
        state, actions = step.state, actions + 1
        began = False
        for event in map(game.event_json, step.events):
            began |= face.turn(event) is not None
            happened[asked.happened(event)] += 1
            for thing in asked.got(event):
                got.setdefault(thing, [0] * len(levels))[event["seat"]] += 1
        turns += began
        if began and (ahead := _ahead([line.total or 0 for line in game.standing(state)])) is not None:
            leads += leader not in (None, ahead)
            leader = ahead
    del happened[""]
    lines, over = game.standing(state), game.over(state)
    points: Counter[str] = Counter()
    for line in lines:
        points.update(line.points)
        points.update(line.bonus)
    return Played(
        seed,
        len(levels),
        over,
        first,
        turns,
        actions,
        leads,
        [line.total or 0 for line in lines],
        list(win_shares(game.standing(state))) if over else [0.0] * len(levels),
        [line.note for line in lines],
        dict(points),
        dict(happened),
        got,
    )


def _first(state: Any) -> int:
    """Return the seat that begins; Cave vs Cave has another name for it."""
    first: int = state.first if hasattr(state, "first") else state.first_seat
    return first


def _ahead(totals: Sequence[float]) -> int | None:
    """Return the seat with the most points, None for a tie."""
    most = max(totals)
    return totals.index(most) if totals.count(most) == 1 else None


def report(name: str, seats: int, played: Sequence[Played]) -> list[str]:
    """Return the report on games with this number of seats, as lines."""
    words = face_of(name).sheet
    done = [game for game in played if game.finished]
    totals = [total for game in done for total in game.totals]
    notes = Counter(note for game in done for note in game.notes if note)
    happened: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for game in done:
        happened.update(game.happened)
        points.update(game.points)
    whole = sum(points.values()) or 1
    lines = [
        f"{seats} seats, {len(played)} games, {len(played) - len(done)} unfinished",
        f"  turns {_spread(game.turns for game in done)}; actions {_spread(game.actions for game in done)}",
        f"  points of a seat {_spread(totals)}, mean {fmean(totals):.1f}, deviation {pstdev(totals):.1f}",
    ]
    if seats > 1:
        margins = [top[-1] - top[-2] for game in done if (top := sorted(game.totals))]
        begins = sum(game.wins[game.first] for game in done) / len(done)
        lines += [
            f"  the winner is ahead by {_spread(margins)},"
            f" and the lead changes {_spread(game.leads for game in done)} times",
            f"  who begins wins {_interval(begins, len(done))} (equal: {1 / seats:.1%})",
            "  wins by place in the order of turns "
            + " ".join(f"{fmean(g.wins[(g.first + place) % seats] for g in done):.1%}" for place in range(seats)),
        ]
    else:
        won = sum(game.wins[0] for game in done) / len(done)
        lines.append(f"  the goal is reached in {_interval(won, len(done))}")
    shares = [(words.categories.get(key, key), each / whole) for key, each in points.most_common() if each]
    lines.append("  points by " + ", ".join(f"{key} {share:.1%}" for key, share in shares))
    counts = [f"{key} {count / len(done):.2f}" for key, count in sorted(happened.items())]
    counts += [f"seats with {note} {count / len(totals):.1%}" for note, count in sorted(notes.items())]
    if counts:
        lines.append("  in a game: " + ", ".join(counts))
    return lines + (_worths(done, seats) if seats > 1 else [])


def _worths(done: Sequence[Played], seats: int) -> list[str]:
    """Return how often the seat with the most of a thing wins."""
    lines = []
    for thing in sorted({thing for game in done for thing in game.got}):
        with_most = [
            game.wins[most] for game in done if thing in game.got and (most := _ahead(game.got[thing])) is not None
        ]
        if len(with_most) >= AT_LEAST:
            share = _interval(fmean(with_most), len(with_most))
            lines.append(f"  most of {thing}: in {len(with_most) / len(done):.0%} of the games, wins {share}")
    return lines


def _spread(values: Iterable[float]) -> str:
    tenths = quantiles(values, n=10, method="inclusive")
    return f"{tenths[0]:.0f}/{tenths[4]:.0f}/{tenths[8]:.0f}"


def _interval(share: float, size: int) -> str:
    low, high = wilson_interval(share, size)
    return f"{share:.1%} ({low:.1%} to {high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=games.game_names())
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seats", type=int, nargs="*")
    parser.add_argument("--level", default="guide")
    parser.add_argument("--settings", type=json.loads, default={})
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    numbers = asked.seats or list(games.get_game(asked.game).seats)
    known = _kept(asked.keep)
    print(f"{asked.game}, {asked.level}, {json.dumps(asked.settings)}; p10/median/p90", flush=True)
    for seats in numbers:
        seeds = [f"components {seats} {number}" for number in range(asked.games // len(numbers))]
        found = [known[seed] for seed in seeds if seed in known]
        with ProcessPoolExecutor(asked.jobs) as pool:
            waiting = [
                pool.submit(play, asked.game, (asked.level,) * seats, asked.settings, seed)
                for seed in seeds
                if seed not in known
            ]
            for each in as_completed(waiting):
                found.append(each.result())
                if asked.keep:
                    with asked.keep.open("ab") as file:
                        file.write(msgspec.json.encode(found[-1]) + b"\n")
        print("\n".join(report(asked.game, seats, found)), flush=True)


def _kept(path: Path | None) -> dict[str, Played]:
    """Return the games in a file, by their seeds; skips a truncated line."""
    found = {}
    if path and path.exists():
        for line in path.read_bytes().splitlines():
            try:
                game = msgspec.json.decode(line, type=Played)
            except msgspec.DecodeError:
                continue
            found[game.seed] = game
    return found


if __name__ == "__main__":
    main()
