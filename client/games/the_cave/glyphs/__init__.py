"""The cave in characters: glyph tables, and places of the map as rows of (text, role)."""

from client.games.the_cave.glyphs.looks import Look, look_at
from client.games.the_cave.glyphs.sets import (
    PITCH,
    ROLES,
    SETS,
    TEAM_LETTERS,
    ZOOMS,
    GlyphSet,
    Role,
    Zoom,
)
from client.games.the_cave.glyphs.tiles import TEAM_ROLES, block, text
from client.settings.appearance import GlyphSetName

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
]
