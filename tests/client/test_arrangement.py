"""A larger window never shows less: where the panes of a table lie, at every size there is."""

from __future__ import annotations

from itertools import product

import pytest
from textual.geometry import Region

from cave.games import get
from client.games.the_cave.forms.slots import LEAST
from client.games.the_cave.forms.transfer import PackingScreen
from client.games.the_cave.screen.arrangement import TOKENS, Box, arrange
from client.tui.table import TableScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import press, run, settle
from tests.client.screens import text

WIDTHS, HEIGHTS = range(LEAST[0], 201), range(LEAST[1], 61)
SIZES = tuple(product(WIDTHS, HEIGHTS))
ORDER = ("chat", "plan", "tokens", "inspector", "log", "map-pane")
"""What goes first as the window shrinks comes first."""
NEEDED = {"header", "map-pane", "supplies", "teams", "backpack", "inspector", "log", "hints"}

Boxes = dict[str, Box]


def shown(boxes: Boxes, teams: int) -> set[str]:
    """What there is to see, the tokens of the teams named apart."""
    return set(boxes) | ({"tokens"} if boxes["teams"].height >= 1 + teams + TOKENS else set())


@pytest.mark.parametrize("replay", [False, True])
@pytest.mark.parametrize("teams", [2, 3, 4, 5])
def test_a_larger_window_never_shows_less(teams: int, replay: bool) -> None:
    found = {size: arrange(*size, teams, replay=replay) for size in SIZES}
    for (width, height), boxes in found.items():
        for larger in ((width + 1, height), (width, height + 1)):
            more = found.get(larger)
            if more is None:
                continue
            for name in ("map-pane", "log"):
                assert more[name].height >= boxes[name].height, (name, (width, height), larger)
            assert more["map-pane"].width >= boxes["map-pane"].width, ((width, height), larger)
            assert shown(more, teams) >= shown(boxes, teams), ((width, height), larger)


@pytest.mark.parametrize("replay", [False, True])
@pytest.mark.parametrize("teams", [2, 3, 4, 5])
def test_the_panes_fill_the_window_and_none_lies_over_another(teams: int, replay: bool) -> None:
    for width, height in SIZES:
        boxes = arrange(width, height, teams, replay=replay)
        assert set(boxes) >= NEEDED
        assert sum(box.width * box.height for box in boxes.values()) == width * height
        regions = [Region(*box) for box in boxes.values()]
        window = Region(0, 0, width, height)
        assert all(region.area and window.contains_region(region) for region in regions)


def test_what_matters_least_goes_first() -> None:
    for size in SIZES:
        there = [name in shown(arrange(*size, 3), 3) for name in ORDER]
        assert there == sorted(there), size


def test_a_window_of_100_columns_shows_more_of_the_map_than_one_of_80() -> None:
    small, large = (arrange(*size, 3)["map-pane"] for size in ((80, 24), (100, 30)))
    assert (small.width, small.height) == (55, 17)
    assert large.width > small.width
    assert large.height > small.height


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (20, 5), (59, 14), (500, 200)])
def test_no_size_is_refused(size: tuple[int, int]) -> None:
    for box in arrange(*size, 5).values():
        assert box.width >= 0
        assert box.height >= 0


REAL = (
    *((60, 15), (80, 15), (80, 23), (80, 24), (99, 30)),
    *((100, 30), (119, 45), (120, 37), (140, 45), (200, 60)),
)
"""Resized from one to the next, and back."""


async def test_what_is_carried_changes_the_layout_at_once() -> None:
    """Also under the form for packing: the camp in the backpack is told in more rows than no camp."""
    size = (80, 23)
    app = TableApp(FakeSession(start=get("the-cave").new(2, {}, "packing")))
    async with run(app, size=size) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, PackingScreen)
        await press(pilot, "4", "enter")
        assert app.screen is app.table
        _same(app.table, size)
        assert "a 4/4, packed" in text(app.table)


def _same(table: TableScreen, size: tuple[int, int]) -> None:
    boxes = arrange(*size, 2, camp=True)
    found = {child.id: child.region for child in table.children if child.id and child.region.area}
    found.pop("message", None)
    assert found == {name: Region(*box) for name, box in boxes.items()}, size
    assert table.map.region == found["map-pane"]
