"""A list of rows to choose from."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content
from textual.widgets import OptionList
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


def marked(prompt: Content) -> Content:
    """Return the row as a chosen one, without colours of its own."""
    return Content(f"{MARK}{prompt.plain[1:]}")
