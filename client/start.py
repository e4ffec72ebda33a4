"""The command ``cave``. All is loaded inside its ``try``, so that it can be stopped while it loads, too."""

from __future__ import annotations


def main() -> None:
    """Read the command line and do what it says."""
    try:
        from client.cli import main as command

        command()
    except KeyboardInterrupt:
        from client.program import stopped

        stopped()
