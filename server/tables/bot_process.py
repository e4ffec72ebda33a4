"""The process in which bots choose: one line of JSON in for each request, one line with the action out.

It exits when its input closes, even while a bot is choosing.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from pathlib import Path

if not __package__:
    # The host starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from cave import bots, codec
from cave.game import Json


def choose(question: Json) -> Json:
    """Return the bot's action; None if the bot fails, and the host then picks one."""
    try:
        return bots.choose(**question)
    except Exception:
        return None


def main() -> None:
    """Answer requests until the host is gone."""
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            questions.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        answer = choose(codec.decode(questions.get()))
        sys.stdout.buffer.write(codec.encode(answer) + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
