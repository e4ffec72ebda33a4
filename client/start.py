"""The command ``cave``. All imports are inside its ``try``, so that it can be stopped while it loads."""

from __future__ import annotations

import gc
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
        from client.system import exit_as_stopped

        exit_as_stopped()
