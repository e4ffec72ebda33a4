"""Placements that are probably slips: another tool would collect something, or the rival can; and the
settings of what is asked before a piece is placed, as it cannot be taken back.
"""

from __future__ import annotations

from typing import NamedTuple

from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.state import State
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import bringing, gems_on, trials, visit
from client.settings.schema import question

GAME = "Sir Ocelot's Cave"
PLACE = question(
    "sir-ocelots-cave.confirm_place",
    GAME,
    "Placing a piece",
    "Ask before a piece is placed for good.",
    asked=False,
    formerly="confirm.place",
)
SLIP = question(
    "sir-ocelots-cave.confirm_slip",
    GAME,
    "A likely slip",
    "Warn before a placement that collects nothing where another would, or that helps the rival.",
)
SETTINGS = (PLACE, SLIP)


class Slip(NamedTuple):
    """What speaks against a placement, as the beginning of a sentence."""

    words: str
    others: bool
    """Whether another tool, or this one elsewhere, would collect something."""


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
    given = f" and hands {names[1 - seat]} {terms.gems(gems_on(state, hands))}" if hands else ""
    return Slip(f"This collects nothing{given}" + (", and another tool would" if others else ""), others)
