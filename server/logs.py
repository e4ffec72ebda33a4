"""The log of a host: lines on standard error that never hold up a game.

Each line consists of ``key=value`` pairs with an ``event``; values with spaces are quoted. No line contains a
code, a seat's key, a secret key or chat.

Standard error may be a pipe that nobody reads. So a thread writes the lines; lines it cannot write are
dropped and counted.
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
"""Lines that may wait to be written. More are dropped."""
LEFT_OUT = "level=WARNING event=log-full lines_left_out={}"
PATIENCE = 1.0
"""Seconds to write the last lines at the end."""


def event(name: str, **fields: object) -> str:
    """Return the text of a line: the event and its fields."""
    return " ".join((f"event={name}", *(f"{key}={_value(value)}" for key, value in fields.items())))


def stumble(error: BaseException, what: str = "the games go on") -> str:
    """Return the line for an error in this program: its kind and place. Its text is left out, because it may
    quote what somebody sent.
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
    """Writes lines to a file ``descriptor`` in a thread. ``left_out_words`` is the line that reports how
    many were dropped.
    """

    def __init__(self, descriptor: int, left_out_words: str = LEFT_OUT) -> None:
        self.left_out = 0
        self._words = left_out_words
        # Not Python's own stream: a blocked write would hold its lock, and the host could not exit.
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(ROOM)
        # A daemon: a pipe that nobody reads must not keep the host from exiting.
        self._writer = threading.Thread(target=self._write, name="log", daemon=True)
        self._writer.start()

    def put(self, line: str) -> None:
        """Queue a line, or drop it if the queue is full."""
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.left_out += 1

    def finish(self) -> None:
        """Write the queued lines, if somebody reads them."""
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
    """Formats log records as lines."""

    def __init__(self, lines: Unhurried) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self._lines.put(self.format(record))


@contextlib.contextmanager
def unhurried(descriptor: int, left_out_words: str = LEFT_OUT) -> Iterator[Unhurried]:
    """Within the block, lines to a file descriptor that never block."""
    lines = Unhurried(descriptor, left_out_words)
    try:
        yield lines
    finally:
        lines.finish()


@contextlib.contextmanager
def to_stderr(level: int) -> Iterator[None]:
    """Within the block, write the host's log to standard error, from ``level`` up."""
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
