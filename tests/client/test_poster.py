"""The poster of a finished game: the whole board in a frame, saved as shown."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from textual.widgets import Static

from cave import games
from client import games as faces
from client.settings.schema import Preferences, Settings
from client.tui.poster import PosterScreen
from client.tui.score import ScoreScreen
from tests.client.fake_session import FakeSession
from tests.client.pilot import press, settle, until
from tests.client.screens import show, text
from tests.client.test_recap import moved_by


def over(name: str) -> FakeSession:
    """A finished game of novices."""
    session = FakeSession(game=name, seed="poster")
    while not session.game.over(session.full):
        moved_by(session, min(session.game.to_act(session.full)))
    return session


def table(name: str, record: Path) -> Any:
    face = faces.get_face(name)
    return face.screen()(
        face, over(name), glyphs="fine", record_path=str(record), preferences=Preferences(Settings(guide=False))
    )


@pytest.mark.parametrize("name", games.game_names())
async def test_the_poster_of_each_game_is_saved_as_it_is_shown(name: str, tmp_path: Path) -> None:
    async with show(table(name, tmp_path / "game.jsonl"), (140, 45)) as (app, pilot):
        await until(pilot, ScoreScreen)
        await press(pilot, "S")
        await until(pilot, PosterScreen)
        await settle(pilot)
        assert "O F   A N N   A N D   B E A" in text(app.screen)
        shown = text(app.screen).splitlines()
        assert sum(bool(re.search(r"\b[AB] ", line)) for line in shown) >= 2
        height = app.screen.query_one("#frame").outer_size.height
        await press(pilot, "s")
        await app.workers.wait_for_complete()
        await settle(pilot)
        assert "Saved as game.svg, game.png and game.ans" in text(app.screen)
    letters = re.sub(r"\x1b\[[0-9;]*m", "", (tmp_path / "game.ans").read_text()).splitlines()
    assert [line.rstrip() for line in letters[:4]] == [line.rstrip() for line in shown[:4]]
    svg = Xml.fromstring((tmp_path / "game.svg").read_text())
    assert svg.attrib["viewBox"] == f"0 0 {140 * 8} {height * 16}"
    said = "".join(each.text or "" for each in svg if each.tag.endswith("text"))
    assert "ANNANDBEA" in said
    png = (tmp_path / "game.png").read_bytes()
    assert struct.unpack(">II", png[16:24]) == (140 * 8, height * 16)
    rows = zlib.decompress(png[41 : 41 + struct.unpack(">I", png[33:37])[0]])
    assert len(rows) == height * 16 * (1 + 140 * 8 * 3)
    wide = 1 + 140 * 8 * 3
    assert {rows[at + 1 : at + 4] for at in range(0, len(rows), wide)} == {bytes.fromhex("8f6f2a")}, "the frame"
    assert len({rows[at + wide // 4 : at + wide // 4 + 3] for at in range(0, len(rows), wide)}) > 2


async def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    async with show(table("sir-ocelots-cave", tmp_path / "gone" / "game.jsonl"), (100, 36)) as (app, pilot):
        await until(pilot, ScoreScreen)
        await press(pilot, "S", "s")
        await app.workers.wait_for_complete()
        await settle(pilot)
        told = str(app.screen.query_one("#message", Static).content)
        assert told.startswith("The poster could not be saved in ")
        await press(pilot, "escape")
        assert isinstance(app.screen, ScoreScreen)
