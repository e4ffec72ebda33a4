"""Joining and watching: choose a host or an address, a table there or a new one, and names."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cave import protocol
from client.app.host_list import Browse, HostList
from client.face import LETTERS
from client.launch import host_tables, new_game
from client.launch.held_seats import HeldSeats
from client.launch.host_tables import TableLine
from client.launch.opening import TableChoice, TableWish, Typed
from client.present.cells import wrap_text
from client.table import Rejected
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.keymap import live_key
from client.tui.title_picture import backdrop
from client.tui.widgets.clickable_text import HintBar, KeyHint, Tap, TapHint
from client.tui.widgets.form_fields import Choices, ChoicesOrField, Field, Lines, line
from client.tui.widgets.panes import TitleBar

Look = Callable[[str], Awaitable[Sequence[protocol.TableLine]]]
ONE_ROW = 80  # columns from which a table takes one row
BELOW = " " * 4  # indents the second row of a table in narrower windows
WIDEST, MARGINS = 110, 4
"""The most columns of the screen's middle, and the columns beside the rows of its list."""
YOURS = "Continue as {people}? Press enter, or choose another line."
NAMES = "Type the name of each person at this keyboard."
TAKEN = "{name} plays already: type the name of the player here, then press enter."


REFRESH = 3.0  # seconds between two requests for a host's tables
OWN = "new-table"
ASK_FOR_CODE = "ask who opened this table"


class JoinScreen(ClosingOnce[TableChoice | TableWish | None]):
    """Choose a host and a table, or open one there.

    ``look`` returns the tables at an address or raises ConnectionError; ``held`` the player's seats at the
    last host, ``may_open`` whether that host allows new tables. With ``browse`` the screen lists the hosts of
    the local network and offers the ``address``; without, it queries the ``address`` at once. Without
    ``names`` the default is ``called``, unless that name is taken at the table or ``elsewhere`` in another
    terminal. ``problem`` says why the choice ``before`` failed, ``wrong`` is the field to retype.
    """

    CSS_PATH = "join.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="join.back"),
        Binding("ctrl+r", "look", "Look again", id="join.look"),
        Binding("ctrl+s", "sit", "Sit down", id="join.sit"),
        Binding("ctrl+o", "open", "Open a table", id="join.open"),
        Binding("ctrl+w", "watch", "Watch", priority=True, id="join.watch"),
    ]

    def __init__(
        self,
        look: Look,
        *,
        held: Callable[[], Sequence[HeldSeats]] = list,
        may_open: Callable[[], bool] = lambda: True,
        address: str = "",
        names: tuple[str, ...] = (),
        called: str = "",
        elsewhere: Sequence[str] = (),
        code: str = "",
        seats: Sequence[int] = (),
        watching: bool = False,
        browse: Browse | None = None,
        problem: str = "",
        before: TableChoice | None = None,
        wrong: Typed | None = None,
    ) -> None:
        super().__init__()
        self._look = look
        self._held = held
        self._may_open = may_open
        self._known = False  # whether the tables of the host at the address are known
        self._browse = browse
        self._address = address
        self._names = names
        self._called = called
        self._elsewhere = elsewhere
        self._code = code
        self._seats = seats
        self._watching = watching
        self._problem = problem
        self._before = before
        self._wrong = wrong
        self._lines: tuple[TableLine, ...] = ()
        self._pointed_at = 0

    def compose(self) -> ComposeResult:
        address = Field(
            "" if self._browse else self._address,
            placeholder="host:port or ticket",
            select_on_focus=False,
            id="address",
        )
        names = Field(", ".join(self._names) or self._called, placeholder="who plays here: Ann, Bea", id="names")
        yield from backdrop(self)
        yield TitleBar("Watch a game" if self._watching else "Join a game", id="title")
        with Vertical(id="sheet"):
            with Lines(id="form"):
                yield line("Address", address, Tap(" Look ", "look", id="look", classes="button"))
                if self._browse is not None:
                    yield HostList(self._browse, address, last=self._address, id="host-list")
                yield Static("TABLES", classes="head", id="tables-head")
                yield Choices(id="tables") if self._watching else ChoicesOrField(names, id="tables")
                letters = " ".join(LETTERS[seat] for seat in self._seats)
                seat = Field(letters, placeholder="any", classes="seat", id="seat")
                yield line("Names", names, Static("Seat", classes="what seat"), seat, id="names-line")
                yield line("Code", Field(self._code, placeholder=ASK_FOR_CODE, id="code"), id="code-line")
            yield Static("", id="message", markup=False)
        with HintBar(id="hints"):
            if not self._watching:
                yield KeyHint("join.sit", "Sit down")
            yield KeyHint("join.watch", "Watch")
            yield KeyHint("join.look", "Look again")
            yield TapHint("tab", "Next")
            yield KeyHint("join.back", "Menu")

    def on_mount(self) -> None:
        """Load the tables at once if an address is known."""
        self.query_one("#names-line").display = not self._watching
        self._show_code_line(None)
        self._show_tables()
        self.query_one("#code-line").display = self._wrong == "code"
        if self._browse is not None:
            self.query_one("#hosts").focus(scroll_visible=False)
        elif self._address:
            self.action_look()
            if self._wrong is not None:
                # At once: the user may type before the tables arrive.
                self.query_one(f"#{self._wrong}").focus()
        else:
            self.query_one("#address").focus()

    def _show_tables(self) -> None:
        """Show the list of tables once it is loaded: until then only the hosts."""
        shown = self._known or self._browse is None
        self.set_class(shown, "-tables")
        for part in ("#tables-head", "#tables"):
            self.query_one(part).display = shown

    def action_look(self) -> None:
        """Ask the host for its tables; without an address, search for hosts again."""
        address = self._typed_address()
        if address:
            self._look_at_host(address)
        elif self._browse is not None:
            self.query_one(HostList).look_for_hosts()
        else:
            self.show_message("Type the address that the host shows while it waits for players.")

    def _look_at_host(self, address: str, *, then_in: bool = False) -> None:
        self.show_message(f"Connecting to {address} ...")
        show = functools.partial(self._load_tables, address, then_in=then_in)
        self.run_worker(while_shown(show), exclusive=True)

    async def _load_tables(self, address: str, *, then_in: bool) -> None:
        listed = self.query_one("#tables", OptionList)
        listed.clear_options()
        self._lines, self._known = (), False
        self._show_tables()
        lines = await self._tables_at_host(address)
        if lines is None:
            return
        self._lines, self._known = lines, True
        self._show_tables()
        listed.add_options(self._table_options())
        opens = self._can_open_table
        problem, self._problem = self._problem, ""
        names = self._typed_names()
        only = host_tables.only_fitting_table(self._lines, len(names), watching=self._watching, people=names)
        if self._lines:
            # Keep the table selected that was chosen before, if it still exists.
            wanted = self._before
            before = next((each for each in self._lines if wanted and _same_seats(each, wanted)), None)
            first = before or only
            at = 0 if first is None else self._lines.index(first)
            listed.highlighted = at
            if before is None or self._wrong is None:
                listed.focus()
            self._point_at_field(at)
            if problem:
                self.show_message(problem, wrong=True)
            elif then_in and only is not None and (self._watching or names):
                self._selected()
        else:
            listed.highlighted = 0 if opens else None
            listed.focus()
            look = live_key(self, "join.look")
            then = f"Open one (enter), or look again ({look})." if opens else f"Look again ({look})."
            self.show_message(problem or f"That host has no tables yet. {then}", wrong=bool(problem))
        self._before = self._wrong = None
        self._look_at_host_soon(address)

    def _look_at_host_soon(self, address: str) -> None:
        def look() -> None:
            if self._known:  # else the user loads the tables with a key
                self.run_worker(while_shown(functools.partial(self._renew_tables, address)), exclusive=True)

        self.set_timer(REFRESH, look)

    async def _renew_tables(self, address: str) -> None:
        listed = self.query_one("#tables", OptionList)
        lines = await self._tables_at_host(address)
        if lines is not None:
            at = listed.highlighted
            if lines != self._lines and at is not None:
                own = at >= len(self._lines)
                line = None if own else self._lines[at]
                same = (n for n, each in enumerate(lines) if line and _same_seats(each, line))
                at = len(lines) if own else next(same, min(at, len(lines) - 1))
            self._lines = lines
            self._pointed_at = at or 0
            listed.set_options(self._table_options())
            listed.highlighted = at
        self._look_at_host_soon(address)

    async def _tables_at_host(self, address: str) -> tuple[TableLine, ...] | None:
        """Return the tables there; None, with a message, if they cannot be loaded."""
        try:
            tables = await self._look(address)
            held = () if self._watching else self._held()
            return host_tables.table_lines(tables, held, people=self._names, watching=self._watching)
        except (ConnectionError, Rejected, ValueError) as error:
            self.show_message(str(error), wrong=True)
            return None

    @property
    def _can_open_table(self) -> bool:
        return self._known and not self._watching and self._may_open()

    def _own_table_row(self) -> Content:
        key = live_key(self, "join.open")
        return Content.assemble(
            (f"  {'New table':<16} ", "bold"),
            (f"{'of your own':<14}{self._seat_gap}", ""),
            (f"choose seats, bots and rules{f' ({key})' if key else ''}", "$text-muted"),
        )

    def on_resize(self) -> None:
        self.query_one("#tables", Choices).fill(self._table_options())

    @property
    def _seat_gap(self) -> str:
        return f"\n{BELOW}" if self.app.size.width < ONE_ROW else ""

    def _table_options(self) -> list[Option]:
        tables = [Option(self._table_row(line)) for line in self._lines]
        return [*tables, *([Option(self._own_table_row(), id=OWN)] if self._can_open_table else [])]

    def _table_row(self, line: TableLine) -> Content:
        title, seats = f"  {line.title:<16.16} ", f"{line.seats_words:<14}"
        below = BELOW if self._seat_gap else " " * len(title + seats)
        room = min(self.app.size.width, WIDEST) - MARGINS - len(below)
        text = f"\n{below}".join(wrap_text(line.text, room))
        return Content.assemble((title, "bold"), (f"{seats}{self._seat_gap}", ""), (text, "$text-muted"))

    def _chosen_table(self) -> TableLine | None:
        number = self.query_one("#tables", OptionList).highlighted
        if self._known and (number is None or number >= len(self._lines)):
            self.show_message("Choose one of the tables first." if self._lines else "That host has no tables yet.")
            return None
        if number is None or number >= len(self._lines):
            first = "choose a host or " if self._browse is not None else ""
            self.show_message(f"Choose a table first: {first}type an address and press enter.")
            return None
        return self._lines[number]

    def _typed_names(self) -> tuple[str, ...]:
        return new_game.split_names(self.query_one("#names", Input).value)

    def _point_at_field(self, at: int) -> None:
        self._pointed_at, line = at, self._lines[at]
        self._show_code_line(line)
        names = self.query_one("#names", Input)
        taken = line.has_player(self._called, self._elsewhere)
        if not self._names and names.value in ("", self._called):
            names.value = "" if taken else self._called
        if line.owners_of_own_seats:
            self.show_message(YOURS.format(people=line.owners_of_own_seats))
        elif taken and not names.value and line.open_seats and not self._watching:
            self.show_message(TAKEN.format(name=self._called))
        else:
            self.show_message("Choose a table.")

    def _show_code_line(self, line: TableLine | None) -> None:
        for part in self.query(".seat"):
            part.display = line is not None and len(line.free) > 1
        self.query_one("#code-line").display = (
            line is not None and line.code and not line.expects_people(self._typed_names()) and not self._watching
        )

    def action_sit(self) -> None:
        line = self._chosen_table()
        if line is None:
            return
        names = self._typed_names()
        if line.held is not None and (names in ((), (self._called,)) or any(map(line.is_of, names))):
            self._join_table(line, (), held=line.held)
            return
        # With other names the user does not mean their own seats: the table's line has its open ones.
        line = next((each for each in self._lines if each.table == line.table and not each.held), line)
        code = self.query_one("#code", Input).value.strip() if line.code else ""
        wrong, anew = new_game.names_problem(names, line.names), "names"
        if not names:
            taken = line.has_player(self._called, self._elsewhere)
            wrong = TAKEN.format(name=self._called) if taken else NAMES
        elif few := host_tables.too_few_seats(line, names):
            wrong = f"{few}; you can watch it ({live_key(self, 'join.watch')})."
            anew = ""  # the player may choose another table
        elif not wrong and line.code and not line.expects_people(names) and not code:
            wrong, anew = "This table needs a code. Type it, then press enter.", "code"
        seats: tuple[int, ...] = ()
        if not wrong and line.free[1:]:
            try:
                seats = new_game.parse_seats(self.query_one("#seat", Input).value)
                host_tables.check_seats(line, seats, names)
            except ValueError as error:
                wrong, anew = str(error), "seat"
        if wrong:
            self.show_message(wrong, wrong=True)
            if anew:
                self.query_one(f"#{anew}").focus()
        else:
            self._join_table(line, names, code=code, seats=seats)

    def action_open(self) -> None:
        if self._can_open_table:
            self.dismiss(TableWish(self._typed_address(), self._typed_names()))
        elif self._known and not self._watching:
            self.show_message("Only the owner opens tables on that host.", wrong=True)
        else:
            self.show_message("Choose a host first: type its address and press enter.")

    def action_watch(self) -> None:
        line = self._chosen_table()
        if line is not None:
            self._join_table(line, ())

    def _join_table(
        self,
        line: TableLine,
        names: tuple[str, ...],
        *,
        held: HeldSeats | None = None,
        code: str = "",
        seats: tuple[int, ...] = (),
    ) -> None:
        self.dismiss(TableChoice(self._typed_address(), line.table, names, held, code, seats))

    def _typed_address(self) -> str:
        return self.query_one("#address", Input).value.strip()

    @on(HostList.Chosen)
    def _host_chosen(self, event: HostList.Chosen) -> None:
        self.query_one("#address", Input).value = event.address
        self._look_at_host(event.address, then_in=True)

    @on(OptionList.OptionHighlighted, "#tables")
    def _pointed(self, event: OptionList.OptionHighlighted) -> None:
        at = event.option_index
        line = self._lines[at] if at < len(self._lines) else None
        self._show_code_line(line)
        if line is not None and at != self._pointed_at:
            self._point_at_field(at)

    @on(OptionList.OptionSelected, "#tables")
    def _selected(self) -> None:
        if self.query_one("#tables", OptionList).highlighted == len(self._lines):
            self.action_open()
        elif self._watching:
            self.action_watch()
        else:
            self.action_sit()

    @on(Input.Submitted, "#address")
    def _address_given(self) -> None:
        self.action_look()

    @on(Input.Submitted, "#names")
    @on(Input.Submitted, "#seat")
    @on(Input.Submitted, "#code")
    def _names_given(self) -> None:
        self.action_sit()


def _same_seats(line: TableLine, other: TableLine | TableChoice) -> bool:
    return line.table == other.table and line.held == other.held
