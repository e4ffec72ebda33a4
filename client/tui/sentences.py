"""Sentences that the screen of a table says, whatever game is on it. Usual keys stand in braces."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from client.launch.opening import NOT_SAVED
from client.program import typed
from client.table import Closed, TableState

NOT_NOW = "You cannot do that now."
NOTHING_TO_UNDO = "There is nothing to undo."
WITH_RULES = "{take} choose   {help} the rule   {back} back"
LEAVE = "Leave the table?"
LEAVE_UNSAVED = f"{LEAVE} {NOT_SAVED}"
ENDED_EARLY = "Nothing can be played at this table any more. You can look around."
GUIDE_OFF = "The guide is off; {G} shows it again."
HEARD = "{name}: {text}   ({t} answers)"
ONLY_HEARD = "{name}: {text}   ({t} shows the chat)"
NOTHING_TAKEN = "No other terminal has taken over your seat."
ONLY_SEEN = "This is a replay: you can only step through it, with the keys above."

LOST = "The link to the host is lost; reconnecting. You can look around meanwhile."
MISSING = f"No host answers. If it has moved, leave ({{q}}), then type: {typed('join ADDRESS')}"
CLOSED: dict[Closed, str] = {
    "": "The table is closed. You can look around; {q} leaves.",
    "stopped": "The host has stopped; the saved game continues here when it is back.",
    "ended": "The host's owner has ended this game. You can look around; {q} leaves.",
    "died": f"The host has crashed; the game is saved. Leave ({{q}}), then type: {typed('resume')}",
    "gone": "The host no longer has this game. You can look around; {q} leaves.",
    "unclear": "This version does not understand the host's messages. {q} leaves.",
}
TAKEN = "Another terminal plays for {names} now. Press {B} to take the seat back."
FREED = "The host's owner has freed the seat of {names}; you are watching."
FREED_ONE = "The host's owner has freed the seat of {names}."


def banner(state: TableState, spoken: Callable[[str], str]) -> str:
    """What stays on the screen while the host is not there, or while somebody else has one's seat.

    ``spoken`` puts the person's own keys into a sentence.
    """
    if state.missing and (state.link == "lost" or state.closed == "stopped"):
        return spoken(MISSING)
    if state.link == "lost":
        return LOST
    if state.link == "closed":
        return spoken(CLOSED[state.closed])
    if state.set_aside:
        return state.set_aside
    # A seat that somebody else has by now is told of in the log.
    freed = [seat for seat in state.freed if state.seats[seat].kind == "open"]
    if freed:
        return (FREED_ONE if state.my_seats else FREED).format(names=_names(state, freed))
    if state.taken:
        return spoken(TAKEN).format(names=_names(state, state.taken))
    return ""


def _names(state: TableState, seats: Iterable[int]) -> str:
    return " and ".join(state.seats[seat].called or f"seat {seat + 1}" for seat in seats)
