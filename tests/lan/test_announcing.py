"""Real hosts on several addresses of loopback: announced, found, withdrawn. Nothing leaves this machine."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
import zmq
from msgspec.structs import replace
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from cave import lan
from client.net import discovery
from client.net.connection import connect
from client.net.discovery import FoundHost, browse_hosts
from client.net.known_hosts import Keys
from tests.server.running import Running, running

HERE = "127.0.0.1"
"""The address used for discovery."""


@pytest.fixture
def name() -> str:
    """A name that no other test of this machine's loopback uses at the same time."""
    return f"host {secrets.token_hex(4)}"


@contextlib.asynccontextmanager
async def announced(monkeypatch: pytest.MonkeyPatch, ip: str, name: str, *extra: str) -> AsyncIterator[Running]:
    """A host process at an address of loopback that announces itself there."""
    monkeypatch.setenv(lan.WHERE, ip)
    async with running("--announce", "--bind", ip, "--name", name, *extra) as host:
        monkeypatch.setenv(lan.WHERE, HERE)
        yield attrs.evolve(host, ip=ip)


class Looker:
    """A search for hosts whose name has a certain prefix."""

    def __init__(self, name: str, keys: Keys | None = None) -> None:
        self._name = name
        self._lists = browse_hosts(keys or Keys())

    async def until(self, condition: Callable[[dict[str, FoundHost]], bool]) -> dict[str, FoundHost]:
        """Wait until the hosts satisfy the condition; return them by name."""
        async for found in self._lists:
            mine = {host.name: host for host in found if host.name.startswith(self._name)}
            if condition(mine):
                return mine
        raise AssertionError("the looking ended")

    async def close(self) -> None:
        await self._lists.aclose()


@pytest.fixture
async def looker(monkeypatch: pytest.MonkeyPatch, name: str) -> AsyncIterator[Looker]:
    monkeypatch.setenv(lan.WHERE, HERE)
    made = Looker(name)
    yield made
    await made.close()


async def test_hosts_come_change_and_go(
    monkeypatch: pytest.MonkeyPatch, looker: Looker, name: str, tmp_path: Path
) -> None:
    one, two = f"{name} one", f"{name} two"
    async with announced(monkeypatch, "127.0.0.2", one) as first, announced(monkeypatch, "127.0.0.3", two) as second:
        found = await looker.until(lambda hosts: {one, two} <= hosts.keys())
        assert str(found[one].address) == first.address
        assert str(found[two].address) == second.address
        assert found[one].key == first.door["public_key"]
        assert (found[one].tables, found[one].free, found[one].games) == (0, 0, ())

        visitor = await connect(first.address)
        table = await visitor.open("the-cave", [{"kind": "open"}, {"kind": "open"}, {"kind": "open"}])
        found = await looker.until(lambda hosts: hosts[one].free == 3)
        assert (found[one].tables, found[one].games) == (1, ("the-cave",))
        await visitor.sit(table, "Ann")
        watcher = await connect(first.address)
        await watcher.watch(table)
        await looker.until(lambda hosts: (hosts[one].free, hosts[one].watchers) == (2, 1))
        await watcher.close()
        await visitor.close()

        assert await first.stop() == 0
        found = await looker.until(lambda hosts: one not in hosts)
        assert two in found
        second.process.kill()
        await looker.until(lambda hosts: two not in hosts)


async def test_a_host_that_leaves_early_does_not_end_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dropped announcement is no longer requested, and requests for others must not wait for it."""
    begun: list[AsyncZeroconf] = []
    begin = AsyncZeroconf.__init__

    def keep(self: AsyncZeroconf, **options: Any) -> None:
        begin(self, **options)
        begun.append(self)

    monkeypatch.setattr(AsyncZeroconf, "__init__", keep)
    monkeypatch.setenv(lan.WHERE, HERE)
    async with contextlib.aclosing(browse_hosts(Keys())) as lists:
        assert await anext(lists) == ()
        info = AsyncServiceInfo(lan.SERVICE, f"gone.{lan.SERVICE}")
        asked = asyncio.create_task(info.async_request(begun[0].zeroconf, 1))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await begun[0].zeroconf.async_wait_for_start()


@pytest.mark.logs_errors
async def test_an_error_in_following_a_host_does_not_end_it(
    monkeypatch: pytest.MonkeyPatch, looker: Looker, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A host that cannot be followed is not listed, and is found again afterwards."""

    async def stumble(*_: object) -> None:
        raise TypeError("of nobody's making")

    monkeypatch.setattr(discovery, "ASK_EVERY", 0.5)
    async with announced(monkeypatch, "127.0.0.2", name):
        await looker.until(bool)
        with monkeypatch.context() as patched:
            patched.setattr(discovery, "find_first_door", stumble)
            await looker.until(lambda hosts: not hosts)
        await looker.until(bool)
    assert f"Cannot follow {name}" in caplog.text
    assert "of nobody's making" in caplog.text


async def test_the_end_of_browsing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (TypeError("of nobody's making"), asyncio.CancelledError()):

        async def stumble(_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setenv(lan.WHERE, HERE)
        monkeypatch.setattr(AsyncZeroconf, "async_update_interfaces", stumble)
        monkeypatch.setattr(discovery, "ASK_EVERY", 0.1)
        async with contextlib.aclosing(browse_hosts(Keys())) as lists:
            with pytest.raises(ConnectionError, match="has stopped"):
                async for _ in lists:
                    pass


async def test_a_stopped_host_is_withdrawn_at_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """On the wire: a goodbye, which withdraws the records (RFC 6762, section 10.1)."""
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        zeroconf = AsyncZeroconf(interfaces=[HERE])
        heard: asyncio.Queue[str] = asyncio.Queue()

        def tell(*, heard: Any = heard, name: str, state_change: Any, **_: Any) -> None:
            heard.put_nowait(f"{state_change.name} {name}")

        from zeroconf.asyncio import AsyncServiceBrowser

        AsyncServiceBrowser(zeroconf.zeroconf, lan.SERVICE, handlers=[tell])
        async with announced(monkeypatch, "127.0.0.2", f"{name} {how.name}") as host:
            while not (await heard.get()).startswith(f"Added {name} {how.name} "):
                pass
            host.process.send_signal(how)
            while not (await heard.get()).startswith(f"Removed {name} {how.name} "):
                pass
        await zeroconf.async_close()


async def test_two_hosts_of_the_same_name_are_both_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    async with (
        announced(monkeypatch, "127.0.0.2", name) as first,
        announced(monkeypatch, "127.0.0.3", name) as second,
        contextlib.aclosing(browse_hosts(Keys())) as lists,
    ):
        async for found in lists:
            seen = {str(host.address) for host in found if host.name == name}
            if seen == {first.address, second.address}:
                return


async def test_known_hosts_are_distinguished(monkeypatch: pytest.MonkeyPatch, name: str, tmp_path: Path) -> None:
    mine = Keys(tmp_path)
    async with announced(monkeypatch, "127.0.0.2", name):
        before = Looker(name, mine)
        found = await before.until(lambda hosts: name in hosts)
        assert found[name].standing == "new"
        await before.close()
        await (await connect(str(found[name].address), keys=mine)).close()
        after = Looker(name, mine)
        found = await after.until(lambda hosts: name in hosts)
        assert found[name].standing == "known"
        await after.close()


def children(pid: int) -> list[str]:
    """The command lines of a process's children."""
    numbers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path(f"/proc/{number}/cmdline").read_text() for number in numbers]


@pytest.mark.parametrize("extra", [(), ("--announce",)])
async def test_a_host_for_this_machine_only_is_not_announced(
    monkeypatch: pytest.MonkeyPatch, name: str, extra: tuple[str, ...]
) -> None:
    """Such a host does not even start the process for it."""
    monkeypatch.setenv(lan.WHERE, "127.0.0.9")
    async with running("--name", name, *extra) as host:
        visitor = await connect(host.address)
        await visitor.close()
        assert not [line for line in children(host.process.pid) if "mdns" in line]


# ------------------------------------------------------------------ announcements of others


Lie = tuple[str, int, dict[Any, Any], str]


@contextlib.asynccontextmanager
async def lying(*lies: Lie) -> AsyncIterator[None]:
    """Forged announcements: a name, a port, a TXT record, an address."""
    zeroconf = AsyncZeroconf(interfaces=[HERE])
    for name, port, txt, ip in lies:
        info = AsyncServiceInfo(
            lan.SERVICE,
            f"{name}.{lan.SERVICE}",
            port=port,
            properties=txt,
            server=f"{secrets.token_hex(4)}.local.",
            parsed_addresses=[ip],
        )
        await zeroconf.async_register_service(info, cooperating_responders=True)
    try:
        yield
    finally:
        await zeroconf.async_close()


async def test_only_announcements_confirmed_by_a_door_are_listed(
    monkeypatch: pytest.MonkeyPatch, looker: Looker, name: str
) -> None:
    async with announced(monkeypatch, "127.0.0.2", f"{name} good") as host:
        port, honest = host.door["port"], lan.Notice(f"{name} x", str(host.door["public_key"]))
        other = zmq.curve_keypair()[0].decode()
        liars = [
            (port, replace(honest, key=other).to_txt(), "127.0.0.2"),  # another host's key
            (port, replace(honest, key="").to_txt(), "127.0.0.2"),  # no key, but the door has one
            (host.door["desk"], honest.to_txt(), "127.0.0.2"),  # no door
            (port, honest.to_txt(), "127.0.0.77"),  # no host is there
            (port, {**honest.to_txt(), "free": "many"}, "127.0.0.2"),
            (port, {b"\xff\xfe\x00": b"\x1b[2J", b"txtvers": None}, "127.0.0.2"),
            (0, honest.to_txt(), "127.0.0.2"),
        ]
        lies = [(f"{name} liar {number}", *lie) for number, lie in enumerate(liars)]
        # The door's name counts, and one address is one host, however many announce it.
        lies.append((f"{name} twin", port, honest.to_txt(), "127.0.0.2"))
        async with lying(*lies):
            found = await looker.until(bool)
            assert list(found) == [f"{name} good"]
            async with announced(monkeypatch, "127.0.0.3", f"{name} later"):
                found = await looker.until(lambda hosts: len(hosts) > 1)
                assert list(found) == [f"{name} good", f"{name} later"]


async def test_a_harmful_name_is_cleaned(monkeypatch: pytest.MonkeyPatch, looker: Looker, name: str) -> None:
    evil = f"{name} \x1b[31m\u202ered\r\n.dots.{lan.SERVICE}"
    async with announced(monkeypatch, "127.0.0.2", evil):
        found = await looker.until(bool)
    (shown,) = found
    assert shown.isprintable()
    assert "\u202e" not in shown
    assert shown.startswith(f"{name} red .dots.")


async def test_a_client_follows_its_host(monkeypatch: pytest.MonkeyPatch, name: str, tmp_path: Path):
    monkeypatch.setattr("client.net.connection.SEARCH_AFTER", 0.01)
    same = ("--keys", str(tmp_path), "--data", str(tmp_path / "games"))
    async with announced(monkeypatch, "127.0.0.2", name, *same) as host:
        connection = await connect(host.address)
        table = await connection.open("the-cave", [{"kind": "open"}] * 2)
        await connection.sit(table, "Ann")
        session = await connection.sit(table, "Bea")
        await session.act(0, {"type": "pack", "backpack": {"consumable": 4}, "camp": None})
        await host.stop()
        await session.wait_for_state(lambda state: state.closed == "stopped")
    async with announced(monkeypatch, "127.0.0.3", name, *same) as again:
        state = await session.wait_for_state(lambda state: state.link == "live")
        assert state.my_seats == (0, 1)
        assert state.views[0].cave.packed == {0}
        assert connection.address == again.address
        await connection.close()
