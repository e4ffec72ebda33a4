"""The cave in characters: glyph tables, and places of the map as rows of (text, role)."""
