"""The questions of The Caves of Casadh: before what cannot be taken back."""

from __future__ import annotations

from client.settings.schema import question

GAME = "The Caves of Casadh"
END = question(
    "caves-of-casadh.confirm_end",
    GAME,
    "Ending a turn",
    "Ask before a turn ends with MP left.",
    asked=False,
)
LEAVE = question(
    "caves-of-casadh.confirm_leave", GAME, "Leaving for good", "Ask before a spelunker leaves the caves."
)
GIVE_UP = question(
    "caves-of-casadh.confirm_give_up", GAME, "Giving up", "Ask before a spelunker gives up and dies."
)
SETTINGS = (END, LEAVE, GIVE_UP)
