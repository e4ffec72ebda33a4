"""What each role of a piece of text looks like: a colour of the theme, by name, and how it is set off.

The styles are made from the theme's variables at once. Component classes in a style sheet would give
the same ones, but each costs a node in every widget that has it whenever that widget is styled, and
there are dozens.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rich.style import Style
from textual.app import App
from textual.color import Color

from client.games.the_cave.glyphs.sets import ROLES, Role


class Hue(NamedTuple):
    """``colour`` and ``ground`` name variables of the theme; empty: as around it."""

    colour: str = ""
    ground: str = ""
    bold: bool = False
    reverse: bool = False
    underline: bool = False


# Okabe and Ito's colours, or others told apart by all eyes, under a letter that can be read on them.
TEAMS: Mapping[str, Hue] = {
    f"team-{number}": Hue(f"team-{number}-letter", f"team-{number}", bold=True) for number in range(1, 6)
}
PANELS: Mapping[str, Hue] = {
    "text": Hue("foreground"),
    "line": Hue("line"),
    "title": Hue("title", bold=True),
    "strong": Hue("foreground", bold=True),
    "dim": Hue("dim"),
    "key": Hue("key", bold=True),
    "gain": Hue("gain"),
    "tip": Hue("tip"),
    "warn": Hue("warn", bold=True),
    "loud": Hue("loud", bold=True, reverse=True),
    "turn": Hue("key", bold=True, reverse=True),
    "chosen": Hue("key", bold=True, reverse=True),
    **TEAMS,
}
"""The roles of spans in panes."""

# Kinds colour the glyph, teams their letter only; every difference in colour is also one in text.
MAP: Mapping[Role, Hue] = {
    "cursor": Hue("map-cursor"),
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
    "price": Hue(bold=True, reverse=True),
    "label": Hue(bold=True, reverse=True),
    "reach": Hue(bold=True, underline=True),
    **TEAMS,  # type: ignore[dict-item]
}
"""The roles of the map; all others are plain text in the map's own style."""
IN_SIGHT = "in sight "
"""What the roles of the overview begin with where the map beside it shows the same places."""
_SMALL: dict[str, Hue] = {role: MAP.get(role, Hue("map-text")) for role in ROLES}
OVERVIEW: Mapping[str, Hue] = {
    **{role: PANELS[role] for role in ("line", "title", "strong")},
    **_SMALL,
    **{f"{IN_SIGHT}{role}": hue._replace(ground=hue.ground or "panel") for role, hue in _SMALL.items()},
}
"""The roles of the whole cave, small."""


def style(app: App[object], hue: Hue) -> Style:
    """The part of a style that a role adds in the present theme of the app."""
    variables = app.theme_variables
    colour = variables[hue.colour] if hue.colour else ""
    ground = variables[hue.ground] if hue.ground else ""
    # Many terminals turn bold black into grey.
    return _style(hue, colour, ground, bool(ground) and app.native_ansi_color)


@lru_cache(maxsize=512)
def _style(hue: Hue, colour: str, ground: str, thin: bool) -> Style:
    return Style(
        color=Color.parse(colour).rich_color if colour else None,
        bgcolor=Color.parse(ground).rich_color if ground else None,
        bold=(hue.bold and not thin) or None,
        reverse=hue.reverse or None,
        underline=hue.underline or None,
    )
