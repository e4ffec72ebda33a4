"""Basalt in line mode: the minimum for a game."""

from __future__ import annotations

from client.plain.line_table import LineTable
from client.present.scene import Scene

from .rules import Put, brings


class BasaltLines(LineTable[Scene]):
    """A choice is a number in the list: first which column, then which hex."""

    a_rule = "2"

    def choice_words(self, choice: Put) -> str:
        x, y = choice.at
        points = brings(self.scene.view.cave, self._height(choice), choice.at)
        return f"put the {self._height(choice)} on {x},{y}: {points} point{'s' * (points != 1)}"

    def kind_words(self, choice: Put) -> str:
        return f"put the {self._height(choice)}"

    def moment(self) -> str:
        return str(len(self.scene.view.cave.board))

    def _height(self, choice: Put) -> int:
        return self.scene.view.cave.players[self.scene.seat].drawn[choice.number]
