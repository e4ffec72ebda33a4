"""The start menu, and the only question of a quick game: your name."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cave.wire import MAX_NAME
from client import games
from client.launch import host_tables
from client.launch.held_seats import HeldSeats
from client.launch.opening import (
    ChooseSettings,
    GoOn,
    HowToPlay,
    Learn,
    NewGame,
    Opening,
    Puzzles,
    QuickGame,
    ReplayFile,
    ShowProfile,
    Today,
    Visit,
)
from client.tui.closing_screen import ClosingOnce
from client.tui.title_picture import TitlePicture, TitlePictures, backdrop
from client.tui.widgets.clickable_text import LAST as LAST_HINT
from client.tui.widgets.clickable_text import HintBar, KeyHint, TapHint
from client.tui.widgets.dialog_box import SHRINKS, Card, Sheet
from client.tui.widgets.form_fields import Choices, Field
from client.wording import name_problem

ENTRIES: tuple[tuple[str, str, str, Opening | None], ...] = (
    ("p", "Play now", "a quick game against a bot", QuickGame()),
    ("l", "Learn a game", "a short lesson, played step by step", Learn()),
    ("d", "Cave of the day", "the same cave for everybody, one try that counts", Today()),
    ("z", "Puzzles", "one position, one goal, one first move", Puzzles()),
    ("n", "New game", "friends here, bots, seats for others", NewGame()),
    ("j", "Join a game", "sit down at a table of another host", Visit()),
    ("w", "Watch a game", "see others play", Visit(watching=True)),
    ("r", "Replay", "step through a finished game", ReplayFile()),
    ("y", "You", "wins, points, rating and records", ShowProfile()),
    ("h", "How to play", "what wins, what loses, how a turn goes", HowToPlay()),
    ("s", "Settings", "colours, signs, questions, keys", ChooseSettings()),
    ("q", "Quit", "", None),
)
MOTTO = "Cave-exploration board games for the terminal, with friends or bots."
BANNERS = (
    """\
▀█▀ █ █ █▀▀   █▀▀ █▀█ █ █ █▀▀
 █  █▀█ █▀▀   █   █▀█ ▀▄▀ █▀▀
 ▀  ▀ ▀ ▀▀▀   ▀▀▀ ▀ ▀  ▀  ▀▀▀""",
    r"""
 _____ _  _ ___    ___   ___   _____
|_   _| || | __|  / __| /_\ \ / / __|
  | | | __ | _|  | (__ / _ \ V /| _|
  |_| |_||_|___|  \___/_/ \_\_/ |___|""".removeprefix("\n"),
)
"""The program's name without pictures, in blocks and in ASCII."""
LAST = "last"
ROWS = 16  # rows of the smallest window with room for all entries
BEFORE = 23  # columns of an entry's key and name, with the space after them
ROOM = 50  # most columns of its description
PLATE = 44  # columns beside the entries to keep free for the picture; below that, descriptions are hidden


class EntryLine(NamedTuple):
    """An entry as shown: key, title, description, and internal name."""

    key: str
    title: str
    what: str
    name: str

    def text(self) -> Content:
        return Content.assemble(
            (f"  {self.key}  ", "$text-accent bold"), (f"{self.title:<17}", "bold"), (self.what, "$text-muted")
        )


class MenuScreen(ClosingOnce[Opening | None]):
    """The start menu; its result is the next opening, None to quit. The ``last`` game comes first, with the
    seats of each terminal that left it.

    With ``pictures`` the entries are on a plate in front of one, with their descriptions below.
    """

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
        self,
        message: str = "",
        *,
        wrong: bool = False,
        glyphs: str = "unicode",
        version: str = "",
        last: Sequence[HeldSeats] = (),
        pictures: TitlePictures | None = None,
        chosen: Opening | None = None,
    ) -> None:
        """Select the entry that was ``chosen`` before."""
        super().__init__(classes="-painted" if pictures else None)
        self._chosen = chosen
        self._pictures = pictures
        self._shown: list[EntryLine] = []
        self._told = False
        self._last = last
        self._message = message
        self._wrong = wrong
        self._glyphs = glyphs
        self._version = version

    def compose(self) -> ComposeResult:
        if self._pictures:
            yield TitlePicture(self._pictures)
        with Sheet(id="sheet"):
            yield Center(Static(BANNERS[self._glyphs == "ascii"], markup=False), id="banner")
            yield Static(MOTTO, id="motto", markup=False)
            yield Choices(*self._entry_options(self.app.size.width), id="entries", classes=SHRINKS)
            yield Static(self._message, id="message", classes="-wrong" if self._wrong else "", markup=False)
        if self._pictures:
            yield Static(self._message or MOTTO, id="below", markup=False)
        with HintBar(id="hints"):
            yield TapHint("enter", "Choose")
            yield KeyHint("menu.help", "Help")
            yield KeyHint("menu.quit", "Quit")
            yield Static(self._version, id="version", classes=LAST_HINT, markup=False)

    def _lines(self, width: int) -> Iterator[EntryLine]:
        room = min(ROOM, width - BEFORE - (PLATE if self._pictures else 0))
        self._told = all(len(what) <= room for _, _, what, _ in ENTRIES)
        if self._last:
            # In front of a picture the description is below.
            brief = self._told or not self._pictures
            cut = " ~" if self._glyphs == "ascii" else " …"
            what = ""
            if brief:
                what = textwrap.shorten(host_tables.game_words(self._last, room=room), room, placeholder=cut)
            yield EntryLine("g", "Go on", what, LAST)
        # Without room for all entries, the row below shows how to quit.
        short = self.app.size.height < ROWS
        for number, (key, title, what, _) in enumerate(ENTRIES[: len(ENTRIES) - short]):
            yield EntryLine(key, title, what if self._told else "", str(number))

    def _entry_options(self, width: int) -> list[Option]:
        self._shown = list(self._lines(width))
        return [Option(line.text(), id=line.name) for line in self._shown]

    def _menu_news(self, name: str) -> str:
        if name == LAST:
            return host_tables.game_words(self._last) if self._last else ""
        return ENTRIES[int(name)][2]

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#entries", Choices).fill(self._entry_options(event.size.width))
        for below in self.query("#below"):
            # Its row goes to the last entry if then all fit.
            below.display = bool(self._message) or event.size.height != len(self._shown) + 1

    def on_mount(self) -> None:
        """Select an entry; show its description below if there is no room beside it."""
        at = next((at for at, entry in enumerate(ENTRIES[:-1]) if entry[3] == self._chosen), 0)
        if ENTRIES[at][3] not in (QuickGame(), NewGame()):  # an unfinished game comes first
            entries = self.query_one("#entries", Choices)
            entries.highlighted = entries.get_option_index(str(at))
        self.watch(self.query_one("#entries", OptionList), "highlighted", self._show_news)

    def _show_news(self, now: int | None) -> None:
        if self._message:
            return
        line = None if now is None else self._shown[now]
        said = "" if line is None or line.what == self._menu_news(line.name) else self._menu_news(line.name)
        if self._pictures:
            self.query_one("#below", Static).update(said or MOTTO)
        elif self._told:
            self.show_message(said, wrong=self._wrong)

    def action_pick(self, number: int) -> None:
        self.dismiss(ENTRIES[number][3])

    def action_go_on(self) -> None:
        if self._last:
            self.dismiss(GoOn(self._last[0].table))

    async def action_help(self) -> None:
        from client.tui.help import HelpScreen

        await self.app.push_screen(HelpScreen(games.default_face(), glyphs=self._glyphs, topic="menu"))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == LAST:
            self.action_go_on()
        else:
            self.action_pick(int(event.option_id or 0))


class NameScreen(ClosingOnce[str | None]):
    """Asks for a name; the result is None if the user cancels."""

    CSS_PATH = "menu.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", id="name.back")]

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._person = name

    def compose(self) -> ComposeResult:
        yield from backdrop(self)
        with Vertical(id="sheet"), Card():
            yield Static("What is your name?", id="question")
            yield Field(self._person, placeholder="your name", max_length=MAX_NAME, id="name")
            yield Static("", id="message", markup=False)
        with HintBar(id="hints"):
            yield TapHint("enter", "Play")
            yield KeyHint("name.back", "Back")

    @on(Input.Submitted)
    def _play(self) -> None:
        name = self.query_one("#name", Input).value.strip()
        wrong = name_problem(name)
        if wrong:
            self.show_message("Please type a name." if not name else wrong)
        else:
            self.dismiss(name)
