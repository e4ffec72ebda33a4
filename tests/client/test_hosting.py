"""``cave host`` as a process: its files, and its exit."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import pytest

from cave import record
from cave.keys import key_for_ticket
from client.commands import owner
from client.commands.owner import Order
from client.net.connection import connect
from client.net.known_hosts import Keys
from client.table import Rejected
from tests import forked
from tests.client.test_cli import environment
from tests.server.kit import position
from tests.server.running import GUARD


@pytest.fixture(autouse=True)
async def guard() -> AsyncIterator[None]:
    async with asyncio.timeout(GUARD):
        yield


@attrs.frozen
class Hosting:
    """A running ``cave host`` and its ticket."""

    process: Process
    ticket: str

    async def stop(self, number: signal.Signals) -> tuple[int | None, str]:
        """Return the exit status after this signal, and the remaining output."""
        self.process.send_signal(number)
        said, wrong = await self.process.communicate()
        assert wrong == b"", wrong
        return self.process.returncode, said.decode()


@contextlib.asynccontextmanager
async def hosting(home: Path, *options: str, data: Path | None = None) -> AsyncIterator[Hosting]:
    """A host of this machine only with the data folder ``data``, usually ``home`` itself."""
    words = ("host", "--port", "0", "--bind", "127.0.0.1", "--data", str(data or home), *options)
    env = environment(home)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", *words),
        stdout=PIPE, stderr=PIPE, env=env, preexec_fn=forked.cave(words, env),
    )  # fmt: skip
    try:
        while b"  cave join " not in (line := await process.stdout.readline()):
            assert line, (await process.communicate())[1].decode()
        yield Hosting(process, line.split()[-1].decode())
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_the_record_of_a_finished_game_is_written(tmp_path: Path):
    """The host writes a record for each finished game."""
    async with hosting(tmp_path) as host:
        connection = await connect(host.ticket)
        last_turn = {**position(), "turns_left": 1}
        table = await connection.open("the-cave", [{"kind": "open"}] * 2, start=last_turn)
        await connection.sit(table, "Ann")
        session = await connection.sit(table, "Bea")
        await session.act(0, {"type": "end_turn"})
        lines = await session.record()
        await connection.close()
        status, _ = await host.stop(signal.SIGTERM)
        assert status == 0
    written = {file.name: file.read_bytes() for file in (tmp_path / "records").iterdir()}
    ((name, text),) = written.items()
    assert name.startswith(f"{lines[0]['created'][:10]}-{table}.guest-"), "a guest opened the table"
    assert text == record.write(lines)
    assert record.check_record(text.splitlines(keepends=True)).matches is True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_stopped_host_notifies_all_clients_and_exits_cleanly(tmp_path: Path, number: signal.Signals):
    """All clients get a message, status and text are right, keys and tables are saved."""
    async with hosting(tmp_path) as host:
        connection = await connect(host.ticket)
        table = await connection.open("the-cave", [{"kind": "open"}] * 2)
        session = await connection.sit(table, "Ann")
        status, said = await host.stop(number)
        assert status == 0
        assert said.endswith("The host has stopped.\n")
        assert (await session.wait_for_state(lambda state: state.link == "closed")).closed == "stopped"
        await connection.close()
    async with hosting(tmp_path) as again:
        assert again.ticket.partition("#")[2] == host.ticket.partition("#")[2]
        connection = await connect(again.ticket)
        assert [line.id for line in await connection.ask_for_tables()] == [table]
        await connection.close()


async def test_naming_an_invited_client_closes_the_host_to_others(tmp_path: Path):
    """With ``--invite`` alone an open host could be mistaken for a closed one."""
    friend, stranger = Keys(tmp_path / "friend"), Keys(tmp_path / "stranger")
    async with hosting(tmp_path / "host", "--invite", key_for_ticket(friend.identity().public)) as host:
        await (await connect(host.ticket, keys=friend)).close()
        with pytest.raises(ConnectionError, match="does not let you in"):
            await connect(host.ticket, keys=stranger)


async def test_the_initial_table_follows_the_options_and_opens_once(tmp_path: Path):
    options = (*("--seats", "2", "--bots", "rookie", "--title", "Evening", "--code", "owl", "--name", "Ann's cave"),)
    more = ("--edition", "french", "--absence", "skip:45", "--watchers-chat", "--no-hints")
    for told in (
        "(Evening) is open: Rookie (bot) and 2 free seats.",
        "(Evening) is back: Rookie (bot) and 2 free seats.",
    ):
        async with hosting(tmp_path, *options, *more) as host:
            while told not in (line := (await host.process.stdout.readline()).decode()):
                assert line
            connection = await connect(host.ticket)
            (table,) = await connection.ask_for_tables()
            assert (connection.host, table.title, table.code) == ("Ann's cave", "Evening", True)
            assert [seat.kind for seat in table.seats] == ["open", "open", "bot"]
            assert table.settings == {"edition": "french"}
            assert table.absence == {"then": "skip", "after": 45}
            assert not table.hints
            with pytest.raises(Rejected, match="the wrong code"):
                await connection.sit(table.id, "Eve", code="bat")
            session = await connection.sit(table.id, "Ann", code="owl")
            assert not session.state.hints
            await session.stand_up(0)
            await session.say("A watcher may talk.")
            await connection.close()


async def test_a_new_table_follows_a_full_one_and_guests_open_tables_if_allowed(tmp_path: Path):
    async with hosting(tmp_path, "--seats", "2", "--guests-open", "no") as host:
        while b" is open: 2 free seats." not in await host.process.stdout.readline():
            pass
        connection = await connect(host.ticket)
        assert not connection.may_open
        (table,) = await connection.ask_for_tables()
        for name in ("Ann", "Bea"):
            await connection.sit(table.id, name)
        while b" is open: 2 free seats." not in (line := await host.process.stdout.readline()):
            assert line
        assert [line.status for line in await connection.ask_for_tables()] == ["playing", "waiting"]
        with pytest.raises(Rejected, match="owner opens tables"):
            await connection.open("the-cave", [{"kind": "open"}] * 2)
        order = Order(guests_open="yes")
        await asyncio.to_thread(owner.run_owner_order, host.ticket, order, folder=tmp_path)
        await connection.ask_for_tables()
        assert connection.may_open
        await connection.open("the-cave", [{"kind": "open"}] * 2)
        await connection.close()


@pytest.mark.parametrize(("options", "told"), [((), False), (("--once",), True)])
async def test_a_host_prints_its_open_table(tmp_path: Path, options: tuple[str, ...], told: bool):
    async with hosting(tmp_path, "--seats", "2", *options) as host:
        while b" is open: 2 free seats." not in (line := await host.process.stdout.readline()):
            assert line
        connection = await connect(host.ticket)
        (table,) = await connection.ask_for_tables()
        order = Order(close=table.id)
        await asyncio.to_thread(owner.run_owner_order, host.ticket, order, folder=tmp_path)
        await connection.close()
        lines = []
        end = b"There are no tables." if told else b" is open: 2 free seats."
        while end not in (line := await host.process.stdout.readline()):
            assert line
            lines.append(line)
    assert any(b" is closed." in each for each in lines)
    assert not any(b"There" in each for each in lines)


@pytest.mark.parametrize("options", [("--title", "x" * 61), ("--code", "x" * 65), ("--bots", "rookie")])
async def test_an_impossible_table_is_reported_in_one_sentence(tmp_path: Path, options: tuple[str, ...]):
    seats = ("--seats", "0" if "--bots" in options else "2")
    words = ("host", "--port", "0", "--bind", "127.0.0.1", "--data", str(tmp_path), *seats, *options)
    env = environment(tmp_path)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "client.cli", *words),
        stdout=PIPE, stderr=PIPE, env=env, preexec_fn=forked.cave(words, env),
    )  # fmt: skip
    said, wrong = await process.communicate()
    assert (process.returncode, said, wrong.count(b"\n")) == (2, b"", 1)
    assert wrong.startswith(b"cave: A ")


@pytest.mark.parametrize("forced", [False, True])
async def test_without_encryption_others_reach_a_host_only_if_forced(tmp_path: Path, forced: bool):
    if not forced:
        async with hosting(tmp_path, "--no-encryption") as host:
            assert "#" not in host.ticket
        return
    async with hosting(tmp_path, "--force-no-encryption", "--bind", "0.0.0.0", "--no-announce") as host:
        assert b"does not encrypt" in await host.process.stdout.readline()
        assert "#" not in host.ticket
