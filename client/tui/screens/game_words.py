"""Sentences the game screen says to the person."""

from __future__ import annotations

from client.present import table
from client.present.desk import Desk
from client.table_state import Link

NOT_NOW = "That is not possible now."
NO_PLACE = "First place the tile in your hand: enter places it, r turns it, tab goes to the next place."
CLICK_TO_DISCOVER = "To discover, click a ? beside your tile twice, or the line below, or press x."
NOTHING_TO_UNDO = "Nothing to undo: a drawn tile and a turn that has ended stay as they are."
NOTHING_TO_RESET = "Nothing to take back in this turn."

CONFIRM_END = ("You still have {ap} AP and could do something with them. End the turn?", "End it", "Go on")
CONFIRM_FORCE = (
    "A forced move takes the whole turn and all 5 AP, and takes no token. Force it?",
    "Force it",
    "Go on",
)
CONFIRM_ABANDON = ("The camp and all in it will be gone for good. Abandon it?", "Abandon it", "Keep it")


def link_words(link: Link) -> str:
    """The banner when the host is not there."""
    return {
        "lost": "The link to the host is lost; trying again. You can look around meanwhile.",
        "closed": "The table is closed. You can look around; q leaves.",
    }.get(link, "")


def bar_note(desk: Desk) -> str:
    """What stands in place of the actions when there are none."""
    if desk.mode == "over":
        return "The game is over. enter: the score sheet, arrows: look at the cave, q: leave."
    if desk.mode == "packing":
        if desk.choices:
            return "Pack your backpack for the first trip: p"
        return "The others are still packing. You can look around meanwhile."
    if desk.mode == "watching":
        return "You are watching: look around as you like, o shows what has happened."
    if desk.mode == "waiting":
        turn = table.headline(desk.state).turn
        return f"{turn[:1].upper()}{turn[1:]}. You can look around and plan meanwhile."
    return ""
