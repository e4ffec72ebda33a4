"""The words of the score sheet."""

from __future__ import annotations

from collections.abc import Sequence

from cave.score import Score
from client.face import SheetWords

WORDS = SheetWords(
    categories={
        "era_1": "Era I",
        "rooms": "Rooms",
        "gold": "Gold",
        "iron": "Iron",
        "weapon": "Weapons",
    },
    legend="Gold is worth 1 in Era I; in Era II gold and iron are worth a half each, weapons 1.",
    look="Look at the caves",
    no_winner="The goal is not reached.",
    so_far="If the era ended now:",
)


def remark(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Return how equal points were decided, or nothing (rule 6.3)."""
    best = max(score.total or 0 for score in scores)
    level = [score for score in scores if score.total == best]
    won = [score for score in level if score.winner]
    if len(level) < 2 or len(won) != 1:
        return ""
    return f"Equal points: {names[won[0].seat]} wins with the more valuable room (rule 6.3)."
