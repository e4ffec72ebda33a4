"""The board as a picture: lit squares, gems in their shapes, warm rows of sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from textual.geometry import Region

from cave.codec import Place
from cave.sir_ocelots_cave.components import CELESTITES, Gem, components
from client.face import LETTERS
from client.games.sir_ocelots_cave import gem_signs
from client.games.sir_ocelots_cave.gem_signs import (
    DRAWINGS,
    LOW_SHAPES,
    MARKS,
    MOTH,
    PLAIN_SHAPES,
    SHAPES,
    SMALL,
    STONE,
    TOOL_SHAPES,
    WORTH,
)
from client.games.sir_ocelots_cave.palette import Palette, main_gem_ink
from client.games.sir_ocelots_cave.picture import DOWN, Pitch, Rim, Square, coordinate_labels, level_names
from client.games.sir_ocelots_cave.terms import TOOL_LETTERS
from client.tui import colour_tiers
from client.tui.canvas import BLACK, QUARTERS, WHITE, Canvas, Cell, Rgb, fours, mix, tint
from client.tui.colour_tiers import NO_COLOURS, ColourTier, one_step_256

Block = list[list[Cell]]
FRAME = (("▛", "▌", "▙"), ("▜", "▐", "▟"))  # the cursor at the left and the right: above, between, below

_LEVELS = components().levels


SEEN = 3.0  # least contrast of a picture and its ground (WCAG 2.1, 1.4.11)
LESS = 0.25  # the share of the ground in signs that stand back, in ASCII
SPARE = 97
_ONE, _TWO, _THREE, _ = (int.from_bytes(fours(0, 512, 1, 3)[each::4]) for each in range(4))
ROCK = tuple(bytes(byte & 15 for byte in mask.to_bytes(512)) for mask in (_ONE | _TWO, _ONE, _ONE & _TWO & _THREE))
"""Masks of the quarters of a long row of rock, the dense rock of the rim first."""


class BoardPainter:
    def __init__(
        self, tier: ColourTier, glyphs: str, seats: tuple[tuple[Rgb, Rgb], ...], lights: Palette, *, fine: bool = False
    ) -> None:
        self.tier = tier
        self._glyphs, self._seats, self._lights = glyphs, seats, lights
        self._blocks = "fine" if fine else glyphs
        self.in_rgb, self._is_flat = not tier.has_few, tier.colours != "truecolor"
        # On black, gems above each other would touch.
        self._shapes = shapes_of_gems(tier) if tier.colours != "16" else LOW_SHAPES

    def around(self, region: Region, pitch: Pitch) -> Block:
        night = self.tier.shown(self._lights.night)
        canvas = Canvas(*region.size, night)
        self._paint_surrounding_rock(canvas, region, pitch)
        for name, ink in zip(level_names(pitch), self._lights.names, strict=True):
            x, y = name.x - region.x - 1, name.y - region.y
            canvas.text(x, y, f" {name.text} ", self.tier.readable_ink(ink, night), night, bold=True)
        ink = self.tier.readable_ink(self._lights.dim, night)
        for x, y, text in coordinate_labels(pitch):
            canvas.text(x - region.x - 1, y - region.y, f" {text} ", ink, night)
        return canvas.rows

    def block(self, at: Place, look: Square | Rim, pitch: Pitch, *, cursor: bool) -> Block:
        canvas = Canvas(*pitch, self.tier.shown(self._lights.night))
        if isinstance(look, Square):
            self._paint_square(canvas, at, look, cursor=cursor)
        else:
            self._paint_rim_space(canvas, look, cursor=cursor)
        if cursor and not self._in_letters(pitch):
            ground = (
                self.ground_of_square(at, look) if isinstance(look, Square) else self.tier.shown(self._lights.night)
            )
            self._paint_frame(canvas, ground, self._lights.cursor)
        elif cursor and pitch[1] > 1 and self._glyphs != "ascii":
            ink = self.tier.readable_ink(self._lights.cursor, self._lights.night)
            canvas.put(1, 0, "▄", ink)
            canvas.put(3, 0, "▄", ink)
        return canvas.rows

    def pieces(self, cells: Sequence[Cell]) -> list[Segment]:
        return colour_tiers.cells_as_segments(cells, self._blocks, self.tier.style_maker)

    def _in_letters(self, pitch: Pitch) -> bool:
        return pitch[1] < (3 if self._glyphs == "ascii" or self.tier.has_few else 2)

    def _paint_surrounding_rock(self, canvas: Canvas, region: Region, pitch: Pitch) -> None:
        """Paint the rock around the caves, thinner with the distance."""
        wide, high = pitch
        for share, reach, rock in zip((0.3, 0.6, 1.0), (2.2, 1.5, 0.9), reversed(ROCK), strict=True):
            cells = self._rock_cells(rock, share)
            for level in _LEVELS:
                x, y = level.centre
                for row in range(max(0, -region.y), min(canvas.height, DOWN * high - region.y)):
                    half = level.radius + 1 + reach - abs((region.y + row + 0.5) / high - 0.5 - y)
                    left, right = (round((x + 0.5 + end) * wide) - region.x for end in (-half, half))
                    left, right = max(0, left), min(canvas.width, right)
                    if left < right:
                        start = row * 37 % SPARE
                        canvas.rows[row][left:right] = cells[start + left : start + right]

    def _rock_cells(self, rock: bytes, share: float) -> Sequence[Cell]:
        night = self.tier.shown(self._lights.night)
        ink = self.tier.shown(mix(self._lights.night, self._lights.rock, share))
        drawn = [Cell(glyph if ink != night else " ", ink, night) for glyph in QUARTERS]
        return [drawn[mask] for mask in rock]

    # Squares

    def ground_of_square(self, at: Place, square: Square, *, in_letters: bool = False) -> Rgb:
        """Return a ground: lighter in the middle of a cave, warm in sight, dark if empty."""
        lights = self._lights
        if square.mark in gem_signs.WON and (in_letters or not self._is_flat):
            return self.tier.shown(lights.taken if in_letters else lights.won)
        if square.flash:
            return self.tier.shown(mix(lights.levels[square.level - 1], lights.ray, 0.4))
        if self._is_flat:
            if square.mark == "short":
                return lights.flat_warm
            if square.lit:
                return lights.flat_lit
            # Under pictures the strong colours of levels would be too much.
            is_plain = square.gem is None or in_letters or self._glyphs == "ascii"
            return lights.flat[square.level - 1] if is_plain else lights.flat_plain
        level = _LEVELS[square.level - 1]
        hue = lights.levels[square.level - 1]
        lean = 1.15 - level.distance(at) / (level.radius + 1) * 0.55
        lean *= 1.35 if in_letters and lights.dark else 1.0
        ground = tint(hue, (lean,) * 3) if lights.dark else mix(hue, WHITE, max(0.0, lean - 0.7) * 0.6)
        if square.gem is None and square.companion is None:
            ground = mix(ground, lights.shadow, 0.55)
        if square.lit:
            ground = mix(ground, lights.ray, 0.24 if lights.dark else 0.38)
        if square.mark == "short":
            ground = mix(ground, lights.warm, 0.7)
        return self.tier.shown(ground)

    def _paint_square(self, canvas: Canvas, at: Place, square: Square, *, cursor: bool) -> None:
        small = canvas.height < 3
        in_letters = self._in_letters((canvas.width, canvas.height)) or (small and square.gem is None)
        ground = self.ground_of_square(at, square, in_letters=in_letters)
        canvas.fill(0, 0, canvas.width, canvas.height, ground)
        # A bevel, light above and shadow at the left, replaces lines between squares.
        if self._is_flat:
            # Beside letters the strong colours of edges would be bars.
            edge_of_level = self._lights.edges[square.level - 1]
            side = (
                self._lights.ray if square.lit else self._lights.night if in_letters and self.in_rgb else edge_of_level
            )
            side = self.tier.shown(side)
            edge = ground
        elif self._lights.dark:
            edge, side = (self.tier.shown(tint(ground, (factor,) * 3)) for factor in (1.25, 0.6))
        else:
            lights = ((WHITE, 0.35), (BLACK, 0.12))
            edge, side = (self.tier.shown(mix(ground, light, share)) for light, share in lights)
        if in_letters:
            is_ascii = self._glyphs == "ascii" and self.tier.has_few
            back = LESS * (is_ascii and not (square.lit or square.mark or cursor))
            self._paint_gem_signs(canvas, gem_signs.square(square, self._glyphs, cursor=cursor), ground, back=back)
        for x in range(canvas.width if canvas.height > 1 and edge != ground else 0):
            canvas.put(x, 0, "▀", edge, ground)
        for y, row in enumerate(canvas.rows):
            if row[0].glyph in " ▀":
                canvas.put(0, y, "|" if self._glyphs == "ascii" else "▌", side, ground)
        if in_letters:
            return
        if square.companion is not None:
            self._paint_companion(canvas, square.companion, ground)
        elif square.gem is not None:
            inks = self.gem_inks(square, square.gem, ground)
            if self._glyphs == "ascii":
                draw_in_signs(canvas, 1, 1, square.gem, inks[main_gem_ink(square.gem)])
            else:
                shape = SMALL[square.gem] if small else self._shapes[square.gem]
                paint_pixel_picture(canvas, 0 if small else 1, shape, inks, ground, self.tier)
            self._paint_square_words(canvas, square, square.gem, ground, small=small)
            if self._is_flat and square.mark in gem_signs.WON and self._lights.taken != self._lights.night:
                self._paint_frame(canvas, ground, self._lights.taken)
        elif self._is_flat:
            ink = self.tier.readable_ink(self._lights.dim, ground)
            canvas.put(canvas.width // 2, canvas.height // 2, gem_signs.FREE[self._glyphs], ink, ground)

    def gem_inks(self, square: Square, gem: Gem, ground: Rgb) -> Mapping[str, Rgb]:
        """Return the inks of the gem on a square. Gems neither in sight nor marked are dimmed."""
        stands_back = not self.tier.has_few and not (square.lit or square.mark)
        share = (0.16 if self._lights.dark else 0.2) * stands_back
        inks = self._lights.gems[gem]
        if square.flash:
            return {letter: mix(ink, WHITE, 0.5) for letter, ink in inks.items()}
        if stands_back and self._is_flat:
            inks = {letter: one_step_256(ink, darker=self._lights.dark) for letter, ink in inks.items()}
        else:
            inks = {letter: mix(ink, ground, share) for letter, ink in inks.items()}
        found = main_gem_ink(gem)
        return {**inks, found: self.tier.readable_ink(inks[found], ground, SEEN)}

    def _paint_square_words(self, canvas: Canvas, square: Square, gem: Gem, ground: Rgb, *, small: bool) -> None:
        wide, last = canvas.width, canvas.height - 1
        lights = self._lights
        gold = self.tier.readable_ink(lights.mark, ground)
        x, y = (wide - 1, last) if small or self._glyphs != "ascii" else (1, 0)
        canvas.put(x, y, WORTH[gem], self.tier.readable_ink(lights.text, ground), ground, bold=True)
        if small:
            # The three kinds of celestite have the same value and small pictures.
            kind = gem_signs.SIGNS[self._glyphs][gem] if gem in CELESTITES else " "
            for down, sign in enumerate(gem_signs.marks_of_gem(square) or kind):
                canvas.put(wide - 1, down, sign, gold, ground, bold=True)
            return
        if square.missing:
            framed = self._glyphs == "ascii" or square.mark in gem_signs.WON
            canvas.text(wide - framed - len(square.missing), 0, square.missing, gold, ground, bold=True)
        if square.mark in MARKS:
            canvas.put(0, last, MARKS[square.mark], gold, ground, bold=True)

    def _paint_companion(self, canvas: Canvas, seat: int, ground: Rgb) -> None:
        colour, letter = self._seats[seat]
        if self._glyphs == "ascii":
            canvas.fill(1, 0, canvas.width - 1, canvas.height, self.tier.shown(colour))
        else:
            paint_pixel_picture(canvas, 1, MOTH, {"b": colour}, ground, self.tier)
        shown = self.tier.shown(colour)
        sign, ink = LETTERS[seat], self.tier.readable_ink(letter, shown)
        canvas.put(canvas.width // 2, canvas.height // 2, sign, ink, shown, bold=True)

    # The rim

    def _paint_rim_space(self, canvas: Canvas, rim: Rim, *, cursor: bool) -> None:
        wide, high = canvas.width, canvas.height
        lights, night = self._lights, self.tier.shown(self._lights.night)
        stone = lights.held if cursor or rim.sees else lights.laid if rim.tool else lights.stone
        if rim.sees and not cursor:
            stone = mix(lights.stone, lights.held, 0.6)
        stone = self.tier.shown(stone)
        if self._in_letters((wide, high)) or high < 3:
            chip = stone if rim.tool or rim.held or rim.sees else night
            self._paint_gem_signs(canvas, gem_signs.rim(rim, self._glyphs, cursor=cursor), night, chip=chip)
            canvas.fill(1, 0, 3, canvas.height - 1, chip)
            return
        if self._glyphs != "ascii":
            rock = self._rock_cells(ROCK[0][: wide * high], 1.0)
            canvas.rows = [[*rock[row * wide : (row + 1) * wide]] for row in range(high)]
            paint_pixel_picture(canvas, 0, STONE, {"o": stone}, night, self.tier)
        elif rim.sees or rim.tool or cursor:  # stones of whole cells would be ragged
            canvas.fill(1, 0, wide - 2, high, stone)
        else:
            stone = night
        tool = rim.tool or rim.held
        if tool is None:
            sign = ("o" if rim.sees else "?") if rim.sees or cursor else f"({gem_signs.FREE[self._glyphs]})"
            ink = self.tier.readable_ink(lights.dim, stone)
            for column, glyph in enumerate(sign, (wide - len(sign)) // 2):
                canvas.put(column, high // 2, glyph, ink, stone)
        else:
            shape = TOOL_SHAPES[tool]
            if self._glyphs == "ascii":
                draw_in_signs(canvas, 1, 0, tool, self.tier.readable_ink(lights.signs[tool], stone))
            else:
                paint_pixel_picture(canvas, 1, ("." * len(shape[0]), *shape), lights.tools, None, self.tier)
            letter = TOOL_LETTERS[tool] if rim.tool else TOOL_LETTERS[tool].lower()
            ink = self.tier.readable_ink(lights.signs[tool], night)
            canvas.put(wide - 1, 1, letter, ink, night, bold=True)
        if rim.recent and rim.tool is not None:
            ink = self.tier.readable_ink(lights.mark, night)
            canvas.put(0, 0, "<", ink, night, bold=True)
            canvas.put(wide - 1, 0, ">", ink, night, bold=True)

    # Shared

    def _paint_gem_signs(
        self, canvas: Canvas, found: list[gem_signs.Sign], ground: Rgb, *, chip: Rgb | None = None, back: float = 0.0
    ) -> None:
        """Write signs; their gems stand ``back``: the share of the ground in their inks."""
        for column, (glyph, role) in enumerate(found):
            under = chip if chip is not None and column else ground
            name = str(role).removeprefix("lit ")
            if name.startswith("seat-"):
                colour, letter = self._seats[int(name[-1]) - 1]
                under = self.tier.shown(colour)
                ink = letter
            elif name == "cursor":
                under = self.tier.readable_ink(self._lights.cursor, ground)
                ink = self._lights.night
            else:
                lights = self._lights
                ink = {"mark": lights.mark, "won": lights.on_taken}.get(name) or lights.signs.get(name, lights.dim)
                ink = mix(ink, under, back)
            ink = self.tier.readable_ink(ink, under)
            canvas.put(column, canvas.height // 2, glyph, ink, under, name not in ("dim", "lit") and not back)

    def _paint_frame(self, canvas: Canvas, under: Rgb, ink: Rgb) -> None:
        shown = self.tier.readable_ink(ink, under)
        last = canvas.height - 1
        for x, (above, between, below) in zip((0, canvas.width - 1), FRAME, strict=True):
            for y, row in enumerate(canvas.rows):
                if row[x].glyph in QUARTERS:
                    glyph = above if y == 0 else below if y == last else between
                    canvas.put(x, y, glyph, shown, under)
                else:
                    letter = self.tier.readable_ink(self._lights.night, shown)
                    inks = (letter, shown) if self.tier != NO_COLOURS else (shown, under)
                    canvas.put(x, y, row[x].glyph, *inks, bold=True)


def shapes_of_gems(tier: ColourTier) -> Mapping[Gem, tuple[str, ...]]:
    return PLAIN_SHAPES if tier == NO_COLOURS else SHAPES


def draw_in_signs(canvas: Canvas, left: int, top: int, name: str, ink: Rgb) -> None:
    """Draw a gem or a tool in ASCII."""
    for y, row in enumerate(DRAWINGS[name], top):
        for x, glyph in enumerate(row, left):
            if glyph != " ":
                canvas.put(x, y, glyph, ink, canvas.rows[y][x].ground, bold=True)


def paint_pixel_picture(
    canvas: Canvas,
    left: int,
    shape: tuple[str, ...],
    inks: Mapping[str, Rgb],
    ground: Rgb | None,
    tier: ColourTier,
    *,
    down: int = 0,
) -> None:
    """Paint a picture of half-block pixels; pixels without ink are unchanged."""
    for row in range(0, len(shape), 2):
        lower_row = shape[row + 1] if row + 1 < len(shape) else "." * len(shape[row])
        for column, (upper, lower) in enumerate(zip(shape[row], lower_row, strict=True)):
            one, other = inks.get(upper), inks.get(lower)
            if one is None and other is None:
                continue
            at_x, at_y = left + column, down + row // 2
            if not (0 <= at_x < canvas.width and 0 <= at_y < canvas.height):
                continue
            under = canvas.rows[at_y][at_x]
            rest = ground if ground is not None else (under.ink if under.glyph == "▀" else under.ground)
            rest_low = ground if ground is not None else under.ground
            top = tier.shown(one) if one is not None else rest
            low = tier.shown(other) if other is not None else rest_low
            canvas.put(at_x, at_y, " " if top == low else "▀", top, low)
