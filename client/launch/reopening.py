"""Going back to a game that the host has shelved because nobody played it: it can be opened again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from client.launch.played_table import Played
from client.program import typed
from client.table import Rejected

SHELVED = "shelved"
"""The code of the host's refusal."""
QUESTION = "Nobody played this game for a time, so the host has saved it."
OPEN, LEAVE = "Open it again", "Leave it saved"


Way = Callable[..., Coroutine[Any, Any, Played]]
"""A way back to a game; with ``reopen`` true a shelved one is opened again."""


async def back_to(table: str, way: Way, wanted: Callable[[], Awaitable[bool]]) -> Played:
    """Return the table that the way leads to. A shelved game is opened again if that is ``wanted``; otherwise
    raises Rejected, and whatever the way raises.
    """
    try:
        return await way(reopen=False)
    except Rejected as no:
        if no.code != SHELVED:
            raise
        if not await wanted():
            how = f"To open it again, type: {typed(f'resume {table}')}"
            raise Rejected(SHELVED, f"{QUESTION} {how}") from None
    return await way(reopen=True)
