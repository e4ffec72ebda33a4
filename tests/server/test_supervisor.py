"""The supervisor: an abort of the host's process ends no game, and leaves nothing behind.

The rules are those of ARCHITECTURE.md and HOSTING.md: tables are restored, and a restart does not repeat the
cause of the abort.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cave.game import Json
from server import local_command, supervisor
from server import main as server_main
from server.host import Host
from server.supervisor import HostStart, run_supervised
from tests import processes
from tests.forked import instead_of_exec
from tests.server.raw import Bare, Raw, pair
from tests.server.running import Running, running

OPEN = {"game": "the-cave", "seats": [{"kind": "open"}, {"kind": "open"}]}
SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL)


async def ask_anew(host: Running) -> Any:
    """Return the reply to a new client, which retries until the host is there."""
    mine = None if not host.door["encrypted"] else pair()
    eve = Raw(host, mine)
    try:
        return await eve.ask("ping")
    finally:
        eve.close()


async def dies(host: Running, number: int = signal.SIGKILL) -> None:
    """Kill the process with the sockets, and wait for its successor."""
    before = host.pid
    os.kill(before, number)
    await processes.until_gone(before)
    assert (await ask_anew(host))["type"] == "pong"
    assert host.pid != before


@pytest.mark.parametrize("number", SIGNALS)
async def test_a_table_is_restored_after_its_hosts_process_died(tmp_path: Path, number: int):
    async with running("--data", str(tmp_path), logs_errors=True) as host:
        mine = pair()
        ann = Raw(host, mine)
        table = (await ann.ask("open", **OPEN))["table"]
        seated = await ann.ask("sit", table=table, name="Ann")
        await dies(host, number)
        # The same connection: libzmq reconnects by itself, at the same port and with the same key.
        resumed = await ann.ask("resume", table=table, seat=0, key=seated["key"])
        assert resumed["type"] == "seated"
        assert [each["id"] for each in (await ann.ask("tables"))["tables"]] == [table]
        ann.close()
        assert await host.stop() == 0


async def test_aborting_the_supervisor_aborts_the_hosts_process(tmp_path: Path):
    async with running("--data", str(tmp_path)) as host:
        before = host.pid
        os.kill(host.process.pid, signal.SIGABRT)
        await processes.until_gone(before)
        assert (await ask_anew(host))["type"] == "pong"


async def test_the_host_survives_many_crashes_in_a_row(tmp_path: Path):
    async with running("--data", str(tmp_path)) as host:
        for _ in range(4):
            await dies(host)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
async def test_a_stopped_host_is_not_restarted(number: int):
    async with running() as host:
        inside = host.pid
        host.process.send_signal(number)
        status = await host.process.wait()
        assert (status == 0) == (number in (signal.SIGTERM, signal.SIGINT))
        await processes.until_gone(inside)


async def test_a_killed_supervisor_leaves_no_host_behind():
    async with running() as host:
        inside = host.pid
        host.process.kill()
        await host.process.wait()
        await processes.until_gone(inside)


async def test_a_restarted_host_uses_new_routing_ids(tmp_path: Path):
    """An id chosen before the restart is useless after it."""
    async with running("--no-encryption", "--data", str(tmp_path)) as host:
        await dies(host, signal.SIGABRT)
        first = 0xE43C9869
        taken = [await Bare.connect(host, b"\0" + number.to_bytes(4, "big")) for number in range(first, first + 20)]
        clients = [Raw(host, None) for _ in range(22)]
        for client in clients:
            assert (await client.ask("ping"))["type"] == "pong"
        for each in (*clients, *taken):
            each.close()


async def told(serve: Callable[[HostStart], int]) -> tuple[list[str], int]:
    """Return how a supervised program is started each time, and its exit status."""
    lines, _, status = await said(serve)
    return lines, status


async def said(
    serve: Callable[[HostStart], int], begin: Callable[[], object] = lambda: None
) -> tuple[list[str], list[str], int]:
    """The same, with its error messages; ``begin`` runs first, in the supervisor."""

    def telling(start: HostStart) -> int:
        print(start.port, start.after or "-", flush=True)
        return serve(start)

    def supervised(_: Sequence[str]) -> int:
        supervisor.PAUSES = (0.0,)
        begin()
        return run_supervised(telling)

    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, stdout=pipe, stderr=pipe, preexec_fn=instead_of_exec(supervised, ())
    )
    output, complaints = await process.communicate()
    assert process.returncode is not None
    return output.decode().splitlines(), complaints.decode().splitlines(), process.returncode


def die(number: int) -> int:
    os.kill(os.getpid(), number)
    return 0


@pytest.mark.parametrize("status", [1, 2, 3])
async def test_a_host_that_cannot_run_is_tried_once(status: int):
    assert await told(lambda _: status) == (["0 -"], status)


MANY = 25


@pytest.mark.parametrize("opened", [False, True])
async def test_a_host_that_dies_before_its_ports_open_is_tried_again(tmp_path: Path, opened: bool):
    """However often that happens, and it is reported once."""
    starts = tmp_path / "starts"

    def serve(start: HostStart) -> int:
        with starts.open("a") as file:
            file.write("x")
        if opened and starts.stat().st_size == 1:
            start.report_port(7412)
        return die(signal.SIGABRT) if starts.stat().st_size < MANY else 0

    lines, complaints, status = await said(serve)
    port = 7412 if opened else 0
    assert (lines, status) == (["0 -", *[f"{port} SIGABRT"] * (MANY - 1)], 0)
    assert complaints == ["The host did not start (SIGABRT). It retries until it does."]


async def test_a_host_that_ran_and_cannot_open_its_ports_is_tried_again(tmp_path: Path):
    """Another program with its ports or journal may exit."""
    tried = tmp_path / "tried"

    def serve(start: HostStart) -> int:
        if not start.port:
            start.report_port(7412)
            return die(signal.SIGKILL)
        if tried.exists():
            return 0
        tried.touch()
        return 2

    assert await told(serve) == (["0 -", "7412 SIGKILL", "7412 status 2"], 0)


async def test_a_fork_that_fails_is_tried_again():
    fork, left = os.fork, [*range(MANY)]

    def scarce() -> int:
        if left:
            left.pop()
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return fork()

    lines, complaints, status = await said(lambda _: 0, lambda: setattr(os, "fork", scarce))
    reason = os.strerror(errno.EAGAIN).lower()
    assert (lines, status) == ([f"0 {reason}"], 0)
    assert complaints == [f"The host did not start ({reason}). It retries until it does."]


async def test_a_supervisor_stopped_between_two_starts_starts_no_host():
    def fail() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    lines, _, status = await said(lambda _: 0, lambda: setattr(os, "fork", fail))
    assert (lines, status) == ([], 0)


async def test_a_host_that_died_before_opening_its_ports_still_prints_them(tmp_path: Path):
    died = tmp_path / "died"

    def main(words: Sequence[str]) -> int:
        before = Host.open

        async def open_ports(host: Host) -> dict[str, Json]:
            if not died.exists():
                died.touch()
                die(signal.SIGKILL)
            return await before(host)

        Host.open = open_ports  # type: ignore[method-assign]
        return server_main.main(words)

    pipe, argv = asyncio.subprocess.PIPE, local_command()
    process = await asyncio.create_subprocess_exec(
        *argv, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=instead_of_exec(main, argv[2:])
    )
    assert json.loads(await process.stdout.readline())["type"] == "host"
    process.stdin.close()
    assert await process.wait() == 0
    assert died.exists()


@pytest.mark.parametrize(
    ("end", "after"),
    [(lambda: die(signal.SIGSEGV), "SIGSEGV"), (lambda: sys.exit(5), "status 5")],
    ids=["signal", "status"],
)
async def test_the_next_start_knows_the_port_and_what_happened(end: Callable[[], int], after: str):
    def serve(start: HostStart) -> int:
        if start.port:
            return 0
        start.report_port(7412)
        return end()

    assert await told(serve) == (["0 -", f"7412 {after}"], 0)


async def test_a_foreign_signal_handler_does_not_matter():
    """With faulthandler from the start, the handler of SIGABRT is written in C."""
    program = "from server.supervisor import run_supervised; raise SystemExit(run_supervised(lambda _: 0))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "faulthandler", "-c", program, stderr=asyncio.subprocess.PIPE
    )
    _, complaints = await process.communicate()
    assert (complaints.decode(), process.returncode) == ("", 0)


def test_without_fork_the_host_runs_in_this_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.system.can_fork", lambda: False)
    assert run_supervised(lambda start: 7 if start == HostStart() else 1) == 7
