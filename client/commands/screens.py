"""Opening the screens: the terminal is looked at before the screens' library is imported."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from client import settings
from client.cli import FAILED, fail
from client.looks import chosen_glyphs, chosen_theme
from client.present.opening import LocalGame, Opening, QuickGame, Resumed, Visit
from client.settings import Preferences
from client.settings_file import SettingsFile

if TYPE_CHECKING:
    from client.keys import Keys
    from client.launch import Launcher
    from client.tui.app import CaveApp

BOT_PAUSE = 0.3  # seconds; a bot that answers at once can not be followed


def run(opening: Opening, *, glyphs: str | None, theme: str | None) -> int:
    """Show the screens until the person leaves; the exit status."""
    kept = SettingsFile()
    wished = kept.settings
    drawn = chosen_glyphs(glyphs or wished.glyphs, os.environ, sys.stdout.encoding or "")
    coloured = chosen_theme(theme or wished.theme, os.environ, told=bool(theme))
    preferences = Preferences(wished, kept.save, fixed=kept.overridden, problems=kept.problems)
    # Read once by the screens' library when it is imported, together with NO_COLOR.
    os.environ["TEXTUAL_THEME"] = coloured
    failure, farewell, crashed = asyncio.run(_show(opening, preferences, drawn, coloured))
    if failure:
        fail(failure, FAILED)
    if farewell:
        print(farewell)
    return FAILED if crashed else 0


async def _show(opening: Opening, preferences: Preferences, glyphs: str, theme: str) -> tuple[str, str, bool]:
    """The sentence that ended it, the last words, and whether the screens crashed."""
    from cave import __version__
    from client.keys import Keys
    from client.launch import Launcher

    visit = opening if isinstance(opening, Visit) else Visit()
    keys = Keys(settings.data_folder(), accept_new=visit.accept_new, plain=visit.plain)
    records = settings.records_folder()
    launcher = Launcher(host_command, records, keys, find=find_game, name=preferences.now.name)
    try:
        if isinstance(opening, LocalGame | QuickGame):
            # The host starts on another core while the screens' library is imported here.
            await launcher.prepare()
        app = _make_app(opening, launcher, keys, preferences, glyphs, theme, __version__)
        await app.run_async()
    finally:
        farewell = await launcher.leave()
    return app.failure, app.farewell or farewell, bool(app.return_code)


def _make_app(
    opening: Opening,
    launcher: Launcher,
    keys: Keys,
    preferences: Preferences,
    glyphs: str,
    theme: str,
    version: str,
) -> CaveApp:
    # Thousands of objects are made here that stay: there is nothing for the collector to find.
    gc.disable()
    from client.discovery import browse
    from client.tui.app import CaveApp
    from client.tui.screens import game  # noqa: F401  (needed at once, and cheaper before the screens run)

    gc.freeze()
    gc.enable()
    return CaveApp(
        opening,
        launcher=launcher,
        preferences=preferences,
        records=settings.records_folder(),
        glyphs=glyphs,
        theme=theme,
        version=version,
        browse=lambda: browse(keys),
    )


def host_command(shared: bool, bot_pause: float = BOT_PAUSE) -> Sequence[str]:
    """The command of a host of our own; with ``shared`` others on the network can reach it.

    ``bot_pause`` is how many seconds a bot takes at least.
    """
    from server import local

    # Each has a folder for itself, so that a game can be taken up again and none waits for another.
    stamp = f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
    folder = settings.games_folder() / stamp
    if not shared:
        return local.command(data=folder, tidy=True, bot_pause=bot_pause)
    keys = settings.data_folder()
    return local.command(
        data=folder, tidy=True, bot_pause=bot_pause, bind="0.0.0.0", keys=keys, announce=True
    )


def find_game(table: str) -> Resumed:
    """How to go on with a game at which one holds seats; raises ConnectionError."""
    from client.commands.tables import find

    return find(table)


def possible(environment: Mapping[str, str], *, tty: bool) -> bool:
    """Whether screens can be shown: input and output are a terminal, and one that moves its cursor."""
    return tty and environment.get("TERM", "") not in ("", "dumb", "unknown")
