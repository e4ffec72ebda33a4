"""Questions that screen and lines ask in the same words; usual keys stand in braces."""

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo a discovered tile or a turn that has ended."
END = "You still have {ap} AP you can use. End the turn?"
FORCE = "A forced move takes the whole turn and all 5 AP, and takes no token. Force it?"
ABANDON = "The camp and everything in it will be gone for good. Abandon it?"
PLACE = "A placed tile stays for good. Place it like this?"
