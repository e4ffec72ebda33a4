"""How this program is typed here, for sentences that name its commands, and how it is stopped: by its path
where, as after ``make play``, no such ``cave`` is on the PATH. Loads next to nothing.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

NAME = "cave"


def stopped() -> NoReturn:
    """End as a program does that is stopped from the keyboard: one sentence, and the status 130."""
    sys.stderr.write(f"{NAME}: stopped.\n")
    sys.exit(130)


def typed(command: str) -> str:
    """Return a command of this program as one types it here: ``resume`` is ``cave resume``."""
    return f"{_program()} {command}"


@cache
def _program() -> str:
    return program(Path(sys.argv[0]), os.environ.get("PATH", os.defpath))


def program(started: Path, path: str) -> str:
    """Return what to type for the script that was ``started``: its name if this PATH finds it, else its path.
    Started in another way, as a module for instance, it goes by its name.
    """
    if started.name != NAME:
        return NAME
    import shlex
    import shutil

    try:
        first = shutil.which(NAME, path=path)
        if first is not None and Path(first).samefile(started):
            return NAME
        return shlex.quote(str(Path.cwd() / started))
    except OSError:
        return shlex.quote(str(started))
