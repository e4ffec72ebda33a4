"""The words on the lit map: kinds, names, depths, tokens, prices, teams, ropes, exits.

Numbers of different meaning never touch: between any two of them there is a sign, a letter or a blank.
"""

from __future__ import annotations

from typing import TypeGuard

from msgspec.structs import replace

from client.games.the_cave.board.glyphs.sets import TEAM_LETTERS, TILE_NAMES, UNICODE, Zoom
from client.games.the_cave.board.lit.looks import Look
from client.games.the_cave.board.lit.palette import PITCHES, Inks
from client.games.the_cave.board.lit.texture import Shades
from client.games.the_cave.known.picture import Border, Cell
from client.tui.paint import canvas
from client.tui.paint.colour import Rgb, luminance, mix, tint

Cells = list[list[canvas.Cell]]
Teams = tuple[tuple[Rgb, Rgb], ...]
"""The ground and the letter of each team."""

KINDS = UNICODE.kinds
FADED = 0.35
"""How much dimmer the sign of a kind is where there is little light."""
TOO_BRIGHT, DARKER = 0.11, (0.6, 0.6, 0.6)
"""Rock that is brighter than this gets darker where words are written over it."""


class Words:
    """Writes on the blocks of one zoom."""

    def __init__(self, zoom: Zoom, shades: Shades, inks: Inks, teams: Teams) -> None:
        self.zoom, self.shades, self.inks, self.teams = zoom, shades, inks, teams
        self.width, self.height = PITCHES[zoom]
        self._faded = {kind: mix(ink, inks.dim, FADED) for kind, ink in inks.kinds.items()}
        self._depth_ink = mix(inks.text, inks.dim, 0.6)
        self._pairs: dict[tuple[Rgb, Rgb], tuple[Rgb, Rgb]] = {}

    def write_on(self, rows: Cells, look: Look, *, is_cut: bool = False) -> None:
        """Write all that is told on a block; on one that is cut off no words: prices, teams, exits, ropes."""
        if _has_words(look.north):
            self._border(rows, look.north, self._north_cells())
        if _has_words(look.west):
            self._border(rows, look.west, self._west_cells())
        cell = look.cell
        if cell is None:
            return
        if is_cut:
            cell = replace(cell, level=0, depth=0, token=0, last=False)
        {"L": self._large, "M": self._medium, "S": self._small}[self.zoom](rows, look, cell, is_cut)
        if look.spark:
            self._spark(rows)

    # Borders

    def _north_cells(self) -> tuple[tuple[int, int], ...]:
        """Return where ropes are drawn on the northern border; the number is in the middle."""
        middle = self.width // 2
        reach = 2 if self.zoom == "L" else 1
        return tuple((x, 0) for x in range(middle - reach, middle + reach + 1))

    def _west_cells(self) -> tuple[tuple[int, int], ...]:
        return tuple((0, y) for y in range(1, self.height))

    def _border(self, rows: Cells, border: Border, spots: tuple[tuple[int, int], ...]) -> None:
        upright = spots[0][0] == 0
        if border.kind == "exit":
            x, y = (0, self.height // 2) if upright else (self.width // 2, 0)
            self._write(rows, x, y, UNICODE.exit, self.inks.exit)
            return
        placed = border.kind == "roped"
        ink = self.inks.rope if placed else self.inks.need
        sign = (UNICODE.rope_we if upright else UNICODE.rope_ns) if placed else UNICODE.need
        signs = [sign] * len(spots)
        count = str(border.ropes)
        if not upright:
            start = (len(spots) - len(count) + 1) // 2 if len(count) < len(spots) else 0
            signs[start : start + len(count)] = count
        elif self.zoom == "L":
            # Beside the rows of teams and camps, where no other number is.
            signs = [sign, sign, *(count if len(count) > 1 else count + sign)]
        elif self.zoom == "M":
            signs = [sign, count[0]]
            if count[1:]:
                self._write(rows, 1, 2, count[1:], ink)
        elif not placed:
            signs = [count if len(count) == 1 else UNICODE.more]
        for (x, y), glyph in zip(spots, signs, strict=False):
            self._write(rows, x, y, glyph, ink)

    # Places

    def _large(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        ink = self._kind_ink(look, cell)
        name = f"{TILE_NAMES[cell.kind]} {cell.level}" if cell.level else TILE_NAMES[cell.kind]
        if not is_cut:
            self._write(rows, 1, 1, (KINDS[cell.kind] if name else "") + name, ink)
        if self._has_depth(cell) and not is_cut:
            self._write(rows, 1, 2, f"-{cell.depth}m" if cell.depth else "0m", self._depth_ink, bold=False)
        if cell.token:
            self._write(rows, self.width - 3, 2, f"{UNICODE.token}{cell.token}", ink)
        self._price(rows, cell, self.width - 2)
        self._teams_large(rows, cell)
        if cell.last:
            self._write(rows, self.width - 1, self.height - 1, UNICODE.last, self.inks.text)

    def _medium(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        ink = self._kind_ink(look, cell)
        if not is_cut:
            self._write(rows, 1, 1, KINDS[cell.kind], ink)
        if cell.level:
            self._write(rows, 2, 1, str(cell.level), ink)
        if cell.token:
            self._write(rows, 3, 1, f"{UNICODE.token}{cell.token}", ink)
        self._price(rows, cell, self.width - 1)
        first = 1 + len(_number_at(look.west))
        room = self.width - first
        letters = self._letters(cell)
        if cell.last:
            letters.append(None)
        depth = _depth(cell) if self._has_depth(cell) and not is_cut else ""
        if room - len(depth) < min(2, len(letters)):
            depth = ""
        room -= len(depth)
        if len(letters) > room:
            # First the sign that there is more: after it would come the number of ropes on the next border.
            letters = [_MORE, *letters[: room - 1]]
        x = self.width - len(letters)
        self._write(rows, first, 2, depth, self._depth_ink, bold=False)
        for letter in letters:
            self._letter(rows, x, 2, letter)
            x += 1

    def _small(self, rows: Cells, look: Look, cell: Cell, is_cut: bool) -> None:
        if cell.kind != "plain" and not is_cut:
            self._write(rows, 1, 1, KINDS[cell.kind], self._kind_ink(look, cell))
        if cell.token:
            self._write(rows, 2, 1, UNICODE.token, self.inks.kinds[cell.kind])
        letters = self._letters(cell)
        if letters:
            self._letter(rows, 3, 1, letters[0])

    def _kind_ink(self, look: Look, cell: Cell) -> Rgb:
        return (self._faded if look.square.light <= 1 else self.inks.kinds)[cell.kind]

    @staticmethod
    def _has_depth(cell: Cell) -> bool:
        return bool(cell.depth) or cell.kind in ("base", "descent")

    def _price(self, rows: Cells, cell: Cell, x: int) -> None:
        if cell.price is None:
            return
        text = str(min(cell.price, 9))
        if not cell.near:
            self._write(rows, x, 1, text, self.inks.price)
            return
        self._chip(rows, x, 1, text, self.inks.price, self.inks.on_price, wide=self.zoom == "L")

    # Teams and camps

    def _letters(self, cell: Cell) -> list[tuple[str, int] | None]:
        """Return pawns and camps, each as its letter and its team; None stands for the mark of a tile laid
        last.
        """
        pawns: list[tuple[str, int] | None] = [(TEAM_LETTERS[team], team) for team in cell.pawns]
        return pawns + [(TEAM_LETTERS[team].lower(), team) for team in cell.camps]

    def _letter(self, rows: Cells, x: int, y: int, letter: tuple[str, int] | None) -> None:
        if letter is None or letter is _MORE:
            self._write(rows, x, y, UNICODE.last if letter is None else UNICODE.more, self.inks.text)
        else:
            self._chip(rows, x, y, letter[0], *self.teams[letter[1]])

    def _teams_large(self, rows: Cells, cell: Cell) -> None:
        wide = len(cell.pawns) <= 3
        x = 2 if wide else 1
        for pawn in cell.pawns:
            self._chip(rows, x, 3, TEAM_LETTERS[pawn], *self.teams[pawn], wide=wide)
            x += 3 if wide else 2
        wide = len(cell.camps) <= 3
        x = 2 if wide else 1
        for camp in cell.camps:
            self._chip(rows, x, 4, TEAM_LETTERS[camp].lower(), *self.teams[camp], wide=wide, ends="▟▙")
            x += 3 if wide else 2

    # Writing

    def _spark(self, rows: Cells) -> None:
        """Light the sign of a token where it lay."""
        x, y = {"L": (self.width - 3, 2), "M": (3, 1), "S": (2, 1)}[self.zoom]
        self._chip(rows, x, y, UNICODE.token, self.inks.price, self.inks.on_price)

    def _chip(
        self,
        rows: Cells,
        x: int,
        y: int,
        text: str,
        ground: Rgb,
        ink: Rgb,
        *,
        wide: bool = False,
        ends: str = "▐▌",
    ) -> None:
        """Write a letter on a ground of its own."""
        ground = self.shades.shown(ground)
        rows[y][x] = canvas.Cell(text, self.shades.readable(ink, ground), ground, True)
        if wide:
            for beside, glyph in zip((x - 1, x + 1), ends, strict=True):
                rows[y][beside] = canvas.Cell(glyph, ground, rows[y][beside].ground)

    def _write(self, rows: Cells, x: int, y: int, text: str, ink: Rgb, *, bold: bool = True) -> None:
        """Write on what is there; bright rock gets darker, so that the ink can be read."""
        row = rows[y]
        for glyph in text:
            key = ink, row[x].ground
            pair = self._pairs.get(key)
            if pair is None:
                pair = self._pairs[key] = self._readable(*key)
            row[x] = canvas.new_cell((glyph, *pair, bold))
            x += 1

    def _readable(self, ink: Rgb, ground: Rgb) -> tuple[Rgb, Rgb]:
        if luminance(ground) > TOO_BRIGHT and not self.shades.palette.darkest:
            ground = self.shades.shown(tint(ground, DARKER))
        return self.shades.readable(ink, ground), ground


def _has_words(border: Border | None) -> TypeGuard[Border]:
    return border is not None and border.kind not in ("rock", "passage")


_MORE = (UNICODE.more, -1)


def _number_at(border: Border | None) -> str:
    """Return the number of ropes that stands on a western border."""
    return str(border.ropes) if border is not None and border.ropes else ""


def _depth(cell: Cell) -> str:
    return f"-{cell.depth}" if cell.depth else "0"
