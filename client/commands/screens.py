"""Opens the screens: examines the terminal before importing Textual."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from cave.processes import run_loop
from client import system
from client.launch.own_host import BOT_PAUSE, HostFailed, OwnHost

if TYPE_CHECKING:
    from client.launch.launcher import Launcher
    from client.launch.opening import Opening, ResumedGame
    from client.net.known_hosts import Keys
    from client.settings.schema import Preferences

START = 2.0
"""Seconds until the first screen is certainly shown. Most objects created before then are permanent."""


def run(opening: Opening, *, glyphs: str | None, theme: str | None, host: OwnHost | None = None) -> int:
    """Show the screens until the user leaves; return the exit status. ``host`` is already started."""
    gc.disable()
    from client import games
    from client.commands.terminal import FAILED, fail
    from client.settings.appearance import chosen_glyphs, chosen_theme
    from client.settings.file import SettingsFile
    from client.settings.schema import Preferences

    kept = SettingsFile(of_games=games.game_settings)
    wished = kept.settings
    drawn = chosen_glyphs(glyphs or wished.glyphs, os.environ, sys.stdout.encoding or "")
    coloured = chosen_theme(theme or wished.theme, os.environ, told=bool(theme))
    preferences = Preferences(wished, kept.save, kept.recall, fixed=kept.overridden, problems=kept.problems)
    failure, farewell, crashed = run_loop(_run_app(opening, preferences, drawn, coloured, host))
    if failure:
        fail(failure, FAILED)
    if farewell:
        print(farewell)
    return FAILED if crashed else 0


async def _run_app(
    opening: Opening, preferences: Preferences, glyphs: str, theme: str, host: OwnHost | None
) -> tuple[str, str, bool]:
    """Return the sentence that ended the run, the farewell, and whether the screens crashed."""
    import asyncio

    from cave import __version__
    from client.launch.opening import LocalGame, QuickGame

    launcher, keys, warning = make_launcher(opening, preferences, host_command, host)
    try:
        if isinstance(opening, QuickGame) and preferences.now.person_name:
            opening = LocalGame(opening.with_remembered_level(preferences.now).plan(preferences.now.person_name))
        if isinstance(opening, LocalGame):
            launcher.begin(opening.plan)
        # The table opens between the imports.
        await asyncio.to_thread(_load_screens, opening.plan.game if isinstance(opening, LocalGame) else None)
        from client.app.app import CaveApp
        from client.net.discovery import browse_hosts

        app = CaveApp(
            opening,
            launcher=launcher,
            preferences=preferences,
            records=system.records_folder(),
            glyphs=glyphs,
            theme=theme,
            version=__version__,
            warning=warning,
            browse=partial(browse_hosts, keys),
        )
        asyncio.get_running_loop().call_later(START, _start_garbage_collection)
        await app.run_async()
    finally:
        farewell = await launcher.leave()
    return app.failure, app.farewell or farewell, app.crashed


def make_launcher(
    opening: Opening,
    preferences: Preferences,
    command: Callable[[bool], Sequence[str]],
    prepared: OwnHost | None = None,
) -> tuple[Launcher, Keys, str]:
    """Return the launcher of this user's tables, the keys, and a warning if something cannot be saved."""
    from client import games
    from client.launch.launcher import Launcher
    from client.launch.opening import Visit
    from client.net.known_hosts import Keys

    visit = opening if isinstance(opening, Visit) else Visit()
    keys = Keys(system.data_folder(), accept_new=visit.accept_new, plain=visit.plain)
    unsaved = system.unsaved_words()
    launcher = Launcher(
        command,
        None if unsaved else system.records_folder(),
        keys,
        find=find_game,
        name=preferences.now.person_name,
        prepared=prepared,
        round_after=games.round_after,
        pace=lambda: preferences.now.pace,
    )
    return launcher, keys, unsaved or system.unrecorded_words()


def _load_screens(game: str | None) -> None:
    """Import the modules needed at once, and the game's screen: cheaper before the app runs."""
    import client.app.app  # noqa: F401  (needed at once)

    if game is not None:
        from client import games

        games.get_face(game).screen()


def _start_garbage_collection() -> None:
    """Start garbage collection, but skip the objects created so far: most are permanent."""
    gc.freeze()
    gc.enable()


def host_command(shared: bool, bot_pause: float = BOT_PAUSE) -> Sequence[str]:
    """Return the command of a local host; with ``shared`` others can connect, also from the network.

    ``bot_pause`` is the least seconds per bot move. If nothing can be saved, the host keeps nothing.
    """
    from server import LOCAL, local_command

    bind = "0.0.0.0" if shared else LOCAL
    command = partial(local_command, bind=bind, bot_pause=bot_pause, announce=shared, only_parent=not shared)
    if system.unsaved_words():
        return command()
    # A folder per game, so that each can be resumed and none waits for another.
    stamp = f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(4).hex()}"
    folder, keys = system.local_games_folder() / stamp, system.data_folder() if shared else None
    return command(data=folder, tidy=True, keys=keys)


def find_game(table: str) -> ResumedGame:
    """Return how to resume a game in which this user has seats; raises ConnectionError."""
    from client.commands.saved import find_unfinished_game

    return find_unfinished_game(table)


def are_screens_available() -> bool:
    # Textual draws on stderr, so it must be a terminal, too.
    tty = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return are_screens_possible(os.environ, tty=tty)


def are_screens_possible(environment: Mapping[str, str], *, tty: bool) -> bool:
    """Return whether screens can be shown: input and output must be a terminal with cursor movement."""
    # Windows consoles need not set TERM.
    usual = "windows" if environment.get("OS") == "Windows_NT" else ""
    return tty and environment.get("TERM", usual) not in ("", "dumb", "unknown")


ANOTHER_HOST = ("--open", "--plain", "--help", "-h")
"""Options that need no host, or one that others can reach."""


def start_host_first(words: Sequence[str]) -> OwnHost | None:
    """Start the host of the game that these arguments open, before the argument parser is loaded; None for
    other commands. Opening the game reports a failure of the host.
    """
    if words[:1] != ["play"] or any(word.startswith(ANOTHER_HOST) for word in words):
        return None
    if not are_screens_available():
        return None
    try:
        return OwnHost(host_command(False))
    except HostFailed:
        return None
