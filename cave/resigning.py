"""Whether a bot had better resign, so that nobody waits for the end of a game that is decided.

Only a game for two ends with a resignation, so only there a bot asks. It knows no more than its seat does.
"""

from __future__ import annotations

from cave import bots, games
from cave.game import GameInfo, Json, Stop

WORLDS = 12
"""Ends that are looked at: the seat must lose in each."""
LONGEST = 1000
"""Actions of a game that is played on at most; one that has not ended by then is not lost."""


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


def is_lost(game: str, view: Json, seed: str, stop: Stop | None = None) -> bool:
    """Return whether the view's seat does not win in any of some worlds that fit its view.

    In each a quick bot plays on for everybody. The same view and seed give the same answer, unless ``stop``
    says that it takes too long: then it is not lost.
    """
    rules = games.get(game)
    seen = rules.view_from_json(view)
    level = bots.quick_level(rules)
    for world in range(WORLDS):
        state = bots.play_on(rules, rules.imagine(seen, f"{seed}:{world}"), level, f"{seed}:{world}", LONGEST)
        if not rules.over(state) or rules.standing(state)[seen.viewer].winner or (stop and stop()):
            return False
    return True
