"""The panes of the turn and the goods, and the styles of all panes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.style import Style
from textual import events
from textual.app import App

from cave.cave_vs_cave.rounds import count_rounds
from cave.cave_vs_cave.turns import walls_left
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.palette import dark_palette, palette_for
from client.games.cave_vs_cave.room_painter import GOOD_ROLES
from client.games.cave_vs_cave.scene import VersusScene, moment_words
from client.tui.board.view import may_paint
from client.tui.canvas import BLACK, CONTRAST, Rgb, parse_rgb
from client.tui.text_roles import PANELS, Hue
from client.tui.themes import colour_tier, shows_pictures
from client.tui.widgets.panel import Row, Span, more_words
from client.tui.widgets.panes import ScenePane, game_title, header_row, whose_turn
from client.wording import count

ROOMS = ("orange", "blue")  # roles with their own background
INKED = ("text", "title", "tip")  # roles of spans whose goods are coloured


def shows_room_pictures(app: App[object]) -> bool:
    return shows_pictures(app) and app.current_theme.dark


class VersusPanel(ScenePane[VersusScene]):
    ROLES: ClassVar[Mapping[str, Hue]] = {
        **PANELS,
        **GOOD_ROLES,
        "orange": Hue("map-squeeze", bold=True),
        "blue": Hue("map-water", bold=True),
    }

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self.more = ""  # the keys that show more of a list
        self._above = 0
        self._shown = 0

    def ground_style(self, role: str) -> Style | None:
        """Return the ground of a role with a readable ink; None without pictures."""
        app, tier = self.app, colour_tier(self.app)
        is_plain = not may_paint(app, light=True, few=True) if tier.has_few else self._line == "-"
        if role not in ROOMS or is_plain or not (tier.has_few or shows_room_pictures(app)):
            return None
        palette = dark_palette(tier)
        return self._style_on_ground(f"ground {role}", palette.grounds[role], palette.inks[role])

    def good_style(self, number: int) -> Style | None:
        """Return the ink of a good, as on the board."""
        app = self.app
        if not may_paint(app, light=True, stark=True, few=True):
            return None
        palette = palette_for(colour_tier(app), app.current_theme.name, dark=app.current_theme.dark)
        return self._style_on_ground(f"good {number}", None, palette.goods[number], palette.contrast)

    def rows_in_goods_colours(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows with coloured goods, both letters and names."""
        return [[part for span in row for part in self._goods_spans(span)] for row in rows]

    def _goods_spans(self, span: Span) -> Iterator[Span]:
        end = 0
        for found in terms.MARKED.finditer(span.text) if span.role in INKED else ():
            yield replace(span, text=span.text[end : found.start()])
            number = terms.good_number(found)
            yield replace(span, text=found[0], role=f"good {number}", look=self.good_style(number))
            end = found.end()
        yield replace(span, text=span.text[end:])

    def _style_on_ground(self, name: str, ground: Rgb | None, ink: Rgb, least: float = CONTRAST) -> Style:
        """Return the style of text on a ground, by default the pane's; cached per theme."""
        if name not in self._styles:
            shades = colour_tier(self.app)
            own = BLACK if shades.has_few else parse_rgb(self.app.theme_variables["surface"])
            under = shades.shown(ground or own)
            self._styles[name] = shades.style_maker(shades.readable_ink(ink, under, least), under, False)
        return self._styles[name]

    def scroll(self, by: int) -> None:
        self._above += by
        self.refill()

    def show_next_page(self) -> None:
        """Show the next part of a list, after the last the first."""
        at = self._above
        self.scroll(max(1, self._shown - 1))
        if self._above == at:
            self.scroll(-at)

    def rows_in_window(self, rows: Sequence[Row], height: int, kept: Sequence[int] = ()) -> list[Row]:
        """Return the rows in sight and the number of the others; the rows ``kept`` are in sight if they fit."""
        if not height or len(rows) <= height:
            self._above = 0
            return list(rows)
        self._shown = shown = height - 1
        if kept:
            self._above = min(max(self._above, kept[-1] - shown + 1), kept[0])
        self._above = max(0, min(self._above, len(rows) - shown))
        below = len(rows) - shown - self._above
        more = f"   {more_words(self._above, below, ascii_only=self._line == '-')}"
        hint = f"{more}: {self.more}"
        hint = hint if len(hint) <= self.content_size.width else more  # who is between both ends knows the keys
        return [*rows[self._above : self._above + shown], [Span(hint, "warn", f"page:{self.id}")]][:height]

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(-1)


class Header(VersusPanel):
    GROWS = False

    def scene_rows(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        name = game_title(now)
        ends = now.cave.round == count_rounds(now.cave)
        moment = Span(f"   {moment_words(now)}", "warn" if ends else "dim")
        brief = replace(moment, text=moment.text.replace(" of ", "/"))
        walls = Span("", "dim")
        # A lesson shows how many walls are left once you can build one, or have built one.
        if not now.over and (now.state.lesson is None or now.me.walls or "build_wall" in now.kinds):
            walls = Span(f"   {count(walls_left(now.cave, now.seat), 'wall')} left", "dim")
        lefts = ([name, moment, walls], [name, brief, walls], [name, brief], [brief, walls], [brief])
        return header_row(now, width, lefts, whose_turn(now, now.cave.seat, 16))
