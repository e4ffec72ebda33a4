"""What holds for every test: nothing is told to the networks of this machine, and none hangs for ever."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import hypothesis
import pytest
import zmq

# Tests about the network say where they look and tell instead.
os.environ["CAVE_MDNS"] = "off"

# No test depends on the clock. In CI hypothesis has a profile of its own that sees to it.
if "CI" not in os.environ:
    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")


GUARD = 240.0
"""Seconds after which a test that hangs is ended, and tells where; nothing is measured by it."""


@pytest.fixture(scope="session", autouse=True)
def contexts_outlive_their_tests() -> Iterator[None]:
    """No garbage collection of a ZeroMQ context that a failed test leaves behind.

    That would end the context before its sockets, which waits for them for ever, in whatever test runs then.
    """
    kept: list[zmq.Context[Any]] = []
    make = zmq.Context.__init__

    @functools.wraps(make)
    def keep(self: zmq.Context[Any], *arguments: Any, **named: Any) -> None:
        make(self, *arguments, **named)
        self.linger = 0
        if not self._shadow:  # One that stands for another ends with it.
            kept.append(self)

    zmq.Context.__init__ = keep  # type: ignore[method-assign]
    yield
    zmq.Context.__init__ = make  # type: ignore[method-assign]
    for context in kept:
        context.destroy(linger=0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Guard all tests that are coroutines.

    A fixture cannot: its own task is over before the test begins, and a timeout ends a task.
    """
    for item in items:
        test = getattr(item, "obj", None)
        if inspect.iscoroutinefunction(test):
            item.obj = guarded(test, GUARD)  # type: ignore[attr-defined]


def guarded(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    """The test, but ended after so many seconds."""

    @functools.wraps(test)
    async def run(**arguments: Any) -> None:
        async with asyncio.timeout(seconds):
            await test(**arguments)

    return run
