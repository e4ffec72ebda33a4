"""Points and bonuses (rules 7.3 to 7.6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cave.score import Score
from cave.the_cave.geometry import BASE
from cave.the_cave.prices import (
    PHOTO_POINTS,
    SQUEEZE_POINTS,
    TRAVERSE_POINTS,
    WATER_POINTS,
    depth_points,
)
from cave.the_cave.state import State, Tokens

BONUS_CATEGORIES = ("traverse", "photo", "water", "squeeze")
CATEGORIES = (*BONUS_CATEGORIES, "depth")
STRANDED = "stranded"
"""The note of a team that is not home at the end (rule 7.3)."""
MOST_BONUS = 8  # rule 7.4
SECOND_BONUS = 4  # rule 7.4


def counts(tokens: Tokens) -> dict[str, int]:
    """Return the number of tokens by bonus category, whatever their level (rule 7.4)."""
    return {
        "traverse": tokens.traverse,
        "photo": tokens.photo,
        "water": tokens.water,
        "squeeze": sum(tokens.squeeze),
    }


def points(tokens: Tokens) -> dict[str, int]:
    """Return points by category (rule 7.5)."""
    return {
        "traverse": TRAVERSE_POINTS * tokens.traverse,
        "photo": PHOTO_POINTS * tokens.photo,
        "water": WATER_POINTS * tokens.water,
        "squeeze": sum(SQUEEZE_POINTS[level] * n for level, n in enumerate(tokens.squeeze, start=1)),
        "depth": sum(depth_points(depth) for depth in tokens.depth),
    }


def bonuses(amounts: Sequence[int]) -> list[int]:
    """Return the bonus of each team for its number of tokens in one category (rule 7.4)."""
    ahead = [sum(other > mine for other in amounts) for mine in amounts]
    given = {(0, 1): MOST_BONUS, (0, 2): SECOND_BONUS, (1, 1): SECOND_BONUS}
    return [
        given.get((rank, ahead.count(rank)), 0) if amount else 0
        for rank, amount in zip(ahead, amounts, strict=True)
    ]


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet. Before the end: as if the game ended now with everyone home."""
    strict = state.phase == "over" and state.settings.stranded_score_nothing
    return _sheet(
        tuple(team.tokens for team in state.teams),
        tuple(strict and team.at != BASE for team in state.teams),
    )


@lru_cache(maxsize=256)
def _sheet(tokens: tuple[Tokens, ...], stranded: tuple[bool, ...]) -> tuple[Score, ...]:
    """Return the lines of teams with these tokens; few actions change any."""
    scoring = [Tokens() if out else each for each, out in zip(tokens, stranded, strict=True)]
    amounts = [counts(each) for each in scoring]
    sheets = [points(each) for each in scoring]
    bonus: list[dict[str, int]] = [{} for _ in tokens]
    for category in BONUS_CATEGORIES:
        given = bonuses([each[category] for each in amounts])
        for lines, extra in zip(bonus, given, strict=True):
            lines[category] = extra
    totals = [sum(sheet.values()) + sum(lines.values()) for sheet, lines in zip(sheets, bonus, strict=True)]
    home = [total for total, out in zip(totals, stranded, strict=True) if not out]
    best = max(home, default=None)
    return tuple(
        Score(
            seat,
            totals[seat],
            sheets[seat],
            bonus[seat],
            not out and totals[seat] == best,
            STRANDED if out else "",
        )
        for seat, out in enumerate(stranded)
    )
