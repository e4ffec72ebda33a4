"""How a command ends that cannot do what it was asked for."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

BAD_INPUT = 2
"""The exit status for a file or an option that cannot be used."""
FAILED = 1
"""The exit status where something else stands in the way."""


def fail(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """End with one sentence on the error output, cleaned of what a stranger's file brings into it."""
    warn(sentence)
    sys.exit(status)


def warn(sentence: str) -> None:
    """Write such a sentence, and go on."""
    from cave.wire import harmless

    click.echo(f"cave: {harmless(sentence)}", err=True)
