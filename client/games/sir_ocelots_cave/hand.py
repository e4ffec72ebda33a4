"""The tool in hand, with its side and kind, and the place to which an arrow leads.

>>> beside((5, 0), (0, 1)), beside((5, 0), (1, 0))
((5, 1), (6, 1))
"""

from __future__ import annotations

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.actions import LayTool
from cave.sir_ocelots_cave.board import BIT, RAYS
from cave.sir_ocelots_cave.components import TOOLS, Kind, Tool
from cave.sir_ocelots_cave.state import SIDES_OF, State
from client.games.sir_ocelots_cave.previews import kinds_left


class Hand(msgspec.Struct, frozen=True):
    """A tool with the side that will lie up."""

    tool: Tool
    kind: Kind

    def at(self, place: Place) -> LayTool:
        """Return the action that lays it there."""
        return LayTool(self.kind, self.tool, place)


def take(state: State, seat: int, tool: Tool, before: Hand | None) -> Hand | None:
    """Return the tool in hand; the one that is held already, of the next kind that has this side."""
    kinds = kinds_left(state, seat, tool)
    if not kinds:
        return None
    if before is not None and before.tool == tool and before.kind in kinds:
        return Hand(tool, kinds[(kinds.index(before.kind) + 1) % len(kinds)])
    return Hand(tool, kinds[0])


def turned(hand: Hand) -> Hand:
    """Return the tool with its other side up."""
    one, other = SIDES_OF[hand.kind]
    return Hand(other if hand.tool == one else one, hand.kind)


def kept(state: State, seat: int, hand: Hand | None) -> Hand | None:
    """Return what is in hand as long as there is one left, or else the first tool there is."""
    if hand is not None:
        kinds = kinds_left(state, seat, hand.tool)
        if kinds:
            return hand if hand.kind in kinds else Hand(hand.tool, kinds[0])
    return next((found for tool in TOOLS if (found := take(state, seat, tool, None))), None)


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
