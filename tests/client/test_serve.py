"""``cave serve``: valid messages of browsers, and their limits."""

from __future__ import annotations

import re
import socket as sockets
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from client.commands import browser
from client.commands.browser import Limits, Site
from tests.client.test_cli import answer, assert_one_sentence

ECHO = """
import os, resource, termios, tty
tty.setraw(0, termios.TCSANOW)
while data := os.read(0, 1000):
    if data == b"?":
        size = os.get_terminal_size(0)
        memory = resource.getrlimit(resource.RLIMIT_AS)[0]
        told = [os.getpid(), f"{size.columns}x{size.lines}", memory, os.getcwd(), *os.environ]
        data = (" ".join(map(str, told)) + "!").encode()
    os.write(1, data)
"""
STUBBORN = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN){ECHO}"

Socket = aiohttp.ClientWebSocketResponse


class Guest:
    """A browser."""

    def __init__(self, port: int) -> None:
        self.place = f"http://127.0.0.1:{port}"
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    @asynccontextmanager
    async def session(self, query: str = "", **headers: str) -> AsyncIterator[Socket]:
        headers = {"Origin": self.place, **headers}
        async with self.http.ws_connect(f"{self.place}/ws{query}", headers=headers) as socket:
            yield socket

    async def status(self, path: str, **headers: str) -> int:
        async with self.http.get(self.place + path, headers=headers) as response:
            return response.status


async def shown(socket: Socket, until: str) -> str:
    text = ""
    while until not in text:
        message = await socket.receive()
        if message.type is not aiohttp.WSMsgType.BINARY:
            break
        text += message.data.decode()
    return text


async def asked(socket: Socket) -> list[str]:
    """Return the program's output; if the server refuses the session, its message."""
    with suppress(ConnectionError):
        await socket.send_json(["stdin", "?"])
    return (await shown(socket, "!")).removesuffix("!").split()


async def can_begin(guest: Guest) -> bool:
    """Return whether a session starts as soon as earlier ones have ended."""
    words = ["in", "use"]
    while "use" in words:
        async with guest.session() as socket:
            words = await asked(socket)
    return len(words) > 3


Open = Callable[..., AbstractAsyncContextManager[Guest]]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    @asynccontextmanager
    async def open_(program: str = ECHO, names: tuple[str, ...] = (), **limits: float) -> AsyncIterator[Guest]:
        site = Site([sys.executable, "-c", program], tmp_path, Limits(**limits), names)
        runner = web.AppRunner(site.app())
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        guest = Guest(runner.addresses[0][1])
        try:
            yield guest
        finally:
            await guest.http.close()
            await runner.cleanup()

    return open_


def is_gone(process: str) -> bool:
    return not Path(f"/proc/{process}").exists()


async def test_a_program_gets_the_keys_and_the_size_of_its_browser(opened: Open) -> None:
    async with opened() as guest, guest.session("?width=90&height=30") as socket:
        assert (await asked(socket))[1] == "90x30"
        await socket.send_json(["stdin", "é"])
        assert await shown(socket, "é") == "é"
        for width, height, becomes in ((120, 40, "120x40"), (10**9, -1, "400x1")):
            await socket.send_json(["resize", {"width": width, "height": height}])
            assert (await asked(socket))[1] == becomes


async def test_the_page_loads_nothing_from_other_sites(opened: Open) -> None:
    async with opened() as guest, guest.http.get(f"{guest.place}/") as page:
        text = await page.text()
        assert re.findall("https?://", text) == []
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        for file in re.findall(r'(?:src|href)="(static/[^"]+)"', text) + re.findall(r'url\("([^"]+)"', text):
            assert await guest.status(f"/{file}") == 200, file
        assert await guest.status("/static/../app_service.py") == 404


async def test_a_page_of_another_site_is_rejected(opened: Open) -> None:
    async with opened(names=("cave.example",)) as guest:
        port = guest.place.rpartition(":")[2]
        for headers in (
            {"Origin": ""},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": f"http://evil.example:{port}", "Host": f"evil.example:{port}"},
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                async with guest.session(**headers):
                    pass
        assert await guest.status("/", Host="evil.example") == 403
        for name in ("cave.example", "localhost", "[::1]"):
            assert await guest.status("/", Host=name) == 200


@pytest.mark.parametrize(
    "nonsense",
    [
        *(
            "",
            "x",
            "1",
            "[]",
            "[1]",
            '["stdin"]',
            '["stdin", 1]',
            '["resize", {"width": "1"}]',
            pytest.param("[" * 9999, id="deep"),
        ),
        '["quit"]',
        pytest.param(f'["stdin", "{"x" * browser.LONGEST}"]', id="long"),
        b"x",
    ],
)
async def test_invalid_messages_end_the_session(opened: Open, nonsense: str | bytes) -> None:
    async with opened(sessions=1) as guest:
        async with guest.session() as socket:
            process = (await asked(socket))[0]
            await (socket.send_str(nonsense) if isinstance(nonsense, str) else socket.send_bytes(nonsense))
            await shown(socket, "never")
            assert socket.closed
        assert await can_begin(guest)
        assert is_gone(process)


@pytest.mark.parametrize(
    ("limits", "words"),
    [({"sessions": 2}, "(2 sessions)"), ({"sessions": 9, "each": 2}, "(2 sessions from your address)")],
)
async def test_sessions_are_bounded(opened: Open, limits: dict[str, float], words: str) -> None:
    async with opened(**limits) as guest, guest.session() as one:
        await asked(one)
        async with guest.session() as two:
            await asked(two)
            async with guest.session() as third:
                assert words in await shown(third, "never")
        assert await can_begin(guest)


async def test_an_idle_session_ends_with_a_sentence(opened: Open) -> None:
    async with opened(idle=0.0) as guest, guest.session() as socket:
        assert "Nobody has typed" in await shown(socket, "never")


async def test_a_session_ends_with_its_program(opened: Open) -> None:
    async with opened("print('over')") as guest, guest.session() as socket:
        assert "over" in await shown(socket, "never")


async def test_a_program_that_does_not_end_is_killed(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "PATIENCE", 0.0)
    async with opened(STUBBORN) as guest, guest.session() as socket:
        process = (await asked(socket))[0]
    assert is_gone(process)


async def test_a_program_has_no_owner(opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAVE_CODE", "secret")
    monkeypatch.setenv("CAVE_SOUND_COMMAND", "play")
    async with opened(memory=2**30) as guest, guest.session() as socket:
        _, _, memory, home, *names = await asked(socket)
        assert memory == str(2**30)
        assert Path(home).parent == tmp_path
        assert [name for name in names if "CAVE" in name] == ["CAVE_MDNS"]


async def test_after_a_reload_a_browser_finds_its_own_files(opened: Open, tmp_path: Path) -> None:
    homes = []
    async with opened() as guest:
        other = Guest(int(guest.place.rpartition(":")[2]))
        try:
            for each in (guest, other, guest):
                await each.status("/")
                async with each.session() as socket:
                    homes.append((await asked(socket))[3])
        finally:
            await other.http.close()
    assert homes[0] == homes[2] != homes[1]


async def test_folders_of_closed_sessions_are_removed(opened: Open) -> None:
    homes: list[Path] = []
    async with opened(sessions=1) as guest:
        while len(homes) < browser.FOLDERS + 3:
            async with guest.session() as socket:  # without a cookie: a new one each time
                _, _, _, home, *_ = await asked(socket)
                if Path(home).is_absolute():  # else the earlier session has not ended yet
                    homes.append(Path(home))
    assert 1 < sum(map(Path.exists, homes)) <= browser.FOLDERS + 1


def test_errors_of_serve_are_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_sentence(answer(tmp_path, "serve", "--bind", "here"), 2, "'here'", "IP address")
    assert_one_sentence(answer(tmp_path, "serve", "--name", "a b"), 2, "'a b' is not the name of a host")
    assert_one_sentence(answer(tmp_path, "serve", "--watch", "\x1b[31m"), 2, "is not an address")
    with sockets.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_one_sentence(answer(tmp_path, "serve", "--port", port), 1, port, "cannot be used")
    monkeypatch.delitem(sys.modules, "client.commands.browser")
    monkeypatch.delattr("client.commands.browser")
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert_one_sentence(answer(tmp_path, "serve"), 1, "pip install 'cave-game[serve]'")
