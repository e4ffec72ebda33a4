"""The score sheet (rules 7.3 to 7.6) as rows of text, and who won in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave.game import Score

LETTERS = "ABCDE"
INVITED = "{name} has opened a table for a rematch: {how}."
CATEGORIES = {
    "traverse": "Traverse",
    "photo": "Photo",
    "water": "Water",
    "squeeze": "Squeeze",
    "depth": "Depth",
}


class Cell(msgspec.Struct, frozen=True):
    """One team's points in one line; ``bonus`` 8, 4 or 0 comes on top."""

    points: float
    bonus: float = 0


class Row(msgspec.Struct, frozen=True):
    """A line of the sheet: its name and a cell for each team."""

    name: str
    cells: tuple[Cell, ...]


class Sheet(msgspec.Struct, frozen=True):
    """The whole sheet. ``notes`` has a word for each team under its total."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[float, ...]
    notes: tuple[str, ...]
    winners: tuple[int, ...]
    headline: str


def sheet(results: Sequence[Score], names: Sequence[str]) -> Sheet:
    """The sheet of a result."""
    rows = tuple(
        Row(title, tuple(Cell(line.points.get(key, 0), line.bonus.get(key, 0)) for line in results))
        for key, title in CATEGORIES.items()
    )
    winners = tuple(line.seat for line in results if line.winner)
    notes = tuple("not home" if line.note else "winner" if line.winner else "" for line in results)
    return Sheet(
        tuple(names), rows, tuple(line.total for line in results), notes, winners, headline(results, names)
    )


def headline(results: Sequence[Score], names: Sequence[str]) -> str:
    """Who won."""
    winners = [line for line in results if line.winner]
    if not winners:
        return "Nobody got home, so nobody wins."
    total = winners[0].total
    points = "1 point" if total == 1 else f"{total} points"
    who = [names[line.seat] for line in winners]
    if len(who) == 1:
        return f"{who[0]} wins with {points}."
    return f"{', '.join(who[:-1])} and {who[-1]} share the win with {points}."


def stranded_line(results: Sequence[Score], names: Sequence[str]) -> str:
    """One sentence about the teams that score nothing because they were not home, or nothing."""
    out = [names[line.seat] for line in results if line.note]
    if not out:
        return ""
    who = out[0] if len(out) == 1 else f"{', '.join(out[:-1])} and {out[-1]}"
    verb = "scores" if len(out) == 1 else "score"
    return f"{who} did not get home in time and {verb} nothing (rule 7.3)."
