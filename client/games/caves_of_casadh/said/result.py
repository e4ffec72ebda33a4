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
    won = next((score for score in scores if score.winner), None)
    if won is None or not won.by:
        return ""
    return f"Equal treasure: {names[won.seat]} wins with {won.by} (rule 9.4)."
