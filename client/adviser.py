"""The adviser process: computes hints and the tutor's warnings. Run as a program, this file reads lines of
JSON and answers each with a line of ideas. It sees the view of one seat, and ends when its input closes.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import process_time
from typing import Any

if not __package__:
    # The screen starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import msgspec

from cave import games
from cave.game import Idea, Json
from cave.processes import answer_lines, end_child, exchange_lines, start_child
from client.table import TableState

PROGRAM = str(Path(__file__).resolve())
PATIENCE = 20.0
"""Seconds to wait for an answer on a busy machine. The process limits its own CPU time."""


class Question(msgspec.Struct, frozen=True):
    """A seat's view and choices, in their public forms; ``also`` are actions to compare with the best."""

    game: str
    view: Json
    choices: list[Json]
    also: list[Json] = []


Advise = Callable[[Question], Awaitable[list[Idea] | None]]


def make_question(state: TableState, seat: int, also: Sequence[Json] = ()) -> Question:
    """Return the question of a seat from its own view; actions in ``also`` have the same form as ideas."""
    game = state.game
    return Question(
        game.name,
        game.view_json(state.views[seat]),
        [game.choice_json(choice) for choice in state.choices[seat]],
        [game.action_json(game.action_from_json(action)) for action in also],
    )


class HelperProcess:
    """A child process that answers lines of JSON. It starts on first use. ``patience`` is in seconds."""

    def __init__(self, program: str, patience: float | None = None) -> None:
        self._program = program
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._turn = asyncio.Lock()

    async def ask(self, asked: object, answer: Any) -> Any:
        """Return the answer, decoded as this type; None if the process fails or takes too long."""
        line = msgspec.json.encode(asked) + b"\n"
        async with self._turn:
            try:
                async with asyncio.timeout(self._patience):
                    return msgspec.json.decode(await self._exchange_line(line), type=answer)
            except (TimeoutError, OSError, ValueError):
                pass
            except asyncio.CancelledError:
                # A late answer must not be taken for the next one.
                await self._end_process()
                raise
            await self._end_process()
        return None

    async def close(self) -> None:
        """End the process. A pending question is dropped."""
        await self._end_process()
        if self._threads is not None:
            self._threads.shutdown(wait=False)

    async def _exchange_line(self, line: bytes) -> bytes:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, "advice")
        if self._process is None:
            self._process = start_child([sys.executable, self._program])
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, exchange_lines, self._process, line, -1)

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()  # Now: a second cancellation can come before a thread is free.
            await asyncio.to_thread(end_child, process)


class Adviser(HelperProcess):
    """The adviser process of a table."""

    def __init__(self) -> None:
        super().__init__(PROGRAM, PATIENCE)

    async def advise(self, asked: Question) -> list[Idea] | None:
        """Return the ideas, best first; None if the process fails or takes too long."""
        found: list[Idea] | None = await self.ask(asked, list[Idea] | None)
        return found


LONGEST = 2.0
"""CPU seconds for a question. Only a guard: the effort is a number of playouts."""


def answer_question(line: bytes) -> Json:
    """Return the ideas as JSON, best first; None if the game fails. The tutor gets more effort."""
    from cave import judge  # The screen's process does not need it.

    question = msgspec.json.decode(line)
    until = process_time() + LONGEST
    game = games.game_info(question.pop("game"))

    def ask(effort: float) -> list[Idea]:
        return game.advise(**question, stop=lambda: process_time() > until, effort=effort)

    try:
        action = next(iter(question["also"]), None)
        return msgspec.to_builtins(judge.repeat_until_sure(ask, action, game.blunder))
    except Exception:
        return None


if __name__ == "__main__":
    answer_lines(answer_question)
