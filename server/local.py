"""How to start a host for a local game as a child process. Imports nothing heavy."""

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
) -> list[str]:
    """The command line of a host of this machine only, unless ``bind`` says otherwise, and on free ports
    unless a ``port`` is given.

    Start it with pipes for standard input and output. It prints the door's line as soon as it can be
    reached (nothing if it cannot run: then one sentence is on standard error and the status is 2),
    and it stops when its standard input is closed, so it never outlives the one who started it. With
    a folder ``data`` of its own an unfinished game can be played on by another host of that folder;
    with ``tidy`` the folder goes when there is none.
    With ``announce`` the local network is told of it where others can reach it.
    It encrypts, with the key kept in the folder ``keys``, or without one with a new key.
    """
    program = Path(__file__).resolve().with_name("__main__.py")
    argv = [sys.executable, str(program), "--port", str(port), "--bind", bind, "--with-parent"]
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
    if name:
        argv += ["--name", name]
    return argv
