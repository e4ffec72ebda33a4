"""Work in the background of a screen that may be left before it is done."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from textual.css.query import NoMatches


async def while_shown(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work as long as it has widgets to show it in: a screen that is left loses those first."""
    with contextlib.suppress(NoMatches):
        await work()
