"""Sentences of a table's screen, for every game. Default keys are in braces."""

from __future__ import annotations

from collections.abc import Callable

from client.launch.opening import NOT_SAVED
from client.present import hosts
from client.table import Closed, TableState

NOT_NOW = "You cannot do that now."
DO_IT_AGAIN = " Do it again if you mean it."
ECHO = "The list is new: {key} means {action} now. Press it again to do that."
NOTHING_TO_UNDO = "There is nothing to undo."
WITH_RULES = "{take} choose   {help} the rule   {back} back"
LEAVE = "Leave the table?"
LEAVE_UNSAVED = f"{LEAVE} {NOT_SAVED}"
OVER = "The game is over: {enter} shows the score sheet, {q} leaves."
OVER_IN_LESSON = "The game is over here. {enter} goes on.", "The game is over here. Press {u}."
"""When the step is done, and before."""
WATCHING = "You are watching: look around, {o} shows what has happened."
ENDED_EARLY = "Nothing can be played at this table any more. You can look around."
NOTHING_SINCE = "The others have done nothing since your last turn. {u} takes your own step back."
STEPPING = "({backspace}: the step before; any other key: back to now)"
BACK_TO_NOW = "The board is back to now. Press the key again to act."
STEPPING_LATER = f"(the board is as it was later)   {STEPPING}"
GUIDE_OFF = "The tips are off; {G} shows them again."
HEARD = "{name}: {text}   ({t} answers)"
ONLY_HEARD = "{name}: {text}   ({t} shows the chat)"
NOTHING_TAKEN = "No other terminal has taken over your seat."
NOWHERE = "There is nothing in sight to jump to."
PASS_ON = "Pass the keyboard to {name}\nSecrets stay hidden until then."
THERE = "I am {name}"
YOURS_TO_OPEN = "It is the turn of {name}. Secrets are hidden: the first key of a turn asks who is there."
HANDED = "{name} plays to the end for you. {E} lets you play yourself again."
ONE_HANDED = "{name} plays to the end for {who}. {E} lets {who} play again."
"""The same for several players at one keyboard."""
LATER = "Later: look at the board, or leave the table there"
ONLY_SEEN = "This is a replay: you can only step through it, with the keys above."

LEAVE_KEY = "leave ({q})"
LOOK_AROUND = "You can look around meanwhile."
AFTER_CLOSED: dict[Closed, str] = {
    "": "You can look around; {q} leaves.",
    "ended": "You can look around; {q} leaves.",
    "gone": "You can look around; {q} leaves.",
    "unclear": "{q} leaves.",
}
"""The words after the reason why a table is closed."""
TAKE_BACK = "Press {B} to take the seat back."
TAKE_ALL_BACK = "Press {B} to take the seats back."
YOU_WATCH = "You are watching."


def host_away_banner_words(state: TableState, spoken: Callable[[str], str]) -> str:
    """Return the words shown while the host is away, or while another terminal has the user's seat.

    ``spoken`` inserts the user's own keys into a sentence.
    """
    if words := host_gone(state, spoken):
        closed = state.link == "closed"
        after = AFTER_CLOSED.get(state.closed, "") if closed else LOOK_AROUND if words == hosts.LINK_IS_LOST else ""
        return f"{words} {spoken(after)}".rstrip()
    return state.set_aside or state.unsaved or lost_seats(state, spoken)


def host_gone(state: TableState, spoken: Callable[[str], str]) -> str:
    """Return that the host does not answer, or has closed the table; nothing while it answers."""
    if state.missing and (state.link == "lost" or state.closed == "stopped"):
        return spoken(hosts.missing_words(state.missing, LEAVE_KEY, watching=not state.my_seats))
    if state.link == "lost":
        return hosts.LINK_IS_LOST
    return spoken(hosts.closed_words(state.closed, LEAVE_KEY)) if state.link == "closed" else ""


def lost_seats(state: TableState, spoken: Callable[[str], str]) -> str:
    """Return what happened to the player's former seats, and what to do about it."""
    # The log has a line for a seat that another player has by now.
    freed = [seat for seat in state.freed if state.seats[seat].kind == "open"]
    if freed:
        return (
            hosts.seats_freed_words(state, freed)
            if state.my_seats
            else f"{hosts.seats_freed_words(state, freed)} {YOU_WATCH}"
        )
    if state.taken:
        back = spoken(TAKE_ALL_BACK if state.taken[1:] else TAKE_BACK)
        return f"{hosts.seats_taken_words(state, state.taken)} {back}"
    return ""
