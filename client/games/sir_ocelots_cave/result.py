"""The words of the score sheet (rules 6.2 to 6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from cave.score import Score
from client.face import SheetWords

WORDS = SheetWords(
    categories={
        "rock_crystal": "Rock crystal",
        "celestite": "Celestite",
        "opal": "Opal",
        "emerald": "Emerald",
        "red_beryl": "Red beryl",
        "amethyst": "Amethysts",
        "value_1": "Gems of 1",
        "value_3": "Gems of 3",
        "left_1": "Left, level 1",
        "left_2_3": "Left, 2 and 3",
    },
    legend="The last four are special amethysts.",
    look="Look at the caves",
)


def remark(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Return how equal points were decided, or nothing (rule 6.5)."""
    best = max(score.total or 0 for score in scores)
    level = [score for score in scores if score.total == best]
    won = [score for score in level if score.winner]
    if len(level) < 2 or len(won) != 1:
        return ""
    return f"Equal points: {names[won[0].seat]} wins with more amethysts (rule 6.5)."
