"""The meter of action points: ``■■■□□ 3``."""

from __future__ import annotations

from client.games.the_cave.glyphs import SETS, GlyphSetName


def meter(ap: int, of: int, glyph_set: GlyphSetName) -> str:
    """Full and empty pips and the number."""
    glyphs = SETS[glyph_set]
    return glyphs.pip * ap + glyphs.pip_spent * (of - ap) + f" {ap}"
