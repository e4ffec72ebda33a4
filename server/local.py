"""The command line of a host for a local game. Imports nothing heavy."""

from __future__ import annotations

import sys
from pathlib import Path

LOCAL = "127.0.0.1"
LOCAL_RATE = 10_000


def command(
    *,
    records: Path | None = None,
    data: Path | None = None,
    tidy: bool = False,
    keys: Path | None = None,
    bind: str = LOCAL,
    port: int = 0,
    bot_pause: float = 0.0,
    name: str = "",
    announce: bool = False,
    only_parent: bool = False,
) -> list[str]:
    """Return the command line of a host for this machine only, unless ``bind`` says otherwise, and on free
    ports unless a ``port`` is given.

    Start it with pipes for standard input and output. It prints the door's line as soon as clients can
    connect. If it cannot run, it prints one sentence to standard error instead, and the status is 2. It stops
    when its standard input closes, so it never outlives its parent. With a folder ``data`` of its own,
    another host of that folder can continue an unfinished game; with ``tidy`` the folder is deleted if there
    is none. With ``announce`` it is announced on the local network if others can reach it. It encrypts with
    the key in the folder ``keys``, or with a new key if there is no folder. With ``only_parent`` write a line
    with a client's key to its standard input first: nobody else on this machine can connect.
    """
    program = Path(__file__).resolve().with_name("__main__.py")
    argv = [sys.executable, str(program), "--port", str(port), "--bind", bind, "--with-parent"]
    argv += ["--limit", "expire=0"]
    if bind == LOCAL:
        argv += ["--limit", f"rate={LOCAL_RATE}", "--limit", f"burst={LOCAL_RATE}"]
    if keys is not None:
        argv += ["--keys", str(keys.resolve())]
    if records is not None:
        argv += ["--records", str(records.resolve())]
    if data is not None:
        argv += ["--data", str(data.resolve()), *(["--tidy"] if tidy else [])]
    if bot_pause:
        argv += ["--bot-pause", str(bot_pause)]
    if announce:
        argv.append("--announce")
    if only_parent:
        argv.append("--only-parent")
    if name:
        argv += ["--name", name]
    return argv
