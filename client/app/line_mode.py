"""From what is to be opened to the conversation at a table; the menu, names and tables by question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from cave import games
from cave.game import Json
from client import games as faces
from client.launch import new_game, reopening
from client.launch.launcher import Launcher, Played
from client.launch.new_game import NAMELESS, TableLine
from client.launch.opening import (
    WHOSE,
    GoOn,
    HowToPlay,
    LocalGame,
    Menu,
    NewGame,
    NewTable,
    Opening,
    QuickGame,
    ReplayFile,
    Resumed,
    Visit,
    own_seats,
)
from client.launch.reopening import Way
from client.plain.console import Console
from client.plain.replay import PlainReplay
from client.plain.talk import YES
from client.present import hosts, records
from client.present.help import how_to_play
from client.present.hosts import HostLine
from client.present.records import RecordLine
from client.replay import records as kept
from client.replay.session import ReplaySession, read
from client.settings.schema import Settings

QUIT = ("quit", "exit")
SHORT = "q"
"""The same where a number is asked for; it may be a name or a code."""
ASK_GAME = "Which game?"
ASK_NAME = "What is your name?"
TAKEN = "{name} plays already."
ASK_ADDRESS = "What is the host's address?"
ASK_HOST = "Which host? Its number, or an address:"
ASK_FILE = "The file of the record?"
ASK_RECORD = "Which record? Its number, or a file:"
MOST_RECORDS = 20
"""Records that are told, the newest."""
ASK_CODE = "The code of that table?"
ASK_OPEN = "Open one? 1 yes, 2 no."
ASK_REOPEN = "Open it again? 1 yes, 2 no."
ASK_SEATS = "How many seats for people, including you?"
ASK_BOTS = "How many bots?"
NO_TABLE = "That host has no tables yet."
OWN = TableLine("", "", "", 0)
"""In place of a table's line: one of one's own."""
MENU = (
    ("play now, against a bot", QuickGame()),
    ("join a game", Visit()),
    ("watch a game", Visit(watching=True)),
    ("replay a record", ReplayFile()),
    ("how to play", HowToPlay()),
)


class Course:
    """Follows an opening to its end. Failures come out as exceptions with a sentence for a person.

    ``find`` finds the hosts of the local network, or raises ConnectionError; ``records`` is the folder
    of those that are kept.
    """

    def __init__(
        self,
        console: Console,
        launcher: Launcher,
        settings: Settings,
        save: Callable[[Settings], object],
        find: Callable[[], Awaitable[tuple[HostLine, ...]]] | None = None,
        records: Path | None = None,
    ) -> None:
        self._console = console
        self._launcher = launcher
        self._settings = settings
        self._save = save
        self._find = find
        self._records = records

    async def run(self, opening: Opening) -> None:
        """Until the person leaves. Raises ConnectionError, Rejected, BadData, OSError or ValueError."""
        if isinstance(opening, Menu | NewGame):
            chosen = await self._menu()
            if chosen is None:
                return
            opening = chosen
        match opening:
            case QuickGame():
                await self._quick(opening)
            case LocalGame(plan):
                await self._local(plan)
            case Visit():
                await self._visit(opening)
            case Resumed():
                await self._resume(opening)
            case GoOn(table):
                await self._resume(await self._launcher.find(table))
            case ReplayFile(path):
                await self._replay(path)

    async def _menu(self) -> Opening | None:
        menu: list[tuple[str, Opening]] = list(MENU)
        last = self._launcher.last_game()
        if last:
            # Last, so that the other numbers mean the same whether or not there is a game.
            menu.append((f"go on: {new_game.last_game(last)}", GoOn(last[0].table)))
        entries = [f"{number} {text}" for number, (text, _) in enumerate(menu, 1)]
        await self._console.tell(*entries)
        while (line := await self._ask("Which?", SHORT)) is not None:
            if line.isdecimal() and 1 <= int(line[:6]) <= len(menu):
                chosen = menu[int(line[:6]) - 1][1]
                if not isinstance(chosen, HowToPlay):
                    return chosen
                game = await self._game()
                if game is None:
                    return None
                await self._console.tell(*how_to_play(faces.get(game)), *entries)
                continue
            await self._console.tell(f"Type a number from 1 to {len(menu)}, or quit.")
        return None

    async def _game(self) -> str | None:
        """The game whose number is typed, where there are several; None where the person leaves."""
        names = games.names()
        if len(names) == 1:
            return names[0]
        infos = map(games.info, names)
        lines = (f"{number} {game.title}, for {new_game.sides(game)}" for number, game in enumerate(infos, 1))
        await self._console.tell(*lines)
        chosen = await self._one_of(ASK_GAME, len(names))
        return None if chosen is None else names[chosen]

    async def _one_of(self, question: str, count: int) -> int | None:
        """Ask for a number. Returns the index of the choice, from 0; None if the person leaves."""
        while (typed := await self._ask(question, SHORT)) is not None:
            if typed.isdecimal() and 1 <= int(typed[:6]) <= count:
                return int(typed[:6]) - 1
            await self._console.tell(f"Type a number from 1 to {count}, or quit.")
        return None

    async def _quick(self, quick: QuickGame) -> None:
        game = quick.game or await self._game()
        if game is None:
            return
        quick = msgspec.structs.replace(quick, game=game)
        asked = quick.needs_name or self._settings.called
        name = await self._name() if asked else NAMELESS
        if name is not None:
            await self._local(quick.plan(name))

    async def _name(self, line: TableLine = OWN) -> str | None:
        """The remembered name, unless somebody at the table of this line or in another terminal has it, else
        the one that is typed; None where the person leaves.
        """
        called = self._settings.called
        elsewhere = () if line is OWN else self._launcher.names_elsewhere()
        if called and not (self._console.live and line.has(called, elsewhere)):
            return called
        if not self._console.live:
            return NAMELESS
        if called:
            await self._console.tell(TAKEN.format(name=called))
        while (name := await self._ask(ASK_NAME)) is not None:
            wrong = new_game.names_problem([name], line.names)
            if not wrong:
                return name
            await self._console.tell(wrong)
        return None

    async def _local(self, plan: new_game.GamePlan) -> None:
        if self._console.live:
            self._keep(played_as=self._settings.playing_as(plan.named))
        await self._play(await self._launcher.play(plan), plan)

    async def _visit(self, visit: Visit) -> None:
        address = visit.address or await self._address()
        if not address:
            return
        if visit.table is not None:
            await self._open(address, visit.names, visit.table)
            return
        tables = await self._launcher.tables(address)
        held = [] if visit.watching else self._launcher.held(live=visit.resume)
        lines = new_game.table_lines(tables, held, people=visit.names, watching=visit.watching)
        own = own_seats(visit, lines)
        if own is not None:
            await self._back_to(own.table, partial(self._launcher.take_up, address, own))
            return
        opens = not visit.watching and self._launcher.may_open
        line = new_game.only_table(lines, max(1, len(visit.names)), watching=visit.watching)
        line = line or await self._which(lines, opens)
        if line is None:
            return
        if line == OWN:
            await self._own(address, visit.names)
            return
        if line.held is not None:
            await self._back_to(line.table, partial(self._launcher.take_up, address, line.held))
            return
        code = visit.code
        if not visit.watching and not code and line.code:
            asked = await self._ask(ASK_CODE)
            if asked is None:
                return
            code = asked
        names = () if visit.watching else visit.names or await self._own_name(line)
        if not names and not visit.watching:
            return
        self._keep(address=address)
        await self._play(await self._launcher.join(address, line.table, names, code))

    async def _resume(self, wanted: Resumed) -> None:
        """Go on with a game; where several terminals left seats there, ask for whom."""
        if len(wanted.free) > 1 and self._console.live:
            people = (" and ".join(held.people) for held in wanted.free)
            await self._console.tell(*(f"{number} {who}" for number, who in enumerate(people, 1)))
            chosen = await self._one_of(WHOSE, len(wanted.free))
            if chosen is None:
                return
            wanted = wanted.taking_up(wanted.free[chosen])
        await self._back_to(wanted.table, partial(self._launcher.resume, wanted))

    async def _back_to(self, table: str, way: Way) -> None:
        await self._play(await reopening.back_to(table, way, self._wants_it_open))

    async def _wants_it_open(self) -> bool:
        await self._console.tell(reopening.QUESTION)
        return await self._ask(ASK_REOPEN, SHORT) in YES

    async def _own_name(self, line: TableLine = OWN) -> tuple[str, ...]:
        """Who sits down at the table of this line."""
        name = await self._name(line)
        return () if name is None else (name,)

    async def _own(self, address: str, names: tuple[str, ...]) -> None:
        """Open a table that is asked for by questions; an empty answer is the usual one."""
        name = await self._game()
        if name is None:
            return
        game = games.info(name)
        most = game.seats[-1]
        seats = await self._number(ASK_SEATS, 1, most, new_game.usual_seats(game))
        if seats is None:
            return
        least = max(0, game.seats[0] - seats)
        bots = await self._number(ASK_BOTS, least, most - seats, least)
        if bots is None:
            return
        await self._open(address, names, NewTable(seats, tuple(new_game.weakest(game) * bots), game=name))

    async def _number(self, question: str, least: int, most: int, usual: int) -> int | None:
        """A number that is asked for; None where the person leaves."""
        if least == most:
            return usual
        asked = f"{question} {least} to {most}, usually {usual}:"
        while (typed := await self._ask(asked, SHORT)) is not None:
            if not typed or (typed.isdecimal() and least <= int(typed[:6]) <= most):
                return int(typed or usual)
            await self._console.tell(f"Type a number from {least} to {most}, or quit.")
        return None

    async def _open(self, address: str, names: tuple[str, ...], table: NewTable) -> None:
        people = names or await self._own_name()
        if not people:
            return
        if wrong := table.problem(people):
            raise ValueError(wrong)
        self._keep(address=address)
        await self._play(await self._launcher.open(address, table.plan(people)))

    async def _address(self) -> str | None:
        """The address that is typed, or that of the host whose number is."""
        found: tuple[HostLine, ...] = ()
        if self._find is not None:
            await self._console.tell(hosts.LOOKING)
            try:
                found = await self._find()
                told = [hosts.in_words(number, line) for number, line in enumerate(found, 1)]
                await self._console.tell(*(told or [f"{hosts.NOTHING_FOUND} {hosts.INSTEAD}"]))
            except ConnectionError as error:
                await self._console.tell(f"{error} {hosts.INSTEAD}")
        typed = await self._ask(ASK_HOST if found else ASK_ADDRESS)
        if typed and typed.isdecimal() and 1 <= int(typed[:6]) <= len(found):
            return found[int(typed[:6]) - 1].address
        return typed

    async def _which(self, lines: tuple[TableLine, ...], opens: bool) -> TableLine | None:
        """The line whose number is typed, or ``OWN`` for a table to be opened."""
        opens = opens and self._console.live
        if not lines:
            await self._console.tell(NO_TABLE)
            return OWN if opens and await self._ask(ASK_OPEN) in YES else None
        for number, line in enumerate(lines, 1):
            seats = f"continue as {line.mine}" if line.mine else line.seats
            await self._console.tell(f"{number} {line.title}, {seats}: {line.text}")
        last = len(lines) + opens
        if opens:
            await self._console.tell(f"{last} a new table of your own")
        chosen = await self._one_of("Which table?", last)
        return None if chosen is None else [*lines, OWN][chosen]

    async def _play(self, played: Played, plan: new_game.GamePlan | None = None) -> None:
        """A table, and those of its rematches; ``plan`` is that of a local game."""
        while True:
            face = faces.get(played.session.state.game.name)
            table = face.lines()(
                face,
                played.session,
                self._console,
                address=played.address,
                settings=self._settings,
                remember=partial(self._remember, face.name),
                saved=played.saved,
            )
            await table.run()
            if table.scored and self._settings.guides(face.name) and self._console.live:
                self._keep(played=self._settings.having_played(face.name))
            if not table.rematch:
                return
            if plan is not None and not plan.open_seats:
                # A game of this keyboard gets a host of its own.
                played = await self._launcher.play(msgspec.structs.replace(plan, seed=""))
            else:
                played = await self._launcher.rematch()

    async def _replay(self, path: Path | None) -> None:
        if path is None:
            path = await self._record()
            if path is None:
                return
        played = read(path)
        session = ReplaySession(played, faces.get(played.game.name), f"Replay of {path.name}")
        await PlainReplay(faces.get(played.game.name).lines(), session, self._console).run()

    async def _record(self) -> Path | None:
        """The record whose number or file is typed; None where nothing is."""
        known = await asyncio.to_thread(_newest, self._records)
        await self._console.tell(*(records.in_words(number, line) for number, line in enumerate(known, 1)))
        typed = await self._ask(ASK_RECORD if known else ASK_FILE)
        if typed and typed.isdecimal() and 1 <= int(typed[:6]) <= len(known):
            return known[int(typed[:6]) - 1].path
        return _path(typed) if typed else None

    async def _ask(self, question: str, *also: str) -> str | None:
        """What is typed; None where the person leaves, by a word or by ``also`` these, or the input ends."""
        typed = await self._console.line(lambda: f"{question} ")
        return None if typed is None or typed.strip().casefold() in (*QUIT, *also) else typed

    def _remember(self, game: str, action: Json) -> None:
        self._keep(memory={**self._settings.memory, game: action})

    def _keep(self, **changes: Any) -> None:
        self._settings = replace(self._settings, **changes)
        self._save(self._settings)


def _newest(folder: Path | None) -> list[RecordLine]:
    """The newest of the records in a folder."""
    paths = [] if folder is None else kept.files(folder)
    lines = [records.line(kept.summary(path)) for path in paths]
    return sorted(lines, key=lambda line: line.key, reverse=True)[:MOST_RECORDS]


def _path(typed: str) -> Path:
    return Path(typed).expanduser()
