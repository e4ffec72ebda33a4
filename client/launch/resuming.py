"""Going on with a game of this machine that another program may have open, or be about to leave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec.structs import replace

from client.launch.opening import Resumed
from client.program import typed

PATIENCE = 8.0
"""Seconds for a program that has the game open to let us in, or to leave it."""
AGAIN = 0.1
"""Seconds until the game is looked at again."""
IN_USE = (
    "Another program on this machine has the game {table} open and does not answer. "
    "Quit it there, then type: {resume}"
)

Found = TypeVar("Found")


def in_use(table: str) -> ConnectionError:
    """Say that somebody else has the game and does not share it, and what to do."""
    return ConnectionError(IN_USE.format(table=table, resume=typed(f"resume {table}")))


async def go_on(wanted: Resumed, way: Callable[[Resumed], Awaitable[Found]]) -> Found:
    """Follow the way to a game. Where it is barred, look at the game anew: the host at work with it
    may have ended since, or another one have begun. Raises ConnectionError.
    """
    look = wanted.again
    if look is None:
        return await way(wanted)
    give_up = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            # How long a host of our own may take, it knows itself.
            async with asyncio.timeout_at(None if wanted.command else give_up):
                return await way(wanted)
        except TimeoutError:
            raise in_use(wanted.table) from None
        except ConnectionError:
            found = await asyncio.to_thread(look)
            if wanted.command and found.command:
                raise  # Nobody else has it, so something else is wrong.
            wanted = replace(found, reopen=wanted.reopen)
        await asyncio.sleep(AGAIN)
