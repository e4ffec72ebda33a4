"""Bots think in a process of their own, so that the host's event loop never waits for them.

That process has nothing of the host's, least of all its standard streams: whoever started the host may
wait for their end. It ends when its own input does, however the host went.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from cave import codec
from cave.game import BadData, Json
from server.tables.effects import Think

PROGRAM = str(Path(__file__).resolve().with_name("bot_process.py"))
PATIENCE = 30.0
"""Seconds that a bot may think."""


class Thinker:
    """The process in which bots choose, one after the other. It starts with the first thought."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._free = asyncio.Lock()

    async def choose(self, think: Think) -> Json:
        """The action that the bot chooses; None where it stumbles or takes too long."""
        async with self._free:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._ask(think)
            except (BadData, OSError, TimeoutError, ValueError):
                await self.close()
                return None
            except asyncio.CancelledError:
                # The answer that is still to come belongs to no later question.
                await self.close()
                raise

    async def close(self) -> None:
        """End the process; what it thinks of is forgotten."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def _ask(self, think: Think) -> Json:
        process = self._process
        if process is None:
            # A session of its own: Ctrl-C in the terminal is for the host.
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable, PROGRAM, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            )
        assert process.stdin is not None
        assert process.stdout is not None
        question = {
            "game": think.game,
            "level": think.level,
            "view": think.view,
            "choices": think.choices,
            "seed": think.seed,
        }
        process.stdin.write(codec.encode(question) + b"\n")
        await process.stdin.drain()
        return codec.decode(await process.stdout.readline())
