"""Output to the terminal in few bytes: people may play over a slow line.

Textual writes a changed part of a line from the left edge of its widget on, and repeats
every colour for each piece of text. Here a line is written from its first changed cell, and only
differences from the previous style.

From inside Textual it uses ``App._display``, through which every update goes, and the two
kinds of update that the compositor makes. Updates of other kinds are written by Textual. Of a
style it uses ``Style._attributes``: whether it has any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import compress
from operator import attrgetter
from typing import NamedTuple, TypeVar

from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.screen import Screen

from client.tui.canvas import CONTRAST, Rgb, contrast, cut
from client.tui.tiers import by_number, nearest_256, readable_256

Result = TypeVar("Result")
Run = tuple[int, int, list[Segment]]  # column and line of the first cell, and adjacent pieces

PLAIN = Style.null()
UNTOLD = Style()  # no real style: the terminal has got a part of one
ATTRIBUTES = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "blink": "5",
    "blink2": "6",
    "reverse": "7",
    "conceal": "8",
    "strike": "9",
    "underline2": "21",
    "frame": "51",
    "encircle": "52",
    "overline": "53",
}
attributes_of = attrgetter(*ATTRIBUTES)
EIGHT_BIT, TRUECOLOR = ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR
MANY_COLOURS = (EIGHT_BIT, TRUECOLOR)
WEIGHTS, NORMAL = frozenset(("1", "2")), "22"  # bold and dim, and what ends both
FULL = "█"
MARKS = frozenset(("4", "7", "9", "21", "51", "52", "53"))  # the attributes that blanks show


class TerseApp(App[Result]):
    """An app that writes only the changes to the terminal."""

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        # Textual puts the hidden cursor of the terminal there, which magnifiers and braille displays follow.
        cell = getattr(screen, "cursor_cell", None)
        if cell is not None and screen is self.screen:
            self.cursor_position = cell
        super()._display(screen, terse(renderable))  # type: ignore[arg-type]  # any CompositorUpdate will do


class TerseUpdate(CompositorUpdate):
    """An update of the screen, as runs of text."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = runs

    def render_segments(self, console: Console) -> str:
        """Return the update as text with escape sequences."""
        system = COLOR_SYSTEMS[console.color_system or "truecolor"]
        # Found by identity, as hashing styles takes longer than all the rest; the runs keep them alive.
        known: dict[int, Codes] = {}
        runs = list(self.runs)
        written: list[str] = []
        write = written.append
        told: Style | None = PLAIN
        ink, ground, others = plain = _codes(PLAIN, system)
        for x, y, segments in runs:
            write(f"\x1b[{y + 1};{x + 1}H")
            for text, style, _ in segments:
                if style is not told:
                    told = style
                    new = known.get(id(style))
                    if new is None:
                        new = known[id(style)] = _codes(style or PLAIN, system)
                    new_ink, new_ground, new_others = new
                    if not (others.mark_blanks or new_others.mark_blanks):
                        # A blank has no ink, so the next piece may keep the present one.
                        if text.isspace():
                            told, new_ink, new_others = UNTOLD, ink, others
                        # Nor does a full block show its ground.
                        elif new_others is others and not text.strip(FULL):
                            told, new_ground = UNTOLD, ground
                    if new_others is not others:
                        write(_change(ink, ground, others, new, system))
                    elif new_ink == ink:
                        if new_ground != ground:
                            write(f"\x1b[{new_ground}m")
                    elif new_ground == ground:
                        write(f"\x1b[{new_ink}m")
                    else:
                        write(f"\x1b[{new_ink};{new_ground}m")
                    ink, ground, others = new_ink, new_ground, new_others
                write(text)
        write(_change(ink, ground, others, plain, system))
        return "".join(written)


def terse(update: RenderableType | None) -> RenderableType | TerseUpdate | None:
    """Return an update in fewer bytes; anything that is no update of the screen stays as it is."""
    if isinstance(update, LayoutUpdate):
        return TerseUpdate(_whole(update))
    return TerseUpdate(_parts(update)) if isinstance(update, ChopsUpdate) else update


def _whole(update: LayoutUpdate) -> Iterator[Run]:
    left, top, _, _ = update.region
    for y, line in enumerate(update.strips, top):
        yield left, y, [segment for strip in line for segment in strip]


def _parts(update: ChopsUpdate) -> Iterator[Run]:
    narrow: dict[int, bool] = {}
    for y, start, end in update.spans:
        run: list[Segment] = []
        begin = at = start
        for stop, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
            if strip is None or x >= end or stop <= start:
                continue
            # A cut may split a character of two cells: such a line is written from the widget's edge.
            if (is_narrow := narrow.get(id(strip))) is None:
                is_narrow = narrow[id(strip)] = strip.cell_length == len(strip.text)
            first = max(start, x) if is_narrow else x
            if run and first != at:
                yield begin, y, run
                run = []
            if not run:
                begin = first
            at = min(stop, end)
            if (first, at) == (x, stop):
                run += strip
            else:
                run += cut(strip, first - x, at - x) if is_narrow else strip.crop(first - x, at - x)
        if run:
            yield begin, y, run


class Others(NamedTuple):
    """The part of a style beside its colours; styles that are alike in it have one object."""

    attributes: frozenset[str]
    link: str
    mark_blanks: bool


class Codes(NamedTuple):
    """The escape codes of a style."""

    ink: str
    ground: str
    others: Others


def _change(ink: str, ground: str, others: Others, new: Codes, system: ColorSystem) -> str:
    attributes, link, _ = others
    linked = f"\x1b]8;;{new.others.link}\x1b\\" if new.others.link != link else ""
    codes: list[str] = []
    if ended := attributes - new.others.attributes:
        # "Not bold" is no code that terminals with few colours know: there everything is ended together.
        if ended <= WEIGHTS and system in MANY_COLOURS:
            codes.append(NORMAL)
            attributes -= WEIGHTS
        else:
            codes.append("0")
            ink, ground, (attributes, _, _) = _codes(PLAIN, system)
    codes += sorted(new.others.attributes - attributes)
    if new.ink != ink:
        codes.append(new.ink)
    if new.ground != ground:
        codes.append(new.ground)
    return f"{linked}\x1b[{';'.join(codes)}m" if codes else linked


@lru_cache(maxsize=4096)
def _codes(style: Style, system: ColorSystem) -> Codes:
    others = COLOURS_ONLY
    # Most styles are two colours, which is a fast check; asking for each attribute takes long.
    if style._attributes or style.link:
        attributes = compress(ATTRIBUTES.values(), attributes_of(style))
        others = _others(frozenset(attributes), style.link or "")
    ink, ground = style.color, style.bgcolor
    if system is EIGHT_BIT:
        ink, ground = in_256(ink, ground)
    return Codes(_colour(ink, system)[0], _colour(ground, system)[1], others)


@cache  # as many as there are kinds of text
def _others(attributes: frozenset[str], link: str) -> Others:
    return Others(attributes, link, bool(link) or not attributes.isdisjoint(MARKS))


COLOURS_ONLY = _others(frozenset(), "")


def in_256(ink: Color | None, ground: Color | None) -> tuple[Color | None, Color | None]:
    """Return ink and ground among the 256 by the table of pictures; what could be read stays readable."""
    under = ground.triplet if ground is not None else None
    if under is not None:
        ground = by_number(Rgb(*under))
    if ink is not None and ink.triplet is not None:
        own = Rgb(*ink.triplet)
        if under is not None and contrast(own, Rgb(*under)) >= CONTRAST:
            own = readable_256(own, nearest_256(Rgb(*under)))
        ink = by_number(own)
    return ink, ground


@lru_cache(maxsize=4096)
def _colour(colour: Color | None, system: ColorSystem) -> tuple[str, str]:
    if colour is None:
        return "39", "49"
    if system is TRUECOLOR and colour.triplet is not None:
        red, green, blue = colour.triplet  # what the library makes of it, in a quarter of the time
        told = f"2;{red};{green};{blue}"
        return f"38;{told}", f"48;{told}"
    shown = colour.downgrade(system)
    return ";".join(shown.get_ansi_codes(True)), ";".join(shown.get_ansi_codes(False))
