"""What holds for every test: no word to this machine's networks, no error in the log, an end to waiting."""

from __future__ import annotations

import tests.pinned  # noqa: F401 - before textual

# isort: split

import asyncio
import functools
import gc
import inspect
import logging
import os
import tempfile
from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import Any

import hypothesis
import pytest
import zmq

from tests.effort import THOROUGH
from tests.tools import skip_without

# Tests of mDNS name their own interfaces.
os.environ["CAVE_MDNS"] = "off"
# Tests never use the games, keys and settings of the developer.
HOME = tempfile.TemporaryDirectory(prefix="cave-tests-")
for kind in ("CONFIG", "DATA", "STATE"):
    os.environ[f"XDG_{kind}_HOME"] = f"{HOME.name}/{kind.lower()}"

# No test depends on the clock. In CI hypothesis has a profile of its own that sees to it.
if THOROUGH:
    hypothesis.settings.register_profile("thorough", deadline=None, max_examples=500)
    hypothesis.settings.load_profile("thorough")
elif "CI" not in os.environ:
    hypothesis.settings.register_profile("patient", deadline=None, max_examples=50)
    hypothesis.settings.load_profile("patient")

GUARD = 240.0
"""Seconds after which a hanging test is killed with a traceback; not a benchmark."""


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


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a program that is not here."""
    skip_without(item)


def pytest_collection_finish() -> None:
    """What has been imported stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 10, 20)


def pytest_sessionfinish() -> None:
    """Collect once. pytest does it five times, and a worker that takes long to end is interrupted."""
    gc.collect()
    gc.freeze()


class Errors(logging.Handler):
    """Keeps the errors that the program logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test in which the program logs an error, unless it is marked ``logs_errors``."""
    errors = Errors()
    log = logging.getLogger("cave")
    log.addHandler(errors)
    try:
        result = yield
    finally:
        log.removeHandler(errors)
    if errors.lines and item.get_closest_marker("logs_errors") is None:
        pytest.fail("The log has errors:\n" + "\n".join(errors.lines), pytrace=False)
    return result


def guarded(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    """The test, but ended after so many seconds."""

    @functools.wraps(test)
    async def run(**arguments: Any) -> None:
        async with asyncio.timeout(seconds):
            await test(**arguments)

    return run
