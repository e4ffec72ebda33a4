"""The web server of ``cave serve``: each browser gets the program in its own terminal.

The page uses textual-serve's terminal. A browser's messages are hostile: they may come from a page of another
site, so the origin is checked; sessions are limited in number, size and messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSMsgType, web

from cave import codec, processes
from cave.game import BadData

PAGE = Path(__file__).with_name("page.html")
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "font-src 'self'; img-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
COOKIE = "cave-guest"
LONGEST = 64 * 1024  # bytes of a message from a browser, and of a chunk sent to it
BEAT = 15.0  # seconds between checks that the browser is still connected
PATIENCE = 6.0  # seconds for a program to save and exit
FOLDERS = 4  # folders to keep per possible session
WIDEST, HIGHEST = 400, 150  # columns and rows
PASSED = ("PATH", "PYTHONPATH", "SYSTEMROOT", "CAVE_DNS")
FULL = "\r\nEverything here is in use ({why}). Try again later.\r\n"
IDLE = "\x1b[?1049l\r\nNobody has typed for {minutes} minutes, so the session has ended.\r\n"


class Limits(msgspec.Struct, frozen=True):
    """Limits: sessions in all and per address, idle seconds, and bytes of memory per process."""

    sessions: int = 10
    each: int = 4
    idle: float = 1800.0
    memory: int = 2**31


class Terminal:
    """A program in its own pseudo-terminal. Unix only."""

    def __init__(self, argv: Sequence[str], home: Path, width: int, height: int, memory: int) -> None:
        import pty

        self._side, other = pty.openpty()
        try:
            self._resize(width, height)
            self._process = processes.start_child(
                argv, streams=other, stderr=other, memory=memory, environment=_guest_environment(home), folder=home
            )
        except OSError:
            os.close(self._side)
            raise
        finally:
            os.close(other)
        os.set_blocking(self._side, False)

    def _resize(self, width: int, height: int) -> None:
        import fcntl
        import struct
        import termios

        cells = struct.pack("HHHH", min(max(height, 1), HIGHEST), min(max(width, 1), WIDEST), 0, 0)
        fcntl.ioctl(self._side, termios.TIOCSWINSZ, cells)

    def resize(self, width: int, height: int) -> None:
        self._resize(width, height)
        # Its session has no controlling terminal to send this signal.
        self._process.send_signal(signal.SIGWINCH)

    async def read(self) -> bytes:
        """Return the program's next output; nothing at its end."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                return os.read(self._side, LONGEST)
            except BlockingIOError:
                await _wait_until_ready(loop.add_reader, loop.remove_reader, self._side)
            except OSError:  # the program has closed its side
                return b""

    async def write(self, data: bytes) -> None:
        """Send keys as fast as the program reads them; raises OSError when it has ended."""
        loop = asyncio.get_running_loop()
        while data:
            try:
                data = data[os.write(self._side, data) :]
            except BlockingIOError:
                await _wait_until_ready(loop.add_writer, loop.remove_writer, self._side)

    async def hang_up(self) -> None:
        """Hang up, so that the program saves and exits; kill it if it does not."""
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGHUP)
        ending = asyncio.get_running_loop().run_in_executor(None, processes.end_child, self._process, PATIENCE)
        # Its output may be larger than the buffer.
        while not ending.done() and await self.read():
            pass
        await ending
        os.close(self._side)


async def _wait_until_ready(add: Callable[..., None], remove: Callable[[int], object], descriptor: int) -> None:
    ready = asyncio.Event()
    add(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        remove(descriptor)


def _guest_environment(home: Path) -> dict[str, str]:
    """Return the environment of a guest's program, without the owner's settings and secrets."""
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
    return {**passed, **terminal, "HOME": str(home), "TMPDIR": str(home), "CAVE_MDNS": "off"}


class Guests:
    """The browsers: each has a folder, so that its games survive a reload. Sessions are limited."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self._root = root
        self._limits = limits
        self._folders: dict[str, Path] = {}  # by cookie, the latest last
        self._busy: Counter[str] = Counter()  # sessions per cookie
        self._addresses: Counter[str] = Counter()

    def is_known_browser(self, cookie: str) -> bool:
        return cookie in self._folders

    def refusal(self, address: str) -> str:
        """Return why this address cannot start another session; empty if it can."""
        if self._addresses.total() >= self._limits.sessions:
            return f"{self._limits.sessions} sessions"
        if self._addresses[address] >= self._limits.each:
            return f"{self._limits.each} sessions from your address"
        return ""

    @contextlib.contextmanager
    def session(self, cookie: str, address: str) -> Iterator[Path]:
        """Count a session while it lasts, and yield the folder of its browser."""
        self._addresses[address] += 1
        self._busy[cookie] += 1
        try:
            yield self._browser_folder(cookie)
        finally:
            self._addresses -= Counter([address])
            self._busy -= Counter([cookie])

    def _browser_folder(self, cookie: str) -> Path:
        folder = self._folders.pop(cookie, None) or Path(tempfile.mkdtemp(dir=self._root))
        self._folders[cookie] = folder
        idle = [each for each in self._folders if not self._busy[each]]
        for each in idle[: max(0, len(self._folders) - FOLDERS * self._limits.sessions)]:
            shutil.rmtree(self._folders.pop(each), ignore_errors=True)
        return folder


class Site:
    """The pages and their sessions. Browsers must use one of these ``names`` of the host, or an IP address: a
    foreign page whose name resolves to this host has a different name (DNS rebinding).
    """

    def __init__(self, command: Sequence[str], root: Path, limits: Limits, names: Collection[str] = ()) -> None:
        self._command = command
        self._limits = limits
        self._guests = Guests(root, limits)
        self._names = {"localhost", *map(str.lower, names)}
        self._open: set[web.WebSocketResponse] = set()

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/", self._send_page)
        app.router.add_get("/ws", self._serve_session)
        app.router.add_static("/static", str(files("textual_serve").joinpath("static")))
        app.on_shutdown.append(self._close)
        return app

    async def _close(self, _: web.Application) -> None:
        for each in [*self._open]:
            await each.close()

    def _check_origin(self, request: web.Request) -> None:
        """Refuse a request from a page of another site."""
        name = urlsplit(f"//{request.host}").hostname or ""
        try:
            ip_address(name)
        except ValueError:
            if name not in self._names:
                raise web.HTTPForbidden(text="This name is not served here; see cave serve --name.\n") from None

    async def _send_page(self, request: web.Request) -> web.StreamResponse:
        self._check_origin(request)
        page = web.Response(text=PAGE.read_text("utf-8"), content_type="text/html", headers=HEADERS)
        if not self._guests.is_known_browser(request.cookies.get(COOKIE, "")):
            page.set_cookie(COOKIE, token_urlsafe(), httponly=True, samesite="Strict")
        return page

    async def _serve_session(self, request: web.Request) -> web.StreamResponse:
        self._check_origin(request)
        if urlsplit(request.headers.get("Origin", "")).netloc != request.host:
            raise web.HTTPForbidden(text="Only a page of this server can open a session.\n")
        socket = web.WebSocketResponse(heartbeat=BEAT, max_msg_size=LONGEST)
        await socket.prepare(request)
        address, cookie = request.remote or "", request.cookies.get(COOKIE, "") or token_urlsafe()
        why = self._guests.refusal(address)
        if why:
            await socket.send_bytes(FULL.format(why=why).encode())
        else:
            self._open.add(socket)
            try:
                with self._guests.session(cookie, address) as home:
                    await self._run(socket, home, _read_size(request, "width", 80), _read_size(request, "height", 24))
            finally:
                self._open.discard(socket)
        await socket.close()
        return socket

    async def _run(self, socket: web.WebSocketResponse, home: Path, width: int, height: int) -> None:
        terminal = Terminal(self._command, home, width, height, self._limits.memory)
        showing = asyncio.create_task(self._forward_output(terminal, socket))
        try:
            await self._forward_input(terminal, socket)
        finally:
            showing.cancel()
            await asyncio.wait([showing])
            await terminal.hang_up()

    async def _forward_output(self, terminal: Terminal, socket: web.WebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await terminal.read():
                await socket.send_bytes(data)
        await socket.close()

    async def _forward_input(self, terminal: Terminal, socket: web.WebSocketResponse) -> None:
        """Forward the browser's messages until it disconnects, sends an invalid one, or is idle."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._limits.idle
        with contextlib.suppress(OSError, BadData, ConnectionError):
            while True:
                try:
                    async with asyncio.timeout_at(end):
                        message = await socket.receive()
                except TimeoutError:
                    minutes = f"{self._limits.idle / 60:g}"
                    await socket.send_bytes(IDLE.format(minutes=minutes).encode())
                    return
                if message.type is not WSMsgType.TEXT:
                    return
                match codec.decode(message.data.encode("utf-8", "replace")):
                    case ["stdin", str(text)]:
                        end = loop.time() + self._limits.idle
                        await terminal.write(text.encode("utf-8", "replace"))
                    case ["resize", {"width": int(width), "height": int(height)}]:
                        terminal.resize(width, height)
                    case ["ping" | "focus" | "blur", *_]:
                        pass
                    case _:
                        return


def _read_size(request: web.Request, name: str, usual: int) -> int:
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else usual


async def run_web_server(site: Site, bind: str, port: int, ready: Callable[[int], object]) -> None:
    """Serve until the program has to stop; raises OSError if the port is unavailable."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    runner = web.AppRunner(site.app(), access_log=None, keepalive_timeout=BEAT, shutdown_timeout=PATIENCE)
    await runner.setup()
    try:
        place = web.TCPSite(runner, bind, port)
        await place.start()
        ready(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()
