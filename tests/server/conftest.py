"""Shared by the tests of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.server.raw import Raw
from tests.server.running import Running, running


@pytest.fixture
def made() -> Iterator[Any]:
    """Makes clients, closed afterwards."""
    raws: list[Raw] = []

    def make(*arguments: Any, **fields: Any) -> Raw:
        raws.append(Raw(*arguments, **fields))
        return raws[-1]

    yield make
    for raw in raws:
        raw.close()


@pytest.fixture
async def host() -> AsyncIterator[Running]:
    async with running() as started:
        yield started
