"""Questions that screen and lines ask in the same words; usual keys stand in braces."""

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo a discovered tile or a turn that has ended."
END = "You still have {ap} AP you can use. End the turn?"
FORCE = "A forced move takes the whole turn and all 5 AP, and takes no token. Force it?"
ABANDON = "The camp and everything in it will be gone for good. Abandon it?"
PLACE = "A placed tile stays for good. Place it like this?"

# Line mode

NOT_NOW = "You cannot do that now."
TYPE_DISCOVER = "That is unexplored: type discover (rule 4)."
ROCK = "There is only rock that way."
FIRST_PLACE = "First place the tile you have discovered: type place for the list (rule 4.2)."
STARVING = "Starving: the whole turn is one forced move (rule 3.2)."
GONE = "A discarded camera or raft is gone for good. Discard {things}?"
HOW_TO_EXCHANGE = "Say what goes where: exchange 1 consumable to camp 2 rope to bag."
HOW_TO_DISCARD = "Say what to discard: discard 1 rope."
STAYS_READABLE = "The next player can still read above what you packed."
