"""Themes of the sixteen colours of a terminal, which its owner may have set to any."""

from __future__ import annotations

from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

from client.tui.roles import TERMINALS_OWN

# The terminal's own sixteen colours: what its owner can read is not known, so text is mostly its default.
ANSI = {
    **dict.fromkeys(
        ("words", "map-text", "map-choke", "map-depth-1", "dim", "line", "title"), "ansi_default"
    ),
    "key": "ansi_yellow",
    "gain": "ansi_green",
    "tip": "ansi_cyan",
    "warn": "ansi_red",
    "loud": "ansi_red",
    "map-cursor": "ansi_bright_white",
    "map-price": "ansi_yellow",
    "map-water": "ansi_bright_blue",
    "map-wonder": "ansi_bright_yellow",
    "map-squeeze": "ansi_yellow",
    "map-descent": "ansi_magenta",
    "map-base": "ansi_bright_green",
    "map-exit": "ansi_bright_cyan",
    "map-need": "ansi_red",
    "map-depth-2": "ansi_cyan",
    "map-depth-3": "ansi_magenta",
    "seat-1": "ansi_yellow",
    "seat-2": "ansi_bright_cyan",
    "seat-3": "ansi_green",
    "seat-4": "ansi_bright_magenta",
    "seat-5": "ansi_bright_red",
    "seat-6": "ansi_bright_blue",
    **{f"seat-{number}-letter": "ansi_black" for number in range(1, 7)},
}
# Of the sixteen only these are dark enough for paper: red, green, blue, magenta and grey.
ANSI_LIGHT = ANSI | {
    **dict.fromkeys(("map-cursor", "map-price", "map-base"), "ansi_default"),
    "key": "ansi_magenta",
    "tip": "ansi_blue",
    "map-water": "ansi_blue",
    "map-wonder": "ansi_magenta",
    "map-squeeze": "ansi_red",
    "map-descent": "ansi_bright_black",
    "map-exit": "ansi_green",
    "map-depth-2": "ansi_blue",
}


def _ansi(theme: Theme) -> Theme:
    """Return a theme of the terminal's own colours with one colour for keys. The library's grounds are
    transparent there, of which a style makes black, whatever the terminal's is.
    """
    key = (ANSI if theme.dark else ANSI_LIGHT)["key"]
    grounds = dict.fromkeys(("surface", "panel", "boost"), TERMINALS_OWN)
    return replace(theme, accent=key, variables=theme.variables | grounds | {"footer-key-foreground": key})


ANSI_BY_NAME = {name: _ansi(theme) for name, theme in BUILTIN_THEMES.items() if theme.ansi}
