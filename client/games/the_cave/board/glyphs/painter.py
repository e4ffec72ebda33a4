"""Blocks in lines of signs, in the styles of a theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style

from cave.the_cave.geometry import Coord
from client.games.the_cave.board.glyphs.sets import PITCH, ROLES, SETS, Role, Zoom
from client.games.the_cave.board.glyphs.tiles import TEAM_ROLES, Look, Row, block, look_at
from client.games.the_cave.board.lit.moving import AT_REST, Moment
from client.games.the_cave.known.picture import EMPTY, MapPicture
from client.settings.appearance import GlyphSetName
from client.tui.board.block import Block, marked
from client.tui.board.geometry import SquareGrid
from client.tui.paint.canvas import new_segment
from client.tui.roles import PANELS, SEATS, Hue

# Kinds colour the glyph, teams their letter only; every difference in colour is also one in text.
MAP: Mapping[Role, Hue] = {
    "cursor": Hue("map-cursor", bold=True, reverse=True),
    "water": Hue("map-water"),
    "wonder": Hue("map-wonder"),
    "squeeze": Hue("map-squeeze"),
    "descent": Hue("map-descent"),
    "choke": Hue("map-choke"),
    "base": Hue("map-base", bold=True),
    "depth-1": Hue("map-depth-1"),
    "depth-2": Hue("map-depth-2"),
    "depth-3": Hue("map-depth-3"),
    "rope": Hue("map-base"),
    "exit": Hue("map-exit"),
    "need": Hue("map-need"),
    "token": Hue(),
    "last": Hue(bold=True),
    "ghost-text": Hue(bold=True),
    "price": Hue("map-price", bold=True, reverse=True),
    "reach": Hue(bold=True, underline=True),
    **dict(zip(TEAM_ROLES, SEATS.values(), strict=False)),
}
"""The roles of the map; all others are plain text in the map's own style."""
IN_SIGHT = "in sight "
"""The beginning of the roles of the overview where the map beside it shows the same places."""
_SMALL: dict[str, Hue] = {role: MAP.get(role, Hue("map-text")) for role in ROLES}
OVERVIEW: Mapping[str, Hue] = {
    **{role: PANELS[role] for role in ("line", "title", "strong")},
    **_SMALL,
    **{f"{IN_SIGHT}{role}": replace(hue, ground=hue.ground or "panel") for role, hue in _SMALL.items()},
}
"""The roles of the whole cave, small."""


class SignPainter:
    """Draws blocks as ``LitPainter`` does, without light and movement."""

    grids: ClassVar[Mapping[str, SquareGrid]] = {zoom: SquareGrid(pitch, 1) for zoom, pitch in PITCH.items()}

    def __init__(self, styles: Mapping[Role, Style], glyph_set: GlyphSetName) -> None:
        self.made_for = styles, glyph_set
        # Equal styles become one object, so that pieces are compared by identity.
        same: dict[Style, Style] = {}
        self._styles = {role: same.setdefault(style, style) for role, style in styles.items()}
        self.in_rgb = all(map(_in_rgb, same))
        self._glyphs = SETS[glyph_set]
        self._picture = EMPTY

    def show(self, picture: MapPicture, moment: Moment = AT_REST) -> set[Coord]:
        """Set the state of the cave to draw. Unchanged places keep their looks."""
        self._picture = picture
        return set()

    def look(self, at: Coord) -> Look:
        """Return the look of the block of a place."""
        return look_at(self._picture, at)

    def rows(self, look: Look, zoom: Zoom, *, is_cut: bool = False) -> Block:
        """Return the rows of a block."""
        rows = block(replace(look, is_cut=True) if is_cut else look, zoom, self._glyphs)
        return [_joined(row, self._styles) for row in rows]

    def hides_cursor(self, look: Look) -> bool:
        """Return False: the cursor is shown on every place."""
        return False

    def corners(self, zoom: Zoom) -> Sequence[tuple[int, int]]:
        """Return the cells of the cursor: the corners of a place within its borders."""
        across, down = PITCH[zoom]
        return sorted({(x, y) for x in (1, across - 1) for y in (1, down - 1)})

    def marked(self, block: Block, zoom: Zoom, right: int, below: int) -> Block:
        """Return a block with the cells of the cursor, if it is on that block itself."""
        here = [] if right or below else [*self.corners(zoom)]
        return marked(block, here, lambda _: self._styles["cursor"])


def _in_rgb(style: Style) -> bool:
    """Return whether a style is in no colour of the terminal's own palette, and not dimmed."""
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
