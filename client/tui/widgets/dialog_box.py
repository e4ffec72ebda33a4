"""Sheets, cards and boxes; a list in them shrinks if the box is too low for it."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.containers import Vertical
from textual.geometry import Size
from textual.layout import Layout, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget

from client.tui.closing_screen import ClosingOnce
from client.tui.themes import FollowsTheme, shows_pictures

SHRINKS = "-shrinks"  # the class of the child that shrinks
BELOW = "-below"
"""The class of a screen whose box is a sheet at the bottom, so that the board above it stays visible."""


class Shrinking(VerticalLayout):
    """A vertical layout; missing rows are taken from the child that may shrink, not from the last."""

    name = "shrinking"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> list[WidgetPlacement]:
        """Return the children's places; without a height all have their full height."""
        placements = super().arrange(parent, children, size, greedy)
        end = max((placed.region.bottom + placed.margin.bottom for placed in placements), default=0)
        over = end - size.height if size.height else 0
        if over <= 0:
            return placements
        found, moved = [], 0
        for placed in placements:
            region = placed.region.translate((0, -moved))
            if placed.widget.has_class(SHRINKS):
                moved = min(over, region.height - 1)
                region = region.shrink((0, 0, moved, 0))
            found.append(placed._replace(region=region))
        return found


class Sheet(Vertical):
    """As high as its content, but never higher than the screen."""

    DEFAULT_CSS = "Sheet { height: auto; max-height: 100%; }"

    @property
    def layout(self) -> Layout:
        return Shrinking()


class Carded(FollowsTheme):
    """A part of a screen with its own background, if backgrounds are visible (``-card``)."""

    def __init__(self, *children: Widget, **options: Any) -> None:
        super().__init__(*children, **options)
        # Set before the styles are computed: later, all styles inside would be computed again.
        self.set_class(shows_pictures(self.app), "-card", update=False)

    def theme_changed(self) -> None:
        """Update ``-card``: the visibility of backgrounds may have changed."""
        self.set_class(shows_pictures(self.app), "-card")


class Card(Vertical, Carded):
    """Lines that belong together."""

    DEFAULT_CSS = """
    Card {
        height: auto;
        background: $surface;
        border-top: solid $line;
        &.-card { border-top: block $surface; border-bottom: block $surface; }
    }
    .-ascii Card { border-top: ascii $line; }
    """


class Clearing(Sheet):
    """The ground of a box over another screen, with blank margins, so that no letters are cut in half."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    Clearing { width: 78; max-height: 90%; padding: 0 1; background: $background; }
    .-narrow Clearing, .-normal Clearing { width: 100%; padding: 0; }
    .-short Clearing { max-height: 100%; }
    .-below { align: left bottom; }
    .-below Clearing { width: 100%; max-height: 50%; padding: 0; }
    .-below.-short Clearing { max-height: 9; }
    """


class Box(Sheet, Carded):
    """A sheet over another screen: a card with a margin of half a row, or a frame of lines."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    Box {
        border: round $line;
        background: $panel;
        &.-card { border: block $panel; }
        & Panel { background: transparent; }
    }
    .-ascii Box { border: ascii $line; }
    .-below Box { border: none; border-top: solid $line; }
    .-below Box.-card { border: none; border-top: block $panel; }
    .-below.-ascii Box { border: none; border-top: ascii $line; }
    .-below.-above Box { border: none; border-bottom: solid $line; }
    .-below.-above Box.-card { border: none; border-bottom: block $panel; }
    .-below.-above.-ascii Box { border: none; border-bottom: ascii $line; }
    """

    def __init__(self, *children: Widget, **options: Any) -> None:
        super().__init__(*children, **options)
        self.set_class(True, SHRINKS, update=False)


class BoxScreen(ModalScreen[ScreenResultType], ClosingOnce[ScreenResultType]):
    """A box over another screen; a click beside it closes it. ``line`` is the glyph of its lines."""

    def __init__(self, *, line: str, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._line = line

    def on_mount(self) -> None:
        self.set_class(self._line == "-", "-ascii")

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)
