"""Resuming a game that another terminal of this machine has open: the game, or one clear sentence."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from client.commands import saved, screens
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.new_game import GameOptions
from client.net.known_hosts import Keys
from tests.client.test_terminal import CAVE
from tests.processes import serving
from tests.server.kit import OTHER_PACK, PACK, position
from tests.terminal import Terminal


def launcher(home: Path) -> Launcher:
    return Launcher(screens.host_command, home / "records", Keys(home), find=screens.find_game)


async def begun(home: Path) -> tuple[Launcher, Any]:
    """A local game of two; the first has packed."""
    launched = launcher(home)
    session: Any = (await launched.play(new_game.make_plan(["Ann", "Bea"]))).session
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq == 2)
    return launched, session


async def test_a_game_in_another_terminal_is_taken_over_only_on_request(home: Path) -> None:
    one, before = await begun(home)
    other = launcher(home)
    assert other.seats.last_game() == (), "it is not offered"
    after: Any = (await other.resume(saved.find_unfinished_game())).session
    for taking, losing in ((after, before), (before, after)):
        assert (taking.state.my_seats, taking.state.taken) == ((), (0, 1))
        assert losing.state.my_seats == (0, 1)
        await taking.take_back()
        # The host reports the seats one by one.
        await losing.wait_for_state(lambda state: len(state.taken) == 2)
    await other.leave()
    await one.leave()


async def test_a_series_resumes_after_a_terminal_was_killed_between_games(home: Path) -> None:
    one = launcher(home)
    options = GameOptions(position={**position(), "turns_left": 1}, best_of=3)
    plan = new_game.make_plan(["Ann", "Bea"], options=options)
    session: Any = (await one.play(plan)).session
    await session.propose(0, "resign")  # before any action
    table = (await session.wait_for_state(lambda state: state.ended)).table
    assert one.host is not None
    await one.host.end()
    other = launcher(home)
    before: Any = (await other.resume(saved.find_unfinished_game())).session
    assert (before.state.table, before.state.ended) == (table, True)
    after: Any = (await other.rematch()).session
    assert (after.state.series.game, after.state.my_seats) == (2, (0, 1))
    assert table not in [held.table for held in other.seats.last_game()]
    await other.leave()


async def test_a_host_ended_by_another_terminal_is_reported_and_can_be_resumed(home: Path) -> None:
    one, _ = await begun(home)
    other = launcher(home)
    played: Any = (await other.resume(saved.find_unfinished_game())).session
    await played.take_back()
    await one.leave()
    state = await played.wait_for_state(lambda state: state.closed == "left")
    assert "cave resume" in await other.leave()
    again: Any = (await other.resume(await other.find(state.table))).session
    assert again.state.my_seats == (0, 1)
    await again.act(1, OTHER_PACK)
    await other.leave()


async def test_two_terminals_that_resume_at_once_both_get_the_game(home: Path) -> None:
    one, _ = await begun(home)
    await one.leave()
    # Both have found that no host has it open.
    both = [(launcher(home), saved.find_unfinished_game()) for _ in range(2)]
    assert all(wanted.command for _, wanted in both)
    played = await asyncio.gather(*(each.resume(wanted) for each, wanted in both))
    (first, second) = (each.session for each in played)
    seated: Any
    lost: Any
    seated, lost = (first, second) if first.state.my_seats == (0, 1) else (second, first)
    assert (seated.state.seq, seated.state.my_seats) == (2, (0, 1))
    await lost.wait_for_state(lambda state: not state.my_seats)
    for each, _ in both:
        await each.leave()


async def test_open_seats_of_a_game_elsewhere_stay_open(home: Path) -> None:
    """Its seats are saved as those of a game on this machine, whichever host it was last on."""
    one = launcher(home)
    played = await one.play(new_game.make_plan(["Ann"], ("rookie",), 1))
    session: Any = played.session
    guest = launcher(home.parent / "guest")
    port = played.address.rpartition(":")[2]
    await guest.join(f"127.0.0.1:{port}", session.state.table, ["Bea"])
    await session.wait_for_state(lambda state: state.status == "playing")
    await session.act(0, PACK)
    await session.wait_for_state(lambda state: state.seq >= 2)
    other = launcher(home)
    await other.resume(saved.find_unfinished_game())
    for each in (one, other):
        await each.leave()
    wanted = saved.find_unfinished_game()
    assert wanted.command[wanted.command.index("--port") + 1] == port
    await guest.leave()


async def test_a_terminal_that_does_not_answer_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await begun(home)
    number = serving(one.host.process.pid)
    os.kill(number, signal.SIGSTOP)
    try:
        wanted = saved.find_unfinished_game()
        assert wanted.address
        monkeypatch.setattr("client.launch.join_table.SHARING", 0.5)
        other = launcher(home)
        with pytest.raises(ConnectionError, match=f"has the game {wanted.table} open and does not answer"):
            await other.resume(wanted)
        assert (other.host, other.connection) == (None, None)
    finally:
        os.kill(number, signal.SIGCONT)
    await one.leave()


async def test_an_open_game_with_unknown_seats_is_named(home: Path) -> None:
    one, session = await begun(home)
    one.seats.forget(session.state.table)
    with pytest.raises(ConnectionError, match="Quit it there, then type: cave resume"):
        saved.find_unfinished_game(session.state.table)
    await one.leave()


@pytest.mark.needs("tmux")
def test_real_terminals_take_a_game_over_from_each_other(tmp_path: Path) -> None:
    terminals = [Terminal([CAVE, "play", "-p", "Ann", "--bot", "rookie"], tmp_path)]
    try:
        terminals[0].wait_for("Pack and go")
        terminals[0].keys("Enter")
        terminals[0].wait_for("YOUR TURN  A Ann")
        for _ in range(3):
            terminals.append(Terminal([CAVE, "resume"], tmp_path))
            terminals[-1].wait_for("Another terminal plays for Ann now")
            terminals[-1].keys("B")
            terminals[-1].wait_for("YOUR TURN  A Ann")
            terminals[-2].wait_for("Another terminal plays for Ann now")
        terminals[0].keys("q")
        terminals[0].wait_for("Leave the table?")
        terminals[0].keys("q")
        terminals[0].wait_for("ended with 0")
        terminals[-1].wait_for("then type: cave resume")
        terminals[-1].keys("q")
        terminals[-1].wait_for("Leave the table?")
        terminals[-1].keys("m")
        terminals[-1].wait_for("Go on")
        terminals[-1].keys("g")
        terminals[-1].wait_for("YOUR TURN  A Ann")
    finally:
        for each in terminals:
            each.close()
