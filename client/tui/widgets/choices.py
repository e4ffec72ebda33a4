"""A list of rows to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from client.tui.themes import FollowsTheme

MARK = ">"
"""Stands in the first column of the chosen row, which the others leave free."""


class Choices(OptionList, FollowsTheme):
    """Its chosen row is a bar of one colour with a mark before it, as in the lists of boxes: no colour is
    needed to see it. Prompts are ``Content`` that begins with two blanks.
    """

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
        """Replace the rows; the cursor stays where it is."""
        at = self.highlighted
        self.set_options(options)
        self.highlighted = at

    def theme_changed(self) -> None:
        """Draw all rows anew: the list keeps them as long as its own style stays the same."""
        self._clear_caches()
        self.refresh()

    def action_page_up(self) -> None:
        """Turn a page; there are none before the list is laid out."""
        if self.scrollable_content_region:
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Turn a page; there are none before the list is laid out."""
        if self.scrollable_content_region:
            super().action_page_down()  # type: ignore[no-untyped-call]

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Move the mark to what is chosen."""
        if self._marked is not None:
            option, prompt = self._marked
            if option in self.options:
                self.replace_option_prompt_at_index(self.options.index(option), prompt)
            self._marked = None
        if highlighted is not None:
            option = self.options[highlighted]
            if isinstance(option.prompt, Content):
                self._marked = option, option.prompt
                self.replace_option_prompt_at_index(highlighted, marked(option.prompt))
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
        """Let the text typed next replace the field's."""
        self._typing = False

    async def on_key(self, event: events.Key) -> None:
        """Write it into the field."""
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
        """Take the first line that was pasted."""
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
            self._field.call_later(self._field.action_end)  # The focus may have selected the text.


def marked(prompt: Content) -> Content:
    """Return the row as a chosen one, without colours of its own."""
    return Content(f"{MARK}{prompt.plain[1:]}")
