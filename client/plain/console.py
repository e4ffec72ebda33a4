"""Lines in, lines out, and nothing else: no cursor motion, no colour, single spaces only, append only.

``clear`` removes only text that the next person at the keyboard must not read.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import errno
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable

from cave.wire import JOINERS, clean_text
from client import system
from client.present import cells

AHEAD = 64  # lines or keys read ahead; more stay in the pipe or terminal
LONGEST = 2000  # most bytes to read of a line
GONE = (errno.EPIPE, errno.EIO, errno.ENXIO, errno.EBADF)
"""The pipe or terminal is closed, and nobody reads the output."""

CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # move to the corner, clear the screen, clear the scrollback
USUAL_ROWS = 50  # empty lines that clear a terminal of unknown size

Prompt = Callable[[], str]
"""Returns the prompt; called again each time it is written; nothing while others play."""


class Console:
    """Input and output for a person, a file or a program: file descriptors, read and written by threads.

    ``live``: a person types; then the game does not wait for input. If possible, input is read key by key,
    and new output goes above the line being typed. Else each line is repeated after its prompt, so that the
    output is a full transcript. Writing raises BrokenPipeError when the reader is gone, and OSError with a
    message for other errors.
    """

    def __init__(self, source: int = 0, sink: int = 1, *, live: bool, encoding: str = "utf-8") -> None:
        self.live = live
        self.keys = system.KeyByKey(source) if live else None
        self._edits = self.keys is not None and self.keys.held
        self._sink = sink
        self._take, self._give = system.make_reader(source), system.make_writer(sink)
        self._encoding = encoding
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()  # single keys if they are edited here
        self._room = threading.Semaphore(AHEAD)
        self._back: list[str] = []
        self._ended = False
        self._read_out = False
        self._nothing_left = asyncio.Event()
        self._matters: Callable[[str], bool] = bool
        self._prompt: Prompt | None = None
        self._shown = ""
        self._typed = TypedLine(LONGEST)
        self._writing = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._shows_again: asyncio.Task[None] | None = None
        # A daemon thread, which does not delay the exit: a read cannot be cancelled.
        threading.Thread(target=self._read, name="console", daemon=True).start()

    async def read_line(self, prompt: Prompt) -> str | None:
        """Return the next line without control characters; None at the end of the input."""
        if self._back:
            line = self._back.pop()
            self._note_lines_left()
            return line
        if self._ended:
            return None
        self._prompt, self._shown = prompt, self._wrap_prompt(prompt)
        typed: str | None = None
        try:
            await self._write_locked(self._shown)
            typed = await (self._edit_line() if self._edits else self.lines.get())
            self._note_lines_left()
        finally:
            shown, self._prompt, self._shown = self._shown, None, ""
            half = self._typed.text if self._edits and not self._typed.done else ""
            self._typed = TypedLine(LONGEST)
            if typed is None:
                self._ended = True
                await self._write_locked("\n" if shown or half else "")
            elif not self._edits:
                self._room.release()
                if not self.live:
                    await self._write_locked(f"{'' if shown else '> '}{typed}\n")
        return typed

    async def _edit_line(self) -> str | None:
        """Return a line as it is typed key by key, beginning with the keys read ahead."""
        while True:
            key = await self.lines.get()
            if key is None:
                return None
            self._room.release()
            async with self._writing:
                # Under the lock, so that concurrent output shows the typed text exactly once.
                await self._write_text(self._typed.take(key))
            if self._typed.done:
                return clean_text(self._typed.text)
            if self._typed.ended:
                return None

    def give_back(self, line: str) -> None:
        """Push a line back for the next call of ``read_line``: it did not answer the question."""
        self._back.append(line)
        self._nothing_left.clear()

    async def wait_for_end(self, matters: Callable[[str], bool]) -> None:
        """Wait until all input that matters has been taken."""
        self._matters = matters
        self._note_lines_left()
        await self._nothing_left.wait()

    def _note_lines_left(self) -> None:
        if self._read_out:
            left = [self.lines.get_nowait() for _ in range(self.lines.qsize())]
            for line in left:
                self.lines.put_nowait(line)
            # The end of the input is a None, which is not a line.
            if not any(line is not None and self._matters(line) for line in (*left, *self._back)):
                self._nothing_left.set()

    def _end_input(self) -> None:
        self.lines.put_nowait(None)
        self._read_out = True
        self._note_lines_left()

    async def write_lines(self, *lines: str) -> None:
        """Write whole lines, then repeat a pending prompt and the text typed after it."""
        said = "".join(f"{each}\n" for line in lines for each in self._wrap_line(clean_text(line)))
        async with self._writing:
            half = self._typed.text
            before = "\n" if self._shown or half else ""
            self._shown = self._wrap_prompt(self._prompt) if self._prompt is not None else ""
            await self._write_text(f"{before}{said}{self._shown}{half}")

    async def clear(self) -> None:
        """Clear screen and scrollback, with empty lines if necessary; files and pipes are unchanged."""
        if not self.live:
            return
        dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown")
        await self._write_locked("\n" * self._terminal_size().lines if dumb else CLEAR)

    def _terminal_size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(self._sink)
        except OSError:
            return os.terminal_size((0, USUAL_ROWS))

    def _wrap_line(self, line: str) -> list[str]:
        """Wrap the line for a person's terminal; words and paths are never broken."""
        width = self._terminal_size().columns if self.live else 0
        if not 0 < width < cells.cell_width(line):
            return [line]
        return cells.wrap_text(line, width, break_long_words=False)

    def _wrap_prompt(self, prompt: Prompt) -> str:
        text = prompt()
        lines = self._wrap_line(text)
        return text if len(lines) < 2 else "\n".join(lines) + " "

    def go_on(self) -> None:
        """Take the terminal back after running in the background, and reprint the line being typed."""
        if self.keys is not None:
            self.keys.take_terminal()
        self._shows_again = self._loop.create_task(self._show_prompt_again())

    async def _show_prompt_again(self) -> None:
        async with self._writing:
            await self._write_text(f"{self._shown}{self._typed.text}")

    def close(self) -> None:
        if self.keys is not None:
            self.keys.release_terminal()

    async def _write_locked(self, text: str) -> None:
        async with self._writing:
            await self._write_text(text)

    async def _write_text(self, text: str) -> None:
        """Write; the caller holds the lock."""
        if text:
            await asyncio.to_thread(self._write_all, text.encode(self._encoding, "replace"))

    def _write_all(self, data: bytes) -> None:
        try:
            while data:
                data = data[self._give(data) :]
        except OSError as error:
            if error.errno in GONE:
                raise BrokenPipeError from error
            reason = (error.strerror or str(error)).lower()
            raise OSError(f"the output cannot be written: {reason}.") from error

    def _read(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            for line in self._typed_letters() if self._edits else self._typed_lines():
                self._room.acquire()
                self._loop.call_soon_threadsafe(self.lines.put_nowait, line)
            self._loop.call_soon_threadsafe(self._end_input)

    def _typed_letters(self) -> Iterable[str]:
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        while chunk := self._read_chunk():
            yield from decode(chunk)

    def _typed_lines(self) -> Iterable[str]:
        begun = b""
        while chunk := self._read_chunk():
            *whole, rest = (begun + chunk).split(b"\n")
            for line in whole:
                yield _clean_line(line)
            begun = rest[:LONGEST]
        if begun:
            yield _clean_line(begun)

    def _read_chunk(self) -> bytes:
        try:
            return self._take()
        except (OSError, ValueError):
            return b""


def _clean_line(line: bytes) -> str:
    return clean_text(line[:LONGEST].decode("utf-8", "replace"))


def is_console_interactive() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


BACK = ("\x7f", "\b")
KILL = "\x15"
WORD = "\x17"
ENTER = ("\n", "\r")
END = "\x04"
ESCAPE = "\x1b"
RUBOUT = "\b \b"
DIGITS = 6  # most digits of a number: no list, log or game has more lines
TOO_MANY = 10**DIGITS


_PLACE = re.compile(r"(-?\d{1,4})\s*[, ]\s*(-?\d{1,4})")


def parse_number(text: str) -> int | None:
    """Return the typed number, ``TOO_MANY`` if it is too long, None if it is not one, such as ``²``."""
    if not text.isdecimal():
        return None
    return int(text) if len(text) <= DIGITS else TOO_MANY


def parse_places(text: str) -> list[tuple[int, int]]:
    """Return the places in the typed text, each as two numbers."""
    return [(int(one), int(other)) for one, other in _PLACE.findall(text)]


class TypedLine:
    """A line being typed. ``take`` returns the echo for a key, like that of the terminal itself;
    ``done`` is set at the end of the line, ``ended`` at the end of the input.
    """

    def __init__(self, longest: int) -> None:
        self.text = ""
        self.done = self.ended = False
        self._longest = longest
        self._sequence = ""

    def take(self, key: str) -> str:
        """Take a letter or a control character; cursor keys do nothing."""
        if self._sequence:
            self._skip_escape(key)
            return ""
        if key in ENTER:
            self.done = True
            return "\n"
        if key == END:
            self.ended = not self.text
            return ""
        if key == ESCAPE:
            self._sequence = key
            return ""
        if key in BACK:
            return self._rub_out(1)
        if key == KILL:
            return self._rub_out(len(self.text))
        if key == WORD:
            rest = self.text.rstrip()
            return self._rub_out(len(self.text) - (rest.rfind(" ") + 1))
        key = " " if key == "\t" else key
        if not (key.isprintable() or key in JOINERS) or len(self.text) >= self._longest:
            return ""
        self.text += key
        return key

    def _rub_out(self, letters: int) -> str:
        gone = self.text[len(self.text) - letters :]
        self.text = self.text[: len(self.text) - letters]
        return RUBOUT * sum(map(_letter_cells, gone))

    def _skip_escape(self, key: str) -> None:
        """Skip the escape sequence of a key such as an arrow."""
        begun = self._sequence == ESCAPE and key in "[O"
        goes_on = len(self._sequence) > 1 and not "@" <= key <= "~"
        self._sequence = self._sequence + key if begun or goes_on else ""


def _letter_cells(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
