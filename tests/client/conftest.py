"""Fixtures of the client's tests."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from client import system
from tests import forked
from tests.server.running import Running, running


@pytest.fixture(scope="session", autouse=True)
def style_sheets_are_parsed_once() -> Iterator[None]:
    """Apps share parsed style sheets: parsing takes a quarter of the time of a short test."""
    parse = Stylesheet._parse_rules
    parsed: dict[Any, Any] = {}
    themes: dict[Any, Any] = {}

    def once(self: Stylesheet, *arguments: Any, **named: Any) -> Any:
        last = vars(self).get("variables_read", ({}, None))
        if last[0] is not self._variables:
            variables = frozenset(self._variables.items())
            last = self.variables_read = self._variables, themes.setdefault(variables, variables)  # type: ignore[attr-defined]
        key = (last[1], arguments, *named.items())
        if key not in parsed:
            parsed[key] = parse(self, *arguments, **named)
        return parsed[key]

    Stylesheet._parse_rules = once  # type: ignore[method-assign]
    yield
    Stylesheet._parse_rules = parse  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def our_programs_are_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the programs that the client starts, hosts and advisers: they load nothing."""
    monkeypatch.setattr(subprocess, "Popen", forked.Popen)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for games, keys and seats, for this test alone."""
    folder = tmp_path / "data"
    monkeypatch.setattr(system, "data_folder", lambda: folder)
    return folder


@pytest.fixture
async def host() -> AsyncIterator[Running]:
    async with running() as started:
        yield started
