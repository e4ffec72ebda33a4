"""The points over a game as a plot, with a title line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style

from client.face import LETTERS
from client.game_history import PointsHistory
from client.present import plot
from client.present.plot import GOAL, MARK, Cell
from client.settings.appearance import GlyphSetName
from client.tui.canvas import mix, parse_rgb
from client.tui.motion import SCORE, MotionPlayer
from client.tui.themes import colour_tier, motion_of, seat_ink, shows_pictures
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role

TITLE = "Points by round"
WAIT = "The points over the game are being worked out ..."
NONE = "The points over the game are not known."
AREA = 0.6  # the share of a seat's colour in its part of an area
GROWING = ("line", "seat-")  # prefixes of the roles of lines and of their letters
ROLES = {"axis": "dim", "grid": "line", "line": "text", "mark": "warn"}


class SeatLines(Panel):
    GROWS = False

    def __init__(self, glyphs: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, line="-" if glyphs == "ascii" else "─")
        self._glyphs = glyphs

    def plot_heading(self, title: str, names: Sequence[str]) -> list[Span]:
        head = [Span(f" {title}  ", "title")]
        for seat, name in enumerate(names):
            head += [Span(LETTERS[seat], seat_role(seat)), Span(f" {name}  ", "text")]
        return head

    def plot_lines(
        self, series: Sequence[Sequence[float]], width: int, height: int, mark: int | None, goal: float | None = None
    ) -> tuple[list[list[Cell]], str]:
        """Return the plot and the glyph of its mark: dots if braille is available and fits, else steps."""
        if self._glyphs == "fine":
            whole = shows_pictures(self.app)
            drawn = plot.dotted(series, width, height, mark=mark, goal=goal, whole=whole)
            if drawn:
                return drawn, plot.DOTTED_MARK
        glyph_set: GlyphSetName = "ascii" if self._glyphs == "ascii" else "unicode"
        return plot.stepped(series, width, height, mark=mark, goal=goal, glyph_set=glyph_set), MARK

    def share_area(
        self, values: Sequence[float], margins: Sequence[float], width: int, height: int, mark: int
    ) -> list[list[Cell]]:
        """Return the share of the first of two seats, in per cent, as an area; the rest is the other's."""
        return plot.filled_plot(values, margins, width, height, mark=mark, glyphs=self._glyphs)

    def painted(self, lines: Sequence[Sequence[Cell]]) -> list[Row]:
        return [[Span(" "), *(Span(text, ROLES.get(role, role)) for text, role in row)] for row in lines]

    def _style(self, role: str) -> Style:
        kind, _, number = role.rpartition("-")
        if kind == "line" and role not in self._styles:
            self._styles[role] = self.rich_style + seat_ink(self.app, int(number) - 1, "background")
        if role == "area" and role not in self._styles:
            first, second = (self.app.theme_variables[f"seat-{seat}"] for seat in (1, 2))
            style = self.rich_style + Style.null()
            if self._glyphs != "ascii" and shows_pictures(self.app):
                night = parse_rgb(self.background_colors[1].hex6)
                ink, ground = (mix(night, parse_rgb(each), AREA) for each in (first, second))
                style = colour_tier(self.app).style_maker(ink, ground)
            self._styles[role] = style
        return super()._style(role)


class Plot(SeatLines):
    """A plot that fills its pane; ``show`` sets its data."""

    DEFAULT_CSS = "Plot { background: transparent; }"

    def __init__(self, glyphs: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs, id=id)
        self._points: PointsHistory | None = None
        self._words = WAIT
        self._growing = MotionPlayer(self, SCORE, self._grow, lambda: motion_of(self.app))
        self._grown: int | None = None  # the frame of the growing lines; None: they are complete

    def show(self, points: PointsHistory | None, words: str = NONE) -> None:
        """Set the points to plot; None if they are unknown: ``words`` say why."""
        self._points, self._words = points, words
        self.refill()
        if points is not None:
            self._growing.start()

    def finish(self) -> None:
        """Show the complete lines at once."""
        self._growing.stop()

    def _grow(self, number: int | None) -> None:
        self._grown = number
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        found = self._points
        if found is None:
            return [[Span(f" {self._words}", "dim")]]
        head = self.plot_heading(TITLE.upper(), found.names)
        heads = [head]
        if found.end is not None and length(head) + cell_len(found.end_words) + 2 > width:
            heads.append([Span(" ")])  # the mark's meaning is below the names
        mark_at = len(heads) - 1
        if found.goal_words:
            goal = Span(f"{GOAL} {GOAL} {found.goal_words}", "warn")
            if length(heads[-1]) + length([goal]) + 2 <= width:
                heads[-1] += [Span("  "), goal]
            else:
                heads.append([Span(" "), goal])
        lines, mark = self.plot_lines(found.series, width - 1, height - len(heads), found.end, found.goal)
        if found.end is not None:
            heads[mark_at].append(Span(f"{mark} {found.end_words}", "warn"))
        if self._grown is not None:
            lines = [grown_plot_row(row, (width - 1) * (self._grown + 1) // (SCORE.frames or 1)) for row in lines]
        return [*heads, *self.painted(lines)]


def grown_plot_row(row: Sequence[Cell], columns: int) -> list[Cell]:
    """Return a row of a plot with lines of this length; axes and numbers are always complete."""
    shown: list[Cell] = []
    at = 0
    for text, role in row:
        room = max(0, columns - at)
        at += len(text)
        if not role.startswith(GROWING) or len(text) <= room:
            shown.append((text, role))
        else:
            shown += [(text[:room], role), (" " * (len(text) - room), "axis")]
    return shown
