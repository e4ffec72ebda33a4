"""A series at a host: the score is kept, players change seats, and everybody sees the standing."""

from __future__ import annotations

import asyncio
from pathlib import Path

from client.commands import screens
from client.launch import new_game
from client.launch.host_tables import table_lines
from client.launch.launcher import Launcher
from client.launch.new_game import GameOptions
from client.net.connection import connect
from client.net.known_hosts import Keys
from client.present import score
from client.table import TableState
from tests.server.kit import position
from tests.server.running import GUARD, running

LAST_TURN = {**position(), "turns_left": 1}
ENDS = {"type": "end_turn"}


def over(state: TableState) -> bool:
    return state.ended and state.is_of_one_moment


async def test_two_terminals_play_best_of_three_and_a_watcher_reads_the_score(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), running() as host:
        ann, bea = (
            Launcher(screens.host_command, tmp_path / name / "records", Keys(tmp_path / name, plain=True))
            for name in ("ann", "bea")
        )
        plan = new_game.make_plan(["Ann"], (), 1, options=GameOptions(position=LAST_TURN, best_of=3))
        played = {"Ann": await ann.open(host.address, plan)}
        played["Bea"] = await bea.join(host.address, played["Ann"].session.state.table, ["Bea"])
        watcher = await connect(host.address)
        wins, points = {"Ann": 0, "Bea": 0}, {"Ann": 0.0, "Bea": 0.0}
        for game in range(1, 4):
            first = ("Ann", "Bea")[(game - 1) % 2]
            session, table = played[first].session, played[first].session.state.table
            assert (await session.wait_for_state(lambda state: state.choices)).my_seats == (0,), "who was second begins"
            watched = await watcher.watch(table)
            start = f"Game {game} of 3: {first} {wins[first]} win" if game > 1 else "Game 1 of 3."
            assert score.series_words(session.state).startswith(start)
            await session.act(0, ENDS)
            state = await watched.wait_for_state(over)
            names, won = state.view.names, [line for line in state.view.standing if line.winner]
            for line in state.view.standing:
                wins[names[line.seat]] += [line] == won
                points[names[line.seat]] += line.total
            told = state.series
            assert dict(zip(names, told.wins, strict=True)) == wins
            assert dict(zip(names, told.points, strict=True)) == points
            if told.winners:
                break
            played = {"Bea": await bea.rematch(), "Ann": await ann.rematch()}
        (winner,) = told.winners
        words = score.series_words(state)
        assert words.startswith(f"{names[winner]} wins the series, best of 3: ")
        assert all(f"{name} {wins[name]} win" in words for name in names)
        for each in played.values():
            assert score.series_words(await each.session.wait_for_state(over)) == words
        await watcher.close()
        for launcher in (ann, bea):
            await launcher.leave()


async def test_a_round_robin_of_two_terminals_with_three_players(tmp_path: Path) -> None:
    async with asyncio.timeout(GUARD), running() as host:
        ann, bea = (
            Launcher(screens.host_command, tmp_path / name / "records", Keys(tmp_path / name, plain=True))
            for name in ("ann", "bea")
        )
        plan = new_game.make_plan(["Ann", "Al"], options=GameOptions(position=LAST_TURN, round_robin=3))
        played = [await ann.open(host.address, plan)]
        table = played[0].session.state.table
        (line,) = table_lines(await ann.tables(host.address))
        assert (line.open_seats, line.free, "game 1 of 3 of a round robin" in line.text) == (1, (), True)
        played.append(await bea.join(host.address, table, ["Bea"]))
        for game, pair in enumerate(("Ann against Al", "Bea against Ann", "Al against Bea"), 1):
            sessions = [each.session for each in played]
            first, _, second = pair.split()
            for session in sessions:
                state = await session.wait_for_state(lambda state: state.view is not None)
                assert [state.seats[seat].name for seat in (0, 1)] == [first, second]
                assert score.series_words(state).splitlines()[0] == f"Round robin, game {game} of 3: {pair}."
            mine = next(session for session in sessions if session.state.seats[0].mine)
            await mine.wait_for_state(lambda state: state.choices)
            await mine.act(0, ENDS)
            told = [score.series_words(await session.wait_for_state(over)).splitlines() for session in sessions]
            assert told[0] == told[1]
            assert all(session.state.may_rematch for session in sessions)
            assert len(told[0]) == (5 if game < 3 else 4), "head, three players, who is next"
            if game < 3:
                again = await ann.rematch()
                assert (await sessions[1].wait_for_state(lambda state: state.rematch_by is not None)).rematch_is_open
                played = [again, await bea.rematch()]
        best = told[0][1].split()[1]
        assert told[0][0].startswith(best)
        for launcher in (ann, bea):
            await launcher.leave()
