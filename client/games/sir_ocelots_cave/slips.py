"""Placements that are probably slips: another tool would collect something, or the rival can."""

from __future__ import annotations

import msgspec

from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import Gem
from cave.sir_ocelots_cave.state import State
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import bringing, gems_on, trials, visit


class Slip(msgspec.Struct, frozen=True):
    """The reasons against a placement that collects nothing and so ends the turn."""

    others: bool
    """Whether another tool, or this one elsewhere, would collect something."""
    hands: tuple[Gem, ...]
    """What the rival could collect by it."""
    rival: str

    @property
    def words(self) -> str:
        """The reasons as the beginning of a sentence."""
        given = f" and hands {self.rival} {terms.gems(self.hands)}" if self.hands else ""
        return f"This collects nothing{given}" + (", and another tool would" if self.others else "")


def slip(state: State, names: tuple[str, ...], seat: int, action: object) -> Slip | None:
    """Return what speaks against a legal placement, if anything does."""
    hands = 0
    match action:
        case LayTool(_, tool, at):
            (trial,) = (each for each in trials(state, seat, at) if each.tool == tool)
            takes, hands = trial.takes, trial.hands
        case PlaceCompanion(at):
            there = visit(state, at)
            takes = there.takes or int(there.gem is not None)
        case _:
            return None
    others = not takes and bool(bringing(state, seat))
    if takes or not (others or hands):
        return None
    return Slip(others, gems_on(state, hands), names[1 - seat])
