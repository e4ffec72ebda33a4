"""Asking for what is secret: it stays out of the shell's history and of the list of processes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from cave.files import reason
from client.commands.exits import fail

CODE = "CAVE_CODE"
"""The environment variable that has the code of a table."""
ASK_CODE = "The table's code"

LONGEST = 16384
"""Bytes of a line that are taken."""


def code(word: str | None, file: Path | None) -> str:
    """Return a table's code as it was given: as a word, by a file, in the environment, or (``-``) when asked
    for.

    Ends with a sentence where it is given twice, or none is where it should be, or the file cannot be read.
    """
    if word is not None and not word.strip():
        fail("the code is empty: give one, or leave out --code.")
    if word and file is not None:
        fail("the code is given twice: leave out either --code or --code-file.")
    if file is None:
        given = word or os.environ.get(CODE, "")
        if given != "-":
            return given
        asked = ask(ASK_CODE).strip()
        if not asked:
            fail("no code was given: type one, or leave out --code.")
        return asked
    try:
        with file.open("rb") as lines:
            line = lines.readline(LONGEST).decode("utf-8", "replace").strip()
    except OSError as error:
        fail(f"{file}: {reason(error, 'cannot be read')}.")
    if not line:
        fail(f"{file}: its first line is empty; write the code there.")
    return line


def ask(question: str) -> str:
    """Read a line that is typed or pasted, without showing it; from a pipe or a file its first line."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(question, hide_input=True, err=True))
    line = b""
    # Byte by byte: what comes after the line is for the game.
    while (byte := os.read(0, 1)) not in (b"", b"\n") and len(line) < LONGEST:
        line += byte
    return line.decode("utf-8", "replace")
