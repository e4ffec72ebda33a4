"""The log of a host: a line each on standard error, which never holds up a game; nor do other lines.

Each line is ``key=value`` with an ``event``; values with spaces are in quotes. No line has a code, a key
of a seat, a secret key or what people say.

Standard error may be a pipe that nobody reads. A thread does the writing; what it cannot get rid of is
counted and left out.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

FORMAT = "time=%(asctime)s level=%(levelname)s %(message)s"
ROOM = 1000
"""Lines that wait to be written; more are left out."""
LEFT_OUT = "level=WARNING event=log-full lines_left_out={}"
PATIENCE = 1.0
"""Seconds given to the last lines at the end."""


def event(name: str, **fields: object) -> str:
    """A line's text: what happened, and more about it."""
    return " ".join((f"event={name}", *(f"{key}={_value(value)}" for key, value in fields.items())))


def stumble(error: BaseException, what: str = "the games go on") -> str:
    """The line of a mistake in this program: its kind and place. Its text may quote what somebody sent,
    so it is not told.
    """
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}" if last else ""
    return event("mistake", kind=type(error).__name__, place=place, what=what)


def _value(value: object) -> str:
    text = str(value)
    plain = text and text.isascii() and text.isprintable() and not set(' "=') & set(text)
    return text if plain else json.dumps(text)


class Unhurried:
    """Hands each line to a thread that writes it to a file ``descriptor``. ``left_out_words`` tell of those
    that there was no room for.
    """

    def __init__(self, descriptor: int, left_out_words: str = LEFT_OUT) -> None:
        self.left_out = 0
        self._words = left_out_words
        # Not Python's own stream: its lock, held by a write that waits, would spoil the host's end.
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(ROOM)
        # A daemon: a reader that takes nothing must not keep the host from ending.
        self._writer = threading.Thread(target=self._write, name="log", daemon=True)
        self._writer.start()

    def put(self, line: str) -> None:
        """Put one line in the queue, or leave it out where there is no room."""
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.left_out += 1

    def finish(self) -> None:
        """Write what waits, as far as somebody reads it."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=PATIENCE)
            self._writer.join(PATIENCE)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            left_out, self.left_out = self.left_out, 0
            if left_out:
                line = f"{self._words.format(left_out)}\n{line}"
            rest = f"{line}\n".encode(errors="replace")
            with contextlib.suppress(OSError):  # Nobody is there to read it.
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]


class _Log(logging.Handler):
    """Formats the lines of the log."""

    def __init__(self, lines: Unhurried) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self._lines.put(self.format(record))


@contextlib.contextmanager
def unhurried(descriptor: int, left_out_words: str = LEFT_OUT) -> Iterator[Unhurried]:
    """Lines to a file descriptor that hold up nobody, as long as this lasts."""
    lines = Unhurried(descriptor, left_out_words)
    try:
        yield lines
    finally:
        lines.finish()


@contextlib.contextmanager
def to_stderr(level: int) -> Iterator[None]:
    """Let the host's log go to standard error from ``level`` on, as long as this lasts."""
    root = logging.getLogger()
    before = root.level
    with unhurried(sys.stderr.fileno()) as lines:
        handler = _Log(lines)
        handler.setFormatter(logging.Formatter(FORMAT, "%Y-%m-%dT%H:%M:%S%z"))
        root.addHandler(handler)
        root.setLevel(level)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(before)
