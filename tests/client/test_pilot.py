"""The tests' pilot: it continues when an app has settled, not earlier and not by time."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Button, Input, Static

from tests.client.pilot import Pilot, press, run

SIZE = (40, 12)
LINKS = 50
MAY_USE_TEXTUALS_OWN = {"pilot.py", "test_pilot.py"}


class Chain(App[None]):
    """A key starts a long chain of messages, a button a worker that waits for a thread."""

    def __init__(self) -> None:
        super().__init__()
        self.links = 0
        self.gate = threading.Event()
        self.done = False

    def compose(self) -> ComposeResult:
        yield Static("0", id="count")
        yield Button("Work")
        yield Input()

    def key_f2(self) -> None:
        self.next_link()

    def next_link(self) -> None:
        self.links += 1
        self.query_one("#count", Static).update(f"{self.links}")
        if self.links < LINKS:
            self.call_after_refresh(self.call_later, self.next_link)

    def on_button_pressed(self) -> None:
        self.run_worker(self.work())

    async def work(self) -> None:
        await asyncio.to_thread(self.gate.wait)
        self.done = True


def count(pilot: Pilot[None]) -> str:
    return str(pilot.app.query_one("#count", Static).render())


async def test_press_returns_after_all_effects_of_a_key() -> None:
    app = Chain()
    async with run(app, size=SIZE) as pilot:
        await pilot.press("f2")
        assert (app.links, count(pilot)) == (LINKS, f"{LINKS}")


async def test_settle_also_waits_for_workers() -> None:
    app = Chain()
    async with run(app, size=SIZE) as pilot:
        await pilot.click(Button)
        assert not app.done
        app.gate.set()
        await pilot.settle()
        assert app.done


@pytest.mark.parametrize("typed", ["a", "Z", "7", ".", "/", "-", "_", "@", "?", "[", "é"])
async def test_typed_text_arrives(typed: str) -> None:
    app = Chain()
    async with run(app, size=SIZE) as pilot:
        app.query_one(Input).focus()
        await press(pilot, typed)
        assert app.query_one(Input).value == typed


def test_all_tests_of_screens_use_it() -> None:
    here = Path(__file__).parent
    modules = {path.name for path in here.rglob("*.py") if ".run_test(" in path.read_text(encoding="utf-8")}
    assert modules <= MAY_USE_TEXTUALS_OWN
