"""The list of hosts on the local network, updated as they come and go."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.net.discovery import FoundHost
from client.present import hosts
from client.present.cells import fit_text
from client.present.hosts import HostLine
from client.tui.closing_screen import while_shown
from client.tui.explorer_picture import SWEEP, beam, explorer_rows
from client.tui.motion import MotionPlayer
from client.tui.themes import motion_of, shows_pictures
from client.tui.widgets.form_fields import ChoicesOrField
from client.tui.widgets.panel import Panel, Row, Span, wrap

Browse = Callable[[], AsyncGenerator[tuple[FoundHost, ...], None]]

ONE_ROW = 80  # columns from which a host needs one row
GAME = 8  # least columns for the names of games
OTHERS, WIDEST = 62, 110  # columns of all but games and addresses, and the width of the list at most
BEAM, PICTURE = 48, 24  # columns of the light, and rows of a window that has room for it
LAMP = "c9962f"  # colour of the explorer
COLUMNS = HostLine("", "Address", "Host", "Game", "Seats", "Watching", "Key")
PATIENCE = 3.0  # seconds before the list says that it has found nothing


class Empty(Panel):
    """Shows why the list is empty, and an explorer whose lamp moves while the search runs."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._text = ""
        self._frame: int | None = None
        self.sweep = MotionPlayer(self, SWEEP, self._show, lambda: motion_of(self.app))

    def say_why_empty(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.sweep.start() if text == hosts.LOOKING else self.sweep.stop()
            self.refill()

    def _show(self, frame: int | None) -> None:
        self._frame = frame
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        rows = [[Span(f" {line}", "dim")] for line in wrap(self._text, width - 2)]
        light = min(BEAM, width - 12)
        lit = shows_pictures(self.app) and not self.app.has_class("-ascii") and light > 0
        figure = explorer_rows(self, LAMP) if lit else []
        if not figure or self.app.size.height < PICTURE:
            return rows
        beams = beam(self, light, self._frame)
        return [*rows, [], *([Span("  "), *one, *other] for one, other in zip(figure, beams, strict=True)), []]


class HostList(Vertical):
    """The hosts that ``browse`` finds, then the ``last`` address. Typed text goes to the ``field``."""

    class Chosen(Message):
        """A host was chosen, by its address."""

        def __init__(self, address: str) -> None:
            super().__init__()
            self.address = address

    def __init__(
        self,
        browse: Browse,
        field: Input,
        *,
        last: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._browse = browse
        self._field = field
        self._last = last
        self._lines: tuple[HostLine, ...] = ()
        self._waited = False

    def compose(self) -> ComposeResult:
        yield Static(hosts.HEADING.upper(), classes="head")
        yield Static("", id="hosts-columns")
        yield ChoicesOrField(self._field, id="hosts")
        yield Empty(id="hosts-note")

    def on_mount(self) -> None:
        self._show_hosts(())
        self.look_for_hosts()

    def on_resize(self) -> None:
        self._show_hosts(self._lines)

    def look_for_hosts(self) -> None:
        self.run_worker(while_shown(self._follow_announcements), exclusive=True, group="hosts")

    @property
    def chosen_address(self) -> str:
        """The address of the selected host, or nothing."""
        option = self._option_list.highlighted_option
        return option.id or "" if option is not None else ""

    @property
    def _option_list(self) -> OptionList:
        return self.query_one("#hosts", OptionList)

    async def _follow_announcements(self) -> None:
        self._waited = False
        waiting = self.set_timer(PATIENCE, self._note_long_wait)
        try:
            async with contextlib.aclosing(self._browse()) as lists:
                async for found in lists:
                    self._show_hosts(hosts.host_lines(found))
                    self._show_comment()
        except ConnectionError as error:
            self._show_hosts(())
            self._set_comment(f"{error} {hosts.INSTEAD}")
        finally:
            waiting.stop()

    def _note_long_wait(self) -> None:
        self._waited = True
        self._show_comment()

    def _show_comment(self) -> None:
        nothing = f"{hosts.NOTHING_FOUND} {hosts.INSTEAD}" if self._waited else hosts.LOOKING
        self._set_comment("" if self._lines else nothing)

    def _set_comment(self, text: str) -> None:
        note = self.query_one(Empty)
        note.display = bool(text)
        note.say_why_empty(text)

    def _show_hosts(self, lines: Sequence[HostLine]) -> None:
        """Show these hosts; the cursor stays on its host."""
        chosen, self._lines = self.chosen_address, tuple(lines)
        brief = self.app.size.width < ONE_ROW
        longest = max((len(line.game) for line in lines), default=0)
        spare = min(self.app.size.width, WIDEST) - OTHERS - max((len(line.place) for line in lines), default=0)
        game = min(longest, max(GAME, spare))
        options = {line.address: Option(row(line, brief=brief, game=game), id=line.address) for line in lines}
        columns = self.query_one("#hosts-columns", Static)
        columns.display = bool(lines) and not brief
        columns.update(row(COLUMNS, game=game))
        if self._last:
            words = Content.assemble((f"  {self._last}  ", ""), (hosts.LAST_TIME, "$text-muted"))
            options.setdefault(self._last, Option(words, id=self._last))
        self._option_list.clear_options()
        self._option_list.add_options(options.values())
        if options:
            self._option_list.highlighted = list(options).index(chosen) if chosen in options else 0

    @on(OptionList.OptionSelected, "#hosts")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(event.option_id or ""))


def row(line: HostLine, *, brief: bool = False, game: int = GAME) -> Content:
    """Return a host as one line with ``game`` columns for the names of games, or as two (``brief``)."""
    if brief:
        return Content.assemble(
            (f"  {fit_text(line.name, 16)} ", "bold"),
            line.free,
            (f"\n   {line.standing}" if line.standing else "\n  ", "$text-error bold" if line.alarm else ""),
            (f" {line.place}", "$text-muted"),
        )
    return Content.assemble(
        (f"  {fit_text(line.name, 16)} ", "bold"),
        f"{fit_text(line.free, 7)}{fit_text(line.watching, 12)}{fit_text(line.game, game)}  ",
        (fit_text(line.standing, 14), "$text-error bold" if line.alarm else ""),
        (line.place, "$text-muted"),
    )
