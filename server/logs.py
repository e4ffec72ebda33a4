"""The log of a host: lines of ``key=value`` on standard error, without codes, keys or chat. A thread writes
them and drops lines if the pipe is full, so games never block.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import queue
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

FORMAT = "time=%(asctime)s level=%(levelname)s %(message)s"
ROOM = 1000
"""Maximum queued lines. More are dropped."""
LEFT_OUT = "level=WARNING event=log-full lines_left_out={}"
PATIENCE = 1.0  # seconds to write the last lines at the end


def event_line(name: str, **fields: object) -> str:
    return " ".join((f"event={name}", *(f"{key}={_format_value(value)}" for key, value in fields.items())))


def error_line(error: BaseException, what: str = "the games continue") -> str:
    """Return the line for a bug in this program, without the error's text, which may quote a client."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}" if last else ""
    return event_line("mistake", kind=type(error).__name__, place=place, what=what)


def _format_value(value: object) -> str:
    text = str(value)
    plain = text and text.isascii() and text.isprintable() and not set(' "=') & set(text)
    return text if plain else json.dumps(text)


class LogThread:
    """Writes lines to a file ``descriptor`` in a thread, and reports how many were dropped."""

    def __init__(self, descriptor: int, left_out_words: str = LEFT_OUT) -> None:
        self.left_out = 0
        self._words = left_out_words
        # Not Python's stream: a blocked write would hold its lock, and the host could not exit.
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(ROOM)
        # Daemon: a pipe that nobody reads must not keep the host from exiting.
        self._writer = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._writer.start()

    def queue_line(self, line: str) -> None:
        """Queue a line, or drop it if the queue is full."""
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.left_out += 1

    def finish(self) -> None:
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=PATIENCE)
            self._writer.join(PATIENCE)

    def _write_lines(self) -> None:
        while (line := self._lines.get()) is not None:
            left_out, self.left_out = self.left_out, 0
            if left_out:
                line = f"{self._words.format(left_out)}\n{line}"
            rest = f"{line}\n".encode(errors="replace")
            with contextlib.suppress(OSError):  # Nobody reads it.
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]


class _LogHandler(logging.Handler):
    def __init__(self, lines: LogThread) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.queue_line(self.format(record))


@contextlib.contextmanager
def never_blocking(descriptor: int, left_out_words: str = LEFT_OUT) -> Iterator[LogThread]:
    """Context manager: write lines to a file descriptor without blocking."""
    lines = LogThread(descriptor, left_out_words)
    try:
        yield lines
    finally:
        lines.finish()


@contextlib.contextmanager
def log_to_stderr(level: int) -> Iterator[None]:
    """Context manager: write the host's log to standard error, from ``level`` up."""
    root = logging.getLogger()
    before = root.level
    with never_blocking(sys.stderr.fileno()) as lines:
        handler = _LogHandler(lines)
        handler.setFormatter(logging.Formatter(FORMAT, "%Y-%m-%dT%H:%M:%S%z"))
        root.addHandler(handler)
        root.setLevel(level)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(before)


class LogCounts:
    """Counters (``add``) and gauges (returned by ``measure``) by name."""

    def __init__(self) -> None:
        self._grown: Counter[str] = Counter()
        self.measure: Callable[[], Mapping[str, int]] = dict

    def add(self, name: str, number: int = 1) -> None:
        self._grown[name] += number

    def __getitem__(self, name: str) -> int:
        return self._grown[name]

    def as_dict(self) -> dict[str, int]:
        return dict(sorted({**self._grown, **self.measure()}.items()))


LOG = logging.getLogger("cave.host")

PAUSE = 0.05
"""Seconds to wait after an error, so that a task that fails repeatedly leaves time for others."""


class LoggedMistakes:
    """Counts bugs of this program, and logs each kind and place once."""

    def __init__(self, counts: LogCounts) -> None:
        self._counts = counts
        self._known: set[str] = set()

    def note(self, mistake: BaseException) -> None:
        self._counts.add("mistakes")
        line = error_line(mistake)
        if line not in self._known:
            self._known.add(line)
            LOG.error(line)

    @contextlib.contextmanager
    def log_errors(self) -> Iterator[None]:
        """Context manager: log an error and continue, so that one bad event does not end all games."""
        try:
            yield
        except Exception as mistake:
            self.note(mistake)

    async def run_logging_errors(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except Exception as mistake:
                self.note(mistake)
                await asyncio.sleep(PAUSE)
