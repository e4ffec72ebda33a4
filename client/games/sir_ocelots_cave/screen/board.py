"""The board on the screen: what is painted, or drawn in signs, and what the mouse does there.

Each place is drawn once for each look of it; lines are put together from places and from the dark around
them, and a change repaints the places it touched, no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from cave.codec import Place
from cave.sir_ocelots_cave.board import LEVEL, RAYS
from cave.sir_ocelots_cave.components import components
from client.games.sir_ocelots_cave import picture
from client.games.sir_ocelots_cave.picture import Rim, Square
from client.games.sir_ocelots_cave.screen.looks import ROLES
from client.games.sir_ocelots_cave.screen.measures import ACROSS, DOWN, Pitch, coordinates, origin, pitch_for
from client.games.sir_ocelots_cave.screen.painter import Painter
from client.games.sir_ocelots_cave.screen.palette import GROUNDS, palette
from client.games.sir_ocelots_cave.screen.signs import SignWriter
from client.tui.paint.colour import rgb
from client.tui.roles import Hue
from client.tui.themes import shows_pictures, tier
from client.tui.widgets.panel import Panel

Numbers = tuple[tuple[int, int, str], ...]
"""Coordinates that stand in a place, by column and row in it."""
Block = list[list[Segment]]
"""The lines of a place."""
MANY_BLOCKS = 4096
"""Blocks that are kept before they are drawn anew."""
_LEVELS = components().levels


class Drawer(Protocol):
    """What draws the board: cells of the dark around it and of each place, and both as pieces of a line."""

    in_rgb: bool
    """Whether no colour of the terminal's own palette is used."""

    def around(self, width: int, height: int, pitch: Pitch) -> Sequence[Sequence[Any]]:
        """What lies around the caves, with the names of levels, rows and columns."""
        ...

    def block(
        self, at: Place, look: Square | Rim, pitch: Pitch, numbers: Numbers, *, cursor: bool
    ) -> Sequence[Sequence[Any]]:
        """The cells of a place."""
        ...

    def pieces(self, cells: Sequence[Any]) -> list[Segment]:
        """Cells as pieces of a line."""
        ...


class Frame:
    """Where places and dark pieces stand in each line of a pane of this size."""

    def __init__(self, drawer: Drawer, width: int, height: int) -> None:
        self.pitch = wide, high = pitch_for(width, height)
        self.corner = x0, y0 = origin(width, height, self.pitch)
        self.numbers: dict[Place, Numbers] = {}
        for x, y, text in coordinates(width, height, self.pitch):
            for column, glyph in enumerate(text, x):
                at = ((column - x0) // wide, (y - y0) // high)
                if at in LEVEL or at in RAYS:
                    own = ((column - x0) % wide, (y - y0) % high, glyph)
                    self.numbers[at] = (*self.numbers.get(at, ()), own)
        around = drawer.around(width, height, self.pitch)
        self.lines = [list(self._line(drawer, y, cells, width)) for y, cells in enumerate(around)]

    def _line(
        self, drawer: Drawer, y: int, cells: Sequence[Any], width: int
    ) -> Iterator[list[Segment] | tuple[Place, int]]:
        (wide, high), (x0, y0) = self.pitch, self.corner
        row, line = divmod(y - y0, high)
        done = 0
        for column in range(ACROSS):
            at, x = (column, row), x0 + column * wide
            if (at in LEVEL or at in RAYS) and x + wide <= width:
                if x > done:
                    yield drawer.pieces(cells[done:x])
                yield at, line
                done = x + wide
        if done < width:
            yield drawer.pieces(cells[done:])

    def region(self, at: Place) -> Region:
        """Where a place is."""
        (wide, high), (x0, y0) = self.pitch, self.corner
        return Region(x0 + at[0] * wide, y0 + at[1] * high, wide, high)


class BoardPane(Panel):
    """The three caves with their rim. Set ``light`` off to have them in signs."""

    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    class Clicked(Message):
        """A place was clicked."""

        def __init__(self, at: Place) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, glyphs: str, light: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"
        self._fine = glyphs == "fine"
        self.light = light
        self._board = picture.Board()
        self._drawer: Drawer | None = None
        self._frame: Frame | None = None
        self._placed: dict[Place, Block] = {}
        self._alike: dict[tuple[int, Square | Rim, Numbers, bool], Block] = {}

    @property
    def shown(self) -> picture.Board:
        """What is shown."""
        return self._board

    def show(self, board: picture.Board) -> None:
        """Set what is shown, and paint the places that look different."""
        before, self._board = self._board, board
        if self._frame is None or not before.squares:
            self.refresh()
            return
        changed = {before.cursor, board.cursor} if before.cursor != board.cursor else set[Place]()
        for old, new in ((before.squares, board.squares), (before.rim, board.rim)):
            changed |= {at for at, look in new.items() if look != old[at]}
        regions = [self._frame.region(at) for at in changed if self._placed.pop(at, None) is not None]
        if regions:
            self.refresh(*regions)

    def refill(self) -> None:
        """Paint everything anew, as after a change of its size or of the settings."""
        self._drawer = self._frame = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Another theme has other colours."""
        super().notify_style_update()
        self.refill()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The app's, but for the one that turns the terminal's own colours into RGB, where none is used."""
        filters = super().get_line_filters()
        if self._drawer is None or not self._drawer.in_rgb:
            return filters
        return [each for each in filters if not isinstance(each, ANSIToTruecolor)]

    def render_line(self, y: int) -> Strip:
        """A line, put together from places."""
        size, frame = self.size, self._frame
        if not self._board.squares or y >= size.height:
            return Strip.blank(size.width, self.rich_style)
        if frame is None or self._filled != size:
            self._drawer = self._made()
            frame = self._frame = Frame(self._drawer, *size)
            self._filled = size
            self._placed.clear()
            self._alike.clear()
        placed = self._placed
        found: list[Segment] = []
        for piece in frame.lines[y]:
            if isinstance(piece, list):
                found += piece
            else:
                at, line = piece
                block = placed.get(at) or self._block(at, frame)
                found += block[line]
        return Strip(found, size.width)

    def _block(self, at: Place, frame: Frame) -> Block:
        """The lines of a place. Squares as far from the middle of their cave are alike, if they look so."""
        board, numbers = self._board, frame.numbers.get(at, ())
        look: Square | Rim = board.squares[at] if at in board.squares else board.rim[at]
        cursor = at == board.cursor
        far = _LEVELS[look.level - 1].distance(at) if isinstance(look, Square) else 0
        key = far, look, numbers, cursor
        found = self._alike.get(key)
        if found is None:
            if len(self._alike) >= MANY_BLOCKS:
                self._alike.clear()
            assert self._drawer is not None
            cells = self._drawer.block(at, look, frame.pitch, numbers, cursor=cursor)
            found = self._alike[key] = [self._drawer.pieces(row) for row in cells]
        self._placed[at] = found
        return found

    def _made(self) -> Drawer:
        """What draws the board on this terminal, in this theme."""
        app = self.app
        if not (self.light and self._glyphs == "unicode" and shows_pictures(app)):
            theme = app.current_theme
            inks = GROUNDS.get(theme.name, {}).get(tier(app).colours, ())
            grounds = [Style(bgcolor=Color.from_rgb(*each)) for each in inks]
            return SignWriter(self._glyphs, self._style, grounds, in_rgb=not theme.ansi)
        found = app.theme_variables
        seats = tuple((rgb(found[f"seat-{each}"]), rgb(found[f"seat-{each}-letter"])) for each in (1, 2))
        theme = app.current_theme
        return Painter(tier(app), self._glyphs, seats, palette(theme.name, dark=theme.dark), fine=self._fine)

    def get_content_height(self, container: Any, viewport: Any, width: int) -> int:
        """As many lines as the smallest board has."""
        return DOWN

    def place_at(self, x: int, y: int) -> Place | None:
        """The place under a cell of the pane."""
        width, height = self.size
        pitch: Pitch = pitch_for(width, height)
        x0, y0 = origin(width, height, pitch)
        at = ((x - x0) // pitch[0], (y - y0) // pitch[1])
        known = at in self._board.squares or at in self._board.rim
        return at if known and 0 <= at[0] < ACROSS and 0 <= at[1] < DOWN else None

    def cell_of(self, at: Place) -> tuple[int, int]:
        """The cell in the middle of a place."""
        width, height = self.size
        pitch = pitch_for(width, height)
        x0, y0 = origin(width, height, pitch)
        return x0 + at[0] * pitch[0] + pitch[0] // 2, y0 + at[1] * pitch[1] + pitch[1] // 2

    def on_click(self, event: events.Click) -> None:
        """Tell which place was clicked."""
        offset = event.get_content_offset(self)
        at = self.place_at(*offset) if offset is not None else None
        if at is not None:
            event.stop()
            self.post_message(self.Clicked(at))
