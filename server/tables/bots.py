"""Bots choose in a separate process, so that the host's event loop never waits for them.

The process does not inherit the host's standard streams: whoever started the host may be waiting for them to
close. It exits when its own standard input closes, even if the host is killed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from cave import codec
from cave.game import BadData, Json
from server import system
from server.tables.effects import AskBot

PROGRAM = str(Path(__file__).resolve().with_name("bot_process.py"))
PATIENCE = 30.0
"""Seconds a bot may take."""


class BotProcess:
    """The process in which bots choose, one at a time. It starts with the first request."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._free = asyncio.Lock()

    async def choose(self, request: AskBot) -> Json:
        """Return the bot's action; None if it fails or takes too long."""
        async with self._free:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._ask(request)
            except (BadData, OSError, TimeoutError, ValueError):
                await self.close()
                return None
            except asyncio.CancelledError:
                # An answer that is still to come must not be taken for the next one.
                await self.close()
                raise

    async def close(self) -> None:
        """End the process. A pending request is dropped."""
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(system.end, process)

    async def _ask(self, request: AskBot) -> Json:
        if self._process is None:
            self._process = system.start([sys.executable, PROGRAM])
        question = {
            "game": request.game,
            "level": request.level,
            "view": request.view,
            "choices": request.choices,
            "seed": request.seed,
        }
        return codec.decode(await asyncio.to_thread(_exchange, self._process, codec.encode(question) + b"\n"))


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Write a line, and read the next one. This takes as long as the process does, or until it is killed."""
    system.tell(process, line)
    return system.hear(process)
