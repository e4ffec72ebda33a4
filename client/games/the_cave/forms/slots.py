"""The slots of a backpack or a camp that is being filled; a click on one tells the screen which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.geometry import Size
from textual.message import Message

from client.games.the_cave.forms import pictures
from client.games.the_cave.forms.leather import leather
from client.games.the_cave.forms.roles import BACKPACK, of_thing
from client.games.the_cave.known import terms
from client.games.the_cave.known.packing import Where
from client.games.the_cave.known.supplies import Slot
from client.tui.paint.canvas import Canvas, segments
from client.tui.paint.colour import BLACK, Rgb, mix, rgb
from client.tui.paint.tiers import TRUECOLOR
from client.tui.roles import Hue
from client.tui.themes import shows_pictures, tier
from client.tui.widgets.panel import Panel, Row, Span, fit, seat_role

CLOTH = 0.45
"""The share of black in the cloth of a camp, which has the colour of its team."""


class Pictured(Panel):
    """A pane that may have a picture in it."""

    @property
    def ground(self) -> Rgb:
        """The colour that a picture lies on."""
        return Rgb(*self.background_colors[1].rgb)

    def team(self, seat: int | None) -> Rgb | None:
        """Return the colour of a team."""
        return None if seat is None else rgb(self.app.theme_variables[seat_role(seat)])

    def _pieces(self, canvas: Canvas, y: int, start: int, end: int, do: str = "") -> list[Span]:
        """Return a part of a row of a picture."""
        cells = segments(canvas.rows[y][start:end], tier(self.app).pair)
        return [Span(text, do=do, look=look) for text, look, _ in cells]

    def notify_style_update(self) -> None:
        """Draw anew: another theme may have pictures, or none."""
        super().notify_style_update()
        self.refresh(layout=True)


class Slots(Pictured):
    """Slots as pockets with pictures of what is in them, or as cards where there are no pictures."""

    ROLES: ClassVar[Mapping[str, Hue]] = BACKPACK
    DEFAULT_CSS = "Slots { background: transparent; pointer: pointer; }"

    class Pressed(Message):
        """A slot was clicked: its part and its number, counted from 0."""

        def __init__(self, part: Where, number: int) -> None:
            super().__init__()
            self.part = part
            self.number = number

    def __init__(
        self,
        part: Where,
        *,
        line: str,
        across: int = pictures.ACROSS,
        seat: int | None = None,
        lit: bool = False,
    ) -> None:
        """``across`` pockets in a row; a camp has the colour of its ``seat``, and without one it is
        only a place on the ground. Where it is ``lit``, light is behind it where there can be light.
        """
        super().__init__(line=line, id=part)
        self._part = part
        self._across = across
        self._seat = seat
        self._lit = lit
        self._slots: Sequence[Slot] = ()
        self._chosen: int | None = None
        self._scale = 0
        self._rows_each = 1

    def draw(self, *, scale: int, rows_each: int) -> None:
        """Set how large pictures are drawn (0: not at all), and the rows of a card without them."""
        self._scale, self._rows_each = scale, rows_each

    def show(self, slots: Sequence[Slot], chosen: int | None = None) -> None:
        """Set what is in the slots, and which one of them is set off."""
        self._slots, self._chosen = slots, chosen
        self.refill()

    @property
    def pictured(self) -> bool:
        """Whether pockets are drawn."""
        return self._scale > 0 and self._line != "-" and shows_pictures(self.app)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return pockets, or cards."""
        return list(self._pockets(width) if self.pictured else self._cards(width))

    def _pockets(self, width: int) -> Iterator[Row]:
        team = self.team(self._seat)
        cloth = None
        if self._part == "camp":
            cloth = pictures.ROCK if team is None else mix(team, BLACK, CLOTH)
        canvas = pictures.pockets(
            self._slots,
            self.ground,
            across=self._across,
            scale=self._scale,
            cloth=cloth,
            leather=leather(self.app.current_theme.dark, tier(self.app)),
            numbered=True,
            chosen=self._chosen,
            team=team,
        )
        places = pictures.places(self._slots, self._across, self._scale)
        if self._lit and self.app.current_theme.dark and tier(self.app) == TRUECOLOR:
            canvas, left = pictures.glowing(canvas, width)
            places = [place._replace(x=place.x + left) for place in places]
        for y in range(canvas.height):
            row: list[Span] = []
            x = 0
            for number, place in enumerate(places):
                if place.y <= y <= place.y + place.high:
                    row += self._pieces(canvas, y, x, place.x)
                    x = place.x + place.wide
                    row += self._pieces(canvas, y, place.x, x, str(number))
            yield [*row, *self._pieces(canvas, y, x, canvas.width)]

    def _cards(self, width: int) -> Iterator[Row]:
        """Yield cards with a bar of the colour of what is in them; the chosen one is reversed."""
        bar, empty, gap = ("|", "-", 1) if self._line == "-" else ("▌", "·", 1)
        across = pictures.ACROSS
        each = (width + gap) // across - gap
        used, line = 0, list[tuple[int, Slot, int]]()
        lines = [line]
        for number, slot in enumerate(self._slots):
            if used and used % across == 0:
                line = []
                lines.append(line)
            wide = min(slot.wide, across - used % across)
            line.append((number, slot, wide * (each + gap) - gap))
            used += slot.wide
        # A bar of letters and a number would be one number, so there the air matters more than the number.
        air = bar == "|" or all(
            len(_name(index, slot, cells - 1)) < cells - 1 for line in lines for index, slot, cells in line
        )
        for start, line in enumerate(lines):
            if start and self._rows_each > 1:
                yield []
            for part in range(self._rows_each):
                row: list[Span] = []
                for index, slot, cells in line:
                    told, role, press = "", "slot" if slot.text else "none", str(index)
                    if part == self._rows_each // 2:
                        told = " " * air + (_name(index, slot, cells - 1 - air) or f"{index + 1} {empty}")
                        role = "chosen" if index == self._chosen else role
                    row += [
                        Span(bar, of_thing(slot.text), press),
                        Span(fit(told, cells - 1), role, press),
                        Span(" " * gap),
                    ]
                yield row[:-1]

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """Choose the slot that was clicked."""
        event.stop()
        self.post_message(self.Pressed(self._part, int(event.do)))


def _name(index: int, slot: Slot, room: int) -> str:
    """Return the name of what is in a slot, with the slot's number where there is room for it."""
    number = f"{index + 1} " if slot.wide == 1 else ""
    name = terms.brief(slot.text, room - len(number))
    return f"{number}{name}" if name and len(number) + len(name) <= room else name


class Tent(Pictured):
    """The camp as a tent, where pictures are drawn."""

    DEFAULT_CSS = "Tent { width: auto; height: auto; background: transparent; }"

    def __init__(self, seat: int, *, line: str) -> None:
        super().__init__(line=line, id="tent")
        self._seat = seat
        self._scale = 1

    def draw(self, scale: int) -> None:
        """Set how large it is drawn; 0: not at all."""
        self.display = scale > 0
        self._scale = scale
        self.refill()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return a column of air on each side."""
        return len(pictures.TENT[0]) * self._scale + 2

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the tent."""
        if self._line == "-" or not shows_pictures(self.app):
            return []
        team = self.team(self._seat)
        assert team is not None
        canvas = pictures.tent(self.ground, team, self._scale)
        return [[Span(" "), *self._pieces(canvas, y, 0, canvas.width)] for y in range(canvas.height)]
