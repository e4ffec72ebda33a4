"""Opening the screens, or the line mode where there can be none."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from client.commands.options import LINE_MODE

if TYPE_CHECKING:
    from client.launch.own_host import OwnHost


def in_lines(context: click.Context) -> bool:
    """Return whether it goes in line mode: where there can be no screens, or none are wanted."""
    from client.commands import screens

    return bool(context.meta.get(LINE_MODE)) or not screens.available()


def show(
    context: click.Context, opening: Any, glyphs: str | None, theme: str | None, host: OwnHost | None = None
) -> NoReturn:
    """Open the screens, or the line mode. ``host`` is a host of our own that was started already.

    Here is the last moment to decide how things are drawn.
    """
    outer = context.obj or {}
    if in_lines(context):
        from client.commands import plain

        sys.exit(plain.run(opening))
    from client.commands.screens import run

    sys.exit(run(opening, glyphs=glyphs or outer.get("glyphs"), theme=theme or outer.get("theme"), host=host))
