"""Finds puzzles in games of bots, and proves them; ``python -m client.lab.puzzles GAME`` adds new ones.

In each position the search tries all ways of the next turns that do not depend on chance. A puzzle is a
position in which a single first action leads to more points than all others, and the guide does not find it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from cave import codec, games
from cave.game import AnyGame, Json
from cave.lesson import SEAT, game_folder
from cave.puzzle import FILE, LEVELS, Here, Puzzle, actions, is_goal_reached, load_puzzles, play_to_next_turn
from client.games import get_face as face_of
from client.lab.series import bot_decision

WANTED = 32  # puzzles per game, the same number of each level
MOST = 8_000  # most situations to try in one position
LEAST = 2  # least actions of a solution, and ways to begin
LENGTHS = 3  # the games ask in turns for solutions of at least 2, 3 and 4 actions: short ones are common
SEEDS = 3  # games of the guide that must miss the goal
NAMES = ("Ann", "Bea")
TURNS = (2, 1)  # turns to try, the most first


class TooMany(Exception):
    """There are too many ways to try."""


class PuzzleWays:
    """All ways from a situation that do not depend on chance; ``asked`` are facts that must hold."""

    def __init__(self, game: AnyGame, asked: Mapping[str, float]) -> None:
        self._game = game
        self._asked = asked
        self.known: dict[bytes, tuple[float, int]] = {}

    def points_in_state(self, state: Any) -> float:
        """Return the points in a state, -1 if the goal is not reached."""
        return self._game.facts(state, SEAT)["points"] if is_goal_reached(self._game, self._asked, state) else -1

    def best(self, here: Here) -> tuple[float, int]:
        """Return the most points that a way from here reaches, and the fewest actions to them."""
        key = codec.encode([_position_without_names(self._game, here.state), here.turns])
        if key not in self.known:
            if len(self.known) >= MOST:
                raise TooMany
            self.known[key] = found = (self.points_in_state(here.state), 0)
            for _, points, length in self.first_actions(here):
                found = max(found, (points, length), key=lambda each: (each[0], -each[1]))
            self.known[key] = found
        return self.known[key]

    def first_actions(self, here: Here) -> Iterator[tuple[Any, float, int]]:
        """Yield each first action with the points it leads to, and the number of actions."""
        for action in actions(self._game, here):
            done = play_to_next_turn(self._game, here, action)
            if done.sure:
                points, length = self.best(done.here)
                yield action, points, length + 1

    def shortest_solution(self, here: Here) -> list[Any]:
        """Return the actions of a shortest way to the most points."""
        played = []
        while (goal := self.best(here)) and goal[1]:
            action = next(each for each, *rest in self.first_actions(here) if rest == [*goal])
            played.append(action)
            here = play_to_next_turn(self._game, here, action).here
        return played


def _position_without_names(game: AnyGame, state: Any) -> Json:
    return game.position(state, NAMES[: min(game.seats)])


def prove_known_puzzles(game: AnyGame) -> Iterator[tuple[Puzzle, int]]:
    """Yield the known puzzles of a game, proved again."""
    for each in load_puzzles(game):
        asked = {fact: least for fact, least in each.goal.items() if fact != "points"}
        proved = puzzle_at(game, game.from_position(each.position), asked, each.turns)
        if proved is not None:
            yield proved


def search_puzzles(name: str, count: int, most_turns: int = TURNS[0]) -> Iterator[tuple[Puzzle, int]]:
    """Yield puzzles from this many games of bots, each with the number of situations that the proof took."""
    game, levels = games.get_game(name), list(games.game_info(name).bots)[:2]
    asks: list[dict[str, float]] = [{}, *({fact: 1.0} for fact in face_of(name).asks if fact != "points")]
    for number in range(count):
        state: Any = game.new(min(game.seats), {}, f"puzzle {number}")
        level = levels[number % len(levels)]
        least = LEAST + number % LENGTHS
        played, last = 0, -99
        while ready := game.to_act(state):
            seat = min(ready)
            if seat == SEAT and len(ready) == 1 and played - last > 5:
                for asked, turns in product(asks, (each for each in TURNS if each <= most_turns)):
                    found = puzzle_at(game, state, asked, turns, least)
                    if found is not None:
                        yield found
                        last = played
                        break
            action, _ = bot_decision(game, state, seat, level, f"{number}:{played}")
            state = game.apply(state, seat, game.decode(state, seat, action)).state
            played += 1


def puzzle_at(
    game: AnyGame, state: Any, asked: Mapping[str, float], turns: int, least: int = LEAST
) -> tuple[Puzzle, int] | None:
    """Return the puzzle of this many turns in a state, with at least so many actions, or None."""
    ways, here = PuzzleWays(game, asked), Here(state, turns)
    if asked and is_goal_reached(game, asked, state):
        return None
    if len(actions(game, here)) ** here.turns > MOST:
        return None
    try:
        firsts = sorted(ways.first_actions(here), key=lambda each: -each[1])
    except (TooMany, RecursionError):
        return None
    if len(firsts) < LEAST or not firsts[0][1] > max(firsts[1][1], ways.points_in_state(state), 0):
        return None
    solution = ways.shortest_solution(here)
    if len(solution) < least:
        return None
    goal = {**asked, "points": firsts[0][1]}
    data = tuple(game.action_json(action) for action in solution)
    puzzle = Puzzle(0, 0, turns, goal, _position_without_names(game, state), data)
    solved = any(guide_solves(game, puzzle, str(seed)) for seed in range(SEEDS))
    return None if solved else (puzzle, len(ways.known))


def guide_solves(game: AnyGame, puzzle: Puzzle, seed: str) -> bool:
    here = Here(game.from_position(puzzle.position), puzzle.turns)
    for number in range(100):
        if is_goal_reached(game, puzzle.goal, here.state):
            return True
        if not here.turns:
            break
        action = bot_decision(game, here.state, SEAT, "guide", f"{seed}:{number}")[0]
        done = play_to_next_turn(game, here, game.decode(here.state, SEAT, action))
        if not done.sure:
            break
        here = done.here
    return False


def choose_by_difficulty(found: Sequence[tuple[Puzzle, int]]) -> list[Puzzle]:
    """Return the wanted number of puzzles per level: longer solutions among more ways are harder."""
    ranked = sorted(found, key=lambda each: (len(each[0].solution), each[1]))
    each = WANTED // len(LEVELS)
    chosen = []
    for level in range(len(LEVELS)):
        part = ranked[level * len(ranked) // len(LEVELS) : (level + 1) * len(ranked) // len(LEVELS)]
        step = max(1, len(part) // each)
        if level == len(LEVELS) - 1:
            part, step = sorted(part, key=lambda each: (-len(each[0].solution), each[1])), 1
        chosen += [(puzzle, level) for puzzle, _ in part[::step][:each]]
    return [replace(puzzle, number=number, level=level) for number, (puzzle, level) in enumerate(chosen, 1)]


def main(name: str, count: str = "40", most_turns: str = "2") -> None:
    """Add the puzzles of this many games to the known ones, and keep the best. If turns begin with chance, a
    limit of one turn finds as many in far less time.
    """
    found = list(prove_known_puzzles(games.get_game(name)))
    for each in search_puzzles(name, int(count), int(most_turns)):
        found.append(each)
        print(f"{len(found)}: {len(each[0].solution)} actions, {each[1]} situations", file=sys.stderr)
    lines = [msgspec.json.encode(puzzle) + b"\n" for puzzle in choose_by_difficulty(found)]
    Path(str(game_folder(games.get_game(name)).joinpath(FILE))).write_bytes(b"".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
