"""The course on screens."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cave import games as rules
from cave import record
from cave.files import read_regular
from cave.game import BadData
from client import games
from client.adviser import Adviser
from client.app.program_flow import ASK_GAME, LEAVE_SAVED, OPEN_AGAIN, SAVED_AWAY, Levels, ProgramFlow
from client.app.screens.moment import GivenUp, MomentScreen
from client.app.user_interface import TROUBLE, Found
from client.face import Face
from client.launch import host_tables, new_game
from client.launch.host_tables import TableLine
from client.launch.launcher import JoinedTable, Launcher
from client.launch.new_game import GamePlan
from client.launch.opening import (
    ChooseSettings,
    LocalGame,
    Menu,
    Mistakes,
    NewGame,
    Opening,
    Rematch,
    TableChoice,
    TableWish,
    Typed,
    Visit,
    back_to_menu,
    field_to_retype,
)
from client.lesson import LessonSession
from client.present import score
from client.replay import ANALYSE, ANALYSIS, BACK, PLAY_ON
from client.settings.schema import Preferences
from client.wording import error_sentence

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.app.host_list import Browse
    from client.lab.analysis import Analysis
    from client.lab.profile import Profile
    from client.replay import ReplaySession
    from client.tui.title_picture import TitlePictures


COPIED = "Copied. If your terminal does not paste it, select the line above."
STOPS = "You can give up: you get the mistakes found until then."
NOTHING_TO_WATCH = "There is no game to watch at the moment. Try again later."
WELCOME = "New here? Press l to learn a game by playing it: a few minutes."


class ScreenStage(Protocol):
    """The parts of the app that show screens: ``glyphs`` are the signs of the next screen."""

    preferences: Preferences
    glyphs: str

    @property
    def pictures(self) -> TitlePictures | None: ...

    def push_screen(self, screen: Any, *arguments: Any, **options: Any) -> Any: ...

    def remember(self, **changes: Any) -> None: ...

    def copy_to_clipboard(self, text: str) -> None: ...

    def table_left(self) -> None: ...


class ScreenFlow(ProgramFlow):
    """Shows screens, then the menu again; ``moment`` is below them. ``browse`` finds local hosts."""

    def __init__(
        self,
        stage: ScreenStage,
        launcher: Launcher,
        moment: MomentScreen,
        *,
        records: Path,
        version: str = "",
        browse: Browse | None = None,
    ) -> None:
        super().__init__(launcher, stage.preferences, records)
        self._stage = stage
        self._moment = moment
        self._chosen_last: Opening | None = None  # in the menu
        self._version = version
        self._browse = browse
        self._analysed: Analysis | None = None
        self._only = False  # whether the run ends after its first opening

    async def run(self, opening: Opening | None) -> str:
        """Run one opening after the other; return the farewell if the run ended without the menu."""
        direct = not isinstance(opening, Menu)
        self._only = isinstance(opening, Visit) and opening.only
        while opening is not None:
            try:
                opening = await self.follow(opening)
                direct = direct and isinstance(opening, LocalGame)
            except GivenUp:
                direct = False
                opening = back_to_menu(await self._launcher.leave(to_menu=True))
            except TROUBLE as error:
                words = error_sentence(error)
                if direct:
                    return words
                await self._launcher.leave()
                opening = Menu(words, wrong=True)
            if self._only:
                break
        return ""

    async def follow(self, opening: Opening) -> Opening | None:
        match opening:
            case ChooseSettings():
                from client.app.game_key_bindings import key_list
                from client.app.screens.settings import SettingsScreen

                await self._show(SettingsScreen(self._preferences, key_list(), glyphs=self._glyphs))
                return Menu()
            case NewGame():
                from client.app.screens.new_game import NewGameScreen

                now = self._preferences.now
                form = NewGameScreen(now.person_name, glyphs=self._glyphs, game=now.game, levels=now.levels)
                wanted: Opening = await self._show(form)
                return wanted
            case _:
                return await super().follow(opening)

    @property
    def _glyphs(self) -> str:
        return self._stage.glyphs

    async def _show(self, screen: Screen[Any]) -> Any:
        return await self._stage.push_screen(screen, wait_for_dismiss=True)

    async def wait(self, work: Coroutine[Any, Any, Found]) -> Found:
        """Wait behind a notice; raises GivenUp if the user cancels."""
        return await self._moment.wait_for(work)

    async def watch(self, work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]]) -> None:
        with contextlib.suppress(GivenUp):
            await self._moment.wait_for(work(lambda words: self._moment.say(f"{words}\n{STOPS}")))

    def solved_words(self) -> str:
        return f"{'+' if self._glyphs == 'ascii' else '✓'} {super().solved_words()}"

    def remember(self, **changes: Any) -> None:
        """Save values in the background; the app reports a failure."""
        self._stage.remember(**changes)

    async def ask_menu(self, menu: Menu) -> Opening | None:
        from client.app.screens.menu import MenuScreen

        pictures = self._stage.pictures
        if pictures is not None:
            self._moment.show_picture_behind(pictures)
        now = self._preferences.now
        last = self._launcher.seats.last_game()
        new_here = not (now.person_name or now.lessons or last)
        screen = MenuScreen(
            menu.message or (WELCOME if new_here else ""),
            wrong=menu.wrong,
            glyphs=self._glyphs,
            version=self._version,
            last=last,
            pictures=pictures,
            chosen=self._chosen_last,
        )
        chosen: Opening | None = await self._show(screen)
        self._chosen_last = chosen
        return chosen

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
        """Show a list; its keys, or the digits for the first nine, choose at once."""
        from client.tui.chooser import ChooserScreen, Entry, number_key

        keyed = [*keys] or [number_key(number) for number in range(1, len(entries) + 1)]
        shown = [
            Entry(text, at, detail=detail, key=key)
            for at, ((text, detail), key) in enumerate(zip(entries, keyed, strict=True))
        ]
        line = "-" if self._glyphs == "ascii" else "─"
        screen = ChooserScreen(question, shown, chosen=usual or 0, line=line, roles=roles, heads=heads)
        chosen: int | None = await self._show(screen)
        return chosen

    async def copy(self, line: str) -> str:
        """Copy to the terminal's clipboard (OSC 52)."""
        self._stage.copy_to_clipboard(line)
        return COPIED

    async def ask_game_and_level(
        self, names: Sequence[str], levels: Mapping[str, Levels], *, learns: bool = False
    ) -> tuple[str, str] | None:
        from client.app.screens.games import GamesScreen
        from client.tui.chooser import Entry, number_key

        last = self.game_to_mark(names, learns=learns)
        entries = []
        for number, name in enumerate(names, 1):
            facts, words = self.game_facts(name, learns=learns)
            title, key = rules.game_info(name).title, number_key(number)
            entries.append(Entry(title, name, price=facts.replace("minutes", "min"), detail=words, key=key))
        chosen: tuple[str, str] | None = await self._show(
            GamesScreen(
                ASK_GAME,
                entries,
                levels,
                {name: games.get_face(name).emblem for name in names},
                remembered=self._preferences.now.levels,
                chosen=names.index(last) if last else 0,
                wins=None if learns else self.wins_in_words,
                line="-" if self._glyphs == "ascii" else "─",
            )
        )
        return chosen

    async def wants_it_open(self) -> bool:
        return await self.choose(SAVED_AWAY, [(OPEN_AGAIN, ""), (LEAVE_SAVED, "")], keys="ol") == 0

    async def ask_name(self) -> str | None:
        if self._preferences.now.person_name:
            return self._preferences.now.person_name
        from client.app.screens.menu import NameScreen

        typed: str | None = await self._show(NameScreen())
        return typed

    async def explain(self, face: Face) -> None:
        from client.tui.help import HelpScreen

        await self._show(HelpScreen(face, glyphs=self._glyphs, topic="how to play"))

    async def show_profile(self, profile: Profile) -> None:
        from client.app.screens.profile import ProfileScreen

        await self._show(ProfileScreen(profile, glyphs=self._glyphs))

    async def ask_table(self, visit: Visit, lines: tuple[TableLine, ...]) -> JoinedTable | None:
        """Sit down if the choice is clear, else show the lists of hosts and tables."""
        # A named host fails at once if it is unreachable, and a single table needs no list.
        names, watching = visit.names, visit.watching
        only = host_tables.only_fitting_table(lines, len(names), watching=watching, people=names)
        free = only is None or not only.code or only.expects_people(names)
        known = watching or (names and (visit.code or free))
        if only is not None and known:
            choice = TableChoice(visit.address, only.table, visit.names, None, visit.code, visit.seats)
            return await self.sit_at_choice(choice)
        if visit.only:
            if not lines:
                raise ValueError(NOTHING_TO_WATCH)
            at = await self.choose(ASK_GAME, [(line.title, line.text) for line in lines])
            return None if at is None else await self.sit_at_choice(TableChoice(visit.address, lines[at].table, ()))
        return await self._show_join_screen(visit)

    async def _show_join_screen(self, visit: Visit) -> JoinedTable | None:
        from client.app.screens.join import JoinScreen

        now = self._preferences.now
        names = visit.names
        address, problem, browse = visit.address or now.address, "", not visit.address
        choice: TableChoice | TableWish | None = None
        wrong: Typed | None = None
        while True:
            before = choice if isinstance(choice, TableChoice) else None
            choice = await self._show(
                JoinScreen(
                    self._launcher.tables,
                    held=self._launcher.own_held_seats,
                    may_open=lambda: self._launcher.may_open,
                    address=address,
                    names=names,
                    called=now.person_name,
                    elsewhere=self._launcher.seats.names_elsewhere(),
                    code=visit.code if before is None else before.code or visit.code,
                    seats=visit.seats if before is None else before.seats,
                    watching=visit.watching,
                    browse=self._browse if browse else None,
                    problem=problem,
                    before=before,
                    wrong=wrong,
                )
            )
            if choice is None:
                await self._launcher.leave()
                return None
            try:
                played = await (
                    self.sit_at_choice(choice) if isinstance(choice, TableChoice) else self._open_by_form(choice)
                )
            except TROUBLE as error:
                problem, wrong = error_sentence(error), field_to_retype(error)  # another table may still work
            else:
                if played is not None:
                    return played
                problem, wrong = "", None
            address, names, browse = choice.address, choice.names or names, False

    async def _open_by_form(self, wish: TableWish) -> JoinedTable | None:
        from client.app.screens.new_game import NewGameScreen

        levels = self._preferences.now.levels
        form = NewGameScreen(*wish.names, where=wish.address, glyphs=self._glyphs, levels=levels)
        wanted = await self._show(form)
        if not isinstance(wanted, LocalGame):
            return None
        self.remember_names(wish.address, wanted.plan.people_here)
        return await self.wait(self._launcher.open(wish.address, wanted.plan))

    async def show_lesson(self, session: LessonSession) -> bool:
        """Show the game's own screen with the lines of the lesson."""
        from client.tui.lesson import NEXT, PLAY_ON, lesson_of

        face = games.get_face(session.state.game.name)
        then = NEXT
        while then == NEXT:
            screen = lesson_of(face.screen())(
                face, session, glyphs=self._glyphs, saved=False, preferences=self._preferences
            )
            then = await self._show(screen)
        if then == "quit":
            raise GivenUp
        return then == PLAY_ON

    async def play(self, played: JoinedTable, *, plan: GamePlan | None = None, follow: bool = False) -> Opening | None:
        """Show the lobby until the game has begun, then the table."""
        session = played.session
        then = "play"
        if session.state.view is None:
            from client.app.screens.lobby import LobbyScreen

            then = await self._show(LobbyScreen(session, address=played.address, glyphs=self._glyphs))
        while then == "play" or (then == ANALYSE and not self._only):
            if then == ANALYSE:
                await self._launcher.record_kept()
                after = await self.show_record_or_ask(Path(played.record_path), analysed=True)
                if not isinstance(after, Menu):
                    await self._launcher.leave()
                    return after
            then = await self._show_table(played, plan, follow=follow)
        if then == "quit":
            return None
        return Rematch() if then == "rematch" else back_to_menu(await self._launcher.leave(to_menu=True))

    async def _show_table(self, played: JoinedTable, plan: GamePlan | None, *, follow: bool) -> str:
        session = played.session
        face = games.get_face(session.state.game.name)
        adviser = Adviser()
        screen = face.screen()(
            face,
            session,
            glyphs=self._glyphs,
            record_path=played.record_path,
            remembered=face.recall(self._preferences.now.memory),
            address=played.address,
            follow=follow,
            saved=played.saved,
            preferences=self._preferences,
            advise=adviser.advise,
            line_to_paste=self.line_to_paste,
        )
        left = self._stage.push_screen(screen, wait_for_dismiss=True)
        if played.warning:
            screen.notify(played.warning, severity="warning", markup=False)
        if session.state.series and not session.state.ended:
            screen.notify(score.series_words(session.state).partition("\n")[0], markup=False)
        if plan is not None:
            # After the board appears: nobody waits for the disk.
            named = self._preferences.now.with_name_played(plan.named_people)
            screen.call_after_refresh(self.remember, played_as=named)
        try:
            then: str = await left
        finally:
            await adviser.close()
        self._stage.table_left()
        return then

    async def show_record_or_ask(self, path: Path | None, *, analysed: bool = False) -> Opening | None:
        """Show a record (``analysed``: its analysis first); without a path, list records to choose from."""
        from client.replay import read_record

        direct, message = path is not None and not analysed, ""
        # Replaying a long game takes a while.
        played = await self.wait(asyncio.to_thread(read_record, path)) if path is not None else None
        while path is None or played is None:
            chosen = await self._ask_record(message)
            if not isinstance(chosen, Path):
                return chosen or Menu()
            path = chosen
            try:
                played = await self.wait(asyncio.to_thread(read_record, path))
            except BadData as error:
                message = error_sentence(error)
        lines = await asyncio.to_thread(read_regular, path)
        after = await self._show_replay(played, lines, f"Replay of {path.name}", path, analysed=analysed)
        return None if direct and isinstance(after, Menu) else after

    async def show_record(self, lines: bytes, title: str) -> Opening | None:
        return await self._show_replay(record.replay(BytesIO(lines)), lines, title)

    async def _show_replay(
        self, played: record.Replay, lines: bytes, title: str, path: Path | None = None, *, analysed: bool = False
    ) -> Opening | None:
        """Show a replay and its analysis; then the menu, unless the user opens another table or quits."""
        from client.replay import ReplaySession

        face = games.get_face(played.game.name)
        session = ReplaySession(played, face, title)
        analysis: Analysis | None = None
        if analysed:
            analysis = await self._make_analysis(lines, played, path)
            if not await self._show_analysis(analysis, session):
                return Menu()
        while True:
            screen = face.replay_screen()(
                face, session, glyphs=self._glyphs, record_path=str(path or ""), preferences=self._preferences
            )
            then: str | None = await self._show(screen)
            # Back from a step that the analysis opened returns to the analysis.
            if then != ANALYSE and (then != BACK or analysis is None):
                break
            analysis = analysis or await self._make_analysis(lines, played, path)
            if not await self._show_analysis(analysis, session) and then == BACK:
                break
        if then and then.startswith(PLAY_ON):
            name = self._preferences.now.person_name or new_game.NAMELESS
            level = then.removeprefix(PLAY_ON)
            return LocalGame(new_game.going_on(played.game, session.furthest_step, session.names, level, name))
        return None if then == "quit" else Menu()

    async def _make_analysis(self, lines: bytes, played: record.Replay, path: Path | None) -> Analysis:
        from client.lab.analysis import Analysis

        if self._analysed is None or self._analysed.lines != lines:
            mine = path is not None and path.parent == self._records
            file = path.with_suffix(ANALYSIS) if path and mine else None
            self._analysed = await asyncio.to_thread(Analysis, lines, played, file)
        return self._analysed

    async def _show_analysis(self, analysis: Analysis, session: ReplaySession) -> bool:
        from client.app.screens.analysis import AnalysisScreen

        step: int | None = await self._show(AnalysisScreen(session.face, analysis, glyphs=self._glyphs))
        if step is not None:
            session.go_to_step(step)
        return step is not None

    async def _ask_record(self, message: str) -> Path | Mistakes | None:
        from client.app.screens.records import RecordsScreen

        chosen: Path | Mistakes | None = await self._show(
            RecordsScreen(self.record_files, message=message, glyphs=self._glyphs)
        )
        return chosen
