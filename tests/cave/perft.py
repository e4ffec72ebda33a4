"""Counts of sequences of actions (perft) of a game, and a breakdown where one is wrong.

The numbers come from a reckoner, which reads the rules a second time without the rules core.
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
"""Gives for a state the seats and the actions that are counted."""


class Reckoner(NamedTuple):
    """A second reading of the rules, on positions."""

    actions: Callable[[Json], Iterable[Json]]
    after: Callable[[Json, Json], Json]
    count: Callable[[Json, int], int]


class Perft:
    """The counts of a game, from a file with positions and what was counted from each."""

    def __init__(self, game: AnyGame, moves: Moves, reckoner: Reckoner, file: Path) -> None:
        self._game, self._moves, self._reckoner = game, moves, reckoner
        cases = json.loads(file.read_text(encoding="utf-8"))["cases"]
        self.cases: dict[str, Any] = {case["name"]: case for case in cases}
        assert len(self.cases) == len(cases), "two have the same name"

    def params(self, most: float = float("inf")) -> list[Any]:
        """Every case and depth with no more sequences than that, for ``parametrize``."""
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
        """Fail with a breakdown where the game counts otherwise than the file."""
        state = self._game.from_position(case["position"])
        counted, wanted = self.count(state, depth), case["counts"][depth - 1]
        if counted != wanted:
            pytest.fail(f"{counted} sequences and not {wanted}\n{self.divide(state, depth)}", pytrace=False)

    def check_reckoner(self, case: Any, depth: int) -> None:
        """The number in the file is the reckoner's."""
        assert self._reckoner.count(case["position"], depth) == case["counts"][depth - 1]

    def check_by_hand(self, name: str, by_hand: list[int]) -> None:
        """The file and the game have the numbers that were reckoned by hand, from depth 1 on."""
        assert self.cases[name]["counts"][: len(by_hand)] == by_hand
        assert [self.count(self.state(name), depth) for depth in range(1, len(by_hand) + 1)] == by_hand

    def check_divide(self, name: str) -> None:
        """The breakdown has a line for each first action, and none is marked."""
        text = self.divide(self.state(name), 2)
        assert "<--" not in text
        assert len(text.splitlines()) == self.cases[name]["counts"][0] + 1

    def divide(self, state: Any, depth: int) -> str:
        """The count below each first action, as the game and as the reckoner has it."""
        position = self._game.position(state)
        mine, naive = Counter[str](), Counter[str]()
        for seat, action in self._moves(state):
            after = self._game.apply(state, seat, action).state
            mine[words(self._game.action_json(action))] = self.count(after, depth - 1) if depth > 1 else 1
        for form in self._reckoner.actions(position):
            after = self._reckoner.after(position, form)
            naive[words(form)] = self._reckoner.count(after, depth - 1)
        lines = [f"{'action':40} {'game':>8} {'reckoner':>8}"]
        for name in sorted(mine | naive):
            mark = "" if mine[name] == naive[name] else "  <--"
            lines.append(f"{name:40} {mine[name]:8} {naive[name]:8}{mark}")
        return "\n".join(lines)


def words(action: Json) -> str:
    """An action in a line."""
    return " ".join(map(str, action.values()))
