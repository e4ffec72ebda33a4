"""The course of puzzles: the list, the tries, the memory of them."""

from __future__ import annotations

from cave import games as rules
from cave import puzzle as puzzles
from cave.puzzle import SHOWN, SOLVED, TRIED, Puzzle
from client import games
from client.app.asking import Asking
from client.face import Face
from client.launch import new_game
from client.launch.opening import Menu, Opening, Puzzles
from client.lesson import LessonSession
from client.wording import begun, count, joined


def goal_words(face: Face, puzzle: Puzzle) -> str:
    """Say what a puzzle asks for: ``Be home and have 54 points within 2 turns. The others wait.``."""
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
