"""The cave in characters: glyph tables, and places of the map as rows of (text, role)."""

from client.glyphs.looks import Look, look_at
from client.glyphs.sets import PITCH, ROLES, SETS, TEAM_LETTERS, ZOOMS, GlyphSet, GlyphSetName, Role, Zoom
from client.glyphs.tiles import TEAM_ROLES, block, text
from client.glyphs.whole import whole_map

__all__ = [
    "PITCH",
    "ROLES",
    "SETS",
    "TEAM_LETTERS",
    "TEAM_ROLES",
    "ZOOMS",
    "GlyphSet",
    "GlyphSetName",
    "Look",
    "Role",
    "Zoom",
    "block",
    "look_at",
    "text",
    "whole_map",
]
