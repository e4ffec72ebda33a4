"""Work in the background of a screen that may be left before it is done."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from textual.css.query import NoMatches
from textual.worker import WorkType


def while_shown(work: Callable[[], Awaitable[None]]) -> WorkType[None]:
    """Work that goes on as long as it has widgets to show it in: a screen that is left loses those first.

    For a worker, which makes the coroutine when it begins: one that is replaced before has none to await.
    """

    async def shown() -> None:
        with contextlib.suppress(NoMatches):
            await work()

    return shown
