"""Shared by all tests: no traffic to this machine's networks, no logged errors, no hanging."""

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

# No test depends on the clock. In CI, hypothesis' own profile ensures that.
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
    """Prevent garbage collection of a ZeroMQ context after a failed test.

    It would end the context before its sockets, and wait for them for ever, in any later test.
    """
    kept: list[zmq.Context[Any]] = []
    make = zmq.Context.__init__

    @functools.wraps(make)
    def keep(self: zmq.Context[Any], *arguments: Any, **named: Any) -> None:
        make(self, *arguments, **named)
        self.linger = 0
        if not self._shadow:  # a shadow ends with its original
            kept.append(self)

    zmq.Context.__init__ = keep  # type: ignore[method-assign]
    yield
    zmq.Context.__init__ = make  # type: ignore[method-assign]
    for context in kept:
        context.destroy(linger=0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Guard all tests that are coroutines.

    A fixture cannot: its own task ends before the test starts, and a timeout ends a task.
    """
    for item in items:
        test = getattr(item, "obj", None)
        if inspect.iscoroutinefunction(test):
            item.obj = guarded(test, GUARD)  # type: ignore[attr-defined]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that need a missing program."""
    skip_without(item)


def pytest_collection_finish() -> None:
    """Freeze imported objects: the garbage collector need not scan them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 10, 20)


def pytest_sessionfinish() -> None:
    """Collect once. pytest does it five times, and slow workers are interrupted."""
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
    """Return the test, ended after this many seconds."""

    @functools.wraps(test)
    async def run(**arguments: Any) -> None:
        async with asyncio.timeout(seconds):
            await test(**arguments)

    return run
