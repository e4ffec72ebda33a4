"""Announcing a host in the local network, from a process of its own.

What comes in by multicast is anybody's. It is read in another process, which has neither the host's key
nor its event loop: no flood of it slows a game down, and when the host is killed its announcement is
withdrawn all the same, because the other process sees its standard input end.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from pathlib import Path

from cave import codec
from cave.game import BadData
from cave.lan import Notice
from server.logs import event

LOG = logging.getLogger("cave.announce")

EVERY = 1.0
"""Seconds between two looks at what there is to announce."""
AGAIN = 30.0
"""Seconds after which a process that ended is started anew."""
FAREWELL = 2.0
"""Seconds given to the process to withdraw the announcement."""
UNREAD = 64 * 1024
"""Bytes that may wait for a process that does not read."""


class Announcer:
    """Keeps announcing what ``notice`` gives, for a host that listens at the address ``listening`` and
    this ``port``; with addresses in ``only`` just there. Nothing that goes wrong here reaches the host.
    """

    def __init__(
        self, notice: Callable[[], Notice], listening: str, port: int, only: Sequence[str] = ()
    ) -> None:
        self._notice = notice
        program = Path(__file__).resolve().with_name("mdns.py")
        self._argv = [sys.executable, str(program), listening, str(port), *only]
        self._process: Process | None = None
        self._trouble = ""
        self._work = asyncio.create_task(self._announce())

    async def close(self) -> None:
        """Withdraw the announcement."""
        self._work.cancel()
        await asyncio.wait([self._work])

    async def _announce(self) -> None:
        while True:
            try:
                await self._run()
            except OSError as error:
                self._tell(error.strerror or str(error))
            await asyncio.sleep(AGAIN)

    async def _run(self) -> None:
        """One life of the other process."""
        process = await asyncio.create_subprocess_exec(
            *self._argv, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        feeding = asyncio.create_task(self._feed(process))
        try:
            assert process.stdout is not None
            while line := await process.stdout.readline():
                with contextlib.suppress(BadData, TypeError, KeyError):
                    self._tell(str(codec.decode(line)["trouble"]))
            self._tell("the process for it has ended")
        except ValueError:
            self._tell("the process for it talks nonsense")
        finally:
            feeding.cancel()
            await _end(process)

    async def _feed(self, process: Process) -> None:
        assert process.stdin is not None
        told: Notice | None = None
        while True:
            notice = self._notice()
            if notice != told and process.stdin.transport.get_write_buffer_size() < UNREAD:
                process.stdin.write(codec.encode({"txt": notice.to_txt()}) + b"\n")
                told = notice
            await asyncio.sleep(EVERY)

    def _tell(self, trouble: str) -> None:
        if trouble and not self._trouble:
            LOG.warning(event("not-announced", why=trouble, what="others can type the address"))
        elif self._trouble and not trouble:
            LOG.warning("event=announced")
        self._trouble = trouble


async def _end(process: Process) -> None:
    """Close its standard input, which ends it; what does not end is killed."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(FAREWELL):
            await process.wait()
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
