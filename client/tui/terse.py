"""Output to the terminal in few bytes: people may play over a slow line.

Textual writes a changed part of a line from the left edge of its widget on, and repeats
all colours for each piece of text. Here only cells that change are written, with only the
differences from the previous style.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from rich.cells import cell_len

OUTPUT = re.compile(
    r"\x1b\[([\d;]+)m([^\x00-\x1f\x7f]+)\x1b\[0m"  # a piece of text with its style, as Textual writes it
    r"|([^\x00-\x1f\x7f]+)"  # text without style
    r"|\x1b\[(\d+);(\d+)H"  # a move of the cursor
    r"|\x1b\]8;[^;\x1b]*;([^\x1b]*)\x1b\\"  # the start of a link, or its end
    r"|(\n)"
    r"|.[^\x1b]*",  # anything else, with the text behind it
    re.DOTALL,
)
STYLED, PLAIN, MOVED, LINKED, NEXT_LINE = 2, 3, 5, 6, 7  # the last group of each kind
HARMLESS = re.compile(r"\x1b(\]|\[([<>]|\?(?!1049)|6n|2[23];))")  # modes, queries, titles
MARKS = frozenset(("4", "7", "9", "21", "51", "52", "53"))  # the attributes that blanks show
FULL = "█"

Place = tuple[int, int]


class Style(NamedTuple):
    """The codes of a style. A part that nobody can see is empty or None: any will do."""

    ink: str = "39"
    ground: str = "49"
    attributes: frozenset[str] | None = frozenset()
    link: str = ""


USUAL = Style()


class Shown:
    """The cells that a terminal shows."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[list[str], list[Style | None]]] = {}
        self._cursor: Place | None = None

    def forget(self) -> None:
        """Write everything again: the terminal has another size, or something else wrote to it."""
        self._lines.clear()
        self._cursor = None

    def changes(self, output: str) -> str:
        r"""Return output that has the same effect, without what is shown already.

        >>> shown = Shown()
        >>> shown.changes("\x1b[1;1H\x1b[1mdark\x1b[0m\x1b[1mness\x1b[0m")
        '\x1b[1;1H\x1b[1mdarkness\x1b[0m'
        >>> shown.changes("\x1b[1;1H\x1b[1mdampness\x1b[0m")
        '\x1b[1;3H\x1b[1mmp\x1b[0m\x1b[1;9H'
        """
        written: list[str] = []
        at: Place | None = None
        style, link = USUAL, ""
        for match in OUTPUT.finditer(output):
            kind = match.lastindex
            if at is not None and kind in (STYLED, PLAIN):
                x, y = at
                codes, text = match.group(1, 2) if kind == STYLED else ("", match[3])
                new = _style(codes, link, text)
                width, start, end = self._put(x, y, text, new)
                at = x + width, y
                if start < end:
                    if self._cursor != (x + start, y):
                        written.append(_move(x + start, y))
                    change, style = _change(style, new)
                    written += change, text[start:end]
                    self._cursor = x + end if end < len(text) else at[0], y
            elif kind == MOVED:
                at = int(match[5]) - 1, int(match[4]) - 1
            elif kind == LINKED:
                link = match[6]
            elif kind == NEXT_LINE and at is not None:
                at = 0, at[1] + 1
            else:
                change, style = _change(style, USUAL)
                written += change, match[0]
                if kind or not HARMLESS.match(match[0]):
                    self.forget()
        written.append(_change(style, USUAL)[0])
        if at is not None and at != self._cursor:
            written.append(_move(*at))
            self._cursor = at
        return "".join(written)

    def _put(self, x: int, y: int, text: str, style: Style) -> tuple[int, int, int]:
        """Note text as shown; return its width, and the part of it that changes."""
        signs, styles = self._lines.setdefault(y, ([], []))
        length, is_narrow = len(text), _is_narrow(text)
        width = length if is_narrow else cell_len(text)
        part = slice(x, x + width)
        if (missing := part.stop - len(signs)) > 0:
            signs += [""] * missing
            styles += [None] * missing
        if not is_narrow:
            signs[part], styles[part] = [""] * width, [None] * width
            return width, 0, length
        before = zip(signs[part], styles[part], strict=True)
        changed = [n for n, (sign, like) in enumerate(before) if sign != text[n] or like != style]
        signs[part], styles[part] = list(text), [style] * width
        return (width, changed[0], changed[-1] + 1) if changed else (width, 0, 0)


def _move(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H"


@lru_cache(maxsize=1 << 14)
def _is_narrow(text: str) -> bool:
    return text.isascii() or all(cell_len(sign) == 1 for sign in text)


@lru_cache(maxsize=1 << 14)
def _style(codes: str, link: str, text: str) -> Style:
    ink, ground = USUAL.ink, USUAL.ground
    attributes = set[str]()
    numbers = iter(codes.split(";") if codes else ())
    for number in numbers:
        code, colour = int(number), number
        if code in (38, 48):
            kind = next(numbers)
            colour = ";".join((number, kind, *islice(numbers, 1 if kind == "5" else 3)))
        if 30 <= code < 40 or 90 <= code < 98:
            ink = colour
        elif 40 <= code < 50 or 100 <= code < 108:
            ground = colour
        else:
            attributes.add(number)
    if link or not attributes.isdisjoint(MARKS):
        return Style(ink, ground, frozenset(attributes), link)
    if text.isspace():
        return Style("", ground, None)
    # Nothing is seen of the ground of a full block.
    return Style(ink, "" if not text.strip(FULL) else ground, frozenset(attributes))


@lru_cache(maxsize=1 << 14)
def _change(old: Style, new: Style) -> tuple[str, Style]:
    """Return the codes from one style to another, and the style that is in effect then."""
    ink, ground, attributes, _ = old
    assert attributes is not None
    wanted = new.attributes
    if wanted is None:
        wanted = attributes if not old.link and attributes.isdisjoint(MARKS) else frozenset()
    codes: list[str] = []
    if not attributes <= wanted:
        # "Not bold" is no code that terminals with few colours know: everything is ended together.
        codes.append("0")
        ink, ground, attributes = USUAL.ink, USUAL.ground, frozenset()
    codes += sorted(wanted - attributes)
    if new.ink not in ("", ink):
        codes.append(ink := new.ink)
    if new.ground not in ("", ground):
        codes.append(ground := new.ground)
    linked = f"\x1b]8;;{new.link}\x1b\\" if new.link != old.link else ""
    return linked + (f"\x1b[{';'.join(codes)}m" if codes else ""), Style(ink, ground, wanted, new.link)
