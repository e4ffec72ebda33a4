"""Puzzles: each is proved again with a second implementation of the rules, and can be played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from cave import codec, games, record
from cave.game import AnyGame, Json
from cave.lesson import SEAT, UNDO
from cave.puzzle import (
    CHANCE,
    LEVELS,
    MISSED,
    Here,
    Puzzle,
    PuzzleAttempt,
    is_goal_reached,
    load_puzzles,
    play_to_next_turn,
    solution_record,
)
from client.lab.puzzles import guide_solves, puzzle_at
from tests.cave import reckoner as the_cave
from tests.cave.cave_vs_cave import reckoner_steps as versus
from tests.cave.caves_of_casadh import reckoner as casadh
from tests.cave.caves_of_casadh import reckoner_steps as casadh_steps
from tests.cave.conformance import digest
from tests.cave.sir_ocelots_cave import reckoner as ocelot
from tests.effort import effort

SECOND: dict[str, tuple[Any, Any]] = {
    "the-cave": (the_cave.actions, the_cave.after),
    "caves-of-casadh": (casadh.actions, casadh_steps.after),
    "sir-ocelots-cave": (ocelot.actions, ocelot.after),
    "cave-vs-cave": (versus.actions, versus.after),
}
"""The second implementation of the rules: the actions in a position, and their results."""
ALL = [(name, puzzle) for name in SECOND for puzzle in load_puzzles(games.get_game(name))]
few = pytest.mark.parametrize(("name", "puzzle"), ALL[:: effort(12, 1)], ids=lambda each: getattr(each, "number", each))
some = pytest.mark.parametrize(("name", "puzzle"), ALL[:: effort(4, 1)], ids=lambda each: getattr(each, "number", each))


DIGESTS = {
    "the-cave": "77a01c954c42bcf6",
    "caves-of-casadh": "b2746762fd5ed119",
    "sir-ocelots-cave": "eb800b6350ed7cfd",
    "cave-vs-cave": "7ebc6ba0577f9459",
}
"""The positions after all solutions of a game; every machine and Python has to reach the same."""


@pytest.mark.parametrize("name", SECOND)
def test_each_level_has_puzzles_that_end_the_same_everywhere(name: str) -> None:
    game = games.get_game(name)
    found = load_puzzles(game)
    assert len(found) >= 25
    assert [puzzle.number for puzzle in found] == list(range(1, len(found) + 1))
    assert {puzzle.level for puzzle in found} == set(range(len(LEVELS)))
    assert len({codec.encode(puzzle.position) for puzzle in found}) == len(found)
    ends = "".join(
        digest(game, record.replay(BytesIO(solution_record(game, each, "Ann"))).final_state) for each in found
    )
    assert hashlib.sha256(ends.encode()).hexdigest()[:16] == DIGESTS[name]


@few
def test_only_the_first_action_of_the_solution_leads_to_the_goal(name: str, puzzle: Puzzle) -> None:
    game = games.get_game(name)
    known: dict[bytes, bool] = {}

    def leads(position: Json, turns: int) -> bool:
        key = codec.encode([position, turns])
        if key not in known:
            known[key] = False  # a way in a circle leads nowhere
            known[key] = is_goal_reached(game, puzzle.goal, game.from_position(position)) or any(
                leads(*place) for _, place in _after(game, name, position, turns)
            )
        return known[key]

    firsts = [each for each, place in _after(game, name, puzzle.position, puzzle.turns) if leads(*place)]
    assert firsts == [puzzle.solution[0]]
    assert not is_goal_reached(game, puzzle.goal, game.from_position(puzzle.position))


def _after(game: AnyGame, name: str, position: Json, turns: int) -> Iterator[tuple[Json, tuple[Json, int]]]:
    """Yield the actions here that do not depend on chance, and their results, until the player acts again."""
    actions, then = SECOND[name]
    state = game.from_position(position)
    for action in actions(position) if turns else ():
        data = {**action, "items": tuple(action["items"])} if "items" in action else action
        done = play_to_next_turn(game, Here(state, turns), game.decode(state, SEAT, data))
        if not done.sure:
            continue
        there = then(position, action)
        while there["turn"].get("seat", SEAT) != SEAT and done.here.turns:
            rival = game.from_position(there)
            there = then(there, game.action_json(game.idle(rival, there["turn"]["seat"])))
        yield action, (there, done.here.turns)


@some
def test_the_solution_reaches_the_goal_and_the_guide_does_not(name: str, puzzle: Puzzle) -> None:
    game = games.get_game(name)
    attempt = PuzzleAttempt(puzzle, game, "The goal.")
    while not attempt.finished:
        assert attempt.judge_action(attempt.wanted_action).kind == "done"
    assert is_goal_reached(game, puzzle.goal, attempt.state)
    attempt.go_on()
    assert attempt.continues_into_game
    played = record.replay(BytesIO(solution_record(game, puzzle, "Ann")))
    assert is_goal_reached(game, puzzle.goal, played.final_state)
    assert [step.action for step in played.steps if step.seat == SEAT] == [*puzzle.solution]
    assert not guide_solves(game, puzzle, "again")
    assert puzzle_at(game, game.from_position(puzzle.position), _asked(puzzle), puzzle.turns)


def _asked(puzzle: Puzzle) -> dict[str, float]:
    return {name: least for name, least in puzzle.goal.items() if name != "points"}


@some
def test_wrong_actions_must_be_undone(name: str, puzzle: Puzzle) -> None:
    game = games.get_game(name)
    attempt = PuzzleAttempt(puzzle, game, "The goal.")
    verdict, before, states = None, attempt.state, []
    for _ in range(20):
        if game.action_json(idle := game.idle(attempt.state, SEAT)) == attempt.wanted_action:
            return  # doing nothing is the way
        before = attempt.state
        verdict = attempt.judge_action(game.action_json(idle))
        if verdict.kind == "wrong":
            break
        assert attempt.wanted_action == UNDO
        states.append(before)
    assert verdict.say in ((MISSED,), (CHANCE,))
    assert attempt.state == before
    while states:
        assert attempt.take_action_back()
        assert attempt.state == states.pop()
    assert not attempt.take_action_back()
    assert attempt.wanted_action == puzzle.solution[0]
    assert attempt.judge_action({"type": "no such action"}).kind == "wrong"


def test_puzzles_refuse_actions_with_chance() -> None:
    game = games.get_game("the-cave")
    for puzzle in load_puzzles(game):
        attempt = PuzzleAttempt(puzzle, game, "The goal.")
        discover = {"type": "discover"}
        choices = [game.choice_json(choice) for choice in game.choices(attempt.state, SEAT)]
        for choice in choices:
            if choice["action"]["type"] == discover["type"]:
                assert attempt.judge_action(choice["action"]).say == (CHANCE,)
                return
    pytest.skip("no puzzle begins beside an unexplored exit")
