"""Spaces of a cave, drawn in signs or painted as rooms with a light in the middle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from rich.segment import Segment
from rich.style import Style

from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.palette import COLOURS, GOOD_LETTERS, GOODS, palette_for
from client.games.cave_vs_cave.picture import WIDE, Border, Look
from client.tui import colour_tiers
from client.tui.board.view import Block, text_of
from client.tui.canvas import (
    BLACK,
    QUARTERS,
    Canvas,
    Cell,
    Rgb,
    contrast,
    cut,
    drawn_pixels,
    mix,
    noise,
    pixel_cells,
    tint,
)
from client.tui.colour_tiers import ColourTier, in_few
from client.tui.text_roles import PANELS, Hue
from client.tui.widgets.panel import CUT, fit, wrap

INNER = WIDE - 1  # columns of a space
DIM = 0.62  # the distance from the lamp of a room at which its edge begins
FADE = 2.5  # rows over which the rock around a cave fades to dark
MANY = 512  # blocks in the cache before it is cleared
ROUGH = 0.34  # the share of lighter rock
SEEN = 3.0  # least contrast of the cursor
GRAVEL, WALL = " ", "#"  # rock in ASCII
DOTS = {"unicode": "·", "ascii": "."}  # of earth, if there are few colours or none
SMOOTH = str.maketrans(dict.fromkeys(QUARTERS + GRAVEL + WALL + "·", " "))
BRICK = "▒"
CHIP = 3  # columns of a room's points
CRUMBLES, LAMP, GAIN = 3, 3, 6
"""Frames of crumbling rock, of the lamp coming on, and of the gain."""

Line = tuple[int, int, str, str]  # column, row and role of a text


def room_sign_lines(look: Look, high: int, *, pictured: bool) -> list[Line]:
    """Return the texts of a space."""
    last = high - 1
    if look.kind == "room":
        room = terms.room_of_name(look.room)
        words = _room_effect_rows(look.room, high, pictured=pictured)
        found = [(1, last - len(words) + 1 + row, text, "effect") for row, text in enumerate(words)]
        heads = [
            (1, 1 + row, f"{fit(text, INNER):{INNER}}", room.colour)
            for row, text in enumerate(_room_name_rows(look.room, high))
        ]
        points = f" {terms.points_sign(look.room)}"[-CHIP:].ljust(CHIP)
        return [*heads, *found, (WIDE - CHIP, last, points, "points")]
    middle = 1 + (high - 2) // 2
    if look.kind in ("hidden", "dig"):
        text = " ? dig " if look.kind == "dig" else " ? "
        is_mine = look.kind == "dig" and not look.theirs
        bonus = f" {look.bonus} " if look.bonus else ""
        return [
            (1 + (INNER - len(text)) // 2, middle, text, "chip" if is_mine else "dim"),
            (1 + (INNER - len(bonus)) // 2, middle + 1, bonus, "bonus" if is_mine else "faint"),
        ]
    if look.kind in ("empty", "fits"):
        return [
            (2, 1, "fits here" if look.kind == "fits" else look.bonus or "empty", look.kind),
            (2, last, terms.walls_there(look.walls), "note"),
        ]
    return []


@cache
def _room_effect_rows(room: str, high: int, *, pictured: bool) -> list[str]:
    """Return the effect of a room, in words if they fit."""
    most = 2 if pictured else high - 2
    words = terms.effect_in_few_words(terms.goods_as_letters(terms.room_effect(room)), 2 * (INNER - CHIP))
    told = wrap(words, INNER)
    short = words and len(told) <= most and len(told[-1]) <= INNER - CHIP
    return told if short and (high > 6 or not pictured) else [terms.room_signs(room)]


def _room_name_rows(room: str, high: int) -> list[str]:
    """Return the name of a room, in as many rows as it has."""
    name = "Entrance" if room == "cave_entrance" else terms.room_name(room)
    return wrap(name, INNER) if high > 4 else [name]


INKS = {letter: ink for letter, ink in COLOURS.items() if letter != "k"}  # with few colours, dark is no ink


@cache
def pictures() -> Mapping[str, Sequence[str]]:
    """Return the pictures of rooms, each as rows of pixels."""
    text = files(__package__).joinpath("rooms.txt").read_text("utf-8").strip()
    found = (block.splitlines() for block in text.split("\n\n") if block[:1] != "#")
    return {name: rows for name, *rows in found}


def _picture_rows(room: str, high: int) -> range:
    """Return the rows of a space with the picture of its room."""
    if high < 5 or room not in pictures():
        return range(0)
    return range(1 + len(_room_name_rows(room, high)), high - len(_room_effect_rows(room, high, pictured=True)))


def _scaled(room: str, rows: range) -> Sequence[str]:
    """Return the picture of a room as rows of pixels, two for each of these rows."""
    shape = pictures()[room]
    return [shape[(2 * row + 1) * len(shape) // (4 * len(rows))] for row in range(2 * len(rows))]


def _in_whole_cells(room: str, rows: range) -> Iterator[str]:
    """Yield the same with equal pixels in a cell: of two, the one that is drawn less often elsewhere."""
    shape, drawn = _scaled(room, rows), "".join(pictures()[room])
    for pair in zip(shape[::2], shape[1::2], strict=True):
        row = "".join(
            min(each, key=lambda ink: (ink not in INKS, drawn.count(ink))) for each in zip(*pair, strict=True)
        )
        yield from (row, row)


BITS = {"unicode": " ▀▄█", "ascii": " '.#"}
"""Cells without colours: nothing, the upper half, the lower half, both."""


@cache
def _outlined(room: str, rows: range, glyphs: str) -> Sequence[str]:
    """Return the picture of a room without colours; an ink that fills half of it is a wall behind the rest."""
    shape, drawn = _scaled(room, rows), "".join(pictures()[room])
    inks = [ink for ink in INKS if 2 * drawn.count(ink) < len(drawn)]
    halves = zip(shape[::2], shape[1::2], strict=True)
    return [
        "".join([BITS[glyphs][(up in inks) + 2 * (down in inks)] for up, down in zip(upper, lower, strict=True)])
        for upper, lower in halves
    ]


# Signs

SIGNS: Mapping[str, Mapping[str, str]] = {
    "unicode": {"rock": "▒▒▒", "built": "╬╬╬", "open": "─│┼", "hidden": "···"},
    "ascii": {"rock": "=|=", "built": "###", "open": "-:-", "hidden": "..."},
}
"""Borders from west to east and from north to south, and where they meet."""
ARROWS: Mapping[str, Mapping[str, str]] = {"unicode": {"w": "►", "n": "▲"}, "ascii": {"w": ">", "n": "^"}}
GOOD_HUES = [*map(Hue, ("map-squeeze", "map-choke", "map-base", "map-water")), Hue("map-need"), Hue("map-wonder")]
GOOD_ROLES: Mapping[str, Hue] = {
    f"good {number}": hue for number, hue in enumerate([*GOOD_HUES, *[Hue("words")] * (len(GOODS) - len(GOOD_HUES))])
}
ROLES: Mapping[str, Hue] = {
    **PANELS,
    **GOOD_ROLES,
    "orange": Hue("map-squeeze", bold=True, reverse=True),
    "blue": Hue("map-water", bold=True, reverse=True),
    "effect": Hue("words"),
    "picture": Hue("words", dim=True),
    "points": Hue("key", bold=True, reverse=True),
    "chip": Hue("map-base", bold=True, reverse=True),
    "bonus": Hue("words"),
    "faint": Hue("dim"),
    "note": Hue("dim"),
    "empty": Hue("dim"),
    "fits": Hue("gain", bold=True),
    "rock": Hue("map-choke"),
    "hidden": Hue("dim"),
    "open": Hue("dim"),
    "built": Hue("map-squeeze"),
    "way": Hue("map-base", bold=True),
    "cursor": Hue("map-cursor", bold=True),
    "bar": Hue("map-cursor", bold=True, reverse=True),
    "label": Hue("key", bold=True, reverse=True),
}


class RoomSignWriter:
    """Draws a place with its northern and western border. Rooms have pictures unless ``coloured`` is None."""

    def __init__(
        self, glyphs: str, style: Callable[[str], Style], *, in_rgb: bool = False, coloured: bool | None = None
    ) -> None:
        self._signs, self._arrows = SIGNS[glyphs], ARROWS[glyphs]
        self._coloured, self._glyphs = coloured, glyphs
        self._style, self.in_rgb = style, in_rgb
        self.brackets = "┏┓┗┛━━┃┃" if glyphs == "unicode" else "++++--||"
        self.frames = True  # whether the cursor is a frame around the whole space
        self.kept = self._signs["built"] + "".join(self._arrows.values())  # the cursor leaves them whole

    def block(self, look: Look, high: int, figures: Sequence[tuple[str, str]] = (), stage: int = 0) -> Block:
        rows: list[list[tuple[str, str | Style]]] = [[(" ", "text")] * WIDE for _ in range(high)]
        if look.kind in ("hidden", "dig"):
            rows = [[(self._earth(x, y), "hidden") for x in range(WIDE)] for y in range(high)]
        self._write_border(rows, look)
        pictured = range(0) if self._coloured is None else _picture_rows(look.room, high)
        if not self._coloured:
            for y in pictured:
                drawn = _outlined(look.room, pictured, self._glyphs)[y - pictured.start]
                rows[y][1:] = [(glyph, "picture") for glyph in drawn]
        elif pictured:
            image = drawn_pixels(_scaled(look.room, pictured), INKS, BLACK)
            for y, cells in zip(pictured, pixel_cells(image), strict=True):
                rows[y][1:] = [in_few(cell, BLACK, self._glyphs, coloured=True) for cell in cells]
        for x, y, text, role in (
            *room_sign_lines(look, high, pictured=bool(pictured)),
            *written_on_space(look, high, figures, self._arrows),
        ):
            goods = _goods_by_column(text, role)
            for column, glyph in enumerate(text):
                if role == "points" and glyph == " " and not column:
                    continue  # a blank between the effect and its points
                rows[y][x + column] = glyph, f"good {goods[column]}" if column in goods else role
        cut = "~" if self._signs is SIGNS["ascii"] else CUT
        return [[Segment(glyph.replace(CUT, cut), self._look(role)) for glyph, role in row] for row in rows]

    def _earth(self, x: int, y: int) -> str:
        """Return a cell of a space that nobody has dug: some have a dot."""
        return " " if not x or (x + 2 * y) % 4 else DOTS["ascii" if self._glyphs == "ascii" else "unicode"]

    def _look(self, role: str | Style) -> Style:
        return self._style(role) if isinstance(role, str) else role

    def _write_border(self, rows: list[list[tuple[str, str | Style]]], look: Look) -> None:
        if look.corner:
            rows[0][0] = self._signs[look.corner][2], look.corner
        if look.north:
            rows[0][1:] = [(self._signs[look.north][0], look.north)] * INNER
        if look.west:
            for row in rows[1:]:
                row[0] = self._signs[look.west][1], look.west

    def cursor_style(self, _under: Style) -> Style:
        return self._style("cursor")

    def bar(self) -> Style:
        return self._style("bar")

    def chosen_block(self, block: Block) -> Block:
        """Return the block of the cursor's place, with its first row marked."""
        bar = Segment(text_of(cut(block[1], 1, WIDE)).translate(SMOOTH), self.bar())
        return [block[0], [*cut(block[1], 0, 1), bar], *block[2:]]

    def has_room_for_brackets(self, high: int) -> bool:
        """Return whether brackets fit around a space."""
        return True


def written_on_space(
    look: Look, high: int, figures: Sequence[tuple[str, str]], arrows: Mapping[str, str]
) -> list[Line]:
    """Return the figures and signs of a place: letters and the entrance."""
    found = [(1 + (len(text) < INNER), y, text, role) for y, (text, role) in enumerate(figures)]
    here, *borders = look.signs
    for (x, y), sign in zip(((WIDE // 2, 0), (0, 1 + (high - 2) // 2)), borders, strict=True):
        if sign:
            found.append((x, y, arrows.get(sign, sign), "way" if sign in arrows else "label"))
    if here:  # a light is before the space, where it covers no text
        found.append((INNER, 1, here, "label") if here.isalnum() else (0, min(2, high - 2), here, "label"))
    return found


def _goods_by_column(text: str, role: str) -> Mapping[int, int]:
    """Return the numbers of the goods that a text names, by column."""
    return {
        column: terms.good_number(found)
        for found in terms.MARKED.finditer(text if role in ("effect", "bonus", "text") else "")
        for column in range(*found.span())
    }


# Painted


@lru_cache(maxsize=512)
def _rock_grain(x: int, y: int, share: float, glyphs: str, gravel: str = GRAVEL) -> str:
    if glyphs == "ascii":
        return gravel
    mask = sum(1 << bit for bit in range(4) if noise(2 * x + bit % 2, 2 * y + bit // 2, 11) < share)
    return QUARTERS[mask]


class RoomPainter(RoomSignWriter):
    """Paints the same as lit rooms in rock."""

    def __init__(self, tier: ColourTier, theme: str, glyphs: str, *, dark: bool) -> None:
        signs = "ascii" if glyphs == "ascii" else "unicode"
        super().__init__(signs, lambda _: Style.null(), in_rgb=not tier.has_few)
        self._tier, self._glyphs, self._palette = tier, glyphs, palette_for(tier, theme, dark=dark)
        self._inks = COLOURS | dict(zip(GOOD_LETTERS, self._palette.goods, strict=False))
        self.frames = glyphs == "ascii" and tier.has_few
        if not self.frames:
            self.brackets, self.kept = colour_tiers.text_in_glyphs("▗▖▝▘▄▀▐▌", glyphs), ""
        self._blocks: dict[tuple[Look, int], Block] = {}

    def block(self, look: Look, high: int, figures: Sequence[tuple[str, str]] = (), stage: int = 0) -> Block:
        if figures or stage:
            return self._paint_block(look, high, figures, stage)
        if (found := self._blocks.get((look, high))) is None:
            if len(self._blocks) >= MANY:
                self._blocks.clear()
            found = self._blocks[look, high] = self._paint_block(look, high, figures, stage)
        return found

    def _paint_block(self, look: Look, high: int, figures: Sequence[tuple[str, str]], stage: int) -> Block:
        palette, shown = self._palette, self._tier.shown
        canvas = Canvas(WIDE, high, shown(palette.void))
        pictured = _picture_rows(look.room, high)
        if look.kind == "dark" and not figures:
            self._fade(canvas, look)
        self._paint_inside(canvas, look, stage)
        self._paint_borders(canvas, look)
        for y, row in zip(pictured, self._room_picture_rows(look.room, pictured) if pictured else (), strict=True):
            canvas.rows[y][1:] = row
        for x, y, text, role in (
            *(() if 0 < stage <= CRUMBLES else room_sign_lines(look, high, pictured=bool(pictured))),
            *written_on_space(look, high, figures, self._arrows),
        ):
            self._write(canvas, x, y, text, role)
        return [colour_tiers.cells_as_segments(row, self._glyphs, self._tier.style_maker) for row in canvas.rows]

    def _write(self, canvas: Canvas, x: int, y: int, text: str, role: str) -> None:
        palette, readable = self._palette, self._tier.readable_ink
        own = role not in ("orange", "blue", "effect") and role in palette.grounds
        ground = self._tier.shown(palette.grounds[role]) if own else None
        goods = _goods_by_column(text, role)
        for column, glyph in enumerate(text):
            at = x + column
            under = canvas.rows[y][at].ground if ground is None else ground
            if role == "points" and glyph == " " and not column:  # half a blank between the effect and its points
                if self._glyphs != "ascii":
                    canvas.put(at, y, "▐", under, canvas.rows[y][at].ground)
                continue
            ink = palette.goods[goods[column]] if column in goods else palette.inks[role]
            ink = readable(ink, under, palette.contrast)
            canvas.put(at, y, glyph, ink, under, role in ("orange", "blue", "points", "chip", "label", "key", "fits"))

    def _paint_inside(self, canvas: Canvas, look: Look, stage: int) -> None:
        palette, shown = self._palette, self._tier.shown
        if look.kind == "room":
            colour = terms.room_of_name(look.room).colour
            heads = len(_room_name_rows(look.room, canvas.height))
            canvas.fill(1, 1, INNER, canvas.height - 1, shown(palette.grounds["effect"]))
            canvas.fill(1, 1, INNER, heads, shown(palette.grounds[colour]))
        elif look.kind in ("empty", "fits"):
            ground = palette.grounds[look.kind]
            canvas.fill(1, 1, INNER, canvas.height - 1, shown(ground))
            if 0 < stage <= CRUMBLES:
                self._paint_rock(canvas, ROUGH - 0.09 * stage, mix(palette.grounds["hidden"], ground, stage / 3))
            elif stage:
                self._shine(canvas, ground, 1.4 - 0.3 * (stage - CRUMBLES))
        elif look.kind != "dark":
            self._paint_rock(canvas, ROUGH, palette.grounds[look.kind])
            if look.kind == "dig" and not look.theirs:
                ink = shown(palette.inks["edge"])
                for row in canvas.rows[1:]:
                    row[1], row[INNER] = (Cell(glyph, ink, row[2].ground) for glyph in ("||" if self.frames else "▌▐"))

    def _paint_rock(self, canvas: Canvas, share: float, ground: Rgb) -> None:
        ink, under = self._tier.shown(self._palette.inks["hidden"]), self._tier.shown(ground)
        for y, row in enumerate(canvas.rows[1:], 1):
            grain = [
                self._earth(x, y) if self.frames else _rock_grain(x, y, share, self._glyphs) for x in range(1, WIDE)
            ]
            row[1:] = [Cell(glyph, ink, under) for glyph in grain]

    def _shine(self, canvas: Canvas, ground: Rgb, power: float) -> None:
        """Turn on the lamp of a space: bright at first, brightest in the middle."""
        lamp = self._palette.rooms["orange"]
        for y, row in enumerate(canvas.rows[1:], 1):
            for x in range(1, WIDE):
                far = math.hypot((x - WIDE / 2) / WIDE, (y - canvas.height / 2) / canvas.height)
                lit = self._tier.shown(mix(ground, lamp, power * (1 - 1.4 * far)))
                row[x] = Cell(" ", lit, lit)

    def _fade(self, canvas: Canvas, look: Look) -> None:
        """Fade the rock around a cave to dark."""
        ink = self._tier.shown(self._palette.inks["hidden"])
        for y, row in enumerate(canvas.rows):
            for x in range(WIDE):
                far = min(x / 2 if look.west else FADE, y if look.north else FADE)
                grain = _rock_grain(x, y, ROUGH * (1 - far / FADE), self._glyphs)
                row[x] = row[x]._replace(glyph=grain, ink=ink)

    def _paint_borders(self, canvas: Canvas, look: Look) -> None:
        rows = canvas.rows
        for border, cells in (
            (look.corner, [(0, 0)]),
            (look.north, [(x, 0) for x in range(1, WIDE)]),
            (look.west, [(0, y) for y in range(1, canvas.height)]),
        ):
            if border:
                for x, y in cells:
                    rows[y][x] = self._edge_cell(border, x, y)

    def _edge_cell(self, border: Border, x: int, y: int) -> Cell:
        palette, shown = self._palette, self._tier.shown
        ground = shown(palette.grounds[border])
        if border == "open":
            line = self._signs[border][0 if x else 1 if y else 2] if self._tier.has_few else " "
            return Cell(line, shown(palette.inks["hidden"]), ground)
        if border == "built":
            return Cell("#" if self._glyphs == "ascii" else BRICK, shown(palette.inks[border]), ground)
        if self._glyphs == "ascii" and (self.frames or not x):  # beside texts
            return Cell(" ", ground, ground)
        share, gravel = (ROUGH, GRAVEL) if border == "hidden" else (0.5, WALL)
        return Cell(_rock_grain(x + 7, y + 3, share, self._glyphs, gravel), shown(palette.inks[border]), ground)

    def _room_picture_rows(self, name: str, rows: range) -> Iterator[list[Cell]]:
        """Yield the picture of a room as cells."""
        kind = terms.room_of_name(name).colour
        base, edge = self._palette.rooms[kind], self._palette.edges.get(kind)
        return pixel_cells(
            [
                [
                    edge
                    if edge and sign == "." and far_from_lamp(x, y) > DIM
                    else self._lit_colour(self._inks.get(sign, base), x, y, plain=sign == "." and not edge)
                    for x, sign in enumerate(row)
                ]
                for y, row in enumerate((_in_whole_cells if self._glyphs == "ascii" else _scaled)(name, rows))
            ]
        )

    def _lit_colour(self, colour: Rgb, x: int, y: int, *, plain: bool) -> Rgb:
        least, more = self._palette.light
        far = far_from_lamp(x, y)
        light = least + more * (1 - far) if plain else 1.0 - 0.22 * far
        return self._tier.shown(tint(colour, (light,) * 3))

    def cursor_style(self, under: Style) -> Style:
        ground = under.bgcolor.get_truecolor() if under.bgcolor is not None else None
        shown = Rgb(*ground) if ground and not self.frames else self._palette.void
        ink = self._palette.inks["cursor"]
        return self._tier.style_maker(ink if contrast(ink, shown) >= SEEN else shown, shown)

    def bar(self) -> Style:
        return self._tier.style_maker(self._palette.void, self._palette.inks["cursor"], True)

    def has_room_for_brackets(self, high: int) -> bool:
        return self.frames or (high > 3 and self._glyphs != "ascii")


def far_from_lamp(x: int, y: int) -> float:
    """Return the distance of a pixel from the lamp of its room, 0 to 1."""
    return min(1.0, math.hypot((x - 6.5) / 8.5, (y - 4.5) / 6.5))


@lru_cache(maxsize=16)
def cursor_bracket_cells(high: int, *, whole: bool) -> list[tuple[int, int, int]]:
    """Return the cursor's cells, from the upper left corner of its place, and their glyphs' indexes; ``whole``:
    a frame.
    """
    if whole:
        lines = [(x, y, 4 + (y > 0)) for x in range(1, WIDE) for y in (0, high)]
        sides = [(x, y, 6 + (x > 0)) for x in (0, WIDE) for y in range(1, high)]
        return [(0, 0, 0), (WIDE, 0, 1), (0, high, 2), (WIDE, high, 3), *lines, *sides]
    found = []
    for number, (x, y) in enumerate(((0, 0), (WIDE, 0), (0, high), (WIDE, high))):
        inward, down = (-1 if x else 1), (-1 if y else 1)
        found += [(x, y, number), *((x + step * inward, y, 4 + (y > 0)) for step in (1, 2))]
        found += [(x, y + down, 6 + (x > 0))] if high > 3 else []
    return found
