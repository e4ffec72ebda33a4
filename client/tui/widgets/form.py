"""What a form has besides its fields: lines that scroll, and a button."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from client.tui.widgets.tap import Tap


class Lines(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The lines of a form; they scroll as one goes from field to field."""

    DEFAULT_CSS: ClassVar[str] = "Lines { scrollbar-size-vertical: 1; }"


class Button(Tap, can_focus=True):
    """A tap that a key can reach, too."""

    DEFAULT_CSS: ClassVar[str] = """
    Button {
        padding: 0 1;
        background: $cap;
        &:focus { background: $primary; color: $text; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "press the button", show=False, id="choice.press"),
    ]

    def action_press(self) -> None:
        """The keys' way."""
        self.post_message(self.Pressed(self))
