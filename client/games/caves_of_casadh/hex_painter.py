"""The map painted in half-block pixels: rock and passages in the light of the pawn, with signs on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from itertools import groupby, zip_longest
from math import hypot
from operator import itemgetter, or_
from typing import NamedTuple

from rich.style import Style

from cave.codec import Place
from client.games.caves_of_casadh import passages as codes
from client.games.caves_of_casadh.hex_signs import (
    GLYPHS,
    OVERVIEW,
    OWN_EDGES,
    TINY,
    Sign,
    edge_codes,
    ring_codes,
    rows_of_hex,
    signs,
)
from client.games.caves_of_casadh.passages import (
    FLOORS,
    HALF,
    MIDDLES,
    TONES,
    Codes,
    floor_code,
    hex_pixels_as_codes,
    pixels_per_side_length,
)
from client.games.caves_of_casadh.picture import EmptyLook, HexLook, Look
from client.tui.board.geometry import HexGrid, hex_outline
from client.tui.board.view import Block, Row
from client.tui.canvas import BLACK, WHITE, Rgb, Styled, mix, new_segment, noise, parse_inks, parse_rgb, tint
from client.tui.colour_tiers import SIXTEEN, Colours, ColourTier, colour_256, pair_without_colours

Factors = tuple[float, float, float]


class Palette(NamedTuple):
    void: Rgb
    speck: Rgb
    pit: Rgb  # casing of passages
    seam: Rgb
    rocks: tuple[Rgb, Rgb, Rgb]  # rock of Base Camp, Level 1 and Level 2
    rubble: Rgb  # rock of a collapsed hex
    floors: Mapping[str, Rgb]  # any, the one with the marker, water, and the displayed pawn's
    exit: Rgb  # light that passages cast on the unexplored dark
    ghost: Rgb
    cursor: Rgb
    night: Rgb  # ground of signs
    alarm: Rgb  # ground of tokens
    inks: Mapping[str, Rgb]
    lights: tuple[Factors, ...] = ((0.72, 0.73, 0.80), (0.88, 0.87, 0.88), (1.08, 1.02, 0.94))
    """Brightness of hexes far from the pawn, nearer, and near."""


DARK = Palette(
    void=parse_rgb("0a090c"),
    speck=parse_rgb("1a161c"),
    pit=parse_rgb("0d0b0f"),
    seam=parse_rgb("060509"),
    rocks=(parse_rgb("3e4a3a"), parse_rgb("4a4038"), parse_rgb("3d3456")),
    rubble=parse_rgb("2c2a2e"),
    floors={
        "plain": parse_rgb("8a7350"),
        "marked": parse_rgb("a98a5e"),
        "water": parse_rgb("2f86c4"),
        "own": parse_rgb("ffe2a8"),
        "own water": parse_rgb("7fd0ff"),
    },
    exit=parse_rgb("2c8f84"),
    ghost=parse_rgb("fff0c4"),
    cursor=parse_rgb("fff0c4"),
    night=parse_rgb("141013"),
    alarm=parse_rgb("7a1020"),
    inks=parse_inks(
        "level e9b8ff hazard e0a868 token ffd9d2 item 8fc4ff treasure ffd76a marker ffd76a star ffc861 "
        "slope 8df0a2 water a8e2ff base 9df0a8 price ffc861 danger ff9a78 unknown 8ffbe6 dim b9ac97"
    ),
)
# Blue against yellow, for people who see red and green alike.
APART = DARK._replace(
    rocks=(parse_rgb("46545e"), parse_rgb("4a4038"), parse_rgb("343a5e")),
    exit=parse_rgb("2f6fa8"),
    alarm=parse_rgb("4a3600"),
    inks={**DARK.inks, **parse_inks("token ffe27a danger ffc24a slope ffffff base ffffff unknown 9ad4ff")},
)
# Ink on paper: hexes far from the pawn are paler, not darker.
LIGHT = Palette(
    void=parse_rgb("f4efe2"),
    speck=parse_rgb("e6dfce"),
    pit=parse_rgb("5c4836"),
    seam=parse_rgb("7a674c"),
    rocks=(parse_rgb("afbf99"), parse_rgb("b8a98d"), parse_rgb("afa4cc")),
    rubble=parse_rgb("8f877b"),
    floors={
        "plain": parse_rgb("f0dfba"),
        "marked": parse_rgb("fbf0d2"),
        "water": parse_rgb("6fb2de"),
        "own": parse_rgb("ffd45e"),
        "own water": parse_rgb("35b6ff"),
    },
    exit=parse_rgb("4fb0a2"),
    ghost=parse_rgb("ae4500"),
    cursor=parse_rgb("14285a"),
    night=parse_rgb("fbf7ee"),
    alarm=parse_rgb("8c0d2c"),
    inks=parse_inks(
        "level 69309c hazard 852b00 token ffffff item 00588f treasure 6b4a00 marker 6b4a00 star 8a4400 "
        "slope 00632c water 00588f base 00632c price ffd98a danger 8c0d2c unknown 005e52 dim 493d2c"
    ),
    lights=((1.10, 1.09, 1.08), (1.04, 1.03, 1.02), (0.97, 0.96, 0.94)),
)
# High contrast between floors and black, hardly any for rock.
STARK = DARK._replace(
    void=parse_rgb("000000"),
    speck=parse_rgb("000000"),
    pit=parse_rgb("000000"),
    seam=parse_rgb("000000"),
    rocks=(parse_rgb("2a4a2a"), parse_rgb("3a342e"), parse_rgb("3a2c60")),
    floors={
        "plain": parse_rgb("b9a888"),
        "marked": parse_rgb("dcc9a2"),
        "water": parse_rgb("3fa9ff"),
        "own": parse_rgb("ffd200"),
        "own water": parse_rgb("9fe8ff"),
    },
    cursor=parse_rgb("ffffff"),
    ghost=parse_rgb("ffd200"),
    night=parse_rgb("000000"),
    lights=((0.72, 0.72, 0.72), (0.86, 0.86, 0.86), (1.0, 1.0, 1.0)),
)
# The nearest of 256 colours to dark brown would be grey: all floors are equally bright and brown.
FEW = DARK._replace(
    floors={
        "plain": colour_256(137),
        "marked": colour_256(180),
        "water": colour_256(31),
        "own": colour_256(222),
        "own water": colour_256(117),
    },
    rocks=(colour_256(22), *DARK.rocks[1:]),
    exit=colour_256(30),
    lights=((1.0, 1.0, 1.0),) * 3,
)
SIXTEEN_ONLY = FEW._replace(
    void=BLACK,
    speck=BLACK,
    pit=BLACK,
    seam=BLACK,
    night=BLACK,
    rocks=(SIXTEEN[2], SIXTEEN[8], SIXTEEN[8]),
    floors=dict(zip(FEW.floors, map(SIXTEEN.__getitem__, (7, 7, 12, 15, 14)), strict=True)),
    exit=SIXTEEN[6],
    cursor=SIXTEEN[11],
    inks={
        **dict.fromkeys(FEW.inks, SIXTEEN[11]),
        **dict.fromkeys(("token", "dim"), WHITE),
        **{"level": SIXTEEN[13], "item": SIXTEEN[14], "water": SIXTEEN[14], "unknown": SIXTEEN[14]},
        **{"slope": SIXTEEN[10], "base": SIXTEEN[10], "danger": SIXTEEN[9]},
    },
)
# Passages are dots in ASCII, and rock would hide them.
ASCII = SIXTEEN_ONLY._replace(rocks=(BLACK, BLACK, BLACK), rubble=BLACK, exit=BLACK)
GREY = ASCII._replace(alarm=WHITE, ghost=SIXTEEN[11], inks={**SIXTEEN_ONLY.inks, "token": BLACK, "slope": SIXTEEN[7]})
BY_THEME: Mapping[str, Palette] = {"cave-colour-blind": APART, "cave-high-contrast": STARK}


def palette(theme: str, *, dark: bool, colours: Colours = "truecolor", whole: bool = False) -> Palette:
    if colours == "none":
        return GREY
    by_colours = {"256": FEW, "16": ASCII if whole else SIXTEEN_ONLY}
    return BY_THEME.get(theme, by_colours.get(colours, DARK) if dark else LIGHT)


DARK_SIDE, LIT_SIDE = 0.82, 1.24  # the shaded and the bright parts of rock, relative to the rest
SIDE_OF_FLOOR = 0.86  # the sides of a floor, relative to its middle
GLOW = 2.2  # how far, in pixels, a passage lights the dark beside its floor
SPECKS = 0.016  # specks per cell in the dark
VOID, FAR, NEAR, SPECK, CURSOR = 0, 1, 3, 4, 8
"""Pixels in the dark: nothing, far and near light of passages (near includes the bits of far), a speck, the
cursor.
"""
NO_INK = -1
_STRENGTHS = [255 - (code - FLOORS) % TONES if code >= FLOORS else code or FLOORS for code in range(256)]
OWN = (WHITE, SIXTEEN[14])
FILLS: Mapping[Rgb, str] = {**dict.fromkeys(OWN, "#"), SIXTEEN[12]: "~"}
"""The glyph of a whole cell of a floor in ASCII, by its colour; others have ``:``."""
MARKED = 8  # added to the number of an edge of the cursor or of the hex in hand
GAP = 0.3  # the open part of an edge at which a passage leads into the dark
LIT = (SIXTEEN[7], WHITE)  # the pixels of passages without colours
WITHOUT_COLOURS: Mapping[Rgb, tuple[str, Style]] = {
    SIXTEEN[14]: ("≈", Style(bold=True)),  # own water
    SIXTEEN[12]: ("≈", Style()),
    WHITE: ("", Style(bold=True)),
    SIXTEEN[7]: ("", Style(dim=True)),
}
"""The look of a cell that has a colour, and its glyph if that is not made of its pixels."""


class HexColours(NamedTuple):
    rock: str | int
    floors: tuple[str, ...]
    near: int
    border: str


class HexInks:
    """The colours of codes, with a number for each colour, so that pixels compare as numbers."""

    def __init__(self, table: Mapping[int, Rgb], pair: Styled) -> None:
        self._colours, self._pair = [*dict.fromkeys(table.values())], pair
        self.is_grey = pair is pair_without_colours
        self.numbers = bytes(
            [self._colours.index(table[code]) if code in table else 0 for code in range(max(table) + 1)]
        ).ljust(256, b"\0")
        self._styles: dict[tuple[int, int], Style] = {}
        self.cells: dict[tuple[int, int, int], tuple[str, Style]] = {}
        """Cells with lines, by the codes of their pixels and their edge."""

    def colour(self, code: int) -> Rgb:
        return self._colours[self.numbers[code]]

    def style(self, ink: int, ground: int) -> Style:
        found = self._styles.get((ink, ground))
        if found is None:
            found = self._styles[ink, ground] = self._pair(self._colours[ink], self._colours[ground])
        return found


class HexPainter:
    """Paints places for a terminal. ``seats`` are the ground and ink of each seat's letter; ``whole``: without
    half blocks, for ASCII.
    """

    def __init__(
        self, tier: ColourTier, palette: Palette, seats: Sequence[tuple[Rgb, Rgb]], *, whole: bool = False
    ) -> None:
        self._tier, self._palette, self._seats, self._whole = tier, palette, tuple(seats), whole
        self.in_rgb = not tier.has_few
        # Borders on black rock are lines, and a place draws half of its cursor.
        self.is_alike = palette in (ASCII, GREY)
        self._inks: dict[HexColours, HexInks] = {}
        self._nights: dict[bool, HexInks] = {}
        self._sign = lru_cache(maxsize=1024)(self._made_sign)

    def block(
        self, at: Place, look: Look, grid: HexGrid, seen: range, *, cursor: bool, beside: tuple[int, ...] = ()
    ) -> Block:
        """Return the cells of a hex in these visible columns."""
        lines: Codes = ()
        if self.is_alike:
            lines, cursor = _lines_at_border(look, grid, OWN_EDGES if cursor else beside), False
        if isinstance(look, HexLook):
            pixels, inks = self._hex_pixels(look, grid, cursor=cursor)
            # The cursor changes only the border: signs keep their ground.
            under = self._hex_pixels(look, grid, cursor=False)[1] if cursor else inks
        else:
            pixels = _dark_codes(at, look.sides, grid, cursor=cursor)
            inks = under = self._night_inks(grid)
        over = rows_of_hex(signs(look, grid, ascii_only=self._whole), grid, seen)
        uppers, lowers = pixels[::2], pixels[1::2]
        if self._whole and not self.is_alike:
            uppers = lowers = [_merged(*pair) for pair in zip(uppers, lowers, strict=True)]
        rows = zip_longest(uppers, lowers, lines, hex_outline(grid), over)
        return [self._row(upper, lower, line, span, inks, under, found) for upper, lower, line, span, found in rows]

    def _row(
        self,
        upper: bytes,
        lower: bytes,
        line: bytes | None,
        span: range,
        inks: HexInks,
        under: HexInks,
        over: Sequence[Sign],
    ) -> Row:
        """Return two rows of pixels as a row of cells with signs on top; ``under`` has the colours below."""

        def runs(start: int, stop: int) -> Row:
            if line is None:
                return _pixel_runs(upper[start:stop], lower[start:stop], inks)
            codes, known = zip(upper[start:stop], lower[start:stop], line[start:stop], strict=True), inks.cells
            found = [known.get(each) or self._new_cell(inks, *each) for each in codes]
            alike = groupby(found, itemgetter(1))
            return [new_segment(("".join([glyph for glyph, _ in run]), style, None)) for style, run in alike]

        row, start = [], span.start
        for x, _, text, role in over:
            row += runs(start, x)
            # The same ground for the whole sign, so that it is written as one piece.
            style = self._sign(role, under.colour(upper[x]), under.colour(lower[x]))
            row.append(new_segment((text, style, None)))
            start = x + len(text)
        return row + runs(start, span.stop)

    def _new_cell(self, inks: HexInks, one: int, other: int, edge: int) -> tuple[str, Style]:
        cell = inks.cells[one, other, edge] = self._made_cell(inks.colour(one), inks.colour(other), edge)
        return cell

    def _made_cell(self, upper: Rgb, lower: Rgb, edge: int) -> tuple[str, Style]:
        """Return a cell of a passage or a border. The cursor's border is a line across passages, too."""
        floor, styled = lower if upper == BLACK else upper, self._tier.style_maker
        if edge > MARKED or (edge and (floor == BLACK or not self._whole)):
            glyph = GLYPHS["ascii" if self._whole else "unicode"]["cursor"][edge % MARKED - 1]
            if edge > MARKED:
                return glyph, styled(self._palette.cursor, BLACK, True)
            return glyph, styled(SIXTEEN[8], BLACK) if self._whole else Style(dim=True)
        halves = 2 * (upper != BLACK) + (lower != BLACK)
        if self._whole:
            return " .'"[halves] if halves < 3 else FILLS.get(floor, ":"), styled(floor, BLACK, floor in OWN)
        seen = next((cell for colour, cell in WITHOUT_COLOURS.items() if colour in (upper, lower)), ("", Style.null()))
        return seen[0] or " ▄▀█"[2 * (upper in LIT) + (lower in LIT)], seen[1]

    def sign_style(self, role: str) -> Style:
        """Return the style of a sign in a legend."""
        return self._sign(role, self._palette.night, self._palette.night)

    def _made_sign(self, role: str, upper: Rgb, lower: Rgb) -> Style:
        ink, ground = self._sign_colours(role, mix(upper, lower, 0.5))
        return self._tier.style_maker(ink, ground, role not in ("unknown", "dim"))

    def _sign_colours(self, role: str, under: Rgb) -> tuple[Rgb, Rgb]:
        palette = self._palette
        if role.startswith("seat-"):
            ground, ink = self._seats[int(role[-1]) - 1]
        elif role == "way":
            ground, ink = palette.inks["price"], BLACK
        elif role == "edge":
            ground = ink = palette.night
        else:
            ground = palette.alarm if role == "token" else mix(under, palette.night, 1.0 if palette is ASCII else 0.72)
            ink = palette.cursor if role == "cursor" else palette.inks[role]
        ground = self._tier.shown(ground)
        return self._tier.readable_ink(ink, ground), ground

    def _hex_pixels(self, look: HexLook, grid: HexGrid, *, cursor: bool) -> tuple[Codes, HexInks]:
        key = HexColours(
            "rubble" if look.special == "collapsed" else look.level,
            tuple([_floor_tone(look, passage) for passage in range(len(look.plan.passages))]),
            2 if look.ghost else look.near,
            "cursor" if cursor else "ghost" if look.ghost and not self.is_alike else "",
        )
        inks = self._inks.get(key)
        if inks is None:
            inks = self._inks[key] = self._new_inks(self._colour_table(key))
        if grid.height > OVERVIEW:
            drawn = hex_pixels_as_codes(look.plan, grid)
            return _framed(drawn, grid) if cursor else drawn, inks
        is_floor = look.own >= 0 or inks.is_grey or self._whole
        inside = bytes([floor_code(max(look.own, 0), 0) if is_floor else codes.BRIGHT])
        filled = bytes([codes.SEAM]) + inside * 255
        return [row.translate(filled) for row in codes.rock_codes(grid)], inks

    def _new_inks(self, table: Mapping[int, Rgb]) -> HexInks:
        shown = self._tier.shown
        return HexInks({code: shown(colour) for code, colour in table.items()}, self._tier.style_maker)

    def _colour_table(self, key: HexColours) -> Mapping[int, Rgb]:
        palette = self._palette
        light = palette.lights[key.near]
        rock = tint(palette.rubble if key.rock == "rubble" else palette.rocks[int(key.rock)], light)
        border = {"cursor": palette.cursor, "ghost": palette.ghost}.get(key.border)
        table = {
            codes.SEAM: border or palette.seam,
            codes.BORDER: border or rock,
            codes.ROCK: rock,
            codes.BRIGHT: tint(rock, (LIT_SIDE,) * 3),
            codes.SHADED: tint(rock, (DARK_SIDE,) * 3),
            codes.PIT: palette.pit,
            codes.RIM: mix(rock, palette.pit, 0.6),
            codes.SLOPE: palette.inks["slope"],
        }
        for passage, name in enumerate(key.floors):
            ink = palette.floors[name] if name.startswith("own") else tint(palette.floors[name], light)
            table[floor_code(passage, 0)] = ink
            table[floor_code(passage, 1)] = tint(ink, (SIDE_OF_FLOOR,) * 3)
            table[floor_code(passage, 2)] = palette.pit if self.is_alike else mix(ink, palette.pit, 0.5)
        return table

    def _night_inks(self, grid: HexGrid) -> HexInks:
        small = grid.height == OVERVIEW
        if small not in self._nights:
            palette = self._palette
            near, far = palette.exit, mix(palette.exit, palette.void, 0.62)
            if small:
                near, far = far, palette.void
            self._nights[small] = self._new_inks(
                {VOID: palette.void, FAR: far, NEAR: near, SPECK: palette.speck, CURSOR: palette.cursor}
            )
        return self._nights[small]


def _merged(upper: bytes, lower: bytes) -> bytes:
    """Return one row for two: of different pixels the floor, and its middle before its side."""
    return bytes(max(pair, key=_STRENGTHS.__getitem__) for pair in zip(upper, lower, strict=True))


def _pixel_runs(upper: bytes, lower: bytes, inks: HexInks) -> Row:
    """Merge pixels into as few runs of one ink and ground as possible."""
    found: Row = []
    text, ink, ground = "", NO_INK, NO_INK
    for one, other in zip(upper.translate(inks.numbers), lower.translate(inks.numbers), strict=True):
        if other == ground and (one == other or ink in (one, NO_INK)):
            if one == other:
                text += " "
            else:
                text, ink = text + "▀", one
            continue
        if text:
            found.append(new_segment((text, inks.style(ground if ink == NO_INK else ink, ground), None)))
        text, ink, ground = (" ", NO_INK, other) if one == other else ("▀", one, other)
    if text:
        found.append(new_segment((text, inks.style(ground if ink == NO_INK else ink, ground), None)))
    return found


def _lines_at_border(look: Look, grid: HexGrid, marked: tuple[int, ...]) -> Codes:
    """Return the lines that a place draws, ``marked`` ones of the cursor. A passage of a known hex covers them."""
    edges = edge_codes(grid, look.sides, GAP) if isinstance(look, EmptyLook) else edge_codes(grid, OWN_EDGES, 0.0)
    bright = ring_codes(grid) if isinstance(look, HexLook) and look.ghost else edge_codes(grid, marked, 0.0)
    drawn = bytes(MARKED + one if one else other for one, other in zip(bright, edges, strict=True))
    return codes.in_rows(drawn if grid.height > TINY else bytes(len(drawn)), grid.block[0])


def _dark_codes(at: Place, sides: tuple[int, ...], grid: HexGrid, *, cursor: bool) -> Codes:
    width, height = grid.block
    pixels = bytearray(_glow_of_passages(sides, grid))
    for number in range(round(width * height * SPECKS) if height > OVERVIEW else 0):
        x = int(noise(*at, 2 * number) * (width - 1))
        place = int(noise(*at, 2 * number + 1) * (2 * height - 1)) * width + x
        pixels[place] = pixels[place] or SPECK
    if cursor:
        pixels = bytearray(map(max, pixels, _ring_of_pixels(grid)))
    return codes.in_rows(bytes(pixels), width)


def _framed(pixels: Codes, grid: HexGrid) -> Codes:
    """Close the border of a hex: passages cross that of others."""
    both = zip(b"".join(pixels), _ring_of_pixels(grid), strict=True)
    return codes.in_rows(bytes(codes.SEAM if edge else code for code, edge in both), grid.block[0])


@lru_cache(maxsize=8)
def _ring_of_pixels(grid: HexGrid) -> bytes:
    border = bytes(CURSOR if code in (codes.SEAM, codes.BORDER) else 0 for code in range(256))
    return b"".join(codes.rock_codes(grid)).translate(border)


@lru_cache(maxsize=512)
def _glow_of_passages(sides: tuple[int, ...], grid: HexGrid) -> bytes:
    width, height = grid.block
    found = (int.from_bytes(_shine_from_side(side, grid)) for side in sides)
    return reduce(or_, found, 0).to_bytes(2 * width * height)


@lru_cache(maxsize=64)
def _shine_from_side(side: int, grid: HexGrid) -> bytes:
    (width, height), (across, down) = grid.block, pixels_per_side_length(grid)
    found = bytearray(2 * width * height)
    half = HALF[height]
    reach = half + GLOW
    u, v = MIDDLES[side]
    middle_x, middle_y = width / 2 + u * across, height + v * down
    for y in range(max(0, int(middle_y - reach)), min(2 * height, int(middle_y + reach) + 1)):
        for x in range(max(0, int(middle_x - reach)), min(width, int(middle_x + reach) + 1)):
            far = hypot(x + 0.5 - middle_x, y + 0.5 - middle_y)
            found[y * width + x] = NEAR if far < half + 0.6 else FAR if far < reach else VOID
    return bytes(found)


def _floor_tone(look: HexLook, passage: int) -> str:
    if passage == look.own:
        return "own water" if passage == look.water else "own"
    return "water" if passage == look.water else "marked" if passage == look.marker else "plain"
