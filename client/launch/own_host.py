"""A local host: a child process that lives as long as the game. It may read the key of its only client,
writes a line of JSON when ready, and exits when its input is closed. Imports almost nothing, to start early.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from subprocess import PIPE
from typing import Any

from cave.processes import start_child
from client import system

BOT_PAUSE = 0.3  # least seconds for a bot's move: instant moves cannot be followed
PATIENCE = 15.0  # seconds for a local host to get ready
LONGEST = 1 << 20  # bytes of the line that it writes
LEISURE = 3.0  # seconds to exit before it is killed


class HostFailed(ConnectionError):
    """The local host could not start; the message is one sentence."""


class OwnHost:
    """A running child process, started at once. Raises HostFailed if the command cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._ready = False
        try:
            self.process = start_child(command, stderr=PIPE)
        except OSError as error:
            raise HostFailed(f"The game's host could not be started: {error.strerror}.") from None

    async def wait_for_door(self, key: str = "") -> dict[str, Any]:
        """Send the key and wait until it is ready; raises HostFailed, and the process exits. Call it once."""
        import asyncio

        from cave import codec
        from cave.game import BadData

        try:
            self._send_line(key)
            async with asyncio.timeout(PATIENCE):
                door = codec.decode(await self._first_line())
            if not isinstance(door, dict) or not isinstance(door.get("port"), int):
                raise HostFailed("The game's host sent an unknown message. Install the same version of both.")
        except TimeoutError:
            await self.end()
            raise HostFailed("The game's host did not start in time. Try again.") from None
        except (BadData, ValueError):
            await self._stop_process()
            last = self._last_words()
            await self.end()
            raise HostFailed(last or "The game's host could not be started.") from None
        except BaseException:
            await self.end()
            raise
        self._ready = True
        self._command += ("--port", str(door["port"]))
        return door

    def restart_host(self) -> OwnHost:
        """Start it again, on the same ports once it was ready; raises HostFailed."""
        return OwnHost(self._command)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def wait(self) -> int:
        await _do_in_thread(self.process.wait)
        return self.process.wait()

    async def wait_until_gone(self) -> None:
        """Wait until its children have exited, too: they have its ports, files and standard error open."""
        import asyncio

        await self.wait()
        assert self.process.stderr is not None
        errors = os.fdopen(os.dup(self.process.stderr.fileno()), "rb", buffering=0)

        def read() -> None:
            with contextlib.suppress(OSError), errors:
                while errors.read(LONGEST):
                    pass

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEISURE):
                await _do_in_thread(read)

    async def end(self) -> None:
        """End it, and close its pipes. Never raises."""
        await self._stop_process()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    async def _stop_process(self) -> None:
        """Close its input, so that it exits; kill it if it does not."""
        import asyncio

        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        if not self._ready:
            # It may not read its input for a while, and it has no game yet.
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
        try:
            async with asyncio.timeout(LEISURE):
                await self.wait()
        except TimeoutError:
            self.kill()
            await self.wait()

    def _send_line(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it has exited, and its error output says why
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()

    async def _first_line(self) -> bytes:
        import asyncio

        assert self.process.stdout is not None
        # A thread works on every system. It ends at the latest when the process exits.
        line = await asyncio.to_thread(self.process.stdout.readline, LONGEST)
        self.process.stdout.close()
        return line

    def _last_words(self) -> str:
        """Return the last line of its error output, once it has exited."""
        assert self.process.stderr is not None
        # Other processes may have the other end open: do not wait for EOF.
        system.make_non_blocking(self.process.stderr.fileno())
        lines = (self.process.stderr.read() or b"").decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""


async def _do_in_thread(work: Callable[[], object]) -> None:
    """Do work in a thread. Unlike an executor's, it does not delay the exit of the program."""
    import asyncio

    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def whole() -> None:
        work()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=whole, daemon=True).start()
    await done.wait()
