"""Machines in their own network: discovery, a pulled cable, a seat taken over."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cave.lan import WHERE
from tests.lan.net import Machine, network, why_none
from tests.server.kit import OTHER_PACK, PACK
from tests.terminal import Terminal

pytestmark = pytest.mark.needs("ip")

ROOT = Path(__file__).resolve().parents[2]
CAVE = (sys.executable, "-m", "client.cli")
TAKE_5353 = """
import socket
taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
taken.bind(("", 5353))
print("taken", flush=True)
input()
"""
Machines = dict[str, Machine]


@pytest.fixture
def lan() -> Iterator[Machines]:
    """Three machines; if none can be made, test_announcing.py must suffice, with addresses of loopback."""
    if why_none():
        pytest.skip(f"There can be no network namespaces here ({why_none()}).")
    with network("ann", "bea", "cyd") as machines:
        yield machines


def environment(home: Path) -> dict[str, str]:
    """A separate home folder, and mDNS as users have it."""
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")}
    return {key: value for key, value in os.environ.items() if key != WHERE} | folders


@contextlib.asynccontextmanager
async def program(machine: Machine, home: Path, *argv: str) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *machine.inside(*argv), stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment(home)
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def hosting(
    machine: Machine, home: Path, *extra: str, seats: int = 2
) -> AsyncIterator[asyncio.subprocess.Process]:
    """``cave host`` as a user starts it, ready."""
    argv = (*CAVE, "host", "--name", f"{machine.name}'s host", "--seats", str(seats), *extra)
    async with program(machine, home / machine.name, *argv) as process:
        while line := await process.stdout.readline():
            if b" is open" in line:
                yield process
                return
        raise AssertionError((await process.communicate())[1].decode())


async def listed(machine: Machine, home: Path) -> list[str]:
    """Return the output of ``cave join --list`` there."""
    async with program(machine, home / machine.name, *CAVE, "join", "--list") as process:
        told, _ = await process.communicate()
        return told.decode().splitlines()


async def until_listed(machine: Machine, home: Path, *words: str) -> dict[str, str]:
    """Wait until each of these words is in a host's line; return the addresses by word."""
    while True:
        lines = await listed(machine, home)
        found = {word: line.split()[0] for word in words for line in lines if word in line}
        if len(found) == len(words):
            return found


class Remote:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._answers: asyncio.Queue[Any] = asyncio.Queue()
        self._changed = asyncio.Condition()
        self.state: dict[str, Any] = {}
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while line := await self._process.stdout.readline():
            told = json.loads(line)
            if "state" in told:
                async with self._changed:
                    self.state = told["state"]
                    self._changed.notify_all()
            else:
                self._answers.put_nowait(told)
        self._answers.put_nowait({"error": (await self._process.stderr.read()).decode()})

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.wait([self._reading])

    async def answer(self) -> Any:
        told = await self._answers.get()
        assert "answer" in told, told["error"]
        return told["answer"]

    def begin(self, do: str, **fields: Any) -> None:
        self._process.stdin.write(json.dumps({"do": do, **fields}).encode() + b"\n")

    async def do(self, do: str, **fields: Any) -> Any:
        self.begin(do, **fields)
        return await self.answer()

    async def until(self, condition: Callable[[dict[str, Any]], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self.state) and condition(self.state))


@contextlib.asynccontextmanager
async def playing(machine: Machine, home: Path, address: str) -> AsyncIterator[Remote]:
    argv = (sys.executable, "-m", "tests.lan.player", address)
    async with program(machine, home / machine.name, *argv) as process:
        remote = Remote(process)
        try:
            assert await remote.answer() == "here"
            yield remote
        finally:
            await remote.close()


async def test_two_hosts_are_found_from_a_third_machine(lan: Machines, tmp_path: Path) -> None:
    async with hosting(lan["ann"], tmp_path) as ann, hosting(lan["bea"], tmp_path, seats=4):
        found = await until_listed(lan["cyd"], tmp_path, "ann's host  2 free", "bea's host  4 free")
        assert list(found.values()) == ["10.77.0.1:7412", "10.77.0.2:7412"]
        # The machine's own host is listed, too.
        assert await until_listed(lan["ann"], tmp_path, "ann's host", "bea's host")
        ann.send_signal(signal.SIGTERM)
        assert await ann.wait() == 0
        assert [line for line in await listed(lan["cyd"], tmp_path) if "ann" in line] == []


async def test_an_unannounced_host_is_reached_by_its_address(lan: Machines, tmp_path: Path) -> None:
    async with hosting(lan["ann"], tmp_path, "--no-announce"), hosting(lan["bea"], tmp_path):
        await until_listed(lan["cyd"], tmp_path, "bea's host")
        assert [line for line in await listed(lan["cyd"], tmp_path) if "ann" in line] == []
        async with playing(lan["cyd"], tmp_path, "10.77.0.1:7412") as cyd:
            assert len(await cyd.do("tables")) == 1


async def test_with_ipv6_alone_link_local_addresses_work(lan: Machines, tmp_path: Path) -> None:
    for machine in lan.values():
        machine.run("ip", "-4", "addr", "flush", "dev", "eth0")
    async with hosting(lan["ann"], tmp_path):
        found = await until_listed(lan["cyd"], tmp_path, "ann's host")
        assert found["ann's host"] == f"[{lan['ann'].link_local}%eth0]:7412"
        async with playing(lan["cyd"], tmp_path, found["ann's host"]) as cyd:
            (table,) = await cyd.do("tables")
            await cyd.do("sit", table=table["id"], name="Cyd")
            assert cyd.state["mine"] == [0]


async def test_a_host_bound_to_one_address_is_announced_there_only(lan: Machines, tmp_path: Path) -> None:
    lan["ann"].run("ip", "addr", "add", "10.99.0.1/24", "dev", "eth0")
    async with hosting(lan["ann"], tmp_path, "--bind", "10.77.0.1"):
        found = await until_listed(lan["cyd"], tmp_path, "ann's host")
        assert found == {"ann's host": "10.77.0.1:7412"}


async def test_a_pulled_cable_is_noticed_and_the_link_restored(lan: Machines, tmp_path: Path) -> None:
    """The client notices the lost link, reports that nothing can be played, reconnects, and has missed
    nothing.
    """
    address = f"{lan['ann'].ip}:7412"
    async with (
        hosting(lan["ann"], tmp_path),
        playing(lan["bea"], tmp_path, address) as bea,
        playing(lan["cyd"], tmp_path, address) as cyd,
    ):
        (table,) = await bea.do("tables")
        await bea.do("sit", table=table["id"], name="Bea")
        await cyd.do("sit", table=table["id"], name="Cyd")
        await bea.until(lambda state: state["status"] == "playing")
        before = cyd.state["seq"]

        lan["cyd"].pull()
        await cyd.until(lambda state: state["link"] == "lost")
        await bea.until(lambda state: state["present"] == [True, False])
        assert await bea.do("act", seat=0, action=PACK) is None
        with pytest.raises(AssertionError, match="link to the host is lost"):
            await cyd.do("act", seat=1, action=OTHER_PACK)
        assert cyd.state["seq"] == before

        lan["cyd"].plug()
        await cyd.until(lambda state: state["link"] == "live" and state["seq"] == before + 1)
        assert await cyd.do("act", seat=1, action=OTHER_PACK) is None
        await bea.until(lambda state: state["present"] == [True, True] and state["seq"] == before + 2)
        assert cyd.state["mine"] == [1]


@pytest.mark.parametrize("trouble", ["no network", "port taken"])
async def test_a_host_works_without_announcement(lan: Machines, tmp_path: Path, trouble: str) -> None:
    ann = lan["ann"]
    async with contextlib.AsyncExitStack() as stack:
        if trouble == "no network":
            ann.run("ip", "addr", "flush", "dev", "eth0")
        else:
            argv = (sys.executable, "-c", TAKE_5353)
            taking = await stack.enter_async_context(program(ann, tmp_path / "ann", *argv))
            assert await taking.stdout.readline()
        async with hosting(ann, tmp_path) as host:
            line = (await host.stderr.readline()).decode()
            assert "level=WARNING event=not-announced why=" in line
            async with playing(ann, tmp_path, "127.0.0.1:7412") as here:
                assert len(await here.do("tables")) == 1
            # The obstacle disappears: the host is announced after all.
            if trouble == "no network":
                ann.run("ip", "addr", "add", f"{ann.ip}/24", "dev", "eth0")
            else:
                taking.kill()
            await until_listed(lan["cyd"], tmp_path, "ann's host")
            assert b"event=announced" in await host.stderr.readline()
            host.send_signal(signal.SIGTERM)
            assert (await host.communicate())[1] == b""


@pytest.mark.needs("tmux")
async def test_the_list_of_the_join_screen_is_updated_live(lan: Machines, tmp_path: Path) -> None:
    def see(terminal: Terminal, *words: str, gone: str = "") -> None:
        terminal.wait_for(lambda screen: all(word in screen for word in words) and (not gone or gone not in screen))

    home = tmp_path / "cyd"
    home.mkdir()
    argv = lan["cyd"].inside("env", "-u", WHERE, *CAVE, "join", "-p", "Cyd")
    with contextlib.closing(Terminal(argv, home)) as terminal:
        await asyncio.to_thread(see, terminal, "No hosts found", "ticket")
        async with hosting(lan["ann"], tmp_path):
            await asyncio.to_thread(see, terminal, "ann's host", "2 free", "new to you", gone="No host")
            async with hosting(lan["bea"], tmp_path):
                await asyncio.to_thread(see, terminal, "bea's host")
            await asyncio.to_thread(see, terminal, "ann's host", gone="bea's host")
            lan["ann"].pull()
            await asyncio.to_thread(see, terminal, "No hosts found", gone="ann's host")
            lan["ann"].plug()
            await asyncio.to_thread(see, terminal, "ann's host")
            terminal.keys("Enter")
            await asyncio.to_thread(see, terminal, "Waiting for one more player", "Cyd")
