"""Completion of what is typed in a shell: the scripts, and the names of kept records."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

VARIABLE = "_CAVE_COMPLETE"
"""The command looks at this when a script asks it for completions; made of its name."""
MOST = 50


def script(command: click.Command, shell: str) -> str:
    """The script that a shell reads to complete the command's words."""
    made = get_completion_class(shell)
    assert made is not None
    return made(command, {}, "cave", VARIABLE).source()


def records(incomplete: str) -> list[CompletionItem]:
    """The kept records of that beginning, the newest first, and all other files."""
    from client import folders

    try:
        found = sorted(folders.records_folder().glob("*.jsonl"), reverse=True)[:MOST]
    except OSError:
        found = []
    kept = [CompletionItem(str(path)) for path in found if str(path).startswith(incomplete)]
    # What bash makes of the word for files would forget the names before it.
    return [CompletionItem(incomplete, type="file"), *kept]
