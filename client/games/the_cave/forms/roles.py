"""The roles of the things that one carries, and what each looks like."""

from __future__ import annotations

from collections.abc import Mapping

from client.tui.roles import PANELS, Hue

BACKPACK: Mapping[str, Hue] = {
    **PANELS,
    "consumable": Hue("map-squeeze"),
    "rope": Hue("map-wonder"),
    "oxygen": Hue("map-exit"),
    "camera": Hue("map-water"),
    "raft": Hue("map-need"),
    "CAMP": Hue("map-base"),
}
"""Each thing has a colour beside its name."""
THINGS = ("consumable", "rope", "oxygen", "camera", "raft", "CAMP")


def of_thing(text: str) -> str:
    """Return the role of a thing by what is written on it: a tank's is the same however full it is."""
    return next((name for name in THINGS if name in text), "none")
