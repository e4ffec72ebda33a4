"""From one thing that is opened to the next, on screens and in line mode alike; how it is asked is theirs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from cave import games as rules
from cave import lesson as lessons
from cave.game import BadData
from client import games
from client.face import Face
from client.launch import host_tables, new_game
from client.launch.host_tables import TableLine
from client.launch.launcher import Launcher, Played
from client.launch.new_game import GamePlan
from client.launch.opening import (
    WHOSE,
    ChooseSettings,
    GoOn,
    HowToPlay,
    Learn,
    LocalGame,
    Menu,
    NewGame,
    NewTable,
    Opening,
    QuickGame,
    Rematch,
    ReplayFile,
    Resumed,
    TableChoice,
    Visit,
    own_seats,
)
from client.lesson import LessonSession
from client.present import records
from client.program import typed
from client.replay import Summary, batches, record_files, summary_of
from client.settings.schema import Preferences
from client.table import Rejected

TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)
"""Errors that carry a sentence for a person."""
ASK_GAME = "Which game?"
ASK_LEFT = "Go on with which game?"
ASK_LEVEL = "How strong should the bot be?"
ASK_RIVAL = "Alone, or how well is the bot to play?"
BEGIN_LESSON = "Begin"
GO_ON_WITH_LESSON = "Go on with step {number} of {of}"
NEW_TO_YOU = "You have not played {game} here yet."
LESSON_FIRST, PLAY_AT_ONCE = "Learn it first: a lesson of {minutes} minutes", "Play now"
LEARNT = "You know the game now:"
PLAY_ON = "Play against a bot ({level})"
SAVED_AWAY = "Nobody played this game for a time, so the host has saved it."
OPEN_AGAIN, LEAVE_SAVED = "Open it again", "Leave it saved"
Found = TypeVar("Found")
Levels = Sequence[tuple[str, str]]  # levels of bots, each with its sentence


class Course(ABC):
    """The flow of a run: each opening returns the next one, or None to end. Raises ``TROUBLE`` errors."""

    asks = True  # whether somebody is there to be asked for whom a game goes on

    def __init__(self, launcher: Launcher, preferences: Preferences, records: Path | None) -> None:
        self._launcher = launcher
        self._preferences = preferences
        self._records = records  # the folder of those that are kept

    # How a person is asked

    @abstractmethod
    async def menu(self, menu: Menu) -> Opening | None:
        """Ask what to open."""

    @abstractmethod
    async def choose(
        self, question: str, entries: Sequence[tuple[str, str]], *, usual: int | None = None
    ) -> int | None:
        """Ask for one of some (label, detail) entries; None to go back. Enter alone is the ``usual`` one."""

    @abstractmethod
    async def name(self) -> str | None:
        """Ask for the player's name, unless it is known; None to go back."""

    @abstractmethod
    async def table(self, visit: Visit, lines: tuple[TableLine, ...]) -> Played | None:
        """Ask which table of a host is meant, of those with these ``lines``, and sit down there."""

    @abstractmethod
    async def wants_it_open(self) -> bool:
        """Ask whether a game that the host has shelved is to be opened again."""

    @abstractmethod
    async def explain(self, face: Face) -> None:
        """Show how a game is played."""

    @abstractmethod
    async def lesson(self, session: LessonSession) -> bool:
        """Show a lesson until it is left; return whether it was done to its end."""

    @abstractmethod
    async def play(
        self, played: Played, *, plan: GamePlan | None = None, follow: bool = False
    ) -> Opening | None:
        """Show a table until it is left; ``plan`` is that of a local game."""

    @abstractmethod
    async def replay(self, path: Path | None) -> Opening | None:
        """Show a record; without a path ask for one."""

    async def address(self, visit: Visit) -> Visit | None:
        """Ask for the address of a host, if that comes before its tables."""
        return visit

    async def wait(self, work: Coroutine[Any, Any, Found]) -> Found:
        """Wait for work that may take long."""
        return await work

    def remember(self, **changes: Any) -> None:
        """Save values without being asked to."""
        self._preferences.change(**changes)

    # The course

    async def follow(self, opening: Opening) -> Opening | None:
        match opening:
            case Menu():
                return await self.menu(opening)
            case NewGame() | ChooseSettings():
                return Menu()
            case HowToPlay():
                game = await self.game()
                if game is not None:
                    await self.explain(games.get(game))
                return Menu()
            case Learn(name):
                game = name or await self.game(learnt=True)
                return Menu() if game is None else await self._learn(game)
            case QuickGame():
                return await self._quick(opening)
            case LocalGame(plan):
                return await self.play(await self.wait(self._launcher.play(plan)), plan=plan)
            case Rematch():
                return await self.play(await self.wait(self._launcher.rematch()))
            case Resumed():
                return await self._resume(opening)
            case GoOn():
                table = await self._left(opening.table)
                return (
                    Menu()
                    if table is None
                    else await self._resume(await self.wait(self._launcher.find(table)))
                )
            case Visit(follow=follow):
                played = await self._visit(opening)
                return Menu() if played is None else await self.play(played, follow=follow)
            case ReplayFile(path):
                return await self.replay(path)

    async def game(self, *, learnt: bool = False) -> str | None:
        names = [name for name in rules.names() if not learnt or lessons.has_lesson(rules.get(name))]
        chosen = await self.which(names, {})
        return chosen and chosen[0]

    async def which(self, names: Sequence[str], levels: Mapping[str, Levels]) -> tuple[str, str] | None:
        """Ask for a game. With ``levels`` to choose from, by game, a screen asks for the level, too."""
        last, won = self._preferences.now.game, await self.wins()
        mine = {name: f" {won[name]}." for name in won}
        chosen = await self.choose(
            ASK_GAME,
            [(rules.info(name).title, ". ".join(self.about(name)) + mine.get(name, "")) for name in names],
            usual=names.index(last) if self.asks and last in names else None,
        )
        return None if chosen is None else (names[chosen], "")

    def about(self, name: str) -> tuple[str, str]:
        """Return players and minutes of a game, and what it is about."""
        face, won = games.get(name), self._preferences.now.won
        first = "" if won or name != rules.default() else " First game: this one."
        return f"{new_game.sides(rules.info(name))}, {face.length}", f"{face.blurb}{first}"

    def record_files(self) -> Sequence[Path]:
        return record_files(self._records) if self._records else []

    async def wins(self) -> Mapping[str, str]:
        """Return by game how many games this person has won, in words. It reads all records."""
        found: list[Summary] = []
        for batch in batches(await asyncio.to_thread(self.record_files)):
            found += await asyncio.to_thread(lambda few: list(map(summary_of, few)), batch)
        return records.wins(found, self._preferences.now.called)

    async def _learn(self, name: str) -> Opening | None:
        game = rules.get(name)
        taught = lessons.lesson(game)
        reached = self._preferences.now.lessons.get(name, "")
        number = taught.number(reached)
        entries = [(BEGIN_LESSON, "")]
        if number:
            entries.insert(0, (GO_ON_WITH_LESSON.format(number=number + 1, of=len(taught.steps) - 1), ""))
        words = "\n".join((taught.title, taught.goal, taught.turn, taught.lose))
        chosen = await self.choose(words, entries, usual=0)
        if chosen is None:
            return Menu()

        def keep(step: str) -> None:
            self.remember(lessons={**self._preferences.now.lessons, name: step})

        who = await self.name()
        if who is None:
            return Menu()
        self.remember(played_as=self._preferences.now.playing_as((who,)))
        session = LessonSession(taught, game, reached if number and not chosen else "", name=who, keep=keep)
        try:
            done = await self.lesson(session)
        finally:
            await session.close()
        if not done:
            return Menu()
        level = session.attempt.step.play_on
        words = "\n".join((LEARNT, *(f"- {idea}" for idea in taught.ideas)))
        if await self.choose(words, [(PLAY_ON.format(level=level), "")], usual=0) is None:
            return Menu()
        attempt = session.attempt
        return LocalGame(new_game.going_on(game, attempt.state, attempt.names, level, who))

    async def _offer_lesson(self, name: str) -> bool | None:
        """Ask before the first game whether to begin with its lesson; None to go back."""
        now, game = self._preferences.now, rules.get(name)
        known = {*now.lessons, *now.levels, *now.won}
        if not self.asks or name in known or not lessons.has_lesson(game):
            return False
        entries = [(LESSON_FIRST.format(minutes=lessons.lesson(game).minutes), ""), (PLAY_AT_ONCE, "")]
        chosen = await self.choose(NEW_TO_YOU.format(game=game.title), entries, usual=0)
        if chosen == 1:
            self.remember(lessons={**now.lessons, name: ""})  # Not asked again.
        return None if chosen is None else chosen == 0

    async def _quick(self, quick: QuickGame) -> Opening:
        if quick.game:
            quick = quick.remembering(self._preferences.now) if self.asks else quick
        else:
            names = rules.names()
            found = await self.which(names, {name: self._levels(quick, name) for name in names})
            game, level = found or ("", "")
            learns = await self._offer_lesson(game) if game else None
            if learns:
                return Learn(game)
            asked = None if learns is None else await self._ask_level(quick, game, level)
            if asked is None:
                return Menu()
            quick = asked
        name = await self.name()
        return Menu() if name is None else LocalGame(quick.plan(name))

    def _levels(self, quick: QuickGame, game: str) -> Levels:
        """Return the levels to choose from in this game, with their sentences."""
        info = rules.info(game)
        if new_game.alone(info) and not quick.bots and bool(info.bots):
            return (new_game.ALONE, ""), *new_game.level_choices(info)
        return new_game.level_choices(info) if replace(quick, game=game).needs_level else ()

    async def _ask_level(self, quick: QuickGame, game: str, level: str) -> QuickGame | None:
        """Return it for this game and level; without one ask for it, if there is a choice."""
        quick = replace(quick, game=game)
        levels, choices = self._preferences.now.levels, self._levels(quick, game)
        known = [each for each, _ in choices]
        if known and not level:
            last = levels.get(game, "")
            usual = known.index(last) if last in known else 0
            ask = ASK_RIVAL if new_game.ALONE in known else ASK_LEVEL
            chosen = await self.choose(ask, choices, usual=usual if self.asks else None)
            if chosen is None:
                return None
            level = known[chosen]
        if known:
            levels = {**levels, game: level}
            if level != new_game.ALONE:
                quick = quick.against(level)
        if self.asks:
            self.remember(game=game, levels=levels)
        return quick

    async def _left(self, last: str) -> str | None:
        left = self._launcher.seats.games()
        if len(left) < 2 or not self.asks:
            return last
        chosen = await self.choose(ASK_LEFT, [(host_tables.last_game(each), "") for each in left], usual=0)
        return None if chosen is None else left[chosen][0].table

    async def _resume(self, wanted: Resumed) -> Opening | None:
        if len(wanted.free) > 1 and self.asks:
            chosen = await self.choose(WHOSE, [(" and ".join(held.people), "") for held in wanted.free])
            if chosen is None:
                return Menu()
            wanted = wanted.taking_up(wanted.free[chosen])
        return await self.play(await self.back_to(wanted))

    async def _visit(self, wanted: Visit) -> Played | None:
        visit = wanted if wanted.table is not None else await self.address(wanted)
        if visit is None:
            return None
        if visit.table is not None:
            return await self.open(visit.address, visit.names, visit.table)
        if not visit.address:
            return await self.table(visit, ())
        tables = await self.wait(self._launcher.tables(visit.address))
        held = [] if visit.watching else self._launcher.held(live=visit.resume)
        lines = host_tables.table_lines(tables, held, people=visit.names, watching=visit.watching)
        own = own_seats(visit, lines)
        if own is not None:
            return await self.seat(TableChoice(visit.address, own.table, (), held=own))
        return await self.table(visit, lines)

    async def open(self, address: str, names: tuple[str, ...], table: NewTable) -> Played | None:
        """Open a table at a host and sit down; None without a name."""
        if not names:
            name = await self.name()
            names = () if name is None else (name,)
        if not names:
            return None
        if wrong := table.problem(names):
            raise ValueError(wrong)
        self.called(address, names)
        return await self.wait(self._launcher.open(address, table.plan(names)))

    async def seat(self, choice: TableChoice) -> Played:
        """Sit down at the table that was chosen, or go on with the seats held there."""
        self.called(choice.address, choice.names)
        if choice.held is not None:
            return await self.back_to(Resumed(choice.table, choice.held.keys, address=choice.address))
        joined = self._launcher.join(choice.address, choice.table, choice.names, choice.code, choice.seats)
        return await self.wait(joined)

    async def back_to(self, wanted: Resumed) -> Played:
        """Go back to a table where this person has seats; open a shelved one if the person wants that."""
        try:
            return await self.wait(self._launcher.resume(wanted))
        except Rejected as no:
            if no.code != "shelved":
                raise
        if not await self.wants_it_open():
            how = f"To open it again, type: {typed(f'resume {wanted.table}')}"
            raise Rejected("shelved", f"{SAVED_AWAY} {how}")
        return await self.wait(self._launcher.resume(replace(wanted, reopen=True)))

    def called(self, address: str, names: Sequence[str]) -> None:
        """Remember the host's address and the players' names."""
        self.remember(address=address, played_as=self._preferences.now.playing_as(names))
