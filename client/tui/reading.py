"""Reads the terminal for Textual's driver."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator

from textual import constants

# The parser has no public name, though each of Textual's drivers has to use it.
from textual._xterm_parser import XTermParser
from textual.message import Message

from client.tui.terminal_input import TerminalInput

SOME = 4096
"""Bytes that are read at a time."""
TICK = 0.1
"""Seconds until the end of the program is noticed."""


def read_input(source: int, ended: Callable[[], bool], take: Callable[[Message], object]) -> None:
    """Pass on messages of keys and mouse until ``ended``. At the end of the input the program is told that
    the terminal is gone.
    """
    terminal, parser = TerminalInput(), XTermParser()
    while not ended():
        delay = constants.ESCAPE_DELAY if terminal.may_be_escape else TICK
        pieces: Iterator[str] = iter(())
        if select.select([source], [], [], delay)[0]:
            data = _read(source)
            if not data:
                os.kill(os.getpid(), signal.SIGHUP)
                return
            pieces = terminal.feed(data)
        elif terminal.may_be_escape:
            pieces = iter((terminal.escape(),))
        for piece in pieces:
            for message in parser.feed(piece):
                take(message)


def _read(source: int) -> bytes:
    try:
        return os.read(source, SOME)
    except OSError:
        return b""
