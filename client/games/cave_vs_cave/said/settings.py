"""Cave vs Cave's own settings: before what it asks."""

from __future__ import annotations

from client.settings.schema import question

END = question(
    "cave-vs-cave.confirm_end",
    "Cave vs Cave",
    "Ending the turn",
    "Ask before a turn ends while the tile still offers something.",
)
SETTINGS = (END,)
