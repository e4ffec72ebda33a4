"""The start menu, and the one question of a quick game: your name."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cave.wire import MAX_NAME
from client import games
from client.launch import new_game
from client.launch.held_seats import Held
from client.launch.opening import (
    ChooseSettings,
    GoOn,
    HowToPlay,
    NewGame,
    Opening,
    QuickGame,
    ReplayFile,
    Visit,
)
from client.tui.widgets.box import SHRINKS, Sheet
from client.tui.widgets.hint_bar import LAST as LAST_HINT
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.tap import Hint, KeyHint, Tap

ENTRIES: tuple[tuple[str, str, str, Opening | None], ...] = (
    ("p", "Play now", "a quick game against a bot", QuickGame()),
    ("n", "New game", "friends here, bots, seats for others", NewGame()),
    ("j", "Join a game", "sit down at a table of another host", Visit()),
    ("w", "Watch a game", "see others play", Visit(watching=True)),
    ("r", "Replay", "step through a finished game", ReplayFile()),
    ("h", "How to play", "what wins, what loses, how a turn goes", HowToPlay()),
    ("s", "Settings", "colours, signs, questions, keys", ChooseSettings()),
    ("q", "Quit", "", None),
)
LAST = "last"
BEFORE = 19
"""Cells for the key and the name of an entry."""
ROOM = 50
"""The most cells for what is said of it."""


class MenuScreen(Screen[Opening | None]):
    """What to do; the result is what to open next, None to quit. The ``last`` game comes first."""

    CSS_PATH = "menu.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *[
            Binding(key, f"pick({number})", title, id=f"menu.{title.split()[0].lower()}")
            for number, (key, title, _, _) in enumerate(ENTRIES)
        ],
        Binding("g", "go_on", "Go on", id="menu.go_on"),
        Binding("question_mark,f1", "help", "Help", id="menu.help"),
    ]

    def __init__(
        self, message: str = "", *, glyphs: str = "unicode", version: str = "", last: Held | None = None
    ) -> None:
        super().__init__()
        self._last = last
        self._message = message
        self._glyphs = glyphs
        self._version = version

    def compose(self) -> ComposeResult:
        """The name of the game, the entries, what just happened, the keys."""
        with Sheet(id="sheet"):
            yield Static(self._banner(), id="banner", markup=False)
            yield Static(
                "Cave-exploration board games for the terminal, with friends or bots.",
                id="motto",
                markup=False,
            )
            yield OptionList(*self._options(self.app.size.width), id="entries", classes=SHRINKS)
            yield Static(self._message, id="message", markup=False)
        with HintBar(id="hints"):
            yield Hint("enter", "Choose", "choose")
            yield KeyHint("menu.help", "Help", "help")
            yield KeyHint("menu.quit", "Quit", "quit")
            yield Static(self._version, id="version", classes=LAST_HINT, markup=False)

    def _options(self, width: int) -> Iterator[Option]:
        """The entries for a window of so many columns: something is said of all of them, or of none."""
        room = min(ROOM, width - BEFORE)
        told = all(len(what) <= room for _, _, what, _ in ENTRIES)
        if self._last is not None:
            what = textwrap.shorten(new_game.last_game(self._last), room, placeholder=" ...")
            yield _option("g", "Go on", what, LAST)
        for number, (key, title, what, _) in enumerate(ENTRIES):
            yield _option(key, title, what if told else "", str(number))

    def on_resize(self, event: events.Resize) -> None:
        """Say what there is room for."""
        entries = self.query_one("#entries", OptionList)
        at = entries.highlighted
        entries.set_options(self._options(event.size.width))
        entries.highlighted = at

    def _banner(self) -> str:
        rock, gap = ("▒", "⌂") if self._glyphs == "unicode" else ("#", "^")
        return "\n".join(
            (
                f"{rock * 15}   {rock * 13}",
                f"{rock * 2} {gap}     T H E   C A V E     {rock * 3}",
                f"{rock * 9}   {rock * 19}",
            )
        )

    def action_pick(self, number: int) -> None:
        """Choose an entry."""
        self.dismiss(ENTRIES[number][3])

    def action_go_on(self) -> None:
        """Go on with the last game, where there is one."""
        if self._last is not None:
            self.dismiss(GoOn(self._last.table))

    async def action_help(self) -> None:
        """What the game is about."""
        from client.tui.screens.help import HelpScreen

        await self.app.push_screen(HelpScreen(games.first(), glyphs=self._glyphs, topic="menu"))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == LAST:
            self.action_go_on()
        else:
            self.action_pick(int(event.option_id or 0))

    @on(Tap.Pressed)
    async def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "help":
                await self.action_help()
            case "quit":
                self.action_pick(len(ENTRIES) - 1)
            case _:
                self.query_one("#entries", OptionList).action_select()


def _option(key: str, title: str, what: str, name: str) -> Option:
    text = Content.assemble(
        (f" {key}  ", "$text-accent bold"), (f"{title:<15}", "bold"), (what, "$text-muted")
    )
    return Option(text, id=name)


class NameScreen(Screen[str | None]):
    """Asks for a name; the result is None when it was put off."""

    CSS_PATH = "menu.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", id="name.back")]

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._person = name

    def compose(self) -> ComposeResult:
        """The question."""
        with Vertical(id="sheet"):
            yield Static("What is your name?", id="question")
            yield Input(self._person, placeholder="your name", max_length=MAX_NAME, id="name")
            yield Static("", id="message", markup=False)
        with HintBar(id="hints"):
            yield Hint("enter", "Play", "play")
            yield KeyHint("name.back", "Back", "back")

    def action_back(self) -> None:
        """Not now."""
        self.dismiss(None)

    def _play(self) -> None:
        name = self.query_one("#name", Input).value.strip()
        wrong = new_game.name_problem(name)
        if wrong:
            self.query_one("#message", Static).update("Please type a name." if not name else wrong)
        else:
            self.dismiss(name)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._play()

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        if event.does == "play":
            self._play()
        else:
            self.action_back()
