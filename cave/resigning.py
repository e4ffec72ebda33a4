"""Whether a bot had better resign, so that nobody waits for the end of a game that is decided.

Only a game for two ends with a resignation, so only there a bot asks. It knows no more than its seat does.
"""

from __future__ import annotations

from collections.abc import Sequence

from cave import games
from cave.game import GameInfo, Json, Stop

LOST = 0.02
"""A game counts as lost if the chance to win plus two standard errors is below this."""


def is_far_behind(game: GameInfo, view: Json, seat: int) -> bool:
    """Return whether a seat, one of two, is so far behind that it may be lost; false where a total is hidden.

    >>> cave = games.info("the-cave")
    >>> is_far_behind(cave, {"standing": [{"total": 30}, {"total": 60}]}, 0)
    True
    >>> is_far_behind(cave, {"standing": [{"total": 30}, {"total": None}]}, 0)
    False
    """
    totals = [line["total"] for line in view["standing"]]
    return None not in totals and totals[1 - seat] - totals[seat] >= game.resigns_behind


def words(names: Sequence[str], seat: int) -> str:
    """Return the sentence about a game that ends when this seat resigns.

    >>> words(["Ann", "Bea"], 0)
    'Ann resigns, and Bea wins.'
    """
    others = (name for number, name in enumerate(names) if number != seat)
    return f"{names[seat]} resigns{''.join(f', and {name} wins' for name in others)}."


def is_lost(game: str, view: Json, stop: Stop | None = None) -> bool:
    """Return whether the view's seat has almost no chance to win; False if ``stop`` ended the search."""
    (found,) = games.info(game).advise(view, [], stop=stop)
    return found.chance is not None and found.chance + 2 * found.error < LOST and not (stop and stop())
