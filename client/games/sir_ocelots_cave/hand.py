"""The tool in hand: which side lies up, and of which kind it is."""

from __future__ import annotations

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.actions import LayTool
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
