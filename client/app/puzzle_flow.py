"""The course of puzzles: the list, the attempts, the saved results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cave import games as rules
from cave import puzzle as puzzles
from cave.puzzle import MISTAKE, SHOWN, SOLVED, TRIED, Puzzle
from client import games
from client.app.user_interface import BACK, UserInterface
from client.face import Face
from client.launch import new_game
from client.launch.opening import Menu, Mistakes, Opening, Puzzles
from client.lesson import LessonSession
from client.wording import begun, count, joined

if TYPE_CHECKING:
    from client.lab.mistakes import MistakeSearch

NEXT_ONE, TRY_AGAIN = "Next one", "Try again"
SEE_SOLUTION, ALL = "See the solution step by step", "All of them"
WAIT = " The others wait."
HEADS = ("Level", "Goal")  # of the columns of the list
LEVEL_ROLES = {"easy": "tip", "medium": "strong", "very": "warn", "hard": "warn"}
NO_GAMES = "You have not finished a game yet. Play one first; your mistakes in it become puzzles."
BY_BOTS = "Bots finished your games. Finish one yourself; your mistakes in it become puzzles."
NO_MISTAKES = "The analysis found no mistake of yours in your last {games}."


def goal_words(face: Face, puzzle: Puzzle) -> str:
    """Describe the goal of a puzzle: ``Be home and have 54 points within 2 turns. The others wait.``."""
    asked = [face.asks[name].format(n=f"{least:g}") for name, least in puzzle.goal.items()]
    return begun(f"{joined(asked)} within {count(puzzle.turns, 'turn')}.{WAIT}")


class PuzzleFlow(UserInterface):
    """The part of the course for puzzles, and for mistakes as puzzles."""

    _search: MistakeSearch | None = None  # the last search

    async def play_puzzle(self, name: str, number: int) -> Opening | None:
        """Ask for a puzzle if none is given, and play it; save the result."""
        game = name or await self.ask_game()
        if game is None:
            return Menu()
        self._preferences.recall()
        found, face = puzzles.load_puzzles(rules.get_game(game)), games.get_face(game)
        tasks = {
            puzzles.puzzle_key(game, each): (each.difficulty, goal_words(face, each).removesuffix(WAIT))
            for each in found
        }
        solved = sum(self._preferences.now.puzzles.get(key) == SOLVED for key in tasks)
        question = f"{rules.game_info(game).title}: {count(len(found), 'puzzle')}, {solved} solved"
        chosen = number - 1 if number else await self._ask_task(question, tasks, HEADS)
        if chosen is None:
            return Menu() if name else Puzzles()
        puzzle, who = found[chosen], await self._ask_player_name()
        attempt = puzzles.PuzzleAttempt(puzzle, rules.get_game(game), goal_words(face, puzzle))
        return await self._try_puzzle(
            LessonSession(attempt, name=who),
            puzzles.puzzle_key(game, puzzle),
            puzzles.solution_record(rules.get_game(game), puzzle, who),
            again=Puzzles(game, chosen + 1),
            following=Puzzles(game, chosen + 2 if chosen + 1 < len(found) else 0),
            all_of_them=Puzzles(game),
        )

    async def play_mistakes(self, wanted: Mistakes) -> Opening | None:
        """Search the last games for mistakes, unless it is done; ask for one, and let the player fix it."""
        from client.lab.mistakes import MistakeAttempt, MistakeSession

        search = self._search if wanted.number is not None else None
        search = self._search = search or await self._look_for_mistakes()
        found, looked = search.found, count(search.looked, "game")
        if not found:
            await self.choose(NO_MISTAKES.format(games=looked), [(BACK, "")], usual=0)
            return Menu()
        question = f"{count(len(found), 'mistake')} in your last {looked}."
        tasks = {each.key: (each.title, each.said) for each in found}
        chosen = wanted.number - 1 if wanted.number else await self._ask_task(question, tasks)
        if chosen is None:
            return Menu()
        mistake = found[chosen]
        return await self._try_puzzle(
            MistakeSession(MistakeAttempt(mistake), name=await self._ask_player_name()),
            mistake.key,
            mistake.record_with(mistake.better),
            again=Mistakes(chosen + 1),
            following=Mistakes(chosen + 2 if chosen + 1 < len(found) else 0),
            all_of_them=Mistakes(0),
            answer=mistake.answer,
        )

    async def _ask_task(
        self, question: str, tasks: Mapping[str, tuple[str, str]], heads: Sequence[str] = ()
    ) -> int | None:
        """Ask for one of some named tasks, by their keys; the default is the first unsolved one."""
        states = [self._preferences.now.puzzles.get(key, "") for key in tasks]
        entries = [
            (", ".join(filter(None, (name, self.solved_words() if state == SOLVED else state))), words)
            for (name, words), state in zip(tasks.values(), states, strict=True)
        ]
        usual = next((at for at, state in enumerate(states) if state != SOLVED), 0)
        roles = LEVEL_ROLES | {f"{level},": role for level, role in LEVEL_ROLES.items()}
        roles |= dict.fromkeys(self.solved_words().split(), "gain")
        return await self.choose(question, entries, usual=usual, roles=roles, heads=heads)

    def solved_words(self) -> str:
        """Return the mark of a solved puzzle in the list."""
        return SOLVED

    async def _ask_player_name(self) -> str:
        """Return the player's name; if it had to be asked for, save it."""
        who = await self.ask_name() or new_game.NAMELESS
        if who not in (self._preferences.now.person_name, new_game.NAMELESS):
            self.remember(played_as=self._preferences.now.with_name_played((who,)))
        return who

    async def _look_for_mistakes(self) -> MistakeSearch:
        from client.lab.mistakes import MistakeSearch
        from client.lab.series import LabFailed

        search = MistakeSearch(await self.record_summaries(), self._preferences.now.person_name)
        if not search.count_games:
            raise ValueError(BY_BOTS if search.by_bots else NO_GAMES)
        try:
            await self.watch(search.search_games)
        except LabFailed as error:
            raise ValueError(str(error)) from None
        return search

    async def _try_puzzle(
        self,
        session: LessonSession,
        key: str,
        solution: bytes,
        *,
        again: Opening,
        following: Opening,
        all_of_them: Opening,
        answer: str = "",
    ) -> Opening | None:
        """Run an attempt and save its result; then ask what to do next. ``solution`` is a record."""
        attempt = session.attempt
        try:
            done = await self.show_lesson(session)
        finally:
            await session.close()
        went = self._note_result(key, SHOWN if attempt.helped else SOLVED if done else TRIED)
        question = f"{attempt.head}: {went if done else 'not solved yet'}."
        entries = [(NEXT_ONE if done else TRY_AGAIN, ""), (SEE_SOLUTION, answer if done else ""), (ALL, "")]
        chosen = await self.choose(question, entries, usual=0, keys="nsa" if done else "tsa")
        if chosen != 1:
            return all_of_them if chosen != 0 else following if done else again
        if not done:
            self._note_result(key, SHOWN)
        after = await self.show_record(solution, f"{attempt.head}: the solution")
        return all_of_them if isinstance(after, Menu) else after

    def _note_result(self, key: str, state: str) -> str:
        """Save and return the result of a puzzle, unless it is already solved; drop mistakes of older
        games.
        """
        known = self._preferences.now.puzzles
        if known.get(key) == SOLVED:
            return SOLVED
        now = {each.key for each in self._search.found} if self._search else {*known}
        kept = {other: how for other, how in known.items() if other in now or not other.startswith(MISTAKE)}
        self.remember(puzzles={**kept, key: state})
        return state
