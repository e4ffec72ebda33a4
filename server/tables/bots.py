"""Bots choose in processes of their own, so that the host's event loop never waits for them.

The processes do not inherit the host's standard streams: whoever started the host may be waiting for them to
close. Each exits when its own standard input closes, even if the host is killed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from cave import codec, games
from cave.game import BadData, Json
from server import system
from server.tables.effects import AskBot, AskWhetherLost

PROGRAM = str(Path(__file__).resolve().with_name("bot_process.py"))
PATIENCE = 10.0
"""Seconds a bot may take. Then the weakest level chooses for it."""
MOST = 4
"""Processes at most: each holds a copy of the rules in memory."""


class BotPool:
    """The processes in which bots choose, as many as the machine has cores, up to ``MOST``.

    A process starts with the first request that finds no other free. One that dies is started again for the
    same request.
    """

    def __init__(self, size: int | None = None, patience: float = PATIENCE) -> None:
        size = size or min(MOST, system.cores())
        # Threads of its own: those of the event loop also sync the journal, which must not wait for a bot.
        self._threads = ThreadPoolExecutor(size, "bots")
        self._all = [BotProcess(self._threads, patience) for _ in range(size)]
        # The last one that was used is the next one, so that no more start than are needed.
        self._free: asyncio.LifoQueue[BotProcess] = asyncio.LifoQueue()
        for process in reversed(self._all):
            self._free.put_nowait(process)

    async def choose(self, request: AskBot) -> Json:
        """Return the bot's action, or that of the weakest level where it fails or takes too long; None where
        that fails, too.
        """
        process = await self._free.get()
        try:
            action = await process.ask(request)
            weakest = next(iter(games.info(request.game).bots), request.level)
            if action is None and request.level != weakest:
                action = await process.ask(replace(request, level=weakest))
            return action
        finally:
            self._free.put_nowait(process)

    async def is_lost(self, request: AskWhetherLost) -> bool:
        """Return whether the bot's seat is lost; false where that cannot be found out in time."""
        process = await self._free.get()
        try:
            return await process.ask(request) is True
        finally:
            self._free.put_nowait(process)

    async def close(self) -> None:
        """End the processes. Pending requests are dropped."""
        await asyncio.gather(*(process.end() for process in self._all))
        self._threads.shutdown(wait=False)


class BotProcess:
    """A process in which bots choose, one at a time. It starts with the first request, and again with the
    next one after it died.
    """

    def __init__(self, threads: ThreadPoolExecutor, patience: float) -> None:
        self._threads = threads
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    async def ask(self, request: AskBot | AskWhetherLost) -> Json:
        """Return the bot's answer; None if it fails or takes too long, or if the process dies twice."""
        for _ in range(2):
            if self._ended:
                break
            try:
                async with asyncio.timeout(self._patience):
                    return await self._answer(request)
            except TimeoutError:
                await self.close()
                return None
            except (BadData, OSError, ValueError):
                await self.close()
            except asyncio.CancelledError:
                # An answer that is still to come must not be taken for the next one.
                await self.close()
                raise
        return None

    async def end(self) -> None:
        """End the process for good."""
        self._ended = True
        await self.close()

    async def close(self) -> None:
        """End the process. A pending request is dropped."""
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(system.end, process)

    async def _answer(self, request: AskBot | AskWhetherLost) -> Json:
        if self._process is None:
            self._process = system.start([sys.executable, PROGRAM])
        line = codec.encode(request.question) + b"\n"
        loop = asyncio.get_running_loop()
        return codec.decode(await loop.run_in_executor(self._threads, _exchange, self._process, line))


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Write a line, and read the next one. This takes as long as the process does, or until it is killed."""
    system.tell(process, line)
    return system.hear(process)
