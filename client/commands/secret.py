"""Asking for what is secret: it stays out of the shell's history and of the list of processes."""

from __future__ import annotations

import os
import sys

import click

LONGEST = 16384
"""Bytes of a line that are taken."""


def ask(question: str) -> str:
    """What is typed or pasted, without showing it; from a pipe or a file its first line."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(question, hide_input=True, err=True))
    line = b""
    # Byte by byte: what comes after the line is for the game.
    while (byte := os.read(0, 1)) not in (b"", b"\n") and len(line) < LONGEST:
        line += byte
    return line.decode("utf-8", "replace")
