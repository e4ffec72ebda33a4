"""Announces a host on the local network, from a separate process without the host's key, so that a flood of
packets cannot slow down a game. The process withdraws the announcement when its input closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from cave import codec, processes
from cave.game import BadData
from cave.lan import Notice
from server.logs import event_line

LOG = logging.getLogger("cave.announce")

EVERY = 1.0  # seconds between updates of the announcement
AGAIN = 30.0  # seconds before restarting the process
FAREWELL = 2.0  # seconds for the process to withdraw the announcement


class Announcer:
    """Announces what ``notice`` returns, at the addresses in ``only`` if any. Never raises."""

    def __init__(self, notice: Callable[[], Notice], listening: str, port: int, only: Sequence[str] = ()) -> None:
        self._notice = notice
        program = Path(__file__).resolve().with_name("mdns.py")
        self._argv = [sys.executable, str(program), listening, str(port), *only]
        self._trouble = ""
        self._work = asyncio.create_task(self._keep_announcing())

    async def close(self) -> None:
        self._work.cancel()
        await asyncio.wait([self._work])

    async def _keep_announcing(self) -> None:
        while True:
            try:
                await self._run_mdns_process()
            except OSError as error:
                self._log_trouble(error.strerror or str(error))
            await asyncio.sleep(AGAIN)

    async def _run_mdns_process(self) -> None:
        process = processes.start_child(self._argv)
        feeding = asyncio.create_task(self._feed_notices(process))
        try:
            while line := await asyncio.to_thread(processes.read_line, process):
                with contextlib.suppress(BadData, TypeError, KeyError):
                    self._log_trouble(str(codec.decode(line)["trouble"]))
            self._log_trouble("the process for it has ended")
        finally:
            feeding.cancel()
            await asyncio.to_thread(processes.end_child, process, FAREWELL)

    async def _feed_notices(self, process: subprocess.Popen[bytes]) -> None:
        told: Notice | None = None
        while True:
            notice = self._notice()
            if notice != told:
                line = codec.encode({"txt": notice.to_txt()}) + b"\n"
                with contextlib.suppress(OSError):  # The process has ended; handled elsewhere.
                    await asyncio.to_thread(processes.write_line, process, line)
                told = notice
            await asyncio.sleep(EVERY)

    def _log_trouble(self, trouble: str) -> None:
        if trouble and not self._trouble:
            LOG.warning(event_line("not-announced", why=trouble, what="others can type the address"))
        elif self._trouble and not trouble:
            LOG.warning("event=announced")
        self._trouble = trouble
