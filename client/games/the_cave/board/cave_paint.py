"""Looks of places as styled segments."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from rich.style import Style

from client.games.the_cave.board.glyphs.looks import Look
from client.games.the_cave.board.glyphs.sets import SETS, Role, Zoom
from client.games.the_cave.board.glyphs.tiles import Row, block
from client.settings.appearance import GlyphSetName
from client.tui.board.block import Block
from client.tui.paint.canvas import new_segment

MANY_LOOKS = 8192
"""Looks kept before the store of them is emptied."""


class Paint:
    """The styles of the present theme, and the rows of every look that was drawn with them."""

    def __init__(self) -> None:
        self._styles: Mapping[Role, Style] = {}
        self.in_rgb = False
        """Whether no style is in a colour of the terminal's own palette, or dimmed."""
        self._rows: dict[Look, Block] = {}

    def use(self, styles: Mapping[Role, Style]) -> bool:
        """Draw in these styles from now on; whether they differ from those before."""
        if styles == self._styles:
            return False
        self.forget()
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self.in_rgb = all(map(_in_rgb, same))
        return True

    def style(self, role: Role) -> Style:
        """Return the style of a role."""
        return self._styles[role]

    def forget(self) -> None:
        """Draw every row anew."""
        self._rows.clear()

    def rows(self, look: Look, zoom: Zoom, glyph_set: GlyphSetName) -> Block:
        """Return the rows of a block, made once for each look."""
        rows = self._rows.get(look)
        if rows is None:
            if len(self._rows) >= MANY_LOOKS:
                self._rows.clear()
            rows = self._rows[look] = [
                _joined(row, self._styles) for row in block(look, zoom, SETS[glyph_set])
            ]
        return rows


def _in_rgb(style: Style) -> bool:
    return not style.dim and all(
        colour is None or colour.triplet is not None for colour in (style.color, style.bgcolor)
    )


def _joined(pieces: Row, styles: Mapping[Role, Style]) -> list[Segment]:
    """Return a row in the fewest pieces: each costs time on every line it is on."""
    joined: list[Segment] = []
    text, style = "", None
    for piece, role in pieces:
        new = styles[role]
        if new is style:
            text += piece
        else:
            if text:
                joined.append(new_segment((text, style, None)))
            text, style = piece, new
    if text:
        joined.append(new_segment((text, style, None)))
    return joined
