"""Meters: action points as pips, and the way home as a line."""

from __future__ import annotations

from client.games.the_cave.board.glyphs.sets import SETS
from client.games.the_cave.known.supplies import Supplies
from client.settings.appearance import GlyphSetName
from client.tui.widgets.panel import Span, seat_role

LIT, SPENT = "▐▌", "▗▖"
LONGEST = 14
"""The most cells of the way home; a longer one is drawn to scale."""


def meter(ap: int, of: int, glyph_set: GlyphSetName) -> list[Span]:
    """Return full and empty pips and the number: ``▐▌▐▌▐▌▗▖▗▖ 3``."""
    glyphs = SETS[glyph_set]
    lit, spent = (glyphs.pip, glyphs.pip_spent) if glyph_set == "ascii" else (LIT, SPENT)
    return [Span(lit * ap, "key"), Span(spent * (of - ap), "dim"), Span(f" {ap}", "strong")]


def way_home(found: Supplies, seat: int, letter: str, ap: int, line: str) -> list[Span]:
    """Return the way home, a cell for each AP: ``⌂──━━━A``, strong as far as the AP of this turn go.

    Nothing where there is no way, or none to go.
    """
    if found.at_base or not found.home_ap:
        return []
    base, far, near = ("^", "-", "=") if line == "-" else ("⌂", "─", "━")
    length = min(LONGEST, found.home_ap)
    now = min(length, -(-ap * length // found.home_ap)) if found.running else 0
    return [
        Span(base, "gain"),
        Span(far * (length - now), "dim"),
        Span(near * now, "key"),
        Span(letter, seat_role(seat)),
    ]
