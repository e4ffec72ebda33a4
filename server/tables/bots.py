"""Bots choose in separate processes, so that the event loop never blocks. They inherit no standard streams,
as the host's parent may wait for these to close, and exit when their input closes.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from cave import codec, games
from cave.game import BadData, Json
from cave.processes import end_child, exchange_lines, start_child
from server import system
from server.logs import event_line
from server.tables.effects import AskBot, AskWhetherLost

LOG = logging.getLogger("cave.host")

PROGRAM = str(Path(__file__).resolve().with_name("bot_process.py"))
PATIENCE = 10.0
"""Seconds for a bot's choice. Then the weakest level chooses for it."""
MOST = 4  # maximum processes: each has a copy of the rules in memory
MEMORY = 1 << 30  # bytes of address space of a process
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds before a retry, by the number of failures; the last one repeats."""


class BotPool:
    """The processes in which bots choose, one for each core up to ``MOST``, started when no other is free. If
    one dies, it is restarted with the same request.
    """

    def __init__(self, size: int | None = None, patience: float = PATIENCE) -> None:
        size = size or min(MOST, system.count_cores())
        # Separate threads: the event loop's also sync the journal, which must not wait for a bot.
        self.threads = ThreadPoolExecutor(size, "bots")
        self.processes = [BotProcess(self.threads, patience) for _ in range(size)]
        # Last in, first out, so that no more start than needed.
        self._free: asyncio.LifoQueue[BotProcess] = asyncio.LifoQueue()
        for process in reversed(self.processes):
            self._free.put_nowait(process)

    async def choose_action(self, request: AskBot) -> Json:
        """Return the bot's action; if it fails or is slow, the weakest level's; None if that fails, too."""
        action = await self._ask_free_process(request)
        weakest = next(iter(games.game_info(request.game).bots), request.level)
        if action is None and request.level != weakest:
            action = await self._ask_free_process(replace(request, level=weakest))
        return action

    async def is_lost(self, request: AskWhetherLost) -> bool:
        return await self._ask_free_process(request) is True

    async def _ask_free_process(self, request: AskBot | AskWhetherLost) -> Json:
        """Return the answer of a free process. If none can be started, retry after a pause."""
        failures = 0
        while True:
            process = await self._free.get()
            try:
                return await process.ask(request)
            except Exception as problem:
                if not failures:
                    why = getattr(problem, "strerror", None) or type(problem).__name__
                    LOG.warning(event_line("bot-waits", table=request.table, why=why))
            finally:
                self._free.put_nowait(process)
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
            failures += 1

    async def close(self) -> None:
        """End the processes. Pending requests are dropped."""
        await asyncio.gather(*(process.end_process() for process in self.processes))
        self.threads.shutdown(wait=False)


class BotProcess:
    """A process in which bots choose, one at a time; restarted on demand."""

    def __init__(self, threads: ThreadPoolExecutor, patience: float) -> None:
        self.threads = threads
        self.patience = patience
        self.process: subprocess.Popen[bytes] | None = None
        self._ended = False

    async def ask(self, request: AskBot | AskWhetherLost) -> Json:
        """Return the bot's answer; None if it fails or takes too long, or if the process dies twice. Raises
        OSError or RuntimeError if no process or no thread can be started.
        """
        for _ in range(2):
            if self._ended:
                break
            process = self.process = self.process or start_child([sys.executable, PROGRAM], memory=MEMORY)
            try:
                async with asyncio.timeout(self.patience):
                    return await self._read_answer(process, request)
            except TimeoutError:
                await self.close()
                return None
            except (BadData, OSError, TypeError, ValueError):
                await self.close()
            except BaseException:
                # A late answer must not be taken for the next one.
                await self.close()
                raise
        return None

    async def end_process(self) -> None:
        self._ended = True
        await self.close()

    async def close(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()  # Now: a second cancellation can come before a thread is free.
            await system.run_in_thread(end_child, process)

    async def _read_answer(self, process: subprocess.Popen[bytes], request: AskBot | AskWhetherLost) -> Json:
        line = codec.encode(request.question) + b"\n"
        loop = asyncio.get_running_loop()
        return codec.decode(await loop.run_in_executor(self.threads, exchange_lines, process, line))
