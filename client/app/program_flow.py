"""The flow from one opening to the next, shared by screens and line mode; both do their own prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from cave import games as rules
from cave import lesson as lessons
from cave.lesson import LessonAttempt
from client import games
from client.app.daily_flow import DailyFlow
from client.app.puzzle_flow import PuzzleFlow
from client.launch import host_tables, new_game
from client.launch.host_tables import STATES
from client.launch.launcher import JoinedTable
from client.launch.opening import (
    WHOSE,
    ChooseSettings,
    GoOn,
    HowToPlay,
    Learn,
    LocalGame,
    Menu,
    Mistakes,
    NewGame,
    NewTable,
    Opening,
    Puzzles,
    QuickGame,
    Rematch,
    ReplayFile,
    ResumedGame,
    ShowProfile,
    TableChoice,
    Today,
    Visit,
    own_seats,
)
from client.lesson import DONE, LessonSession
from client.present import records
from client.system import command_as_typed
from client.table import Rejected
from client.wording import begun

ASK_GAME = "Which game?"
ASK_LEFT = "Go on with which game?"
ASK_LEVEL = "How strong should the bot be?"
ASK_RIVAL = "Alone, or how well is the bot to play?"
BEGIN_LESSON = "Begin"
GO_ON_WITH_LESSON = "Go on with step {number} of {of}"
NEW_TO_YOU = "You have not played {game} here yet."
LESSON_FIRST, PLAY_AT_ONCE = "Learn it first: a lesson of {length}", "Play now"
LEARNT = "You know the game now:"
PLAY_ON = "Play against a bot ({level})"
SAVED_AWAY = "Nobody played this game for a time, so the host has saved it."
OPEN_AGAIN, LEAVE_SAVED = "Open it again", "Leave it saved"
Levels = Sequence[tuple[str, str]]  # levels of bots, each with its description


class ProgramFlow(DailyFlow, PuzzleFlow):
    """The flow of a run: each opening returns the next one, or None to end. Raises ``TROUBLE`` errors."""

    async def follow(self, opening: Opening) -> Opening | None:
        match opening:
            case Menu():
                return await self.ask_menu(opening)
            case NewGame() | ChooseSettings():
                return Menu()
            case HowToPlay():
                game = await self.ask_game()
                if game is None:
                    return Menu()
                await self.explain(games.get_face(game))
                return opening
            case Learn(name):
                game = name or await self.ask_game(learnt=True)
                return Menu() if game is None else await self._play_lesson(game, Menu() if name else opening)
            case Today(name):
                return await self.show_cave_of_day(name)
            case Puzzles(name, number):
                return await self.play_puzzle(name, number)
            case Mistakes():
                return await self.play_mistakes(opening)
            case ShowProfile():
                from client.lab.profile import make_profile

                await self.show_profile(make_profile(await self.record_summaries(), self._preferences.now))
                return Menu()
            case QuickGame():
                return await self._play_quick_game(opening)
            case LocalGame(plan):
                return await self.play(await self.wait(self._launcher.play(plan)), plan=plan)
            case Rematch():
                return await self.play(await self.wait(self._launcher.rematch()))
            case ResumedGame():
                return await self.resume(opening)
            case GoOn():
                table = await self._say_how_left(opening.table)
                return Menu() if table is None else await self.resume(await self.wait(self._launcher.find(table)))
            case Visit(follow=follow):
                played = await self._visit_host(opening)
                return Menu() if played is None else await self.play(played, follow=follow)
            case ReplayFile(path):
                return await self.show_record_or_ask(path)

    async def ask_game(self, *, learnt: bool = False) -> str | None:
        names = [name for name in rules.game_names() if not learnt or lessons.has_lesson(rules.get_game(name))]
        chosen = await self.ask_game_and_level(names, {}, learns=learnt)
        return chosen and chosen[0]

    async def ask_game_and_level(
        self, names: Sequence[str], levels: Mapping[str, Levels], *, learns: bool = False
    ) -> tuple[str, str] | None:
        """Ask for a game. With ``levels``, by game, a screen asks for the level, too."""
        last = self.game_to_mark(names, learns=learns)
        mine = {} if learns else {name: f" {won}." for name, won in (await self.wins_in_words()).items()}
        told = {name: ". ".join(self.game_facts(name, learns=learns)) + mine.get(name, "") for name in names}
        chosen = await self.choose(
            ASK_GAME,
            [(rules.game_info(name).title, words) for name, words in told.items()],
            usual=names.index(last) if self.asks and last else None,
        )
        return None if chosen is None else (names[chosen], "")

    def game_to_mark(self, names: Sequence[str], *, learns: bool) -> str:
        """Return the last game; for lessons the unfinished one, or the first not yet completed."""
        now = self._preferences.now
        if not learns:
            return now.game if now.game in names else ""
        to_do = [name for name in names if now.lessons.get(name) != DONE]
        return next((name for name in reversed([*now.lessons]) if name in to_do), (*to_do, names[0])[0])

    def game_facts(self, name: str, *, learns: bool = False) -> tuple[str, str]:
        """Return the players and minutes of a game, or the length and subject of its lesson."""
        if learns:
            taught, reached = (lessons.load_lesson(rules.get_game(name)), self._preferences.now.lessons.get(name, ""))
            number = taught.index_of_step(reached)
            so_far = f" You are at step {number + 1}." if number else " Done." if reached == DONE else ""
            return taught.length_words, f"{taught.goal}{so_far}"
        face, won = games.get_face(name), self._preferences.now.won
        first = "" if won or name != rules.default_game() else " First game: this one."
        return f"{new_game.player_counts(rules.game_info(name))}, {face.length}", f"{face.blurb}{first}"

    async def wins_in_words(self) -> Mapping[str, str]:
        """Return how many games the player has won, in words, by game. Reads all records."""
        return records.wins_by_game(await self.record_summaries(), self._preferences.now.person_name)

    async def _play_lesson(self, name: str, back: Opening) -> Opening | None:
        """Show the lesson's card and play the lesson; ``back`` follows if the card is closed."""
        game = rules.get_game(name)
        taught = lessons.load_lesson(game)
        reached = self._preferences.now.lessons.get(name, "")
        number = taught.index_of_step(reached)
        entries = [(BEGIN_LESSON, "")]
        if number:
            entries.insert(0, (GO_ON_WITH_LESSON.format(number=number + 1, of=len(taught.steps) - 1), ""))
        words = "\n".join((taught.title, taught.goal, taught.turn, taught.lose))
        chosen = await self.choose(words, entries, usual=0)
        if chosen is None:
            return back

        def keep(step: str) -> None:
            others = {game: at for game, at in self._preferences.now.lessons.items() if game != name}
            self.remember(lessons={**others, name: step})

        who = await self.ask_name()
        if who is None:
            return back
        self.remember(played_as=self._preferences.now.with_name_played((who,)))
        attempt = LessonAttempt(taught, game, number if not chosen else 0)
        session = LessonSession(attempt, name=who, keep=keep)
        try:
            done = await self.show_lesson(session)
        finally:
            await session.close()
        if not done:
            return Menu()
        level = session.attempt.step.play_on
        words = "\n".join((LEARNT, *(f"- {idea}" for idea in taught.ideas)))
        if await self.choose(words, [(PLAY_ON.format(level=level), "")], usual=0) is None:
            return Menu()
        attempt = session.attempt
        return LocalGame(new_game.going_on(game, attempt.state, attempt.position_names, level, who))

    async def _offer_lesson(self, name: str) -> bool | None:
        """Before the first game, ask whether to start with its lesson; None to go back."""
        now, game = self._preferences.now, rules.get_game(name)
        known = {*now.lessons, *now.levels, *now.won}
        if not self.asks or name in known or not lessons.has_lesson(game):
            return False
        entries = [(LESSON_FIRST.format(length=lessons.load_lesson(game).length_words), ""), (PLAY_AT_ONCE, "")]
        chosen = await self.choose(NEW_TO_YOU.format(game=game.title), entries, usual=0)
        if chosen == 1:
            self.remember(lessons={**now.lessons, name: ""})  # do not ask again
        return None if chosen is None else chosen == 0

    async def _play_quick_game(self, quick: QuickGame) -> Opening | None:
        if quick.game:
            quick = quick.with_remembered_level(self._preferences.now) if self.asks else quick
        else:
            names = rules.game_names()
            offered = {name: self._levels_to_choose(quick, name) for name in names}
            game, level = await self.ask_game_and_level(names, offered) or ("", "")
            if not game:
                return Menu()
            learns = await self._offer_lesson(game)
            if learns:
                return await self._play_lesson(game, quick)
            asked = None if learns is None else await self._ask_level(quick, game, level, offered[game])
            if asked is None:
                return quick
            quick = asked
        name = await self.ask_name()
        return Menu() if name is None else LocalGame(quick.plan(name))

    def _levels_to_choose(self, quick: QuickGame, game: str) -> Levels:
        """Return the levels to choose from in this game, with their descriptions."""
        info = rules.game_info(game)
        if new_game.can_be_played_alone(info) and not quick.bots and bool(info.bots):
            return *new_game.level_choices(info), (new_game.ALONE, "")
        return new_game.level_choices(info) if replace(quick, game=game).needs_level else ()

    async def _ask_level(self, quick: QuickGame, game: str, level: str, choices: Levels) -> QuickGame | None:
        """Return the quick game with this game and level; without a level, ask if there is a choice."""
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
                quick = quick.with_bots_of_level(level)
        if self.asks:
            self.remember(game=game, levels=levels)
        return quick

    async def _say_how_left(self, last: str) -> str | None:
        left = self._launcher.seats.games_with_free_seats()
        if len(left) < 2 or not self.asks:
            return last
        states: dict[str, str] = {}
        if not all(each[0].local for each in left):
            for each in await self.wait(self._launcher.own_tables()):
                states.setdefault(each.held.table, f"{begun(STATES[each.state])}: ")
            left.sort(key=lambda group: [*states, group[0].table].index(group[0].table))
        entries = [(f"{states.get(each[0].table, '')}{host_tables.game_words(each)}", "") for each in left]
        chosen = await self.choose(ASK_LEFT, entries, usual=0)
        return None if chosen is None else left[chosen][0].table

    async def resume(self, wanted: ResumedGame) -> Opening | None:
        if len(wanted.free) > 1 and self.asks:
            chosen = await self.choose(WHOSE, [(" and ".join(held.players_here), "") for held in wanted.free])
            if chosen is None:
                return Menu()
            wanted = wanted.with_seats(wanted.free[chosen])
        return await self.play(await self.back_to(wanted))

    async def _visit_host(self, wanted: Visit) -> JoinedTable | None:
        visit = wanted if wanted.table is not None else await self.ask_address(wanted)
        if visit is None:
            return None
        if visit.table is not None:
            return await self.open_table(visit.address, visit.names, visit.table)
        if not visit.address:
            return await self.ask_table(visit, ())
        tables = await self.wait(self._launcher.tables(visit.address))
        held = [] if visit.watching else self._launcher.own_held_seats(live=visit.resume)
        lines = host_tables.table_lines(tables, held, people=visit.names, watching=visit.watching)
        own = own_seats(visit, lines)
        if own is not None:
            return await self.sit_at_choice(TableChoice(visit.address, own.table, (), held=own))
        return await self.ask_table(visit, lines)

    async def open_table(self, address: str, names: tuple[str, ...], table: NewTable) -> JoinedTable | None:
        """Open a table at a host and sit down; None without a name."""
        if not names:
            name = await self.ask_name()
            names = () if name is None else (name,)
        if not names:
            return None
        if wrong := table.why_not_opened(names):
            raise ValueError(wrong)
        self.remember_names(address, names)
        return await self.wait(self._launcher.open(address, table.plan(names)))

    async def sit_at_choice(self, choice: TableChoice) -> JoinedTable:
        """Sit down at the chosen table, or resume the seats held there."""
        self.remember_names(choice.address, choice.names)
        if choice.held is not None:
            return await self.back_to(ResumedGame(choice.table, choice.held.keys, address=choice.address))
        joined = self._launcher.join(choice.address, choice.table, choice.names, choice.code, choice.seats)
        return await self.wait(joined)

    async def back_to(self, wanted: ResumedGame) -> JoinedTable:
        """Return to a table where the user has seats; reopen a shelved one on request."""
        try:
            return await self.wait(self._launcher.resume(wanted))
        except Rejected as no:
            if no.code != "shelved":
                raise
        if not await self.wants_it_open():
            how = f"To open it again, type: {command_as_typed(f'resume {wanted.table}')}"
            raise Rejected("shelved", f"{SAVED_AWAY} {how}")
        return await self.wait(self._launcher.resume(replace(wanted, reopen=True)))

    def remember_names(self, address: str, names: Sequence[str]) -> None:
        self.remember(address=address, played_as=self._preferences.now.with_name_played(names))
