"""Counts of sequences of actions (perft) against ``perft.json``, with a breakdown where one is wrong.

The numbers in the file come from ``reckoner.py``, which reads the rules a second time without the
rules core; a few of depth 1 and 2 are reckoned by hand below.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cave.games import get
from cave.the_cave.actions import Form
from tests.cave import reckoner
from tests.cave.builders import GAME, words
from tests.cave.players import explorer

CASES = json.loads(Path(__file__).with_name("perft.json").read_text(encoding="utf-8"))["cases"]
BY_NAME = {case["name"]: case for case in CASES}
COUNTS = [
    pytest.param(case, depth, id=f"{case['name']}, depth {depth}")
    for case in CASES
    for depth in range(1, len(case["counts"]) + 1)
]
RECKONED_AGAIN = 300
"""The slow reckoner counts again up to this many sequences."""


def moves(state: Any) -> list[tuple[int, Any]]:
    """(seat, action) of every choice that is not a form."""
    return [
        (seat, choice.action)
        for seat in sorted(GAME.to_act(state))
        for choice in GAME.choices(state, seat)
        if not isinstance(choice, Form)
    ]


def perft(state: Any, depth: int) -> int:
    """The number of sequences of so many actions, forms left out."""
    if depth == 1:
        return len(moves(state))
    return sum(perft(GAME.apply(state, seat, action).state, depth - 1) for seat, action in moves(state))


def divide(state: Any, depth: int) -> str:
    """The count below each first action, as the game and as the reckoner has it."""
    position = GAME.position(state)
    mine, naive = Counter[str](), Counter[str]()
    for seat, action in moves(state):
        after = GAME.apply(state, seat, action).state
        mine[words(GAME.action_json(action))] = perft(after, depth - 1) if depth > 1 else 1
    for action in reckoner.actions(position):
        naive[words(action)] = reckoner.count(reckoner.after(position, action), depth - 1)
    lines = [f"{'action':28} {'game':>8} {'reckoner':>8}"]
    for name in sorted(mine | naive):
        mark = "" if mine[name] == naive[name] else "  <--"
        lines.append(f"{name:28} {mine[name]:8} {naive[name]:8}{mark}")
    return "\n".join(lines)


def test_there_are_enough_of_them() -> None:
    assert len(COUNTS) >= 40
    assert len(BY_NAME) == len(CASES)


@pytest.mark.parametrize(("case", "depth"), COUNTS)
def test_perft(case: Any, depth: int) -> None:
    state = GAME.from_position(case["position"])
    counted, wanted = perft(state, depth), case["counts"][depth - 1]
    if counted != wanted:
        pytest.fail(f"{counted} sequences and not {wanted}\n{divide(state, depth)}", pytrace=False)


@pytest.mark.parametrize(
    ("case", "depth"),
    [count for count in COUNTS if count.values[0]["counts"][count.values[1] - 1] <= RECKONED_AGAIN],
)
def test_the_numbers_in_the_file_are_the_reckoners(case: Any, depth: int) -> None:
    assert reckoner.count(case["position"], depth) == case["counts"][depth - 1]


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        # Four ways on foot, four by force, the end of the turn.
        ("alone on a cross of plain tiles", [4 + 4 + 1]),
        # North on foot with the rope, south on foot, both by force, the end of the turn.
        ("a descent and one rope", [5]),
        # Without the third rope the descent is entered by force only.
        ("three levels and two ropes", [1 + 1 + 1 + 1]),
        # Oxygen, raft, force into the water; foot and force to the south; end of turn.
        ("water, oxygen and raft", [6]),
        ("water without oxygen or raft", [4]),
        # Raft, south, or the end. With 0 AP there is only the end; Bea, who has no raft, has force
        # to the north, foot and force to the south, and the end.
        ("1 AP, a raft, and a dive later", [3, 1 + 1 + 4]),
        # Three exits for a choke.
        ("a choke in the hand", [3]),
        # One way on each side by force; and nothing else.
        ("starving in a corridor", [2]),
        # The end of the turn; then Bea: south, south by force, end.
        ("starving with no way out", [1, 3]),
        # South, south by force, pitch, abandon, end.
        ("a packed camp at the base", [5]),
        # North and south on foot and by force, end.
        ("two turns to the end", [5]),
    ],
)
def test_by_hand(name: str, by_hand: list[int]) -> None:
    assert BY_NAME[name]["counts"][: len(by_hand)] == by_hand


def test_the_breakdown_shows_where_it_goes_wrong() -> None:
    state = GAME.from_position(BY_NAME["two turns to the end"]["position"])
    text = divide(state, 2)
    assert "<--" not in text
    assert (
        sum(int(line.split()[-1]) for line in text.splitlines()[1:])
        == BY_NAME["two turns to the end"]["counts"][1]
    )


@pytest.mark.parametrize("edition", ["english", "french"])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_reckoner_agrees_all_through_whole_games(edition: str, seats: int) -> None:
    """At points of real games: the same actions, and after each of them the same position."""
    game = get("the-cave")
    rng = Random(f"{edition}{seats}")
    state = game.new(seats, {"edition": edition}, f"naive {seats}")
    number = compared = 0
    while not game.over(state):
        if state.phase != "packing" and number % 7 == 0:
            position = game.position(state)
            mine = {json.dumps(game.action_json(action), sort_keys=True) for _, action in moves(state)}
            naive = {json.dumps(action, sort_keys=True): action for action in reckoner.actions(position)}
            assert mine == set(naive)
            for action in naive.values():
                assert state.seat is not None
                after = game.apply(state, state.seat, game.decode(state, state.seat, action)).state
                assert game.from_position(reckoner.after(position, action)) == after, words(action)
                compared += 1
        seat = rng.choice(sorted(game.to_act(state)))
        state = game.apply(state, seat, explorer(game, state, seat, rng)).state
        number += 1
    assert compared > 60
