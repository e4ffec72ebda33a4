"""The mistakes of a player's last games, as positions in which to find the better action.

The analysis of a game finds them, and judges the player's new actions. Its results are saved beside the
record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path

from cave import codec, record
from cave.files import read_regular
from cave.game import BadData, Json, Refused
from cave.lesson import LessonAttempt, Verdict, one_step_lesson
from cave.puzzle import MISTAKE
from client import games
from client.adviser import HelperProcess
from client.lab.analysis import PROGRAM, Analysis, Job, Part, ProvenMistake, Task, mistake_words, scenes_of_record
from client.lesson import LessonSession
from client.present import advice
from client.present.records import is_finished, seat_of
from client.replay import ANALYSIS, Summary
from client.table import Rejected
from client.wording import count

GAMES = 10  # number of games to search, newest first
MOST = 20  # number of mistakes, worst first
GOAL = "Find a better action here."
NO_ANSWER = "The analysis does not answer. Try again."


class Mistake:
    """A mistake in a record: the record up to there, and the better action."""

    def __init__(self, summary: Summary, played: record.Replay, seat: int, other: ProvenMistake) -> None:
        self.when = summary.when
        self.lost = other.chance_lost
        self.key = f"{MISTAKE}{summary.path.stem} {other.step}"
        self.title = f"{played.game.title}, {self.when[:10]}, {advice.loss_words(other.better, other.done)}"
        self.game = played.game
        self.seat = seat
        self.better: Json = other.better.action
        self.position = played.game.position(played.state_after(other.step), played.names)
        self._seats = played.header.seats
        face = games.get_face(played.game.name)
        self.said, self.answer = mistake_words(other, scenes_of_record(face, played)(other.step), face)

    def record_with(self, action: Json) -> bytes:
        """Return a record that starts with the position, and has only this action."""
        head = record.header_line(self.game, {}, self._seats, seed=None, created="", start=self.position)
        return record.write([head, record.action_line(self.seat, action)])


class MistakeSearch:
    """The search for mistakes in the last games, newest first."""

    def __init__(self, found: Iterable[Summary], called: str) -> None:
        by_game = {each.digest: each for each in sorted(found, key=lambda each: each.when) if each.outline}
        mine = [
            (each, seat)
            for each in reversed(by_game.values())
            if each.outline and (seat := seat_of(each.outline, called)) is not None
        ]
        self._games = mine[:GAMES]
        outlines = [each.outline for each in by_game.values() if each.outline and is_finished(each.outline)]
        self.by_bots = any(form.kind == "person" and form.level for each in outlines for form in each.header.seats)
        self.looked = 0
        self.found: list[Mistake] = []

    @property
    def count_games(self) -> int:
        return len(self._games)

    async def search_games(self, tell: Callable[[str], None]) -> None:
        """Search the games; ``tell`` gets sentences about the progress. Raises LabFailed."""
        for summary, seat in self._games:
            self.looked += 1
            analysis = await asyncio.to_thread(_analysis_of, summary.path)
            if analysis is not None:
                await self._look_in_game(analysis, summary, seat, tell)

    async def _look_in_game(self, analysis: Analysis, summary: Summary, seat: int, tell: Callable[[str], None]) -> None:
        tasks = [task for task in analysis.tasks if task.end and task.seat == seat]

        def results() -> list[ProvenMistake]:
            found = [analysis.results.get(task) for task in tasks]
            return [each for each in found if isinstance(each, ProvenMistake)]

        def changed() -> None:
            done = sum(task in analysis.results for task in tasks)
            mistakes = count(len(self.found) + len(results()), "mistake")
            game = f"Game {self.looked} of {self.count_games}"
            tell(f"{game}: {done} of {len(tasks)} parts judged, {mistakes} found.")

        try:
            changed()
            await analysis.go_on(changed, tasks)
        finally:
            self.found += [Mistake(summary, analysis.played, seat, each) for each in results()]
            self.found = sorted(self.found, key=lambda each: -each.lost)[:MOST]


def _analysis_of(path: Path) -> Analysis | None:
    try:
        lines = read_regular(path)
        played = record.replay(BytesIO(lines))
    except (OSError, BadData):
        return None
    return Analysis(lines, played, path.with_suffix(ANALYSIS)) if played.game.bots else None


class MistakeAttempt(LessonAttempt):
    """A player's search for a better action. ``judged`` has the analysis of actions, by their JSON."""

    clues = 3

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        self.seat = mistake.seat
        self.judged: dict[bytes, ProvenMistake | None] = {}
        game, say = mistake.game, (mistake.said, GOAL)
        super().__init__(one_step_lesson(game, game.title, say, (mistake.better,), mistake.position), game)

    @property
    def head(self) -> str:
        return f"Your mistake, {self.mistake.when[:10]}"

    def judge_action(self, data: Json) -> Verdict:
        """Do an action, unless the analysis considers it a mistake."""
        game = self.game
        try:
            action = game.decode(self.state, self.seat, data)
            result = game.apply(self.state, self.seat, action)
        except Refused as no:
            return Verdict("wrong", (no.message,))
        other = self.judged.get(codec.encode(game.action_json(action)))
        if other is not None:
            words = f"That is no better: {advice.fall_of_chance(other.better, other.done)}."
            return Verdict("wrong", (words,), result.state, tuple(result.events), listed=True)
        self._commit(result.state, result.events, wanted=True)
        self._note_finished(finished=True)
        return Verdict("done")


class MistakeSession(LessonSession):
    """A session that asks the analysis about each action first."""

    def __init__(self, attempt: MistakeAttempt, *, name: str = "") -> None:
        self._mistake = attempt
        self._helper = HelperProcess(PROGRAM)
        super().__init__(attempt, name=name)

    async def act(self, seat: int, action: Json) -> None:
        attempt = self._mistake
        if not attempt.finished:
            self.resume_after_mistake()
            await self._judge_action(action)
        await super().act(seat, action)

    async def _judge_action(self, data: Json) -> None:
        attempt = self._mistake
        try:
            done = attempt.game.action_json(attempt.game.decode(attempt.state, attempt.seat, data))
        except Refused:
            return
        key = codec.encode(done)
        if key in attempt.judged or done == attempt.mistake.better:
            return
        job = Job(attempt.mistake.record_with(done), 1.0, Task(attempt.seat, 0, 1))
        part: Part | None = await self._helper.ask(job, Part)
        if part is None or part.failed:
            raise Rejected("lesson", part.failed if part else NO_ANSWER)
        attempt.judged[key] = part.other

    async def close(self) -> None:
        await super().close()
        await self._helper.close()
