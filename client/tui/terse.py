"""What is written to the terminal, in as few bytes as show the same: a party may play over a slow line.

The screens' library writes a changed part of a line from the left edge of its widget on, and names
every colour anew for each piece of text. Here a line is written from its first changed cell, and of a
style only what differs from the piece before.

What it takes from inside the library is ``App._display``, through which every update goes, and the two
kinds of update that the compositor makes. An update of another kind is written as the library would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.screen import Screen
from textual.strip import Strip

Result = TypeVar("Result")
Run = tuple[int, int, list[Segment]]
"""Text that stands together: the column and line of its first cell, and its pieces."""

RESET = "\x1b[0m"
PLAIN = Style.null()


class TerseApp(App[Result]):
    """An app that writes to the terminal what has changed, and no more."""

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, terse(renderable))  # type: ignore[arg-type]  # any CompositorUpdate will do


class TerseUpdate(CompositorUpdate):
    """An update of the screen, as runs of text."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = runs

    def render_segments(self, console: Console) -> str:
        """The update as text with escape sequences."""
        system = COLOR_SYSTEMS[console.color_system or "truecolor"]
        # Found by identity, as hashing styles takes longer than all the rest; the runs keep them alive.
        changes: dict[tuple[int, int], tuple[str, bool]] = {}
        runs = list(self.runs)
        written: list[str] = []
        write = written.append
        before: Style | None = PLAIN
        for x, y, segments in runs:
            write(f"\x1b[{y + 1};{x + 1}H")
            for text, after, _ in segments:
                if after is not before:
                    key = id(before), id(after)
                    known = changes.get(key)
                    if known is None:
                        known = changes[key] = _step(before or PLAIN, after or PLAIN, system)
                    change, alike = known
                    if not (alike and text.isspace()):
                        write(change)
                        before = after
                write(text)
        write(_change(before or PLAIN, PLAIN, system))
        return "".join(written)


def terse(update: RenderableType | None) -> RenderableType | TerseUpdate | None:
    """The same update in fewer bytes; what is no update of the screen stays as it is."""
    if isinstance(update, LayoutUpdate):
        return TerseUpdate(_whole(update))
    return TerseUpdate(_parts(update)) if isinstance(update, ChopsUpdate) else update


def _whole(update: LayoutUpdate) -> Iterator[Run]:
    left, top, _, _ = update.region
    for y, line in enumerate(update.strips, top):
        yield left, y, [segment for strip in line for segment in strip]


def _parts(update: ChopsUpdate) -> Iterator[Run]:
    for y, start, end in update.spans:
        run: list[Segment] = []
        begin = at = start
        for stop, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=True):
            if strip is None or x >= end or stop <= start:
                continue
            # A cut may split a character of two cells: such a line is written from the widget's edge.
            first = max(start, x) if strip.cell_length == len(strip.text) else x
            if run and first != at:
                yield begin, y, run
                run = []
            if not run:
                begin = first
            at = min(stop, end)
            run += strip if (first, at) == (x, stop) else strip.crop(first - x, at - x)
        if run:
            yield begin, y, run


def _step(before: Style, after: Style, system: ColorSystem) -> tuple[str, bool]:
    """What to write between texts of two styles, and whether blanks of the two look the same."""
    return _change(before, after, system), _alike_when_blank(before, after)


def _alike_when_blank(one: Style, other: Style) -> bool:
    """Whether blanks of two styles look the same."""
    return one.bgcolor == other.bgcolor and not any(
        style.reverse
        or style.underline
        or style.underline2
        or style.strike
        or style.overline
        or style.frame
        or style.encircle
        or style.link
        for style in (one, other)
    )


class Codes(NamedTuple):
    """A style as a terminal is told of it: the numbers of its attributes and of its two colours."""

    attributes: frozenset[str]
    colour: str
    ground: str
    link: str


@lru_cache(maxsize=4096)
def _change(before: Style, after: Style, system: ColorSystem) -> str:
    """What turns text of one style into text of another."""
    old, new = _codes(before, system), _codes(after, system)
    if old == new:
        return ""
    link = f"\x1b]8;;{new.link}\x1b\\" if new.link != old.link else ""
    if not any(new[:3]):
        return link + RESET
    codes: list[str] = []
    if not old.attributes <= new.attributes:
        # Attributes are ended together: "not bold" is no code that all terminals know.
        codes.append("0")
        old = _codes(PLAIN, system)
    codes += sorted(new.attributes - old.attributes)
    if new.colour != old.colour:
        codes.append(new.colour or "39")
    if new.ground != old.ground:
        codes.append(new.ground or "49")
    return f"{link}\x1b[{';'.join(codes)}m" if codes else link


@lru_cache(maxsize=1024)
def _codes(style: Style, system: ColorSystem) -> Codes:
    attributes = Strip.render_ansi(style.without_color, system)
    colour, ground = style.color, style.bgcolor
    return Codes(
        frozenset(attributes.split(";") if attributes else ()),
        ";".join(colour.downgrade(system).get_ansi_codes()) if colour else "",
        ";".join(ground.downgrade(system).get_ansi_codes(foreground=False)) if ground else "",
        style.link or "",
    )
