"""A local host: its ready line, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest

from client.launch.own_host import HostFailed, OwnHost

WAITS = "import sys; print({line!r}, flush=True); sys.stdin.read(); sys.exit(7)"
"""Prints this, and exits as soon as its input is closed."""


def saying(line: str) -> OwnHost:
    return OwnHost([sys.executable, "-c", WAITS.format(line=line)])


@pytest.mark.parametrize("line", ["null", "7", '"port"', "[7411]", "{}", '{"port": null}', '{"port": "7411"}'])
async def test_a_process_that_prints_no_port_is_not_our_host(line: str) -> None:
    host = saying(line)
    with pytest.raises(HostFailed, match=r"^The game's host sent an unknown message\. Install the same"):
        await host.wait_for_door()
    assert not host.alive


async def test_a_host_that_is_ready_ends_by_itself_when_its_input_is_closed() -> None:
    host = saying('{"port": 7411, "public_key": "x"}')
    assert await host.wait_for_door() == {"port": 7411, "public_key": "x"}
    assert host.alive, "it lives as long as the game"
    await host.end()
    assert await host.wait() == 7, "nobody ended it: it saved its game first"


async def test_a_host_that_is_not_ready_is_terminated() -> None:
    host = OwnHost([sys.executable, "-c", "import signal; print('what?', flush=True); signal.pause()"])
    with pytest.raises(HostFailed, match=r"^The game's host could not be started\.$"):
        await host.wait_for_door()
    assert await host.wait() == -signal.SIGTERM


async def test_the_last_line_of_the_error_is_reported() -> None:
    complaint = r"import sys; sys.exit('Traceback\n  more\nThe port is taken.\n')"
    with pytest.raises(HostFailed, match=r"^The port is taken\.$"):
        await OwnHost([sys.executable, "-c", complaint]).wait_for_door()


async def test_a_host_counts_as_ended_only_with_its_child_processes() -> None:
    """One of them may still have the game's file open: a restarted host would not get it."""
    host = OwnHost(["sh", "-c", """sleep 999 & echo "{\\"port\\": $!}"; wait"""])
    child = (await host.wait_for_door())["port"]
    gone = asyncio.create_task(host.wait_until_gone())
    host.kill()
    await host.wait()
    assert not gone.done()
    os.kill(child, signal.SIGKILL)
    await gone
    await host.end()
