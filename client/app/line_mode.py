"""The program in line mode: asks for menu entries, names and tables, then runs the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cave import games as rules
from cave import record
from client import games as faces
from client import replay as kept
from client import system
from client.adviser import Adviser
from client.app.program_flow import SAVED_AWAY, ProgramFlow
from client.face import Face
from client.launch import host_tables, new_game
from client.launch.host_tables import TableLine
from client.launch.launcher import JoinedTable, Launcher
from client.launch.new_game import NAMELESS, GamePlan
from client.launch.opening import (
    GoOn,
    HowToPlay,
    Learn,
    Menu,
    NewTable,
    Opening,
    Puzzles,
    QuickGame,
    Rematch,
    ReplayFile,
    ShowProfile,
    TableChoice,
    Today,
    Visit,
)
from client.lesson import LessonSession
from client.plain.console import Console, parse_number
from client.plain.line_lesson_replay import LineReplay, line_lesson_of
from client.plain.table_dialogue import YES
from client.present import hosts, records
from client.present.help_pages import how_to_play
from client.present.hosts import HostLine
from client.present.records import RecordLine
from client.present.score import won_here
from client.replay import ReplaySession, read_record
from client.settings.schema import Preferences

if TYPE_CHECKING:
    from client.lab.profile import Profile

QUIT = ("quit", "exit")
SHORT = "q"  # quits only at prompts for a number: elsewhere it may be a name or a code
ASK_NAME = "What is your name?"
TAKEN = "{name} plays already."
ASK_ADDRESS = "What is the host's address?"
ASK_HOST = "Which host? Its number, or an address:"
ASK_FILE = "The file of the record?"
ASK_RECORD = "Which record? Its number, or a file:"
STOPS = "Ctrl-C stops the search. You get the mistakes found until then."
MOST_RECORDS = 20  # number of records to list, newest first
ASK_CODE = "The code of that table?"
NO_CODE = "The table needs its code. Give it in the input, with --code-file or in CAVE_CODE."
ASK_WHICH = "Which?"
ASK_SEAT = "Which seat? Free: {free}. Enter alone is any of them."
ASK_OPEN = "Open one? 1 yes, 2 no."
ASK_REOPEN = "Open it again? 1 yes, 2 no."
ASK_SEATS = "How many seats for people, including you?"
ASK_BOTS = "How many bots?"
NO_TABLE = "That host has no tables yet."
OWN = TableLine("", "", "")  # stands for a new table in a list of tables
MENU = (
    ("play now, against a bot", QuickGame()),
    ("join a game", Visit()),
    ("watch a game", Visit(watching=True)),
    ("replay a record", ReplayFile()),
    ("how to play", HowToPlay()),
    ("learn a game, a short lesson", Learn()),
    ("today's cave, the same for everybody", Today()),
    ("puzzles", Puzzles()),
    ("your profile", ShowProfile()),
)


class LineModeFlow(ProgramFlow):
    """The course as questions and answers; it ends where a screen would return to the menu.

    ``find`` finds the hosts of the local network, or raises ConnectionError.
    """

    def __init__(
        self,
        console: Console,
        launcher: Launcher,
        preferences: Preferences,
        find: Callable[[], Awaitable[tuple[HostLine, ...]]] | None = None,
        records: Path | None = None,
    ) -> None:
        super().__init__(launcher, preferences, records)
        self._console = console
        self.asks = console.live
        self._explained = False
        self._find = find
        self.lists_after = console.live

    async def run(self, opening: Opening | None) -> None:
        """Run until the user leaves; raises ``TROUBLE``."""
        while opening is not None:
            self._explained = False
            opening = await self.follow(opening)
            if isinstance(opening, Menu) and not self._explained:
                return

    async def ask_menu(self, menu: Menu) -> Opening | None:
        entries: list[tuple[str, Opening]] = list(MENU)
        last = self._launcher.seats.last_game()
        if last:
            # Last, so that the other numbers stay the same with and without a game.
            entries.append((f"go on: {host_tables.game_words(last)}", GoOn(last[0].table)))
        chosen = await self.choose(ASK_WHICH, [(text, "") for text, _ in entries])
        return None if chosen is None else entries[chosen][1]

    async def choose(
        self,
        question: str,
        entries: Sequence[tuple[str, str]],
        *,
        usual: int | None = None,
        keys: str = "",
        roles: Mapping[str, str] | None = None,
        heads: Sequence[str] = (),
    ) -> int | None:
        """List the entries, and ask for a number. A question of several lines is above the entries."""
        above = question.splitlines() if "\n" in question else ()
        lines = (f"{label}, {detail}" if detail else label for label, detail in entries)
        await self._console.write_lines(*above, *(f"{number} {line}" for number, line in enumerate(lines, 1)))
        return await self._ask_number_of(ASK_WHICH if above else question, len(entries), usual)

    async def watch(self, work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]]) -> None:
        """Print a line per game; Ctrl-C at a terminal stops the search, not the program."""
        told = ""

        def tell(words: str) -> None:
            nonlocal told
            if words.partition(":")[0] != told:
                told = words.partition(":")[0]
                telling.append(asyncio.create_task(self._console.write_lines(words)))

        telling: list[asyncio.Task[None]] = []
        if self._console.live:
            await self._console.write_lines(STOPS)
        try:
            await work(tell)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._console.live or task is None:
                raise
            task.uncancel()
        await asyncio.gather(*telling)

    async def copy(self, line: str) -> str:
        """Print the line by itself, so that it can be copied from the terminal."""
        await self._console.write_lines(line)
        return ""

    async def explain(self, face: Face) -> None:
        self._explained = True
        await self._console.write_lines(*how_to_play(face))

    async def show_profile(self, profile: Profile) -> None:
        from client.lab.profile import profile_lines

        await self._console.write_lines(*profile_lines(profile))

    async def _ask_number_of(self, question: str, count: int, usual: int | None = None) -> int | None:
        """Ask for a number; return its index from 0, None to leave. Enter chooses the ``usual`` one."""
        asked = question if usual is None else f"{question} Enter alone is {usual + 1}."
        while (typed := await self._read_answer(asked, SHORT)) is not None:
            if not typed.strip() and usual is not None:
                return usual
            number = parse_number(typed)
            if number is not None and 1 <= number <= count:
                return number - 1
            await self._console.write_lines(f"Type a number from 1 to {count}, or quit.")
        return None

    async def ask_name(self, line: TableLine = OWN) -> str | None:
        """Return the saved name; ask if it is taken here or in another terminal; None to leave."""
        called = self._preferences.now.person_name
        elsewhere = () if line is OWN else self._launcher.seats.names_elsewhere()
        if called and not (self._console.live and line.has_player(called, elsewhere)):
            return called
        if not self._console.live:
            return NAMELESS
        if called:
            await self._console.write_lines(TAKEN.format(name=called))
        while (name := await self._read_answer(ASK_NAME)) is not None:
            wrong = new_game.names_problem([name], line.names)
            if not wrong:
                return name
            await self._console.write_lines(wrong)
        return None

    async def ask_address(self, visit: Visit) -> Visit | None:
        """Ask for an address before the tables are known."""
        address = visit.address or await self._ask_address()
        return replace(visit, address=address) if address else None

    async def ask_table(self, visit: Visit, lines: tuple[TableLine, ...]) -> JoinedTable | None:
        """Sit down at the only table, or at the one whose number the user types."""
        opens = not visit.watching and self._launcher.may_open
        least, watching = max(1, len(visit.names)), visit.watching
        line = host_tables.only_fitting_table(lines, least, watching=watching, people=visit.names)
        line = line or await self._ask_table(lines, visit, opens)
        if line is None:
            return None
        if line == OWN:
            return await self._open_own_table(visit.address, visit.names)
        code, who = visit.code, visit.names or (self._preferences.now.person_name,)
        if line.held is None and not visit.watching and not code and line.code and not line.expects_people(who):
            asked = await self._read_answer(ASK_CODE)
            if asked is None:
                if not self._console.live:
                    raise ValueError(NO_CODE)
                return None
            code = asked
        names: tuple[str, ...] = ()
        if line.held is None and not visit.watching:
            name = None if visit.names else await self.ask_name(line)
            names = visit.names or (() if name is None else (name,))
            if not names:
                return None
        seats = visit.seats if visit.seats or not names else await self._ask_seats(line, names)
        if seats is None:
            return None
        return await self.sit_at_choice(TableChoice(visit.address, line.table, names, line.held, code, seats))

    async def _ask_seats(self, line: TableLine, names: tuple[str, ...]) -> tuple[int, ...] | None:
        """Ask for seats if there is a choice; no seats for any, None if the user leaves."""
        if not self._console.live or line.expects_people(names) or len(line.free) <= len(names):
            return ()
        while (typed := await self._read_answer(ASK_SEAT.format(free=line.free_letters), SHORT)) is not None:
            try:
                seats = new_game.parse_seats(typed)
                host_tables.check_seats(line, seats, names)
            except ValueError as error:
                await self._console.write_lines(str(error))
            else:
                return seats
        return None

    def remember_names(self, address: str, names: Sequence[str]) -> None:
        """Remember the host; also the names, if a user types."""
        super().remember_names(address, names if self._console.live else ())

    async def wants_it_open(self) -> bool:
        await self._console.write_lines(SAVED_AWAY)
        return await self._read_answer(ASK_REOPEN, SHORT) in YES

    async def _open_own_table(self, address: str, names: tuple[str, ...]) -> JoinedTable | None:
        name = await self.ask_game()
        if name is None:
            return None
        game = rules.game_info(name)
        most = game.seats[-1]
        seats = await self._ask_number(ASK_SEATS, 1, most, new_game.usual_seats(game))
        if seats is None:
            return None
        least = max(0, game.seats[0] - seats)
        bots = await self._ask_number(ASK_BOTS, least, most - seats, least)
        if bots is None:
            return None
        levels = (new_game.level_to_play(game, self._preferences.now.levels if self.asks else {}),) * bots
        return await self.open_table(address, names, NewTable(seats, levels, game=name))

    async def _ask_number(self, question: str, least: int, most: int, usual: int) -> int | None:
        if least == most:
            return usual
        asked = f"{question} {least} to {most}, usually {usual}:"
        while (typed := await self._read_answer(asked, SHORT)) is not None:
            number = parse_number(typed) if typed else usual
            if number is not None and least <= number <= most:
                return number
            await self._console.write_lines(f"Type a number from {least} to {most}, or quit.")
        return None

    async def _ask_address(self) -> str | None:
        found: tuple[HostLine, ...] = ()
        if self._find is not None:
            await self._console.write_lines(hosts.LOOKING)
            try:
                found = await self._find()
                told = [hosts.host_words(number, line) for number, line in enumerate(found, 1)]
                await self._console.write_lines(*(told or [f"{hosts.NOTHING_FOUND} {hosts.INSTEAD}"]))
            except ConnectionError as error:
                await self._console.write_lines(f"{error} {hosts.INSTEAD}")
        typed = await self._read_answer(ASK_HOST if found else ASK_ADDRESS)
        number = parse_number(typed or "")
        if number is not None and 1 <= number <= len(found):
            return found[number - 1].address
        return typed

    async def _ask_table(self, lines: tuple[TableLine, ...], visit: Visit, opens: bool) -> TableLine | None:
        """Ask for a table; ask again if it has too few seats. ``OWN`` stands for a new table."""
        opens = opens and self._console.live
        if not lines:
            await self._console.write_lines(NO_TABLE)
            return OWN if opens and await self._read_answer(ASK_OPEN) in YES else None
        for number, line in enumerate(lines, 1):
            seats = f"continue as {line.owners_of_own_seats}" if line.owners_of_own_seats else line.seats_words
            await self._console.write_lines(f"{number} {line.title}, {seats}: {line.text}")
        last = len(lines) + opens
        if opens:
            await self._console.write_lines(f"{last} a new table of your own")
        while (chosen := await self._ask_number_of("Which table?", last)) is not None:
            line = [*lines, OWN][chosen]
            full = line is not OWN and line.held is None and not visit.watching
            few = host_tables.too_few_seats(line, visit.names or ("",)) if full else ""
            if not few or not self._console.live:
                return line
            watch = system.command_as_typed(f"watch {visit.address}")
            await self._console.write_lines(f"{few}. Choose another, or quit and type: {watch}")
        return None

    async def play(self, played: JoinedTable, *, plan: GamePlan | None = None, follow: bool = False) -> Opening | None:
        face = faces.get_face(played.session.state.game.name)
        if plan is not None and self._console.live:
            self.remember(played_as=self._preferences.now.with_name_played(plan.named_people))
        adviser = Adviser()
        table = face.lines()(
            face,
            played.session,
            self._console,
            address=played.address,
            settings=self._preferences.now,
            remember=lambda action: self.remember(memory={**self._preferences.now.memory, face.name: action}),
            saved=played.saved,
            advise=adviser.advise,
        )
        if played.warning:
            await self._console.write_lines(played.warning)
        try:
            await table.run()
        finally:
            await adviser.close()
        if table.scored and self._console.live and won_here(played.session.state):
            self._preferences.note_win(face.name)
        return Rematch() if table.rematch else None

    async def show_lesson(self, session: LessonSession) -> bool:
        session.pause, session.keeps_log = _skip_pause, True
        face = faces.get_face(session.state.game.name)
        await line_lesson_of(face.lines())(face, session, self._console, saved=False).run()
        return session.attempt.continues_into_game

    async def show_record_or_ask(self, path: Path | None) -> Opening | None:
        """Replay a record step by step; analysis is a separate command."""
        path = path or await self._ask_record()
        if path is not None:
            await self._step_through_replay(read_record(path), f"Replay of {path.name}")
        return None

    async def show_record(self, lines: bytes, title: str) -> Opening | None:
        await self._step_through_replay(record.replay(BytesIO(lines)), title)
        return Menu()

    async def _step_through_replay(self, played: record.Replay, title: str) -> None:
        face = faces.get_face(played.game.name)
        await LineReplay(face.lines(), ReplaySession(played, face, title), self._console).run()

    async def _ask_record(self) -> Path | None:
        known = await asyncio.to_thread(_newest_records, self.record_files())
        await self._console.write_lines(*(records.record_words(number, line) for number, line in enumerate(known, 1)))
        typed = await self._read_answer(ASK_RECORD if known else ASK_FILE)
        number = parse_number(typed or "")
        if number is not None and 1 <= number <= len(known):
            return known[number - 1].path
        return _typed_path(typed) if typed else None

    async def _read_answer(self, question: str, *also: str) -> str | None:
        typed = await self._console.read_line(lambda: f"{question} ")
        return None if typed is None or typed.strip().casefold() in (*QUIT, *also) else typed


def _newest_records(paths: Sequence[Path]) -> list[RecordLine]:
    from client.lab.daily import record_line_of

    return records.newest_first(record_line_of(kept.summary_of(path)) for path in paths)[:MOST_RECORDS]


def _typed_path(typed: str) -> Path:
    return Path(typed).expanduser()


async def _skip_pause(_seconds: float) -> None:
    """Return at once: no board is shown that needs time to be seen."""
