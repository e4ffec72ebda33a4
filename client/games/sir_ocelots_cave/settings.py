"""Sir Ocelot's Cave's own settings: before what it asks, as it cannot be taken back."""

from __future__ import annotations

from client.settings.schema import question

GAME = "Sir Ocelot's Cave"
PLACE = question(
    "sir-ocelots-cave.confirm_place",
    GAME,
    "Placing a piece",
    "Ask before a piece is placed for good.",
    asked=False,
    formerly="confirm.place",
)
SLIP = question(
    "sir-ocelots-cave.confirm_slip",
    GAME,
    "A likely slip",
    "Warn before a placement that collects nothing where another would, or that helps the rival.",
)
SETTINGS = (PLACE, SLIP)
