"""The words of The Cave's score sheet (rules 7.3 to 7.6)."""

from __future__ import annotations

from collections.abc import Sequence

from cave.score import Score
from cave.the_cave.state import State
from client.face import SheetWords
from client.games.the_cave.known import terms
from client.present.wording import count

WORDS = SheetWords(
    categories={
        "traverse": "Traverse",
        "photo": "Photo",
        "water": "Water",
        "squeeze": "Squeeze",
        "depth": "Depth",
    },
    notes={"stranded": "not home"},
    legend="+8 for most tokens of a kind; +4 for second most, or for a shared most.",
    look="Look at the cave",
    no_winner="Nobody got home, so nobody wins.",
    so_far="If it ended now, with everybody home:",
)


def extent(cave: State) -> str:
    """Return how large the cave is: ``cave of 57 tiles, down to depth -50``."""
    deepest = max(tile.depth for tile in cave.board.values())
    down = f", down to depth {terms.depth(deepest)}" if deepest else ""
    return f"cave of {count(len(cave.board), 'tile')}{down}"


def stranded_line(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Return one sentence about the teams that score nothing because they were not home, or nothing."""
    out = [names[line.seat] for line in scores if line.note]
    if not out:
        return ""
    who = out[0] if len(out) == 1 else f"{', '.join(out[:-1])} and {out[-1]}"
    verb = "scores" if len(out) == 1 else "score"
    return f"{who} did not get home in time and {verb} nothing (rule 7.3)."
