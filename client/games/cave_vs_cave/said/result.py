"""What wins, and the words of the score sheet: those that an edition can score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.view import View
from client.face import SheetWords

WORDS = SheetWords(
    categories={
        "era_1": "Era I",
        "rooms": "Rooms",
        "gold": "Gold",
        "iron": "Iron",
        "weapon": "Weapons",
    },
    tie="the more valuable room (rule 6.3)",
    look="Look at the caves",
    no_winner="The goal is not reached.",
    so_far="If the era ended now:",
)
_POINTS: Mapping[str, str] = {
    "era-1": "those of your rooms, and 1 for each gold",
    "era-1-2": "Era I, then all rooms again, 1 for each weapon, a half for each iron and gold",
    "era-2": "those of your rooms, 1 for each weapon, a half for each iron and gold",
}
"""What counts at the end of each edition (rules 6.2, 7.8 and 8.6)."""
_SHORT: Mapping[str, str] = {
    "era-1": "your rooms, and 1 for each gold",
    "era-1-2": "your rooms, and goods at the end of each era",
    "era-2": "your rooms, weapons, iron and gold",
}
_HOW = "Dig rooms up, furnish them where the walls fit, and use them for goods."


def categories(edition: str) -> Mapping[str, str]:
    """Return the lines that an edition can score: those of its last era, and Era I where another follows."""
    scored = {"rooms", *(good for good, _ in components().points[1 if edition == "era-1" else 2])}
    if edition == "era-1-2":
        scored.add("era_1")
    return {name: title for name, title in WORDS.categories.items() if name in scored}


def sheet_of(view: View) -> SheetWords:
    """Return the words of the score sheet of a game; the goal of a solo player is told in one place."""
    cave = view.cave
    edition = cave.settings.edition
    words = replace(WORDS, categories=categories(edition), legend=f"Points: {_POINTS[edition]}.")
    if not cave.alone:
        return words
    missed = view.over and not any(score.winner for score in view.standing)
    return replace(
        words,
        look="Look at the cave",
        legend=words.legend if missed else f"{words.legend} The goal is {goal(cave)}.",
        no_winner=f"The goal of {goal(cave)} is not reached.",
        so_far=f"If the era ended now, with {goal(cave)} as the goal:",
    )


def goal_points(cave: State) -> int:
    """Return the points of a solo player's goal (rule 9.4); after both eras there must be more."""
    return components().goal_era_1 if cave.settings.edition == "era-1" else components().goal_both


def goal(cave: State) -> str:
    """Say what the goal of a solo player is."""
    words = "at least" if cave.settings.edition == "era-1" else "more than"
    return f"{words} {goal_points(cave)} points"


def goal_figure(cave: State) -> str:
    """Return the goal of a solo player, as a figure."""
    return f"{'' if cave.settings.edition == 'era-1' else '>'}{goal_points(cave)}"


def aim(cave: State) -> tuple[float, str] | None:
    """Return the goal of a solo player, and the words at its line in the plot."""
    return (goal_points(cave), f"the goal: {goal_points(cave)}") if cave.alone else None


def wins(cave: State) -> Sequence[str]:
    """Say what wins, and how one gets there."""
    counts = _POINTS[cave.settings.edition]
    return (f"The goal is {goal(cave)}: {counts}." if cave.alone else f"Most points win: {counts}.", _HOW)


def goal_line(cave: State) -> str:
    """Return what wins, in one line."""
    return f"{goal(cave) if cave.alone else 'the most points'}: {_SHORT[cave.settings.edition]}"
