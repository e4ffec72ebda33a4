"""From one thing that is opened to the next, on screens and in line mode alike; how it is asked is theirs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from cave import games as rules
from cave import lesson as lessons
from cave import puzzle as puzzles
from cave.game import BadData
from cave.lesson import Attempt
from cave.puzzle import Puzzle
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
    Puzzles,
    QuickGame,
    Rematch,
    ReplayFile,
    Resumed,
    ShowProfile,
    TableChoice,
    Today,
    Visit,
    own_seats,
)
from client.lesson import DONE, LessonSession
from client.present import records
from client.replay import Summary, batches, record_files, summary_of
from client.settings.schema import Day, Preferences
from client.system import typed
from client.table import Rejected
from client.wording import begun, count, joined

if TYPE_CHECKING:
    from client.lab.daily import Try
    from client.lab.profile import Profile

TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)
"""Errors that carry a sentence for a person."""
ASK_GAME = "Which game?"
ASK_LEFT = "Go on with which game?"
ASK_LEVEL = "How strong should the bot be?"
ASK_RIVAL = "Alone, or how well is the bot to play?"
BEGIN_LESSON = "Begin"
GO_ON_WITH_LESSON = "Go on with step {number} of {of}"
NEW_TO_YOU = "You have not played {game} here yet."
LESSON_FIRST, PLAY_AT_ONCE = "Learn it first: a lesson of {length}", "Play now"
DAY = "Cave of the day, {day:%A} {day.day} {day:%B} (UTC)"
NEW_DAY = "not played yet, {against}"
GO_ON_WITH_DAY = "not over: go on"
AGAIN = "Play it again; only the first try counts"
SEE_AGAIN = "See the first try again"
SOLVED, SHOWN, TRIED = "solved", "shown", "tried"
LEARNT = "You know the game now:"
PLAY_ON = "Play against a bot ({level})"
SAVED_AWAY = "Nobody played this game for a time, so the host has saved it."
OPEN_AGAIN, LEAVE_SAVED = "Open it again", "Leave it saved"
Found = TypeVar("Found")
Levels = Sequence[tuple[str, str]]  # levels of bots, each with its sentence


def goal_words(face: Face, puzzle: Puzzle) -> str:
    """Say what a puzzle asks for: ``Be home and have 54 points within 2 turns. The others wait.``."""
    asked = [face.asks[name].format(n=f"{least:g}") for name, least in puzzle.goal.items()]
    return begun(f"{joined(asked)} within {count(puzzle.turns, 'turn')}. The others wait.")


class Course(ABC):
    """The flow of a run: each opening returns the next one, or None to end. Raises ``TROUBLE`` errors."""

    asks = True  # whether somebody is there to be asked for whom a game goes on
    lists_after = False  # whether ``None`` after a table means that it was left, not the program

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
        """Ask whether to reopen a game that the host has shelved."""

    @abstractmethod
    async def explain(self, face: Face) -> None:
        """Show how a game is played."""

    @abstractmethod
    async def show_profile(self, profile: Profile) -> None:
        """Show how this person does."""

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
        """Show a record; without a path ask for it."""

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
            case Today(name):
                return await self._today(name)
            case Puzzles(name, number):
                return await self._puzzles(name, number)
            case ShowProfile():
                from client.lab.profile import profile

                now = self._preferences.now
                await self.show_profile(profile(await self.summaries(), now.called, now.pars))
                return Menu()
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
        chosen = await self.which(names, {}, learns=learnt)
        return chosen and chosen[0]

    async def which(
        self, names: Sequence[str], levels: Mapping[str, Levels], *, learns: bool = False
    ) -> tuple[str, str] | None:
        """Ask for a game. With ``levels`` to choose from, by game, a screen asks for the level, too."""
        last = self.marked(names, learns=learns)
        mine = {} if learns else {name: f" {won}." for name, won in (await self.wins()).items()}
        told = {name: ". ".join(self.about(name, learns=learns)) + mine.get(name, "") for name in names}
        chosen = await self.choose(
            ASK_GAME,
            [(rules.info(name).title, words) for name, words in told.items()],
            usual=names.index(last) if self.asks and last else None,
        )
        return None if chosen is None else (names[chosen], "")

    def marked(self, names: Sequence[str], *, learns: bool) -> str:
        """Return the game of the last time; of lessons the one that was left, or the first not yet done."""
        now = self._preferences.now
        if not learns:
            return now.game if now.game in names else ""
        to_do = [name for name in names if now.lessons.get(name) != DONE]
        return next((name for name in reversed([*now.lessons]) if name in to_do), (*to_do, names[0])[0])

    def about(self, name: str, *, learns: bool = False) -> tuple[str, str]:
        """Return players and minutes of a game, or the length of its lesson, and its subject."""
        if learns:
            taught, reached = lessons.lesson(rules.get(name)), self._preferences.now.lessons.get(name, "")
            number = taught.number(reached)
            so_far = f" You are at step {number + 1}." if number else " Done." if reached == DONE else ""
            return taught.length, f"{taught.goal}{so_far}"
        face, won = games.get(name), self._preferences.now.won
        first = "" if won or name != rules.default() else " First game: this one."
        return f"{new_game.sides(rules.info(name))}, {face.length}", f"{face.blurb}{first}"

    def record_files(self) -> Sequence[Path]:
        return record_files(self._records) if self._records else []

    async def summaries(self) -> list[Summary]:
        found: list[Summary] = []
        for batch in batches(await asyncio.to_thread(self.record_files)):
            found += await asyncio.to_thread(lambda few: list(map(summary_of, few)), batch)
        return found

    async def wins(self) -> Mapping[str, str]:
        """Return by game how many games this person has won, in words. It reads all records."""
        return records.wins(await self.summaries(), self._preferences.now.called)

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
            others = {game: at for game, at in self._preferences.now.lessons.items() if game != name}
            self.remember(lessons={**others, name: step})

        who = await self.name()
        if who is None:
            return Menu()
        self.remember(played_as=self._preferences.now.playing_as((who,)))
        attempt = Attempt(taught, game, number if not chosen else 0)
        session = LessonSession(attempt, name=who, keep=keep)
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

    async def _puzzles(self, name: str, number: int) -> Opening | None:
        """Ask for a puzzle, unless it is given, and play it; remember how it went."""
        game = name or await self.game()
        if game is None:
            return Menu()
        found, face, known = puzzles.puzzles(rules.get(game)), games.get(game), self._preferences.now.puzzles
        states = [known.get(puzzles.key(game, each), "") for each in found]
        chosen = number - 1 if number else None
        if chosen is None:
            question = (
                f"{rules.info(game).title}: {count(len(found), 'puzzle')}, {states.count(SOLVED)} solved"
            )
            entries = [
                (", ".join(filter(None, (each.difficulty, state))), goal_words(face, each))
                for each, state in zip(found, states, strict=True)
            ]
            usual = next((at for at, state in enumerate(states) if state != SOLVED), 0)
            chosen = await self.choose(question, entries, usual=usual)
        if chosen is None:
            return Menu()
        attempt = puzzles.PuzzleAttempt(found[chosen], rules.get(game), goal_words(face, found[chosen]))
        session = LessonSession(attempt, name=await self.name() or new_game.NAMELESS)
        try:
            done = await self.lesson(session)
        finally:
            await session.close()
        if states[chosen] != SOLVED:
            state = SHOWN if attempt.helped else SOLVED if done else TRIED
            self.remember(puzzles={**known, puzzles.key(game, found[chosen]): state})
        return Puzzles(game)

    async def _today(self, game: str) -> Opening | None:
        """Show the caves of the day and how they went; play the chosen one."""
        from client.lab import daily

        day = daily.today()
        tries = await self._tries(day)
        today = {done.game: done for done in tries.values() if done.day == day}
        # A record is replayed for its line, which may take a second.
        lines = {name: await asyncio.to_thread(self._result, done) for name, done in today.items()}
        if not game:
            streak = daily.streak({each.day for each in tries.values()}, day)
            words = [DAY.format(day=day), *([f"{count(streak, 'day')} in a row"] if streak > 1 else [])]
            words += ["", *daily.calendar_lines(tries, self._preferences.now.pars, day)]
            entries = [
                (
                    rules.info(name).title,
                    lines.get(name, "").partition(": ")[2] or self._new_of_day(name, day),
                )
                for name in rules.names()
            ]
            chosen = await self.choose("\n".join(words), entries)
            if chosen is None:
                return Menu()
            game = rules.names()[chosen]
        if game in today:
            chosen = await self.choose(lines[game], [(AGAIN, ""), (SEE_AGAIN, "")])
            if chosen != 0:
                return Today() if chosen is None else ReplayFile(today[game].path)
        return await self._play_of_day(game, day, ranked=game not in today)

    def _new_of_day(self, game: str, day: date) -> str:
        from client.lab import daily

        if self._table_of_day(game, day) is not None:
            return GO_ON_WITH_DAY
        wanted = daily.wanted(game, day, ranked=True)
        return NEW_DAY.format(against=f"against the {daily.LEVEL}" if wanted.bots else "alone")

    async def _play_of_day(self, game: str, day: date, *, ranked: bool) -> Opening | None:
        from client.lab import daily

        begun = self._table_of_day(game, day) if ranked else None
        if begun is not None:
            after = await self._resume(await self.wait(self._launcher.find(begun)))
        else:
            name = await self.name()
            if name is None:
                return Menu()
            plan = daily.wanted(game, day, ranked=ranked).plan(name)
            played = await self.wait(self._launcher.play(plan))
            if ranked:
                self._preferences.day(daily.key(game, day), table=played.session.state.table)
            after = await self.play(played, plan=plan)
        if not isinstance(after, Menu) and (after is not None or not self.lists_after):
            return after
        return Today() if after is None or not after.wrong else after

    def _table_of_day(self, game: str, day: date) -> str | None:
        """Return the table of a day's game that is not over."""
        from client.lab import daily

        table = self._preferences.now.days.get(daily.key(game, day), Day()).table
        left = [held.table for group in self._launcher.seats.games() for held in group]
        return table if table in left else None

    async def _tries(self, day: date) -> dict[str, Try]:
        """Return the tries that count; the par of each of this day's is worked out once."""
        from client.lab import daily

        tries = daily.ranked(await self.summaries())
        for name, done in tries.items():
            if done.day == day and self._preferences.now.pars.get(name) is None:
                par = await self.wait(asyncio.to_thread(daily.par, done.game, day))
                self._preferences.day(name, par=par)
        return tries

    def _result(self, done: Try) -> str:
        from client.lab import daily

        feats = daily.feats(games.get(done.game), done.path)
        return daily.result_line(
            done.game, done.day, done.points, self._preferences.now.pars.get(done.key), feats
        )

    async def _offer_lesson(self, name: str) -> bool | None:
        """Ask before the first game whether to begin with its lesson; None to go back."""
        now, game = self._preferences.now, rules.get(name)
        known = {*now.lessons, *now.levels, *now.won}
        if not self.asks or name in known or not lessons.has_lesson(game):
            return False
        entries = [(LESSON_FIRST.format(length=lessons.lesson(game).length), ""), (PLAY_AT_ONCE, "")]
        chosen = await self.choose(NEW_TO_YOU.format(game=game.title), entries, usual=0)
        if chosen == 1:
            self.remember(lessons={**now.lessons, name: ""})  # Not asked again.
        return None if chosen is None else chosen == 0

    async def _quick(self, quick: QuickGame) -> Opening:
        if quick.game:
            quick = quick.remembering(self._preferences.now) if self.asks else quick
        else:
            names = rules.names()
            offered = {name: self._levels(quick, name) for name in names}
            game, level = await self.which(names, offered) or ("", "")
            learns = await self._offer_lesson(game) if game else None
            if learns:
                return Learn(game)
            asked = None if learns is None else await self._ask_level(quick, game, level, offered[game])
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

    async def _ask_level(self, quick: QuickGame, game: str, level: str, choices: Levels) -> QuickGame | None:
        """Return it for this game and level; without one ask for it, if there is a choice."""
        quick = replace(quick, game=game)
        levels = self._preferences.now.levels
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
        """Sit down at the chosen table, or continue with the seats held there."""
        self.called(choice.address, choice.names)
        if choice.held is not None:
            return await self.back_to(Resumed(choice.table, choice.held.keys, address=choice.address))
        joined = self._launcher.join(choice.address, choice.table, choice.names, choice.code, choice.seats)
        return await self.wait(joined)

    async def back_to(self, wanted: Resumed) -> Played:
        """Return to a table where this user has seats; reopen a shelved one on request."""
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
