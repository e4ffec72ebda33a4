"""Sentences that the screen says. Usual keys stand in braces."""

OVER = "The game is over: {enter} shows the score sheet, {q} leaves."
OTHERS_PLAY = "It is the turn of {name}: look around meanwhile."
OUT_AND_WAITING = "It is the turn of {name}. You are {state}: {turns}."
WATCHING = "You are watching: look around, {o} shows what has happened."
NO_HEX = "You have no hex in hand."
ONE_WAY = "It fits in one way only."
NO_LINE = "Nothing has the number {number} now: {{a}} lists all that can be done."
NO_WAY = "No way leads there from your passage: the ways out of here have numbers."
KEEP_ONE = "Choose the treasure that you keep: {{1}} to {{{number}}}."
HERE_YOU_ARE = "You are here. The ways out have numbers."
NONE_THERE = "You have no treasures yet."
YOURS_ARE_SEEN = "Nobody else sees your treasures here."
NOTHING_TO_UNDO = (
    "Nothing to undo: you cannot undo a hex, card or treasure drawn, a roll, or a turn that has ended."
)
FOR_GOOD = "--- for good ---"
