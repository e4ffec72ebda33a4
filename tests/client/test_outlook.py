"""Resuming a table after the program has ended: its board is shown as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from client.games.sir_ocelots_cave.screen import OcelotScreen
from client.games.the_cave.screen import GameScreen
from client.settings.file import REMEMBERED, SettingsFile
from client.settings.schema import TABLES, Preferences
from client.tui.board import view
from client.tui.table import TableScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import FACE, position
from tests.client.pilot import press
from tests.client.screens import show
from tests.client.sir_ocelots_cave import tables as ocelot


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "LOOKING", 0.001)


def started(folder: Path) -> Preferences:
    """The preferences of a program that starts with this folder."""
    file = SettingsFile(folder, {})
    assert file.problems == []
    return Preferences(file.settings, file.save)


def the_cave(preferences: Preferences) -> GameScreen:
    return GameScreen(FACE, FakeSession(start=position()), preferences=preferences)


def sir_ocelot(preferences: Preferences) -> OcelotScreen:
    return OcelotScreen(ocelot.FACE, ocelot.begun(), preferences=preferences)


def looks(screen: TableScreen[Any]) -> tuple[Any, ...]:
    board = screen.query_one(view.BoardView)
    return board.cursor, board.zoom, getattr(screen.controller, "cursor", board.cursor)


@pytest.mark.parametrize(("screen", "keys"), [(the_cave, ("right", "down", "Z")), (sir_ocelot, ("left", "tab"))])
async def test_zoom_and_cursor_return_with_the_table(tmp_path: Path, screen: Any, keys: tuple[str]) -> None:
    async with show(screen(started(tmp_path))) as (app, pilot):
        fresh = looks(app.shown)  # type: ignore[arg-type]
        await press(pilot, *keys)
        left = looks(app.shown)  # type: ignore[arg-type]
        outlook = app.shown.query_one(view.BoardView).outlook
        await pilot.until(lambda: _kept(tmp_path) == [list(outlook.cursor), outlook.zoom])
    assert left != fresh
    async with show(screen(started(tmp_path))) as (app, _):
        assert looks(app.shown) == left  # type: ignore[arg-type]


def _kept(folder: Path) -> list[Any] | None:
    """The cursor and the zoom of the only table in the file."""
    file = folder / REMEMBERED
    outlooks = json.loads(file.read_bytes())["outlooks"].values() if file.exists() else ()
    return next(([each["cursor"], each["zoom"]] for each in outlooks), None)


@pytest.mark.parametrize("kept", [[], 1, {"cursor": "x"}, {"cursor": [0]}, {"cursor": [0, 0], "zoom": 5}])
async def test_invalid_entries_of_the_file_are_ignored(tmp_path: Path, kept: Any) -> None:
    async with show(the_cave(started(tmp_path))) as (app, _):
        fresh = looks(app.shown)  # type: ignore[arg-type]
    (tmp_path / REMEMBERED).write_text(json.dumps({"outlooks": {"K7QF": kept}}))
    async with show(the_cave(started(tmp_path))) as (app, _):
        assert looks(app.shown) == fresh  # type: ignore[arg-type]


def test_the_most_recent_tables_are_kept(tmp_path: Path) -> None:
    preferences = started(tmp_path)
    for number in range(TABLES + 2):
        preferences.keep_outlook(str(number), {"cursor": [number, 0], "zoom": ""})
        preferences.keep_outlook("0", {"cursor": [0, 0], "zoom": ""})
    assert set(started(tmp_path).now.outlooks) == {"0", *map(str, range(3, TABLES + 2))}
