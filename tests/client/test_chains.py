"""How many own classes stand behind a screen: nobody has to look through eight for one key."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from textual.screen import Screen

import client
from client.tui.table import TableScreen

LONGEST, LONGEST_OF_A_REPLAY = 3, 4


def screens(base: type = Screen) -> Iterator[type]:
    """All classes of screens of the program."""
    for each in base.__subclasses__():
        if each.__module__.startswith("client."):
            yield each
        yield from screens(each)


for module in pkgutil.walk_packages(client.__path__, "client."):
    importlib.import_module(module.name)


@pytest.mark.parametrize("screen", sorted(set(screens()), key=lambda each: each.__name__))
def test_few_own_classes_stand_behind_a_screen(screen: type) -> None:
    own = [each.__name__ for each in screen.__mro__ if each.__module__.startswith("client.")]
    replays = issubclass(screen, TableScreen) and screen.replays
    assert len(own) <= (LONGEST_OF_A_REPLAY if replays else LONGEST), own
