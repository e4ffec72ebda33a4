"""The bots' processes: several run at once, and none stops a table."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cave import games, processes
from cave.game import Json
from server.tables import bot_process, bots
from server.tables.bot_process import SECONDS
from server.tables.bots import BotPool
from server.tables.effects import AskBot, AskWhetherLost

GAME = next(iter(games.game_names()))
WEAKEST = next(iter(games.game_info(GAME).bots))
PROGRAM = """
import json, os, pathlib, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] == "lost":
        print({"yes": "true", "no": "false", "fails": "null"}.get(asked["view"]) or os._exit(1), flush=True)
        continue
    seen = pathlib.Path(__file__).with_name(asked["seed"])
    first = not seen.exists()
    seen.touch()
    if asked["level"] == "endless":
        time.sleep(10**6)
    if asked["level"] == "dead" or asked["level"] == "dies once" and first:
        os._exit(1)
    if asked["level"] == "greedy":
        bytearray(4 * 2**30)
    if asked["level"] == "waits for another":
        while not seen.with_name(asked["view"]).exists():
            time.sleep(0.01)
    answer = None if asked["level"] == "fails" else [asked["level"], os.getpid()]
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
async def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BotPool]:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setattr(bots, "PROGRAM", str(program))
    pool = BotPool(2, patience=60.0)
    yield pool
    await pool.close()


def request(level: str, seed: str = "seed", view: Json = None) -> AskBot:
    return AskBot("table", 0, 1, GAME, level, view, [], seed)


async def test_two_bots_think_at_once(pool: BotPool) -> None:
    """Each waits for the other to have begun."""
    asked = [request("waits for another", "one", "two"), request("waits for another", "two", "one")]
    one, two = await asyncio.gather(*map(pool.choose_action, asked))
    assert one[1] != two[1]


async def test_no_more_processes_start_than_are_needed(pool: BotPool) -> None:
    answers = [await pool.choose_action(request("any", str(number))) for number in range(4)]
    assert len({process for _, process in answers}) == 1


async def test_a_process_that_dies_is_restarted_for_the_same_question(pool: BotPool) -> None:
    assert (await pool.choose_action(request("dies once")))[0] == "dies once"


@pytest.mark.parametrize(("level", "starts"), [("dead", 3), ("greedy", 3), ("fails", 1)])
async def test_the_weakest_level_replaces_one_that_fails(
    pool: BotPool, level: str, starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies is restarted once for the same question."""
    started = []
    start = processes.start_child
    monkeypatch.setattr(bots, "start_child", lambda *its, **more: started.append(its) or start(*its, **more))
    assert (await pool.choose_action(request(level)))[0] == WEAKEST
    assert len(started) == starts


FAILURES = 2 * len(bots.PAUSES)


class Waited(tuple[float, ...]):
    """Pauses that record the requested ones."""

    numbers: list[Any]

    def __getitem__(self, number: Any) -> Any:
        self.__dict__.setdefault("numbers", []).append(number)
        return super().__getitem__(number)


async def test_a_question_that_could_not_be_sent_is_retried(
    pool: BotPool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """For a while no process can be started, as when the system has too many. The pauses become longer."""
    monkeypatch.setattr(bots, "PAUSES", waited := Waited((0.0, 0.001, 0.002)))
    start, left = processes.start_child, [*range(FAILURES)]

    def scarce(*given: Any, **more: Any) -> Any:
        if left:
            left.pop()
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return start(*given, **more)

    monkeypatch.setattr(bots, "start_child", scarce)
    assert (await pool.choose_action(request("any")))[0] == "any"
    assert not left
    assert waited.numbers == [0, 1] + [2] * (FAILURES - 2)
    (told,) = [line for line in caplog.messages if "bot-waits" in line]
    assert os.strerror(errno.EAGAIN) in told


async def test_a_bot_without_a_thread_is_retried(pool: BotPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor can the process that would end it; an unanswered question never gets the next one's answer."""
    monkeypatch.setattr(bots, "PAUSES", (0.0, 0.001))
    start, left = threading.Thread.start, [*range(FAILURES)]

    def scarce(thread: threading.Thread) -> None:
        if left:
            left.pop()
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", scarce)
    first: Any = await pool.choose_action(request("any", "one"))
    assert not left
    second: Any = await pool.choose_action(request("dies once", "two"))
    assert (first[0], second[0]) == ("any", "dies once")


def test_output_of_a_game_is_not_read_as_an_answer() -> None:
    """The host reads only the answers."""
    program = f"""
import runpy, sys
from cave import bots
bots.choose = lambda: print("loud") or "chosen"
runpy.run_path({bots.PROGRAM!r}, run_name="__main__")
"""
    process = processes.start_child([sys.executable, "-c", program])
    processes.write_line(process, b'{"ask": "action"}\n')
    assert processes.read_line(process) == b'"chosen"\n'
    processes.end_child(process)


async def test_a_level_that_takes_too_long_is_stopped_and_the_weakest_chooses(pool: BotPool) -> None:
    for process in pool.processes:
        process.patience = 0.5
    slow: Any = asyncio.create_task(pool.choose_action(request("endless", "slow")))
    quick: Any = await pool.choose_action(request("any", "quick"))
    assert quick[0] == "any"
    assert (await slow)[0] in (WEAKEST, None)


@pytest.mark.parametrize(("view", "lost"), [("yes", True), ("no", False), ("fails", False), ("dies", False)])
async def test_a_bot_counts_as_lost_only_if_its_process_says_so(pool: BotPool, view: str, lost: bool) -> None:
    for _ in range(3):  # a process that has answered is free again
        assert await pool.is_lost(AskWhetherLost("table", 0, GAME, view)) is lost
    assert (await pool.choose_action(request("any")))[0] == "any"


async def test_a_pool_that_is_closed_leaves_no_process(pool: BotPool) -> None:
    await pool.choose_action(request("any"))
    (started,) = (each.process for each in pool.processes if each.process is not None)
    endless = asyncio.create_task(pool.choose_action(request("endless")))
    await asyncio.sleep(0)
    await pool.close()
    assert started.poll() is not None
    assert await endless is None
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.threads.submit(int)
    assert all(each.process is None for each in pool.processes)


@pytest.mark.parametrize(("seconds", "enough"), [(SECONDS, False), (SECONDS + 0.5, True)])
def test_a_lost_bot_is_found_in_time(seconds: float, enough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.0 + seconds])
    monkeypatch.setattr(bot_process.time, "process_time", lambda: next(times))
    monkeypatch.setattr(bot_process.bots, "is_lost", lambda *asked: asked[-1]())
    assert bot_process.is_lost(GAME, {}) is enough


def test_a_process_of_bots_exits_at_once_when_its_input_closes() -> None:
    """Even while a bot is choosing."""
    code = "import cave.processes as p, signal; p.answer_lines(lambda _: print('here') or signal.pause())"
    child = processes.start_child([sys.executable, "-c", code])
    processes.write_line(child, b"{}\n")
    child.stdin.close()
    assert child.wait() == 0
    assert processes.read_line(child) == b"", "what a game prints is no answer"
