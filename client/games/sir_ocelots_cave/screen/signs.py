"""The board in signs: for every terminal, and for the smallest squares everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cave.codec import Place
from client.games.sir_ocelots_cave.picture import Board, Rim, Square
from client.games.sir_ocelots_cave.screen.looks import FREE, MARKS, SIGNS, WORTH
from client.games.sir_ocelots_cave.terms import TOOL_LETTERS
from client.tui.widgets.panel import seat_role

COMPANION_LETTERS = "MB"


class Sign(NamedTuple):
    """A glyph and its role."""

    glyph: str
    role: str


def square(at: Place, look: Square, glyphs: str, *, cursor: bool) -> list[Sign]:
    """The four signs of a square: a mark, the gem, and its points or the tools that do not see it."""
    lit = "lit " if look.lit else ""
    plain = "lit" if look.lit else "dim"
    if look.companion is not None:
        role = seat_role(look.companion)
        signs = [Sign(" ", plain), *(Sign(each, role) for each in f" {COMPANION_LETTERS[look.companion]} ")]
    elif look.gem is None:
        signs = [Sign(" ", plain), Sign(FREE[glyphs], plain), Sign(" ", plain), Sign(" ", plain)]
    else:
        gem = Sign(SIGNS[glyphs][look.gem], f"{lit}{look.gem}")
        if look.lit and look.missing and not cursor:
            text = [Sign(each, "lit mark") for each in look.missing]
        else:
            text = [Sign(WORTH[look.gem], f"{lit}{look.gem}")]
        mark = Sign(MARKS[look.mark], f"{lit}mark")
        signs = ([mark, gem, *text] if len(text) < 3 else [gem, *text])[:4]
        signs += [Sign(" ", plain)] * (4 - len(signs))
    return _framed(signs) if cursor else signs


def rim(look: Rim, glyphs: str, *, cursor: bool) -> list[Sign]:
    """The four signs of a rim space; a tool that was laid since one's last turn is in pointed brackets."""
    tool = look.tool or look.held
    if tool is not None:
        inner = Sign(TOOL_LETTERS[tool] if look.tool else TOOL_LETTERS[tool].lower(), tool)
    elif look.sees:
        inner = Sign("o", "mark")
    else:
        inner = Sign("+" if look.four else FREE[glyphs], "dim")
    left, right = ("<", ">") if look.recent and look.tool else ("(", ")")
    edge = "mark" if look.sees else "dim"
    signs = [Sign(" ", "dim"), Sign(left, edge), inner, Sign(right, edge)]
    return [Sign(" ", "dim"), Sign("[", "cursor"), inner, Sign("]", "cursor")] if cursor else signs


def _framed(signs: list[Sign]) -> list[Sign]:
    return [Sign("[", "cursor"), *signs[1:3], Sign("]", "cursor")]


def places(board: Board, glyphs: str) -> Iterator[tuple[Place, list[Sign]]]:
    """All places with their signs."""
    for at, look in board.squares.items():
        yield at, square(at, look, glyphs, cursor=at == board.cursor)
    for at, each in board.rim.items():
        yield at, rim(each, glyphs, cursor=at == board.cursor)
