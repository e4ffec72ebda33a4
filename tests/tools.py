"""Programs that some tests need and some machines lack: ``@pytest.mark.needs("tmux")``; and the command line
for renewing kept files.
"""

from __future__ import annotations

import os
import shutil
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

found = cache(shutil.which)
"""Returns the path of a program, cached."""


def missing(item: pytest.Item) -> list[str]:
    """Return the programs that the test needs and this machine lacks."""
    needed = {name: None for mark in item.iter_markers("needs") for name in mark.args}
    return [name for name in needed if found(name) is None]


def skip_without(item: pytest.Item) -> None:
    """Skip a test whose programs are missing. Where all tests run, they are required."""
    if names := " and ".join(missing(item)):
        if os.environ.get("CI"):
            pytest.fail(f"{names} not installed", pytrace=False)
        pytest.skip(f"{names} not installed")


def names_to_renew(about: str | None, known: Iterable[str] = (), argv: Sequence[str] | None = None) -> list[str]:
    """Return the names on the command line; exits with help, or an error for an unknown one."""
    parser = ArgumentParser(description=about, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(known) or 'none'}")
    names: list[str] = parser.parse_args(argv).names
    if unknown := [name for name in names if name not in known]:
        parser.error(f"not known: {', '.join(unknown)}")
    return names
