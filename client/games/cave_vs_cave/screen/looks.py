"""Grounds of spaces and rooms, inks of goods, and rock: where pictures are shown."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.app import App
from textual.widget import Widget

from client.games.cave_vs_cave.screen.drawing import Cell, Rows
from client.tui.paint.colour import Rgb, rgb
from client.tui.paint.noise import noise
from client.tui.themes import shows_pictures, tier

GROUNDS: Mapping[str, Rgb] = {
    "orange": rgb("6a3410"),
    "blue": rgb("123a5c"),
    "covered": rgb("1b181b"),
    "rubble": rgb("1b181b"),
    "dig": rgb("1f3432"),
    "fits": rgb("243a1c"),
    "rock": rgb("4d473e"),
    "wall": rgb("0a090c"),
    "empty": rgb("2b241a"),
    "points": rgb("ffc861"),
}
"""Grounds by role."""
INKS: Mapping[str, Rgb] = {
    "rubble": rgb("383236"),
    "rock": rgb("8a8072"),
    "wall": rgb("e9d8b4"),
    "points": rgb("000000"),
}
"""Inks of what is no text, and of points; other inks are those of words."""
GOODS: tuple[Rgb, ...] = tuple(
    map(
        rgb,
        ("b98450", "b9bfc8", "e8bf4d", "8fb8ff", "ff9058", "ffd84a", "d9c3a0", "c8d0d8", "9db1c4", "c9a2a2"),
    )
)
"""Inks of goods, in the order of goods."""
RUBBLE = "▘▝▖▗▚▞"
WORN = {"█": "█▛▜▙▟", "▄": "▄▄▟▙▄"}
SHARE = 0.3
"""The part of a covered space that has rubble on it."""


class Looks:
    """The styles of a pane, worked out once for each theme; ``in_ascii`` there are none."""

    def __init__(self, pane: Widget, *, in_ascii: bool) -> None:
        self._pane, self._in_ascii = pane, in_ascii
        self._styles: dict[str, Style] = {}

    def clear(self) -> None:
        """Forget the styles: the theme is another."""
        self._styles.clear()

    def ground(self, role: str) -> Style | None:
        """Return the ground of a role and an ink that can be read on it; None where no pictures are shown."""
        if self._in_ascii or role not in GROUNDS or not pictures(self._pane.app):
            return None
        if role not in self._styles:
            shades = tier(self._pane.app)
            ground = shades.shown(GROUNDS[role])
            ink = (
                shades.shown(INKS[role])
                if role in INKS
                else shades.readable(rgb(self._pane.app.theme_variables["words"]), ground)
            )
            self._styles[role] = shades.pair(ink, ground, role == "points")
        return self._styles[role]

    def good(self, number: int) -> Style | None:
        """Return the ink of a good; None where no pictures are shown."""
        if self._in_ascii or not pictures(self._pane.app):
            return None
        name = f"good {number}"
        if name not in self._styles:
            shades = tier(self._pane.app)
            ground = shades.shown(rgb(self._pane.app.theme_variables["surface"]))
            self._styles[name] = shades.pair(shades.readable(GOODS[number], ground), ground)
        return self._styles[name]


def pictures(app: App[object]) -> bool:
    """Return whether the terminal and the theme show pictures."""
    return shows_pictures(app) and app.current_theme.dark


def weathered(rows: Rows) -> Rows:
    """Return the cells with rubble on covered spaces, and the rock around the cave worn."""
    return [[_weathered(row, x, y) for x in range(len(row))] for y, row in enumerate(rows)]


def _weathered(row: list[Cell], x: int, y: int) -> Cell:
    cell = row[x]
    if cell.role == "rock":
        worn = WORN.get(cell.glyph, cell.glyph)
        return cell._replace(glyph=worn[int(noise(x, y, 5) * (len(worn) - 0.01))])
    beside = row[max(0, x - 1) : x + 2]
    if cell.role != "covered" or any(each.glyph != " " and each.role == "covered" for each in beside):
        return cell
    if noise(x, y) >= SHARE:
        return cell._replace(role="rubble")
    return cell._replace(glyph=RUBBLE[int(noise(x, y, 3) * (len(RUBBLE) - 0.01))], role="rubble")
