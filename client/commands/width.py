"""How wide the terminal is that the standard output goes to."""

from __future__ import annotations

import shutil
import sys

LEAST = 20
"""Columns below which nothing is made to fit: no terminal for reading is so narrow."""


def width() -> int | None:
    """Return the columns of the terminal; None for a pipe or a file, where programs read whole lines."""
    return max(LEAST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None
