"""Looks of places as styled segments, in as few pieces as the eye allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.segment import Segment
from rich.style import Style

from client.glyphs.looks import Look
from client.glyphs.sets import SETS, GlyphSetName, Role, Zoom
from client.glyphs.tiles import block

MANY_LOOKS = 8192
"""Looks kept before the store of them is emptied."""

BlockRows = list[list[Segment]]


class Paint:
    """The styles of the present theme, and the rows of every look that was drawn with them."""

    def __init__(self) -> None:
        self._styles: Mapping[Role, Style] = {}
        self._blank: Style | None = None
        self._quiet: frozenset[Style] = frozenset()
        self._rows: dict[Look, BlockRows] = {}

    def use(self, styles: Mapping[Role, Style]) -> bool:
        """Draw in these styles from now on; whether they differ from those before."""
        if styles == self._styles:
            return False
        self.forget()
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self._blank = blank = self._styles["blank"]
        self._quiet = frozenset(
            style
            for style in same
            if style.bgcolor == blank.bgcolor and not style.reverse and not style.underline
        )
        return True

    def forget(self) -> None:
        """The zoom or the glyphs have changed: no row is good any more."""
        self._rows.clear()

    def rows(self, look: Look, zoom: Zoom, glyph_set: GlyphSetName) -> BlockRows:
        """The rows of a block, made once for each look."""
        rows = self._rows.get(look)
        if rows is None:
            if len(self._rows) >= MANY_LOOKS:
                self._rows.clear()
            rows = self._rows[look] = [
                self.joined(Segment(text, self._styles[role]) for text, role in row if text)
                for row in block(look, zoom, SETS[glyph_set])
            ]
        return rows

    def joined(self, segments: Iterable[Segment]) -> list[Segment]:
        """The same to the eye in the fewest pieces, as each change of style costs bytes on the line.

        Blanks take the style of what is beside them where only its background would show.
        """
        blank, quiet = self._blank, self._quiet
        joined: list[Segment] = []
        text, style = "", None
        for piece, new, _ in segments:
            if new is style or (new is blank and style in quiet and piece.isspace()):
                text += piece
            elif style is blank and new in quiet and text.isspace():
                text, style = text + piece, new
            else:
                if text:
                    joined.append(Segment(text, style))
                text, style = piece, new
        if text:
            joined.append(Segment(text, style))
        return joined
