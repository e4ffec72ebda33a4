"""Display choices that the command line must make before the app and Textual exist."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Literal

GlyphSetName = Literal["unicode", "ascii"]  # the signs that a terminal can show

OWN_THEMES = ("cave-dark", "cave-light", "cave-colour-blind", "cave-high-contrast")
ANSI_THEMES = ("ansi-dark", "ansi-light")
BUILT_IN_THEMES = (
    *("atom-one-dark", "atom-one-light", "catppuccin-frappe", "catppuccin-latte", "catppuccin-macchiato"),
    *("catppuccin-mocha", "dracula", "flexoki", "gruvbox", "monokai", "nord", "rose-pine", "rose-pine-dawn"),
    *("rose-pine-moon", "solarized-dark", "solarized-light", "textual-dark", "textual-light", "tokyo-night"),
)
"""Textual's own themes with colours of their own."""
LIGHT = frozenset(name for name in BUILT_IN_THEMES if "light" in name) | {
    "cave-light",
    "catppuccin-latte",
    "rose-pine-dawn",
    "ansi-light",
}
THEMES = ("auto", *OWN_THEMES, *ANSI_THEMES, *BUILT_IN_THEMES)
DEFAULT_THEME = "cave-dark"
GLYPHS = ("auto", "fine", "unicode", "ascii")
PLAIN_CONSOLES = ("linux", "cons25", "dumb", "ansi", "sun", "wsvt25")
"""Terminals whose fonts have at most the blocks of WGL4; also all ``vt...``."""


def chosen_theme(wanted: str, environment: Mapping[str, str], *, told: bool = False) -> str:
    """Return the theme; with 16 colours or fewer the terminal's own, unless ``wanted`` was ``told``."""
    theme = wanted
    if theme not in THEMES or theme == "auto":
        theme = "cave-light" if is_light_terminal(environment) else DEFAULT_THEME
    if "NO_COLOR" in environment or (has_sixteen_colours(environment) and not told):
        return "ansi-light" if theme in LIGHT else "ansi-dark"
    return theme


def has_sixteen_colours(environment: Mapping[str, str]) -> bool:
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    if environment.get("OS") == "Windows_NT":
        return False
    term = environment.get("TERM", "").strip().lower()
    return term.rpartition("-")[2] not in ("256color", "kitty")


def is_light_terminal(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal reports a light background, as some do in ``COLORFGBG``."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


def chosen_glyphs(
    wanted: str, environment: Mapping[str, str], encoding: str, *, utf8_mode: int = sys.flags.utf8_mode
) -> str:
    """Return ``fine``, ``unicode`` or ``ascii``; on ``auto`` by the terminal's own description."""
    if wanted != "auto":
        return wanted
    if encoding.lower().replace("-", "") != "utf8":
        return "ascii"
    # Windows has no such variables, only the encoding.
    if environment.get("OS") != "Windows_NT" and "utf" not in _locale(environment, utf8_mode).lower():
        return "ascii"
    return "unicode" if is_plain_console(environment) else "fine"


def _locale(environment: Mapping[str, str], utf8_mode: int) -> str:
    """Return the user's locale for characters; nothing if it is unset, which means ``C``."""
    characters = environment.get("LC_CTYPE", "")
    if utf8_mode and characters == "C.UTF-8":
        # In a C locale Python switches to UTF-8 mode and sets this variable itself (PEP 538, PEP 540).
        characters = ""
    return environment.get("LC_ALL") or characters or environment.get("LANG", "")


def is_plain_console(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is a console with few glyphs: no quarter blocks."""
    if environment.get("OS") == "Windows_NT":
        # The old console window; the Terminal and the consoles of editors set a variable.
        return not (environment.get("WT_SESSION") or environment.get("TERM_PROGRAM"))
    term = environment.get("TERM", "").strip().lower()
    return term in PLAIN_CONSOLES or term.startswith("vt")
