"""Puzzles: a position, and a goal that can be forced by exactly one first action.

They are data, a line of JSON each in ``puzzles.jsonl`` beside a game's ``RULES.md``, found and proved by
``client/lab/puzzles.py``. Seat 0 plays; the others act like absent players (``Game.idle``), and the solution
uses no chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from cave import codec, lesson, record
from cave.codec import Count, JsonForm, Points
from cave.game import AnyGame, Json, Refused
from cave.lesson import SEAT, UNDO, LessonAttempt, Verdict

FILE = "puzzles.jsonl"
END_OF_TURN = ("turn_began", "turn_ended")  # events
SOLVED, SHOWN, TRIED = "solved", "shown", "tried"  # results of a puzzle
MISTAKE = "mistake "  # prefix of the keys of puzzles made from mistakes
LEVELS = ("easy", "medium", "hard", "very hard")
CHANCE = "That depends on chance, and the solution does not."
FORM = "Nothing is packed, exchanged or discarded in a puzzle."
MISSED = "The goal is not reached."


class Puzzle(JsonForm, frozen=True):
    """A puzzle of a game. ``goal`` maps names of ``Game.facts`` to minimum values, to be reached within
    ``turns``; ``level`` is the difficulty, from 0; ``solution`` has the player's actions.
    """

    number: int
    level: int
    turns: int
    goal: dict[str, Points]
    position: Json
    solution: tuple[Json, ...]

    @property
    def difficulty(self) -> str:
        return LEVELS[self.level]


class Here(Struct, frozen=True):
    """A state of the game, and the number of ``turns`` the player has left."""

    state: Any
    turns: Count


class Done(Struct, frozen=True):
    """The result of an action: the next state, all events, and whether none of them used chance; ``others``
    are the seats that act after it, with their actions.
    """

    here: Here
    events: tuple[Any, ...]
    sure: bool
    others: tuple[tuple[int, Json], ...] = ()


def load_puzzles(game: AnyGame) -> Sequence[Puzzle]:
    file = lesson.game_folder(game).joinpath(FILE)
    lines = file.read_bytes().splitlines() if file.is_file() else []
    return tuple(codec.parse(codec.decode(line), Puzzle) for line in lines)


def actions(game: AnyGame, here: Here) -> list[Any]:
    """Return all actions that a puzzle allows here: choices without free content."""
    if not here.turns:
        return []
    return [each for choice in game.choices(here.state, SEAT) for each in game.spelled_out(choice)]


def play_to_next_turn(game: AnyGame, here: Here, action: Any) -> Done:
    """Apply the player's action, and play on until the player's next turn; raises Refused."""
    step = game.apply(here.state, SEAT, action)
    state, events = step.state, [*step.events]
    ends = SEAT not in game.to_act(state) or any(game.event_json(event)["type"] in END_OF_TURN for event in events)
    turns = here.turns - ends
    others = []
    while turns and SEAT not in (ready := game.to_act(state)) and ready:
        seat = min(ready)
        action = game.idle(state, seat)
        others.append((seat, game.action_json(action)))
        step = game.apply(state, seat, action)
        state = step.state
        events += step.events
    if game.over(state):
        turns = 0
    return Done(Here(state, turns), tuple(events), not any(map(game.is_barrier, events)), tuple(others))


def solution_record(game: AnyGame, puzzle: Puzzle, name: str) -> bytes:
    """Return the record of a puzzle's solution, with the others' actions; ``name`` is the player's."""
    here = Here(game.from_position(puzzle.position), puzzle.turns)
    seats = [record.SeatForm(name)]
    seats += [record.SeatForm(other, "bot") for other in game.names_in(puzzle.position)[1:]]
    lines = [record.header_line(game, {}, seats, seed=None, created="", start=puzzle.position)]
    for data in puzzle.solution:
        done = play_to_next_turn(game, here, game.decode(here.state, SEAT, data))
        lines += [record.action_line(seat, action) for seat, action in ((SEAT, data), *done.others)]
        here = done.here
    return record.write(lines)


def puzzle_key(game: str, puzzle: Puzzle) -> str:
    return f"{game} {puzzle.number}"


def is_goal_reached(game: AnyGame, goal: Mapping[str, float], state: Any) -> bool:
    facts = game.facts(state, SEAT)
    return all(facts.get(name, 0) >= least for name, least in goal.items())


class PuzzleAttempt(LessonAttempt):
    """A player's attempt at a puzzle. Any action without chance is allowed; a turn too many is undone."""

    clues = 3

    def __init__(self, puzzle: Puzzle, game: AnyGame, words: str) -> None:
        self._puzzle = puzzle
        self._turns: list[int] = []
        self._actions: list[Json] = []
        title = f"Puzzle {puzzle.number}"
        super().__init__(lesson.one_step_lesson(game, title, (words,), puzzle.solution, puzzle.position), game)

    @property
    def head(self) -> str:
        return f"Puzzle {self._puzzle.number}, {self._puzzle.difficulty}"

    @property
    def wanted_action(self) -> Json:
        """The next action of the solution; ``UNDO`` if the player has left it."""
        if self.finished:
            return None
        done = tuple(self._actions)
        return self._puzzle.solution[len(done)] if self._puzzle.solution[: len(done)] == done else UNDO

    def judge_action(self, data: Json) -> Verdict:
        """Apply an action, unless it uses chance or makes the goal impossible."""
        game, here = self.game, Here(self.state, self._turns_left)
        try:
            action = game.decode(self.state, SEAT, data)
            done = play_to_next_turn(game, here, action)
        except Refused as no:
            return Verdict("wrong", (no.message,))
        if not any(isinstance(each, type(action)) for each in actions(game, here)):
            return Verdict("wrong", (FORM,))
        if not done.sure:
            return Verdict("wrong", (CHANCE,))
        solved = is_goal_reached(game, self._puzzle.goal, done.here.state)
        if not (solved or done.here.turns):
            return Verdict("wrong", (MISSED,), done.here.state, done.events, listed=True)
        self._turns.append(done.here.turns)
        self._actions.append(data)
        self._commit(done.here.state, done.events, wanted=False)
        self._note_finished(solved)
        return Verdict("done")

    def take_action_back(self) -> bool:
        if self._before and self._actions:
            del self._actions[-1], self._turns[-1]
        return self.step_back()

    @property
    def _turns_left(self) -> int:
        return self._turns[-1] if self._turns else self._puzzle.turns
