"""The words of the score sheet (rules 9.3 and 9.4)."""

from __future__ import annotations

from collections.abc import Sequence

from cave.score import Score
from client.face import SheetWords

WORDS = SheetWords(
    categories={"treasure": "Treasure"},
    notes={"dead": "dead"},
    legend="Treasures are secret until the end; whoever dies scores nothing.",
    look="Look at the caves",
    no_winner="All are dead: nobody wins.",
)


def remark(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Say how equal totals were decided, or nothing (rule 9.4)."""
    alive = [score for score in scores if not score.note]
    best = max((score.total or 0 for score in alive), default=0)
    level = [score for score in alive if score.total == best]
    won = [score for score in level if score.winner]
    if len(level) < 2 or len(won) != 1:
        return ""
    return f"Equal treasure: {names[won[0].seat]} wins with more HP, or with fewer items (rule 9.4)."
