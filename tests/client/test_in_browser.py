"""``cave serve`` in a real browser: by keys and by mouse, a reload, and several watchers."""

from __future__ import annotations

import base64
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.client.test_cli import environment

BROWSER = "chromium-headless-shell"
pytestmark = pytest.mark.needs(BROWSER)
CODES = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07]*\x07|.)", re.DOTALL)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[str]:
    """The address at which a headless browser takes commands."""
    options = ("--no-sandbox", "--remote-debugging-port=0", "--window-size=1100,700")
    process = subprocess.Popen(
        [BROWSER, *options, f"--user-data-dir={tmp_path / 'browser'}", "about:blank"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield next(found[1] for line in process.stderr if (found := re.search(r"ws://([^/]+)/", line)))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


@contextmanager
def running(*command: str, home: Path, ready: str) -> Iterator[str]:
    """Run the command; yield its ready line."""
    argv = [sys.executable, "-m", "client.cli", *command]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=environment(home))
    try:
        yield next(found[0] for line in process.stdout if (found := re.search(ready, line)))
    finally:
        process.terminate()
        process.communicate()


class Tab:
    """A page of the browser, and everything sent to its terminal."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.text = ""

    async def do(self, method: str, **given: Any) -> None:
        self._number += 1
        number = self._number
        await self._socket.send_json({"id": number, "method": method, "params": given})
        while (await self._next()).get("id") != number:
            pass

    async def _next(self) -> Any:
        said = await self._socket.receive_json()
        if said.get("method") == "Network.webSocketFrameReceived":
            frame = said["params"]["response"]
            if frame["opcode"] == 2:
                self.text += CODES.sub("", base64.b64decode(frame["payloadData"]).decode("utf-8", "replace"))
        return said

    async def shows(self, words: str) -> None:
        while words not in self.text:
            await self._next()
        self.text = ""

    async def open(self, place: str) -> None:
        for part in ("Network", "Page"):
            await self.do(f"{part}.enable")
        await self.do("Page.navigate", url=place)

    async def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" else {}
            await self.do("Input.dispatchKeyEvent", type=kind, key=key, **text)

    async def click(self, x: int, y: int) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            await self.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


@asynccontextmanager
async def tab(browser: str) -> AsyncIterator[Tab]:
    async with aiohttp.ClientSession() as http:
        async with http.put(f"http://{browser}/json/new?about:blank") as answer:
            place = (await answer.json(content_type=None))["webSocketDebuggerUrl"]
        async with http.ws_connect(place, max_msg_size=0) as socket:
            yield Tab(socket)


async def test_keys_the_mouse_and_a_reload(browser: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        serving = running("serve", "--port", "0", home=tmp_path, ready=r"http://\S+")
        place = stack.enter_context(serving)
        page = await stack.enter_async_context(tab(browser))
        await page.open(place)
        await page.shows("Play now")
        await page.click(500, 300)  # for the focus; nothing is there
        await page.press("p")
        await page.shows("Which game?")
        await page.click(450, 180)  # The Cave
        await page.shows("You have not played The Cave here yet.")
        await page.do("Page.reload")
        await page.shows("Play now")


async def test_several_watch_one_host(browser: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        host = running(
            *("host", "--port", "0", "--bind", "127.0.0.1", "--seats", "1", "--bot", "rookie"),
            home=tmp_path,
            ready=r"cave://\S+",
        )
        address = stack.enter_context(host)
        serving = running(
            *("serve", "--port", "0", "--each", "3", "--watch", address), home=tmp_path / "serve", ready=r"http://\S+"
        )
        place = stack.enter_context(serving)
        pages = [await stack.enter_async_context(tab(browser)) for _ in range(3)]
        for page in pages:
            await page.open(place)
        for page in pages:
            await page.shows("You are watching")
