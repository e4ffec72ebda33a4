"""The whole cave in letters, a hex a letter: beside the map, which shows a part of it."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.caves_of_casadh.board.grids import GRIDS, OVERVIEW, axial
from client.games.caves_of_casadh.board.looks import HexLook, Picture
from client.games.caves_of_casadh.board.signs import signs
from client.tui.board.geometry import Place
from client.tui.widgets.panel import Row, Span

STEP = 2
"""Columns from one letter to the next; odd columns of hexes lie half a hex lower, which is a row."""
KNOWN = "o"
"""A hex of which there is nothing else to tell."""
ROLES = {"way": "chosen", "base": "gain", "token": "warn", "hazard": "text"}
"""The roles in a pane of those on the map, where they have another name."""


def whole(picture: Picture, cursor: Place, base: str, width: int, height: int) -> Sequence[Row]:
    """Return rows with a letter for each hex, as the overview has it, and for the ways to unexplored ones.

    ``base`` is the sign of Base Camp. A click on a letter posts ``show:`` and the axial cell. No rows where
    there is no room for all of them.
    """
    letters = {at: letter for at in picture.places if (letter := _letter(picture, at, cursor, base))}
    columns, rows = sorted(x for x, _ in letters), sorted(map(_row, letters))
    if not letters or (columns[-1] - columns[0]) * STEP + 2 > width or rows[-1] - rows[0] >= height:
        return []
    lines: list[list[Span]] = [[] for _ in range(rows[-1] - rows[0] + 1)]
    ends = [0] * len(lines)
    for at in sorted(letters):
        row, x = _row(at) - rows[0], 1 + (at[0] - columns[0]) * STEP
        lines[row] += [Span(" " * (x - ends[row])), letters[at]]
        ends[row] = x + 1
    return lines


def _row(at: Place) -> int:
    return 2 * at[1] + at[0] % 2


def _letter(picture: Picture, at: Place, cursor: Place, base: str) -> Span | None:
    look = picture.places[at]
    told = signs(look, GRIDS[OVERVIEW])
    if not told and not isinstance(look, HexLook):
        return None
    text, role = (told[0].text, told[0].role) if told else (KNOWN, "dim")
    q, r = axial(at)
    text = base if role == "base" else text  # The overview's letter would be that of a spelunker here.
    return Span(text, "chosen" if at == cursor else ROLES.get(role, role), f"show:{q},{r}")
