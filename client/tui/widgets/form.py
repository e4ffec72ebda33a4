"""The parts of forms: lines that scroll, fields to write in, and a button."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, Static

from client.tui.widgets.box import Carded
from client.tui.widgets.tap import Tap


class Lines(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The lines of a form; they scroll as one goes from field to field."""

    DEFAULT_CSS: ClassVar[str] = "Lines { scrollbar-size-vertical: 1; }"


def line(title: str, *fields: Widget, id: str | None = None) -> Horizontal:  # noqa: A002
    """Return a line of a form."""
    return Horizontal(Static(title, classes="what"), *fields, classes="line", id=id)


class Field(Input, Carded):
    """One row to write in. Where grounds cannot be told apart it has an edge at both ends."""

    DEFAULT_CSS: ClassVar[str] = """
    Field {
        height: 1;
        border: none;
        border-left: ascii $line;
        border-right: ascii $line;
        padding: 0;
        background: $cap;
        &:focus {
            border: none;
            border-left: ascii $key;
            border-right: ascii $key;
            background: $boost;
            background-tint: $foreground 0%;
        }
        &.-card { border: none; padding: 0 1; }
        &.-card:focus { border: none; }
    }
    """


class Button(Tap, Carded, can_focus=True):
    """A tap that a key can reach, too."""

    DEFAULT_CSS: ClassVar[str] = """
    Button {
        border-left: ascii $background;
        border-right: ascii $background;
        padding: 0 1;
        background: $primary;
        color: $text;
        &:focus { background: $key; color: $background; text-style: bold; }
        &:ansi {
            border-left: ascii $line;
            border-right: ascii $line;
            background: $background;
            color: $foreground;
            text-style: bold;
        }
        &.-card { border: none; padding: 0 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "press the button", show=False, id="choice.press"),
    ]
