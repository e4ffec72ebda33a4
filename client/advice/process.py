"""The process that thinks of what to do: one line of JSON in for each question, one line with ideas out.

It knows what the question tells: the view of one seat. It ends when its input closes, even while it thinks.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import process_time

if not __package__:
    # The program starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec

from cave import games, judge
from cave.game import Idea, Json

LONGEST = 2.0
"""Seconds of the processor for a question. It is a guard: how much is thought is a number of playouts."""


def serve(answer: Callable[[bytes], object]) -> None:
    """Answer lines until the program is gone."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        sys.stdout.buffer.write(msgspec.json.encode(answer(lines.get())) + b"\n")
        sys.stdout.flush()


def advise(line: bytes) -> Json:
    """Return the ideas as JSON, the best first; None where the game fails. Where the tutor asks about an
    action, more effort is made to be sure whether it loses much.
    """
    question = msgspec.json.decode(line)
    until = process_time() + LONGEST
    game = games.info(question.pop("game"))

    def ask(effort: float) -> list[Idea]:
        return game.advise(**question, stop=lambda: process_time() > until, effort=effort)

    try:
        action = next(iter(question["also"]), None)
        return msgspec.to_builtins(judge.until_sure(ask, action, game.blunder))
    except Exception:
        return None


if __name__ == "__main__":
    serve(advise)
