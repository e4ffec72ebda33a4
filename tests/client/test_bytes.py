"""The bytes that steps on the map send to a terminal of 140x45 in truecolor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from textual.app import ComposeResult
from textual.drivers.headless_driver import HeadlessDriver

from cave.the_cave.state import BASE
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.picture import MapPicture, map_picture
from client.tui.motion import far_away
from client.tui.terminal_output import ShownTerminal
from client.tui.themes import ThemedApp, boards_are_lit
from tests.bench.caves import full, seen, winding
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed
from tests.client.pilot import Pilot, give_colours, run, settle

SIZE = (140, 45)
SSH = {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}


class CountingApp(ThemedApp[None]):
    """Only the map."""

    def __init__(self, picture: MapPicture, *, light: bool) -> None:
        super().__init__()
        self.map = CaveMap(picture, light=light, fine=light)

    def compose(self) -> ComposeResult:
        yield self.map


class Sent:
    """A terminal that counts bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = 0
        shown = ShownTerminal()
        monkeypatch.setattr(HeadlessDriver, "is_headless", False)
        monkeypatch.setattr(HeadlessDriver, "write", lambda _, data: self.count(shown.changed_output(data)))

    def count(self, data: str) -> None:
        self.bytes += len(data.encode())

    async def by(self, pilot: Pilot[Any], act: Callable[[], object]) -> int:
        await settle(pilot)
        self.bytes = 0
        act()
        await settle(pilot)
        return self.bytes


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    return Sent(monkeypatch)


def picture(tiles: int, east: int = 0) -> MapPicture:
    """A winding cave with a team on the base or on the next tile."""
    return map_picture(seen(winding(tiles), east))


@pytest.mark.parametrize(
    ("light", "cursor", "change", "step"), [(False, 600, 600, 2_000), (True, 1_250, 8_000, 12_500)]
)
async def test_a_step_on_the_map_sends_little(sent: Sent, light: bool, cursor: int, change: int, step: int) -> None:
    before = picture(100)
    base = msgspec.structs.replace(before.cells[BASE], pawns=(), camps=(0,))
    changed = msgspec.structs.replace(before, cells={**before.cells, BASE: base})
    beside = next(at for at in ((1, 0), (-1, 0)) if at in before.cells)
    stepped = picture(100, beside[0])
    app = CountingApp(before, light=light)
    give_colours(app)
    async with run(app, size=SIZE, draws=True) as pilot:
        assert await sent.by(pilot, partial(setattr, app.map, "cursor", (1, 0))) in range(1, cursor)
        assert await sent.by(pilot, partial(setattr, app.map, "picture", changed)) in range(1, change)
        app.map.picture = before
        assert await sent.by(pilot, partial(setattr, app.map, "picture", stepped)) in range(1, step)


@pytest.mark.parametrize(("board", "most"), [(winding(100), 16_000), (full(60), 20_000)])
async def test_a_drag_of_nine_columns_over_a_slow_line_sends_little(sent: Sent, board: Any, most: int) -> None:
    app = CountingApp(map_picture(seen(board)), light=boards_are_lit(slow(), "auto"))
    give_colours(app)
    async with run(app, size=SIZE, draws=True) as pilot:
        assert 0 < await sent.by(pilot, lambda: setattr(app.map, "scroll_x", app.map.scroll_x + 9)) <= most


def slow() -> ThemedApp[None]:
    """An app at the other end of SSH."""
    app = ThemedApp[None]()
    app.is_far_away = far_away(SSH)
    return app


@pytest.mark.parametrize(("wish", "near", "far"), [("auto", True, False), (True, True, True), (False, False, False)])
def test_over_ssh_boards_are_lit_only_if_configured(wish: str | bool, near: bool, far: bool) -> None:
    assert boards_are_lit(ThemedApp[None](), wish) == near
    assert boards_are_lit(slow(), wish) == far


async def test_the_map_of_a_table_over_ssh_is_plain_by_itself() -> None:
    for far in (False, True):
        app = TableApp(FakeSession(start=packed()), glyphs="fine")
        app.is_far_away = far
        give_colours(app)
        async with run(app, size=SIZE, draws=True):
            assert (app.table.map.painter is None) == far
