"""The process in which bots choose: JSON lines in and out, until its input closes, even during a choice."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

if not __package__:
    # The host starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from cave import bots, codec
from cave.game import Json

SECONDS = 5.0  # CPU time for finding out whether a bot is lost: its next choice must not wait long


def is_lost(game: str, view: Json) -> bool:
    begun = time.process_time()
    return bots.is_lost(game, view, lambda: time.process_time() - begun > SECONDS)


ANSWERS: dict[str, Callable[..., Json]] = {"action": bots.choose, "lost": is_lost}


def answer(question: Json) -> Json:
    """Return the bot's action, or whether it is lost; None if the bot fails, and the host must act for it."""
    try:
        return ANSWERS[question.pop("ask")](**question)
    except Exception:
        return None


def main(answers: BinaryIO) -> None:
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            questions.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        answers.write(codec.encode(answer(codec.decode(questions.get()))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    # A game that prints must not answer for its bot.
    with os.fdopen(os.dup(1), "wb") as stdout:
        os.dup2(2, 1)
        main(stdout)
