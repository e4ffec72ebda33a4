"""An analysis on its way: what has been judged so far, and how it goes on beside the event loop."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import aclosing

from cave import record
from cave.game import Idea
from client.lab import analysis, judging
from client.lab.analysis import Task, Turn
from client.lab.judging import Order


class Analysis:
    """A record and what is known of it. It can be left and gone on with."""

    def __init__(self, lines: bytes, played: record.Replay) -> None:
        self.played = played
        self.lines = lines
        self.chosen = 0
        """The turn that was looked at last, from 0."""
        self._stretches = analysis.stretches(played)
        self._tasks = analysis.tasks(self._stretches)
        self._results: dict[Task, Idea | analysis.Other | None] = {}

    @property
    def done(self) -> int:
        """How many parts have been judged."""
        return len(self._results)

    @property
    def total(self) -> int:
        """How many parts there are; none where no turn was played."""
        return len(self._tasks)

    def turns(self) -> list[Turn]:
        """Return the turns up to the first that has not been judged whole."""
        known = []
        for each in self._stretches:
            if not all(task in self._results for task in analysis.tasks([each])):
                break
            known.append(each)
        return analysis.turns(known, self._results.items())

    async def go_on(self, changed: Callable[[], None]) -> None:
        """Judge what is left, the game from its start, and call ``changed`` after each part.

        Raises GameFailed.
        """
        left = [task for task in self._tasks if task not in self._results]
        jobs = max(1, min(len(left), os.cpu_count() or 1))
        order = Order(self.lines, 1.0, left, jobs)
        async with aclosing(judging.parts(order)) as parts:
            async for part in parts:
                if part.task is not None:
                    self._results[part.task] = part.expected or part.other
                    changed()
