"""What holds for every test: nothing is told to the networks of this machine, and none hangs for ever."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

# Tests about the network say where they look and tell instead.
os.environ["CAVE_MDNS"] = "off"

GUARD = 240.0
"""Seconds after which a test that hangs is ended, and tells where; nothing is measured by it."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Guard all tests that are coroutines.

    A fixture can not: its own task is over before the test begins, and a timeout ends a task.
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
