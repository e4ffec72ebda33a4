"""Lanterns in line mode: as little as a game can do for it."""

from __future__ import annotations

from client.plain.table import LineTable
from client.present.scene import Scene

from .rules import Light


class LanternLines(LineTable[Scene]):
    """A choice is a number in the list; there are no commands but those of every game."""

    a_rule = "2"

    def choice_words(self, choice: Light) -> str:
        return f"light your lantern of brightness {choice.lantern}"

    def moment(self) -> str:
        """Return what changes with each gem: the next one is another."""
        return str(len(self.scene.view.seen.gems))
