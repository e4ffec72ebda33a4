"""``cave play`` starts its host before all else: the host loads what it needs beside the screens."""

from __future__ import annotations

from collections.abc import Sequence

from client.launch.own_host import HostFailed, OwnHost

ANOTHER_HOST = ("--open", "--plain", "--help", "-h")
"""Options with which no host is needed, or one that others can reach."""


def first_of_all(words: Sequence[str]) -> OwnHost | None:
    """Start the host of the game that these words of a command line open; None where that is another one.

    It starts before what reads the words is loaded. Where something is wrong with them, the program ends, and
    its host with it. A host that cannot be had is told of when the game is opened.
    """
    if words[:1] != ["play"] or any(word.startswith(ANOTHER_HOST) for word in words):
        return None
    from client.commands import screens

    if not screens.available():
        return None
    try:
        return OwnHost(screens.host_command(False))
    except HostFailed:
        return None
