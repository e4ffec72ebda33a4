"""Joining and watching: a host of the local network or an address, its tables, the names of those who
sit down.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar

from textual import events, on
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
from client.seats import Held
from client.table_state import Rejected
from client.tui.keymap import live
from client.tui.widgets.host_list import Browse, HostList
from client.tui.widgets.tap import Hint, KeyHint, Tap

Look = Callable[[str], Awaitable[list[Json]]]
YOURS = "You have a seat at the first table; enter goes on there."


class JoinScreen(Screen[TableChoice | None]):
    """Choose a host and a table.

    ``look`` gives the tables at an address or raises ConnectionError; ``held`` the seats one holds at the
    host looked at last, by table. With ``browse`` the hosts of the local network are shown, and the
    ``address`` is one to choose; without, it is looked at at once.
    """

    CSS_PATH = "join.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="join.back"),
        Binding("ctrl+r", "look", "Look again", id="join.look"),
        Binding("ctrl+s", "sit", "Sit down", id="join.sit"),
        Binding("ctrl+w", "watch", "Watch", priority=True, id="join.watch"),
    ]

    def __init__(
        self,
        look: Look,
        *,
        held: Callable[[], Mapping[str, Held]] = dict,
        address: str = "",
        names: tuple[str, ...] = (),
        watching: bool = False,
        browse: Browse | None = None,
    ) -> None:
        super().__init__()
        self._look = look
        self._held = held
        self._browse = browse
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
                    "" if self._browse else self._address,
                    placeholder="host, host:port or ticket, then enter",
                    compact=True,
                    select_on_focus=False,
                    id="address",
                )
                yield Tap(" Look ", "look", id="look", classes="button")
            if self._browse is not None:
                yield HostList(self._browse, last=self._address, id="host-list")
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
                    yield KeyHint("join.sit", "Sit down", "sit")
                yield KeyHint("join.watch", "Watch", "watch")
                yield KeyHint("join.look", "Look again", "look")
                yield Hint("tab", "Next", "next")
                yield KeyHint("join.back", "Menu", "back")

    def on_mount(self) -> None:
        """Look at once where an address is known."""
        self.query_one("#names-line").display = not self._watching
        if self._browse is not None:
            self.query_one("#hosts").focus()
        elif self._address:
            self.action_look()
        else:
            self.query_one("#address").focus()

    def action_look(self) -> None:
        """Ask the host for its tables; without an address look for hosts again."""
        address = self.query_one("#address", Input).value.strip()
        if address:
            self._look_at(address)
        elif self._browse is not None:
            self.query_one(HostList).look()
        else:
            self._say("Type the address of the host; it shows it while it waits for players.")

    def _look_at(self, address: str, *, then_in: bool = False) -> None:
        self._say(f"Looking at {address} ...")
        self.run_worker(self._tables(address, then_in=then_in), exclusive=True)

    async def _tables(self, address: str, *, then_in: bool) -> None:
        """Show the tables; with ``then_in`` and only one to go to, go there."""
        listed = self.query_one("#tables", OptionList)
        listed.clear_options()
        self._lines = ()
        try:
            tables = await self._look(address)
            self._lines = setup.table_lines(tables, {} if self._watching else self._held())
        except (ConnectionError, Rejected, ValueError) as error:
            self._say(str(error))
            return
        listed.add_options([Option(self._row(line), id=line.table) for line in self._lines])
        names = self._typed_names()
        fitting = [
            line for line in self._lines if self._watching or line.mine or 0 < len(names) <= line.open_seats
        ]
        if then_in and len(fitting) == 1:
            listed.highlighted = self._lines.index(fitting[0])
            self._selected()
        elif self._lines:
            listed.highlighted = 0
            listed.focus()
            self._say(YOURS if self._lines[0].mine else "Choose a table.")
        else:
            self._say(f"There is no table there yet. Look again in a moment ({live(self, 'join.look')}).")

    def _row(self, line: TableLine) -> Content:
        free = {0: "no open seat", 1: "1 open seat"}.get(line.open_seats, f"{line.open_seats} open seats")
        if line.mine:
            free = "your seat" if len(line.mine) == 1 else "your seats"
        return Content.assemble(
            (f" {line.title:<16.16} ", "bold"), (f"{free:<14}", ""), (line.text, "$text-muted")
        )

    def _chosen(self) -> TableLine | None:
        number = self.query_one("#tables", OptionList).highlighted
        if number is None or number >= len(self._lines):
            first = "choose a host or " if self._browse is not None else ""
            self._say(f"Choose a table first: {first}type an address and press enter.")
            return None
        return self._lines[number]

    def _typed_names(self) -> tuple[str, ...]:
        return setup.split_names(self.query_one("#names", Input).value)

    def action_sit(self) -> None:
        """Sit down at the chosen table."""
        line = self._chosen()
        if line is None:
            return
        if line.mine:
            self._done(line, (), held=True)
            return
        names = self._typed_names()
        wrong = setup.names_problem(names, line.names)
        if not names:
            wrong = "Type the name of each person at this keyboard."
        elif len(names) > line.open_seats:
            seats = "1 open seat" if line.open_seats == 1 else f"{line.open_seats or 'no'} open seats"
            wrong = f"This table has {seats}; you can watch it ({live(self, 'join.watch')})."
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

    def _done(self, line: TableLine, names: tuple[str, ...], *, held: bool = False) -> None:
        address = self.query_one("#address", Input).value.strip()
        self.dismiss(TableChoice(address, line.table, names, held))

    def action_back(self) -> None:
        """To the menu."""
        self.dismiss(None)

    def _say(self, text: str) -> None:
        self.query_one("#message", Static).update(text)

    def on_key(self, event: events.Key) -> None:
        """Whoever types while the cursor is on a host means the address."""
        if event.is_printable and event.character and self._on_hosts:
            event.prevent_default().stop()
            self._type(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """A ticket, most likely."""
        if self._on_hosts:
            event.stop()
            self._type(event.text.strip().partition("\n")[0])

    @property
    def _on_hosts(self) -> bool:
        return self.focused is not None and self.focused.id == "hosts"

    def _type(self, text: str) -> None:
        field = self.query_one("#address", Input)
        field.value = text
        field.cursor_position = len(text)
        field.focus()

    @on(HostList.Chosen)
    def _host_chosen(self, event: HostList.Chosen) -> None:
        self.query_one("#address", Input).value = event.address
        self._look_at(event.address, then_in=True)

    @on(OptionList.OptionSelected, "#tables")
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
