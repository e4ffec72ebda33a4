"""Joining and watching: the address of a host, its tables, the names of those who sit down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cave.game import Json
from client.present import setup
from client.present.opening import TableChoice
from client.present.setup import TableLine
from client.tui.widgets.tap import Hint, Tap

Look = Callable[[str], Awaitable[list[Json]]]


class JoinScreen(Screen[TableChoice | None]):
    """Choose a host and a table. ``look`` gives the tables at an address or raises ConnectionError."""

    CSS_PATH = "join.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("ctrl+r", "look", "Look again"),
        Binding("ctrl+s", "sit", "Sit down"),
        Binding("ctrl+w", "watch", "Watch", priority=True),
    ]

    def __init__(
        self, look: Look, *, address: str = "", names: tuple[str, ...] = (), watching: bool = False
    ) -> None:
        super().__init__()
        self._look = look
        self._address = address
        self._names = names
        self._watching = watching
        self._lines: tuple[TableLine, ...] = ()

    def compose(self) -> ComposeResult:
        """Address, tables, names."""
        with Vertical(id="sheet"):
            yield Static(" Watch a game" if self._watching else " Join a game", id="title")
            with Horizontal(classes="line"):
                yield Static("Address", classes="what")
                yield Input(
                    self._address, placeholder="host or host:port, then enter", compact=True, id="address"
                )
                yield Tap(" Look ", "look", id="look", classes="button")
            yield Static("Tables", classes="head")
            yield OptionList(id="tables")
            with Horizontal(classes="line", id="names-line"):
                yield Static("Names", classes="what")
                yield Input(
                    ", ".join(self._names),
                    placeholder="who sits at this keyboard: Ann, Bea",
                    compact=True,
                    id="names",
                )
            yield Static("", id="message", markup=False)
            with Horizontal(id="hints"):
                if not self._watching:
                    yield Hint("ctrl+s", "Sit down", "sit")
                yield Hint("ctrl+w", "Watch", "watch")
                yield Hint("ctrl+r", "Look again", "look")
                yield Hint("tab", "Next", "next")
                yield Hint("esc", "Menu", "back")

    def on_mount(self) -> None:
        """Look at once where an address is known."""
        self.query_one("#names-line").display = not self._watching
        if self._address:
            self.action_look()
        else:
            self.query_one("#address").focus()

    def action_look(self) -> None:
        """Ask the host for its tables."""
        address = self.query_one("#address", Input).value.strip()
        if not address:
            self._say("Type the address of the host; it shows it while it waits for players.")
            return
        self._say(f"Looking at {address} ...")
        self.run_worker(self._tables(address), exclusive=True)

    async def _tables(self, address: str) -> None:
        listed = self.query_one("#tables", OptionList)
        listed.clear_options()
        self._lines = ()
        try:
            self._lines = setup.table_lines(await self._look(address))
        except (ConnectionError, ValueError) as error:
            self._say(str(error))
            return
        listed.add_options([Option(self._row(line), id=line.table) for line in self._lines])
        if self._lines:
            listed.highlighted = 0
            listed.focus()
            self._say("Choose a table.")
        else:
            self._say("There is no table there yet. Look again in a moment (ctrl+r).")

    def _row(self, line: TableLine) -> Content:
        free = {0: "no open seat", 1: "1 open seat"}.get(line.open_seats, f"{line.open_seats} open seats")
        return Content.assemble(
            (f" {line.title:<16.16} ", "bold"), (f"{free:<14}", ""), (line.text, "$text-muted")
        )

    def _chosen(self) -> TableLine | None:
        number = self.query_one("#tables", OptionList).highlighted
        if number is None or number >= len(self._lines):
            self._say("Choose a table first: type an address and press enter.")
            return None
        return self._lines[number]

    def action_sit(self) -> None:
        """Sit down at the chosen table."""
        line = self._chosen()
        if line is None:
            return
        names = setup.split_names(self.query_one("#names", Input).value)
        wrong = next((text for name in names if (text := setup.name_problem(name))), "")
        if not names:
            wrong = "Type the name of each person at this keyboard."
        elif len(names) > line.open_seats:
            seats = "1 open seat" if line.open_seats == 1 else f"{line.open_seats or 'no'} open seats"
            wrong = f"This table has {seats}; you can watch it (ctrl+w)."
        if wrong:
            self._say(wrong)
            if not names:
                self.query_one("#names").focus()
        else:
            self._done(line, names)

    def action_watch(self) -> None:
        """Watch the chosen table."""
        line = self._chosen()
        if line is not None:
            self._done(line, ())

    def _done(self, line: TableLine, names: tuple[str, ...]) -> None:
        address = self.query_one("#address", Input).value.strip()
        self.dismiss(TableChoice(address, line.table, names))

    def action_back(self) -> None:
        """To the menu."""
        self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one("#message", Static).update(text)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        if self._watching:
            self.action_watch()
        else:
            self.action_sit()

    @on(Input.Submitted, "#address")
    def _address_given(self) -> None:
        self.action_look()

    @on(Input.Submitted, "#names")
    def _names_given(self) -> None:
        self.action_sit()

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "sit":
                self.action_sit()
            case "watch":
                self.action_watch()
            case "look":
                self.action_look()
            case "next":
                self.focus_next()
            case _:
                self.action_back()
