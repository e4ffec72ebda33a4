"""The command ``cave``. All imports are inside its ``try``, so that it can be stopped while it loads."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    # Objects created by imports are permanent: the collector would scan them again and again.
    gc.disable()
    try:
        from client import system

        system.open_streams()
        host = None
        if "play" in sys.argv[1:2]:
            from client.commands.screens import start_host_first

            host = start_host_first(sys.argv[1:])
        from client.cli import main as command

        gc.freeze()
        if host is None:
            gc.enable()
        command(host=host)
    except KeyboardInterrupt:
        # At once and without an import: a second Ctrl-C would interrupt that.
        if sys.stderr is not None:
            sys.stderr.write("cave: stopped.\n")
        os._exit(130)
