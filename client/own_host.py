"""A host of our own: a child process that lives as long as the game.

All that is known of it here is how it talks: it writes one line of JSON when it is ready, and it ends
when its input is closed. Loads next to nothing, so that it can be started before anything else is.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence
from typing import Any

PATIENCE = 15.0
"""Seconds a host of our own may take to be ready."""
LEISURE = 3.0
"""Seconds it may take to end before it is killed."""


class HostFailed(ConnectionError):
    """The host of our own could not start; one sentence."""


class OwnHost:
    """A running child; made at once. Raises HostFailed where the command can not be started."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise HostFailed(f"The game's host could not be started: {error.strerror}.") from None

    async def door(self) -> dict[str, Any]:
        """What it says when it is ready; raises HostFailed. To be asked once."""
        import asyncio

        from cave import codec
        from cave.game import BadData

        assert self._process.stdout is not None
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._process.stdout
        )
        try:
            async with asyncio.timeout(PATIENCE):
                line = await reader.readline()
            door = codec.decode(line)
        except TimeoutError:
            raise HostFailed("The game's host did not become ready; please try again.") from None
        except (BadData, ValueError):
            last = await asyncio.to_thread(self._last_words)
            raise HostFailed(last or "The game's host could not be started.") from None
        if not isinstance(door, dict) or not isinstance(door.get("port"), int):
            raise HostFailed("The game's host said something unknown; is it of this version?")
        return door

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def wait(self) -> int:
        """Wait for its end; the exit status."""
        import asyncio

        return await asyncio.to_thread(self._process.wait)

    async def end(self) -> None:
        """Close its input, which ends it; one that does not end is killed. Never raises."""
        import asyncio

        self._close_input()
        waiting = asyncio.ensure_future(self.wait())
        await asyncio.wait([waiting], timeout=LEISURE)
        if not waiting.done():
            self.kill()
        await waiting
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _last_words(self) -> str:
        """The last line it wrote about what went wrong."""
        assert self._process.stderr is not None
        self._close_input()
        lines = self._process.stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""
