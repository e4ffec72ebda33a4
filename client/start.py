"""The command ``cave``. All is loaded inside its ``try``, so that it can be stopped while it loads, too."""

from __future__ import annotations

import gc


def main() -> None:
    """Read the command line and do what it says."""
    # What is made while modules load stays: the collector would look through it again and again.
    gc.disable()
    try:
        from client.cli import main as command

        gc.freeze()
        gc.enable()
        command()
    except KeyboardInterrupt:
        from client.program import stopped

        stopped()
