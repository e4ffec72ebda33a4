"""An analysis in progress: its results so far, and the rest of the work without blocking the event loop."""

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
    """The analysis of a record, with the results so far. It can be interrupted and continued."""

    def __init__(self, lines: bytes, played: record.Replay) -> None:
        self.played = played
        self.lines = lines
        self.chosen = 0
        """The turn that the person looked at last, from 0."""
        self._stretches = analysis.stretches(played)
        self.tasks = analysis.tasks(self._stretches)
        self.results: dict[Task, Idea | analysis.Other | None] = {}

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
        left = [task for task in self.tasks if task not in self.results]
        jobs = max(1, min(len(left), os.cpu_count() or 1))
        order = Order(self.lines, 1.0, left, jobs)
        async with aclosing(judging.parts(order)) as parts:
            async for part in parts:
                if part.task is not None:
                    self.results[part.task] = part.expected or part.other
                    changed()
