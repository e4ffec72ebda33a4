"""Which place the cursor goes to.

>>> beside((5, 0), (0, 1)), beside((5, 0), (1, 0))
((5, 1), (6, 1))
"""

from __future__ import annotations

from cave.codec import Place
from cave.sir_ocelots_cave.board import BIT, RAYS

PLACES = (*BIT, *RAYS)


def beside(at: Place, to: Place) -> Place:
    """Return the nearest place in a direction, what lies straight ahead first; the same one at the edge."""
    dx, dy = to

    def far(place: Place) -> tuple[int, int]:
        x, y = place[0] - at[0], place[1] - at[1]
        ahead, aside = (x * dx, abs(y)) if dx else (y * dy, abs(x))
        return (ahead + 2 * aside, aside)

    ahead = [place for place in PLACES if (place[0] - at[0]) * dx + (place[1] - at[1]) * dy > 0]
    return min(ahead, key=far, default=at)
