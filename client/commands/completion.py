"""``cave completion``, and how shells take the words apart that they ask to complete."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    get_completion_class,
)

VARIABLE = "_CAVE_COMPLETE"
"""The command looks at this when a script asks it for completions; made of its name."""
BREAKS = ("=", ":")
"""At these Bash takes a word apart."""


class Bash(BashComplete):
    """Bash takes ``choke_cost=2`` and ``bot:60`` for three words, of which it completes the last one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words as they were typed."""
        args, last = super().get_completion_args()
        *args, incomplete = joined([*args, last])
        self._before = incomplete.removesuffix("" if last in BREAKS else last)
        return args, incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the text that Bash puts in place of its own last word."""
        return f"{item.type},{item.value.removeprefix(self._before)}"


class Fish(FishComplete):
    """Fish's script would take a word apart at its commas."""

    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


add_completion_class(Bash)
add_completion_class(Fish)


def joined(words: Sequence[str]) -> list[str]:
    """Return the words with those put together again that were one with a ``=`` or ``:`` in it; what is given
    to an option in this way is a word of its own.
    """
    found: list[str] = []
    for word in words:
        if found and not found[-1].startswith("-") and (word in BREAKS or found[-1].endswith(BREAKS)):
            found[-1] += word
        else:
            found.append(word)
    return found


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def complete(context: click.Context, shell: str) -> None:
    """Print a script that completes cave commands in SHELL.

    Source it when the shell starts.
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(context.find_root().command, {}, "cave", VARIABLE).source())
