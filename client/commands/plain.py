"""Line mode: the game without screens, for screen readers, pipes and dumb terminals."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from functools import partial

import click

from cave.processes import run_loop
from client import system
from client.commands.screens import host_command, make_launcher
from client.commands.terminal import FAILED, drop_output, fail, warn
from client.launch.opening import Opening
from client.launch.own_host import BOT_PAUSE
from client.net.discovery import browse_hosts
from client.net.known_hosts import Keys
from client.plain.console import Console, is_console_interactive
from client.present import hosts
from client.present.hosts import HostLine
from client.settings.file import SettingsFile
from client.settings.schema import Preferences
from client.wording import error_sentence


def run(opening: Opening) -> int:
    """Run line mode until the user leaves or the input ends; return the exit status."""
    live = is_console_interactive()
    failure = run_loop(_run_line_mode(opening, live=live))
    if failure:
        fail(failure, FAILED)
    return 0


async def _run_line_mode(opening: Opening, *, live: bool) -> str:
    from client import games
    from client.app.line_mode import LineModeFlow
    from client.app.user_interface import TROUBLE

    # With a pipe nobody watches the bots, so they need no pause.
    command = partial(host_command, bot_pause=BOT_PAUSE if live else 0.0)
    kept = SettingsFile(of_games=games.game_settings)
    for problem in kept.problems:
        warn(problem)
    preferences = Preferences(kept.settings, kept.save, kept.recall)
    launcher, keys, warning = make_launcher(opening, preferences, command)
    if warning:
        warn(warning)
    console = Console(live=live, encoding=sys.stdout.encoding or "utf-8")
    # With a pipe nobody can choose, and the results would vary.
    find = partial(look_around, keys) if live else None
    course = LineModeFlow(console, launcher, preferences, find, system.records_folder())
    talk = asyncio.create_task(course.run(opening))
    loop = asyncio.get_running_loop()
    system.on_signals(loop, lambda _: talk.cancel())
    if console.keys is not None:
        # Meanwhile another program has the terminal.
        system.on_rest(loop, console.keys.release_terminal, console.go_on)
    failure = farewell = ""
    try:
        await talk
    except BrokenPipeError:
        drop_output()  # the reader of our output is gone
    except asyncio.CancelledError:
        pass
    except TROUBLE as error:
        failure = error_sentence(error)
    finally:
        console.close()
        farewell = await launcher.leave()
    with contextlib.suppress(BrokenPipeError):
        # With a pipe the same input gives the same output, so random names are not printed.
        if farewell and live and not failure:
            await console.write_lines(farewell)
    return failure


SECONDS = 2.0


def show_hosts() -> None:
    try:
        found = run_loop(look_around(Keys(system.data_folder())))
    except ConnectionError as error:
        fail(f"{error} {hosts.INSTEAD}", FAILED)
    for line in found:
        words = (line.address, line.name, line.free, line.watching, line.game, line.standing)
        click.echo("  ".join(words))
    if not found:
        click.echo(f"{hosts.NOTHING_FOUND} {hosts.INSTEAD}", err=True)


async def look_around(keys: Keys, seconds: float = SECONDS) -> tuple[HostLine, ...]:
    """Return the hosts found within this many seconds. Raises ConnectionError."""
    found: tuple[HostLine, ...] = ()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), contextlib.aclosing(browse_hosts(keys)) as lists:
            async for each in lists:
                found = hosts.host_lines(each)
    return found
