"""The picture behind the menu, drawn in a thread: the menu appears first, and no key waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from textual import work
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from client.tui.canvas import Cell, Rgb
from client.tui.colour_tiers import TRUECOLOR, ColourTier
from client.tui.motion import LAKE, MotionPlayer
from client.tui.themes import colour_tier, motion_of, paints_dark_board, theme_paints_pictures

Window = tuple[int, int, str]  # columns, rows and the light of a picture
Strips = tuple[Strip, ...]
KEPT = 3
STEPS = 3  # steps of a cycle of the lake's waves


class Painted(NamedTuple):
    """A picture with and without the name of the program, and how its lake moves.

    Row ``shore`` is the first with water. ``lakes`` are the rows from there on at each step, the first as in
    the picture, and ``changes`` the differences from the previous step, relative to the shore. Without motion
    there is one step.
    """

    strips: Strips
    nameless: Strips
    shore: int
    lakes: tuple[Strips, ...]
    changes: tuple[tuple[Region, ...], ...]


FEW = "few"
"""The light of a picture in 16 colours."""
VIVID = 1.25  # how much stronger its colours are before the nearest of 16 is found: brown, not grey


def light_of(app: App[Any]) -> str:
    """Return the light of the picture; empty without colours, or if it is turned off."""
    if paints_dark_board(app) and not app.no_color:
        return FEW
    if not theme_paints_pictures(app.current_theme):
        return ""
    return "lamp" if app.current_theme.dark else "day"


def _vivid(colour: Rgb) -> Rgb:
    grey = sum(colour) / 3
    return Rgb(*(min(255, max(0, round(grey + (part - grey) * VIVID))) for part in colour))


class TitlePictures:
    """The last few pictures: a menu that reopens has its own at once."""

    def __init__(self) -> None:
        self._kept: dict[Window, Painted] = {}

    def get(self, window: Window) -> Painted | None:
        return self._kept.get(window)

    def draw(
        self, window: Window, wanted: Callable[[], bool], *, moving: bool = False, colours: ColourTier = TRUECOLOR
    ) -> None:
        """Draw a picture and its moving lake (some tenths of a second); stop if no longer ``wanted``."""
        # imported here, outside the event loop
        from client.tui import title_painter
        from client.tui.canvas import cell_segments, pixel_cells

        width, height, light = window
        light = "lamp" if light == FEW else light
        painter = title_painter.TitlePainter(width, height * 2, title_painter.LIGHTS[light])
        image = []
        for row in painter.rows():
            if not wanted():
                return
            image.append(row)
        # A row of cells is two rows of pixels: the shore may run through the middle of a cell.
        shore = painter.shore // 2 * 2
        bank = image[shore : painter.shore]
        steps = range(1, STEPS if moving else 1)

        def shown(rows: Iterable[list[Rgb]]) -> list[list[Cell]]:
            vivid = [[colours.shown(_vivid(pixel)) for pixel in row] for row in rows] if colours.has_few else [*rows]
            return [*pixel_cells(vivid)]

        def strips(rows: Iterable[list[Cell]]) -> Strips:
            return tuple(Strip(cell_segments(row, colours.style_maker), width) for row in rows)

        cells = shown(image)
        lakes = [cells[shore // 2 :], *(shown([*bank, *painter.lake_rows(n)]) for n in steps)]
        nameless = strips(cells)
        first, after = min(painter.name, default=0) // 2, max(painter.name, default=-2) // 2 + 1
        named = shown(painter.with_name(image[y], y) for y in range(2 * first, 2 * after))
        self._kept[window] = Painted(
            (*nameless[:first], *strips(named), *nameless[after:]),
            nameless,
            shore // 2,
            tuple(strips(lake) for lake in lakes),
            tuple(tuple(_changed_regions(lakes[n - 1], lake)) for n, lake in enumerate(lakes)),
        )
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def _changed_regions(before: Sequence[Sequence[object]], after: Sequence[Sequence[object]]) -> Iterator[Region]:
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        changed = (x for x in range(len(new)) if old[x] != new[x])
        for _, run in groupby(enumerate(changed), key=lambda each: each[1] - each[0]):
            columns = [x for _, x in run]
            yield Region(columns[0], y, len(columns), 1)


class TitlePicture(Widget, can_focus=False):
    """Shows nothing until its picture has been drawn."""

    ALLOW_SELECT = False
    NAMED: ClassVar[bool] = True  # whether it contains the name of the program
    DEFAULT_CSS = "TitlePicture { width: 100%; height: 100%; }"

    def __init__(self, pictures: TitlePictures) -> None:
        super().__init__()
        self._pictures = pictures
        self._seen = self._drawing = False
        self._shown: Painted | None = None
        self._step = 0
        self._waves = MotionPlayer(self, LAKE, self._move, lambda: motion_of(self.app))

    def on_mount(self) -> None:
        """Start when the menu is visible."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._seen = True
        self._look_at_window()

    def on_resize(self) -> None:
        self._look_at_window()

    def notify_style_update(self) -> None:
        """Draw the picture again, for another theme."""
        super().notify_style_update()
        self._look_at_window()

    def _wanted_window(self) -> Window | None:
        light = light_of(self.app)
        return (self.size.width, self.size.height, light) if light and self.size else None

    def _look_at_window(self) -> None:
        if not self._seen:
            return
        wanted = self._wanted_window()
        self._shown = self._pictures.get(wanted) if wanted else None
        self._step = 0
        self.refresh()
        if self._shown is not None and len(self._shown.lakes) > 1 and not self._waves.is_moving:
            self._waves.start()
        if wanted and not self._shown and not self._drawing:
            self._drawing = True
            self._draw_in_thread()

    @work
    async def _draw_in_thread(self) -> None:
        """Draw one at a time, and another one if the window has changed by then."""
        while (window := self._wanted_window()) and not self._pictures.get(window):
            wanted = partial(self._wants_window, window)
            moving = motion_of(self.app).allows(LAKE)
            colours = colour_tier(self.app)
            await asyncio.to_thread(self._pictures.draw, window, wanted, moving=moving, colours=colours)
        self._drawing = False
        self._look_at_window()

    def _wants_window(self, window: Window) -> bool:
        return self.is_attached and self._wanted_window() == window

    def _move(self, number: int | None) -> None:
        found = self._shown
        if number and found is not None:
            self._step = (self._step + 1) % len(found.lakes)
            self.refresh(*(part.translate((0, found.shore)) for part in found.changes[self._step]))

    def render_line(self, y: int) -> Strip:
        width, found = self.size.width, self._shown
        if found is None or y >= len(found.strips):
            return Strip.blank(width, self.rich_style)
        above = found.strips if self.NAMED else found.nameless
        strip = above[y] if y < found.shore else found.lakes[self._step][y - found.shore]
        return strip.adjust_cell_length(width, self.rich_style)


class Backdrop(TitlePicture):
    """The picture, dimmed and without the name, behind the forms before a game."""

    NAMED: ClassVar[bool] = False
    DEFAULT_CSS = "Backdrop { opacity: 35%; }"

    def _wanted_window(self) -> Window | None:
        return None if light_of(self.app) == FEW else super()._wanted_window()


def backdrop(screen: Screen[Any]) -> Iterator[Backdrop]:
    """Yield the picture behind a screen, if the app has pictures; the screen is then ``-painted``."""
    pictures: TitlePictures | None = getattr(screen.app, "pictures", None)
    if light_of(screen.app) == FEW:  # sixteen colours cannot be dimmed
        pictures = None
    screen.set_class(pictures is not None, "-painted")
    if pictures is not None:
        yield Backdrop(pictures)
