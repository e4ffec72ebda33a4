"""Running a host as a process: options, signals, exit status."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import gc
import getpass
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from cave import codec
from cave.game import Json
from cave.protocol import DEFAULT_PORT
from server.host import Host, HostError, Options
from server.house import House
from server.limits import Limits

Ready = Callable[[dict[str, Json]], None]


def run_host(
    options: Options,
    *,
    name: str = "",
    limits: Limits | None = None,
    ready: Ready | None = None,
    with_parent: bool = False,
) -> int:
    """Run a host until it is told to stop; returns the exit status.

    ``ready`` is called with the door's line when clients can come; without it the line is printed.
    SIGINT and SIGTERM stop the host, and ``with_parent`` also the end of standard input. What
    prevents it from running is said in one sentence on standard error; the status is then 2.
    """
    house = House(
        name or _usual_name(),
        random_text=lambda: secrets.token_hex(16),
        stamp=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        limits=limits,
    )
    # Waiting for standard input holds a lock that a normal exit would wait for: read the number.
    stdin = os.fdopen(os.dup(0), "rb", buffering=0) if with_parent else None
    try:
        return asyncio.run(_run(house, options, ready or _print_line, stdin))
    except KeyboardInterrupt:
        return 0


async def _run(house: House, options: Options, ready: Ready, stdin: BinaryIO | None) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        host = Host(house, options)
        line = await host.open()
    except HostError as error:
        print(error, file=sys.stderr)
        return 2
    # What is loaded now stays: the collector need not look through it again and again.
    gc.collect()
    gc.freeze()
    try:
        ready(line)
        if stdin is not None:
            threading.Thread(target=_wait_for_end, args=(stdin, loop, stop), daemon=True).start()
        await host.serve(stop)
    finally:
        await host.close()
    return 0


def _wait_for_end(stdin: BinaryIO, loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    with contextlib.suppress(OSError):
        while stdin.read(4096):
            pass
    with contextlib.suppress(RuntimeError):  # The loop is closed: the host has stopped already.
        loop.call_soon_threadsafe(stop.set)


def _print_line(line: dict[str, Json]) -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(codec.encode(line) + b"\n")
        sys.stdout.flush()


def _usual_name() -> str:
    try:
        return f"{getpass.getuser()}'s host"
    except (KeyError, OSError):
        return "Cave host"


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m server``: run a host; returns the exit status."""
    parser = argparse.ArgumentParser("server", description="Host cave games.")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="first of three ports; 0: any")
    parser.add_argument("--bind", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--name", default="", help="name shown to others")
    parser.add_argument("--records", type=Path, help="folder for the records of finished games")
    parser.add_argument("--bot-pause", type=float, default=0.0, help="seconds a bot takes at least")
    parser.add_argument("--rate", type=float, default=Limits().rate, help="messages a second per client")
    parser.add_argument("--burst", type=float, default=Limits().burst, help="messages at once per client")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input ends")
    given = parser.parse_args(arguments)
    options = Options(given.port, given.bind, given.records, max(0.0, given.bot_pause))
    limits = Limits(rate=given.rate, burst=given.burst)
    return run_host(options, name=given.name, limits=limits, with_parent=given.with_parent)
