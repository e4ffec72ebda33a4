"""The course of puzzles: the list, the tries, the memory of them."""

from __future__ import annotations

from cave import games as rules
from cave import puzzle as puzzles
from cave.lesson import Attempt
from cave.puzzle import SHOWN, SOLVED, TRIED, Puzzle
from client import games
from client.app.asking import Asking
from client.face import Face
from client.launch import new_game
from client.launch.opening import Menu, Opening, Puzzles
from client.lesson import LessonSession
from client.wording import begun, count, joined

NEXT_PUZZLE, TRY_AGAIN = "Next puzzle", "Try again"
SEE_SOLUTION, ALL_PUZZLES = "See the solution step by step", "All puzzles"


def goal_words(face: Face, puzzle: Puzzle) -> str:
    """Describe the goal of a puzzle: ``Be home and have 54 points within 2 turns. The others wait.``."""
    asked = [face.asks[name].format(n=f"{least:g}") for name, least in puzzle.goal.items()]
    return begun(f"{joined(asked)} within {count(puzzle.turns, 'turn')}. The others wait.")


class PuzzleCourse(Asking):
    """The part of the course that asks for puzzles."""

    async def puzzles(self, name: str, number: int) -> Opening | None:
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
        puzzle, who = found[chosen], await self.name() or new_game.NAMELESS
        attempt = puzzles.PuzzleAttempt(puzzle, rules.get(game), goal_words(face, puzzle))
        done = await self._tried(attempt, who)

        def remember(state: str) -> None:
            if states[chosen] != SOLVED:
                self.remember(puzzles={**known, puzzles.key(game, puzzle): state})

        remember(SHOWN if attempt.helped else SOLVED if done else TRIED)
        next_one = Puzzles(game, chosen + 2 if chosen + 1 < len(found) else 0)
        after = await self._after(attempt.head, next_one if done else Puzzles(game, chosen + 1), done=done)
        if after is not None:
            return after
        if not done:
            remember(SHOWN)
        lines = puzzles.record_of(rules.get(game), puzzle, who)
        after = await self.show_record(lines, f"{attempt.head}: the solution")
        return Puzzles(game) if isinstance(after, Menu) else after

    async def _tried(self, attempt: Attempt, who: str) -> bool:
        session = LessonSession(attempt, name=who)
        try:
            return await self.lesson(session)
        finally:
            await session.close()

    async def _after(self, head: str, then: Puzzles, *, done: bool) -> Opening | None:
        """Ask what follows a try; None to see the solution."""
        question = f"{head}: {'solved.' if done else 'not solved yet.'}"
        entries = [(NEXT_PUZZLE if done else TRY_AGAIN, ""), (SEE_SOLUTION, ""), (ALL_PUZZLES, "")]
        chosen = await self.choose(question, entries, usual=0, keys="nsa" if done else "tsa")
        return None if chosen == 1 else then if chosen == 0 else Puzzles(then.game)
