"""From going to a host to a seat at one of its tables: screens in a row until one sits, or gives it up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from cave import games
from cave.game import BadData
from client.launch import new_game, reopening
from client.launch.launcher import Launcher, Played
from client.launch.opening import LocalGame, NewTable, TableChoice, TableWish, Visit, own_seats
from client.launch.reopening import Way
from client.settings.schema import Preferences
from client.table import Rejected
from client.trouble import trouble

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.app.widgets.host_list import Browse

    Choice = TableChoice | TableWish

TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)
"""What has a sentence for a person."""


class Reception:
    """Shows a person in.

    ``show`` opens a screen and gives its result, ``wait`` waits while the moment is covered, ``remember``
    keeps settings, ``browse`` finds the hosts of the local network.
    """

    def __init__(
        self,
        launcher: Launcher,
        preferences: Preferences,
        *,
        show: Callable[[Screen[Any]], Awaitable[Any]],
        wait: Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]],
        remember: Callable[..., None],
        browse: Browse | None = None,
        glyphs: Callable[[], str],
    ) -> None:
        self._launcher = launcher
        self._preferences = preferences
        self._show = show
        self._wait = wait
        self._remember = remember
        self._browse = browse
        self._glyphs = glyphs

    async def game(self) -> str | None:
        """Which game is meant: the only one, else the one that is chosen; None where none is."""
        names = games.names()
        if len(names) == 1:
            return names[0]
        from client.tui.screens.chooser import ChooserScreen, Entry

        infos = ((name, games.info(name)) for name in names)
        entries = [Entry(game.title, name, detail=new_game.sides(game)) for name, game in infos]
        line = "-" if self._glyphs() == "ascii" else "─"
        chosen: str | None = await self._show(ChooserScreen("Which game?", entries, line=line))
        return chosen

    async def name(self) -> str | None:
        """What whoever plays here is called: the remembered name, else the one that is typed."""
        if self._preferences.now.called:
            return self._preferences.now.called
        from client.app.screens.menu import NameScreen

        typed: str | None = await self._show(NameScreen())
        return typed

    async def visit(self, visit: Visit) -> Played | None:
        """A table of a host, or None where the person goes back; raises as the launcher does."""
        if visit.table is not None:
            return await self._open(visit, visit.table)
        if visit.address:
            # Whoever named a host hears at once when it is not there, and is spared a list of one.
            choice = await self._only_choice(visit)
            if choice is not None:
                return await self._seat(choice)
        return await self._choose(visit)

    async def _open(self, visit: Visit, table: NewTable) -> Played | None:
        """A table as the command line asks for it."""
        names: tuple[str | None, ...] = visit.names or (await self.name(),)
        people = tuple(name for name in names if name is not None)
        if not people:
            return None
        if wrong := table.problem(people):
            raise ValueError(wrong)
        self._called(visit.address, people)
        return await self._played(self._launcher.open(visit.address, table.plan(people)))

    async def _only_choice(self, visit: Visit) -> TableChoice | None:
        """The table that is meant where there is no doubt."""
        tables = await self._wait(self._launcher.tables(visit.address))
        held = [] if visit.watching else self._launcher.held(live=visit.resume)
        lines = new_game.table_lines(tables, held, people=visit.names, watching=visit.watching)
        own = own_seats(visit, lines)
        if own is not None:
            return TableChoice(visit.address, own.table, (), held=own)
        table = new_game.only_table(lines, len(visit.names), watching=visit.watching)
        if table is None or not (visit.watching or visit.names):
            return None
        if table.code and not visit.watching and not visit.code:
            return None
        return TableChoice(visit.address, table.table, visit.names, code=visit.code)

    async def _choose(self, visit: Visit) -> Played | None:
        """The list of hosts and tables, again as long as what is chosen there cannot be."""
        from client.app.screens.join import JoinScreen

        now = self._preferences.now
        names = visit.names
        address, problem, browse = visit.address or now.address, "", not visit.address
        while True:
            choice: Choice | None = await self._show(
                JoinScreen(
                    self._launcher.tables,
                    held=self._launcher.held,
                    may_open=lambda: self._launcher.may_open,
                    address=address,
                    names=names,
                    called=now.called,
                    elsewhere=self._launcher.names_elsewhere(),
                    code=visit.code,
                    watching=visit.watching,
                    browse=self._browse if browse else None,
                    problem=problem,
                )
            )
            if choice is None:
                await self._launcher.leave()
                return None
            try:
                played = await self._take(choice)
            except TROUBLE as error:
                problem = trouble(error)  # Another table may do as well.
            else:
                if played is not None:
                    return played
                problem = ""
            address, names, browse = choice.address, choice.names or names, False

    async def _take(self, choice: Choice) -> Played | None:
        """The table that was chosen, or one of one's own by the form; None where that is left."""
        if isinstance(choice, TableChoice):
            return await self._seat(choice)
        from client.app.screens.new_game import NewGameScreen

        form = NewGameScreen(*choice.names, where=choice.address, glyphs=self._glyphs())
        wanted = await self._show(form)
        if not isinstance(wanted, LocalGame):
            return None
        self._called(choice.address, wanted.plan.people)
        return await self._played(self._launcher.open(choice.address, wanted.plan))

    async def _seat(self, choice: TableChoice) -> Played:
        self._called(choice.address, choice.names)
        if choice.held:
            way = partial(self._launcher.take_up, choice.address, choice.held)
            return await self.back_to(choice.table, way)
        join = self._launcher.join(choice.address, choice.table, choice.names, choice.code)
        return await self._played(join)

    async def back_to(self, table: str, way: Way) -> Played:
        """A table at which one holds seats; one that the host has shelved if the person wants that."""

        async def waited(*, reopen: bool) -> Played:
            return await self._played(way(reopen=reopen))

        return await reopening.back_to(table, waited, self._wants_it_open)

    async def _wants_it_open(self) -> bool:
        from client.tui.screens.chooser import ChooserScreen, Entry

        entries = [Entry(reopening.OPEN, True, key="o"), Entry(reopening.LEAVE, False, key="l")]
        line = "-" if self._glyphs() == "ascii" else "─"
        return bool(await self._show(ChooserScreen(reopening.QUESTION, entries, line=line)))

    async def _played(self, work: Coroutine[Any, Any, Played]) -> Played:
        played: Played = await self._wait(work)
        return played

    def _called(self, address: str, names: tuple[str, ...]) -> None:
        self._remember(address=address, played_as=self._preferences.now.playing_as(names))
