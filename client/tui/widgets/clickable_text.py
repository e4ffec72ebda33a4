"""Clickable text, and the bar of keys at the bottom of a screen."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.content import Content
from textual.events import Click
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from client.tui.keymap import live_key


class Tap(Static, inherit_bindings=False):
    """Text that runs an action of its screen when clicked."""

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

    def __init__(
        self,
        text: str | Content = "",
        action: str = "",
        *,
        id: str | None = None,  # noqa: A002
        classes: str = "",
    ) -> None:
        super().__init__(text, id=id, classes=classes, markup=False)
        self._action = action

    def on_click(self, event: Click) -> None:
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Run the action after the pending callbacks of the screen."""
        self.screen.call_later(self.screen.run_action, self._action)


def keyed_content(key: str, words: str) -> Content:
    return Content.assemble((f" {key} ", "$text-accent bold"), (f"{words} ", ""))


class TapHint(Tap):
    """A clickable key: a click runs its action, or else presses the key."""

    def __init__(self, key: str, words: str, action: str = "", *, id: str = "") -> None:  # noqa: A002
        super().__init__(keyed_content(key, words), action, id=id or f"hint-{key}")
        self._key = key

    def action_press(self) -> None:
        if self._action:
            super().action_press()
        else:
            self.app.simulate_key(self._key)


class KeyHint(TapHint):
    """A hint that shows the keys of the bindings ``of``, while one is active; a click runs the last one."""

    DEFAULT_CSS: ClassVar[str] = "KeyHint.-idle { display: none; }"

    def __init__(self, of: str, words: str, action: str = "") -> None:
        self._of = of.split()
        super().__init__("", words, action, id=f"hint-{self._of[-1].replace('.', '-')}")
        self._words = words

    def on_mount(self) -> None:
        """Watch for changed keys, and for a focus that changes their meaning."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def set_hint_words(self, words: str) -> None:
        self._words = words
        self._follow(self.screen)

    def action_press(self) -> None:
        if self._action:
            super().action_press()
            return
        for active in self.screen.active_bindings.values():
            if active.binding.id == self._of[-1]:
                self.screen.call_later(self.app.run_action, active.binding.action, active.node)
                break

    def _follow(self, screen: Screen[Any]) -> None:
        keys = live_key(screen, *self._of)
        self.set_class(not keys, "-idle")
        self.update(keyed_content(keys, self._words))


LAST = "-last"  # the class of a hint at the right end, which is shown only if it fits


class Wrapping(Layout):
    """Children side by side, like words in lines."""

    name = "wrapping"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> list[WidgetPlacement]:
        found = []
        x = y = 0
        for child in children:
            styles = child.styles
            margin = styles.margin
            width = child.get_content_width(size, parent.app.size) + styles.gutter.width
            if x and x + margin.left + width > size.width:
                if child.has_class(LAST):
                    continue
                x, y = 0, y + 1
            left = size.width - width if child.has_class(LAST) else x + margin.left
            region = Region(left, y, min(width, size.width), 1)
            found.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, child))
            x += margin.left + width + margin.right
        return found


class HintBar(Widget):
    """Clickable hints; none is truncated."""

    DEFAULT_CSS: ClassVar[str] = "HintBar { width: 100%; height: auto; background: $panel; }"

    @property
    def layout(self) -> Layout:
        return Wrapping()
