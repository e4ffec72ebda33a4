"""A block of lines made of spans; the widget of all panes except the map.

A pane's ``rows`` returns its lines for a width and a height. Only changed lines are repainted, and a click on
an active span posts its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from client.present import cells
from client.tui import text_roles
from client.tui.canvas import BLACK, Cell, drawn_pixels, mix, parse_inks, parse_rgb, pixel_cells
from client.tui.colour_tiers import in_few
from client.tui.themes import colour_tier, draws, shows_pictures
from client.wording import name_without_mark


class Span(Struct, frozen=True):
    """A piece of a line: its text, its role (in the pane's ``ROLES``) and the word that a click posts."""

    text: str
    role: str = "text"
    do: str = ""
    look: Style | None = None  # a style instead of a role's: that of a picture's pixel


Row = Sequence[Span]
CUT = "…"  # at the end of a truncated text; a pane in ASCII shows "~"
TOGETHER = re.compile(r"(?<=\(rule) |(?<=\d) (?=(?:m|[A-Z]{2})\b)| (?=\d+$)")  # no line breaks here
PLAIN = ""  # no role: the pane's own style


def seat_role(seat: int | None) -> str:
    return "text" if seat is None else f"seat-{seat + 1}"


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Return the text in exactly this many cells, truncated after a word if that fills a third of them."""
    if cell_len(text) > width and width > 1:
        kept = set_cell_size(text, width - 1)
        words = kept if text[len(kept) : len(kept) + 1].isspace() else kept.rpartition(" ")[0]
        text = (words if 3 * cell_len(words) >= width else kept).rstrip(" ,;") + CUT
    if right:
        return " " * (width - cell_len(text)) + text
    return set_cell_size(text, width)


def shorten_text(text: str, most: int) -> str:
    """Return the text, truncated to this many cells; a shorter text is not padded."""
    return fit(text, min(cell_len(text), most))


def wrap(text: str, width: int, *, indent: str = "") -> list[str]:
    """Wrap the text into lines of at most this many cells. No break separates a number from its unit, a
    passage from its sides, or a rule's or final number from the word before.

    >>> wrap("from the top: SE-S, SW-NW", 21), wrap("at depth -25 m", 13)
    (['from the top: SE-S,', 'SW-NW'], ['at depth', '-25 m'])
    """
    return list(_wrapped(text, width, indent))


@lru_cache(maxsize=2048)  # panes are laid out with the same texts again and again
def _wrapped(text: str, width: int, indent: str) -> Sequence[str]:
    kept = TOGETHER.sub("\u00a0", text)
    lines = cells.wrap_text(kept, max(8, width), measure=cell_len, indent=indent)
    return [line.replace("\u00a0", " ") for line in lines] or [""]


def length(row: Iterable[Span]) -> int:
    return sum(cell_len(span.text) for span in row)


def flow(pieces: Iterable[Row], width: int, gap: str = " ") -> list[Row]:
    """Return the pieces side by side, as many in a row as fit; none is broken."""
    rows: list[list[Span]] = [[]]
    for piece in pieces:
        if rows[-1] and length(rows[-1]) + len(gap) + length(piece) > width:
            rows.append([])
        rows[-1] += [*([Span(gap)] if rows[-1] else []), *piece]
    return list(rows)


def keyed_row(key: str, words: str, do: str = "") -> Row:
    return [Span(key, "key", do), Span(f" {words}", "text", do)]


def cut_off(rows: Sequence[Row], width: int, height: int) -> Sequence[Row]:
    """Return the first of too many rows, with a mark in the last that there are more."""
    if len(rows) <= height or not height:
        return rows[:height]
    last = rows[height - 1]
    text = "".join(span.text for span in last)
    cut = f"{shorten_text(f'{text} ', width - 1).rstrip(f'{CUT} ')} {CUT}"
    return [*rows[: height - 1], [Span(cut, last[0].role)]]


class Panel(Widget, can_focus=False):
    """The base of all panes. Subclasses define ``rows``; ``refill`` is called when their data change."""

    ALLOW_SELECT = False
    GROWS: ClassVar[bool] = True
    """Whether a pane of automatic height is laid out again when its number of lines changes."""
    ROLES: ClassVar[Mapping[str, text_roles.Hue]] = text_roles.PANELS  # the styles of the roles of its spans
    DEFAULT_CSS = """
    Panel { width: 1fr; height: auto; background: $surface; }
    """

    class Chosen(Message):
        """A span with an action was clicked."""

        def __init__(self, do: str) -> None:
            super().__init__()
            self.do = do

    def __init__(self, *, line: str = "─", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._line = line
        self.shown_rows: list[Row] = []
        self._filled = Size(0, 0)
        self._covered = 0
        self._styles: dict[str, Style] = {}

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the lines for this many columns; ``height`` is 0 if the pane may choose it."""
        raise NotImplementedError

    def heading_row(self, title: str, width: int, note: str = "", *, role: str = "title") -> Row:
        """Return a title in capitals, and a note at the right end if it fits."""
        title = fit(title.upper(), min(cell_len(title), max(0, width - 1)))
        room = width - cell_len(title) - 4
        if not note or room < cell_len(note):
            return [Span(f" {title}", role)]
        gap = " " * (width - cell_len(title) - cell_len(note) - 2)
        return [Span(f" {title}", role), Span(f"{gap}{note} ", "dim")]

    def rule_row(self, title: str, width: int) -> Row:
        title = shorten_text(title, max(0, width - 3))
        rest = max(0, width - cell_len(title) - 3)
        return [Span(f"{self._line} ", "line"), Span(title, "title"), Span(" " + self._line * rest, "line")]

    def cover_last_rows(self, covered: int) -> None:
        """Leave this many of the last rows free: a message covers them."""
        if covered != self._covered:
            self._covered = covered
            self.refill()

    def refill(self) -> None:
        """Lay the lines out again and paint the changed ones."""
        width, height = self.content_size
        if not width:
            self._filled = Size(0, 0)  # it is laid out once it has room again
            return
        old = self.shown_rows
        self._fill()
        fresh = self.shown_rows
        if self._is_auto and self.get_content_height(self.size, self.app.size, width) != height:
            self.refresh(layout=True)
            return
        # Regions are relative to the content, so a frame does not matter.
        for y in range(max(len(old), len(fresh))):
            if y >= len(old) or y >= len(fresh) or list(old[y]) != list(fresh[y]):
                self.refresh(Region(0, y, width, 1))

    def _fill(self) -> None:
        width, height = self._filled = self.content_size
        room = max(0, height - self._covered)
        rows = self.rows(width, 0 if self._is_auto else room)
        if self._is_auto and len(rows) > room > 0:
            rows = self.rows(width, room)
        self.shown_rows = list(rows)
        if self._line != "-" and shows_pictures(self.app):
            for row in self._air_rows(0 if self._is_auto else room):
                self.shown_rows[row] = [Span("▄" * width, "air")]

    def _air_rows(self, height: int) -> Iterable[int]:
        rows = self.shown_rows
        headings = [number for number, row in enumerate(rows) if row and row[0].role == "title"]
        if headings and len(rows) < height:
            rows += [()] * (height - len(rows))
        ends = (*headings, *([height] if headings and not self._covered else []))
        return [end - 1 for end in ends if end > 1 and not any(span.text.strip() for span in rows[end - 1])]

    @property
    def _is_auto(self) -> bool:
        return self.GROWS and self.styles.height is not None and self.styles.height.is_auto

    def on_resize(self) -> None:
        """Lay out for the width; usually already done for the first frame."""
        if self._filled != self.content_size or self._is_auto:
            self.refill()

    def notify_style_update(self) -> None:
        """Repaint everything: the theme has changed."""
        super().notify_style_update()
        self._styles.clear()
        self._filled = Size(0, 0)
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows(width, 0))

    def render_line(self, y: int) -> Strip:
        if self._filled != self.content_size:
            # The first frame at a size comes before the resize event.
            self._fill()
        width = self._filled.width
        plain = self._style(PLAIN)
        if y >= len(self.shown_rows):
            return Strip.blank(width, plain)
        cut = "~" if _in_ascii(self) else CUT
        segments = [
            Segment(span.text.replace(CUT, cut), span.look or self._style(span.role))
            for span in self.shown_rows[y]
            if span.text
        ]
        return Strip(segments).adjust_cell_length(width, plain).simplify()

    def _style(self, role: str) -> Style:
        style = self._styles.get(role)
        if style is None:
            # Read the pane's own style once: Textual computes it each time.
            style = self._styles[role] = (
                self._style(PLAIN) + text_roles.style(self.app, self.ROLES[role]) if role else self.rich_style
            )
        return style

    def on_click(self, event: events.Click) -> None:
        """Post the word of the span under the pointer."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y >= len(self.shown_rows):
            return
        x = 0
        for span in self.shown_rows[offset.y]:
            x += cell_len(span.text)
            if offset.x < x:
                if span.do:
                    event.stop()
                    self.post_message(self.Chosen(span.do))
                return


def shorten_name(name: str, width: int) -> str:
    """Fit a name into ``width`` cells. A shortened name keeps its trailing number and the bot mark."""
    own = name_without_mark(name)
    letters = own.rstrip("0123456789")
    number, mark = own[len(letters) :], " bot" if own != name else ""
    room = width - len(number) - len(mark)
    if cell_len(name) <= width or not (number or mark):
        return fit(name, width)
    if room < bool(letters):
        return fit(own, width - len(mark)) + mark
    cut = fit(letters, min(room, cell_len(letters))) if room > 1 or not mark else set_cell_size(letters, room)
    return fit(f"{cut}{number}{mark}", width)


def _in_ascii(pane: Widget) -> bool:
    return pane.app.has_class("-ascii") or pane.screen.has_class("-ascii")


def sprite_rows(pane: Widget, text: str, do: str = "") -> list[list[Span]]:
    """Return a drawing in half blocks: a line of inks, then rows with a letter per pixel. In ASCII a cell has
    one colour; with few colours or none, one of the terminal's own or a shade of grey.
    """
    app = pane.app
    if not text or not draws(app):
        return []
    ground = parse_rgb(pane.background_colors[1].hex6)
    head, *rows = text.splitlines()
    cells = pixel_cells(drawn_pixels(rows, parse_inks(head), ground))
    glyphs = "ascii" if _in_ascii(pane) else "fine"
    if app.current_theme.ansi:
        coloured = not app.no_color
        few = [[in_few(cell, ground, glyphs, coloured=coloured) for cell in row] for row in cells]
        return [[Span(glyph, do=do, look=look) for glyph, look in row] for row in few]
    pair = colour_tier(app).style_maker
    if glyphs == "ascii":
        cells = ([Cell(" ", BLACK, mix(cell.ink, cell.ground, 0.5)) for cell in row] for row in cells)
    return [[Span(cell.glyph, do=do, look=pair(cell.ink, cell.ground)) for cell in row] for row in cells]


class AlikeLines(Widget):
    """Draws its first line for all. Named after a class's other base, which style sheets follow."""

    def render_lines(self, crop: Region) -> list[Strip]:
        return super().render_lines(crop._replace(height=min(1, crop.height))) * crop.height


class WholeCells(ScrollBarRender):
    """A scrollbar thumb of whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def more_words(above: int, below: int, *, ascii_only: bool) -> str:
    up, down = "^v" if ascii_only else "↑↓"
    return ", ".join(f"{sign} {many} more" for sign, many in ((up, above), (down, below)) if many)


def scrollbar_cells(lines: int, top: int, height: int) -> list[Span]:
    """Return a cell per visible row of a list of this many lines, from ``top`` on."""
    length = max(1, height * height // lines)
    start = -(-top * (height - length) // (lines - height))
    return [Span(" ", "thumb" if start <= y < start + length else "text") for y in range(height)]
