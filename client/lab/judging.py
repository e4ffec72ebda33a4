"""An analysis in progress: its results so far, and the rest judged by processes of their own.

Run as a program, this file is such a process: a job comes in as a line of JSON, its result goes out as one.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

if not __package__:
    # The screen starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec

from cave import record
from cave.game import Idea
from client.adviser import Helper
from client.lab import analysis
from client.lab.analysis import Job, Other, Task, Turn
from client.lab.series import GameFailed

PROGRAM = str(Path(__file__).resolve())
DIED = "The process that judges the game has died; there may be too little memory."


class Part(msgspec.Struct, frozen=True):
    """The result of a job, or the sentence about why there is none."""

    expected: Idea | None = None
    other: Other | None = None
    failed: str = ""


class Analysis:
    """The analysis of a record, with the results so far. It can be interrupted and continued."""

    def __init__(self, lines: bytes, played: record.Replay) -> None:
        self.played = played
        self.lines = lines
        self.chosen = 0
        """The turn that the person looked at last, from 0."""
        self._stretches = analysis.stretches(played)
        self.tasks = analysis.tasks(self._stretches)
        self.results: dict[Task, Idea | Other | None] = {}

    @property
    def done(self) -> int:
        """How many parts have been judged."""
        return len(self.results)

    @property
    def total(self) -> int:
        """How many parts there are; none where no turn was played."""
        return len(self.tasks)

    def turns(self) -> list[Turn]:
        """Return the turns before the first that is not completely judged."""
        known = []
        for each in self._stretches:
            if not all(task in self.results for task in analysis.tasks([each])):
                break
            known.append(each)
        return analysis.turns(known, self.results.items())

    async def go_on(self, changed: Callable[[], None]) -> None:
        """Judge the remaining parts in order, and call ``changed`` after each.

        Raises GameFailed.
        """
        left = deque(task for task in self.tasks if task not in self.results)

        async def work() -> None:
            helper = Helper(PROGRAM)
            try:
                while left:
                    task = left.popleft()
                    self.results[task] = await judged(helper, Job(self.lines, 1.0, task))
                    changed()
            finally:
                await helper.close()

        jobs = [asyncio.create_task(work()) for _ in range(min(len(left), os.cpu_count() or 1))]
        try:
            await asyncio.gather(*jobs)
        finally:
            for each in jobs:
                each.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)


async def judged(helper: Helper, job: Job) -> Idea | Other | None:
    """Return the result of a job that another process does; raises GameFailed."""
    part: Part = await helper.ask(job, Part) or Part(failed=DIED)
    if part.failed:
        raise GameFailed(part.failed)
    return part.expected or part.other


def answer(line: bytes) -> Part:
    """Do a job."""
    try:
        _, found = analysis.judged(msgspec.json.decode(line, type=Job))
    except GameFailed as error:
        return Part(failed=str(error))
    return Part(other=found) if isinstance(found, Other) else Part(found)


if __name__ == "__main__":
    from client.adviser import serve

    serve(answer)
