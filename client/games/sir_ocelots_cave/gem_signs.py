"""Gems and tools: signs for every terminal, and the shapes of their pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region

from cave.codec import Place
from cave.sir_ocelots_cave.components import CELESTITES, GEMS, LEVEL, Gem, Tool
from client.face import LETTERS
from client.games.sir_ocelots_cave.picture import Pitch, Rim, Square, coordinate_labels, level_names
from client.games.sir_ocelots_cave.terms import POINTS, TOOL_LETTERS
from client.tui.text_roles import PANELS, SEATS, Hue
from client.tui.widgets.panel import seat_role

# Each gem has its own sign, so that gems differ without colour.
SIGNS: Mapping[str, Mapping[Gem, str]] = {
    "unicode": dict(zip(GEMS, "▲☼∩*●■♦◘", strict=True)),
    "ascii": dict(zip(GEMS, "^o%*@#$&", strict=True)),
}
WORTH: Mapping[str, str] = {gem: str(POINTS.get(gem, "?")) for gem in GEMS}  # ?: an amethyst
FREE = {"unicode": "·", "ascii": "."}
GRID = {"unicode": "│─", "ascii": "|-"}  # the left edge of a square, and the edge above
CORNERS = {"unicode": " ╵╶└╷│┌├╴┘─┴┐┤┬┼", "ascii": " " + "+" * 15}
"""The corners of squares, by the edges that meet there: 1 above, 2 right, 4 below, 8 left."""
IN_VIEW = {"unicode": "║═", "ascii": ":="}  # the same edges of a square in sight
MARKS = {"gain": "+", "take": "+", "leave": "-"}
WON = ("gain", "take")  # marks of a collected gem

SHAPES: Mapping[Gem, tuple[str, ...]] = {
    "rock_crystal": ("..aa..", ".aab..", ".aabb.", ".aabb.", ".aabb.", "..bb.."),
    "celestite_sun": ("a.aa.a", ".aaaa.", "aaaaab", "aaaabb", ".abbb.", "a.bb.b"),
    "celestite_crescent": ("..aaa.", ".aaa..", ".aa...", ".aa...", ".abb..", "..bbb."),
    "celestite_star": ("..aa..", "..aa..", "aaaabb", ".aabb.", ".a..b.", "a....b"),
    "opal": (".aabb.", "aabbcc", "abbcca", "bbccaa", "bccaab", ".caab."),
    "emerald": (".cccc.", "caaaab", "cabbab", "cabbab", "caaaab", ".bbbb."),
    "red_beryl": ("..ac..", ".aacb.", "aaccbb", "aaccbb", ".acbb.", "..cb.."),
    "geode": (".gggg.", "ggvvgg", "gvVVvg", "gvVVvg", "ggvvgg", ".gggg."),
}
LOW_SHAPES = {
    gem: ("......", *shape[:row], *shape[row + 1 :])
    for gem, shape in SHAPES.items()
    for row in [next((row for row in range(1, 6) if shape[row] == shape[row - 1]), 3)]
}
"""The shapes with a blank half row above them."""
PLAIN_SHAPES: Mapping[Gem, tuple[str, ...]] = {
    "rock_crystal": ("....", "..a.", ".aa.", ".aa.", ".aa.", ".a.."),
    "celestite_sun": ("....", "a..a", ".aa.", "aaaa", ".aa.", "a..a"),
    "celestite_crescent": ("....", ".aaa", "aa..", "aa..", "aa..", ".aaa"),
    "celestite_star": ("....", ".aa.", ".aa.", "aaaa", ".aa.", "a..a"),
    "opal": ("....", ".aa.", "aaaa", "aaaa", "aaaa", ".aa."),
    "emerald": ("....", "aaaa", "a..a", "a..a", "a..a", "aaaa"),
    "red_beryl": (".....", "..a..", ".aaa.", "aaaaa", ".aaa.", "..a.."),
    "geode": ("....", ".aa.", "a..a", "a..a", "a..a", ".aa."),
}
"""Outlines for terminals without colours, with room for the value beside them."""
SMALL: Mapping[Gem, tuple[str, ...]] = {
    "rock_crystal": (".aa.", ".aab", ".aab", ".bb."),
    "celestite_sun": ("a..a", ".aa.", ".bb.", "b..b"),
    "celestite_crescent": (".aa.", "aa..", "ab..", ".bb."),
    "celestite_star": (".a..", "aaab", ".ab.", "a..b"),
    "opal": (".ab.", "abbc", "bcca", ".ca."),
    "emerald": ("cccc", "caab", "caab", "bbbb"),
    "red_beryl": (".ac.", "aacb", "accb", ".cb."),
    "geode": (".gg.", "gvVg", "gVvg", ".gg."),
}
TOOL_SHAPES: Mapping[Tool, tuple[str, ...]] = {
    "compass": (".rr.", "rwwr", "rwwr", ".rr."),
    "lamp": (".yy.", "yyyy", ".yy.", ".kk."),
    "pickaxe": ("sssss", "s.n.s", "..n..", "..n.."),
}
DRAWINGS: Mapping[str, tuple[str, ...]] = {
    "rock_crystal": ("  /\\", "  \\/"),
    "celestite_sun": (" \\oo/", " /oo\\"),
    "celestite_crescent": ("  /%'", "  \\%."),
    "celestite_star": (" -**-", " /**\\"),
    "opal": (" /@@\\", " \\@@/"),
    "emerald": (" [##]", " [##]"),
    "red_beryl": (" \\$$/", "  \\/"),
    "geode": (" {&&}", " {&&}"),
    "compass": (" .-.", "( ^ )", " '-'"),
    "lamp": ("  n", " /*\\", " [_]"),
    "pickaxe": ("/-+-\\", "  |", "  |"),
}
"""Gems and tools in ASCII, where pixels would be blots."""
STONE = ("..oo..", ".oooo.", "oooooo", "oooooo", ".oooo.", "..oo..")
MOTH = ("b....b", "bb..bb", "bbbbbb", "bbbbbb", "b.bb.b", "......")

GEM_HUES: Mapping[str, str] = {
    "rock_crystal": "words",
    **dict.fromkeys(CELESTITES, "map-water"),
    "opal": "map-wonder",
    "emerald": "map-base",
    "red_beryl": "map-need",
    "geode": "map-descent",
    "compass": "map-need",
    "lamp": "map-wonder",
    "pickaxe": "words",
}
ROLES: Mapping[str, Hue] = {
    **PANELS,
    **{name: Hue(colour, bold=True) for name, colour in GEM_HUES.items()},
    **{f"lit {name}": Hue(colour, "cap", bold=True) for name, colour in GEM_HUES.items()},
    "lit": Hue("words", "cap"),
    **{f"level-{level}": Hue(f"map-{name}") for level, name in enumerate(("water", "base", "need"), 1)},
    "mark": Hue("key", bold=True),
    "lit mark": Hue("key", "cap", bold=True),
    "cursor": Hue("map-cursor", bold=True, reverse=True),
    "amethyst": Hue("map-descent"),
    **SEATS,
}

IN_SIGHT = ":"  # an empty square on the rows of sight of the cursor


class Sign(NamedTuple):
    glyph: str
    role: str | Style


AIR = Sign(" ", "text")


def marks_of_gem(look: Square) -> str:
    """Return the tools that complete a gem, or whether it is collected. Two tools replace its value."""
    return MARKS.get(look.mark) or (look.missing if look.mark else "")


def square(look: Square, glyphs: str, *, cursor: bool) -> list[Sign]:
    lit = "lit " if look.lit else ""
    plain = "lit" if look.lit else "dim"
    if look.companion is not None:
        role = seat_role(look.companion)
        signs = [Sign(" ", plain), *(Sign(each, role) for each in f" {LETTERS[look.companion]} ")]
    elif look.gem is None:
        glyph = IN_SIGHT if look.lit else FREE[glyphs]
        signs = [Sign(" ", plain), Sign(glyph, plain), Sign(" ", plain), Sign(" ", plain)]
    else:
        won = look.mark in WON
        role = "won" if won else f"{lit}{look.gem}"
        marks = [Sign(each, "won" if won else f"{lit}mark") for each in marks_of_gem(look)]
        worth = Sign(WORTH[look.gem], role)
        signs = [Sign(" ", plain), Sign(SIGNS[glyphs][look.gem], role)]
        signs += marks if len(marks) > 1 and not cursor else [worth, *(marks or signs[:1])]
    return [Sign("[", "cursor"), *signs[1:3], Sign("]", "cursor")] if cursor else signs


def corner(at: Place, glyphs: str) -> Sign:
    x, y = at
    here, west, beyond, north = (LEVEL.get(each, 0) for each in (at, (x - 1, y), (x - 1, y - 1), (x, y - 1)))
    edges = (beyond or north, north or here, here or west, west or beyond)
    level = here or west or beyond or north
    glyph = CORNERS[glyphs][sum(bool(edge) << bit for bit, edge in enumerate(edges))]
    return Sign(glyph, f"level-{level}") if level else AIR


def rim(look: Rim, glyphs: str, *, cursor: bool) -> list[Sign]:
    """Return the four signs of a rim space; a tool placed since your last turn has pointed brackets."""
    tool = look.tool or look.held
    if tool is not None:
        inner = Sign(TOOL_LETTERS[tool] if look.tool else TOOL_LETTERS[tool].lower(), tool)
    elif look.sees:
        inner = Sign("o", "mark")
    else:
        inner = Sign(FREE[glyphs], "dim")
    left, right = ("<", ">") if look.recent and look.tool else ("(", ")")
    edge = "mark" if look.sees else "dim"
    signs = [Sign(" ", "dim"), Sign(left, edge), inner, Sign(right, edge)]
    return [Sign(" ", "dim"), Sign("[", "cursor"), inner, Sign("]", "cursor")] if cursor else signs


class BoardSignWriter:
    """Draws boards in signs on half-tone floors, for terminals with unknown colours. ``paint`` paints squares
    that are large enough for pictures.
    """

    def __init__(
        self,
        glyphs: str,
        style: Callable[[str], Style],
        *,
        in_rgb: bool = False,
        paint: Callable[[Place, Square | Rim, Pitch, bool], list[list[Sign]]] | None = None,
    ) -> None:
        self._glyphs, self._style, self.in_rgb, self._paint = glyphs, style, in_rgb, paint

    def around(self, region: Region, pitch: Pitch) -> list[list[Sign]]:
        rows = [[AIR] * region.width for _ in range(region.height)]
        for labels, role in ((level_names, "title"), (coordinate_labels, "dim")):
            for x, y, text in labels(pitch):
                for column, glyph in enumerate(text, x):
                    if region.contains(column, y):
                        rows[y - region.y][column - region.x] = Sign(glyph, role)
        wide, high = pitch
        for x, y in LEVEL if high > 1 and self._paint is None else ():
            if region.contains((x + 1) * wide, (y + 1) * high):
                rows[(y + 1) * high - region.y][(x + 1) * wide - region.x] = corner((x + 1, y + 1), self._glyphs)
        return rows

    def block(self, at: Place, look: Square | Rim, pitch: Pitch, *, cursor: bool) -> list[list[Sign]]:
        wide, high = pitch
        if self._paint is not None and high > 2:
            return self._paint(at, look, pitch, cursor)
        x, y = at
        here, west, north = LEVEL.get(at), LEVEL.get((x - 1, y)), LEVEL.get((x, y - 1))
        is_lit = isinstance(look, Square) and look.lit
        lines = (IN_VIEW if is_lit else GRID)[self._glyphs]
        left, above = (
            Sign(line, "mark" if is_lit else f"level-{level}") if level else AIR
            for line, level in zip(lines, (here or west, here or north), strict=True)
        )
        if isinstance(look, Square):
            found = square(look, self._glyphs, cursor=cursor)
        else:
            found = rim(look, self._glyphs, cursor=cursor)
        rows = [[left, *[AIR] * (wide - 1)] for _ in range(high)]
        if high > 1:
            rows[0] = [corner(at, self._glyphs), *[above] * (wide - 1)]
        start = (wide - len(found) + 1) // 2  # the third is the middle
        first = found[0].glyph == " "  # it would hide the edge
        rows[high // 2][start + first : start + len(found)] = found[first:]
        return rows

    def pieces(self, cells: Sequence[Sign]) -> list[Segment]:
        return [
            Segment("".join(sign.glyph for sign in piece), self._style(role) if isinstance(role, str) else role)
            for role, piece in groupby(cells, key=itemgetter(1))
        ]
