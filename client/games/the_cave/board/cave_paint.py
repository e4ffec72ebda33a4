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


class Paint:
    """The styles of the present theme."""

    def __init__(self) -> None:
        self._styles: Mapping[Role, Style] = {}
        self.in_rgb = False
        """Whether no style is in a colour of the terminal's own palette, or dimmed."""

    def use(self, styles: Mapping[Role, Style]) -> bool:
        """Draw in these styles from now on; whether they differ from those before."""
        if styles == self._styles:
            return False
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self.in_rgb = all(map(_in_rgb, same))
        return True

    def style(self, role: Role) -> Style:
        """Return the style of a role."""
        return self._styles[role]

    def rows(self, look: Look, zoom: Zoom, glyph_set: GlyphSetName) -> Block:
        """Return the rows of a block."""
        return [_joined(row, self._styles) for row in block(look, zoom, SETS[glyph_set])]


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
