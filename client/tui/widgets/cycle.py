"""A one-line choice between a few words: left and right, space, or a click change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from client.tui.widgets.panel import fit

MARKS = 4
"""Cells of the marks, with a blank beside each."""


class Cycle(Widget, can_focus=True):
    """The choice; ``value`` is the chosen one of ``options`` (value and word)."""

    DEFAULT_CSS: ClassVar[str] = """
    Cycle {
        width: auto;
        height: 1;
        padding: 0 1;
        background: $cap;
        pointer: pointer;
        &:focus { background: $primary; color: $text; text-style: bold; }
        &:hover { text-style: bold; }
    }
    """
    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "turn(1)", "next", show=False, id="choice.next"),
        Binding("left,backspace", "turn(-1)", "previous", show=False, id="choice.previous"),
        Binding("enter", "app.focus_next", "to the next field", show=False, id="choice.on"),
    ]

    index: reactive[int] = reactive(0)

    class Changed(Message):
        """Another value was chosen by a person."""

        def __init__(self, cycle: Cycle, value: Any) -> None:
            super().__init__()
            self.cycle = cycle
            self.value = value

        @property
        def control(self) -> Cycle:
            """The choice that changed."""
            return self.cycle

    def __init__(
        self,
        options: Sequence[tuple[Any, str]],
        value: Any,
        *,
        glyphs: str = "unicode",
        id: str | None = None,  # noqa: A002
        classes: str = "",
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._options = tuple(options)
        self._marks = ("<", ">") if glyphs == "ascii" else ("‹", "›")
        self.set_reactive(Cycle.index, [each for each, _ in options].index(value))

    @property
    def value(self) -> Any:
        """The chosen value."""
        return self._options[self.index][0]

    def choose(self, value: Any) -> None:
        """Choose a value from outside, if it is offered; nobody is told."""
        values = [each for each, _ in self._options]
        if value in values:
            self.index = values.index(value)

    def offer(self, options: Sequence[tuple[Any, str]], otherwise: Any) -> None:
        """Offer other options; a value that is none of them gives way to another."""
        value = self.value if self.value in dict(options) else otherwise
        self._options = tuple(options)
        self.choose(value)
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the longest word with its marks."""
        return MARKS + max(len(text) for _, text in self._options)

    def render(self) -> RenderResult:
        """Return the word between two marks, which stay in sight where the word has to be cut."""
        before, after = self._marks
        word = fit(self._options[self.index][1], max(0, self.content_size.width - MARKS))
        return Content(f"{before} {word} {after}")

    def action_turn(self, by: int) -> None:
        """Go to the next or the one before."""
        self.index = (self.index + by) % len(self._options)
        self.post_message(self.Changed(self, self.value))

    def on_click(self, event: Click) -> None:
        """Go back by the left mark, on by anything else."""
        event.stop()
        self.action_turn(-1 if event.x <= 1 else 1)
