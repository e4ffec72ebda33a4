"""The process in which bots choose: a line of JSON in for each thought, a line with the action out.

It ends with its input, also in the middle of a thought.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from pathlib import Path

if not __package__:
    # Started by path, as the host does: the packages lie beside this one's folder.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from cave import bots, codec
from cave.game import Json


def choose(question: Json) -> Json:
    """The action of the bot that is asked; None where it stumbles: the game goes on without its word."""
    try:
        return bots.choose(**question)
    except Exception:
        return None


def main() -> None:
    """Answer until the host is gone."""
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
