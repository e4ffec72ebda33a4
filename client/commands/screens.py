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

from client import settings as settings_file
from client.cli import FAILED, fail
from client.looks import chosen_theme
from client.present.opening import LocalGame, Opening, QuickGame, Resumed, Visit

if TYPE_CHECKING:
    from client.keys import Keys
    from client.launch import Launcher
    from client.tui.app import CaveApp

BOT_PAUSE = 0.3  # seconds; a bot that answers at once can not be followed


def run(opening: Opening, *, glyphs: str | None, theme: str | None) -> int:
    """Show the screens until the person leaves; the exit status."""
    remembered = settings_file.load()
    drawn = chosen_glyphs(glyphs or remembered.glyphs, os.environ, sys.stdout.encoding or "")
    coloured = chosen_theme(theme or remembered.theme, os.environ, told=bool(theme))
    # Read once by the screens' library when it is imported, together with NO_COLOR.
    os.environ["TEXTUAL_THEME"] = coloured
    failure, farewell = asyncio.run(_show(opening, remembered, drawn, coloured))
    if failure:
        fail(failure, FAILED)
    if farewell:
        print(farewell)
    return 0


async def _show(
    opening: Opening, remembered: settings_file.Settings, glyphs: str, theme: str
) -> tuple[str, str]:
    from cave import __version__
    from client.keys import Keys
    from client.launch import Launcher

    visit = opening if isinstance(opening, Visit) else Visit()
    keys = Keys(settings_file.data_folder(), accept_new=visit.accept_new, plain=visit.plain)
    records = settings_file.records_folder()
    launcher = Launcher(host_command, records, keys, find=find_game, name=remembered.name)
    try:
        if isinstance(opening, LocalGame | QuickGame):
            # The host starts on another core while the screens' library is imported here.
            await launcher.prepare()
        app = _make_app(opening, launcher, keys, remembered, glyphs, theme, __version__)
        await app.run_async()
    finally:
        farewell = await launcher.leave()
    return app.failure, app.farewell or farewell


def _make_app(
    opening: Opening,
    launcher: Launcher,
    keys: Keys,
    remembered: settings_file.Settings,
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
        settings=remembered,
        save=settings_file.save,
        records=settings_file.records_folder(),
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
    folder = settings_file.games_folder() / stamp
    if not shared:
        return local.command(data=folder, tidy=True, bot_pause=bot_pause)
    keys = settings_file.data_folder()
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


def chosen_glyphs(wanted: str, environment: Mapping[str, str], encoding: str) -> str:
    """``unicode`` or ``ascii``; on ``auto`` what the terminal's text encoding allows."""
    if wanted != "auto":
        return wanted
    if encoding.lower().replace("-", "") != "utf8":
        return "ascii"
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    # A plain C locale is what minimal systems have; their terminals mostly show UTF-8 all the same.
    return "unicode" if locale in ("", "C", "POSIX") or "utf" in locale.lower() else "ascii"
