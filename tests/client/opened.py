"""Openings of the command line, without opening them."""

from __future__ import annotations

from typing import Any

import pytest

from client.cli import cli
from client.launch.opening import Opening


class _Opened(Exception):
    def __init__(self, _context: object, opening: Opening, *_host: object) -> None:
        self.opening = opening


def opened(*words: str) -> Any:
    """Return the opening of ``cave`` with these words."""

    def show(*what: Any) -> None:
        raise _Opened(*what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("client.commands.play.show_display_option", show)
        with pytest.raises(_Opened) as found:
            cli.main([*words], standalone_mode=False)
    return found.value.opening
