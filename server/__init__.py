"""The host: tables and clients without I/O (``service``), the sockets (``host``), and how to start one."""

from __future__ import annotations

import sys
from pathlib import Path

LOCAL = "127.0.0.1"
LOCAL_RATE = 10_000


def local_command(*, bind: str = LOCAL, port: int = 0, **options: str | float | Path | None) -> list[str]:
    """Return the command line of a host: by default for this machine only and on free ports. ``options`` are
    fields of ``server.options.Options``; empty ones are skipped.

    Start it with pipes for standard input and output. It prints the door's line as soon as clients can
    connect. If it cannot run, it prints one sentence to standard error instead, and the status is 2. It stops
    when its standard input closes, so it never outlives its parent. With ``only_parent`` write a line with a
    client's key to its standard input first: nobody else on this machine can connect.
    """
    program = Path(__file__).resolve().with_name("__main__.py")
    argv = [sys.executable, str(program), "--port", str(port), "--bind", bind, "--with-parent"]
    argv += ["--limit", "expire=0"]
    if bind == LOCAL:
        argv += ["--limit", f"rate={LOCAL_RATE}", "--limit", f"burst={LOCAL_RATE}"]
    for name, value in options.items():
        if value:
            text = str(value.resolve() if isinstance(value, Path) else value)
            argv += [f"--{name.replace('_', '-')}", *([] if value is True else [text])]
    return argv
