"""From what a search finds to actions of the rules."""

from __future__ import annotations

from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.board import BIT, RIM, SQUARES, places
from cave.sir_ocelots_cave.components import KINDS, TOOLS
from cave.sir_ocelots_cave.node import Node
from cave.sir_ocelots_cave.search import Enter, Lay, Move
from cave.sir_ocelots_cave.sight import collectable
from cave.sir_ocelots_cave.stakes import worth
from cave.sir_ocelots_cave.state import State


def action(node: Node, move: Move) -> Action:
    """Return the action of a move of the node's seat."""
    if isinstance(move, Lay):
        rim, side = divmod(move.placement, len(TOOLS))
        return LayTool(KINDS[node.kind(node.seat, side)], TOOLS[side], RIM[rim])
    if isinstance(move, Enter):
        return PlaceCompanion(SQUARES[move.at])
    return Advance(SQUARES[move.at])


def collected(cave: State) -> Collect:
    """Return what to collect: all, but in the last turn no gem that costs its seat more than it brings."""
    assert cave.seat is not None
    gems = places(collectable(cave, cave.seat))
    if any(player.has_pieces for player in cave.players):
        return Collect(gems)
    value = worth(cave)[cave.seat]
    return Collect(tuple(at for at in gems if value[BIT[at].bit_length() - 1] > 0))
