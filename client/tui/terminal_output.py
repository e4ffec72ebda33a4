"""Output to the terminal in few bytes: people may play over a slow line.

Textual writes a changed part of a line from the left edge of its widget on, and repeats all colours for each
piece of text. Here a line is written from the first piece that changes to the last, with only the differences
from the previous style.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

MOVE = re.compile(r"\x1b\[(\d+);(\d+)H")
RESET = "\x1b[0m"  # after each piece of text with a style
TEXT = r"[^\x00-\x1f\x7f]"
ATTRIBUTES = r"(?:(?:[1-9]|21|5[1-3])(?=[;m]);?)+"
INK = r"3[0-79]|9[0-7]|38;5;\d+|38;2;\d+;\d+;\d+"
GROUND = r"4[0-79]|10[0-7]|48;5;\d+|48;2;\d+;\d+;\d+"
PIECE = re.compile(rf"({TEXT}*)(?:\x1b\[({ATTRIBUTES})?({INK})?;?({GROUND})?m({TEXT}+))?")
"""Text without a style, then text after its attributes, its ink and its ground."""
HARMLESS = re.compile(r"(\x1b(\[[?<>=\d;]*[^\d;HJ]|\][^\x1b\x07]*(\x07|\x1b\\)))*")  # modes, queries, titles
SCREEN = "\x1b[?1049"  # the alternate screen, with other contents
MARKS = frozenset(("4", "7", "9", "21", "51", "52", "53"))  # attributes that are visible on blanks
FULL = "█"
USUAL_SIGNS = re.compile("[ -~\u2500-\u259f]*")  # one cell each: ASCII, frames and blocks


NO_ATTRIBUTES = frozenset[str]()


class Style(NamedTuple):
    """The codes of a style. An invisible part is empty or None: any value will do."""

    ink: str = "39"
    ground: str = "49"
    attributes: frozenset[str] | None = NO_ATTRIBUTES


USUAL = Style()


class Part(NamedTuple):
    """A part of a line as Textual last wrote it: its pieces, and the column after each."""

    pieces: list[str]
    ends: list[int]


NOTHING = Part([], [])


class ShownTerminal:
    """The current contents of a terminal."""

    def __init__(self) -> None:
        self._lines: dict[int, dict[int, Part]] = {}
        self._cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """Rewrite everything: the terminal was resized, or something else wrote to it."""
        self._lines.clear()
        self._cursor = None

    def changed_output(self, output: str) -> str:
        r"""Return the output without the parts that the terminal already shows.

        >>> shown = ShownTerminal()
        >>> shown.changed_output("\x1b[1;1H\x1b[1mdark\x1b[0m\x1b[1mness\x1b[0m")
        '\x1b[1;1H\x1b[1mdarkness\x1b[0m'
        >>> shown.changed_output("\x1b[1;1H\x1b[1mdark\x1b[0m\x1b[3mroom\x1b[0m")
        '\x1b[1;5H\x1b[3mroom\x1b[0m'
        """
        before, *moves = MOVE.split(output)
        if SCREEN in before or not HARMLESS.fullmatch(before):
            self.forget()
        written, style = [before], USUAL
        for line, column, text in zip(moves[::3], moves[1::3], moves[2::3], strict=True):
            style = self._write(int(column) - 1, int(line) - 1, text.removesuffix("\n"), style, written)
        written.append(_style_change(style, USUAL)[0])
        return "".join(written)

    def _write(self, x: int, y: int, text: str, style: Style, written: list[str]) -> Style:
        """Append the changes of a part of a line; return the resulting style."""
        if not text:
            self._move(x, y, written)
            return style
        parts, pieces = self._lines.setdefault(y, {}), text.split(RESET)
        shown = parts.get(x, NOTHING)
        if shown.pieces == pieces:
            return style
        before = {start: (piece, end) for start, piece, end in zip((x, *shown.ends), *shown, strict=False)}
        at, ends = x, list[int]()
        changed: list[tuple[int, Style, str]] = []
        for piece in pieces:
            old, end = before.get(at, (None, at))
            if piece == old:
                at = end
            elif (runs := _styled_runs(piece)) is not None:
                for new, run in runs:
                    changed.append((at, new, run))
                    at += len(run)
            else:
                # It has links, or wide characters: written unchanged, and not compared next time.
                del self._lines[y]
                self._move(x, y, written)
                self._cursor = None
                written += _style_change(style, USUAL)[0], text
                return USUAL
            ends.append(at)
        for start, new, run in changed:
            self._move(start, y, written)
            change, style = _style_change(style, new)
            written += change, run
            self._cursor = start + len(run), y
        for other in [start for start, part in parts.items() if start < ends[-1] and part.ends[-1] > x]:
            del parts[other]
        parts[x] = Part(pieces, ends)
        return style

    def _move(self, x: int, y: int, written: list[str]) -> None:
        if self._cursor != (x, y):
            self._cursor = x, y
            written.append(f"\x1b[{y + 1};{x + 1}H")


@lru_cache(maxsize=1 << 14)
def _styled_runs(piece: str) -> list[tuple[Style, str]] | None:
    """Return the texts of a piece with their styles; None unless each character has one cell."""
    if (found := PIECE.fullmatch(piece)) is None:
        return None
    plain, attributes, ink, ground, styled = found.groups()
    runs = [(_style_of_codes(plain), plain)] if plain else []
    if styled:
        runs.append((_style_of_codes(styled, attributes or "", ink or USUAL.ink, ground or USUAL.ground), styled))
    signs = plain + (styled or "")
    is_narrow = USUAL_SIGNS.fullmatch(signs) or all(cell_len(sign) == 1 for sign in signs)
    return runs if is_narrow else None


def _style_of_codes(text: str, codes: str = "", ink: str = "39", ground: str = "49") -> Style:
    attributes = frozenset(codes.strip(";").split(";")) if codes else NO_ATTRIBUTES
    if not attributes.isdisjoint(MARKS):
        return Style(ink, ground, attributes)
    if text.isspace():
        return Style("", ground, None)
    # The ground of a full block is invisible.
    return Style(ink, ground if text.strip(FULL) else "", attributes)


@lru_cache(maxsize=1 << 14)
def _style_change(old: Style, new: Style) -> tuple[str, Style]:
    """Return the codes from one style to another, and the resulting style."""
    ink, ground, attributes = old
    assert attributes is not None
    wanted = new.attributes
    if wanted is None:
        wanted = attributes if attributes.isdisjoint(MARKS) else NO_ATTRIBUTES
    codes: list[str] = []
    if not attributes <= wanted:
        # Terminals with few colours do not know the code for "not bold": reset everything.
        codes.append("0")
        ink, ground, attributes = USUAL.ink, USUAL.ground, NO_ATTRIBUTES
    codes += sorted(wanted - attributes)
    if new.ink not in ("", ink):
        codes.append(ink := new.ink)
    if new.ground not in ("", ground):
        codes.append(ground := new.ground)
    return f"\x1b[{';'.join(codes)}m" if codes else "", Style(ink, ground, wanted)
