"""``cave play`` starts its host first of all: it comes up on another core while the rest is loaded."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from client.commands.game_options import GameCommand
from client.commands.options import LINE_MODE

if TYPE_CHECKING:
    from client.launch.own_host import OwnHost

HOST = "client.commands.early_host.HOST"
"""Under this name a context keeps the host that was started."""
ANOTHER_HOST = ("--open", "--plain", "--help", "-h")
"""Options with which no host is needed, or one that others can reach."""


class PlayCommand(GameCommand):
    """A command that plays on this machine. What it is told is read while its host starts.

    If something is wrong with what it is told, the program ends, and its host with it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Start the host, if this is a game on screens for this machine alone."""
        from client.commands import screens

        wanted = not (ctx.resilient_parsing or ctx.meta.get(LINE_MODE) or _another_host(args))
        if wanted and screens.available():
            ctx.meta[HOST] = _start()
        return super().parse_args(ctx, args)


def host_of(context: click.Context) -> OwnHost | None:
    """The host that was started, if one was."""
    found: OwnHost | None = context.meta.get(HOST)
    return found


def _another_host(words: Sequence[str]) -> bool:
    return any(word.startswith(ANOTHER_HOST) for word in words)


def _start() -> OwnHost | None:
    """A host, or none where it cannot be had; that is told when the game is opened."""
    from client.commands import screens
    from client.launch.own_host import HostFailed, OwnHost

    # Thousands of objects are made from here on that stay: nothing for the collector to find.
    gc.disable()
    try:
        return OwnHost(screens.host_command(False))
    except HostFailed:
        return None
