"""Help: the rules that matter now, the rules in brief and in full, the map's legend, the keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from cave.glossary import find_words, load_glossary
from client.face import Face, Page
from client.present import help_pages as words
from client.tui.board.view import Block, BoardView, text_of
from client.tui.chooser import ChooserScreen, Entry
from client.tui.closing_screen import ClosingOnce
from client.tui.keymap import show_keys
from client.tui.themes import FollowsTheme, boards_are_lit
from client.tui.widgets.clickable_text import HintBar, KeyHint, Tap, TapHint
from client.tui.widgets.panel import Panel, Row, Span, wrap

WORDS = "{take} the rule   {back} back"
HEADING = re.compile(r"^(?:\S.*\n)+(?=  \S)", re.MULTILINE)  # at the left, with indented lines below
BESIDE = 5  # columns beside the text: its margins and a scrollbar


Keys = Mapping[tuple[str, str], str]  # actions by their keys and descriptions


def live_keys(screen: Screen[Any]) -> Keys:
    """Return the present keys of a screen; Textual's own have no ids."""
    keys: dict[tuple[str, str], list[str]] = {}
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if binding.description and binding.id and not binding.system:
            keys.setdefault((binding.description, binding.action), []).append(key)
    return {(_keys_together(found), does): action for (does, action), found in keys.items()}


def open_help(screen: Screen[Any], face: Face, glyphs: str) -> None:
    """Open the help with the keys of a screen; a click on one only closes the help."""
    screen.app.push_screen(HelpScreen(face, glyphs=glyphs, keys=live_keys(screen)))


def _keys_together(keys: Sequence[str]) -> str:
    return both if len(both := show_keys(keys[:2])) < words.KEY_COLUMN else show_keys(keys[-1:])


def _click_style(action: str) -> Style:
    return Style.from_meta({"@click": f"screen.{action}"})


class HelpScreen(ClosingOnce[str | None]):
    """Pages to read; any of the closing keys returns. The result is the action of a clicked key's line."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,f1", "back", "Back", id="help.back"),
        Binding("tab,right,l", "turn(1)", "Next page", id="help.next", priority=True),
        Binding("shift+tab,left,h", "turn(-1)", "Page before", id="help.before", priority=True),
        Binding("w", "words", "Words", id="help.words"),
        *[
            Binding(str(number), f"open({number - 1})", f"Page {number}", show=False, id=f"help.page_{number}")
            for number in range(1, 6)
        ],
    ]

    def __init__(
        self,
        face: Face,
        *,
        glyphs: str = "unicode",
        topic: str = "game",
        about: Sequence[str] = (),
        goal: Sequence[str] = (),
        keys: Keys | None = None,
    ) -> None:
        super().__init__()
        self.face, self._glyphs = face, glyphs
        self._keys = keys or {}
        listed = list(self._keys)
        self._made = partial(words.list_pages, topic, face, glyphs, about=about, goal=goal, keys=listed)
        self._pages = self._made()
        self._page = 0

    def compose(self) -> ComposeResult:
        with HintBar(id="tabs"):
            for number, page in enumerate(self._pages):
                yield Tap(f" {number + 1} {page.title} ", f"open({number})", classes="tab")
        with VerticalScroll(id="sheet"):
            yield Legend(id="legend")
            yield Static("", id="page", markup=False)
        with HintBar(id="hints"):
            yield TapHint("up", "Scroll up", "scroll(-1)")
            yield TapHint("down", "Scroll down", "scroll(1)")
            yield KeyHint("help.next", "Next page")
            if load_glossary(self.face.game):
                yield KeyHint("help.words", "Words")
            yield KeyHint("help.back", "Back")

    def on_mount(self) -> None:
        # The page's length is known after each layout.
        self.watch(self.query_one("#sheet"), "show_vertical_scrollbar", self._hint_scrolling)
        self.action_open(0)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the pages again if they are too wide."""
        pages = self._made(width=event.size.width - BESIDE)
        if pages != self._pages:
            self._pages = pages
            self.action_open(self._page)

    def action_open(self, number: int) -> None:
        if number >= len(self._pages):
            return
        self._page = number
        page, legend = self._pages[number], self.query_one(Legend)
        legend.display = page.drawn
        if page.drawn:
            boards = (board for screen in self.app.screen_stack for board in screen.query(BoardView))
            board = next(boards, None)
            light = getattr(board, "light", boards_are_lit(self.app, "auto"))
            zoom = board.zoom if board else ""
            legend.show(partial(self.face.legend, legend, self._glyphs, light=light, zoom=zoom))
        sheet = self.query_one("#page", Static).set_class(page.title == words.KEYS, "-keys")
        sheet.update(self._painted_page(page))
        self.query_one("#sheet").scroll_home(animate=False)
        for index, tab in enumerate(self.query(".tab")):
            tab.set_class(index == number, "-open")

    def _hint_scrolling(self, longer: bool) -> None:
        for hint in self.query("#hint-up, #hint-down"):
            hint.display = longer

    def _painted_page(self, page: Page) -> Content:
        text = Content(page.text)
        headings = [heading.span() for heading in HEADING.finditer(page.text)]
        for heading in headings:
            text = text.stylize("$title bold", *heading)
        if page.title == words.KEYS:
            for (key, does), action in self._keys.items():
                if line := re.search(f"{re.escape(key)} +{re.escape(does)}", page.text):
                    text = text.stylize(_click_style(f"act({action!r})"), *line.span())
            return text
        linked: set[str] = set()  # Once per page is enough: the tooltips explain a word everywhere.
        for place, word in find_words(self.face.game, page.text):
            if word not in linked and not any(start <= place.start < end for start, end in headings):
                linked.add(word)
                text = text.stylize(_click_style(f"words({word!r})"), place.start, place.stop)
        return text

    def action_words(self, word: str = "") -> None:
        """Show the words of the rules, with a search; the chosen one opens its rule."""
        entries = [
            Entry(name, found.rule, detail=f"{found.says} (rule {found.rule})")
            for name, found in load_glossary(self.face.game).items()
        ]
        line = "-" if self._glyphs == "ascii" else "─"
        self.app.push_screen(ChooserScreen("Words", entries, line=line, search=word, hint=WORDS), self._open_rule)

    def _open_rule(self, rule: str | None) -> None:
        if rule is not None:
            last = len(self._pages) - 1
            self.action_open(last)
            lines = self._pages[last].text.splitlines()
            at = next((y for y, line in enumerate(lines) if re.match(rf"\s*{re.escape(rule)}\.? ", line)), 0)
            self.call_after_refresh(self.query_one("#sheet").scroll_to, y=at, animate=False)

    def action_act(self, action: str) -> None:
        """Close the help and run an action."""
        self.dismiss(action)

    def action_turn(self, by: int) -> None:
        self.action_open((self._page + by) % len(self._pages))

    def action_scroll(self, pages: int) -> None:
        """Scroll by this many screens; up if negative."""
        sheet = self.query_one("#sheet")
        sheet.scroll_relative(y=pages * sheet.size.height, animate=False)


LEAST_WORDS = 17  # columns of a sentence from which tall samples are side by side
GAP = 2


class Legend(Panel, FollowsTheme):
    """Samples from the top, tall ones in two columns if they fit."""

    _samples: Sequence[tuple[Block, str]] = ()
    _draw: Callable[[], Iterable[tuple[Block, str]]] = tuple

    def show(self, draw: Callable[[], Iterable[tuple[Block, str]]]) -> None:
        """Show the samples that ``draw`` returns; it is called again for another theme."""
        self._draw = draw
        self.theme_changed()

    def theme_changed(self) -> None:
        self._samples = [*self._draw()]
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        blocks = [block for block, _ in self._samples]
        wide = max((len(text_of(row)) for block in blocks for row in block), default=0) + GAP
        is_tall = any(len(block) > 1 for block in blocks)
        across = 2 if is_tall and width >= 2 * (wide + LEAST_WORDS) else 1
        found: list[Row] = []
        for start in range(0, len(blocks), across):
            beside = self._samples[start : start + across]
            cells = [_legend_sample(block, words, wide, width // across) for block, words in beside]
            blank = [Span(" " * (width // across))]
            found += [[span for cell in line for span in cell] for line in zip_longest(*cells, fillvalue=blank)]
            found += [[]] * is_tall
        return found


def _legend_sample(block: Block, words: str, wide: int, width: int) -> list[Row]:
    lines = wrap(words, width - wide - GAP)
    first = max(0, (len(block) - len(lines)) // 2)
    rows: list[Row] = []
    for number in range(max(len(block), len(lines))):
        row = [Span(text, look=look) for text, look, _ in (block[number] if number < len(block) else ())]
        row.append(Span(" " * (wide - sum(len(span.text) for span in row))))
        line = lines[number - first] if 0 <= number - first < len(lines) else ""
        rows.append([*row, Span(f"{line:<{width - wide}}")])
    return rows
