"""Sentences the game screen says to the person."""

from __future__ import annotations

from collections.abc import Iterable

from client.games.the_cave import supplies
from client.games.the_cave.scene import Desk
from client.games.the_cave.screen.keys import spoken
from client.games.the_cave.supplies import Mode
from client.launch.opening import NOT_SAVED
from client.program import typed
from client.table import Closed, TableState
from client.tui.keymap import Keymap

NOT_NOW = "You cannot do that now."
NO_PLACE = "First place the tile: {enter} places it, {r} rotates it, {tab} tries the next place."
CLICK_TO_DISCOVER = "To discover, click a ? beside your tile twice, or the line below, or press {x}."
WITH_RULES = "{take} choose   {help} the rule   {back} back"
FOLLOWING = "The map follows the team whose turn it is; {F} stops that."
NOT_FOLLOWING = "The map stays where you put it; {F} follows the team whose turn it is."
NOTHING_TO_UNDO = "Nothing to undo: you cannot undo a discovered tile or a turn that has ended."

CONFIRM_END = ("You still have {ap} AP you can use. End the turn?", "End it", "Go on")
CONFIRM_FORCE = (
    "A forced move takes the whole turn and all 5 AP, and takes no token. Force it?",
    "Force it",
    "Go on",
)
CONFIRM_ABANDON = (
    "The camp and everything in it will be gone for good. Abandon it?",
    "Abandon it",
    "Keep it",
)

CONFIRM_PLACE = ("A placed tile stays for good. Place it like this?", "Place it", "Go on")

LEAVE = "Leave the table?"
LEAVE_UNSAVED = f"{LEAVE} {NOT_SAVED}"

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
_NOTES: dict[Mode, str] = {
    "over": "The game is over. {enter}: the score sheet, arrows: look at the cave, {q}: leave.",
    "packing": "The others are still packing. You can look around meanwhile.",
    "watching": "You are watching: look around, {o} shows what has happened.",
}
TO_PACK = "Pack your backpack for the first trip: {p}"
PLAN = "The prices are for your next turn: plan ahead."
TRY_IT = "{r} tries out the discovered tile."
ENDED_EARLY = "Nothing can be played at this table any more. You can look around."
GUIDE_OFF = "The guide is off; {G} shows it again."
HEARD = "{name}: {text}   ({t} answers)"
ONLY_HEARD = "{name}: {text}   ({t} shows the chat)"
TAKEN = "Another terminal plays for {names} now. Press {B} to take the seat back."
NOTHING_TAKEN = "No other terminal has taken over your seat."
FREED = "The host's owner has freed the seat of {names}; you are watching."
FREED_ONE = "The host's owner has freed the seat of {names}."


def banner(state: TableState, keymap: Keymap) -> str:
    """What stays on the screen while the host is not there, or while somebody else has one's seat."""
    if state.missing and (state.link == "lost" or state.closed == "stopped"):
        return spoken(MISSING, keymap)
    if state.link == "lost":
        return LOST
    if state.link == "closed":
        return spoken(CLOSED[state.closed], keymap)
    if state.set_aside:
        return state.set_aside
    # A seat that somebody else has by now is told of in the log.
    freed = [seat for seat in state.freed if state.seats[seat].kind == "open"]
    if freed:
        return (FREED_ONE if state.my_seats else FREED).format(names=_names(state, freed))
    if state.taken:
        words = spoken(TAKEN, keymap)
        return words.format(names=_names(state, state.taken))
    return ""


def _names(state: TableState, seats: Iterable[int]) -> str:
    return " and ".join(state.seats[seat].called or f"seat {seat + 1}" for seat in seats)


def bar_note(desk: Desk, keymap: Keymap) -> str:
    """What stands in place of the actions when there are none."""
    if desk.state.ended_early:
        return ENDED_EARLY
    if desk.mode == "waiting":
        turn = supplies.headline(desk.state).turn
        meanwhile = spoken(TRY_IT, keymap) if desk.spots else PLAN
        return f"{turn[:1].upper()}{turn[1:]}. {meanwhile}"
    note = TO_PACK if desk.mode == "packing" and desk.choices else _NOTES.get(desk.mode, "")
    return spoken(note, keymap)
