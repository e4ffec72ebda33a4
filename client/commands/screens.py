"""Opening the screens: the terminal is looked at before the screens' library is imported."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence

from client import settings as settings_file
from client.cli import BAD_INPUT, FAILED, fail
from client.present.opening import Opening

BOT_PAUSE = 0.3  # seconds; a bot that answers at once can not be followed


def run(opening: Opening, *, glyphs: str | None, theme: str | None) -> int:
    """Show the screens until the person leaves; the exit status."""
    # Screens are drawn on the error output, so that one must be a terminal too.
    tty = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    problem = why_no_screen(os.environ, tty=tty)
    if problem:
        fail(problem, BAD_INPUT)
    remembered = settings_file.load()
    drawn = chosen_glyphs(glyphs or remembered.glyphs, os.environ, sys.stdout.encoding or "")
    coloured = chosen_theme(theme or remembered.theme, os.environ)
    # Read once by the screens' library when it is imported, together with NO_COLOR.
    os.environ["TEXTUAL_THEME"] = {"dark": "textual-dark", "light": "textual-light", "ansi": "ansi-dark"}[
        coloured
    ]
    failure, kept = asyncio.run(_show(opening, remembered, drawn, coloured))
    if failure:
        fail(failure, FAILED)
    if kept:
        print(f"The game is kept. To see it again: cave replay {kept}")
    return 0


async def _show(
    opening: Opening, remembered: settings_file.Settings, glyphs: str, theme: str
) -> tuple[str, str]:
    from cave import __version__
    from client.launch import Launcher
    from client.tui.app import CaveApp

    launcher = Launcher(host_command, settings_file.records_folder())
    app = CaveApp(
        opening,
        launcher=launcher,
        settings=remembered,
        save=settings_file.save,
        records=settings_file.records_folder(),
        glyphs=glyphs,
        theme=theme,
        version=__version__,
    )
    kept = ""
    try:
        await app.run_async()
    finally:
        kept = await launcher.leave()
    return app.failure, app.kept or kept


def host_command() -> Sequence[str]:
    """The command of a host of our own; others on this machine can reach it."""
    from server import local

    return local.command(bot_pause=BOT_PAUSE)


def why_no_screen(environment: Mapping[str, str], *, tty: bool) -> str:
    """Why this terminal can not show screens, in one sentence, or nothing."""
    if not tty:
        return "this needs a terminal; input or output is a file or a pipe."
    term = environment.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return f"this terminal (TERM={term or 'not set'}) can not show screens; try another one."
    return ""


def chosen_glyphs(wanted: str, environment: Mapping[str, str], encoding: str) -> str:
    """``unicode`` or ``ascii``; on ``auto`` what the terminal's text encoding allows."""
    if wanted != "auto":
        return wanted
    if encoding.lower().replace("-", "") != "utf8":
        return "ascii"
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    # A plain C locale is what minimal systems have; their terminals mostly show UTF-8 all the same.
    return "unicode" if locale in ("", "C", "POSIX") or "utf" in locale.lower() else "ascii"


def chosen_theme(wanted: str, environment: Mapping[str, str]) -> str:
    """The theme; without colours only the terminal's own pair is sure to be readable."""
    return "ansi" if "NO_COLOR" in environment else wanted
