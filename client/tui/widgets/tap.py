"""A piece of text that can be clicked: the mouse's way to what a key does."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from client.tui.keymap import live


class Tap(Static, inherit_bindings=False):
    """Text that posts ``Pressed`` when clicked; ``does`` is the word its screen knows it by."""

    DEFAULT_CSS: ClassVar[str] = """
    Tap {
        width: auto;
        height: 1;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        pointer: pointer;
        &:hover { background: $boost; text-style: bold; }
        &.-off { color: $text-muted; }
    }
    """
    ALLOW_SELECT: ClassVar[bool] = False

    class Pressed(Message):
        """The text was clicked."""

        def __init__(self, tap: Tap) -> None:
            super().__init__()
            self.tap = tap
            self.does = tap.does

        @property
        def control(self) -> Tap:
            """The text that was clicked."""
            return self.tap

    def __init__(
        self,
        text: str | Content = "",
        does: str = "",
        *,
        id: str | None = None,  # noqa: A002
        classes: str = "",
    ) -> None:
        super().__init__(text, id=id, classes=classes, markup=False)
        self.does = does

    def on_click(self, event: Click) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Pressed(self))


def keyed(key: str, words: str) -> Content:
    """Return a hint: the key, then what it does."""
    return Content.assemble((f" {key} ", "$text-accent bold"), (f"{words} ", ""))


class TapHint(Tap):
    """A key and what it does, as one clickable hint of the bottom line."""

    def __init__(
        self,
        key: str,
        words: str,
        does: str,
        *,
        id: str | None = None,  # noqa: A002
        classes: str = "",
    ) -> None:
        super().__init__(keyed(key, words), does, id=id or f"hint-{does}", classes=classes)


class KeyHint(TapHint):
    """A hint that follows its bindings: it shows the keys that they have now, and is there only while
    one of them does something. ``of`` are their ids.
    """

    DEFAULT_CSS: ClassVar[str] = "KeyHint.-idle { display: none; }"

    def __init__(
        self,
        of: str,
        words: str,
        does: str,
        *,
        id: str | None = None,  # noqa: A002
        classes: str = "",
    ) -> None:
        super().__init__("", words, does, id=id, classes=classes)
        self._of = of.split()
        self._words = words

    def on_mount(self) -> None:
        """Hear of other keys, and of a focus where they mean something else."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def say(self, words: str) -> None:
        """Show other words."""
        self._words = words
        self._follow(self.screen)

    def _follow(self, screen: Screen[Any]) -> None:
        keys = live(screen, *self._of)
        self.set_class(not keys, "-idle")
        self.update(keyed(keys, self._words))
