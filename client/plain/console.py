"""Lines in, lines out, and nothing else: no cursor motion, no colour, one space only, append only."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from cave.protocol import clean_text

AHEAD = 64
"""Lines read before they are asked for; more stay where they come from."""
LONGEST = 2000
"""Bytes of a line that are looked at; nobody types more."""


Prompt = Callable[[], str]
"""What stands before the line that is typed, asked anew whenever it is written; nothing while others play."""


class Console(Protocol):
    """Where a person, a file or a program talks with the game.

    ``live`` is whether somebody types: then the input is never waited for, and shows itself. ``tell``
    raises BrokenPipeError when nobody reads any more.
    """

    live: bool

    async def line(self, prompt: Prompt) -> str | None:
        """The next line without its end; None when there will be no more."""
        ...

    def give_back(self, line: str) -> None:
        """Let the next call of ``line`` give this one: it was no answer to what was asked."""
        ...

    async def tell(self, *lines: str) -> None:
        """Say these lines at once."""
        ...


class Terminal:
    """The console of this process: file descriptors, read and written by threads.

    ``live`` says that a terminal echoes what is typed; else each line is repeated after its prompt, so
    that the output reads as the conversation it was.
    """

    def __init__(self, source: int = 0, sink: int = 1, *, live: bool, encoding: str = "utf-8") -> None:
        self.live = live
        self._source = source
        self._sink = sink
        self._encoding = encoding
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        self._back: list[str] = []
        self._ended = False
        self._prompt: Prompt | None = None
        self._shown = ""
        self._writing = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        # A thread of its own, which never keeps the program from ending: a read can not be cancelled.
        threading.Thread(target=self._read, name="console", daemon=True).start()

    async def line(self, prompt: Prompt) -> str | None:
        """The next line, cleaned of what is no text; None at the end of the input."""
        if self._back:
            return self._back.pop()
        if self._ended:
            return None
        self._prompt, self._shown = prompt, prompt()
        try:
            await self._write(self._shown)
            typed = await self._lines.get()
        except asyncio.CancelledError:
            typed = None
            raise
        finally:
            shown, self._prompt, self._shown = self._shown, None, ""
            if typed is None:
                self._ended = True
                await self._write("\n" if shown else "")
            else:
                self._room.release()
                if not self.live:
                    await self._write(f"{'' if shown else '> '}{typed}\n")
        return typed

    def give_back(self, line: str) -> None:
        """Let it be the next line."""
        self._back.append(line)

    async def tell(self, *lines: str) -> None:
        """Write whole lines; where somebody is being asked, the prompt comes again after them."""
        said = "".join(f"{clean_text(line)}\n" for line in lines)
        before = "\n" if self._shown else ""
        self._shown = self._prompt() if self._prompt is not None else ""
        await self._write(f"{before}{said}{self._shown}")

    async def _write(self, text: str) -> None:
        if not text:
            return
        async with self._writing:
            await asyncio.to_thread(self._write_all, text.encode(self._encoding, "replace"))

    def _write_all(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._sink, data) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            # The terminal is gone: nobody reads any more, which is all there is to it.
            raise BrokenPipeError from error

    def _read(self) -> None:
        with contextlib.suppress(RuntimeError):  # The loop was closed meanwhile.
            for line in self._typed():
                self._room.acquire()
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _typed(self) -> Iterable[str]:
        """The lines of the input; what is too long is cut."""
        begun = b""
        while chunk := self._chunk():
            *whole, rest = (begun + chunk).split(b"\n")
            for line in whole:
                yield _text(line)
            begun = rest[:LONGEST]
        if begun:
            yield _text(begun)

    def _chunk(self) -> bytes:
        try:
            # The descriptor may be one that does not block, which is up to those who share it.
            select.select([self._source], [], [])
            return os.read(self._source, 4096)
        except (OSError, ValueError):
            return b""


def _text(line: bytes) -> str:
    return clean_text(line[:LONGEST].decode("utf-8", "replace"))


def is_live() -> bool:
    """Whether somebody types on a terminal and sees there what is said."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
