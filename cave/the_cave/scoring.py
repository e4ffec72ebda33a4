"""Points and bonuses (rules 7.3 to 7.6), and the guide's estimates of worth.

Worths are in points. A token is worth its own points, a little more because no rival gets it, and its share
of a bonus (rule 7.4), which is larger in a close race with few tokens left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erf, sqrt

from msgspec import Struct

from cave.score import Score
from cave.the_cave.routes import PHOTO_POINTS, SQUEEZE_POINTS, TRAVERSE_POINTS, WATER_POINTS, depth_points
from cave.the_cave.state import BASE, Items, State, Tokens
from cave.the_cave.tiles import components

BONUS_CATEGORIES = ("traverse", "photo", "water", "squeeze")
CATEGORIES = (*BONUS_CATEGORIES, "depth")
STRANDED = "stranded"
"""The note of a team that is not home at the end (rule 7.3)."""
MOST_BONUS = 8  # rule 7.4
SECOND_BONUS = 4  # rule 7.4


def count_tokens(tokens: Tokens) -> dict[str, int]:
    """Return the number of tokens of any level by bonus category (rule 7.4)."""
    return {"traverse": tokens.traverse, "photo": tokens.photo, "water": tokens.water, "squeeze": sum(tokens.squeeze)}


def points_by_category(tokens: Tokens) -> dict[str, int]:
    """Return points by category (rule 7.5)."""
    return {
        "traverse": TRAVERSE_POINTS * tokens.traverse,
        "photo": PHOTO_POINTS * tokens.photo,
        "water": WATER_POINTS * tokens.water,
        "squeeze": sum(SQUEEZE_POINTS[level] * n for level, n in enumerate(tokens.squeeze, start=1)),
        "depth": sum(depth_points(depth) for depth in tokens.depth),
    }


def category_bonuses(amounts: Sequence[int]) -> list[int]:
    """Return the bonus of each team for its number of tokens in one category (rule 7.4)."""
    ahead = [sum(other > mine for other in amounts) for mine in amounts]
    given = {(0, 1): MOST_BONUS, (0, 2): SECOND_BONUS, (1, 1): SECOND_BONUS}
    return [
        given.get((rank, ahead.count(rank)), 0) if amount else 0 for rank, amount in zip(ahead, amounts, strict=True)
    ]


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet. Before the end: as if the game ended now with everyone home."""
    strict = state.phase == "over" and state.settings.stranded_score_nothing
    return _score_sheet(
        tuple(team.tokens for team in state.teams), tuple(strict and team.at != BASE for team in state.teams)
    )


@lru_cache(maxsize=256)
def _score_sheet(tokens: tuple[Tokens, ...], stranded: tuple[bool, ...]) -> tuple[Score, ...]:
    """Return the score lines for these tokens; cached, as few actions change them."""
    scoring = [Tokens() if out else each for each, out in zip(tokens, stranded, strict=True)]
    amounts = [count_tokens(each) for each in scoring]
    sheets = [points_by_category(each) for each in scoring]
    bonus: list[dict[str, int]] = [{} for _ in tokens]
    for category in BONUS_CATEGORIES:
        given = category_bonuses([each[category] for each in amounts])
        for lines, extra in zip(bonus, given, strict=True):
            lines[category] = extra
    totals = [sum(sheet.values()) + sum(lines.values()) for sheet, lines in zip(sheets, bonus, strict=True)]
    home = [total for total, out in zip(totals, stranded, strict=True) if not out]
    best = max(home, default=None)
    return tuple(
        Score(seat, totals[seat], sheets[seat], bonus[seat], not out and totals[seat] == best, STRANDED if out else "")
        for seat, out in enumerate(stranded)
    )


AP = 0.4  # points that an AP is worth before the end is triggered
AP_AT_THE_END = 0.03
AP_STANDSTILL = 0.02  # if nothing is worthwhile otherwise
DENIED = 1.25  # factor for a token's points, as no rival gets it
HALF_BONUS = MOST_BONUS / 2
HOPE = 0.8  # factor for the expected worth of the tile behind an exit, and of the exit after it
DISCOVERING = 1.3  # AP to discover and enter a tile
PRESSING = 0.05  # worth of one tile less in the stacks, for each point of a lead
MOST_PRESSING = 1.5


class ScoringWorths(Struct, frozen=True):
    """Worth of another token of each kind, of an AP, and of one tile less in the stacks."""

    traverse: float
    photo: float
    water: float
    squeeze: tuple[float, ...]
    ap: float
    pressing: float
    shares: tuple[float, ...]
    """Share of each of ``KINDS`` in the current stack; empty without tiles."""

    def exit(self, kit: Items) -> float:
        """Return the expected points of an unexplored exit for a team with these items, minus its price."""
        if not self.shares:
            return 0.0
        water, wonder, one, two, three, descent = self.shares
        hoped = one * self.squeeze[1] + two * self.squeeze[2] + three * self.squeeze[3] + 0.3
        if kit.oxygen_tanks:
            hoped += water * self.water
        if kit.camera:
            hoped += wonder * self.photo
        if kit.rope:
            hoped += descent * (self.traverse + DENIED)
        return HOPE * hoped + self.pressing - DISCOVERING * self.ap


def worths_for_seat(state: State, seat: int, ap: float | None = None) -> ScoringWorths:
    """Return the worths for a seat; ``ap`` overrides the worth of an AP."""
    rows = [count_tokens(team.tokens) for team in state.teams]
    lying = {"traverse": 0.0, "photo": 0.0, "water": 0.0, "squeeze": 0.0}
    for tile in state.board.values():
        if tile.token:
            lying[_CATEGORY[tile.kind]] += 1
    for number, stack in enumerate(state.stacks):
        if stack:
            for category, share in _expected_tokens(number).items():
                lying[category] += share * len(stack)
    extra = {}
    for category, to_come in lying.items():
        mine = rows[seat][category]
        best = max(row[category] for other, row in enumerate(rows) if other != seat)
        spread = sqrt(2 * (0.6 + to_come / 2))
        extra[category] = HALF_BONUS * (erf((mine + 1 - best) / spread) - erf((mine - best) / spread))
    current = next((number for number, stack in enumerate(state.stacks) if stack), None)
    shares = () if current is None or state.turns_left is not None else _stack_shares(current)
    if ap is None:
        ap = AP if state.turns_left is None else AP_AT_THE_END
    return ScoringWorths(
        DENIED * TRAVERSE_POINTS + extra["traverse"],
        DENIED * PHOTO_POINTS + extra["photo"],
        DENIED * WATER_POINTS + extra["water"],
        tuple(DENIED * points + extra["squeeze"] for points in SQUEEZE_POINTS),
        ap,
        _worth_of_ending(state, seat),
        shares,
    )


def depth_worth(depth: int) -> float:
    return float(DENIED * depth_points(depth))


def _worth_of_ending(state: State, seat: int) -> float:
    """Return the worth of drawing a tile for the leader, who wants the game to end."""
    totals = [line.total or 0 for line in standing(state)]
    lead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
    return min(MOST_PRESSING, max(0.0, PRESSING * lead))


_CATEGORY = {"water": "water", "wonder": "photo", "squeeze": "squeeze"}


@lru_cache(maxsize=8)
def _stack_shares(number: int) -> tuple[float, ...]:
    stack = components().stacks[number]
    kinds = [("water", 0), ("wonder", 0), ("squeeze", 1), ("squeeze", 2), ("squeeze", 3), ("descent", 0)]
    return tuple(sum((tile.kind, tile.level) == kind for tile in stack) / len(stack) for kind in kinds)


@lru_cache(maxsize=8)
def _expected_tokens(number: int) -> dict[str, float]:
    """Return the average number of tokens of each category on a tile of a stack."""
    water, wonder, one, two, three, descent = _stack_shares(number)
    return {"traverse": descent, "photo": wonder, "water": water, "squeeze": one + two + three}
