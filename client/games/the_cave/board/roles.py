"""The roles of The Cave's map, and what each looks like."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from client.games.the_cave.board.glyphs.sets import ROLES, Role
from client.games.the_cave.board.glyphs.tiles import TEAM_ROLES
from client.tui.roles import PANELS, SEATS, Hue

# Kinds colour the glyph, teams their letter only; every difference in colour is also one in text.
MAP: Mapping[Role, Hue] = {
    "cursor": Hue("map-cursor", bold=True, reverse=True),
    "water": Hue("map-water"),
    "wonder": Hue("map-wonder"),
    "squeeze": Hue("map-squeeze"),
    "descent": Hue("map-descent"),
    "choke": Hue("map-choke"),
    "base": Hue("map-base", bold=True),
    "depth-1": Hue("map-depth-1"),
    "depth-2": Hue("map-depth-2"),
    "depth-3": Hue("map-depth-3"),
    "rope": Hue("map-base"),
    "exit": Hue("map-exit"),
    "need": Hue("map-need"),
    "token": Hue(),
    "last": Hue(bold=True),
    "ghost-text": Hue(bold=True),
    "price": Hue("map-price", bold=True, reverse=True),
    "reach": Hue(bold=True, underline=True),
    **dict(zip(TEAM_ROLES, SEATS.values(), strict=False)),
}
"""The roles of the map; all others are plain text in the map's own style."""
IN_SIGHT = "in sight "
"""The beginning of the roles of the overview where the map beside it shows the same places."""
_SMALL: dict[str, Hue] = {role: MAP.get(role, Hue("map-text")) for role in ROLES}
OVERVIEW: Mapping[str, Hue] = {
    **{role: PANELS[role] for role in ("line", "title", "strong")},
    **_SMALL,
    **{f"{IN_SIGHT}{role}": replace(hue, ground=hue.ground or "panel") for role, hue in _SMALL.items()},
}
"""The roles of the whole cave, small."""
