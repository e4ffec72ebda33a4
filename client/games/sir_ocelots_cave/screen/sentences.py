"""Sentences that the screen says. Usual keys stand in braces."""

from __future__ import annotations

from client.games.sir_ocelots_cave.slips import Slip

OVER = "The game is over: {enter} shows the score sheet, {q} leaves."
NO_TOOL = "You have no {tool} left (rule 1.6)."
OTHERS_PLAY = "It is the turn of {name}: look around, and plan your next tool."
WATCHING = "You are watching: look around, {o} shows what has happened."
NONE_BRINGS = "No tool of yours collects anything now."
NO_WAY = "Your companion cannot go anywhere now."
COMPANION_MUST_COME = (
    "You have no tools left, so your {name} has to come: {{m}} shows where, {{enter}} brings it."
)
HOW = {
    "tool": "{{enter}} on {at} lays it.",
    "companion": "{{enter}} on {at} brings it.",
    "advance": "{{enter}} on {at} sends it.",
    "collect": "{{enter}} collects.",
}
"""The end of a hint: its action is pointed out on the board."""
NO_GEM = "Point at a gem marked + or -: {tab} goes to the next."
NONE_THERE = "You have no amethysts yet."
YOURS_ARE_SEEN = "Nobody else sees your amethysts here."


def slip(found: Slip) -> str:
    """Return the warning before a placement that is probably a slip."""
    where = "{n} shows where, " if found.others else ""
    return f"{found.words}: {where}{{enter}} again places it."
