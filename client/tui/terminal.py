"""The terminal: its window and title, and a filter between its bytes and Textual's parser."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import signal
from collections.abc import Callable, Iterator
from threading import Event as Flag
from threading import Thread
from typing import Any
from weakref import WeakValueDictionary

from textual import constants
from textual.driver import Driver
from textual.events import Event, Key, Resize
from textual.geometry import Offset
from textual.message import Message

from cave.wire import one_line
from client.tui.terminal_output import ShownTerminal

TITLE = "Cave"
YOUR_TURN = "* Cave: your turn"
MOST_WAITING = 128  # keys, clicks and other events
QUITTING = ("ctrl+c", "ctrl+q")
WHERE = "\x1b[6n"
KEEP, GIVE_BACK = "\x1b[22;2t", "\x1b[23;2t"  # xterm's stack of titles: restores the old one at the end


class TerminalWindow:
    """The window of the app, while a driver is running."""

    def __init__(self) -> None:
        self._driver: Driver | None = None
        self._shown = ShownTerminal()
        self._asked: Message | None = None
        self._waiting: WeakValueDictionary[int, Event] = WeakValueDictionary()  # by id: some have no hash

    def filtering_driver(self, base: type[Driver]) -> type[Driver]:
        """Return a driver that filters input and output, and restores the old title when it stops."""
        window = self

        class Filtered(base):  # type: ignore[valid-type, misc]
            fileno: int

            def start_application_mode(self, *args: Any) -> None:
                window.forget()
                super().start_application_mode(*args)
                window._driver = self

            def stop_application_mode(self) -> None:
                window._driver = None
                super().stop_application_mode()

            def write(self, data: str) -> None:
                super().write(window._shown.changed_output(data))

            # Called in Textual's input thread.
            def process_message(self, message: Any) -> None:
                if window.takes(message):
                    super().process_message(message)

            # Textual reads and parses in this method, which is called only on Unix.
            def run_input_thread(self) -> None:
                terminal, thread = self.fileno, InputFilter(self.fileno, self.exit_event)
                self.fileno = thread.filtered
                thread.start()
                try:
                    super().run_input_thread()
                finally:
                    self.fileno = terminal
                    thread.close()
                if thread.error is not None:
                    self.exit_event.clear()
                    raise thread.error

        # The Linux console has no title, and need not be asked.
        if os.environ.get("TERM", "").startswith("linux"):
            return Filtered

        class Titled(Filtered):
            def start_application_mode(self, *args: Any) -> None:
                super().start_application_mode(*args)
                self.write(KEEP + _title_sequence(TITLE))

            def stop_application_mode(self) -> None:
                self.write(GIVE_BACK)
                super().stop_application_mode()

        return Titled

    def forget(self) -> None:
        """Rewrite the whole next frame: the terminal was resized, or something else wrote to it."""
        self._shown.forget()

    def takes(self, message: Message) -> bool:
        """Return whether to handle a message of the terminal: not if too many events wait. Nobody types so fast,
        and a key that quits would wait behind them.
        """
        if not isinstance(message, Event) or isinstance(message, Resize):
            return True
        self._waiting[id(message)] = message
        return len(self._waiting) <= MOST_WAITING or (isinstance(message, Key) and message.key in QUITTING)

    def move_cursor(self, at: Offset) -> None:
        """Move the hidden cursor of the terminal, which magnifiers and braille displays follow."""
        if self._driver is not None:
            self._driver.write(f"\x1b[{at.y + 1};{at.x + 1}H")

    def set_terminal_title(self, text: str) -> None:
        if self._driver is not None:
            self._driver.write(_title_sequence(text))

    def notify(self, text: str, *, osc777: bool) -> None:
        """Show a notification of the terminal, with iTerm's escape sequence or urxvt's."""
        if self._driver is not None:
            clean = one_line(text).replace(";", ",")
            self._driver.write(f"\x1b]777;notify;{TITLE};{clean}\x07" if osc777 else f"\x1b]9;{clean}\x07")

    def ask_for_cursor(self) -> None:
        """Query the terminal's cursor. It answers after it has drawn all earlier output."""
        if self._driver is not None:
            self._asked = Message()
            self._driver.write(WHERE)

    def answer_delay(self, answer: Message) -> float:
        """Return the seconds until the terminal's answer; 0 for an unexpected one."""
        asked, self._asked = self._asked, None
        return 0.0 if asked is None else answer.time - asked.time


def _title_sequence(text: str) -> str:
    return f"\x1b]2;{text}\x07"


SOME = 4096  # bytes to read at a time
TICK = 0.1  # seconds until the end of the program is noticed


class InputFilter(Thread):
    """Passes a terminal's input on through a pipe, whose other end is ``filtered``, until ``ended``. After an
    ``error`` it sets ``ended`` itself.
    """

    def __init__(self, source: int, ended: Flag) -> None:
        super().__init__(name="terminal-input")
        self.filtered, end = os.pipe()
        self.error: BaseException | None = None
        self._source, self._ended = source, ended
        self._pipe = os.fdopen(end, "w", encoding="utf-8", newline="")

    def run(self) -> None:
        try:
            read_input(self._source, self._ended.is_set, self._pass_on)
        except BrokenPipeError:
            pass  # the app is ending
        except BaseException as error:
            self.error = error
            self._ended.set()

    def _pass_on(self, piece: str) -> None:
        self._pipe.write(piece)
        self._pipe.flush()

    def close(self) -> None:
        """Close the pipe. This also ends a write of the thread that waits because it is full."""
        os.close(self.filtered)
        self.join()
        with contextlib.suppress(BrokenPipeError):
            self._pipe.close()


def read_input(source: int, ended: Callable[[], bool], take: Callable[[str], object]) -> None:
    """Pass on text and sequences until ``ended``. If the input ends, the terminal is gone: hang up."""
    terminal = TerminalInput()
    while not ended():
        delay = constants.ESCAPE_DELAY if terminal.may_be_escape else TICK
        if select.select([source], [], [], delay)[0]:
            data = _read(source)
            if not data:
                os.kill(os.getpid(), signal.SIGHUP)
                return
            for piece in terminal.feed(data):
                take(piece)
        elif terminal.may_be_escape:
            take(terminal.escape_key())


def _read(source: int) -> bytes:
    try:
        return os.read(source, SOME)
    except OSError:
        return b""


ESC = "\x1b"
LONGEST = 128  # most characters of a sequence; longer ones are dropped
LONGEST_TEXT = 8  # characters that one key types, by an input method
LONGEST_PASTE = 64 * 1024  # characters of pasted text to keep
MOST_CELLS = 2000  # rows and columns of a window

CSI, SS3 = f"{ESC}[", f"{ESC}O"
STRINGS = tuple(f"{ESC}{kind}" for kind in "PX]^_")  # the starts of DCS, SOS, OSC, PM and APC
INTRODUCERS = {chr(ord(each[1]) + 0x40): each for each in (CSI, SS3, *STRINGS)}
"""The same, for terminals that send each as one control character."""
PASTE, PASTE_END, OLD_MOUSE, CONSOLE = (f"{CSI}{rest}" for rest in ("200~", "201~", "M", "["))
ESCAPE = f"{ESC}{CSI}?0;0$y"
"""The Escape key, then a report of an unknown mode, so that Textual waits for no sequence."""

CTRL_C, CTRL_C_SEQUENCE = "\x03", f"{CSI}99;5u"
"""Ctrl-C, which also ends a paste, as it is and in kitty's protocol."""

REPORT = re.compile(r"[IO]|\?\d{1,5};\d\$y|\d{1,5};\d{1,5}R")  # focus, a mode, or the cursor's place
# Textual takes buttons from code 128 on for the usual three.
MOUSE = re.compile(r"<(?:\d{1,2}|1[01]\d|12[0-7]);\d{1,5};\d{1,5}[Mm]")
RESIZED = re.compile("48" + r";0*(\d{1,5})(?::\d*)*" * 4 + "t")
KEY = re.compile(r"(\d{0,7})(?::\d*){0,2}(?:;(\d{0,3})(?::(\d))?(?:;([\d:]*))?)?([u~A-FHPQRS])")
"""A key: its number and alternates, modifiers and kind of event, text, final byte."""
RELEASE = "3"
OTHER_KEY = re.compile(r"27;(\d{1,3});(\d{1,7})~")  # a key in the form of xterm's modifyOtherKeys
RXVT_SHIFT = re.compile(r"\x1b\[\d{1,2}\$")  # complete, though "$" ends no other sequence
FUNCTION_KEYS = {
    *(f"1{end}" for end in "ABCDEFHPQRS"),
    *(f"{number}~" for number in (*range(1, 9), *range(11, 16), *range(17, 22), 23, 24, 57427)),
    *(f"{number}u" for number in (9, 13, 27, 127, *range(57358, 57364), *range(57376, 57427), *range(57428, 57455))),
}
"""Keys by number and final byte, in kitty's protocol."""
OLDER_KEY = re.compile(
    r"\x1b(?:[fb0-9=\t\x7f-]|O[A-DFHMP-Sa-dj-km-y]|\[(?:\[[A-E]|[A-FHZa-d]|[1-8]~|1[1-57-9]~|2[0134]~|[378]\$|[35-8]\^"
    r"|(?:1[1-57-9]|2[01345689]|3[1-4])\^|2[34][$@]|1;[2-8][A-DFH]|1;[256][P-S]|[356];[256]~))"
)
"""Keys of xterm, rxvt, the Linux console, and of Option on a Mac."""
UNUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class TerminalInput:
    """Bytes in, text and sequences for Textual's parser out.

    An incomplete sequence waits for its end without a time limit: no part of it is a key. A control character
    inside a sequence ends it, and is dropped with it. Ctrl-C ends a paste, whose text is dropped.
    """

    def __init__(self) -> None:
        # Invalid bytes become surrogates: those from 0x80 to 0x9f may be control characters.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._begun = ""  # the incomplete sequence; of a string only its start
        self._skipped = 0  # bytes of an old mouse report still to come
        self._pasted: list[str] | None = None

    @property
    def may_be_escape(self) -> bool:
        """Whether the last byte is the Escape key if nothing follows soon."""
        return self._begun == ESC and self._pasted is None

    def escape_key(self) -> str:
        """Return the Escape key, as nothing has followed soon."""
        self._begun = ""
        return ESCAPE

    def feed(self, data: bytes) -> Iterator[str]:
        for byte in data:
            if self._skipped:
                self._skipped -= 1
                continue
            for character in self._decode(bytes((byte,))):
                if "\udc80" <= character <= "\udc9f":
                    character = chr(ord(character) & 0xFF)
                if self._pasted is None and character in INTRODUCERS:
                    for part in INTRODUCERS[character]:
                        yield from self._take(part)
                else:
                    yield from self._take(character)

    def _take(self, character: str) -> Iterator[str]:
        begun = self._begun
        if character == ESC:
            if self.may_be_escape:
                yield ESCAPE
            self._begun = begun + ESC if begun in STRINGS else ESC
        elif not begun:
            if character == CTRL_C:
                self._pasted = None  # its end is lost
            if self._pasted is not None:
                if len(self._pasted) < LONGEST_PASTE:
                    self._pasted.append(character)
            elif not UNUSED.match(character) or character <= "\x7f":
                yield character
        elif begun in STRINGS:
            if character < " " or "\x7f" <= character <= "\x9f":
                self._begun = ""
        elif begun.endswith(ESC):
            yield from self._after_escape(character, in_string=begun != ESC)
        else:
            yield from self._in_sequence(character)

    def _after_escape(self, character: str, *, in_string: bool) -> Iterator[str]:
        self._begun = ""
        sequence = ESC + character
        if sequence in (CSI, SS3, *STRINGS):
            self._begun = sequence
        elif self._pasted is not None or (in_string and (character < " " or character == "\\")):
            pass
        elif OLDER_KEY.fullmatch(sequence):
            yield sequence
        elif character in "\r\n":
            yield from _key_sequence("13;3u")
        elif character < " ":
            # Two quick keys, such as Escape and Ctrl-C: nothing is bound to Alt with Ctrl.
            yield from (ESCAPE, character)
        else:
            yield from _key_sequence(f"{ord(character.lower()[0])};{4 if character.isupper() else 3}u")

    def _in_sequence(self, character: str) -> Iterator[str]:
        begun = self._begun
        self._begun = sequence = (begun + character)[:LONGEST]
        if begun != CONSOLE and (
            sequence == CONSOLE or (" " <= character <= "?" and not RXVT_SHIFT.fullmatch(sequence))
        ):
            return
        self._begun = ""
        if len(sequence) == LONGEST or not " " <= character <= "~":
            return
        if self._pasted is not None:
            if sequence == PASTE_END:
                text, self._pasted = UNUSED.sub("", "".join(self._pasted)), None
                if text:
                    yield f"{PASTE}{text}{PASTE_END}"
            elif CTRL_C_SEQUENCE in _known_sequence(sequence[len(CSI) :]):
                self._pasted = None
                yield CTRL_C_SEQUENCE
        elif sequence == PASTE:
            self._pasted = []
        elif sequence == OLD_MOUSE:
            self._skipped = 3
        elif sequence.startswith(SS3):
            if OLDER_KEY.fullmatch(sequence):
                yield sequence
        else:
            yield from _known_sequence(sequence[len(CSI) :])


def _known_sequence(body: str) -> Iterator[str]:
    if REPORT.fullmatch(body) or MOUSE.fullmatch(body):
        yield CSI + body
    elif match := RESIZED.fullmatch(body):
        height, width, pixel_height, pixel_width = map(int, match.groups())
        if 0 < height <= MOST_CELLS and 0 < width <= MOST_CELLS:
            # Textual divides by the pixels, which some terminals do not know.
            yield f"{CSI}48;{height};{width};{pixel_height or height};{pixel_width or width}t"
    elif KEY.fullmatch(body):
        yield from _key_sequence(OTHER_KEY.sub(r"\2;\1u", body))
    elif OLDER_KEY.fullmatch(CSI + body):
        yield CSI + body


def _key_sequence(body: str) -> Iterator[str]:
    """Yield a key without alternates and kind of event; nothing for a release, and for a key without name."""
    match = KEY.fullmatch(body)
    assert match is not None
    number, modifiers, event, text, end = match.groups(default="")
    number = number and str(int(number))
    key = CSI + number + (f";{modifiers}" if modifiers else "")
    if event == RELEASE:
        return
    if constants.DISABLE_KITTY_KEY:
        if OLDER_KEY.fullmatch(key + end):
            yield key + end
    elif end == "u":
        typed = [each for each in text.split(":")[:LONGEST_TEXT] if _is_character(each)]
        if typed:  # The text of an input method has no key: its number is 0.
            yield from (f"{CSI}{number};{modifiers};{each}u" for each in typed)
        elif f"{number}u" in FUNCTION_KEYS or _is_character(number):
            yield key + end
    elif f"{number or 1}{end}" in FUNCTION_KEYS:
        yield key + end


def _is_character(number: str) -> bool:
    code = int(number or 0)
    return 0x20 <= code <= 0x10FFFF and not UNUSED.match(chr(code)) and not 0xE000 <= code <= 0xF8FF
