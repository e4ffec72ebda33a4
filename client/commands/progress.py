"""How far a long command has come: a bar with the time left on a terminal, a few plain lines elsewhere.

It goes to the error output, so that what the command finds can be kept in a file.
"""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any

import click

PARTS = 10
"""Plain lines for a whole task."""


class Progress:
    """The progress of ``total`` steps, of which ``done`` were done before; a context."""

    def __init__(self, total: int, what: str, done: int = 0) -> None:
        self._total, self._what, self._before, self._done = total, what, done, done
        self._begun = monotonic()
        self._bar: Any = None
        if sys.stderr.isatty():
            self._bar = click.progressbar(
                length=total - done, label=what.capitalize(), file=sys.stderr, show_pos=True, show_eta=True
            )

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def step(self) -> None:
        """Count one more that is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(1)
        elif self._done * PARTS // self._total > (self._done - 1) * PARTS // self._total:
            click.echo(self.line(monotonic()), err=True)

    def line(self, now: float) -> str:
        """Return how far it is at a time of the monotonic clock, and how long it may still take."""
        spent = (now - self._begun) / max(1, self._done - self._before)
        left = (
            "" if self._done == self._total else f", about {lasting(spent * (self._total - self._done))} left"
        )
        return f"{self._done} of {self._total} {self._what}{left}"


def lasting(seconds: float) -> str:
    """Return how long something takes, in words."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
