"""The looks of each role of a piece of text: a colour of the theme, by name, and how it is set off.

The styles are made from the theme's variables at once. Component classes in a style sheet would give
the same ones, but each costs a node in every widget that has it whenever that widget is styled, and
there are dozens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from client.face import LETTERS

TERMINALS_OWN = "ansi_default"  # the terminal's own background, whose colour is unknown


class Hue(Struct, frozen=True):
    """``colour`` and ``ground`` name variables of the theme; empty: inherited."""

    colour: str = ""
    ground: str = ""
    bold: bool = False
    reverse: bool = False
    underline: bool = False
    dim: bool = False


# Okabe and Ito's colours, or others for all kinds of colour vision, under a letter that is readable on them.
SEATS: Mapping[str, Hue] = {
    f"seat-{number}": Hue(f"seat-{number}-letter", f"seat-{number}", bold=True) for number in range(1, len(LETTERS) + 1)
}
PANELS: Mapping[str, Hue] = {
    "text": Hue("words"),
    "line": Hue("line"),
    "air": Hue("background"),
    "title": Hue("title", bold=True),
    "strong": Hue("words", bold=True),
    "dim": Hue("dim"),
    "key": Hue("key", bold=True),
    "gain": Hue("gain"),
    "won": Hue("gain", bold=True, reverse=True),
    "tip": Hue("tip"),
    "warn": Hue("warn", bold=True),
    "loud": Hue("loud", bold=True, reverse=True),
    "turn": Hue("key", bold=True, reverse=True),
    "chosen": Hue("key", bold=True, reverse=True),
    "cap": Hue("key", "cap", bold=True),
    "slot": Hue("words", "cap"),
    "none": Hue("dim", "cap"),
    "thumb": Hue("line", reverse=True),
    "today": Hue("key", bold=True, underline=True),
    **SEATS,
}


def style(app: App[object], hue: Hue) -> Style:
    """Return the part of a style that a role adds in the app's current theme."""
    variables = app.theme_variables
    colour = variables[hue.colour] if hue.colour else ""
    ground = variables[hue.ground] if hue.ground else ""
    return _hue_style(hue, colour, ground, app.native_ansi_color and ground not in ("", TERMINALS_OWN))


@lru_cache(maxsize=512)
def _hue_style(hue: Hue, colour: str, ground: str, turned: bool) -> Style:
    """Return the style. ``turned`` writes it reversed, with the ground as ink: many terminals show bold black
    as grey, and without colours only the reversal is visible.
    """
    ink = Color.parse(colour).rich_color if colour else None
    under = Color.parse(ground).rich_color if ground else None
    return Style(
        color=under if turned else ink,
        bgcolor=ink if turned else under,
        bold=hue.bold or None,
        reverse=hue.reverse is not turned or None,
        underline=hue.underline or None,
        dim=hue.dim or None,
    )


# The terminal's own sixteen colours: their contrast is unknown, so most text has the default colour.
ANSI = {
    **dict.fromkeys(("words", "map-text", "map-choke", "map-depth-1", "dim", "line", "title"), "ansi_default"),
    "key": "ansi_bright_yellow",
    "gain": "ansi_bright_green",
    "tip": "ansi_bright_cyan",
    "warn": "ansi_bright_red",
    "loud": "ansi_bright_red",
    "map-cursor": "ansi_bright_white",
    "map-price": "ansi_bright_yellow",
    "map-water": "ansi_bright_cyan",
    "map-wonder": "ansi_bright_yellow",
    "map-squeeze": "ansi_yellow",
    "map-descent": "ansi_bright_magenta",
    "map-base": "ansi_bright_green",
    "map-exit": "ansi_cyan",
    "map-need": "ansi_bright_red",
    "map-depth-2": "ansi_cyan",
    "map-depth-3": "ansi_magenta",
    "seat-1": "ansi_bright_yellow",
    "seat-2": "ansi_bright_cyan",
    "seat-3": "ansi_bright_green",
    "seat-4": "ansi_bright_magenta",
    "seat-5": "ansi_bright_red",
    "seat-6": "ansi_bright_blue",
    **{f"seat-{number}-letter": "ansi_black" for number in range(1, 7)},
}
# Only these of the sixteen are dark enough for paper: red, green, blue, magenta and grey.
ANSI_LIGHT = ANSI | {
    **dict.fromkeys(("map-cursor", "map-price", "map-base"), "ansi_default"),
    **dict.fromkeys(("warn", "loud", "map-need"), "ansi_red"),
    "key": "ansi_magenta",
    "gain": "ansi_green",
    "tip": "ansi_blue",
    "map-water": "ansi_blue",
    "map-wonder": "ansi_magenta",
    "map-squeeze": "ansi_red",
    "map-descent": "ansi_bright_black",
    "map-exit": "ansi_green",
    "map-depth-2": "ansi_blue",
}


def _ansi_theme(theme: Theme) -> Theme:
    """Return the theme with one colour for keys; Textual's transparent grounds would become black in styles.

    On dark grounds that colour replaces blue, which is unreadable on black.
    """
    key = (ANSI if theme.dark else ANSI_LIGHT)["key"]
    grounds = dict.fromkeys(("surface", "panel", "boost"), TERMINALS_OWN)
    variables = theme.variables | grounds | {"footer-key-foreground": key}
    if not theme.dark:
        return replace(theme, accent=key, variables=variables)
    bars = dict.fromkeys(("scrollbar", "scrollbar-hover", "scrollbar-active"), "ansi_white")
    return replace(theme, primary=key, accent=key, variables=variables | bars | {"link-color": key})


ANSI_BY_NAME = {name: _ansi_theme(theme) for name, theme in BUILTIN_THEMES.items() if theme.ansi}
