"""The process in which bots choose: JSON lines in and out, until its input closes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

if not __package__:
    # The host starts this file by its path, so add the packages to the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from cave import bots, codec
from cave.game import Json
from cave.processes import answer_lines

SECONDS = 5.0  # CPU time to find out whether a bot is lost: its next choice must not wait long


def is_lost(game: str, view: Json) -> bool:
    begun = time.process_time()
    return bots.is_lost(game, view, lambda: time.process_time() - begun > SECONDS)


ANSWERS: dict[str, Callable[..., Json]] = {"action": bots.choose, "lost": is_lost}


def answer_request(line: bytes) -> Json:
    """Return the bot's action, or whether it is lost; None if the bot fails."""
    try:
        question = codec.decode(line)
        return ANSWERS[question.pop("ask")](**question)
    except Exception:
        return None


if __name__ == "__main__":
    answer_lines(answer_request)
