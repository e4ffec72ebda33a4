"""Counts of sequences of actions (perft) of a game, and a breakdown of wrong ones.

The numbers come from a reckoner, a second implementation without the rules core.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cave.game import AnyGame, Json

Moves = Callable[[Any], list[tuple[int, Any]]]
"""Returns the seats and actions to count in a state."""


class Reckoner(NamedTuple):
    """A second implementation of the rules, on positions."""

    actions: Callable[[Json], Iterable[Json]]
    after: Callable[[Json, Json], Json]
    count: Callable[[Json, int], int]


class Perft:
    """The counts of a game, from the positions and counts in ``perft.json`` beside its test."""

    def __init__(self, game: AnyGame, moves: Moves, reckoner: Reckoner, test: str) -> None:
        self._game, self._moves, self.reckoner = game, moves, reckoner
        cases = json.loads(Path(test).with_name("perft.json").read_text(encoding="utf-8"))["cases"]
        self.cases: dict[str, Any] = {case["name"]: case for case in cases}
        assert len(self.cases) == len(cases), "two have the same name"

    def tests(self, by_hand: dict[str, list[int]], again: float) -> type:
        """Return a game's tests, some counted by hand. The reckoner recounts up to ``again`` sequences."""
        perft, counted_again, all_cases = self, self._params(again), self._params()
        assert len(all_cases) >= 25

        class TestPerft:
            @pytest.mark.parametrize(("case", "depth"), all_cases)
            def test_the_game_has_the_numbers_of_the_file(self, case: Any, depth: int) -> None:
                perft.check(case, depth)

            @pytest.mark.parametrize(("case", "depth"), counted_again)
            def test_the_reckoner_has_the_numbers_of_the_file(self, case: Any, depth: int) -> None:
                assert perft.reckoner.count(case["position"], depth) == case["counts"][depth - 1]

            @pytest.mark.parametrize(("name", "counts"), by_hand.items())
            def test_by_hand(self, name: str, counts: list[int]) -> None:
                assert perft.cases[name]["counts"][: len(counts)] == counts
                state, depths = perft.state(name), range(1, len(counts) + 1)
                assert [perft.count(state, depth) for depth in depths] == counts

            def test_the_breakdown_has_a_line_for_each_first_action_and_marks_none(self) -> None:
                cases = [(case["counts"][1:2], name) for name, case in perft.cases.items()]
                _, name = min(case for case in cases if any(case[0]))
                text = perft.divide(perft.state(name), 2)
                assert "<--" not in text
                assert len(text.splitlines()) == perft.cases[name]["counts"][0] + 1

        return TestPerft

    def _params(self, most: float = float("inf")) -> list[Any]:
        """Every case and depth with no more sequences than that."""
        return [
            pytest.param(case, depth, id=f"{name}, depth {depth}")
            for name, case in self.cases.items()
            for depth, count in enumerate(case["counts"], 1)
            if count <= most
        ]

    def state(self, name: str) -> Any:
        return self._game.from_position(self.cases[name]["position"])

    def count(self, state: Any, depth: int) -> int:
        """The number of sequences of ``depth`` actions."""
        moves = self._moves(state)
        if depth == 1:
            return len(moves)
        return sum(self.count(self._game.apply(state, *move).state, depth - 1) for move in moves)

    def check(self, case: Any, depth: int) -> None:
        """Fail with a breakdown if the game's count differs from the file."""
        state = self._game.from_position(case["position"])
        counted, wanted = self.count(state, depth), case["counts"][depth - 1]
        if counted != wanted:
            pytest.fail(f"{counted} sequences and not {wanted}\n{self.divide(state, depth)}", pytrace=False)

    def divide(self, state: Any, depth: int) -> str:
        """Return the count below each first action, by the game and by the reckoner."""
        position = self._game.position(state)
        mine, naive = Counter[str](), Counter[str]()
        for seat, action in self._moves(state):
            after = self._game.apply(state, seat, action).state
            mine[words(self._game.action_json(action))] = self.count(after, depth - 1) if depth > 1 else 1
        for form in self.reckoner.actions(position):
            after = self.reckoner.after(position, form)
            naive[words(form)] = self.reckoner.count(after, depth - 1)
        lines = [f"{'action':40} {'game':>8} {'reckoner':>8}"]
        for name in sorted(mine | naive):
            mark = "" if mine[name] == naive[name] else "  <--"
            lines.append(f"{name:40} {mine[name]:8} {naive[name]:8}{mark}")
        return "\n".join(lines)


def words(action: Json) -> str:
    return " ".join(map(str, action.values()))
