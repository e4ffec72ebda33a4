"""The parts of forms: scrolling lines, fields, buttons, lists to choose from, and one-line choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.tui.themes import FollowsTheme
from client.tui.widgets.clickable_text import Tap
from client.tui.widgets.dialog_box import Carded
from client.tui.widgets.panel import fit

EDITING = {
    key: binding.action for binding in Input.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")
}


class TextInput(Input):
    """Textual writes a letter at once, but lets an editing key go up to the app first: of keys that arrive
    together, as on a slow line, backspace would delete the letters typed after it.
    """

    async def on_key(self, event: Key) -> None:
        if event.key in EDITING:
            event.prevent_default().stop()
            await self.run_action(EDITING[event.key])


REVERSED = Style(reverse=True)


class Lines(VerticalScroll, can_focus=False, inherit_bindings=False):
    DEFAULT_CSS: ClassVar[str] = "Lines { scrollbar-size-vertical: 1; }"


def line(title: str, *fields: Widget, id: str | None = None) -> Horizontal:  # noqa: A002
    return Horizontal(Static(title, classes="what"), *fields, classes="line", id=id)


class Field(TextInput, Carded):
    """An input of one row. If backgrounds are not visible, it has an edge at both ends."""

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
        &:ansi > .input--placeholder { color: $tip; text-style: none; }
        &:nocolor > .input--placeholder { text-style: dim; }
        &.-card { border: none; padding: 0 1; }
        &.-card:focus { border: none; }
    }
    """


class Button(Tap, Carded, can_focus=True):
    """A tap that can also have the focus."""

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
            text-style: bold reverse;
        }
        &:nocolor { text-style: bold; }
        &.-card { border: none; padding: 0 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "press the button", show=False, id="choice.press")
    ]


MARK = ">"  # the sign in the first column of the selected row, which is blank in others


class Choices(OptionList, FollowsTheme):
    """A list whose selected row is a bar with a mark; prompts begin with two blanks."""

    DEFAULT_CSS: ClassVar[str] = """
    Choices {
        border: none;
        padding: 0;
        background: $surface;
        scrollbar-size-vertical: 1;
        & > .option-list--option { padding: 0 1 0 0; }
        & > .option-list--option-highlighted { text-style: bold; }
        &:focus { border: none; background-tint: $foreground 0%; }
        &:focus > .option-list--option-highlighted, &.-always > .option-list--option-highlighted {
            background: $key;
            color: $background;
            text-style: bold;
        }
    }
    """
    _marked: tuple[Option, Content] | None = None

    def fill(self, options: Iterable[Option]) -> None:
        """Replace the rows; the cursor does not move."""
        at = self.highlighted
        self.set_options(options)
        self.highlighted = at

    def theme_changed(self) -> None:
        """Redraw all rows: the list caches them as long as its own style stays the same."""
        if self.option_count:  # setting a prompt, even the same, clears the cache
            self.replace_option_prompt_at_index(0, self.get_option_at_index(0).prompt)

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        chosen = self.app.current_theme.ansi and (self.has_focus or self.has_class("-always"))
        if chosen and any(style and style.meta.get("option") == self.highlighted for _, style, _ in strip):
            strip = Strip(Segment.apply_style(strip, post_style=REVERSED), strip.cell_length)
        return strip

    def action_page_up(self) -> None:
        """Turn a page; there are none before the list is laid out."""
        if self.scrollable_content_region:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Turn a page; there are none before the list is laid out."""
        if self.scrollable_content_region:
            super().action_page_down()  # type: ignore[no-untyped-call]

    def watch_highlighted(self, highlighted: int | None) -> None:
        if self._marked is not None:
            option, prompt = self._marked
            if option in self.options:
                self.replace_option_prompt_at_index(self.options.index(option), prompt)
            self._marked = None
        if highlighted is not None:
            option = self.options[highlighted]
            if isinstance(option.prompt, Content):
                self._marked = option, option.prompt
                self.replace_option_prompt_at_index(highlighted, marked_choice(option.prompt))
        super().watch_highlighted(highlighted)


class ChoicesOrField(Choices):
    """A list beside a ``field``: text typed or pasted while the list has the focus goes into the field.

    Text may arrive in one go. The field has the focus only once every key sent here has been handled, so
    that none is lost and none overtakes another.
    """

    def __init__(self, field: Input, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._field = field
        self._typing = False

    def on_focus(self) -> None:
        """Let the next typed text replace the field's."""
        self._typing = False

    async def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.character:
            self._write(event.character)
        elif self._typing and event.key == "backspace":
            self._field.action_delete_left()
        elif self._typing and event.key == "enter":
            await self._field.action_submit()
        else:
            return
        event.prevent_default().stop()

    def on_paste(self, event: events.Paste) -> None:
        """Insert the first pasted line."""
        event.stop()
        self._write(event.text.strip().partition("\n")[0])

    def _write(self, text: str) -> None:
        if not self._typing:
            self._typing = True
            self._field.value = ""
            self.call_later(self._hand_over)
        self._field.insert_text_at_cursor(text)

    def _hand_over(self) -> None:
        if self.message_queue_size:
            self.call_later(self._hand_over)
        elif self.has_focus:
            self.screen.set_focus(self._field)
            self._field.call_later(self._field.action_end)  # the focus may have selected the text


def marked_choice(prompt: Content) -> Content:
    """Return the row as selected, without its own colours."""
    return Content(f"{MARK}{prompt.plain[1:]}")


MARKS = 4  # cells of the marks, with a blank beside each


class Cycle(Widget, can_focus=True):
    """The choice; ``value`` is the selected one of ``options`` (value and word)."""

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
        """The user chose another value."""

        def __init__(self, cycle: Cycle, value: Any) -> None:
            super().__init__()
            self.cycle = cycle
            self.value = value

        @property
        def control(self) -> Cycle:
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
    def chosen_value(self) -> Any:
        return self._options[self.index][0]

    def choose(self, value: Any) -> None:
        """Set the value without posting a message. Ignored if it is not an option."""
        values = [each for each, _ in self._options]
        if value in values:
            self.index = values.index(value)

    def offer(self, options: Sequence[tuple[Any, str]], otherwise: Any) -> None:
        """Offer other options; a value that is not among them is replaced."""
        value = self.chosen_value if self.chosen_value in dict(options) else otherwise
        self._options = tuple(options)
        self.choose(value)
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the longest word with its marks."""
        return MARKS + max(len(text) for _, text in self._options)

    def render(self) -> RenderResult:
        """Return the word between two marks, which stay visible if the word has to be truncated."""
        before, after = self._marks
        word = fit(self._options[self.index][1], max(0, self.content_size.width - MARKS))
        return Content(f"{before} {word} {after}")

    def action_turn(self, by: int) -> None:
        self.index = (self.index + by) % len(self._options)
        self.post_message(self.Changed(self, self.chosen_value))

    def on_click(self, event: Click) -> None:
        """Go back on a click on the left mark, else forward."""
        event.stop()
        self.action_turn(-1 if event.x <= 1 else 1)
