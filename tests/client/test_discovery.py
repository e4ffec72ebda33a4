"""Finding hosts: usable addresses, valid doors, and the list in the join screen."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import zmq
from msgspec.structs import replace
from textual import events
from textual.widgets import Input, OptionList

from client.app.host_list import Empty, HostList
from client.app.line_mode import LineModeFlow
from client.app.screens.join import JoinScreen
from client.launch.opening import TableChoice, Visit
from client.net import discovery
from client.net.discovery import FoundHost
from client.net.known_hosts import Address, Keys, parse_address
from client.net.messages import Door, NobodyThere, read_door
from client.present import hosts
from client.settings.schema import Preferences
from client.tui.motion import Level, Motion
from tests.client.listed import table_line
from tests.client.plain_talk import Script
from tests.client.screens import LARGE, cut_off, show, smaller, text

KEY = zmq.curve_keypair()[0].decode()
OTHER = zmq.curve_keypair()[0].decode()
ANN = FoundHost("Ann's host", Address("192.168.1.23"), KEY, "known", ("the-cave",), 1, 2, 3)
BEA = FoundHost("Bea's host", Address("10.0.0.7", 7500), OTHER, "new")


# ------------------------------------------------------------------ addresses


def test_the_networks_of_this_machine_come_from_its_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of version 6 has its flow and scope."""
    import ipaddress

    import ifaddr

    ips = [ifaddr.IP("203.0.114.7", 24, "eth0"), ifaddr.IP(("2001:470::7", 0, 0), 64, "eth0")]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [ifaddr.Adapter("eth0", "eth0", ips)])
    expected = [ipaddress.ip_network("203.0.114.0/24"), ipaddress.ip_network("2001:470::/64")]
    assert discovery.own_networks() == expected


@pytest.fixture
def own_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    import ipaddress

    near = [ipaddress.ip_network("203.0.114.0/24"), ipaddress.ip_network("2001:470::/64")]
    monkeypatch.setattr(discovery, "own_networks", lambda: near)


@pytest.mark.parametrize(
    "address", ["192.168.1.23", "10.0.0.7", "172.16.0.1", "169.254.3.4", "203.0.114.9", "fd00::1", "2001:470::7"]
)
def test_addresses_of_the_local_network_are_used(own_networks: None, address: str) -> None:
    assert discovery.usable_addresses([address]) == [address]


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",  # outside the network: nobody may make us connect there
        "2606:4700::1111",
        "127.0.0.1",  # this machine itself
        "127.7.7.7",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:192.168.1.23",
        "0.0.0.0",
        "::",
        "224.0.0.251",
        "ff02::fb",
        "fe80::1",  # on which of the links?
        "fe80::1%4294967295",
        "fe80::1%no",
        "fe80::1%-1",
        "fe80::1%99999999999999999999",
        "nonsense",
        "",
    ],
)
def test_other_addresses_are_not_used(own_networks: None, address: str) -> None:
    assert discovery.usable_addresses([address]) == []
    assert discovery.usable_addresses([address, "10.0.0.7"]) == ["10.0.0.7"], "and the others are"


def test_the_short_addresses_come_first_and_a_link_gets_its_name() -> None:
    told = ["fe80::1%1", "fd00::1", "192.168.1.23", "127.0.0.2"]
    assert discovery.usable_addresses(told, with_loopback=True) == [
        "127.0.0.2",
        "192.168.1.23",
        "fd00::1",
        "fe80::1%lo",
    ]


@pytest.mark.parametrize("host", ["fe80::1%eth0", "fd00::1", "192.168.1.23"])
def test_a_displayed_address_can_be_typed(host: str) -> None:
    for address in (Address(host), Address(host, 7500), Address(host, 7500, KEY)):
        assert parse_address(address.ticket) == address
        assert parse_address(str(address)) == msgspec.structs.replace(address, key="")


# ------------------------------------------------------------------ doors

DOOR = {"type": "host", "protocol": [1, 1], "name": "Ann", "desk": 1, "gallery": 2, "encrypted": True}


@contextlib.asynccontextmanager
async def door(line: bytes) -> AsyncIterator[Address]:
    """A server on loopback that sends this to each client."""

    async def tell(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(line)
        writer.close()

    async with await asyncio.start_server(tell, "127.0.0.1", 0) as server:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])


def told(key: str) -> bytes:
    """The line of a door with this key."""
    return json.dumps({**DOOR, "public_key": key}).encode() + b"\n"


async def test_the_first_door_of_the_host_counts() -> None:
    async with door(told(KEY)) as there, door(b"SSH-2.0\r\n") as other, door(told(OTHER)) as somebody:
        found = await discovery.find_first_door([other, somebody, there], KEY)
        assert (found[0], found[1].key) == (there, KEY)
        assert await discovery.find_first_door([other, somebody], KEY) is None
        assert await discovery.find_first_door([there], "") is None
    assert await discovery.find_first_door([there], KEY) is None
    assert await discovery.find_first_door([], KEY) is None


async def test_a_silent_door_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    silent, open_door = Address("192.0.2.1", 1), Address("192.0.2.2", 1)
    given_up = asyncio.Event()

    async def read_door(address: Address) -> Any:
        if address is silent:
            try:
                await asyncio.Event().wait()
            finally:
                given_up.set()
        return SimpleNamespace(key=KEY)

    monkeypatch.setattr(discovery, "read_door", read_door)
    monkeypatch.setattr(discovery, "STEP", 0.0)
    async with asyncio.timeout(60):
        found = await discovery.find_first_door([silent, open_door], KEY)
    assert found[0] is open_door
    assert given_up.is_set()


async def test_a_door_that_resets_at_once_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reset may arrive before the client reads the socket's peer."""
    loop = asyncio.get_running_loop()
    connect = loop.sock_connect

    async def connect_and_be_reset(each: socket.socket, address: Any) -> None:
        await connect(each, address)
        there, _ = listening.accept()
        there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        there.close()
        with pytest.raises(OSError, match="not connected"):
            each.getpeername()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(loop, "sock_connect", connect_and_be_reset)
        with pytest.raises(NobodyThere, match="No host answers"):
            await read_door(Address("127.0.0.1", listening.getsockname()[1]))


async def test_disabled_discovery_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, words in (("off", "turned off"), ("eth0", "CAVE_MDNS")):
        monkeypatch.setenv("CAVE_MDNS", value)
        with pytest.raises(ConnectionError, match=words):
            await anext(discovery.browse_hosts(Keys()))


class Quiet:
    """Zeroconf that receives nothing."""

    def __init__(self, *given: object, **named: object) -> None:
        self.given, self.named = given, named
        self.zeroconf = self

    async def async_wait_for_start(self) -> None: ...

    async def async_close(self) -> None: ...


@pytest.mark.parametrize(
    ("answered", "port", "version", "behind", "found"),
    [
        (True, 7412, b"1", "Ann's host", True),
        (False, 7412, b"1", "Ann's host", False),
        (True, None, b"1", "Ann's host", False),
        (True, 7412, b"0", "Ann's host", False),
        (True, 7412, b"1", "", True),
        (True, 7412, b"1", None, False),
    ],
    ids=["a host", "no details", "no port", "another form", "a door without a name", "no door"],
)
async def test_only_hosts_with_a_valid_notice_and_an_answering_door_are_listed(
    monkeypatch: pytest.MonkeyPatch, answered: bool, port: int | None, version: bytes, behind: str | None, found: bool
) -> None:
    import zeroconf.asyncio

    waited: list[float] = []

    class Info:
        def __init__(self, *_: object) -> None:
            self.port = port
            told = {b"txtvers": version, b"name": b"As announced", b"protocol": b"1-1", b"tables": b"2", b"free": b"3"}
            self.properties = {**told, b"watchers": b"4", b"games": b"the-cave"}

        async def async_request(self, _zeroconf: object, wait: float) -> bool:
            waited.append(wait)
            return answered

        def parsed_scoped_addresses(self) -> list[str]:
            return [f"10.0.0.{number}" for number in range(1, 10)]

    async def door(addresses: list[Address], _key: str) -> tuple[Address, Door] | None:
        assert len(addresses) == discovery.MOST_ADDRESSES
        return None if behind is None else (addresses[0], Door(behind, "10.0.0.1", 1, 2))

    monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceInfo", Info)
    monkeypatch.setattr(discovery, "find_first_door", door)
    host = await discovery.Looking(Keys(), (), Quiet()).look_up_host("ann")  # type: ignore[arg-type]
    assert waited == [1000 * discovery.DETAILS], "in milliseconds"
    facts = ("plain", ("the-cave",), 2, 3, 4)
    here = Address("10.0.0.1", 7412)
    assert host == (FoundHost(behind or "As announced", here, "", *facts) if found else None)


async def test_announcements_are_bounded_and_dead_ones_removed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    import zeroconf.asyncio

    heard: list[Any] = []
    asked: dict[str, asyncio.Event] = {}

    class Browser:
        def __init__(self, *_: object, handlers: list[Any]) -> None:
            heard.extend(handlers)

        async def async_cancel(self) -> None: ...

    class Info:
        def __init__(self, _service: str, name: str) -> None:
            self.name = name

        async def async_request(self, *_: object) -> bool:
            await asked.setdefault(self.name, asyncio.Event()).wait()
            return False

    def announce(name: str) -> None:
        heard[0](None, "", name, SimpleNamespace(name="Added"))

    async def rounds() -> None:
        """Let everything happen that only needs the event loop."""
        for _ in range(20):
            await asyncio.sleep(0)

    monkeypatch.setenv("CAVE_MDNS", "")
    monkeypatch.setattr(discovery, "MOST", 2)
    fakes = {"AsyncZeroconf": Quiet, "AsyncServiceBrowser": Browser, "AsyncServiceInfo": Info}
    for name, fake in fakes.items():
        monkeypatch.setattr(zeroconf.asyncio, name, fake)
    async with contextlib.aclosing(discovery.browse_hosts(Keys())) as hosts_found, asyncio.timeout(60):
        assert await anext(hosts_found) == ()
        await rounds()
        for name in ("a", "b", "c"):
            announce(name)
        await rounds()
        assert [*asked] == ["a", "b"], "one more than may be"
        asked["b"].set()
        await rounds()
        for name in ("c", "b"):
            announce(name)
        await rounds()
        assert [*asked] == ["a", "b", "c"], "b led nowhere, and a is still followed"


# ------------------------------------------------------------------ the list


@pytest.mark.parametrize("only", [(), ("192.0.2.1",)])
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(101, "Network is unreachable"), "network is unreachable"),
        (OSError("No adapter at all"), "no adapter at all"),
        (RuntimeError("No adapters found"), "this machine is not on a network"),
    ],
)
async def test_a_failed_discovery_is_explained_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str, only: tuple[str, ...]
) -> None:
    import zeroconf.asyncio

    def fails(*_given: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", fails)
    with pytest.raises(ConnectionError) as told:
        await discovery.open_socket(only)
    assert str(told.value) == f"Cannot look for hosts on the network ({reason})."


class Network:
    """Hosts that come and go as a test wants."""

    def __init__(self, *found: FoundHost) -> None:
        self.found = found
        self.changed = asyncio.Event()
        self.problem = ""
        self.looked = 0
        self.left = 0

    async def browse(self) -> AsyncGenerator[tuple[FoundHost, ...], None]:
        self.looked += 1
        if self.problem:
            raise ConnectionError(self.problem)
        try:
            while True:
                self.changed.clear()
                yield self.found
                await self.changed.wait()
        finally:
            self.left += 1

    def show(self, *found: FoundHost) -> None:
        self.found = found
        self.changed.set()


def table(number: str, kinds: str, status: str = "waiting") -> Any:
    words = {"o": "open", "p": "person"}
    seats = [{"name": "", "kind": words[k]} for k in kinds]
    return table_line({"id": number, "title": f"Table {number}", "status": status, "seats": seats})


def looking(*tables: Any) -> Any:
    asked: list[str] = []

    async def look(address: str) -> list[Any]:
        asked.append(address)
        return list(tables)

    look.asked = asked  # type: ignore[attr-defined]
    return look


@pytest.mark.parametrize("found", [(), (ANN, BEA), (replace(ANN, name="漢" * 60, standing="changed"),)])
async def test_no_text_is_cut_off(found: tuple[FoundHost, ...]) -> None:
    screen = JoinScreen(looking(), browse=Network(*found).browse, address="last:1")
    async with show(screen, LARGE) as (app, pilot):
        async for size in smaller(pilot):
            assert cut_off(app.screen) == [], size
            for host in found:
                assert host.address.host in text(app.screen)


async def test_the_list_of_hosts_is_updated_live() -> None:
    network = Network()
    async with show(JoinScreen(looking(), browse=network.browse)) as (app, pilot):
        await pilot.until(lambda: hosts.LOOKING in text(app.screen))
        network.show(ANN)
        await pilot.pause()
        shown = text(app.screen)
        assert hosts.LOOKING not in shown
        for words in ("Ann's host", "2 free", "3 watching", "The Cave", "known", "192.168.1.23"):
            assert words in shown
        network.show(replace(ANN, free=1), BEA)
        await pilot.pause()
        assert "1 free" in text(app.screen)
        assert "10.0.0.7:7500" in text(app.screen)
        network.show(BEA)
        await pilot.pause()
        assert "Ann's host" not in text(app.screen)
    assert network.left == 1


async def test_enter_on_a_host_with_one_open_table_joins_it() -> None:
    look = looking(table("full", "pp"), table("free", "po"))
    async with show(JoinScreen(look, browse=Network(ANN).browse, names=("Bea",))) as (app, pilot):
        await pilot.press("enter")
        await pilot.pause()
        assert look.asked == ["192.168.1.23:7412"]
        assert app.results == [TableChoice("192.168.1.23:7412", "free", ("Bea",))]


async def test_a_host_with_more_tables_lists_them_for_key_or_click() -> None:
    look = looking(table("a", "po"), table("b", "poo"))
    async with show(JoinScreen(look, browse=Network(ANN).browse, names=("Bea",))) as (app, pilot):
        await pilot.click("#hosts", offset=(5, 0))
        await pilot.pause()
        assert app.results == []
        assert app.screen.query_one("#address", Input).value == "192.168.1.23:7412"
        assert app.focused is app.screen.query_one("#tables", OptionList)
        await pilot.press("down", "enter")
        assert app.results == [TableChoice("192.168.1.23:7412", "a", ("Bea",))]


@pytest.mark.parametrize("length", [1, 7])
async def test_a_pasted_address_is_accepted_whole(length: int) -> None:
    """Some terminals paste without bracketing, and a key may be held down: nothing is lost or reordered."""
    address = "127.0.0.1:7700"
    look = looking(table("a", "po"))
    async with show(JoinScreen(look, browse=Network(ANN).browse)) as (app, pilot):
        for part in (address[:length], address[length:]):
            for character in part:
                app.post_message(events.Key(character, character))
            await asyncio.sleep(0)
        await pilot.pause()
        assert app.screen.query_one("#address", Input).value == address
        await pilot.press("enter")
        await pilot.pause()
        assert look.asked == [address]


async def test_the_last_address_is_offered_until_it_is_discovered() -> None:
    network = Network()
    screen = JoinScreen(looking(), browse=network.browse, address=str(ANN.address))
    async with show(screen) as (app, pilot):
        assert hosts.LAST_TIME in text(app.screen)
        assert app.screen.query_one(HostList).chosen_address == str(ANN.address)
        network.show(ANN)
        await pilot.pause()
        assert hosts.LAST_TIME not in text(app.screen)
        assert app.screen.query_one(HostList).chosen_address == str(ANN.address)


async def test_without_discovery_the_screen_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network()
    network.problem = "Cannot look for hosts on the network (no such device)."
    async with show(JoinScreen(looking(), browse=network.browse)) as (app, pilot):
        await pilot.pause()
        assert "Cannot look for hosts" in text(app.screen)
        assert "ticket" in text(app.screen)
        network.problem = ""
        network.found = (ANN,)
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert network.looked == 2
        assert "Ann's host" in text(app.screen)


@pytest.mark.parametrize("level", ["off", "full"])
async def test_the_lamp_animation_stops_with_the_search(level: Level) -> None:
    network = Network()
    async with show(JoinScreen(looking(), browse=network.browse)) as (app, pilot):
        note = app.screen.query_one(Empty)
        app.motion = Motion(level)
        note.say_why_empty("")
        note.say_why_empty(hosts.LOOKING)
        assert note.sweep.is_moving == (level == "full")
        lit = []
        for _ in range(3):
            note.sweep.show_next_frame()
            lit.append(note.rows(60, 20))
        assert (lit[0] != lit[2]) == (level == "full")
        network.show(ANN)
        await pilot.until(lambda: "Ann's host" in text(app.screen))
        assert not note.sweep.is_moving


async def test_after_a_while_without_hosts_the_screen_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.app.host_list.PATIENCE", 0.01)
    network = Network()
    async with show(JoinScreen(looking(), browse=network.browse)) as (app, pilot):
        await pilot.until(lambda: hosts.NOTHING_FOUND in text(app.screen))
        assert "ticket" in text(app.screen)
        network.show(ANN)
        await pilot.pause()
        assert hosts.NOTHING_FOUND not in text(app.screen)
        network.show()
        await pilot.pause()
        assert hosts.NOTHING_FOUND in text(app.screen)


# ------------------------------------------------------------------ line mode


class Nowhere:
    """A launcher that ends at the host's address."""

    async def tables(self, address: str) -> list[Any]:
        raise ConnectionError(f"No host answers at {address}.")


@pytest.mark.parametrize(
    ("found", "typed", "address", "words"),
    [
        ((ANN, BEA), "2", "10.0.0.7:7500", "2 Bea's host, no game, 0 free, 0 watching, new to you: 10.0.0.7:7500"),
        ((ANN, BEA), "10.0.0.9", "10.0.0.9", "1 Ann's host, The Cave, 2 free, 3 watching, known: 192.168.1.23"),
        ((ANN,), "2", "2", "1 Ann's host"),
        ((), "1", "1", hosts.NOTHING_FOUND),
        (None, "here", "here", "Cannot look for hosts"),
    ],
)
async def test_in_line_mode_a_host_is_chosen_by_its_number(
    found: tuple[FoundHost, ...] | None, typed: str, address: str, words: str
) -> None:
    async def find() -> tuple[hosts.HostLine, ...]:
        if found is None:
            raise ConnectionError("Cannot look for hosts on the network (no such device).")
        return hosts.host_lines(found)

    script = Script(typed, live=True)
    course = LineModeFlow(script, Nowhere(), Preferences(), find)  # type: ignore[arg-type]
    with pytest.raises(ConnectionError, match=f"at {address}\\."):
        await course.run(Visit())
    assert any(words in line for line in script.said)
